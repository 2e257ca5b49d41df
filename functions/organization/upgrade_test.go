package organization_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"earshot/functions/organization"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// everything is the rows of a World's core and counters tables that the tests here make, as text.
func everything(t testing.TB, w *worldtest.World) string {
	t.Helper()
	var all strings.Builder
	for _, name := range []string{rows.CoreTable, rows.CountersTable} {
		for _, partition := range []string{w.Main.ID, w.Agents.ID} {
			page, err := w.Table.Query(t.Context(), table.Query{Table: name, Partition: partition, Consistent: true})
			must(err)
			for _, item := range page.Items {
				for attribute, value := range item {
					if raw, ok := value.([]byte); ok {
						value = string(raw)
					}
					fmt.Fprintf(&all, "%s %v\n", attribute, value)
				}
			}
		}
	}
	return all.String()
}

const linkPath = "/api/v2/org/upgrade-link"

// mint gets a link, as the path and query that the page's function sees, and its token.
func mint(t testing.TB, client worldtest.Client, header ...string) (target, token string) {
	t.Helper()
	var link organization.UpgradeLink
	client.Post(t, linkPath, "", header...).OK(t, &link)
	target, found := strings.CutPrefix(link.URL, "https://"+worldtest.Domain+"/dev")
	token, ok := strings.CutPrefix(target, "/upgrade?token=")
	if !found || !ok || len(token) < 43 {
		t.Fatalf("the link is %s", link.URL)
	}
	return target, token
}

// page opens the page as a browser does, without a key.
func page(t testing.TB, client worldtest.Client, target string) string {
	t.Helper()
	answer := client.As("").Get(t, target, "Accept", "text/html")
	safe(t, answer)
	return string(answer.Body)
}

// safe holds a page to what lets nothing run or leak.
func safe(t testing.TB, answer worldtest.Answer) {
	t.Helper()
	answer.OK(t, nil)
	policy := answer.Header.Get("Content-Security-Policy")
	for name, want := range map[string]string{"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
		"Referrer-Policy": "no-referrer"} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, part := range []string{"default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
		"style-src 'sha256-"} {
		if !strings.Contains(policy, part) {
			t.Errorf("the policy is %q", policy)
		}
	}
	if body := string(answer.Body); strings.Contains(body, "<script") || strings.Contains(body, "http://") ||
		strings.Contains(body, "https://") ||
		strings.Contains(body, "ZgotmplZ") {
		t.Errorf("%s", body)
	}
}

var action = regexp.MustCompile(`action="([^"]*)"`)

// ask presses a button: the relative address that it names, on the page's own path.
func ask(t testing.TB, client worldtest.Client, target string) worldtest.Answer {
	t.Helper()
	return client.As("").Do(t, worldtest.Request{Method: http.MethodPost, Target: target,
		Header: []string{"Content-Type", "application/x-www-form-urlencoded", "Origin", "null"}})
}

// On a narrow screen the page has no head of its table, so each cell has the words of its column.
func TestUpgradePage_Narrow(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Write)
	target, _ := mint(t, client)
	shown := page(t, client, target)
	labelled := regexp.MustCompile(`<td[^>]* data-label="([^"]*)"`).FindAllStringSubmatch(shown, -1)
	heads := regexp.MustCompile(`<th[^>]*>([^<]*)</th>`).FindAllStringSubmatch(strings.Split(shown, "</thead>")[0], -1)[1:]
	if want := len(heads) * len(workspace.Plans()); len(labelled) != want {
		t.Fatalf("%d cells have a label, want %d: %s", len(labelled), want, shown)
	}
	for i, cell := range labelled {
		if want := heads[i%len(heads)][1]; cell[1] != want {
			t.Errorf("label %d = %q, want %q", i, cell[1], want)
		}
	}
	if !strings.Contains(shown, "attr(data-label)") {
		t.Errorf("no style shows the labels: %s", shown)
	}
}

