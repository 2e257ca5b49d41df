package site

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"earshot/shared/language"
	"earshot/shared/proposal"
)

// Profile reads a page of a domain. What several parts of the page tell is taken from the one that was made to be read by programs: JSON-LD,
// then meta, then what people see. The name of a company that tells none is its domain's.
func Profile(p Page, domain string) proposal.Profile {
	found := &reading{domain: domain, label: label(domain)}
	found.read(p.HTML)
	for _, block := range found.linked {
		found.structured(block)
	}
	profile := proposal.Profile{
		Company:     found.company(),
		Description: text(first(found.data.description, found.meta["description"], found.meta["og:description"], found.meta["twitter:description"], found.tagline()), proposal.MaxProfileText),
		Audience:    text(found.data.audience, proposal.MaxProfileText),
		Handles:     found.handles(),
		Language:    "undetermined",
	}
	if name, ok := language.FromISO(first(found.lang, found.meta["og:locale"])); ok {
		profile.Language = name
	}
	own := folded(profile.Company)
	profile.OtherNames = names(found.otherNames(), own)
	profile.Products = names(append(found.data.products, found.products...), own)
	profile.Competitors = names(found.competitors(profile.Company), own, folded(found.label))
	profile.IndustryTerms = names(found.industry(), own)
	return profile
}

// reading is what is found on a page.
type reading struct {
	domain, label string

	lang, title string
	meta        map[string]string // name or property, lowercase, to content; the first stands
	headings    []string          // h1 to h3, in order
	links       []link
	linked      [][]byte // JSON-LD
	products    []string // that the page's own links name
	data        data
}

type link struct{ href, text string }

// Bounds of what is taken from a page, however much there is.
const (
	maxLinks    = 2_000
	maxHeadings = 100
	maxBlocks   = 20
	maxText     = 4 << 10 // bytes of one element's text
)

// read walks the page's tokens. It builds no tree: a page is hostile, and a tree can be made as deep as the page is long.
func (r *reading) read(page []byte) {
	r.meta = map[string]string{}
	z := html.NewTokenizer(bytes.NewReader(page))
	z.SetMaxBuf(MaxPage)
	var open []string // elements whose text is collected, and what is collected
	var collected []*strings.Builder
	var hrefs []string
	skip := ""
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return
		case html.TextToken:
			if skip != "" || len(open) == 0 {
				continue
			}
			content := z.Text()
			for i, b := range collected {
				if b.Len() < maxText || open[i] == "script" && b.Len() < 256<<10 {
					b.Write(content)
				}
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			tag := string(name)
			attributes := map[string]string{}
			for more && len(attributes) < 40 {
				var key, value []byte
				key, value, more = z.TagAttr()
				if _, twice := attributes[string(key)]; !twice {
					attributes[string(key)] = string(value)
				}
			}
			switch tag {
			case "html":
				r.lang = first(r.lang, attributes["lang"], attributes["xml:lang"])
			case "meta":
				key := strings.ToLower(first(attributes["property"], attributes["name"], attributes["itemprop"]))
				if _, twice := r.meta[key]; !twice && key != "" && attributes["content"] != "" {
					r.meta[key] = attributes["content"]
				}
			case "style", "noscript", "template", "svg":
				if kind == html.StartTagToken && skip == "" {
					skip = tag
				}
			case "script", "title", "h1", "h2", "h3", "a":
				if kind == html.SelfClosingTagToken || len(open) > 8 {
					continue
				}
				if tag == "script" && !strings.EqualFold(strings.TrimSpace(attributes["type"]), "application/ld+json") {
					continue
				}
				open, collected, hrefs = append(open, tag), append(collected, &strings.Builder{}), append(hrefs, attributes["href"])
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			tag := string(name)
			if tag == skip {
				skip = ""
				continue
			}
			at := -1
			for i := len(open) - 1; i >= 0; i-- {
				if open[i] == tag {
					at = i
					break
				}
			}
			if at < 0 {
				continue
			}
			r.closed(tag, collected[at].String(), hrefs[at])
			open, collected, hrefs = open[:at], collected[:at], hrefs[:at]
		}
	}
}

