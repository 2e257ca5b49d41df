package site

import (
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
	r := &reading{own: owner(p, domain), content: read(p.HTML[:min(len(p.HTML), MaxPage)])}
	if notice.MatchString(clean(r.title, maxHeading)) {
		r.content = content{lang: r.lang, meta: map[string]string{}}
	}
	r.data = r.structured(r.blocks)
	company := r.company()
	profile := proposal.Profile{
		Company:     company,
		Description: r.description(company),
		Audience:    r.audience(),
		Handles:     r.handles(company),
		Language:    r.written(),
		OtherNames:  names(r.otherNames(company), company),
		Competitors: names(r.competitors(company), company, r.own.label, r.own.domain),
	}
	without := append([]string{company, r.own.label, r.own.domain}, profile.OtherNames...)
	profile.Products = names(r.products(company), without...)
	profile.IndustryTerms = names(r.industry(company), append(without, profile.Products...)...)
	return profile
}

// reading is a page with what is known of whose it is.
type reading struct {
	content
	own  own
	data data
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

// notice finds the titles of pages that say nothing of a company: what stands under a domain that nobody uses, or
// before a site.
var notice = text.NewPattern(
	`(?i)\bdomain\b.*\b(?:for sale|parked|available)\b|\bbuy this domain\b|^(?:this )?(?:site|page|website|domain)? ?(?:is )?(?:coming soon|under construction)\b` +
		`|^just a moment|^attention required|^access denied|^(?:401|403|404|500|502|503)\b|\bnot found$|^welcome to nginx|^apache2? .*(?:default|test) page|^index of /` +
		`|^default (?:web )?(?:site )?page|^are you (?:a )?(?:human|robot)|^verif(?:y|ying) you are human|^iis windows|^plesk|^domain (?:default|name)|^(?:site )?maintenance`,
)
