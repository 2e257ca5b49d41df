package organization_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"earshot/functions/organization"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/worldtest"
)

const companyPath = "/api/v2/org/company"

// listened is the version of what the workspace listens by.
func listened(t testing.TB, w *worldtest.World, orgID string) int64 {
	t.Helper()
	all, err := w.Store.Listeners(t.Context())
	must(err)
	for _, listener := range all {
		if listener.WorkspaceID == orgID {
			return listener.Version
		}
	}
	return 0
}

func change(t testing.TB, client worldtest.Client, body string) (got organization.CompanyProfile) {
	t.Helper()
	client.Patch(t, companyPath, body).OK(t, &got)
	return got
}

func TestCompany(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	client.Get(t, companyPath).Is(t, 404, "COMPANY_NOT_FOUND")
	client.Patch(t, companyPath, `{}`).Is(t, 404, "COMPANY_NOT_FOUND")
	got := change(t, client, `{"description":"We page people.\r\n\tAt night."}`)
	if got.Name != "" || got.Domain.Value != nil || got.Description != "We page people.\n\tAt night." ||
		got.Products == nil || len(got.Products) != 0 ||
		got.ExcludeTerms == nil || got.UpdatedAt != "2026-11-20T10:15:00.000Z" {
		t.Errorf("%+v", got)
	}
	w.Clock.Freeze(worldtest.Now.Add(time.Minute))
	got = change(t, client, `{"name":" Northwind ","domain":"WWW.Northwind.Example.","products":["alerting"," on-call ","alerting"],"audience":" SREs ",
		"relevanceGuidelines":"Software that breaks.","excludeTerms":["storm"]}`)
	if got.Name != "Northwind" || got.Domain.OrZero() != "www.northwind.example" ||
		fmt.Sprint(got.Products) != "[alerting on-call]" || got.Audience != "SREs" ||
		got.RelevanceGuidelines != "Software that breaks." || fmt.Sprint(got.ExcludeTerms) != "[storm]" ||
		got.Description != "We page people.\n\tAt night." ||
		got.UpdatedAt != "2026-11-20T10:16:00.000Z" {
		t.Errorf("%+v", got)
	}
	stored, err := w.Store.Company(t.Context(), w.Main.ID)
	if err != nil || stored.Domain != "www.northwind.example" || stored.Name != "Northwind" ||
		fmt.Sprint(stored.Products) != "[alerting on-call]" {
		t.Errorf("%+v, %v", stored, err)
	}
	// What is not given stays, and what is taken away is gone.
	got = change(t, client, `{"domain":null,"products":[],"audience":"","description":" "}`)
	if got.Domain.Value != nil || len(got.Products) != 0 || got.Audience != "" || got.Description != "" ||
		got.Name != "Northwind" || len(got.ExcludeTerms) != 1 {
		t.Errorf("%+v", got)
	}
	if got = change(t, client, `{"domain":"bücher.example"}`); got.Domain.OrZero() != "xn--bcher-kva.example" {
		t.Errorf("%+v", got)
	}
	client.As(w.OtherKey).Get(t, companyPath).Is(t, 404, "COMPANY_NOT_FOUND")
	client.As(w.Master).Get(t, companyPath, header, w.Member.ID).Is(t, 404, "COMPANY_NOT_FOUND")
}

// What changes nothing is not written: who listens need not look again.
func TestCompanyThatStaysTheSame(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	body := `{"name":"Northwind","domain":"northwind.example","products":["a"]}`
	first := client.Patch(t, companyPath, body)
	first.OK(t, nil)
	version := listened(t, w, w.Main.ID)
	if version != 1 {
		t.Errorf("version %d", version)
	}
	w.Clock.Freeze(worldtest.Now.Add(time.Minute))
	for _, body := range []string{body, `{}`, `{"name":" Northwind"}`, `{"description":""}`, `{"domain":"NORTHWIND.example."}`} {
		if again := client.Patch(t, companyPath, body); string(again.Body) != string(first.Body) ||
			again.Header.Get("ETag") != first.Header.Get("ETag") {
			t.Errorf("%s: %s", body, again.Body)
		}
	}
	read := client.As(w.Read).Get(t, companyPath)
	if read.Header.Get("ETag") != first.Header.Get("ETag") || string(read.Body) != string(first.Body) {
		t.Errorf("%s", read.Body)
	}
	if again := client.As(w.Read).Get(t, companyPath, "If-None-Match", first.Header.Get("ETag")); again.Status != 304 {
		t.Errorf("%d", again.Status)
	}
	if listened(t, w, w.Main.ID) != version {
		t.Error("who listens is told of nothing")
	}
	changed := client.Patch(t, companyPath, `{"name":"Northwind Inc"}`)
	changed.OK(t, nil)
	if !strings.HasPrefix(first.Header.Get("ETag"), `"1.`) || !strings.HasPrefix(changed.Header.Get("ETag"), `"2.`) ||
		listened(t, w, w.Main.ID) != version+1 {
		t.Error("a change does not show")
	}
}

