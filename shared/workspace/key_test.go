package workspace_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"earshot/shared/workspace"
)

var now = time.Date(2026, 11, 20, 10, 15, 0, 0, time.UTC)

func TestParseToken_RoundTrip(t *testing.T) {
	token := workspace.NewToken(now)
	parsed, ok := workspace.ParseToken(token.Reveal())
	if !ok || parsed != token {
		t.Fatalf("%q is not read back", token.Reveal())
	}
	key := workspace.Key{ID: token.KeyID, Digest: token.Digest()}
	if !parsed.Opens(key) || workspace.NewToken(now).Opens(key) {
		t.Error("a token opens its own key and no other")
	}
	if parsed.Opens(workspace.Key{}) {
		t.Error("a token opens a key that is not there")
	}
}

// A token that is printed gives its secret away by no verb.
func TestToken_HidesSecret(t *testing.T) {
	token := workspace.NewToken(now)
	secret := token.Reveal()[len("es_")+len(token.KeyID)+1:]
	for _, verb := range []string{"%v", "%s", "%+v", "%q"} {
		if text := fmt.Sprintf(verb, token); strings.Contains(text, secret) {
			t.Errorf("%s prints %s", verb, text)
		}
	}
}

func TestParseToken_Invalid(t *testing.T) {
	good := workspace.NewToken(now).Reveal()
	last := good[len(good)-1]
	// The last character holds one bit of the secret: its other values spell the same bytes.
	for _, c := range "abcdefghijklmnopqrstuvwxyz234567" {
		spelled := good[:len(good)-1] + string(c)
		if token, ok := workspace.ParseToken(spelled); ok && token.Reveal() != spelled {
			t.Errorf("%q and %q are one token", spelled, token.Reveal())
		}
	}
	for _, bad := range []string{"", "es_", good + " ", " " + good, good[1:], good[:len(good)-1], good + string(last),
		strings.ToUpper(good),
		strings.ToLower(good), strings.Replace(good, "key_", "org_", 1), strings.Replace(good, "_", "-", 2),
		good[:20] + "\n" + good[21:]} {
		if _, ok := workspace.ParseToken(bad); ok {
			t.Errorf("%q is a token", bad)
		}
	}
}

func FuzzParseToken(f *testing.F) {
	f.Add(workspace.NewToken(now).Reveal())
	f.Add("es_key__")
	f.Fuzz(func(t *testing.T, text string) {
		if token, ok := workspace.ParseToken(text); ok && token.Reveal() != text {
			t.Errorf("%q is read as %q", text, token.Reveal())
		}
	})
}

func TestExpiry(t *testing.T) {
	key := workspace.Key{ExpiresAt: now}
	for at, expired := range map[time.Duration]bool{-time.Nanosecond: false, 0: true, time.Nanosecond: true} {
		if key.Expired(now.Add(at)) != expired {
			t.Errorf("%v after its end, expired is %t", at, !expired)
		}
	}
	if (workspace.Key{}).Expired(now) {
		t.Error("a key without an end has expired")
	}
}

func TestScopes(t *testing.T) {
	scopes := []workspace.Scope{workspace.Read, workspace.Write, workspace.Admin}
	for i, has := range scopes {
		for j, needs := range scopes {
			if has.Allows(needs) != (i >= j) {
				t.Errorf("%s allows %s: %t", has, needs, has.Allows(needs))
			}
		}
		if parsed, err := workspace.ParseScope(has.String()); err != nil || parsed != has {
			t.Errorf("%s: %v, %v", has, parsed, err)
		}
	}
	for _, name := range []string{"", "Read", "root"} {
		if _, err := workspace.ParseScope(name); err == nil {
			t.Errorf("%q is a scope", name)
		}
	}
	if workspace.Scope(0).Allows(workspace.Read) {
		t.Error("a key without a scope may read")
	}
}

func TestIDs(t *testing.T) {
	id := workspace.NewID(workspace.PrefixWorkspace, now)
	if !workspace.ValidID(workspace.PrefixWorkspace, id) {
		t.Errorf("%q is no id", id)
	}
	for _, bad := range []string{"", "org_", strings.ToLower(id), id + "0", id[:len(id)-1], "agc_" + id[4:],
		"org_" + strings.Repeat("8", 26), "org_" + strings.Repeat("I", 26)} {
		if workspace.ValidID(workspace.PrefixWorkspace, bad) {
			t.Errorf("%q is an id", bad)
		}
	}
}