// closed takes the text of an element.
func (r *reading) closed(tag, content, href string) {
	if tag == "script" {
		if len(r.linked) < maxBlocks {
			r.linked = append(r.linked, []byte(content))
		}
		return
	}
	content = text(html.UnescapeString(content), 300)
	switch tag {
	case "title":
		r.title = first(r.title, content)
	case "a":
		if len(r.links) < maxLinks && href != "" {
			r.links = append(r.links, link{href, content})
			if productLink(href) && content != "" {
				r.products = append(r.products, content)
			}
		}
	default:
		if content != "" && len(r.headings) < maxHeadings {
			r.headings = append(r.headings, content)
		}
	}
}

// productLink says whether a link of the page's own leads to one product: "/products/relay".
func productLink(href string) bool {
	path := strings.TrimSuffix(strings.ToLower(href), "/")
	if at := strings.Index(path, "://"); at >= 0 {
		return false
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	return len(parts) == 2 && (parts[0] == "products" || parts[0] == "product") && parts[1] != "" && !strings.ContainsAny(parts[1], "?#")
}

// label is the part of a domain that its owner chose, as people read it.
func label(domain string) string {
	name, err := publicsuffix.EffectiveTLDPlusOne(domain)
	if err != nil {
		name = domain
	}
	name, _, _ = strings.Cut(name, ".")
	if shown, err := idna.ToUnicode(name); err == nil {
		return shown
	}
	return name
}

// company is the name of the company.
func (r *reading) company() string {
	candidates := []string{r.data.name, r.meta["og:site_name"], r.meta["application-name"], r.meta["apple-mobile-web-app-title"], r.data.siteName}
	for _, candidate := range candidates {
		if name := text(candidate, proposal.MaxProfileName); name != "" && len(strings.Fields(name)) <= 6 {
			return name
		}
	}
	// Of a title, the part that is the domain's name in other letters.
	for _, part := range segments(r.title) {
		if strings.EqualFold(joined(part), joined(r.label)) {
			return text(part, proposal.MaxProfileName)
		}
	}
	runes := []rune(r.label)
	if len(runes) == 0 {
		return r.domain
	}
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}

func (r *reading) otherNames() []string { return r.data.otherNames }

// tagline is what a page says of itself at first sight: the title's longest part that is not the name, or the first heading.
func (r *reading) tagline() string {
	longest := ""
	for _, part := range segments(r.title) {
		if len(part) > len(longest) && !strings.EqualFold(joined(part), joined(r.label)) {
			longest = part
		}
	}
	if longest == "" && len(r.headings) > 0 {
		longest = r.headings[0]
	}
	return longest
}

// segments are the parts of a title, which sites join by signs of all kinds.
func segments(title string) []string {
	var parts []string
	for _, part := range strings.FieldsFunc(title, func(r rune) bool { return strings.ContainsRune("|·•–—:»›", r) }) {
		for _, piece := range strings.Split(part, " - ") {
			if piece = strings.TrimSpace(piece); piece != "" {
				parts = append(parts, piece)
			}
		}
	}
	return parts
}

// joined is a name without what names are written with and without.
func joined(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

func folded(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

func first(texts ...string) string {
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}

// text makes a text of a page fit for a profile: characters that show, runs of blanks one, at most so many, cut at a word's end where
// there is one.
func text(t string, most int) string {
	t = strings.ToValidUTF8(t, "\uFFFD")
	t = strings.Join(strings.FieldsFunc(t, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
	}), " ")
	if utf8.RuneCountInString(t) <= most {
		return t
	}
	runes := []rune(t)[:most]
	if at := strings.LastIndexByte(string(runes), ' '); at > len(string(runes))/2 {
		return string(runes)[:at]
	}
	return string(runes)
}

// names are texts as a list of names, each once and none of those that are left out, at most proposal.MaxProfileTerms.
func names(texts []string, without ...string) []string {
	list := []string{}
	seen := map[string]bool{"": true}
	for _, w := range without {
		seen[w] = true
	}
	for _, t := range texts {
		name := text(t, proposal.MaxProfileName+1)
		if utf8.RuneCountInString(name) > proposal.MaxProfileName || seen[folded(name)] || !strings.ContainsFunc(name, unicode.IsLetter) {
			continue
		}
		seen[folded(name)] = true
		list = append(list, name)
	}
	return slices.Clip(list[:min(len(list), proposal.MaxProfileTerms)])
}