func TestCompanyThatIsRefused(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	long := func(n int) string { return strings.Repeat("é", n) }
	list := func(n int) string { return `["a` + strings.Repeat(`","b`, n-1) + `"]` }
	for body, want := range map[string]string{
		``: "[body required]", `[]`: "[body type]", `{"x":1}`: "[x unknown]",
		`{"name":"","audience":"` + long(501) + `","description":"` + long(2001) + `","relevanceGuidelines":"` + long(2001) +
			`"}`: "[audience max_length description max_length name min_length relevanceGuidelines max_length]",
		`{"name":" "}`: "[name min_length]", `{"name":"a\u0007"}`: "[name pattern]", `{"name":null}`: "[name type]",
		`{"name":"` + long(101) + `"}`: "[name max_length]",
		`{"description":null,"audience":null,"relevanceGuidelines":null,"products":null,"excludeTerms":null}`: "[audience type description type excludeTerms type products type relevanceGuidelines type]",
		`{"description":"a\u0000"}`: "[description pattern]", `{"audience":"a\u001b[0m"}`: "[audience pattern]",
		`{"relevanceGuidelines":"\u0085"}`: "[relevanceGuidelines pattern]",
		`{"products":["ok",""," ","a\tb",7,"` + long(101) +
			`"]}`: "[products[1] min_length products[2] min_length products[3] pattern products[4] type products[5] max_length]",
		`{"products":` + list(51) + `,"excludeTerms":` + list(101) + `}`: "[excludeTerms max_items products max_items]",
		`{"domain":7}`: "[domain type]", `{"domain":"https://x.example/","name":""}`: "[name min_length]",
	} {
		if faults := faultsOf(t, client.Patch(t, companyPath, body)); faults != want {
			t.Errorf("%.80s: %s, want %s", body, faults, want)
		}
	}
	for domain, says := range map[string]string{"": "acme.com", "acme": "acme.com",
		"https://acme.com/x": "Send acme.com alone", "10.0.0.1": "IP address",
		strings.Repeat("a", 3000): "acme.com", "co.uk": "acme.com"} {
		if p := client.Patch(t, companyPath, `{"name":"x","domain":"`+domain+`"}`).Is(t, 400,
			"INVALID_DOMAIN"); !strings.Contains(p.Message, says) {
			t.Errorf("%q: %s", domain, p.Message)
		}
	}
	client.Get(t, companyPath).Is(t, 404, "COMPANY_NOT_FOUND")
	change(t, client, `{"name":"`+long(100)+`","audience":"`+long(500)+`","description":"`+long(2000)+
		`","relevanceGuidelines":"`+long(2000)+
		`","products":["`+long(100)+`"],"excludeTerms":`+list(100)+`}`)
}

// Changes of different parts at once all hold.
func TestCompanyChangesAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	bodies := []string{`{"name":"n"}`, `{"domain":"d.example"}`, `{"description":"d"}`, `{"products":["p"]}`,
		`{"audience":"a"}`, `{"relevanceGuidelines":"r"}`,
		`{"excludeTerms":["e"]}`}
	faulttest.AtOnce(3*len(bodies), func(i int) {
		if answer := client.Patch(t, companyPath, bodies[i%len(bodies)]); answer.Status != 200 {
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
	})
	var got organization.CompanyProfile
	client.Get(t, companyPath).OK(t, &got)
	if got.Name != "n" || got.Domain.OrZero() != "d.example" || got.Description != "d" || len(got.Products) != 1 ||
		got.Audience != "a" ||
		got.RelevanceGuidelines != "r" || len(got.ExcludeTerms) != 1 {
		t.Errorf("a change is lost: %+v", got)
	}
	if version := listened(t, w, w.Main.ID); version != int64(len(bodies)) {
		t.Errorf("%d changes are told of", version)
	}
}

func TestCompanyIsChangedOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	w.CrashOnce("transact")
	client.Patch(t, companyPath, `{"name":"n"}`, "Idempotency-Key", "k").Is(t, 500, "INTERNAL_ERROR")
	var got organization.CompanyProfile
	client.Patch(t, companyPath, `{"name":"n"}`, "Idempotency-Key", "k").OK(t, &got)
	if got.Name != "n" || listened(t, w, w.Main.ID) != 1 {
		t.Errorf("%+v, %d", got, listened(t, w, w.Main.ID))
	}
}