func TestPlans(t *testing.T) {
	for _, plan := range workspace.Plans() {
		if !plan.Valid() || plan.Limits().Mentions == 0 {
			t.Errorf("%s: %+v", plan, plan.Limits())
		}
	}
	if workspace.Plan("gold").Valid() || workspace.Plan("gold").Limits() != (workspace.Limits{}) {
		t.Error("an unknown plan allows something")
	}
}

func TestImpliedScopes(t *testing.T) {
	for scope, want := range map[workspace.Scope]string{workspace.Read: "[read]", workspace.Write: "[read write]",
		workspace.Admin: "[read write admin]"} {
		if got := fmt.Sprint(scope.Implied()); got != want {
			t.Errorf("%s implies %s", scope, got)
		}
	}
}

func TestUpgrades(t *testing.T) {
	for plan, want := range map[workspace.Plan]string{workspace.FreeTrial: "[pro scale enterprise]",
		workspace.Pro:   "[scale enterprise]",
		workspace.Scale: "[enterprise]", workspace.Enterprise: "[]", workspace.Agents: "[pro scale enterprise]"} {
		if got := fmt.Sprint(plan.Upgrades()); got != want {
			t.Errorf("%s to %s", plan, got)
		}
	}
}

// The same secret under another id is another key's token; the same of both is the same token.
func TestToken_SameSecret(t *testing.T) {
	secret := [workspace.SecretBytes]byte{1, 2, 3}
	first, second := workspace.NewToken(now).KeyID, workspace.NewToken(now).KeyID
	token := workspace.TokenOf(first, secret)
	if parsed, ok := workspace.ParseToken(token.Reveal()); !ok || parsed != workspace.TokenOf(first, secret) ||
		parsed == workspace.TokenOf(second, secret) {
		t.Errorf("%v, %t", parsed, ok)
	}
}

func TestLinkSecrets(t *testing.T) {
	link := workspace.NewLinkSecret()
	text := link.Reveal()
	if parsed, ok := workspace.ParseLinkSecret(text); !ok || parsed != link || parsed.Digest() != link.Digest() {
		t.Errorf("%q is not read back", text)
	}
	if other := workspace.NewLinkSecret(); other == link || other.Digest() == link.Digest() {
		t.Error("two links are one")
	}
	for _, verb := range []string{"%v", "%s", "%+v"} {
		if printed := fmt.Sprintf(verb, link); strings.Contains(printed, text[:10]) {
			t.Errorf("%s prints %s", verb, printed)
		}
	}
	for _, bad := range []string{"", text[1:], text + "a", strings.ToUpper(text), " " + text[1:], text[:51] + "1", text[:51] + "b"} {
		if _, ok := workspace.ParseLinkSecret(bad); ok && bad != text {
			t.Errorf("%q is one", bad)
		}
	}
}

func TestActsIn(t *testing.T) {
	own, client := workspace.Workspace{ID: "org_a"}, workspace.Workspace{ID: "org_b", AgencyID: "agc_a"}
	for name, c := range map[string]struct {
		key  workspace.Key
		in   workspace.Workspace
		want bool
	}{
		"its own":                     {workspace.Key{Workspace: &own}, own, true},
		"its own, good a while":       {workspace.Key{Workspace: &own, ExpiresAt: now.Add(1)}, own, true},
		"its own, expired":            {workspace.Key{Workspace: &own, ExpiresAt: now}, own, false},
		"another":                     {workspace.Key{Workspace: &own}, client, false},
		"one of the agency":           {workspace.Key{Agency: &workspace.Agency{ID: "agc_a", Active: true}}, client, true},
		"one of the agency, inactive": {workspace.Key{Agency: &workspace.Agency{ID: "agc_a"}}, client, false},
		"one of another agency":       {workspace.Key{Agency: &workspace.Agency{ID: "agc_b", Active: true}}, client, false},
		"one of no agency":            {workspace.Key{Agency: &workspace.Agency{Active: true, ID: "agc_a"}}, own, false},
		"of nobody":                   {workspace.Key{}, workspace.Workspace{}, false},
		"one of the agency, but expired": {workspace.Key{
			Agency:    &workspace.Agency{ID: "agc_a", Active: true},
			ExpiresAt: now,
		}, client, false},
	} {
		if got := c.key.ActsIn(c.in, now); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
