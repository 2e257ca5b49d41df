package mentions_test

import (
	"encoding/json"
	"testing"

	"earshot/events/message"
	"earshot/functions/discovery"
	"earshot/functions/mentions"
	"earshot/shared/port/queue"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// serve answers a client for the function over a World's store.
func serve(t testing.TB, w *worldtest.World) worldtest.Client {
	t.Helper()
	return newDesk(t, w).Client
}

// A desk is the function over a World.
type desk struct{ worldtest.Desk }

func newDesk(t testing.TB, w *worldtest.World) desk {
	t.Helper()
	client := worldtest.Serve(t, w, discovery.OpenAPI(), func(api *web.API) {
		mentions.Register(api, mentions.Options{Store: w.Store, Queue: w.Queue(), Blob: w.Blob(), Clock: w.Clock})
	}).As(w.Read)
	return desk{worldtest.Desk{World: w, Client: client}}
}

// as is the desk for another key.
func (d desk) as(token string) desk {
	d.Token = token
	return d
}

// asked returns the exports that were sent to the workers, oldest first.
func (d desk) asked(t testing.TB) (asked []message.Export) {
	t.Helper()
	for _, sent := range d.Sent.To(queue.Exports) {
		var one message.Export
		worldtest.Must(t, json.Unmarshal(sent.Body, &one))
		asked = append(asked, one)
	}
	return asked
}
