package candidate_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/proposal/rule"
)

// holds says what is wrong with the candidates of a profile, whatever it has in it.
func holds(t interface {
	Helper()
	Fatalf(string, ...any)
}, domain string, p proposal.Profile, got proposal.Candidates, again proposal.Candidates) {
	t.Helper()
	if !reflect.DeepEqual(got, again) {
		t.Fatalf("not the same twice:\n%+v\n%+v", got, again)
	}
	if len(got.Candidates) == 0 || got.Candidates[0].Tag != keyword.OwnBrand || got.Warnings == nil {
		t.Fatalf("no own brand first: %+v", got)
	}
	if len(got.Candidates) > proposal.MaxKeywords {
		t.Fatalf("%d candidates", len(got.Candidates))
	}
	order := []proposal.Tag{keyword.OwnBrand, keyword.Competitor, keyword.IndustryTerm}
	refs, texts, last := map[string]bool{}, map[string]bool{}, 0
	proposed := proposal.Proposal{Domain: domain}
	for _, c := range got.Candidates {
		if refs[c.Ref] || texts[match.Form(c.Text)] || c.Ref == "" ||
			strings.Trim(c.Ref, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			t.Fatalf("%q (%s) is there twice, or its ref is none", c.Text, c.Ref)
		}
		refs[c.Ref], texts[match.Form(c.Text)] = true, true
		at := slices.Index(order, c.Tag)
		if at < last || !slices.Contains(proposal.Routes(), c.Route) || !c.Exact || c.Reasons == nil || c.Anchors == nil ||
			c.RejectedAnchors == nil {
			t.Fatalf("%+v", c)
		}
		last = at
		if (candidate.Common(c.Text) || c.Common) && c.Route != proposal.Anchored && c.Route != proposal.HandleVariant &&
			c.Route != proposal.DomainVariant {
			t.Fatalf("the common word %q is %s", c.Text, c.Route)
		}
		if c.Confirm != (c.Route == proposal.HandleVariant && !slices.ContainsFunc(p.Handles, func(h proposal.Handle) bool {
			return h.Linked && match.Form("@"+candidate.Handle(h.Handle)) == match.Form(c.Text)
		})) {
			t.Fatalf("%q: confirm is %v", c.Text, c.Confirm)
		}
		if len(c.Anchors) > proposal.MaxAnchors {
			t.Fatalf("%d anchors", len(c.Anchors))
		}
		all := append([]string{c.Text, c.Context}, append(c.Anchors, c.RejectedAnchors...)...)
		for _, r := range c.Reasons {
			all = append(all, r.Text, r.Ref, string(r.Basis))
		}
		for _, text := range all {
			if !utf8.ValidString(text) || text != strings.TrimSpace(text) || text == "" ||
				strings.ContainsFunc(text, unicode.IsControl) {
				t.Fatalf("%s has %q", c.Ref, text)
			}
		}
		for _, text := range append([]string{c.Text}, c.Anchors...) {
			if found, _, _, _ := keyword.Operators(text); found || utf8.RuneCountInString(text) > keyword.MaxText ||
				match.Form(text) == "" {
				t.Fatalf("%s cannot be tracked: %q", c.Ref, text)
			}
		}
		for _, anchor := range c.Anchors {
			if candidate.Generic(anchor) || match.Form(anchor) == match.Form(c.Text) {
				t.Fatalf("%s is anchored by %q", c.Ref, anchor)
			}
		}
		if n := utf8.RuneCountInString(c.Context); n > proposal.MaxContext {
			t.Fatalf("%s: %d characters: %s", c.Ref, n, c.Context)
		}
		if first, rest, _ := uniseg.FirstSentenceInString(c.Context, -1); rest != "" {
			t.Fatalf("%s: %q and %q", c.Ref, first, rest)
		}
		proposed.Keywords = append(proposed.Keywords,
			proposal.Keyword{
				Ref:             c.Ref,
				Keyword:         c.Text,
				Tag:             c.Tag,
				Route:           c.Route,
				AdditionalTerms: c.Anchors,
				Context:         c.Context,
				ExactMatch:      true,
				Approval:        map[proposal.Setting]proposal.Approves{proposal.SettingAdditionalTerms: proposal.Quietly},
			})
	}
	for _, warning := range got.Warnings {
		if warning.Code == "" || warning.Message == "" || !utf8.ValidString(warning.Keyword+warning.Message) ||
			strings.ContainsFunc(warning.Keyword, unicode.IsControl) {
			t.Fatalf("%+v", warning)
		}
	}
	evidence := proposal.Evidence{Domain: domain, Profile: p, Candidates: got}
	for _, r := range rule.Catalogue() {
		if r.ID != "K5" && r.ID != "K6" && r.ID != "A1" {
			continue
		}
		if found := r.Check(proposed, evidence); len(found) > 0 {
			place := found[0].Ref
			c, _ := got.Of(place)
			t.Fatalf("%+v\n%+v\n%+v", found[0], p, c)
		}
	}
}