// A name without a space is as wide as its letters, on every page that shows it.
func TestUpgradePage_LongName(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Write)
	long := strings.Repeat("W", 100)
	client.Patch(t, "/api/v2/org", `{"name":"`+long+`"}`).OK(t, nil)
	target, _ := mint(t, client)
	for name, shown := range map[string]string{
		"offers": page(t, client, target),
		"wish":   string(ask(t, client, target+"&plan=scale").Body),
	} {
		_, style, _ := strings.Cut(shown, "\nbody {")
		style, _, _ = strings.Cut(style, "}")
		if !strings.Contains(shown, long) || !strings.Contains(style, "overflow-wrap: anywhere") {
			t.Errorf("the page of the %s has the style %q for its body, want one that breaks long words", name, style)
		}
	}
}

func TestUpgrade(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Write)
	must(w.Store.ChangeWorkspace(t.Context(), w.Main.ID,
		func(org *workspace.Workspace) error { org.Name = `<script>alert("x")</script> & Co`; return nil }))
	target, token := mint(t, client)
	for range 3 { // opening it does not spend it
		shown := page(t, client, target)
		for _, part := range []string{"&lt;script&gt;", "Pro", "0 of 25,000", "0 of 20", "2,000,000", "Ask for Scale",
			"Ask for Enterprise", "1,000", "yours"} {
			if !strings.Contains(shown, part) {
				t.Errorf("the page lacks %q: %s", part, shown)
			}
		}
		if strings.Contains(shown, "Ask for Pro") || strings.Contains(shown, "Searches:") {
			t.Errorf("%s", shown)
		}
	}
	buttons := action.FindAllStringSubmatch(page(t, client, target), -1)
	if len(buttons) != 2 {
		t.Fatalf("%v", buttons)
	}
	// A button's address is relative: on API Gateway's own domain the stage stands before the path.
	relative := strings.ReplaceAll(buttons[0][1], "&amp;", "&")
	resolved, err := url.Parse("https://" + worldtest.Domain + "/dev" + target)
	must(err)
	if resolved, err = resolved.Parse(relative); err != nil || resolved.Path != "/dev/upgrade" ||
		resolved.Query().Get("token") != token {
		t.Fatalf("%v, %v", resolved, err)
	}
	w.Clock.Freeze(worldtest.Now.Add(15*time.Minute - time.Millisecond))
	answer := ask(t, client, "/upgrade"+relative)
	safe(t, answer)
	if body := string(answer.Body); !strings.Contains(body, "Asked for: Scale") || strings.Contains(body, token) {
		t.Errorf("%s", body)
	}
	wishes, err := w.Store.UpgradeWishes(t.Context())
	if err != nil || len(wishes) != 1 ||
		wishes[0] != (workspacestore.UpgradeWish{WorkspaceID: w.Main.ID, KeyID: idOf(w.Write), Plan: workspace.Scale,
			WishedAt: worldtest.Now.Add(15*time.Minute - time.Millisecond)}) {
		t.Errorf("%+v, %v", wishes, err)
	}
	var org organization.Organization
	client.Get(t, "/api/v2/org").OK(t, &org)
	if org.Plan != "pro" {
		t.Errorf("a wish alone has given it the plan %s", org.Plan)
	}
	ask(t, client, "/upgrade?token="+token+"&plan=enterprise").Is(t, 404, "NOT_FOUND")
	client.As("").Get(t, target).Is(t, 404, "NOT_FOUND")
	// Another wish takes the place of the first, and the plan that is granted ends it.
	target, _ = mint(t, client)
	safe(t, ask(t, client, target+"&plan=enterprise"))
	if wishes, _ = w.Store.UpgradeWishes(t.Context()); len(wishes) != 1 || wishes[0].Plan != workspace.Enterprise {
		t.Errorf("%+v", wishes)
	}
	must(w.Store.ChangeWorkspace(t.Context(), w.Main.ID,
		func(org *workspace.Workspace) error { org.Plan = workspace.Enterprise; return nil }))
	if wishes, _ = w.Store.UpgradeWishes(t.Context()); len(wishes) != 0 {
		t.Errorf("%+v", wishes)
	}
	target, _ = mint(t, client)
	if shown := page(t, client, target); strings.Contains(shown, "Ask for") || !strings.Contains(shown, "no larger plan") {
		t.Errorf("%s", shown)
	}
}

