package table_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"earshot/shared/port/table"
)

// scripted is a table that fails as it is told, and then does well.
type scripted struct {
	table.Table
	errs   []error
	calls  int
	tokens []string
	reads  int // that one BatchGet does at most
	asked  [][]table.Get
}

func (s *scripted) next() error {
	s.calls++
	if len(s.errs) == 0 {
		return nil
	}
	err := s.errs[0]
	s.errs = s.errs[1:]
	return err
}

func (s *scripted) Put(context.Context, table.Put) error { return s.next() }

func (s *scripted) Transact(_ context.Context, tx table.Transaction) error {
	s.tokens = append(s.tokens, tx.Token())
	return s.next()
}

func (s *scripted) BatchGet(_ context.Context, gets []table.Get) (table.Batch, error) {
	s.asked = append(s.asked, gets)
	if err := s.next(); err != nil {
		return table.Batch{}, err
	}
	batch := table.Batch{Items: make([]table.Item, len(gets))}
	for i, get := range gets {
		if i >= s.reads {
			batch.Unprocessed = append([]int{i}, batch.Unprocessed...) // in no order that helps
			continue
		}
		batch.Items[i] = table.Item{"sk": get.Key.Sort}
	}
	return batch, nil
}

func times(n int, err error) []error {
	errs := make([]error, n)
	for i := range errs {
		errs[i] = fmt.Errorf("attempt %d: %w", i+1, err)
	}
	return errs
}

func TestRetrying(t *testing.T) {
	conflict := &table.Canceled{Reasons: []table.Reason{{Code: table.ReasonNone}, {Code: table.ReasonConflict}}}
	failed := &table.Canceled{Reasons: []table.Reason{{Code: table.ReasonConflict}, {Code: table.ReasonCondition}}}
	for _, c := range []struct {
		name  string
		errs  []error
		calls int
		want  error
	}{
		{"well", nil, 1, nil},
		{"throttled once", times(1, table.ErrThrottled), 2, nil},
		{"unavailable thrice", times(3, table.ErrUnavailable), 4, nil},
		{"throttled for ever", times(9, table.ErrThrottled), 4, table.ErrThrottled},
		{"conflict", times(2, conflict), 3, nil},
		{"conflict beside a failed condition", times(9, failed), 1, failed},
		{"too large", times(9, table.ErrTooLarge), 1, table.ErrTooLarge},
		{"invalid", times(9, table.ErrInvalid), 1, table.ErrInvalid},
		{"condition", times(9, &table.ConditionFailed{}), 1, nil},
		{"left by the caller", times(9, context.Canceled), 1, context.Canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				inner := &scripted{errs: c.errs}
				began := time.Now()
				err := table.Retrying(inner).Put(t.Context(), table.Put{})
				if inner.calls != c.calls || (c.want != nil && !errors.Is(err, c.want)) {
					t.Fatalf("%d calls, %v", inner.calls, err)
				}
				if (err == nil) != (c.calls > len(c.errs)) {
					t.Fatal(err)
				}
				if waited := time.Since(began); waited > 350*time.Millisecond {
					t.Fatalf("waited %v", waited)
				}
			})
		})
	}
}

// A transaction waits for others as long as there is time, and no longer; one that is throttled besides is not that patient.
func TestRetrying_Conflicts(t *testing.T) {
	conflict := &table.Canceled{Reasons: []table.Reason{{Code: table.ReasonConflict}, {Code: table.ReasonNone}}}
	throttled := &table.Canceled{Reasons: []table.Reason{{Code: table.ReasonConflict}, {Code: table.ReasonThrottled}}}
	for _, c := range []struct {
		errs  []error
		limit time.Duration
		least int
		most  int
	}{
		{times(15, conflict), time.Minute, 16, 16}, {times(99, conflict), time.Minute, 16, 16},
		{times(99, throttled), time.Minute, 4, 4},
		{times(99, conflict), 300 * time.Millisecond, 2, 15},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), c.limit)
			defer cancel()
			inner := &scripted{errs: c.errs}
			err := table.Retrying(inner).Transact(ctx, table.Transaction{})
			if inner.calls < c.least || inner.calls > c.most || (err == nil) != (inner.calls > len(c.errs)) || ctx.Err() != nil {
				t.Errorf("%d calls, %v, %v", inner.calls, err, ctx.Err())
			}
		})
	}
}

// The last error is the answer at once when the next delay would pass the deadline.
func TestRetrying_Deadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 200 {
			ctx, cancel := context.WithTimeout(t.Context(), 60*time.Millisecond)
			inner := &scripted{errs: times(9, table.ErrThrottled)}
			began := time.Now()
			err := table.Retrying(inner).Put(ctx, table.Put{})
			cancel()
			if !errors.Is(err, table.ErrThrottled) || ctx.Err() == context.DeadlineExceeded {
				t.Fatalf("Put() = %v with context error %v, want ErrThrottled before the deadline", err, ctx.Err())
			}
			if waited := time.Since(began); waited >= 60*time.Millisecond {
				t.Fatalf("waited %v", waited)
			}
		}
	})
}

