package candidate

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"earshot/shared/judge/dictionary"
	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/proposal"
	"earshot/shared/source/catalogue"
)

// maxHandle is how long a handle is at most, in characters: no network that gives handles has longer ones.
const maxHandle = 50

// Handle is the handle that a text names, without the @ and without the address of its page; empty when it names none.
func Handle(text string) string {
	text = strings.Trim(clean(text), "/ ")
	if at := strings.LastIndexByte(text, '/'); at >= 0 {
		text = text[at+1:] // of an address, r/acme, company/acme
	}
	text, _, _ = strings.Cut(text, "?")
	text = strings.TrimLeft(text, "@")
	text, _, _ = strings.Cut(text, "@") // acme@mastodon.example is acme there
	text = strings.Trim(text, ".-")
	strange := func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) && !strings.ContainsRune("._-", r)
	}
	if utf8.RuneCountInString(text) > maxHandle || strings.ContainsFunc(text, strange) || usable("@"+text) == "" {
		return ""
	}
	return text
}

// handles are the company's accounts. A handle is one candidate wherever it is: on all platforms where the site links
// it, or else on all where it may be.
func (m *maker) handles(list []proposal.Handle) {
	type account struct {
		ref, handle, platform string
		linked                bool
		platforms             []string
	}
	var accounts []account
	seen := map[string]int{}
	for _, h := range list[:min(len(list), proposal.MaxProfileTerms)] {
		written, platform := Handle(h.Handle), network(h.Platform)
		if written == "" {
			if shown := clean(h.Handle); shown != "" {
				m.warn(
					WarnName, cut(shown, maxCompany),
					"An account's handle cannot be tracked as it is written on the site.",
				)
			}
			continue
		}
		if channelID(platform, written) {
			continue
		}
		ref := "handle_" + platform
		if seen[ref]++; seen[ref] > 1 {
			ref = fmt.Sprintf("%s_%d", ref, seen[ref])
		}
		one := account{ref, written, platform, h.Linked, platformsOf(platform, keyword.Platforms())}
		at := slices.IndexFunc(
			accounts, func(other account) bool { return match.Form(other.handle) == match.Form(written) },
		)
		switch {
		case at < 0:
			accounts = append(accounts, one)
		case h.Linked && !accounts[at].linked:
			accounts[at] = one
		case h.Linked == accounts[at].linked:
			for _, p := range one.platforms {
				if !slices.Contains(accounts[at].platforms, p) {
					accounts[at].platforms = append(accounts[at].platforms, p)
				}
			}
		}
	}
	for _, a := range accounts {
		m.handle(a.ref, a.handle, a.platform, a.platforms, a.linked)
	}
}

// channelID says whether a handle is the id of a channel on YouTube, which nobody writes.
func channelID(platform, handle string) bool {
	return platform == "youtube" && len(handle) == 24 && strings.HasPrefix(handle, "UC")
}

// network is a platform's name as a ref has it: lowercase letters, digits and underlines.
func network(platform string) string {
	name := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r == '_' || r == '-' || r == ' ' || r == '.':
			return '_'
		}
		return -1
	}, strings.ToLower(platform)), "_")
	switch name = name[:min(len(name), maxHandle)]; name {
	case "":
		return "account"
	case "x", "x_com", "twitter_com":
		return "twitter"
	}
	return name
}

func (m *maker) handle(ref, written, platform string, platforms []string, linked bool) {
	c := proposal.Candidate{
		Ref:       ref,
		Text:      "@" + written,
		Tag:       keyword.OwnBrand,
		Route:     proposal.HandleVariant,
		Class:     proposal.ClassHandle,
		Confirm:   !linked,
		Platforms: platforms,
	}
	where := titles(platforms)
	if len(platforms) == 0 && platform != "account" {
		where = platform
	}
	if where != "" {
		where = " on " + strings.ReplaceAll(where, "%", "%%")
	}
	c.Context = m.context("Posts that mention %s, the account of %s"+where, c.Text)
	if linked {
		c.Reasons = []proposal.Reason{rule("K4", "Your site links "+c.Text+", so whoever mentions it means you.")}
	} else {
		c.Reasons = []proposal.Reason{
			rule("K4", "Your site does not link "+c.Text+", so please confirm that it is yours."),
		}
		m.warn(
			WarnHandle, c.Text, "The site does not link this account: it is tracked once you confirm that it is yours.",
		)
	}
	m.add(ofAccounts, c)
}

// titles are platforms as people call them; Reddit, of which posts and comments are two, once.
func titles(platforms []string) string {
	var all []string
	for _, platform := range platforms {
		if platform == "reddit_comment" && slices.Contains(platforms, "reddit") {
			continue
		}
		title := platform
		if known, ok := catalogue.Find(platform); ok {
			title = known.Title
		}
		all = append(all, title)
	}
	return strings.Join(all, " and ")
}

