package authorize_test

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"earshot/shared/grant"
	"earshot/shared/worldtest"
)

var endButton = regexp.MustCompile(`value="(end:grt_[0-9A-Z]+)"`)

var endButtonName = regexp.MustCompile(`End\s+<span class="unseen">([^<]+)</span></button>`)

// The consent page shows what the person lets programs do, and ends it.
func TestConsent_EndsOwnGrants(t *testing.T) {
	d := newDesk(t)
	d.documents[clientID] = document(clientID, "<b>Notebook</b>", back)
	mine, others := d.rest(d.member.Email, "write"), d.rest(d.admin.Email, "read")
	form, shown := d.consent(d.member.Email, asked())
	buttons := endButton.FindAllStringSubmatch(string(shown.Body), -1)
	if len(buttons) != 1 || !strings.Contains(string(shown.Body), "write in <bdi>"+d.Main.Name) ||
		strings.Contains(string(shown.Body), "<b>") {
		t.Fatalf("the page has %d buttons: %s", len(buttons), shown.Body)
	}
	named := endButtonName.FindStringSubmatch(string(shown.Body)) // screen readers list buttons by their names
	if named == nil || named[1] != "&lt;b&gt;Notebook&lt;/b&gt; in "+html.EscapeString(d.Main.Name) {
		t.Errorf("the button's name ends with %q", named)
	}
	if strings.Count(string(shown.Body), "<main>") != 1 {
		t.Errorf("the page has no one landmark main: %s", shown.Body)
	}
	changed(form, "decision", buttons[0][1])
	again := d.location(d.post("/oauth/authorize", form, "Cookie", d.cookie, "Sec-Fetch-Site", "same-origin")).String()
	if shown := d.visit(again); shown.Status != 200 || endButton.Match(shown.Body) {
		t.Errorf("afterwards the page is %d %s", shown.Status, shown.Body)
	}
	d.unauthorized("the ended grant's token", mine.Access)
	d.As(others.Access).Get(t, "/api/v2/auth").OK(t, nil)
	// A repeat changes nothing, and the request can still be decided.
	d.location(d.post("/oauth/authorize", form, "Cookie", d.cookie))
	changed(form, "decision", "approve", "workspace", d.Main.ID, "scope", "read")
	if to := d.location(d.post("/oauth/authorize", form, "Cookie", d.cookie)); to.Query().Get("code") == "" {
		t.Errorf("the request cannot be approved: %s", to)
	}
}

// Nobody ends another person's grant, and no other site's page ends one.
func TestConsent_EndsNoOtherGrant(t *testing.T) {
	d := newDesk(t)
	mine, others := d.rest(d.member.Email, "write"), d.rest(d.admin.Email, "read")
	ids := map[string]string{}
	listed, err := d.Store.Grants(t.Context(), d.Main.ID)
	worldtest.Must(t, err)
	for _, g := range listed {
		ids[g.MemberID] = g.ID
	}
	form, _ := d.consent(d.member.Email, asked())
	for name, c := range map[string]struct {
		id     string
		change []string
		status int
	}{
		"another's":        {ids[d.admin.ID], nil, 303},
		"none":             {grant.NewID(worldtest.Now), nil, 303},
		"malformed":        {"grt_#", nil, 303},
		"without its form": {ids[d.member.ID], []string{"csrf", strings.Repeat("A", 43)}, 400},
	} {
		sent, _ := url.ParseQuery(form.Encode())
		changed(sent, append(c.change, "decision", "end:"+c.id)...)
		if answer := d.post("/oauth/authorize", sent, "Cookie", d.cookie); answer.Status != c.status {
			t.Errorf("%s: %d %s, want %d", name, answer.Status, answer.Body, c.status)
		}
	}
	for _, tokens := range []string{mine.Access, others.Access} {
		d.As(tokens).Get(t, "/api/v2/auth").OK(t, nil)
	}
}
