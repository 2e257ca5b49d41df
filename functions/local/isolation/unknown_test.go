package isolation_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"earshot/functions/discovery/asks"
	"earshot/shared/embedded/diskblob"
	"earshot/shared/port/blob"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A view is who asks, and whose ids are named.
type view struct {
	name       string
	of         *tenant // who asks, with what else the request names
	token, org string
	stranger   *tenant
}

// views are all kinds of both. A workspace's key does not reach the agency's other workspaces either.
func (w world) views(o asks.Operation) []view {
	a, b := w.a.tenants, w.b.tenants
	if o.Agency {
		return []view{{"the other agency's anchor", a[2], w.a.master, "", b[0]},
			{"the other agency's workspace", a[2], w.a.master, "", b[1]}}
	}
	return []view{
		{"the same agency's", a[1], a[1].keys[o.Scope], "", a[0]},
		{"the other agency's", a[1], a[1].keys[o.Scope], "", b[1]},
		{"the other agency's, by the master key", a[2], w.a.master, a[2].ID, b[0]},
	}
}

// Whatever id of another's is named, the answer, and what it costs, is that for an id that nobody has.
func (w world) foreignIsUnknown(t *testing.T, all map[string]asks.Operation, asked []asks.Ask) {
	here, there := twins(t, w.folder)
	before := here.rows(t, w.b)
	for _, a := range asked {
		o := all[a.Operation]
		places, err := a.Places(o)
		must(t, err)
		for wanted, k := range a.Kinds() {
			for _, v := range w.views(o) {
				foreign, unknown := v.stranger.ids[k], v.stranger.unlike(t, k)
				if k == "account" { // that somebody has one is told; where they are a member is not
					_, _, err := there.people.SignUp(t.Context(), unknown, "")
					must(t, err)
				}
				naming := func(id string) request {
					r := to(o, a.With(func(place int, k kind) string {
						if place == wanted {
							return id
						}
						return v.of.ids[k]
					}))
					r.token, r.org = v.token, v.org
					return r
				}
				what := fmt.Sprintf("%s %s, %s", a.Operation, places[wanted], v.name)
				sent := naming(foreign)
				one, other := here.send(t, sent), there.send(t, naming(unknown))
				w.equal(t, what, one, foreign, other, unknown)
				w.silent(t, what, w.b, sent, one)
				if !named[k] && one.status < 400 {
					t.Errorf("%s: %d %s", what, one.status, one.body)
				}
			}
		}
	}
	same(t, "what the other agency has", before, here.rows(t, w.b))
}

// A workspace that a key does not reach cannot be named, whether there is one or not.
func (w world) foreignWorkspace(t *testing.T, all map[string]asks.Operation, asked []asks.Ask) {
	here, there := twins(t, w.folder)
	for _, a := range asked {
		o := all[a.Operation]
		if o.Agency || o.Scope == "" {
			continue
		}
		of, key := w.a.tenants[1], w.a.tenants[1].keys[o.Scope]
		for _, c := range []struct{ token, named string }{
			{w.a.master, w.b.tenants[0].ID}, {w.a.master, w.b.tenants[1].ID}, {key, w.b.tenants[1].ID}, {key, w.a.tenants[0].ID},
		} {
			unknown := of.unlike(t, "workspace")
			sent := to(o, of.own(t, a))
			sent.token, sent.org = c.token, c.named
			one := here.send(t, sent)
			sent.org = unknown
			other := there.send(t, sent)
			w.equal(t, a.Operation+" header", one, c.named, other, unknown)
			if one.status != http.StatusForbidden || one.code() != "FORBIDDEN_ORGANIZATION" {
				t.Errorf("%s: %d %s", a.Operation, one.status, one.body)
			}
		}
	}
}

// The id of another's key opens nothing, and tells nothing, with any secret.
func (w world) foreignKey(t *testing.T) {
	here, there := twins(t, w.folder)
	token := func(keyID string) string {
		secret := workspace.NewToken(worldtest.Now)
		return workspace.TokenOf(keyID, [workspace.SecretBytes]byte(secret.Derive("a secret"))).Reveal()
	}
	foreign, unknown := w.b.tenants[0].ids["key"], w.b.tenants[0].unlike(t, "key")
	sent := func(keyID string) request {
		return request{method: http.MethodGet, target: "/api/v2/auth", token: token(keyID)}
	}
	one, other := here.send(t, sent(foreign)), there.send(t, sent(unknown))
	w.equal(t, "the bearer token", one, foreign, other, unknown)
	if one.status != http.StatusUnauthorized {
		t.Errorf("%d %s", one.status, one.body)
	}
}

// The link to a file is for that file alone.
func (w world) foreignFile(t *testing.T) {
	here, _ := twins(t, w.folder)
	keys := map[*tenant]string{}
	for _, of := range []*tenant{w.a.tenants[1], w.b.tenants[1]} {
		export, err := here.Store.Export(t.Context(), of.ID, of.ids["export"])
		must(t, err)
		keys[of] = export.Key
	}
	var own struct{ URL string }
	of := w.a.tenants[1]
	here.send(t, request{method: "GET", target: "/api/v2/mentions/exports/" + of.ids["export"], token: of.keys["read"]}).
		into(t, &own)
	link, err := url.Parse(own.URL)
	must(t, err)
	for other, key := range keys {
		file, err := here.files.Verify(key, link.Query().Get("expires"), link.Query().Get("signature"))
		if mine := other == of; mine != (err == nil) || !mine && !errors.Is(err, blob.ErrInvalid) {
			t.Errorf("%s: %v", other.Name, err)
		}
		if err == nil {
			must(t, file.Content.Close())
		}
	}
	if !strings.HasSuffix(link.Path, diskblob.LinkPath+keys[of]) {
		t.Errorf("%s is not the link to %s", own.URL, keys[of])
	}
}
