package organization_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"earshot/functions/organization"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/store/workspacestore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

const keysPath = "/api/v2/org/keys"

func keysOf(t testing.TB, client worldtest.Client, header ...string) []organization.APIKey {
	t.Helper()
	var list organization.APIKeyList
	client.Get(t, keysPath, header...).OK(t, &list)
	return list.Data
}

func createKey(t testing.TB, client worldtest.Client, body string, header ...string) (made organization.CreatedAPIKey) {
	t.Helper()
	client.Post(t, keysPath, body, header...).OK(t, &made)
	return made
}

const readKey = `{"name":"Dashboard","scope":"read","expiry":"never"}`

func TestCreateKeys(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Admin)
	w.Clock.Freeze(worldtest.Now.Add(time.Minute + 123_456*time.Nanosecond))
	for expiry, ends := range map[string]string{"30d": "2026-12-20T10:16:00.000Z", "90d": "2027-02-18T10:16:00.000Z",
		"1y": "2027-11-20T10:16:00.000Z", "never": ""} {
		for _, scope := range []string{"read", "write", "admin"} {
			made := createKey(t, client, fmt.Sprintf(`{"name":" %s %s ","scope":%q,"expiry":%q}`, scope, expiry, scope, expiry))
			if made.Name != scope+" "+expiry || string(made.Scope) != scope || made.Expired ||
				made.CreatedAt != "2026-11-20T10:16:00.000Z" ||
				string(made.ExpiresAt.OrZero()) != ends || idOf(made.Token) != made.ID {
				t.Errorf("%+v", made)
			}
			var auth organization.Auth
			client.As(made.Token).Get(t, "/api/v2/auth").OK(t, &auth)
			if auth.Key.ID != made.ID || auth.Key.Scope != made.Scope || auth.Key.Master || auth.Workspace.ID != w.Main.ID ||
				auth.Key.ExpiresAt.OrZero() != made.ExpiresAt.OrZero() {
				t.Errorf("%+v", auth)
			}
		}
	}
	if n := len(keysOf(t, client)); n != 3+12 {
		t.Errorf("%d keys", n)
	}
	for body, want := range map[string]string{
		``: "[body required]", `{}`: "[expiry required name required scope required]",
		`{"name":"","scope":"root","expiry":"2y"}`:                                       "[expiry enum name min_length scope enum]",
		`{"name":" ","scope":"read","expiry":"never"}`:                                   "[name min_length]",
		`{"name":"a\u0000","scope":"read","expiry":"never"}`:                             "[name pattern]",
		`{"name":"x","scope":"read","expiry":null}`:                                      "[expiry type]",
		`{"name":"x","scope":"Read","expiry":"never"}`:                                   "[scope enum]",
		`{"name":"x","scope":"admin","expiry":"never","master":true,"agencyId":"agc_1"}`: "[agencyId unknown master unknown]",
		`{"name":"` + strings.Repeat("é", 101) + `","scope":"read","expiry":"never"}`:    "[name max_length]",
	} {
		if faults := faultsOf(t, client.Post(t, keysPath, body)); faults != want {
			t.Errorf("%s: %s, want %s", body, faults, want)
		}
	}
}

func TestListKeys(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Admin)
	var want []string
	for i := range 4 {
		w.Clock.Freeze(worldtest.Now.Add(time.Duration(i+1) * time.Second))
		want = append([]string{createKey(t, client, fmt.Sprintf(`{"name":"k%d","scope":"write","expiry":"30d"}`, i)).Name}, want...)
	}
	answer := client.Get(t, keysPath)
	list := keysOf(t, client)
	var got []string
	for _, key := range list[:4] {
		got = append(got, key.Name)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || len(list) != 7 {
		t.Errorf("%v of %d, want %v", got, len(list), want)
	}
	for _, key := range list {
		if key.Expired || !workspace.ValidID(workspace.PrefixKey, key.ID) {
			t.Errorf("%+v", key)
		}
	}
	for _, secret := range []string{"digest", "es_", w.Read[len("es_")+len(idOf(w.Read)):], idOf(w.Master), idOf(w.OtherKey)} {
		if strings.Contains(string(answer.Body), secret) {
			t.Errorf("the list shows %q", secret)
		}
	}
	w.Clock.Freeze(worldtest.Now.Add(30*24*time.Hour + 2*time.Second))
	for _, key := range keysOf(t, client)[:4] {
		if key.Expired != (key.Name == "k0" || key.Name == "k1") {
			t.Errorf("%+v", key)
		}
	}
}

