package authorize_test

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"earshot/functions/authorize"
	"earshot/functions/discovery"
	"earshot/shared/port/identity"
	"earshot/shared/port/signin"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// sessions are pages that know a browser again until it signs out, as Cognito's do.
type sessions struct{ signin.Pages }

func (sessions) SignOut(_ context.Context, returnTo string) (string, error) {
	return "https://pages.example/logout?" + url.Values{"logout_uri": {returnTo}}.Encode(), nil
}

// remembering returns a desk whose sign-in pages know a browser again.
func remembering(t *testing.T) *desk {
	d := newDesk(t)
	api := web.New(web.Options{Clock: d.Clock})
	authorize.Register(api, authorize.Options{
		Store: d.Store, SignIn: sessions{d.signIn}, Documents: d.documents, Clock: d.Clock,
	})
	d.Handler = api.LambdaHandler()
	return d
}

// finish signs a person in for an attempt, and returns the consent page.
func (d *desk) finish(choose *url.URL, person string) worldtest.Answer {
	d.t.Helper()
	state := choose.Query().Get("state")
	code := d.signIn.Choose(identity.Account{ID: person, Email: person}, state)
	return d.visit(d.location(d.visit("/oauth/callback?" +
		url.Values{"state": {state}, "code": {code}}.Encode())).String())
}

// Who signed in with the wrong account leaves it, and goes on with the same request.
func TestSwitch(t *testing.T) {
	d := remembering(t)
	form, shown := d.consent("private@people.example", asked())
	if policy := shown.Header.Get("Content-Security-Policy"); !strings.Contains(
		policy, "form-action 'self' https://client.example https://pages.example;",
	) {
		t.Errorf("the form may lead to %s", policy)
	}
	mine := d.cookie
	answer := d.post("/oauth/authorize", changed(form, "decision", "switch"), "Cookie", mine)
	out := d.location(answer)
	if out.Host != "pages.example" || out.Query().Get("logout_uri") != root+"/oauth/callback" {
		t.Fatalf("sent to %s, want the sign-out", out)
	}
	set := answer.Header.Get("Set-Cookie")
	again, attributes, _ := strings.Cut(set, ";")
	for _, want := range []string{"__Host-earshot-again=", "HttpOnly", "Secure", "SameSite=Lax"} {
		if !strings.Contains(again+attributes, want) {
			t.Errorf("the cookie %s lacks %s", set, want)
		}
	}
	if page := d.visit("/oauth/authorize?request=" + form.Get("request")); page.Status != 400 {
		t.Errorf("the consent page of nobody: %d, want 400", page.Status)
	}
	d.cookie = mine + "; " + again
	back := d.visit("/oauth/callback")
	choose := d.location(back)
	if !strings.HasPrefix(choose.String(), page) || !strings.Contains(back.Header.Get("Set-Cookie"), "Max-Age=0") {
		t.Fatalf("sent to %s with %s, want the sign-in", choose, back.Header.Get("Set-Cookie"))
	}
	d.cookie = mine
	shown = d.finish(choose, d.member.Email)
	if !strings.Contains(string(shown.Body), d.member.Email) || strings.Contains(string(shown.Body), "private@") {
		t.Errorf("the page is %s", shown.Body)
	}
	approved := changed(hidden(shown), "decision", "approve", "workspace", d.Main.ID, "scope", "write")
	d.tokens(exchange(d.location(d.decide(approved)).Query().Get("code")))
}

// A page that showed one person, as behind the browser's button Back, decides nothing for the next.
func TestSwitch_PageOfBefore(t *testing.T) {
	d := newDesk(t)
	before, _ := d.consent(d.member.Email, asked())
	sent, _ := url.ParseQuery(before.Encode())
	now := d.finish(d.location(d.decide(changed(sent, "decision", "switch"))), d.admin.Email)
	for _, decision := range []string{"approve", "deny"} {
		changed(before, "decision", decision, "workspace", d.Main.ID, "scope", "write")
		to := d.location(d.decide(before))
		if !strings.HasSuffix(to.Path, "/oauth/authorize") || to.Query().Get("request") != before.Get("request") {
			t.Errorf("%s on the page of before: sent to %s, want the consent page", decision, to)
		}
	}
	approved := changed(hidden(now), "decision", "approve", "workspace", d.Main.ID, "scope", "write")
	d.tokens(exchange(d.location(d.decide(approved)).Query().Get("code")))
}

// Pages that ask each time have no session to leave.
func TestSwitch_NoSession(t *testing.T) {
	d := newDesk(t)
	form, _ := d.consent("private@people.example", asked())
	choose := d.location(d.decide(changed(form, "decision", "switch")))
	if shown := d.finish(choose, d.member.Email); !strings.Contains(string(shown.Body), d.member.Email) {
		t.Errorf("the page is %d %s", shown.Status, shown.Body)
	}
}

// No other site switches the person, and nothing is switched after the decision, or in another browser.
func TestSwitch_Forged(t *testing.T) {
	d := remembering(t)
	form, _ := d.consent(d.member.Email, asked())
	mine := d.cookie
	sent, _ := url.ParseQuery(form.Encode())
	changed(sent, "decision", "switch", "csrf", strings.Repeat("A", 43))
	if answer := d.decide(sent); answer.Status != 400 {
		t.Errorf("without its form: %d, want 400", answer.Status)
	}
	for name, cookie := range map[string]string{
		"no request": mine, "an unknown request": mine + "; __Host-earshot-again=" + strings.Repeat("a", 52),
		"another browser": "__Host-earshot-again=" + form.Get("request"),
	} {
		d.cookie = cookie
		if answer := d.visit("/oauth/callback"); answer.Status != 400 {
			t.Errorf("%s: %d to %q, want 400", name, answer.Status, answer.Header.Get("Location"))
		}
	}
	d.cookie = mine
	changed(form, "decision", "approve", "workspace", d.Main.ID, "scope", "write")
	d.location(d.decide(form))
	if answer := d.decide(changed(form, "decision", "switch")); answer.Status != 400 {
		t.Errorf("after the decision: %d, want 400", answer.Status)
	}
}

// The document says of the callback that a switch of the account leads there too, without parameters.
func TestSwitch_InDocument(t *testing.T) {
	var document struct {
		Paths map[string]map[string]struct {
			OperationID, Description string
			Responses                map[string]struct{ Description string }
		}
	}
	worldtest.Must(t, json.Unmarshal(discovery.OpenAPI(), &document))
	callback := document.Paths["/oauth/callback"]["get"]
	if !strings.Contains(callback.Description, "Without parameters") {
		t.Errorf("finishSignIn's description = %q, want it to have the sign-out of a switch", callback.Description)
	}
	if sent := callback.Responses["303"].Description; !strings.Contains(sent, "After a sign-out") {
		t.Errorf("finishSignIn's redirect = %q, want it to have the sign-in after a sign-out", sent)
	}
}
