package site

import (
	"slices"
	"strings"
	"unicode"

	"earshot/shared/proposal"
	"earshot/shared/text"
)

// nameless are what stands where a site's name is expected when nobody filled it in.
var nameless = []string{
	"home", "homepage", "home page", "index", "website", "my site", "my website", "my blog", "wordpress", "untitled",
	"welcome", "official site", "official website", "test", "app", "react app", "vite app", "next app", "site",
	"company", "your company", "localhost", "redirecting", "redirect", "loading",
}

// annexes are parts of sites, which a site's name has behind the company's.
var annexes = text.NewPattern(
	`(?i)^[\s:,–|-]+(?:docs|documentation|dokumentation|documentación|documentação|documentazione|documentatie|` +
		`dokumentacja|(?:official )?(?:web ?site|site|blog|wiki|homepage)|help cent(?:er|re)|knowledge base|developers|` +
		`developer (?:docs|portal|hub)|support cent(?:er|re))$`,
)

// mostWords is how many words a company's name has at most.
const mostWords = 6

// company is the name of the company, as people write it: of those that the page gives, the one that is the domain's,
// else one that has to do with it, else the first. A page that gives none leaves what the domain says, as the page's
// texts spell it.
func (r *reading) company() string {
	name, told := r.called()
	lower, upper := name == strings.ToLower(name), name == strings.ToUpper(name)
	if told && (!lower && !upper || !r.own.named(name)) {
		return name
	}
	spelled, times := r.spelling()
	const sure = 2 // texts: one alone may shout, or be typed in a hurry
	if !told {
		return first(spelled, name)
	}
	if joined(spelled) == joined(name) && times[spelled] > times[name] && times[spelled] >= sure {
		return spelled
	}
	return name
}

// spelling is how the page's texts write what the domain says, as most of them do, and how often they write it in which
// way.
func (r *reading) spelling() (most string, times map[string]int) {
	times = map[string]int{}
	var order []string
	count := func(text string, weight int) {
		if name := r.own.inside(text); name != "" && len(times) < maxCards {
			if times[name] == 0 {
				order = append(order, name)
			}
			times[name] += weight
		}
	}
	const prose = 2 // headings shout, sentences do not
	descriptions := []string{clean(r.meta["description"], maxParagraph), clean(r.meta["og:description"], maxParagraph)}
	for _, text := range slices.Concat(r.paragraphs, r.copyrights, descriptions) {
		count(text, prose)
	}
	for _, text := range slices.Concat(r.headings, r.alts) {
		count(text, 1)
	}
	for _, l := range r.links {
		if l.framed {
			count(l.text, 1)
		}
	}
	for _, name := range order {
		if times[name] > times[most] {
			most = name
		}
	}
	return most, times
}

// called is the name that the page gives; told says that it is not the domain's alone.
func (r *reading) called() (name string, told bool) {
	given := []string{
		r.data.name, r.meta["og:site_name"], r.meta["application-name"], r.meta["apple-mobile-web-app-title"],
		r.data.siteName,
	}
	made := len(given) // for programs
	if r.hosted && r.data.author != "" && r.own.related(strip(r.data.author)) {
		given = append([]string{r.data.author}, make([]string, made-1)...) // the others are the store's
	}
	parts := segments(r.title)
	for _, part := range slices.Concat(parts, segments(clean(r.meta["og:title"], maxHeading))) {
		given = append(given, part, r.own.start(part))
	}
	given = append(given, r.meta["al:ios:app_name"], r.meta["al:android:app_name"])
	// A name that programs are told and people are shown is the company's although its domain is shorter.
	for i, text := range given[:made] {
		name := r.name(text)
		if name == "" || r.own.inside(name) == "" {
			continue
		}
		if slices.ContainsFunc(given[i+1:], func(again string) bool { return r.name(again) == name }) {
			return name, true
		}
	}
	for _, part := range parts {
		if r.signs(part) {
			return r.name(part), true
		}
	}
	fits := []func(string) bool{r.own.named, r.own.related, func(string) bool { return true }}
	for pass, fit := range fits {
		for i, text := range given {
			if pass > 0 && i >= made {
				break // a part of a title is a name only when it is the domain's
			}
			name := r.name(text)
			if name == "" || !fit(name) {
				continue
			}
			if pass == len(fits)-1 && !r.shows(name) {
				if spelled, times := r.spelling(); times[spelled] >= often {
					return spelled, true // a template's default is no name
				}
			}
			return name, true
		}
	}
	ends := parts // a name stands before or behind what the page says of it
	if len(parts) > 2 {
		ends = []string{parts[0], parts[len(parts)-1]}
	}
	for _, part := range ends { // "Hood" of hoodkitchens.com
		if name := r.name(part); r.proper(name) && r.leads(name) {
			return name, true
		}
	}
	for _, part := range parts {
		if name := r.own.inside(part); name != "" { // "Welcome to Acme"
			return name, true
		}
	}
	for _, part := range parts { // "Ledge" of ledgehr.com
		if name := r.name(part); name != "" && r.own.related(name) && r.presents(name) {
			return name, true
		}
	}
	for _, part := range ends { // "Quietfern" of qf-berlin.de
		if name := r.name(part); r.proper(name) && !r.hosted && r.repeats(name) {
			return name, true
		}
	}
	for _, part := range parts { // "星野珈琲" of hoshino-coffee.jp
		if name := r.name(part); name != "" && r.transcribed(name) &&
			(name != part || r.signed(name) || r.own.spells(name)) {
			return name, true
		}
	}
	return r.fromDomain(), false
}

