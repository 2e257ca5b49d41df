// Package candidate is the setup engine's first stage. It turns a company's profile, or its domain alone, into the
// keywords to consider ("Candidates and routes" in the setup engine's design). Each candidate has a route by its name,
// the anchors that the profile offers, a context and reasons. Later stages find out what posts say of it. The package
// also judges names (Common, Class) and terms (Generic, Anchorable).
//
// It is pure: the same profile gives the same candidates. It never panics, whatever a profile holds, and a domain alone
// is enough for a keyword of the own brand (rule K1). The stages import it, and the engine's packages that decide and
// check.
package candidate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/proposal"
)

// Refs of the company's own. Those of a list are made of its kind and the place in the profile, from 1: "product_2" is
// the second product whatever becomes of the first.
const (
	RefBrand  = "brand"
	RefDomain = "brand_domain"
	RefASCII  = "brand_domain_ascii" // the domain as it is on the wire, of one with other letters
	RefHandle = "handle"             // guessed of the domain
)

// Codes of warnings.
const (
	WarnName     = "name_unusable"       // a text of the profile cannot be a keyword
	WarnCommon   = "brand_common_word"   // the company is called by a common word
	WarnAnchors  = "few_anchors"         // fewer than proposal.MinAnchors for the own brand
	WarnHandle   = "handle_unconfirmed"  // an account that the site does not link
	WarnGeneric  = "generic_term"        // an industry term that says nothing, or a product that only names the field
	WarnCovered  = "covered"             // another candidate finds the same posts
	WarnTooMany  = "too_many_candidates" // proposal.MaxKeywords were kept
	WarnFallback = "named_by_domain"     // the profile has no usable name of the company
)

// How many of each kind are kept before any gets what others leave: with all of them full, a proposal has
// proposal.MaxKeywords.
var quotas = [...]int{ofBrand: 3, ofAccounts: 3, ofCopies: 4, ofProducts: 4, ofCompetitors: 5, ofIndustry: 5}

type kind int

const (
	ofBrand kind = iota // the name and its domain
	ofAccounts
	ofCopies
	ofProducts
	ofCompetitors
	ofIndustry
)

// Of is the candidates of a company. domain is workspace.ParseDomain's; p may hold anything.
func Of(domain string, p proposal.Profile) proposal.Candidates {
	m := newMaker(domain, p)
	m.notice(p.Notice)
	m.brand()
	m.domains()
	m.handles(p.Handles)
	m.copies(p.OtherNames)
	m.productNames(p.IndustryTerms)
	m.competitors(p.Competitors)
	m.industry(p.IndustryTerms)
	return m.chosen()
}

// FromDomain is the candidates of a company of which nothing but its domain is known (candidates_failed): its brand,
// its domain and a handle to confirm.
func FromDomain(domain string) proposal.Candidates {
	m := newMaker(domain, proposal.Profile{})
	m.brand()
	m.domains()
	if guess := Handle(strings.ReplaceAll(m.site.label, "-", "")); guess != "" {
		m.handle(RefHandle, guess, "", nil, false)
	}
	return m.chosen()
}

// A maker collects the candidates of one company.
type maker struct {
	site     site
	speech   []string // what is spoken on the site besides English
	name     string   // the company's, as it is tracked
	spelling string   // the company's, as it writes itself, if that can be tracked
	whole    string   // the company's, of which name is the coined word; empty: name is all of it
	guessed  bool     // name is the domain's
	products []named
	anchors  anchors
	teller
	found    []considered
	warnings []proposal.Warning
}

// considered is a candidate with its kind.
type considered struct {
	proposal.Candidate
	kind    kind
	written written
}

