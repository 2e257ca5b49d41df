package site

import (
	"slices"
	"strings"
	"unicode/utf8"

	"earshot/shared/text"
)

// Ways in which a page names whom its company competes with.
var (
	versus = text.NewPattern(`(?i)\s+(?:vs\.?|versus|compared (?:to|with))\s+`)
	// German writes all nouns as names, so that it is left out.
	rather = text.NewPattern(`(?i)\s+(?:instead of|rather than|au lieu de|plutôt que|en (?:lugar|vez) de|em vez d[aeo]|` +
		`invece di|al posto di|in plaats van|zamiast)\s+`)
	alternative = text.NewPattern(
		`(?i)^(?:(?:looking|searching)\s+for\s+|need\s+|want\s+)?` +
			`(?:(?:the|a|an|best|top|great|#1|free|modern|open[- ]source|cheaper|better|simple|simpler|` +
			`self[- ]hosted|leading|affordable|\d+)\s+)*alternatives?\s+(?:to|for)\s+(.{2,60})$`,
	)
	instead = text.NewPattern(
		`(?i)^(?:(?:the|a|an|best|top|great|#1|free|modern|open[- ]source|cheaper|better|simple|simpler|` +
			`self[- ]hosted|leading|affordable|\d+)\s+)*(.{2,40}?)\s+alternatives?$`,
	)
	// The same in other languages.
	elsewhere = text.NewPattern(
		`(?i)^(?:\S+\s+){0,3}?(?:alternativen?\s+(?:zu[rm]?|für)|alternatives?\s+(?:à|au)|` +
			`alternativas?\s+(?:al?|ao|à|para)|alternativ[ae]\s+(?:a|ad|al)|alternatief\s+voor|` +
			`alternativ\s+till?|alternatyw[aąęy]\s+dla)\s+(.{2,60})$`,
	)
	eastern  = text.NewPattern(`^(.{2,40}?)(?:の代替|との比較|からの乗り換え|的替代)`)
	leaving  = text.NewPattern(`(?i)^(?:switch(?:ing)?|migrat(?:e|ing)|mov(?:e|ing))\s+(?:over\s+)?from\s+(.{2,40})$`)
	quitting = text.NewPattern(
		`(?i)^(?:wechsel(?:n)?\s+von|umstieg\s+von|migr(?:er|ar|are)\s+(?:depuis|desde|de|da)|` +
			`passer\s+de|overstappen\s+van)\s+(.{2,40})$`,
	)
)

// departing finds whom a heading says that readers leave: "Leaving Globex, Initech or Hooli?"
var departing = text.NewPattern(`(?i)^(?:(?:are you |thinking (?:of|about) )?(?:leaving|switching from|moving from|` +
	`migrating from|coming from|fed up with|tired of|done with)|vous (?:quittez|venez de)|vous utilisez|` +
	`(?:sie )?(?:kommen von|wechseln von)|(?:vienes|te vas) de|(?:vens|vem) d[aeo]|(?:arrivi|vieni) da|` +
	`(?:kom je|overstappen) van|przechodzisz z) ([^?!.:]{2,60})[?]?$`)

// apart finds whom a question says the company differs from: "How is Acme different from Globex?"
var apart = text.NewPattern(
	`(?i)^(.{2,60}?)\s+(?:(?:be )?(?:different (?:from|to|than)|diff?ers? from|` +
		`comparen? (?:to|with|con)|stack up against)|` +
		`(?:é |es |è )?(?:diferente d[eo]s?|diferenciar? d[eo]|diverso da|différente? de|différ(?:er|ent|e) de)|` +
		`anders (?:als|dan)|von)\s+(.{2,60})$`,
)

// conjunctions part several names: "Alternative to Heroku, Render and Fly".
var conjunctions = text.NewPattern(`\s*,\s*(?:(?:and|or|und|et|y|e|en|i|och)\s)?|` +
	`\s(?:and|or|und|oder|et|ou|y|o|e|en|i|lub|albo|och)\s`)

// noRival is what a company compares itself with that is nobody.
var noRival = []string{
	"", "us", "them", "you", "others", "other", "competitors", "competition", "plans", "plan", "pricing", "prices",
	"features", "editions", "versions", "all", "products", "models", "tools", "options", "overview", "index",
	"alternatives", "alternative", "free", "enterprise", "pro", "team", "selfhosted", "cloud", "onpremise", "onprem",
	"inhouse", "diy", "spreadsheets", "spreadsheet", "manual", "paper", "legacy", "traditional", "status quo",
	"statusquo", "everyone", "everything", "rest", "build", "buy", "agencies", "agency", "freelancers", "hiring",
	"nothing", "old", "new", "before", "after", "similar", "any", "more", "best", "top", "open source", "opensource",
	"software", "platforms", "solutions", "vendors", "providers", "monthly", "yearly", "annual", "starter", "basic",
	"premium", "business", "pen", "email", "excel",
}

