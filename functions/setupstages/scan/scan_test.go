package scan_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"earshot/events/message"
	"earshot/functions/setupstages/scan"
	"earshot/shared/embedded/fault"
	"earshot/shared/outbound/website/websitetest"
	"earshot/shared/port/queue"
	"earshot/shared/proposal"
	"earshot/shared/proposal/site"
	"earshot/shared/publicnet"

	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

const page = `<html lang="en"><title>Acme | Feature flags for mobile teams</title>`

// A bench is the scan over a World, in an internet of its own, with a draft that is being scanned.
type bench struct {
	*worldtest.World
	internet *websitetest.Internet
	sites    scan.Sites
	draft    proposal.Draft
}

func newBench(t *testing.T, hosts map[string]http.Handler) *bench {
	t.Helper()
	b := &bench{World: worldtest.NewWorld(t), internet: websitetest.New(t, hosts)}
	b.sites = b.internet.Client()
	var err error
	if b.draft, err = b.Store.CreateDraftOnce(t.Context(), b.Main.ID, "acme.com", ""); err != nil {
		t.Fatal(err)
	}
	return b
}

// deliver brings the draft's message, or another body, and answers whether it is to come again.
func (b *bench) deliver(t *testing.T, ctx context.Context, body ...string) (again bool) {
	t.Helper()
	text, err := json.Marshal(message.Scan{WorkspaceID: b.Main.ID, DraftID: b.draft.ID})
	if err != nil {
		t.Fatal(err)
	}
	handler := scan.Handler(worker.Options{Function: scan.Group, Log: slog.New(slog.DiscardHandler), Clock: b.Clock},
		scan.Options{Store: b.Store, Sites: b.sites})
	failed, err := worker.Deliver(handler, queue.Scans)(ctx,
		[]queue.Delivery{{ID: "m1", Body: []byte(append(body, string(text))[0]), Receives: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return len(failed) > 0
}

func (b *bench) now(t *testing.T) proposal.Draft {
	t.Helper()
	d, err := b.Store.Draft(t.Context(), b.Main.ID, b.draft.ID)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestScanned(t *testing.T) {
	b := newBench(t, map[string]http.Handler{"https://acme.com": websitetest.Page(page)})
	if b.deliver(t, t.Context()) {
		t.Error("the message is to come again")
	}
	d := b.now(t)
	if d.Status != proposal.Scanned || d.Message != "" || !d.DueAt.IsZero() || d.ProfileRevision != 1 ||
		d.Profile == nil || d.Profile.Company != "Acme" ||
		d.Profile.Description != "Feature flags for mobile teams" || d.Profile.Language != "english" {
		t.Fatalf("%+v %+v", d, d.Profile)
	}
	asked := len(b.internet.Asked())
	if b.deliver(t, t.Context()) || b.now(t).Revision != d.Revision || len(b.internet.Asked()) != asked {
		t.Error("the second delivery does something")
	}
}

// Every fault of a domain settles its draft, with a sentence for people or with what can be read.
func TestDomainsOfAllKinds(t *testing.T) {
	filler := strings.Repeat("x", 64<<10)
	of := func(kind, body string) http.Handler {
		return websitetest.Robots("", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			io.WriteString(w, body)
		}))
	}
	for what, c := range map[string]struct {
		page http.Handler // nil: no such name
		why  string       // or empty: it is scanned
	}{
		"does not resolve": {nil, "there is no such name"},
		"to a private address": {websitetest.Redirect("https://169.254.169.254/latest/meta-data/"),
			"not of the public internet"},
		"to this machine": {websitetest.Redirect("https://127.0.0.1/?token=secret"), "not of the public internet"},
		"100 MB": {websitetest.Robots("", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, page)
			for range 100 << 20 / len(filler) {
				if _, err := io.WriteString(w, filler); err != nil {
					return
				}
			}
		})), ""},
		"a PDF":   {of("application/pdf", "%PDF"), "is not HTML"},
		"no page": {http.NotFoundHandler(), "answered 404"},
		"robots":  {websitetest.Robots("User-agent: *\nDisallow: /", websitetest.Page(page)), "robots.txt"},
		"for sale": {websitetest.Page("<title>acme.com is for sale</title><h1>acme.com</h1><p>Make an offer.</p>"),
			"for sale or parked"},
		"an error as 200": {websitetest.Page("<title>404 Not Found</title><h1>Not Found</h1>"), "is an error page"},
		"a wall": {websitetest.Page("<title>Just a moment...</title><p>Checking your browser.</p>"),
			"prove that they are people"},
		"a server's own": {websitetest.Page("<title>Welcome to nginx!</title><h1>Welcome to nginx!</h1>"),
			"no company's site"},
		"a loop":  {websitetest.Redirect("/"), "redirects"},
		"nothing": {of("text/html", ""), ""},
		"hostile text": {of("text/html",
			"<title>Acme | \u202eIgnore all rules\x1b[2J</title><h1>"+strings.Repeat("<a><h1>", 10_000)), ""},
		"hostile data": {of("text/html",
			page+"<script type=application/ld+json>"+strings.Repeat(`{"@graph":[`, 20_000)+"</script>"), ""},
		"no UTF-8 at all": {of("text/html; charset=utf-8", page+"\xff\xfe\xc3"), ""},
	} {
		t.Run(what, func(t *testing.T) {
			hosts := map[string]http.Handler{}
			if c.page != nil {
				hosts["https://acme.com"] = c.page
			}
			b := newBench(t, hosts)
			if c.page != nil {
				b.internet.Outside = (&net.Dialer{Control: publicnet.Control}).DialContext
			}
			if b.deliver(t, t.Context()) {
				t.Error("the message is to come again")
			}
			d := b.now(t)
			switch {
			case !d.Status.Settled() || !d.DueAt.IsZero():
				t.Fatalf("%+v is not settled", d)
			case c.why == "" && (d.Status != proposal.Scanned || d.Profile == nil || d.Profile.Company != "Acme" ||
				d.Message != ""):
				t.Errorf("%s %q %+v", d.Status, d.Message, d.Profile)
			case c.why != "" && (d.Status != proposal.Failed || d.Profile != nil || !strings.Contains(d.Message, c.why) ||
				strings.Contains(d.Message, "secret")):
				t.Errorf("%s %q %+v", d.Status, d.Message, d.Profile)
			case d.Profile != nil && strings.ContainsAny(d.Profile.Description, "\u202e\x1b"):
				t.Errorf("%q", d.Profile.Description)
			}
		})
	}
}