var domains = []string{"acme.com", "acme-cloud.co.uk", "xn--mller-kva.de", "box.com", "quietharbor.example",
	"a.github.io", "x.ai", "37signals.com",
	strings.Repeat("a", 63) + "." + strings.Repeat("b", 63) + "." + strings.Repeat("c", 63) + ".com"}

func profiles() *rapid.Generator[proposal.Profile] {
	pieces := rapid.SampledFrom([]string{"Acme", "Box", "Cloud", "acme", "AND", "OR", "-", "+", "*", "\"", "“", "(", ")",
		".", "!", "?", "…", ",", " ", " ", " ", "\n",
		"\x00", "\u202e", "\xff", "\u200d", "acme.com", "@acme", "#", "&", "|", " – ", "Inc.", "é", "ß", "小米", "🎯", "a", "K2",
		"Müller", "payments", "platform", "the",
		"is", "%s", "%", "{", "<b>", "e.g.", "DataDog", "monday.com", "日本語。はい", strings.Repeat("long", 40), "\u2028",
		"\u0301", "İ"})
	text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(pieces, 0, 9).Draw(t, "pieces"), "") })
	several := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(pieces, 0, 60).Draw(t, "pieces"), " ") })
	list := rapid.SliceOfN(text, 0, 12)
	return rapid.Custom(func(t *rapid.T) proposal.Profile {
		platform := rapid.SampledFrom([]string{"twitter", "x", "github", "reddit", "youtube", "", "Mastodon!", "linkedin",
			"facebook"})
		handles := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) proposal.Handle {
			return proposal.Handle{
				Platform: platform.Draw(t, "platform"),
				Handle:   text.Draw(t, "handle"),
				Linked:   rapid.Bool().Draw(t, "linked"),
			}
		}), 0, 6)
		return proposal.Profile{
			Company:       text.Draw(t, "company"),
			Description:   several.Draw(t, "description"),
			Products:      list.Draw(t, "products"),
			Audience:      several.Draw(t, "audience"),
			Handles:       handles.Draw(t, "handles"),
			Competitors:   list.Draw(t, "competitors"),
			IndustryTerms: list.Draw(t, "terms"),
			OtherNames:    list.Draw(t, "other names"),
		}
	})
}

func TestCandidatesOfAnyProfile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		domain := rapid.SampledFrom(domains).Draw(t, "domain")
		p := profiles().Draw(t, "profile")
		before := p.Clone()
		got := candidate.Of(domain, p)
		if !reflect.DeepEqual(before, p) {
			t.Fatal("the profile is changed")
		}
		holds(t, domain, p, got, candidate.Of(domain, p))
	})
}

func FuzzOf(f *testing.F) {
	f.Add("acme.com", "Acme", "Acme is a platform for payments. Join us!", "Pay|Box", "acme", "Rival|Go",
		"payment processing|software", "Old Acme")
	f.Add("xn--mller-kva.de", "\xff\x00", "", "", "@", "", "", "")
	f.Add("", "", "", "", "", "", "", "")
	f.Fuzz(func(t *testing.T, domain, company, description, products, handle, competitors, terms, others string) {
		list := func(s string) []string { return strings.Split(s, "|") }
		p := proposal.Profile{
			Company:     company,
			Description: description,
			Products:    list(products),
			Audience:    description,
			Handles: []proposal.Handle{{Platform: handle, Handle: handle},
				{Platform: "github", Handle: company, Linked: true}},
			Competitors:   list(competitors),
			IndustryTerms: list(terms),
			OtherNames:    list(others),
		}
		candidate.Of(domain, p) // no domain, but nothing panics
		candidate.FromDomain(domain)
		holds(t, "acme.com", p, candidate.Of("acme.com", p), candidate.Of("acme.com", p))
	})
}