func newMaker(domain string, p proposal.Profile) *maker {
	m := &maker{site: siteOf(domain), speech: Spoken(p.Language, nil), warnings: []proposal.Warning{}}
	m.name = name(p.Company)
	if utf8.RuneCountInString(m.name) > maxCompany {
		m.name = ""
	}
	if m.name == "" {
		if shown := clean(p.Company); shown != "" {
			m.warn(
				WarnName, cut(shown, maxCompany),
				"The company's name on the site cannot be tracked as it is written there.",
			)
		}
		m.name, m.guessed = m.nameOfLast(p), true
	}
	if !m.guessed {
		m.spelling = usable(spelled(p.Company))
		m.site = m.site.of(m.name)
	}
	m.shortest(p.OtherNames)
	if part := m.coined(); part != "" {
		m.whole, m.name = m.name, part
	}
	var unusable []string
	m.products, unusable = names(first(p.Products))
	for _, text := range unusable {
		m.warn(WarnName, text, "A product's name cannot be tracked as it is written on the site.")
	}
	brand := []string{m.name, m.site.label}
	for _, other := range first(p.OtherNames) {
		brand = append(brand, name(other))
	}
	m.anchors = anchorsOf(m.site, p, m.products, brand)
	m.teller = newTeller(m.name, m.site, p)
	return m
}

// nameOfLast is a company's name when its profile has none that can be tracked: the domain's, or else what there is.
func (m *maker) nameOfLast(p proposal.Profile) string {
	if brand := m.site.brand(); brand != "" && utf8.RuneCountInString(brand) <= maxCompany {
		return brand
	}
	for _, text := range slices.Concat(first(p.OtherNames), first(p.Products)) {
		if one := name(text); one != "" && utf8.RuneCountInString(one) <= maxCompany {
			return one
		}
	}
	return usable(cut(m.site.domain, maxCompany))
}

// shortest tracks the company by the shortest of its names that finds the one on its site as well: who is called "Acme
// Software" and "Acme" is found by "Acme".
func (m *maker) shortest(others []string) {
	for _, other := range first(others) {
		one := name(other)
		if one != "" && !CommonIn(one, m.speech...) && !CommonIn(m.name, m.speech...) &&
			match.Form(one) != match.Form(m.name) &&
			newWritten(m.name).has(newWritten(one)) {
			m.name = one
		}
	}
}

func (m *maker) warn(code, keyword, message string) {
	m.warnings = append(m.warnings, proposal.Warning{Code: code, Keyword: keyword, Message: message})
}

func (m *maker) add(k kind, c proposal.Candidate) {
	if c.Anchors == nil {
		c.Anchors = []string{}
	}
	c.RejectedAnchors = []string{}
	if c.Route != proposal.DomainVariant && c.Route != proposal.HandleVariant { // which nothing anchors
		c.RejectedAnchors = append(c.RejectedAnchors, m.anchors.rejected...)
	}
	c.Exact = true
	m.found = append(m.found, considered{c, k, newWritten(c.Text)})
}

// routed is a candidate with the route that its text has by itself: anchored when it is a common word (rule K2).
//
// Case does not count (Cased), not even for a common word: a title gives every word a capital, who writes of a company
// often does not, and where case counts it does for the anchors too. A brand whose sample proves its capital listens for
// that instead of anchors (rule.ToldByCase).
func (m *maker) routed(text string, otherwise proposal.Route) proposal.Candidate {
	c := proposal.Candidate{
		Text:   text,
		Common: CommonIn(text, m.speech...),
		Class:  Class(text, m.speech...),
		Route:  otherwise,
	}
	if c.Common {
		c.Route = proposal.Anchored
	}
	return c
}

func (m *maker) brand() {
	if m.name == "" {
		return
	}
	c := m.routed(m.name, proposal.Bare)
	c.Ref, c.Tag = RefBrand, keyword.OwnBrand
	c.Anchors = m.anchors.of(c.Text, true)
	c.Context = m.brandContext()
	c.Reasons = []proposal.Reason{rule("K1", "Your own name is always tracked.")}
	if m.guessed {
		m.warn(
			WarnFallback, m.name,
			"Your company's name was not found on the site, so it is taken from the domain. Please check it.",
		)
	}
	if c.Common {
		c.Reasons = append(
			c.Reasons,
			rule("K2", quote(c.Text)+" means other things too, so it is tracked beside words that point to you."),
		)
		m.warn(
			WarnCommon,
			c.Text,
			quote(
				c.Text,
			)+" means other things too: only posts that have one of the listed words beside it will come in.",
		)
		if len(c.Anchors) < proposal.MinAnchors {
			m.warn(
				WarnAnchors, c.Text,
				"Your site says little of what you do, so there are few words to tell your posts from others by.",
			)
		}
	} else {
		c.Reasons = append(c.Reasons, byRoute(c))
	}
	m.add(ofBrand, c)
}