func TestRevokeKeys(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Admin)
	var done organization.RevokedAPIKey
	client.As(w.Read).Get(t, "/api/v2/org").OK(t, nil)
	client.Delete(t, keysPath+"/"+idOf(w.Read)).OK(t, &done)
	if !done.OK {
		t.Error("it is not ok")
	}
	client.As(w.Read).Get(t, "/api/v2/org").Is(t, 401, "UNAUTHORIZED")
	if n := len(keysOf(t, client)); n != 2 {
		t.Errorf("%d keys", n)
	}
	// Another workspace's, a master key's, an unused one, one that is revoked and what is no id: one answer for all.
	unused := client.Delete(t, keysPath+"/"+workspace.NewID(workspace.PrefixKey, worldtest.Now))
	unused.Is(t, 404, "NOT_FOUND")
	for _, id := range []string{idOf(w.OtherKey), idOf(w.Master), idOf(w.Read), w.Main.ID, "0", strings.Repeat("k", 3000),
		"%20", "key%00"} {
		if answer := client.Delete(t, keysPath+"/"+id); answer.Status != 404 || string(answer.Body) != string(unused.Body) {
			t.Errorf("%.40s: %d %s", id, answer.Status, answer.Body)
		}
	}
	client.As(w.OtherKey).Get(t, "/api/v2/org").OK(t, nil)
	client.As(w.Master).Get(t, "/api/v2/org", header, w.Member.ID).OK(t, nil)
	// A key may end itself.
	client.Delete(t, keysPath+"/"+idOf(w.Admin)).OK(t, nil)
	client.Get(t, keysPath).Is(t, 401, "UNAUTHORIZED")
}

func TestMasterKeyManagesKeysOfItsWorkspaces(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Master)
	made := createKey(t, client, readKey, header, w.Member.ID)
	var auth organization.Auth
	client.As(made.Token).Get(t, "/api/v2/auth").OK(t, &auth)
	if auth.Key.Master || auth.Workspace.ID != w.Member.ID {
		t.Errorf("%+v", auth)
	}
	if keys := keysOf(t, client, header, w.Member.ID); len(keys) != 1 || keys[0].ID != made.ID {
		t.Errorf("%+v", keys)
	}
	client.Delete(t, keysPath+"/"+made.ID, header, w.Anchor.ID).Is(t, 404, "NOT_FOUND")
	client.Delete(t, keysPath+"/"+idOf(w.Master), header, w.Member.ID).Is(t, 404, "NOT_FOUND")
	client.Delete(t, keysPath+"/"+made.ID, header, w.Member.ID).OK(t, nil)
	client.Get(t, keysPath, header, w.Main.ID).Is(t, 403, "FORBIDDEN_ORGANIZATION")
	if keys := keysOf(t, client, header, w.Member.ID); len(keys) != 0 {
		t.Errorf("%+v", keys)
	}
}

// However many ask at once, a workspace has MaxKeys, and a revoked key's place is free.
func TestKeysHaveABound(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Admin)
	for range workspacestore.MaxKeys - 3 - 5 {
		createKey(t, client, readKey)
	}
	var made, refused atomic.Int32
	faulttest.AtOnce(12, func(int) {
		switch answer := client.Post(t, keysPath, readKey); answer.Status {
		case http.StatusOK:
			made.Add(1)
		case http.StatusBadRequest:
			answer.Is(t, 400, "INVALID_INPUT")
			refused.Add(1)
		default:
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
	})
	if made.Load() != 5 || refused.Load() != 7 || len(keysOf(t, client)) != workspacestore.MaxKeys {
		t.Errorf("%d made, %d refused, %d there", made.Load(), refused.Load(), len(keysOf(t, client)))
	}
	client.Patch(t, "/api/v2/org", `{"name":"As many keys as can be"}`).OK(t, nil)
	client.Delete(t, keysPath+"/"+idOf(w.Read)).OK(t, nil)
	createKey(t, client, readKey)
	client.Post(t, keysPath, readKey).Is(t, 400, "INVALID_INPUT")
}

// Keys that are made and revoked at once lose none and leave none.
func TestKeysAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Admin)
	faulttest.AtOnce(16, func(i int) {
		answer := client.Post(t, keysPath, readKey)
		if answer.Status != http.StatusOK {
			t.Errorf("%d %s", answer.Status, answer.Body)
			return
		}
		var made organization.CreatedAPIKey
		answer.JSON(t, &made)
		if i%2 == 0 {
			if answer := client.Delete(t, keysPath+"/"+made.ID); answer.Status != http.StatusOK {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
		}
	})
	if n := len(keysOf(t, client)); n != 3+8 {
		t.Errorf("%d keys", n)
	}
}