// transcribed reports whether the domain can only say a name in other letters: it is in Latin ones, and the name has
// none.
func (r *reading) transcribed(name string) bool {
	latin := func(c rune) bool { return unicode.Is(unicode.Latin, c) }
	return strings.ContainsFunc(r.own.label, latin) && !strings.ContainsFunc(name, latin) &&
		strings.ContainsFunc(name, unicode.IsLetter)
}

// signed reports whether a line with a © has a name.
func (r *reading) signed(name string) bool {
	return slices.ContainsFunc(r.copyrights, func(line string) bool {
		return within(" "+line+" ", name) || unspaced(name) && strings.Contains(line, name)
	})
}

// presents reports whether a text that says what the company is begins with a name, and a line with a © has it.
func (r *reading) presents(name string) bool { return r.signed(name) && r.introduces(name) }

// introduces reports whether a text says what a name is.
func (r *reading) introduces(name string) bool {
	return slices.ContainsFunc(append([]string{r.meta["description"], r.data.description}, r.voiced...),
		func(said string) bool {
			behind, found := strings.CutPrefix(clean(said, maxParagraph), name+" ")
			return found && being()[firstWord(behind)]
		})
}

// proper reports whether a part of a title can be a name: it begins with a capital, and says nothing that every site has.
func (r *reading) proper(name string) bool {
	return cased(name) && !generic(name) && groupOf(name) == other && !isNetworkName(name)
}

// repeats reports whether two other places of the page have a name of its title by itself: the first heading, the logo, a
// line with a ©, and a text that says what it is. What sentences write small is a word.
func (r *reading) repeats(name string) bool {
	small, places := strings.ToLower(name), 0
	for _, has := range []bool{
		joined(r.top) == joined(name), r.signed(name), r.introduces(name),
		slices.ContainsFunc(r.alts, func(alt string) bool {
			return strings.TrimSuffix(strings.ToLower(alt), " logo") == small
		}),
	} {
		if has {
			places++
		}
	}
	return places > 1 && (small == name || !strings.Contains(r.sentences(), " "+small+" "))
}

// leads reports whether the domain is a name and its trade, of which another text speaks: "Hood" of hoodkitchens.com and
// "kitchen hoods made to measure". A page whose sentences say all of the domain is called so.
func (r *reading) leads(name string) bool {
	const least = 4 // letters of a trade
	if spelled, times := r.spelling(); times[spelled] >= often || spelled != "" && !strings.ContainsAny(spelled, " -") {
		return false
	}
	texts := slices.DeleteFunc(append(segments(r.title), r.meta["description"], r.top), func(text string) bool {
		return text == name || r.own.inside(text) != ""
	})
	words := strings.FieldsFunc(strings.ToLower(strings.Join(texts, " ")), separates)
	return slices.ContainsFunc(spellings(name), func(written string) bool {
		trade, found := strings.CutPrefix(r.own.keys[0], written)
		trade = strings.TrimSuffix(trade, "s")
		return found && len(written) >= leastKey && len(trade) >= least &&
			slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, trade) })
	})
}

// often is the weight of the spellings from which the page's visible texts outweigh a name that none of them says.
const often = 4

// shows reports whether a text that people see says a name.
func (r *reading) shows(name string) bool {
	texts := slices.Concat(r.paragraphs, r.copyrights, r.headings, r.alts, []string{r.title, r.meta["description"]})
	return slices.ContainsFunc(texts, func(text string) bool {
		return within(" "+strings.ToLower(text)+" ", strings.ToLower(name))
	})
}