func (m *maker) domains() {
	for _, d := range []struct{ ref, text string }{{RefDomain, m.site.domain}, {RefASCII, m.site.ascii}} {
		if usable(d.text) == "" {
			m.warn(WarnName, cut(d.text, maxCompany), "The domain is too long to be tracked.")
			return
		}
		if match.Form(d.text) == match.Form(m.name) {
			continue // it is the name already
		}
		c := proposal.Candidate{
			Ref:   d.ref,
			Text:  d.text,
			Tag:   keyword.OwnBrand,
			Route: proposal.DomainVariant,
			Class: proposal.ClassDomain,
		}
		c.Context = m.context("Posts that write or link to %s, the website of %s", d.text)
		c.Reasons = []proposal.Reason{
			rule("K1", "Whoever writes "+d.text+" means you, whatever your name is used for elsewhere."),
		}
		m.add(ofBrand, c)
		if m.site.ascii == m.site.domain {
			return
		}
	}
}

func (m *maker) competitors(list []string) {
	rivals, unusable := names(first(list))
	for _, text := range unusable {
		m.warn(WarnName, text, "A competitor's name cannot be tracked as it is written.")
	}
	for _, rival := range rivals {
		c := m.routed(rival.text, proposal.Bare)
		c.Ref, c.Tag = fmt.Sprintf("competitor_%d", rival.place), keyword.Competitor
		c.Anchors = m.anchors.of(c.Text, false)
		c.Context = m.context("Posts about %s, a competitor of %s"+m.inField(c.Text), c.Text)
		shows := "Posts about " + c.Text + " show you who is looking for what you offer."
		c.Reasons = []proposal.Reason{rule("K6", shows), byRoute(c)}
		m.add(ofCompetitors, c)
	}
}

func (m *maker) industry(list []string) {
	terms, unusable := names(first(list))
	for _, text := range unusable {
		m.warn(WarnName, text, "An industry term cannot be tracked as it is written.")
	}
	for _, term := range terms {
		if Generic(term.text) {
			m.warn(WarnGeneric, term.text, quote(term.text)+" is said of everything, so it is not tracked.")
			continue
		}
		c := m.routed(term.text, proposal.Bare)
		c.Ref, c.Tag = fmt.Sprintf("industry_%d", term.place), keyword.IndustryTerm
		c.Anchors = m.anchors.of(c.Text, false)
		c.Context = m.context("Posts about %s, the field of %s", c.Text)
		switch c.Class {
		case proposal.ClassPhrase:
			c.Reasons = []proposal.Reason{
				rule("K7", quote(c.Text)+" is specific enough to show who speaks of your field."),
			}
		default:
			c.Reasons = []proposal.Reason{
				rule(
					"K7",
					"One word alone is seldom specific, so at least half of what "+quote(
						c.Text,
					)+" finds must be relevant to you.",
				),
			}
		}
		if c.Common {
			c.Reasons = append(c.Reasons, byRoute(c))
		}
		m.add(ofIndustry, c)
	}
}

// byRoute is the reason of a route that a name has by itself.
func byRoute(c proposal.Candidate) proposal.Reason {
	if c.Common {
		return rule("K2", quote(c.Text)+" means other things too, so it is tracked beside words of your field.")
	}
	switch c.Class {
	case proposal.ClassPhrase:
		return rule("K2", "The words of "+quote(c.Text)+" seldom stand side by side for anything else, "+
			"so it can be tracked by itself.")
	case proposal.ClassDomain:
		return rule("K2", quote(c.Text)+" is a domain, which means nothing else, so it can be tracked by itself.")
	}
	return rule("K2", quote(c.Text)+" is no everyday word, so it can be tracked by itself.")
}

func rule(id, text string) proposal.Reason {
	return proposal.Reason{Basis: proposal.ByRule, Ref: id, Text: text}
}

func quote(text string) string { return "“" + text + "”" }
