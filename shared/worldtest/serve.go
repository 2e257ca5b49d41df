package worldtest

import (
	"log/slog"
	"net/http"
	"testing"

	"earshot/shared/web"
)

// A Desk is a function over a World, and the client that calls it.
type Desk struct {
	Client
	*World
}

// NewDesk serves what register adds to an API, over a new World.
func NewDesk(t testing.TB, openAPI []byte, register func(*web.API, *World)) Desk {
	t.Helper()
	w := NewWorld(t)
	return Desk{Serve(t, w, openAPI, func(api *web.API) { register(api, w) }), w}
}

// Serve returns a client of what register adds to an API, over a World's store. The client holds responses against the
// document. Its key is the World's for writing.
func Serve(t testing.TB, w *World, openAPI []byte, register func(*web.API)) Client {
	t.Helper()
	document, err := NewDocument(openAPI)
	if err != nil {
		t.Fatal(err)
	}
	api := web.New(
		web.Options{
			Credentials: w.Store,
			Windows:     w.Store,
			Replays:     w.Store,
			Clock:       w.Clock,
			Log:         slog.New(slog.DiscardHandler),
		},
	)
	register(api)
	return Client{Handler: api.LambdaHandler(), Document: document, Token: w.Write}
}

// As returns the client with another key.
func (c Client) As(token string) Client {
	c.Token = token
	return c
}

// Patch sends a PATCH with a JSON body.
func (c Client) Patch(t testing.TB, target, body string, header ...string) Answer {
	t.Helper()
	return c.Do(
		t,
		Request{
			Method: http.MethodPatch,
			Target: target,
			Body:   body,
			Header: append(header, "Content-Type", "application/json"),
		},
	)
}

// Delete sends a DELETE.
func (c Client) Delete(t testing.TB, target string, header ...string) Answer {
	t.Helper()
	return c.Do(t, Request{Method: http.MethodDelete, Target: target, Header: header})
}