// learn adds a name to those that the domain stands for, if the domain lengthens or shortens it and the page shows it as
// its own: "Emberfall" of emberfall-game.com, "Universität Falkenau" of uni-falkenau.de, and with the words that link its
// others, "Universidad de Breña" of universidadbrena.es, or behind a word that says what it is, "Hotel Quietfern" of
// quietfern.net. The title has it as a part, and the first heading is the name, or two other texts say it.
func (r *reading) learn() {
	for _, part := range append(segments(r.title), segments(clean(r.meta["og:title"], maxHeading))...) {
		name := r.name(part)
		if r.own.named(name) {
			return
		}
		if name == "" || groupOf(name) != other || generic(name) || !r.own.lengthens(name) && !r.own.shortens(name) &&
			!r.own.named(unlinked(name)) && !r.ends(name) && !r.own.begins(name) {
			continue
		}
		short := name
		if r.own.begins(name) { // texts say "Emberfall" for "Emberfall Therapeutics"
			short = firstWord(name)
		}
		said := 0
		for _, text := range slices.Concat(r.paragraphs, r.copyrights, []string{r.meta["description"]}) {
			if within(" "+strings.ToLower(text)+" ", strings.ToLower(short)) {
				said++
			}
		}
		if joined(r.top) == joined(name) || said > 1 {
			r.own.key(joined(name))
			r.own.key(joined(short))
			return
		}
	}
}

// ends reports whether a name is what the domain says behind one or two words that are written as names: "Hotel" of
// "Hotel Quietfern".
func (r *reading) ends(name string) bool {
	const most = 3 // words
	words := strings.Fields(name)
	return len(words) > 1 && len(words) <= most && r.own.named(words[len(words)-1]) &&
		!slices.ContainsFunc(words, func(word string) bool { return !cased(word) || calling(word) || stopped(word) })
}

// unlinked is a name without the words inside it that link the others.
func unlinked(name string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(name), func(word string) bool {
		return slices.Contains(linking, word) ||
			slices.Contains([]string{"la", "el", "le", "und", "and", "et", "y", "e"}, word)
	}), " ")
}

// name makes a company's name of what a page gives for one; empty when it is none.
func (r *reading) name(text string) string {
	text = strip(clean(text, proposal.MaxProfileName+1))
	if parts := segments(text); len(parts) > 1 {
		text = parts[0]
		for _, part := range parts {
			if r.own.named(part) {
				text = part
				break
			}
		}
	}
	if start := r.own.start(text); start != "" && annexes.MatchString(text[len(start):]) {
		text = start // "Acme Docs" is a part of Acme's site
	}
	if len([]rune(text)) > proposal.MaxProfileName || len(strings.Fields(text)) > mostWords ||
		slices.Contains(nameless, strings.ToLower(text)) && !r.own.named(text) ||
		joined(text) == "" || strings.Contains(text, "://") ||
		!strings.ContainsFunc(text, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
		return ""
	}
	return text
}

// fromDomain is the name that the domain alone says: "acme-cloud.com" is "Acme Cloud".
func (r *reading) fromDomain() string {
	words := strings.FieldsFunc(r.own.label, func(c rune) bool { return c == '-' || c == '_' })
	for i, word := range words {
		words[i] = capital(word)
	}
	return first(strings.Join(words, " "), r.own.label, r.own.domain)
}

// Forms of companies, which stand behind a name in registers and nowhere else. Those of few letters are words too, and
// count when they are written in capitals or behind a comma.
var (
	forms = []string{
		"inc", "incorporated", "llc", "ltd", "limited", "gmbh", "ggmbh", "plc", "corp", "corporation", "pty", "pte", "sarl",
		"srl", "ltda", "oyj", "aps", "pvt",
	}
	shortForms = []string{
		"ag", "sa", "sas", "ab", "as", "oy", "nv", "bv", "co", "kg", "kk", "sl", "se", "ug", "spa", "lp", "llp", "mbh",
		"ev",
	}
	// Those that are written with capitals of their own are forms wherever they stand at the end.
	casedForms = []string{"eG", "Oy", "SpA", "Kft", "Zrt", "KGaA", "Lda", "Ltée", "Sàrl", "mbH", "GmbH"}
	// polish is a form of several words, and so are others like it.
	polish = text.NewPattern(`(?i)[\s,]+(?:sp\.?\s*z\s*o\.?\s*o\.?|d\.\s?o\.\s?o\.?|s\.\s?coop\.?|` +
		`società\s+(?:agricola|cooperativa)|s\.\s?r\.\s?o\.?|a\.\s?s\.)$`)
	easternForms = []string{"株式会社", "有限会社", "合同会社", "(株)", "（株）", "有限公司", "股份有限公司", "주식회사", "(주)"}
)

