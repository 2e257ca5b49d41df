package authorize_test

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"testing"

	"earshot/functions/authorize"
	"earshot/shared/grant"
	"earshot/shared/port/identity"
	"earshot/shared/port/signin"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// decide sends a decision of the consent page from the browser.
func (d *desk) decide(form url.Values) worldtest.Answer {
	d.t.Helper()
	return d.post("/oauth/authorize", form, "Cookie", d.cookie, "Sec-Fetch-Site", "same-origin")
}

// A double click sends the form twice, and the browser follows the second response alone.
func TestApprove_Repeated(t *testing.T) {
	d := newDesk(t)
	form, _ := d.consent(d.member.Email, asked())
	changed(form, "decision", "approve", "workspace", d.Main.ID, "scope", "write")
	first, second := d.location(d.decide(form)).String(), d.location(d.decide(form)).String()
	if first != second {
		t.Errorf("approved twice: sent to %s, then to %s, want the same", first, second)
	}
	told, err := url.Parse(second)
	worldtest.Must(t, err)
	if other := d.decide(changed(form, "decision", "deny")); other.Status != 400 {
		t.Errorf("denied after approving: %d, want 400", other.Status)
	}
	changed(form, "decision", "approve")
	mine := d.cookie
	d.cookie = ""
	d.visit("/oauth/authorize?" + asked().Encode())
	if other := d.decide(form); other.Status != 400 {
		t.Errorf("approved again in another browser: %d, want 400", other.Status)
	}
	d.cookie = mine
	d.tokens(exchange(told.Query().Get("code")))
	if late := d.decide(form); late.Status != 400 {
		t.Errorf("approved again after the code was spent: %d, want 400", late.Status)
	}
	if page := d.visit("/oauth/authorize?request=" + form.Get("request")); page.Status != 400 {
		t.Errorf("the consent page after the decision: %d, want 400", page.Status)
	}
}

func TestApprove_RepeatedLate(t *testing.T) {
	d := newDesk(t)
	form, _ := d.consent(d.member.Email, asked())
	changed(form, "decision", "approve", "workspace", d.Main.ID, "scope", "write")
	d.location(d.decide(form))
	d.Clock.Freeze(worldtest.Now.Add(grant.CodeGood))
	if late := d.decide(form); late.Status != 400 {
		t.Errorf("approved again after the code's end: %d, want 400", late.Status)
	}
}

// Both of two decisions at the same moment get the one code.
func TestApprove_AtOnce(t *testing.T) {
	d := newDesk(t)
	form, _ := d.consent(d.member.Email, asked())
	changed(form, "decision", "approve", "workspace", d.Main.ID, "scope", "write")
	body, sent := form.Encode(), make([]string, 4)
	var group sync.WaitGroup
	for i := range sent {
		group.Go(func() {
			copied, _ := url.ParseQuery(body)
			sent[i] = d.decide(copied).Header.Get("Location")
		})
	}
	group.Wait()
	for _, to := range sent[1:] {
		if to == "" || to != sent[0] {
			t.Errorf("sent to %q, want one address", sent)
		}
	}
}

func TestDeny_Repeated(t *testing.T) {
	d := newDesk(t)
	form, _ := d.consent(d.member.Email, asked())
	changed(form, "decision", "deny")
	first, second := d.location(d.decide(form)).String(), d.location(d.decide(form)).String()
	if first != second {
		t.Errorf("denied twice: sent to %s, then to %s, want the same", first, second)
	}
	changed(form, "decision", "approve", "workspace", d.Main.ID, "scope", "write")
	if other := d.decide(form); other.Status != 400 {
		t.Errorf("approved after denying: %d, want 400", other.Status)
	}
}

// overtaken are pages whose code another request spends first.
type overtaken struct {
	signin.Pages
	first func()
}

func (o overtaken) Person(context.Context, signin.Attempt, string) (identity.Account, error) {
	o.first()
	return identity.Account{}, signin.ErrRefused
}

// The address of the callback, sent twice, is no failed sign-in, even if the person has decided meanwhile.
func TestCallback_DecidedMeanwhile(t *testing.T) {
	d := newDesk(t)
	choose := d.location(d.visit("/oauth/authorize?" + asked().Encode()))
	quick := d.Handler
	api := web.New(web.Options{Clock: d.Clock})
	authorize.Register(api, authorize.Options{
		Store: d.Store, Documents: d.documents, Clock: d.Clock,
		SignIn: overtaken{d.signIn, func() {
			slow := d.Handler
			d.Handler = quick
			form := hidden(d.finish(choose, d.member.Email))
			d.location(d.decide(changed(form, "decision", "deny")))
			d.Handler = slow
		}},
	})
	d.Handler = api.LambdaHandler()
	sent := url.Values{"state": {choose.Query().Get("state")}, "code": {"spent"}}
	if to := d.location(d.visit("/oauth/callback?" + sent.Encode())); !strings.HasSuffix(to.Path, "/oauth/authorize") {
		t.Errorf("sent to %s, want the consent page", to)
	}
}