// copies are the other ways in which the company's name is written, those from its profile first. Those that the
// matcher finds by the name itself are dropped when the candidates are chosen.
func (m *maker) copies(others []string) {
	usable, unusable := names(first(others))
	for _, text := range unusable {
		m.warn(WarnName, text, "Another name of the company cannot be tracked as it is written.")
	}
	for _, other := range usable {
		m.copied(
			fmt.Sprintf("copy_%d", other.place), other.text,
			"Your company is called "+quote(other.text)+" too, which its name alone does not find.",
		)
	}
	if m.spelling != "" && match.Form(m.spelling) != match.Form(m.name) {
		m.copied(
			"copy_spelled", m.spelling,
			"Your company writes itself "+quote(m.spelling)+", which "+quote(m.name)+" does not find.",
		)
	}
	if latin := m.site.brand(); latin != "" && isLatin(latin) && !isLatin(m.name) {
		m.copied(
			"copy_domain", latin,
			"Your site's domain writes "+quote(m.name)+" as "+quote(latin)+", which the name alone does not find.",
		)
	}
	ways := append(copiesOf(m.name), copiesOf(m.whole)...)
	if written := umlauts.Replace(m.name); written != m.name && slices.Contains(m.speech, "german") {
		ways = append(ways, way{"umlauts", written})
	}
	for _, c := range ways {
		m.copied(
			"copy_"+c.how, c.text,
			"Some write "+quote(m.name)+" as "+quote(c.text)+", which the name alone does not find.",
		)
	}
}

// isLatin reports whether a text has Latin letters.
func isLatin(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
}

func (m *maker) copied(ref, text, why string) {
	if m.site.named(text) {
		return
	}
	c := m.routed(text, proposal.BrandCopy)
	plain := match.Form(withoutAccents(text)) == match.Form(withoutAccents(m.name))
	if splits(m.name, text) && m.everyday(text) || plain && CommonIn(m.name, m.speech...) {
		// "Sales force" of "Salesforce" is what any company has, and "zywica" is resin too where accents are not typed.
		c.Common, c.Route = true, proposal.Anchored
	}
	c.Ref, c.Tag = ref, keyword.OwnBrand
	c.Anchors = m.anchors.of(c.Text, true)
	if c.Common && len(c.Anchors) < proposal.MinAnchors {
		return // it would bring others' posts only
	}
	c.Context = m.context("Posts that say %s and mean %s", text)
	if match.Form(inSentence(text)) == match.Form(inSentence(m.name)) { // they differ by signs alone
		c.Context = m.context("Posts that write %[2]s with the signs of its name", text)
	}
	c.Reasons = []proposal.Reason{rule("K3", why)}
	if c.Common {
		c.Reasons = append(
			c.Reasons,
			rule("K2", quote(c.Text)+" means other things too, so it is tracked beside words that point to you."),
		)
	}
	m.add(ofCopies, c)
}

// A way is another writing of a name.
type way struct{ how, text string }

// umlauts writes German letters as keyboards without them do.
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue")

// shortestCopy is how many characters are left at least of a domain without its end: one or two ("x" of x.ai) are in
// posts of anything.
const shortestCopy = 3

// copiesOf are the ways in which others write a name: in one word, apart, with hyphens, without accents or apostrophes,
// with blanks around & or "and" for it, with "Plus" for +, without the end of a domain. Who parts or joins the words of
// a name with accents often leaves these out too. Each is another text than the name, as the matcher reads it.
func copiesOf(brand string) []way {
	parts := partsOf(brand)
	ways := []way{}
	add := func(how, text string) {
		if text = usable(text); text == "" || match.Form(text) == match.Form(brand) ||
			slices.ContainsFunc(ways, func(w way) bool { return match.Form(w.text) == match.Form(text) }) {
			return
		}
		ways = append(ways, way{how, text})
	}
	switch form := match.Form(brand); {
	case isDomain(form):
		label, _, _ := strings.Cut(brand, ".")
		if utf8.RuneCountInString(label) >= shortestCopy {
			add("short", label)
		}
	case len(parts) > 1 && !strings.ContainsAny(brand, "&+"):
		add("joined", strings.Join(parts, ""))
		add("spaced", strings.Join(parts, " "))
		add("hyphenated", strings.ToLower(strings.Join(parts, "-")))
	}
	if before, after, found := strings.Cut(brand, "&"); found {
		before, after = strings.TrimSpace(before), strings.TrimSpace(after)
		add("ampersand", before+" & "+after)
		add("ampersand_joined", before+"&"+after)
	}
	if strings.Contains(brand, " & ") {
		add("and", strings.ReplaceAll(brand, " & ", " and "))
	} else if strings.Contains(brand, " and ") {
		add("and", strings.ReplaceAll(brand, " and ", " & "))
	}
	if before, plus := strings.CutSuffix(brand, "+"); plus && !strings.HasSuffix(before, "+") {
		add("plus", strings.TrimSpace(before)+" Plus")
	}
	add("plain", withoutAccents(brand))
	for _, w := range slices.Clone(ways) {
		if w.how == "spaced" || w.how == "joined" {
			add(w.how+"_plain", withoutAccents(w.text))
		}
	}
	if unmarked := strings.NewReplacer("'", "", "’", "").Replace(brand); unmarked != brand {
		add("unmarked", unmarked)
		add("unmarked_plain", withoutAccents(unmarked))
	}
	return ways
}

