package worldtest

import (
	"log/slog"
	"net/http"
	"testing"

	"earshot/shared/web"
)

// Serve answers a client for what register adds to an API, over a World's store. Answers are held against the document. Its token
// is the World's for writing.
func Serve(t testing.TB, w *World, openAPI []byte, register func(*web.API)) Client {
	t.Helper()
	document, err := NewDocument(openAPI)
	if err != nil {
		t.Fatal(err)
	}
	api := web.New(web.Options{Credentials: w.Store, Windows: w.Store, Replays: w.Store, Clock: w.Clock, Log: slog.New(slog.DiscardHandler)})
	register(api)
	return Client{Handler: api.LambdaHandler(), Document: document, Token: w.Write}
}

// TokensOf are a World's keys for Doors.
func TokensOf(w *World) Tokens {
	return Tokens{Read: w.Read, Write: w.Write, Admin: w.Admin, Agents: w.AgentsKey, Master: w.Master}
}

// As is the client with another key.
func (c Client) As(token string) Client {
	c.Token = token
	return c
}

// Patch sends a JSON body.
func (c Client) Patch(t testing.TB, target, body string, header ...string) Answer {
	t.Helper()
	return c.Do(t, Request{Method: http.MethodPatch, Target: target, Body: body, Header: append(header, "Content-Type", "application/json")})
}

// Delete asks to delete a target.
func (c Client) Delete(t testing.TB, target string, header ...string) Answer {
	t.Helper()
	return c.Do(t, Request{Method: http.MethodDelete, Target: target, Header: header})
}