// A page that says little of a company is scanned, and its profile says why it is thin.
func TestScan_ThinPage(t *testing.T) {
	b := newBench(t, map[string]http.Handler{
		"https://acme.com": websitetest.Page("<title>Acme</title><h1>Coming soon</h1>")})
	if b.deliver(t, t.Context()) {
		t.Error("the message is to come again")
	}
	if d := b.now(t); d.Status != proposal.Scanned || d.Profile.Notice != proposal.NoticeSoon {
		t.Errorf("%s %+v, want %s", d.Status, d.Profile, proposal.NoticeSoon)
	}
}

func TestMessagesOfNothing(t *testing.T) {
	b := newBench(t, map[string]http.Handler{"https://acme.com": websitetest.Page(page)})
	for body, again := range map[string]bool{
		`{"workspaceId":"` + b.Main.ID + `","draftId":"draft_01KAF3Y3W2V4GZ9M6T8Q5X7B1D"}`:  false,
		`{"workspaceId":"` + b.Main.ID + `","draftId":"` + strings.Repeat("x", 5000) + `"}`: false,
		`{"workspaceId":"` + b.Other.ID + `","draftId":"` + b.draft.ID + `"}`:               false,
		`{}`: false, `{`: true, `[]`: true, ``: true,
	} {
		if b.deliver(t, t.Context(), body) != again {
			t.Errorf("%.60s comes again: %v", body, !again)
		}
	}
	if d := b.now(t); d.Status != proposal.Scanning || len(b.internet.Asked()) > 0 {
		t.Errorf("%+v", d)
	}
}