// A repeat gives the same token: by the kept answer, and by the name of the request when the first died before it could answer.
func TestKeyIsMadeOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Admin)
	first := client.Post(t, keysPath, readKey, "Idempotency-Key", "a")
	first.OK(t, nil)
	again := client.Post(t, keysPath, readKey, "Idempotency-Key", "a")
	if string(again.Body) != string(first.Body) || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%s", again.Body)
	}
	w.CrashOnce("transact")
	client.Post(t, keysPath, readKey, "Idempotency-Key", "b").Is(t, 500, "INTERNAL_ERROR")
	w.Clock.Freeze(worldtest.Now.Add(time.Minute))
	made := createKey(t, client, readKey, "Idempotency-Key", "b")
	if made.CreatedAt != "2026-11-20T10:15:00.000Z" || len(keysOf(t, client)) != 3+2 {
		t.Errorf("%+v of %d", made, len(keysOf(t, client)))
	}
	client.As(made.Token).Get(t, "/api/v2/org").OK(t, nil)
	// Without a name there are two.
	w.CrashOnce("transact")
	client.Post(t, keysPath, readKey).Is(t, 500, "INTERNAL_ERROR")
	if createKey(t, client, readKey).ID == made.ID || len(keysOf(t, client)) != 3+4 {
		t.Errorf("%d keys", len(keysOf(t, client)))
	}
	// The same name with another request is refused; another caller's name is another's.
	client.Post(t, keysPath, `{"name":"Dashboard","scope":"admin","expiry":"never"}`, "Idempotency-Key", "b").
		Is(t, 422, "IDEMPOTENCY_KEY_REUSED")
	other := createKey(t, client.As(w.OtherKey), readKey, "Idempotency-Key", "b")
	if other.ID == made.ID || other.Token[len(other.Token)-52:] == made.Token[len(made.Token)-52:] {
		t.Errorf("%+v", other.ID)
	}
	// After the answers' day the name means a new key, whose secret is another.
	w.Clock.Freeze(worldtest.Now.Add(26 * time.Hour))
	later := createKey(t, client, readKey, "Idempotency-Key", "b")
	if later.ID == made.ID || later.Token[len(later.Token)-52:] == made.Token[len(made.Token)-52:] {
		t.Errorf("%+v", later.ID)
	}
}

// The key that a request made and that is revoked before the repeat is not made again.
func TestKeyIsRevokedBeforeItsRepeat(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Admin)
	w.Clock.Freeze(worldtest.Now.Add(time.Second)) // so that it is the newest
	w.CrashOnce("transact")
	client.Post(t, keysPath, readKey, "Idempotency-Key", "a").Is(t, 500, "INTERNAL_ERROR")
	client.Delete(t, keysPath+"/"+keysOf(t, client)[0].ID).OK(t, nil)
	before := len(keysOf(t, client))
	client.Post(t, keysPath, readKey, "Idempotency-Key", "a").Is(t, 400, "INVALID_INPUT")
	if len(keysOf(t, client)) != before {
		t.Error("it is made again")
	}
}

func TestKeyIsRevokedOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Admin)
	w.CrashOnce("transact")
	client.Delete(t, keysPath+"/"+idOf(w.Read), "Idempotency-Key", "a").Is(t, 500, "INTERNAL_ERROR")
	client.As(w.Read).Get(t, "/api/v2/org").Is(t, 401, "UNAUTHORIZED")
	client.Delete(t, keysPath+"/"+idOf(w.Read), "Idempotency-Key", "a").OK(t, nil)
	client.Delete(t, keysPath+"/"+idOf(w.Read), "Idempotency-Key", "b").Is(t, 404, "NOT_FOUND")
	client.Delete(t, keysPath+"/"+idOf(w.Read)).Is(t, 404, "NOT_FOUND")
}

// What is kept for the repeat gives the secret to nobody who reads the tables.
func TestKeptAnswersHideTheToken(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Admin)
	made := createKey(t, client, readKey, "Idempotency-Key", "a")
	rows := everything(t, w)
	for _, secret := range []string{made.Token, made.Token[len(made.Token)-52:]} {
		if strings.Contains(rows, secret) {
			t.Error("the tables hold a token")
		}
	}
	if !strings.Contains(rows, made.ID) {
		t.Error("the rows of the tables were not seen")
	}
}