// Headings above other apps in stores: of others, and of the same developer.
var (
	similar = text.NewPattern(
		`(?i)you might also like|similar apps|customers also|also bought|ähnliche apps|das könnte|` +
			`auch interessieren|vous aimerez|applications similaires|también te|apps similares|` +
			`también podría|` +
			`semelhantes|também pode|app simili|potrebbe(?:ro)? (?:anche )?(?:piacerti|interessarti)|` +
			`vergelijkbare|こちらもおすすめ|類似`,
	)
	sibling = text.NewPattern(`(?i)^more (?:by|from)|^mehr von|du même développeur|^plus de l|más de este|^mais de|` +
		`dello stesso sviluppatore|^meer van|デベロッパ`)
)

// mostNameWords is how many words the name of a competitor has at most.
const mostNameWords = 4

// competitors are whom the page compares its company with. "A vs B" counts when the company is one of them: sites
// compare others' tools too.
func (r *reading) competitors(company string) (found []string) {
	mine := func(name string) bool {
		return r.own.named(name) || joined(name) == joined(company) || joined(name) == "us"
	}
	add := func(name string) {
		if name = rival(name); name != "" && !mine(name) {
			found = append(found, name)
		}
	}
	each := func(list string) {
		for _, name := range inTurn(list) {
			add(name)
		}
	}
	take := func(heading string) bool {
		if sides := versus.Split(heading, -1); len(sides) > 1 {
			us := slices.IndexFunc(sides, func(side string) bool { return mine(strings.TrimFunc(side, punctuation)) })
			if us < 0 { // "See how Acme vs Globex compare": the name stands at the side's inner end
				us = slices.IndexFunc(sides[:1], func(side string) bool { return mine(lastWord(side)) })
			}
			if us < 0 && mine(firstWord(strings.TrimFunc(sides[len(sides)-1], punctuation))) {
				us = len(sides) - 1
			}
			for i, side := range sides {
				if us >= 0 && i != us {
					each(side)
				}
			}
			return true
		}
		if sides := rather.Split(heading, -1); len(sides) == 2 && mine(lastWord(sides[0])) {
			for _, name := range inTurn(sides[1]) {
				name = rival(name)
				if slices.ContainsFunc(strings.Fields(name), func(word string) bool { return !known(word) }) {
					add(name) // and no thing that a heading writes as a name: "Orlo Instead of Guesswork"
				}
			}
		}
		for _, pattern := range []text.Pattern{alternative, instead, elsewhere, eastern} {
			if parts := pattern.FindStringSubmatch(heading); parts != nil {
				for _, name := range conjunctions.Split(parts[1], mostNameWords) {
					if first, rest, several := strings.Cut(name, " "); several && name != parts[1] && !cased(first) {
						name = rest // "e ao InvoiceXpress"
					}
					if cased(firstWord(name)) || name == parts[1] {
						add(name)
					}
				}
				return true
			}
		}
		if parts := apart.FindStringSubmatch(strings.TrimRight(heading, "?？ ")); parts != nil &&
			r.own.inside(parts[1]) != "" && cased(firstWord(parts[2])) {
			add(parts[2])
		}
		return false
	}
	for _, l := range r.links {
		if slug := r.compared(l.href); slug != "" {
			if spelled := rival(l.text); joined(spelled) == joined(slug) {
				slug = spelled // "GlobexDB" in the link's text is "Globexdb" in its path
			} else if take(l.text) {
				continue
			}
			if !take(slug) {
				add(slug)
			}
			continue
		}
		if !l.quoted && !take(l.text) {
			if path, inside := r.own.path(l.href); inside {
				for _, pattern := range []text.Pattern{leaving, quitting} {
					if parts := pattern.FindStringSubmatch(l.text); parts != nil {
						each(parts[1])
					}
				}
				if name, from := strings.CutPrefix(l.text, "From "); from && slices.Contains(path, "from") && capitalised(name) {
					add(name) // "From Globex" of /migrate/from/globex
				}
			}
		}
	}
	for _, text := range append([]string{r.title}, r.headings...) {
		if parts := departing.FindStringSubmatch(text); parts != nil {
			names := inTurn(parts[1])
			if len(names) == 1 {
				names = conjunctions.Split(parts[1], mostNameWords)
			}
			for _, name := range names {
				if capitalised(name) {
					add(name)
				}
			}
			continue
		}
		take(text)
	}
	for _, paragraph := range r.voiced { // "Looking for an alternative to Globex? ..."
		for _, said := range sentenceEnds.Split(paragraph, -1) {
			if strings.Contains(strings.ToLower(said), "alternat") || rather.MatchString(said) {
				take(strings.TrimRight(said, "?! "))
			}
		}
	}
	for _, name := range append(r.tabulated(company, mine), r.contrasted(company)...) {
		add(name)
	}
	if r.data.application { // a page of a store
		for _, c := range r.cards {
			if similar.MatchString(c.section) && !c.quoted {
				add(c.text)
			}
		}
	}
	return found
}

