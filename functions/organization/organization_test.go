package organization_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/functions/discovery"
	"earshot/functions/organization"
	"earshot/shared/embedded/fault"
	"earshot/shared/web"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// serve answers a client for the function over a World's store, with the World's write key.
func serve(t testing.TB, w *worldtest.World) worldtest.Client {
	t.Helper()
	return serveOver(t, w, w.Store)
}

// serveOver is serve with another view of the World's store.
func serveOver(t testing.TB, w *worldtest.World, stored organization.Store) worldtest.Client {
	t.Helper()
	return worldtest.Serve(t, w, discovery.OpenAPI(), func(api *web.API) {
		organization.Register(api, organization.Options{Store: stored, Clock: w.Clock})
	})
}

// operations are all that the function's part of the document has behind a key.
var operations = []string{"applyAttention", "createKey", "createUpgradeLink", "dismissAttention", "endGrant", "getAuth",
	"getCompany", "getOrganization", "getUsage",
	"listAttention", "listGrants", "listKeys", "listMonitoringRecommendations", "revokeKey", "updateCompany",
	"updateOrganization"}

func TestDoors(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	if got := client.Doors(t, organization.Group, w); !slices.Equal(got, operations) {
		t.Errorf("the document has %v", got)
	}
	if n := len(keysOf(t, client.As(w.Admin))); n != 3 {
		t.Errorf("%d keys", n)
	}
}

// faultsOf are the places and codes of a VALIDATION_ERROR.
func faultsOf(t testing.TB, answer worldtest.Answer) string {
	t.Helper()
	var found []string
	for _, detail := range answer.Is(t, 400, "VALIDATION_ERROR").Details {
		found = append(found, detail.Path+" "+detail.Code)
	}
	return fmt.Sprint(found)
}

// deleted is a store whose workspace is deleted when the operation has begun.
type deleted struct {
	organization.Store
	w *worldtest.World
}

func (d deleted) now(orgID string) { must(d.w.Store.DeleteWorkspace(context.Background(), orgID)) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (d deleted) ChangeWorkspace(ctx context.Context, id string, change func(*workspace.Workspace) error) error {
	d.now(id)
	return d.Store.ChangeWorkspace(ctx, id, change)
}

func (d deleted) Keys(ctx context.Context, id string) ([]workspace.Key, error) {
	d.now(id)
	return d.Store.Keys(ctx, id)
}

func (d deleted) CreateKeyOnce(ctx context.Context, key workspace.Key, request string) (workspace.Key, error) {
	d.now(key.Workspace.ID)
	return d.Store.CreateKeyOnce(ctx, key, request)
}

func (d deleted) RevokeKeyOnce(ctx context.Context, ownerID, id, request string) error {
	d.now(ownerID)
	return d.Store.RevokeKeyOnce(ctx, ownerID, id, request)
}

// A workspace that is deleted between the check of its key and the operation.
func TestWorkspaceIsDeletedMeanwhile(t *testing.T) {
	for name, ask := range map[string]func(worldtest.Client, *worldtest.World) (worldtest.Answer, string){
		"rename": func(c worldtest.Client, _ *worldtest.World) (worldtest.Answer, string) {
			return c.Patch(t, "/api/v2/org", `{"name":"x"}`), "ORG_NOT_FOUND"
		},
		"keys": func(c worldtest.Client, _ *worldtest.World) (worldtest.Answer, string) {
			return c.Get(t, "/api/v2/org/keys"), "ORG_NOT_FOUND"
		},
		"create": func(c worldtest.Client, _ *worldtest.World) (worldtest.Answer, string) {
			return c.Post(t, "/api/v2/org/keys", `{"name":"x","scope":"read","expiry":"never"}`), "ORG_NOT_FOUND"
		},
		"revoke": func(c worldtest.Client, w *worldtest.World) (worldtest.Answer, string) {
			return c.Delete(t, "/api/v2/org/keys/"+idOf(w.Read)), "NOT_FOUND"
		},
	} {
		w := worldtest.NewWorld(t)
		answer, code := ask(serveOver(t, w, deleted{w.Store, w}).As(w.Admin), w)
		if answer.Problem(t).Code != code || answer.Status != 404 {
			t.Errorf("%s: %d %s", name, answer.Status, answer.Body)
		}
	}
}

// A store that fails is a 500 that says nothing of it.
func TestFailures(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Admin)
	w.Fault(fault.Fault{Port: fault.TablePort, Operation: "transact", Fault: fault.Error})
	w.Fault(fault.Fault{Port: fault.TablePort, Operation: "put", Fault: fault.Error})
	for _, answer := range []worldtest.Answer{
		client.Patch(t, "/api/v2/org", `{"name":"x"}`),
		client.Patch(t, "/api/v2/org/company", `{"name":"x"}`),
		client.Post(t, "/api/v2/org/keys", `{"name":"x","scope":"read","expiry":"never"}`),
		client.Delete(t, "/api/v2/org/keys/"+idOf(w.Read)),
		client.Post(t, "/api/v2/org/upgrade-link", ""),
	} {
		if p := answer.Is(t, 500, "INTERNAL_ERROR"); strings.Contains(p.Message, "transact") {
			t.Errorf("%s", answer.Body)
		}
	}
}

// idOf is the id of a key, given its token.
func idOf(token string) string {
	parsed, ok := workspace.ParseToken(token)
	if !ok {
		panic("no token")
	}
	return parsed.KeyID
}
