package mentions_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"earshot/functions/discovery"
	"earshot/functions/mentions"
	"earshot/shared/embedded/diskblob"
	"earshot/shared/embedded/fault"
	"earshot/shared/port/blob"
	"earshot/shared/port/queue"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// serve answers a client for the function over a World's store.
func serve(t testing.TB, w *worldtest.World) worldtest.Client {
	t.Helper()
	return newDesk(t, w).Client
}

// A desk is the function over a World, with its queue and its files, which have faults of their own.
type desk struct {
	worldtest.Client
	*worldtest.World
	sent  *outbox
	files blob.Blob // without the faults
	ports *fault.Set
}

func newDesk(t testing.TB, w *worldtest.World) desk {
	t.Helper()
	return newDeskOver(t, w, w.Store)
}

// newDeskOver is a desk whose function has another view of the World's store.
func newDeskOver(t testing.TB, w *worldtest.World, stored mentions.Store) desk {
	t.Helper()
	document, err := worldtest.NewDocument(discovery.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	files, err := diskblob.Open(t.TempDir(), "http://127.0.0.1:8080", w.Clock)
	if err != nil {
		t.Fatal(err)
	}
	d := desk{World: w, sent: &outbox{}, files: files,
		ports: fault.NewSet(map[string][]string{fault.QueuePort: fault.QueueOperations(), fault.BlobPort: fault.BlobOperations()}, 0)}
	api := web.New(web.Options{Credentials: w.Store, Windows: w.Store, Replays: w.Store, Clock: w.Clock, Log: slog.New(slog.DiscardHandler)})
	mentions.Register(api, mentions.Options{Store: stored, Queue: fault.Queue(d.sent, d.ports), Blob: fault.Blob(files, d.ports), Clock: w.Clock})
	d.Client = worldtest.Client{Handler: api.LambdaHandler(), Document: document, Token: w.Read}
	return d
}

// as is the desk for another key.
func (d desk) as(token string) desk {
	d.Token = token
	return d
}

// outbox is a queue whose messages stay.
type outbox struct {
	mu       sync.Mutex
	messages [][]byte
}

func (o *outbox) Send(_ context.Context, name string, messages ...queue.Message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, message := range messages {
		o.messages = append(o.messages, message.Body)
	}
	return queue.Check(messages...)
}

func (o *outbox) bodies() [][]byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([][]byte(nil), o.messages...)
}