func TestUpgradeOfAgents(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.AgentsKey)
	refused := client.Get(t, companyPath).Is(t, 403, "UPGRADE_REQUIRED")
	// Where the refusal sends people, the page says how to come further.
	shown := page(t, client, strings.TrimPrefix(refused.UpgradeURL, "https://"+worldtest.Domain+"/dev"))
	if !strings.Contains(shown, "earshot upgrade") || !strings.Contains(shown, "POST /api/v2/org/upgrade-link") ||
		strings.Contains(shown, "<form") {
		t.Errorf("%s", shown)
	}
	target, _ := mint(t, client)
	if shown = page(t, client, target); !strings.Contains(shown, "0 of 50") || len(action.FindAllString(shown, -1)) != 3 {
		t.Errorf("%s", shown)
	}
	safe(t, ask(t, client, target+"&plan=pro"))
	if wishes, err := w.Store.UpgradeWishes(t.Context()); err != nil || len(wishes) != 1 ||
		wishes[0].WorkspaceID != w.Agents.ID {
		t.Errorf("%+v, %v", wishes, err)
	}
}

// A master key's link is for the workspace that the header names.
func TestUpgradeByMasterKey(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Master)
	target, _ := mint(t, client, header, w.Member.ID)
	if shown := page(t, client, target); !strings.Contains(shown, "Harbour client") {
		t.Errorf("%s", shown)
	}
	safe(t, ask(t, client, target+"&plan=scale"))
	if wishes, err := w.Store.UpgradeWishes(t.Context()); err != nil || len(wishes) != 1 ||
		wishes[0].WorkspaceID != w.Member.ID || wishes[0].KeyID != idOf(w.Master) {
		t.Errorf("%+v, %v", wishes, err)
	}
}

func TestLinksThatOpenNothing(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Write)
	unknown := workspace.NewLinkSecret().Reveal()
	want := client.As("").Get(t, "/upgrade?token="+unknown)
	want.Is(t, 404, "NOT_FOUND")
	expired, _ := mint(t, client)
	gone, _ := mint(t, client.As(w.OtherKey))
	w.Clock.Freeze(worldtest.Now.Add(time.Minute))
	must(w.Store.DeleteWorkspace(t.Context(), w.Other.ID))
	tokens := []string{strings.TrimPrefix(gone, "/upgrade?token="), unknown, "x", strings.Repeat("a", 5000), "%00",
		"%3Cscript%3E", w.Write, strings.ToUpper(unknown)}
	refused := func(token string) {
		t.Helper()
		for _, answer := range []worldtest.Answer{client.As("").Get(t, "/upgrade?token="+token),
			ask(t, client, "/upgrade?plan=scale&token="+token)} {
			if answer.Status != 404 || string(answer.Body) != string(want.Body) {
				t.Errorf("%.60s: %d %s", token, answer.Status, answer.Body)
			}
		}
	}
	for _, token := range tokens {
		refused(token)
	}
	w.Clock.Freeze(worldtest.Now.Add(15*time.Minute - 1))
	page(t, client, expired)
	w.Clock.Freeze(worldtest.Now.Add(15 * time.Minute))
	refused(strings.TrimPrefix(expired, "/upgrade?token="))
	if wishes, err := w.Store.UpgradeWishes(t.Context()); err != nil || len(wishes) != 0 {
		t.Errorf("%+v, %v", wishes, err)
	}
}

