package main

import (
	"context"
	"net/http"
	"strings"

	"earshot/functions/discovery/asks"
)

// An ask is a request of the catalogue, with its operation.
type ask struct {
	asks.Ask
	asks.Operation
}

// A catalogue has the requests that need no ledger: they change nothing, whatever comes of them.
type catalogue struct {
	reads   []ask // what anybody has
	unknown []ask // what is named in the path
	bodies  []ask // what has a body
}

func newCatalogue(openAPI []byte) (made catalogue, err error) {
	described, err := asks.Operations(openAPI)
	if err != nil {
		return catalogue{}, err
	}
	by := map[string]asks.Operation{}
	for _, o := range described {
		by[o.ID] = o
	}
	for _, one := range asks.All() {
		a := ask{one, by[one.Operation]}
		named := len(one.Kinds()) > 0
		if a.Method == http.MethodGet && !named {
			made.reads = append(made.reads, a)
		}
		if named && strings.Contains(a.Path, "{") {
			made.unknown = append(made.unknown, a)
		}
		if a.Body != "" {
			made.bodies = append(made.bodies, a)
		}
	}
	return made, nil
}

// nobodys is an id that nothing has.
const nobodys = "999999"

// drawn draws an ask, and makes it with a key that may and with ids that nothing has.
func (c *client) drawn(from []ask) request {
	a := from[c.random.IntN(len(from))]
	made := a.With(func(int, asks.Kind) string { return nobodys })
	r := request{method: a.Method, target: made.Target(a.Operation), body: made.Body}
	switch {
	case a.Agency:
		r.key = c.master
	case a.Scope == "admin":
		r.key = c.admin
	case a.Scope == "write":
		r.key = c.home.write
	case a.Scope != "":
		return c.reader(r)
	}
	return r
}

// readAnything reads what every workspace has, and what is public.
func readAnything(ctx context.Context, c *client) { c.api.send(ctx, c.drawn(c.api.catalogue.reads)) }

// nothingThere asks for what the workspace has none of.
func nothingThere(ctx context.Context, c *client) { c.api.send(ctx, c.drawn(c.api.catalogue.unknown)) }

// invalidBody sends nonsense.
func invalidBody(ctx context.Context, c *client) {
	bodies := []string{
		`{`, `[]`, `{"nonsense":1}`, `null`, `{"name":3,"keyword":4,"list":{}}`, `"` + strings.Repeat("x", 3000) + `"`,
		"{\"a\":1,\"a\":2}", "\xff\xfe",
	}
	r := c.drawn(c.api.catalogue.bodies)
	r.body = bodies[c.random.IntN(len(bodies))]
	if got := c.api.send(ctx, r); got.ok() {
		c.findings.add("nonsense is taken\n  request  %s\n  answer   %s", r, got)
	}
}