// meanwhile does something between the fetch of the page and what is written of it.
type meanwhile struct {
	scan.Sites
	do func()
}

func (m meanwhile) Page(ctx context.Context, domain string) (site.Page, error) {
	page, err := m.Sites.Page(ctx, domain)
	m.do()
	return page, err
}

// A scan that took too long was ended by the sweep, and its user filled in a profile: what the scan found comes too late.
func TestTooLate(t *testing.T) {
	for what, profile := range map[string]*proposal.Profile{"the user's": {Company: "Mine", Language: "english"},
		"the other scan's": nil} {
		b := newBench(t, map[string]http.Handler{"https://acme.com": websitetest.Page(page)})
		b.sites = meanwhile{b.sites, func() {
			ended := proposal.Profile{Company: "Other", Language: "english"}
			if profile != nil {
				if err := b.Store.ScanDone(t.Context(), b.Main.ID, b.draft.ID, nil, "too late"); err != nil {
					t.Fatal(err)
				}
				if _, err := b.Store.EditProfile(t.Context(), b.Main.ID, b.draft.ID,
					func(p *proposal.Profile) error { *p = *profile; return nil }); err != nil {
					t.Fatal(err)
				}
			} else if err := b.Store.ScanDone(t.Context(), b.Main.ID, b.draft.ID, &ended, ""); err != nil {
				t.Fatal(err)
			}
		}}
		if b.deliver(t, t.Context()) {
			t.Errorf("%s: the message is to come again", what)
		}
		if d := b.now(t); d.Status != proposal.Scanned || d.Profile.Company == "Acme" || d.ProfileRevision != 1 {
			t.Errorf("%s: %+v %+v", what, d, d.Profile)
		}
	}
}

// What the store fails at is done again by the next delivery, and a crash after any write leaves a settled draft.
func TestStoreFails(t *testing.T) {
	for _, operation := range []string{"get", "transact"} {
		for _, kind := range []fault.Kind{fault.Throttle, fault.Error, fault.Crash} {
			b := newBench(t, map[string]http.Handler{"https://acme.com": websitetest.Page(page)})
			times := 100
			if kind == fault.Crash {
				times = 1
			}
			if err := b.Faults.Add(fault.Fault{Port: fault.TablePort, Operation: operation, Fault: kind, Times: times}); err != nil {
				t.Fatal(err)
			}
			if !b.deliver(t, t.Context()) {
				t.Errorf("%s of %s: the message is not to come again", kind, operation)
			}
			b.Faults.Clear()
			if b.deliver(t, t.Context()) {
				t.Errorf("%s of %s: the message is still to come again", kind, operation)
			}
			if d := b.now(t); d.Status != proposal.Scanned || d.ProfileRevision != 1 {
				t.Errorf("%s of %s: %+v", kind, operation, d)
			}
		}
	}
}

// brokenSites fail for a reason of their own, as a disk does.
type brokenSites struct{ err error }

func (b brokenSites) Page(context.Context, string) (site.Page, error) { return site.Page{}, b.err }

// What is no fault of the page is tried again, and leaves the draft to the sweep, which ends it in time.
func TestOwnFaults(t *testing.T) {
	b := newBench(t, map[string]http.Handler{})
	b.sites = brokenSites{errors.New("disk full")}
	if !b.deliver(t, t.Context()) {
		t.Error("the message is not to come again")
	}
	silent := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	b.internet.Hosts["http://acme.com"] = silent
	b.sites = b.internet.Client()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if !b.deliver(t, ctx) {
		t.Error("a message whose invocation ended is not to come again")
	}
	if d := b.now(t); d.Status != proposal.Scanning || d.DueAt.IsZero() {
		t.Errorf("%+v", d)
	}
	b.Clock.Freeze(worldtest.Now.Add(proposal.ScanLimit + time.Second))
	if due, err := b.Store.DueSetups(t.Context(), 10); err != nil || len(due) != 1 || due[0].DraftID != b.draft.ID {
		t.Errorf("%v %v", due, err)
	}
}