// compared is whom a link of the company's own compares it with, by its path: "/compare/globex", "/acme-vs-globex",
// "/globex-alternative".
func (r *reading) compared(href string) string {
	parts, inside := r.own.path(href)
	if !inside {
		return ""
	}
	last := parts[len(parts)-1]
	under := len(parts) > 1 && groupOf(parts[len(parts)-2]) == ofComparisons
	last, _, _ = strings.Cut(last, ".")
	slug := strings.ReplaceAll(strings.ReplaceAll(last, "_", "-"), "--", "-")
	for _, around := range []string{"-alternatives", "-alternative", "-competitors"} {
		if name, ok := strings.CutSuffix(slug, around); ok {
			slug, under = name, true
		}
	}
	for _, around := range []string{
		"alternatives-to-", "alternative-to-", "alternative-zu-", "alternative-a-", "alternativa-a-", "alternativa-al-",
		"alternativas-a-", "compare-", "vs-", "switch-from-", "migrate-from-", "best-",
	} {
		if name, ok := strings.CutPrefix(slug, around); ok && (under || around != "best-" && around != "compare-") {
			slug, under = name, true
		}
	}
	words := strings.Split(slug, "-")
	for i, word := range words {
		if word != "vs" && word != "versus" {
			words[i] = capital(word)
		} else {
			under = true
		}
	}
	if !under || len(words) > 2*mostNameWords+1 {
		return ""
	}
	return strings.Join(words, " ")
}

func punctuation(r rune) bool {
	return strings.ContainsRune(" .,:;!?\"'“”()[]→›»|–—-…", r)
}

// endsOfNames are signs that end a name and a list of them.
const endsOfNames = ":|—(?!→;\"“"

// rival is the name at a text's beginning: up to four words that begin as names do, before anything that says more.
// Empty: there is none.
func rival(text string) string {
	text, _, _ = strings.Cut(text, " – ")
	if at := strings.IndexAny(text, endsOfNames+","); at >= 0 {
		text = text[:at]
	}
	text, _, _ = strings.Cut(text, " - ")
	words := strings.Fields(strings.TrimFunc(text, punctuation))
	n := 0
	for n < len(words) && (cased(words[n]) || links(words, n)) && !slices.Contains(compares, strings.ToLower(words[n])) {
		n++
	}
	// "acme vs globex", all in small letters
	if n == 0 && len(words) == 1 {
		n = 1
	}
	name := strings.TrimFunc(strings.Join(words[:n], " "), punctuation)
	if n == 0 || n > mostNameWords || strings.HasPrefix(name, "#") || utf8.RuneCountInString(name) < 2 ||
		slices.Contains(noRival, joined(name)) ||
		slices.Contains(articles, strings.ToLower(words[0])) ||
		strings.Trim(name, "0123456789") == "" {
		return ""
	}
	return name
}

// compares are words of a heading that end a rival's name.
var compares = []string{"comparison", "compared", "alternative", "alternatives", "review"}

// links reports whether a word stands between two others of a name: "Bank of America".
func links(words []string, n int) bool {
	return n > 0 && n+1 < len(words) && cased(words[n+1]) && slices.Contains([]string{"of", "de", "&"}, words[n])
}

// inTurn are the names of a text that lists several with a word between the last two, "Globex, Initech and Hooli", before
// anything that says more; any other text as it is.
func inTurn(said string) []string {
	list, _, _ := strings.Cut(said, " – ")
	list, _, _ = strings.Cut(list, " - ")
	if at := strings.IndexAny(list, endsOfNames); at >= 0 {
		list = list[:at]
	}
	words := strings.Fields(list)
	from := slices.IndexFunc(words, func(word string) bool { return !cased(word) && !joins(word) })
	if from < 0 {
		from = len(words)
	}
	names := conjunctions.Split(strings.Join(words[:from], " "), mostNameWords)
	before := from - len(strings.Fields(names[len(names)-1])) - 1
	if len(names) < 2 || before < 1 || !joins(words[before]) ||
		slices.ContainsFunc(names, func(name string) bool { return !capitalised(name) }) {
		return []string{said}
	}
	return names
}

// joins reports whether a word stands between the last two of a list.
func joins(word string) bool { return !cased(word) && conjunctions.MatchString(" "+word+" ") }

var articles = []string{
	"the", "a", "an", "other", "your", "our", "any", "all", "some", "why", "how", "what", "build", "building", "doing",
	"using", "see", "best", "top", "more", "view",
}