// A person who opens a link that is used up gets a page with the remedy. A program gets the envelope.
func TestUpgradePage_Refused(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Write)
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	expired, _ := mint(t, client)
	smaller, _ := mint(t, client)
	w.Clock.Freeze(worldtest.Now.Add(14 * time.Minute))
	for _, c := range []struct {
		method, target string
		status         int
		code, says     string
		at             time.Duration
	}{
		{http.MethodPost, smaller + "&plan=pro", 400, "INVALID_INPUT", "Choose a plan that the page offers.",
			14 * time.Minute},
		{http.MethodGet, expired, 404, "NOT_FOUND", "unknown, used up or expired. Get a new one", 15 * time.Minute},
		{http.MethodPost, expired + "&plan=scale", 404, "NOT_FOUND", "unknown, used up or expired. Get a new one",
			15 * time.Minute},
		{http.MethodGet, "/upgrade?token=x", 404, "NOT_FOUND", "unknown, used up or expired. Get a new one",
			15 * time.Minute},
	} {
		w.Clock.Freeze(worldtest.Now.Add(c.at))
		open := func(accept string) worldtest.Answer {
			return client.As("").Do(t, worldtest.Request{Method: c.method, Target: c.target, Header: []string{"Accept", accept}})
		}
		for _, accept := range []string{"*/*", "application/json", "application/json, text/html;q=0.5"} {
			open(accept).Is(t, c.status, c.code)
		}
		page := open(browser)
		body := string(page.Body)
		if page.Status != c.status || page.Header.Get("Content-Type") != "text/html; charset=utf-8" ||
			page.Header.Get("Cache-Control") != "no-store" ||
			!strings.Contains(page.Header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s %s: status %d, header %v, want a page with status %d", c.method, c.target, page.Status, page.Header, c.status)
		}
		if !strings.Contains(body, c.says) || strings.Contains(body, "<form") || strings.Contains(body, "<script") {
			t.Errorf("%s %s: %s, want a page that says %q", c.method, c.target, body, c.says)
		}
	}
}

// Who had a key that is revoked, or has expired, has nothing of what it made either.
func TestLinkEndsWithItsKey(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Admin)
	var brief, stays organization.CreatedAPIKey
	client.Post(t, "/api/v2/org/keys", `{"name":"a","scope":"write","expiry":"30d"}`).OK(t, &brief)
	client.Post(t, "/api/v2/org/keys", `{"name":"b","scope":"write","expiry":"30d"}`).OK(t, &stays)
	revoked, _ := mint(t, client.As(brief.Token))
	page(t, client, revoked)
	client.Delete(t, "/api/v2/org/keys/"+brief.ID).OK(t, nil)
	w.Clock.Freeze(worldtest.Now.AddDate(0, 0, 30).Add(-time.Minute))
	expired, _ := mint(t, client.As(stays.Token))
	page(t, client, expired)
	left, _ := mint(t, client.As(w.Master), header, w.Member.ID)
	page(t, client, left)
	must(w.Store.ChangeAgency(t.Context(), w.Agency.ID, func(a *workspace.Agency) error { a.Active = false; return nil }))
	w.Clock.Freeze(worldtest.Now.AddDate(0, 0, 30))
	for _, target := range []string{revoked, expired, left} {
		client.As("").Get(t, target).Is(t, 404, "NOT_FOUND")
		ask(t, client, target+"&plan=enterprise").Is(t, 404, "NOT_FOUND")
	}
	if wishes, err := w.Store.UpgradeWishes(t.Context()); err != nil || len(wishes) != 0 {
		t.Errorf("%+v, %v", wishes, err)
	}
}

func TestWishesThatAreRefused(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Write)
	target, _ := mint(t, client)
	for query, want := range map[string]string{"": "[query.plan required]", "&plan=free_trial": "[query.plan enum]",
		"&plan=agents": "[query.plan enum]",
		"&plan=":       "[query.plan required]", "&plan=scale&plan=pro": "[query.plan duplicate]",
		"&plan=scale&x=1": "[query.x unknown]"} {
		if faults := faultsOf(t, ask(t, client, target+query)); faults != want {
			t.Errorf("%s: %s", query, faults)
		}
	}
	if faults := faultsOf(t, ask(t, client, "/upgrade?plan=scale")); faults != "[query.token required]" {
		t.Error(faults)
	}
	ask(t, client, target+"&plan=pro").Is(t, 400, "INVALID_INPUT")
	safe(t, ask(t, client, target+"&plan=scale")) // nothing of that has spent it
}

