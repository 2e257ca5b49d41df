package site

import (
	"slices"
	"strings"

	"earshot/shared/language"
	"earshot/shared/mention"
	"earshot/shared/proposal"
	"earshot/shared/text"
)

// Profile reads a page of a domain. What several parts of the page tell is taken from the one that was made to be read
// by programs: JSON-LD, then meta, then what people see; and only what is the company's own: a competitor or a product
// that is none costs its user more than one that is missed. What a page does not tell is empty, and no list is nil. The
// name of a company that tells none is its domain's.
func Profile(p Page, domain string) proposal.Profile {
	profile, _ := profileOf(p, domain)
	return profile
}

// Read returns the Profile of a page. Returns *Unreadable if the page is no company's: one of a domain for sale, a
// server's own page, an error, or a wall before the site. The profile of a page that may be a company's and says little
// has a notice.
func Read(p Page, domain string) (proposal.Profile, error) {
	profile, found := profileOf(p, domain)
	if reason := refusals[found]; reason != "" {
		return proposal.Profile{}, &Unreadable{Reason: reason}
	}
	profile.Notice = remarks[found]
	return profile, nil
}

func profileOf(p Page, domain string) (proposal.Profile, state) {
	r := &reading{own: owner(p, domain), content: read(p.HTML[:min(len(p.HTML), MaxPage)])}
	titles := []string{clean(r.title, maxHeading), clean(r.meta["og:title"], maxHeading), r.top}
	about := func(title string) bool { return r.own.inside(title) != "" }
	if r.own.strange(hostOf(p.URL)) && (slices.ContainsFunc(titles, about) || r.authored()) {
		r.hosted, r.own.sites = true, r.own.sites[:1]
	}
	found := r.state(p)
	if refusals[found] != "" {
		r.content = content{lang: r.lang, meta: map[string]string{}}
	}
	// A gate may lie over a whole page.
	r.paragraphs = slices.DeleteFunc(r.paragraphs, agePattern.MatchString)
	r.voiced = slices.DeleteFunc(r.voiced, agePattern.MatchString)
	r.headings = slices.DeleteFunc(r.headings, gated)
	r.data = r.structured(r.blocks)
	r.learn()
	company := r.company()
	if found == comingSoon || found == loginWall || slices.Contains(gates, found) { // the others speak of the announcement
		others := func(p string) bool { return r.own.inside(p) == "" }
		r.paragraphs, r.voiced = slices.DeleteFunc(r.paragraphs, others), slices.DeleteFunc(r.voiced, others)
	}
	if slices.Contains(gates, found) {
		r.headings, r.top = nil, ""
	}
	profile := proposal.Profile{
		Company:     company,
		Description: r.description(company),
		Audience:    r.audience(company),
		Handles:     r.handles(company),
		Language:    r.spoken(),
		OtherNames:  names(r.otherNames(company), company),
		Competitors: names(r.competitors(company), company, r.own.label, r.own.domain),
	}
	without := append([]string{company, r.own.label, r.own.domain}, profile.OtherNames...)
	profile.Products = names(r.products(company), without...)
	profile.IndustryTerms = names(r.numbered(r.industry(company)), append(without, profile.Products...)...)
	return profile, found
}

// authored reports whether the page is of an app whose author the domain is named after.
func (r *reading) authored() bool {
	author := r.structured(r.blocks).author
	return author != "" && r.own.related(strip(author))
}

// reading is a page with what is known of whose it is.
type reading struct {
	content
	own  own
	data data
	// hosted says that the page is about the company on somebody else's site, as a store's page of an app is.
	hosted  bool
	guessed *string // the language, where the page states none
}

// spoken is the language that the page says it is in, or else the one that its texts are in.
func (r *reading) spoken() string {
	const least = 4 // words: a page may quote another language
	if name := r.written(); name != mention.Undetermined {
		return name
	}
	return first(r.guess(least), mention.Undetermined)
}

// written is the language that the page says it is in.
func (r *reading) written() string {
	for _, code := range []string{r.lang, r.meta["og:locale"], r.meta["content-language"]} {
		if name, ok := language.FromISO(code); ok {
			return name
		}
	}
	return mention.Undetermined
}

// language is the page's, by its full name: the one that it states, or else the one whose function words its texts have
// most of. Empty: neither is known.
func (r *reading) language() string {
	if name := r.written(); name != mention.Undetermined {
		return name
	}
	if r.guessed == nil {
		guess := r.guess(2) // words: fewer are chance
		r.guessed = &guess
	}
	return *r.guessed
}

// guess is the language whose function words the page's texts have most of; empty: of none are there enough.
func (r *reading) guess(least int) (best string) {
	words := map[string]int{}
	for _, text := range slices.Concat([]string{r.title, r.meta["description"]}, r.paragraphs, r.headings) {
		for _, word := range strings.Fields(strings.ToLower(text)) {
			words[word]++
		}
	}
	most := least - 1
	languages := text.FunctionWordLanguages()
	slices.Sort(languages)
	for _, language := range languages {
		n := 0
		for _, word := range text.FunctionWords(language) {
			n += words[word]
		}
		if n > most {
			best, most = language, n
		}
	}
	return best
}