// strip leaves out a company's legal form: "Acme, Inc." is "Acme".
func strip(name string) string {
	for _, form := range easternForms {
		if rest := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(name, form), form)); rest != "" {
			name = rest
		}
	}
	name = polish.ReplaceAllString(name, "")
	for {
		at := strings.LastIndexAny(name, " ,")
		if at <= 0 {
			return name
		}
		rest, last := strings.TrimRight(name[:at], " ,&"), name[at+1:]
		bare := strings.NewReplacer(".", "", "/", "").Replace(last)
		behind := name[at] == ',' || strings.HasSuffix(strings.TrimRight(name[:at], " "), ",")
		short := slices.Contains(shortForms, strings.ToLower(bare)) &&
			(behind || bare == strings.ToUpper(bare) || strings.HasSuffix(last, "."))
		short = short || slices.Contains(casedForms, bare)
		if rest == "" || !short && !slices.Contains(forms, strings.ToLower(bare)) {
			return name
		}
		name = rest
	}
}

// once finds the name that a company had before: "Acme (formerly Lantern)", "Lantern is now Acme".
var once = []text.Pattern{
	text.NewPattern(
		`^(.{2,60}?)[\s,]*[(\[]?\b(?:(?i:formerly|previously|fka|f/k/a))\s+(?:known\s+as\s+|called\s+)?` + capitals,
	),
	text.NewPattern(
		capitals + `\s+(?:is\s+now|has\s+become|becomes|is\s+becoming)\s+(?:called\s+|known\s+as\s+)?(.{2,60})$`,
	),
}

// capitals are up to four words that begin as names do.
const capitals = `((?:[\p{Lu}\p{Lo}\p{Nd}][\p{L}\p{M}\p{Nd}.'&-]*\s?){1,4})`

// otherNames are the company's names besides: those that JSON-LD tells, those under which it is registered, and those of
// former times.
func (r *reading) otherNames(company string) []string {
	var found []string
	if r.own.shortens(company) {
		found = append(found, r.fromDomain()) // people say "Uni Falkenau" too
	}
	if article, name, several := strings.Cut(company, " "); several && r.own.named(name) && stopped(article) {
		found = append(found, name) // people say "Quiet Ledger" of The Quiet Ledger too
	}
	for i, name := range append([]string{r.data.name, r.data.siteName}, r.data.otherNames...) {
		if name = r.name(name); name != "" &&
			(i > 1 || r.own.related(name) || r.shows(name)) && joined(name) != joined(r.own.domain) {
			found = append(found, name)
		}
	}
	if spelled, _ := r.spelling(); !r.hosted && (r.transcribed(company) ||
		!r.own.named(company) && r.leads(company)) { // "Hood Kitchens" of Hood
		found = append(found, spelled)
	}
	found = append(found, r.calledShort(company))
	if slices.ContainsFunc(segments(r.title), func(part string) bool { return strip(part) == company && r.signs(part) }) {
		found = append(found, r.own.start(company))
	}
	found = append(found, r.legalNames(company)...)
	mine := func(text string) bool { return r.own.named(text) || joined(text) == joined(company) }
	starts := func(text string) bool {
		return r.own.start(text) != "" || strings.HasPrefix(strings.ToLower(text)+" ", strings.ToLower(company)+" ")
	}
	texts := append([]string{r.title, r.meta["description"], r.data.description, r.meta["og:title"]}, r.headings...)
	for _, l := range r.links {
		texts = append(texts, l.text)
	}
	for _, text := range texts {
		text = clean(text, maxHeading)
		if parts := once[0].FindStringSubmatch(text); parts != nil && (starts(parts[1]) || mine(lastWord(parts[1]))) {
			found = append(found, trimmed(parts[2]))
		}
		if parts := once[1].FindStringSubmatch(text); parts != nil && starts(strings.TrimRight(parts[2], ".!")) {
			found = append(found, trimmed(parts[1]))
		}
	}
	return found
}

func lastWord(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

func trimmed(name string) string { return strings.TrimRight(strings.TrimSpace(name), ".,)'&-") }