// partsOf are the words of a name, however they are joined: by blanks, hyphens, underlines, points and capitals
// ("DataDog"). A part of one letter belongs to its neighbour ("YouTube", but "eBay" and "SimpleX").
func partsOf(brand string) []string {
	var parts []string
	for _, word := range strings.FieldsFunc(brand, func(r rune) bool { return strings.ContainsRune(" -_.", r) }) {
		runes, from := []rune(word), 0
		for i := 2; i+1 < len(runes); i++ {
			if unicode.IsLower(runes[i-1]) && unicode.IsUpper(runes[i]) && unicode.IsLower(runes[i+1]) && i-from > 1 {
				parts, from = append(parts, string(runes[from:i])), i
			}
		}
		parts = append(parts, string(runes[from:]))
	}
	return parts
}

// splits says whether a text is a name with blanks or hyphens put into it.
func splits(brand, text string) bool {
	return squeezed(brand) == squeezed(text) &&
		len(termWords(strings.ReplaceAll(text, "-", " "))) > len(termWords(strings.ReplaceAll(brand, "-", " ")))
}

// everyday says whether all words of a text are words of English or of the site's language.
func (m *maker) everyday(text string) bool {
	for _, word := range termWords(strings.ReplaceAll(text, "-", " ")) {
		if !dictionary.Has(word) && !functionWord(word) && wordOf(word, m.speech) == "" {
			return false
		}
	}
	return true
}

// withoutAccents is a name as keyboards without accents write it.
func withoutAccents(brand string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r) && r < 0x370: // the marks of Latin letters; those of other scripts are letters' own
			return -1
		case r == 'ø':
			return 'o'
		case r == 'Ø':
			return 'O'
		case r == 'ł':
			return 'l'
		case r == 'Ł':
			return 'L'
		}
		return r
	}, norm.NFD.String(brand)))
}

// mostProducts is how many products are considered, the first of the profile: a page may name forty.
const mostProducts = 6

// productNames are the company's products. The name of one that is a common word stands beside the company's, unless it
// is a word for the field: nobody means the company by that. A product whose name begins with another's is found by that
// one.
func (m *maker) productNames(terms []string) {
	var taken []string
	fields := map[string]bool{}
	for _, term := range first(terms) {
		for _, word := range termWords(term) {
			for _, form := range singulars(word) {
				fields[form] = true
			}
		}
	}
	for _, one := range m.products {
		version := slices.ContainsFunc(taken, func(name string) bool { return strings.HasPrefix(one.text, name+" ") })
		if m.site.named(one.text) || version || len(taken) == mostProducts {
			continue
		}
		c := m.routed(one.text, proposal.Bare)
		if c.Common && !slices.ContainsFunc(termWords(one.text), func(word string) bool {
			return !slices.ContainsFunc(singulars(word), func(form string) bool { return fields[form] })
		}) {
			m.warn(WarnGeneric, one.text,
				"This product is called by a word for your field, whoever sells it: it is not proposed.")
			continue
		}
		taken = append(taken, one.text)
		if Generic(one.text) { // "Cloud", "Team Platform": anybody's
			c.Common, c.Route = true, proposal.Anchored
		}
		c.Ref, c.Tag = fmt.Sprintf("product_%d", one.place), keyword.OwnBrand
		c.Anchors = m.anchors.of(c.Text, true, m.name)
		c.Context = m.context("Posts about %s, a product of %s", c.Text)
		c.Reasons = []proposal.Reason{
			rule("K3", "Some name your product "+quote(c.Text)+" without naming your company."),
		}
		if c.Common {
			c.Reasons = append(
				c.Reasons,
				rule(
					"K2",
					quote(
						c.Text,
					)+" means other things too, so it is tracked beside your company's name and words that point to you.",
				),
			)
		} else {
			c.Reasons = append(c.Reasons, byRoute(c))
		}
		m.add(ofProducts, c)
	}
}
