package fault_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"earshot/shared/embedded/diskblob"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/port/blob"
	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
	"earshot/shared/port/queue"
)

func portSet() *fault.Set {
	return fault.NewSet(map[string][]string{
		fault.QueuePort: fault.QueueOperations(), fault.BlobPort: fault.BlobOperations(),
		fault.MailPort: fault.MailOperations(), fault.IdentityPort: fault.IdentityOperations(),
	}, fault.DefaultWait)
}

// ended notes what has ended, and what that came to.
type ended []string

func (e *ended) Send(_ context.Context, name string, _ ...queue.Message) error {
	*e = append(*e, "send")
	return nil
}

func (e *ended) Put(context.Context, string, blob.File) error { *e = append(*e, "put"); return nil }
func (e *ended) Get(context.Context, string) (io.ReadCloser, error) {
	*e = append(*e, "get")
	return io.NopCloser(strings.NewReader("")), nil
}
func (e *ended) GetRange(context.Context, string, int64, int64) ([]byte, error) {
	*e = append(*e, "getRange")
	return nil, nil
}
func (e *ended) Link(context.Context, string, time.Duration) (string, error) {
	*e = append(*e, "link")
	return "x", nil
}
func (e *ended) Delete(context.Context, string) error { *e = append(*e, "delete"); return nil }

// A mailer and a directory have methods of other shapes.
type endedMail struct{ *ended }

func (e endedMail) Send(context.Context, mail.Message) error {
	*e.ended = append(*e.ended, "send")
	return nil
}

func (e *ended) Account(context.Context, string) (identity.Account, error) {
	*e = append(*e, "account")
	return identity.Account{}, nil
}
func (e *ended) Join(context.Context, string, string) error  { *e = append(*e, "join"); return nil }
func (e *ended) Leave(context.Context, string, string) error { *e = append(*e, "leave"); return nil }
func (e *ended) CreateGroup(context.Context, string) error {
	*e = append(*e, "createGroup")
	return nil
}
func (e *ended) DeleteGroup(context.Context, string) error {
	*e = append(*e, "deleteGroup")
	return nil
}