func TestRetrying_CallerLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		inner := &scripted{errs: times(9, table.ErrThrottled)}
		cancel()
		if err := table.Retrying(inner).Put(ctx, table.Put{}); !errors.Is(err, table.ErrThrottled) || inner.calls > 2 {
			t.Fatalf("Put() = %v after %d calls, want ErrThrottled after at most 2", err, inner.calls)
		}
	})
}

// While its fate is unknown a transaction keeps its token; after a cancellation it gets a new one, unless the token is
// the caller's.
func TestRetrying_Tokens(t *testing.T) {
	lost := fmt.Errorf("lost: %w", table.ErrUnavailable)
	conflict := &table.Canceled{Reasons: []table.Reason{{Code: table.ReasonConflict}}}
	given := table.Transaction{Writes: []table.Write{table.Put{}}}.Once()
	for _, c := range []struct {
		name string
		tx   table.Transaction
		errs []error
		want []int // tokens by their first attempt
	}{
		{"lost", table.Transaction{}, []error{lost, lost, lost}, []int{0, 0, 0, 0}},
		{"throttled", table.Transaction{}, times(2, table.ErrThrottled), []int{0, 0, 0}},
		{"canceled", table.Transaction{}, []error{conflict, conflict}, []int{0, 1, 2}},
		{"lost, canceled, lost", table.Transaction{}, []error{lost, conflict, lost}, []int{0, 0, 2, 2}},
		{"given", given, []error{lost, conflict, lost}, []int{0, 0, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				inner := &scripted{errs: c.errs}
				if err := table.Retrying(inner).Transact(t.Context(), c.tx); err != nil {
					t.Fatal(err)
				}
				got := make([]int, len(inner.tokens))
				for i, token := range inner.tokens {
					got[i] = slices.Index(inner.tokens, token)
					if token == "" || len(token) > 36 {
						t.Errorf("attempt %d has the token %q, want 1 to 36 characters", i, token)
					}
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("the tokens are of the attempts %v, want %v", got, c.want)
				}
				if given := c.tx.Token(); given != "" && inner.tokens[0] != given {
					t.Errorf("the first token is %q, want the caller's %q", inner.tokens[0], given)
				}
			})
		})
	}
}

// What an adapter makes of a transaction is made once for all attempts under one token.
func TestTransaction_Frozen(t *testing.T) {
	made := 0
	build := func() any { made++; return made }
	once := table.Transaction{}.Once()
	for _, tx := range []table.Transaction{once, once, once} {
		if got := tx.Frozen(build); got != 1 {
			t.Errorf("Frozen() = %v, want what the first attempt made", got)
		}
	}
	if got := once.Once().Frozen(build); got != 2 {
		t.Errorf("Frozen() under a new token = %v, want one made anew", got)
	}
	if got := (table.Transaction{}).Frozen(build); got != 3 {
		t.Errorf("Frozen() without a token = %v, want one made anew", got)
	}
}

func reads(n int) []table.Get {
	gets := make([]table.Get, n)
	for i := range gets {
		gets[i] = table.Get{Table: "t", Key: table.Key{Partition: "p", Sort: fmt.Sprint(i)}}
	}
	return gets
}

func TestRetrying_Unprocessed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := &scripted{reads: 7, errs: times(2, table.ErrThrottled)}
		batch, err := table.Retrying(inner).BatchGet(t.Context(), reads(100)) // 15 answers: progress is no attempt
		if err != nil || batch.Unprocessed != nil {
			t.Fatalf("BatchGet(100 reads) = %v, unprocessed %v, want all read", err, batch.Unprocessed)
		}
		for i, item := range batch.Items {
			if item["sk"] != fmt.Sprint(i) {
				t.Fatalf("read %d answers %v", i, item)
			}
		}
		inner = &scripted{reads: 0}
		if _, err := table.Retrying(inner).BatchGet(t.Context(), reads(3)); !errors.Is(err, table.ErrThrottled) ||
			inner.calls != 4 {
			t.Fatalf("BatchGet(3 reads) = %v after %d calls, want ErrThrottled after 4", err, inner.calls)
		}
	})
}

func TestGetAllChunks(t *testing.T) {
	inner := &scripted{reads: table.MaxBatchGet}
	items, err := table.GetAll(t.Context(), inner, reads(250))
	if err != nil || len(items) != 250 || items[249]["sk"] != "249" || len(inner.asked) != 3 || len(inner.asked[2]) != 50 {
		t.Fatalf("GetAll(250 reads) = %d items in %d requests, %v, want 250 in 3", len(items), len(inner.asked), err)
	}
	if items, err := table.GetAll(t.Context(), inner, nil); err != nil || len(items) != 0 || len(inner.asked) != 3 {
		t.Fatalf("GetAll(nil) = %v, %v after %d requests, want no items and no request", items, err, len(inner.asked)-3)
	}
	inner.reads = 1
	if _, err := table.GetAll(t.Context(), inner, reads(2)); !errors.Is(err, table.ErrThrottled) {
		t.Fatal(err)
	}
}