// However many press the buttons at once, the link is spent once: on one plan.
func TestLinkIsSpentOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Write)
	target, _ := mint(t, client)
	var granted [2]atomic.Int32
	plans := [2]workspace.Plan{workspace.Scale, workspace.Enterprise}
	faulttest.AtOnce(8, func(i int) {
		switch answer := ask(t, client, target+"&plan="+string(plans[i%2])); answer.Status {
		case http.StatusOK:
			granted[i%2].Add(1)
		case http.StatusNotFound:
		default:
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
	})
	spent := 0
	if granted[1].Load() > 0 {
		spent = 1
	}
	if granted[spent].Load() != 4 || granted[1-spent].Load() != 0 {
		t.Errorf("noted %d times for scale, %d for enterprise, want 4 for one", granted[0].Load(), granted[1].Load())
	}
	wishes, err := w.Store.UpgradeWishes(t.Context())
	if err != nil || len(wishes) != 1 || wishes[0].Plan != plans[spent] {
		t.Errorf("%+v, %v, want one for %s", wishes, err, plans[spent])
	}
}

// A double click sends the request twice, and the browser shows the second response alone.
func TestRequestUpgrade_Repeated(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Write)
	target, _ := mint(t, client)
	first := ask(t, client, target+"&plan=scale")
	safe(t, first)
	w.Clock.Freeze(worldtest.Now.Add(15*time.Minute - time.Millisecond))
	second := ask(t, client, target+"&plan=scale")
	safe(t, second)
	if string(second.Body) != string(first.Body) {
		t.Errorf("the second page is %s, want the first: %s", second.Body, first.Body)
	}
	wishes, err := w.Store.UpgradeWishes(t.Context())
	if err != nil || len(wishes) != 1 || !wishes[0].WishedAt.Equal(worldtest.Now) {
		t.Errorf("%+v, %v, want the first request's alone", wishes, err)
	}
	ask(t, client, target+"&plan=enterprise").Is(t, 404, "NOT_FOUND")
	client.As("").Get(t, target).Is(t, 404, "NOT_FOUND")
	w.Clock.Freeze(worldtest.Now.Add(15 * time.Minute))
	ask(t, client, target+"&plan=scale").Is(t, 404, "NOT_FOUND")
}

// A key that is revoked shows nothing more of what its link was spent on.
func TestRequestUpgrade_RepeatedWithoutKey(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Admin)
	var key organization.CreatedAPIKey
	client.Post(t, "/api/v2/org/keys", `{"name":"a","scope":"write","expiry":"30d"}`).OK(t, &key)
	target, _ := mint(t, client.As(key.Token))
	safe(t, ask(t, client, target+"&plan=scale"))
	client.Delete(t, "/api/v2/org/keys/"+key.ID).OK(t, nil)
	ask(t, client, target+"&plan=scale").Is(t, 404, "NOT_FOUND")
}

// The tables hold a link's digest and not its token, kept answers included.
func TestLinksAreKeptAsDigests(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w).As(w.Write)
	_, token := mint(t, client, "Idempotency-Key", "a")
	if _, again := mint(t, client, "Idempotency-Key", "a"); again != token {
		t.Errorf("%s, %s", token, again)
	}
	if strings.Contains(everything(t, w), token) {
		t.Error("the tables hold a token")
	}
	secret, _ := workspace.ParseLinkSecret(token)
	if link, err := w.Store.UpgradeLink(t.Context(), secret.Digest()); err != nil || link.WorkspaceID != w.Main.ID {
		t.Errorf("%+v, %v", link, err)
	}
}

// Asking for a link is a wish to spend: a key that only reads has none.
func TestCreateUpgradeLink_ReadKey(t *testing.T) {
	w := worldtest.NewWorld(t)
	serve(t, w).As(w.Read).Post(t, "/api/v2/org/upgrade-link", "").Is(t, 403, "FORBIDDEN")
}