// Every operation of the ports goes wrong as it is told, and only that one.
func TestPortFaults(t *testing.T) {
	calls := map[string]map[string]func(ctx context.Context, inner *ended, set *fault.Set) error{
		fault.QueuePort: {
			"send": func(ctx context.Context, inner *ended, set *fault.Set) error {
				return fault.Queue(inner, set).Send(ctx, "q", queue.Message{Body: []byte("x")})
			},
		},
		fault.BlobPort: {
			"put": func(ctx context.Context, inner *ended, set *fault.Set) error {
				return fault.Blob(inner, set).Put(ctx, "k", blob.File{})
			},
			"get": func(ctx context.Context, inner *ended, set *fault.Set) error {
				_, err := fault.Blob(inner, set).Get(ctx, "k")
				return err
			},
			"getRange": func(ctx context.Context, inner *ended, set *fault.Set) error {
				_, err := fault.Blob(inner, set).GetRange(ctx, "k", 0, 1)
				return err
			},
			"link": func(ctx context.Context, inner *ended, set *fault.Set) error {
				_, err := fault.Blob(inner, set).Link(ctx, "k", time.Hour)
				return err
			},
			"delete": func(ctx context.Context, inner *ended, set *fault.Set) error {
				return fault.Blob(inner, set).Delete(ctx, "k")
			},
		},
		fault.MailPort: {
			"send": func(ctx context.Context, inner *ended, set *fault.Set) error {
				return fault.Mail(endedMail{inner}, set).Send(ctx, mail.Message{})
			},
		},
		fault.IdentityPort: {
			"account": func(ctx context.Context, inner *ended, set *fault.Set) error {
				_, err := fault.Identity(inner, set).Account(ctx, "a@b.example")
				return err
			},
			"join": func(ctx context.Context, inner *ended, set *fault.Set) error {
				return fault.Identity(inner, set).Join(ctx, "g", "a")
			},
			"leave": func(ctx context.Context, inner *ended, set *fault.Set) error {
				return fault.Identity(inner, set).Leave(ctx, "g", "a")
			},
			"createGroup": func(ctx context.Context, inner *ended, set *fault.Set) error {
				return fault.Identity(inner, set).CreateGroup(ctx, "g")
			},
			"deleteGroup": func(ctx context.Context, inner *ended, set *fault.Set) error {
				return fault.Identity(inner, set).DeleteGroup(ctx, "g")
			},
		},
	}
	throttled := map[string]error{fault.QueuePort: queue.ErrThrottled, fault.BlobPort: blob.ErrUnavailable,
		fault.MailPort: mail.ErrThrottled, fault.IdentityPort: identity.ErrUnavailable}
	unavailable := map[string]error{fault.QueuePort: queue.ErrUnavailable, fault.BlobPort: blob.ErrUnavailable,
		fault.MailPort: mail.ErrUnavailable, fault.IdentityPort: identity.ErrUnavailable}
	for port, operations := range map[string][]string{fault.QueuePort: fault.QueueOperations(),
		fault.BlobPort: fault.BlobOperations(),
		fault.MailPort: fault.MailOperations(), fault.IdentityPort: fault.IdentityOperations()} {
		for _, operation := range operations {
			for _, c := range []struct {
				kind fault.Kind
				want error
				done bool
			}{
				{fault.Throttle, throttled[port], false}, {fault.Error, unavailable[port], false},
				{fault.Lost, unavailable[port], true}, {fault.Slow, nil, true},
				{fault.Crash, fault.Crashed{Port: port, Operation: operation}, true},
			} {
				t.Run(port+"/"+operation+"/"+string(c.kind), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						set, inner := portSet(), &ended{}
						written := strings.ToUpper(operation[:1]) + operation[1:]
						if err := set.Add(fault.Fault{Port: port, Operation: written, Fault: c.kind, Times: 1}); err != nil {
							t.Fatal(err)
						}
						began := time.Now()
						err := crashing(func() error { return calls[port][operation](t.Context(), inner, set) })
						if !errors.Is(err, c.want) || slices.Equal(*inner, ended{operation}) != c.done || len(*inner) > 1 {
							t.Fatalf("%v, done: %v", err, *inner)
						}
						if slow := time.Since(began) == fault.DefaultWait; slow != (c.kind == fault.Slow) {
							t.Fatalf("it took %v", time.Since(began))
						}
						for other, call := range calls[port] { // once, and no more
							if err := call(t.Context(), inner, set); err != nil {
								t.Errorf("%s: %v", other, err)
							}
						}
					})
				})
			}
		}
	}
}

// crashing answers the value of a crash as an error.
func crashing(do func() error) (err error) {
	defer func() {
		if crashed, ok := recover().(fault.Crashed); ok {
			err = crashed
		}
	}()
	return do()
}

// A message whose sender crashed is there: the crash comes after the send.
func TestCrash_AfterSend(t *testing.T) {
	q, err := sqlitequeue.Open(filepath.Join(t.TempDir(), "q.db"), []sqlitequeue.Definition{{Name: queue.Posts}}, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	set := portSet()
	if err := set.Add(fault.Fault{Port: "queue", Operation: "Send", Fault: fault.Crash, Times: 1}); err != nil {
		t.Fatal(err)
	}
	faulty := fault.Queue(q, set)
	message := queue.Message{Body: []byte("x")}
	var crashed fault.Crashed
	if err := crashing(func() error { return faulty.Send(t.Context(), queue.Posts, message) }); !errors.As(err, &crashed) {
		t.Fatal(err)
	}
	if depth, err := q.Depth(t.Context(), queue.Posts); err != nil || depth.Waiting != 1 {
		t.Fatalf("Depth() = %+v, %v, want 1 waiting", depth, err)
	}
}

// With no fault a decorated blob is the blob, errors included.
func TestBlob_NoFaults(t *testing.T) {
	inner, err := diskblob.Open(t.TempDir(), "http://127.0.0.1", clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	b := fault.Blob(inner, portSet())
	if _, err := b.Get(t.Context(), "missing"); !errors.Is(err, blob.ErrNotFound) {
		t.Fatal(err)
	}
	if err := b.Put(t.Context(), "../x", blob.File{}); !errors.Is(err, blob.ErrInvalid) {
		t.Fatal(err)
	}
}
