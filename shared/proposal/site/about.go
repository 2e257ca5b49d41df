package site

import (
	"slices"
	"strings"
	"unicode"

	"earshot/shared/proposal"
	"earshot/shared/text"
)

// description is what the company does: the first text that says what it is or makes, or else the first that says
// something, without what asks the reader to do something. Where no description is made for programs, a paragraph that
// names the company says more than a slogan.
func (r *reading) description(company string) string {
	longest := 0
	best := ""
	told := []string{
		r.data.description, r.meta["description"], r.meta["og:description"], r.meta["twitter:description"],
		r.data.offer,
	}
	opening := r.voiced[:min(len(r.voiced), foremost)]
	for i, text := range slices.Concat(told, opening) {
		text = sensible(clean(text, proposal.MaxProfileText))
		if !notices.MatchString(text) && r.identifies(text, company, i < len(told)) {
			return text
		}
	}
	for i, text := range append(told, r.tagline(), r.top) {
		if i == len(told) && longest == 0 {
			if paragraph := r.introduction(company); paragraph != "" {
				return paragraph
			}
		}
		text = sensible(clean(text, proposal.MaxProfileText))
		words := len(strings.Fields(text))
		switch {
		case r.own.named(text) || joined(text) == joined(company) || slices.Contains(nameless, strings.ToLower(text)):
		case words >= telling || words < 3 && len([]rune(text)) >= tellingCharacters && unspaced(text):
			return text
		case words > longest:
			longest, best = words, text
		}
	}
	for _, paragraph := range r.paragraphs {
		if paragraph = sensible(paragraph); !notices.MatchString(paragraph) &&
			len(strings.Fields(paragraph)) >= 2*telling {
			return paragraph
		}
	}
	return best
}

// foremost is how many of the first paragraphs may introduce the company.
const foremost = 3

// saying finds the words with which a company begins to say what it is.
var saying = text.NewPattern(`(?i)^(?:we are|we['’]re|wir sind|nous sommes|somos|siamo|w(?:ij|e) zijn|jesteśmy) ` +
	`(?:an?|the|eine?|die|der|das|une?|la|le|una?|el|il|uma?|o|een|de|het)?(?:['’]| )`)

// identifies reports whether one of a text's first sentences says what the company is or makes: "Acme is a pager", "We
// make pagers", "The pager for small teams". A text that is made to describe the page needs no article: "Pagers for
// small teams".
func (r *reading) identifies(said, company string, described bool) bool {
	const most = 2 // sentences
	sentences := sentenceEnds.Split(said, most+1)
	for _, s := range sentences[:min(len(sentences), most)] {
		s = strings.TrimSpace(s)
		if len(strings.Fields(s)) > telling && (saying.MatchString(s) || makers.MatchString(s)) {
			return true
		}
		words := strings.Fields(s)
		if len(words) > telling && (described || determiners()[strings.ToLower(words[0])]) &&
			slices.ContainsFunc(words[1:], func(word string) bool { return readersAhead()[word] }) {
			return true
		}
		_, behind, found := strings.Cut(" "+s, " "+company+" ")
		words = strings.Fields(behind)
		if found && len(words) > 2 && being()[words[0]] && (words[0] != "to" || r.language() == "polish") &&
			(determiners()[words[1]] || !stopped(words[1])) {
			return true
		}
	}
	return false
}

// introduction is the first of the page's first paragraphs that names the company; empty: none does.
func (r *reading) introduction(company string) string {
	for _, paragraph := range r.voiced[:min(len(r.voiced), foremost)] {
		if paragraph = sensible(paragraph); !notices.MatchString(paragraph) && r.speaksOf(paragraph, company) &&
			len(strings.Fields(paragraph)) >= 2*telling {
			return paragraph
		}
	}
	return ""
}

// speaksOf reports whether a text says the company's name, or what the domain says.
func (r *reading) speaksOf(text, company string) bool {
	return r.own.inside(text) != "" || strings.Contains(text, company)
}

// unspaced reports whether a text is in a script that writes no blanks between words.
func unspaced(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool {
		return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
	})
}

// From how many words, or characters where words are not divided, a text says what a company does.
const telling, tellingCharacters = 4, 8

// notices are of the page, not of the company.
var notices = text.NewPattern(
	`(?i)\bcookies?\b|\bprivacy\b|\bconsent\b|javascript|\byour browser\b|\bnewsletter\b|\bsubscribe\b|©|` +
		`\ball rights reserved\b`,
)

// asks finds sentences that want the reader to do something, and those that a program wrote.
var asks = text.NewPattern(
	`(?i)^(?:sign up|start (?:your|a|for|free|today|now)|get (?:started|a demo|a quote|in touch)|` +
		`try (?:it|us|now|free|for|today|[\p{L}\d]+ (?:free|for free|today|now))|` +
		`book (?:a|your)|request (?:a|your)|schedule (?:a|your)|contact us|learn more|read more|find out|` +
		`discover more|click here|join (?:us|now|today|the waitlist|thousands|over|\d)|no credit card|` +
		`free trial|download now|download (?:the|our) app|buy now|shop now|order now|call us|visit us|` +
		`see how|watch the|subscribe|enter your|be the first|just another wordpress|this is a placeholder|lorem ipsum|` +
		`created (?:by|with|using)|generated by|description of|web site created using create-react-app|` +
		`a description|follow their code|[^\s]+ has \d+ repositories available|` +
		`welcome to (?:our|my|the) (?:web ?site|home ?page|site|blog))\b`,
)

// sentence is where one ends.
var sentence = text.NewPattern(`[.!?。！？]+(?:\s+|$)`)

// sensible leaves out a text's sentences that tell nothing.
func sensible(text string) string {
	var kept []string
	from := 0
	take := func(until int) {
		s := strings.TrimSpace(text[from:until])
		if s != "" && !asks.MatchString(s) && !soon.MatchString(s) && !login.MatchString(s) && !gated(s) {
			kept = append(kept, s)
		}
		from = until
	}
	for _, end := range sentence.FindAllStringIndex(text, -1) {
		take(end[1])
	}
	take(len(text))
	return strings.Join(kept, " ")
}

// tagline is what a title says besides a name: its longest part that is none.
func (r *reading) tagline() string {
	longest := ""
	for _, part := range append(segments(r.title), segments(clean(r.meta["og:title"], maxHeading))...) {
		if len(part) > len(longest) && !r.own.named(part) && !slices.Contains(nameless, strings.ToLower(part)) &&
			!notices.MatchString(part) {
			longest = part
		}
	}
	return longest
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

// rated are the words with which a store's headings above what customers say begin.
var rated = set("ratings bewertungen valoraciones calificaciones valutazioni avaliações classificações beoordelingen oceny")

// Bounds of meta keywords: a list that is longer was stuffed for search engines.
const (
	honestKeywords  = 15
	stuffedKeywords = 10 // that are taken of a longer list
)

// industry is what the page calls its field: what its title says it is for somebody, keywords of JSON-LD and of its
// meta, and short headings that its title or description repeats.
func (r *reading) industry(company string) (terms []string) {
	about := " " + strings.Join(
		strings.Fields(
			strings.ToLower(strings.Join([]string{r.title, r.meta["description"], r.data.description}, " ")),
		),
		" ",
	) + " "
	told := []string{r.meta["description"], r.data.description}
	for _, part := range segments(r.title) {
		if strings.TrimSpace(part) != r.top {
			told = append(told, part)
		}
	}
	said := func(term string) bool { // in a text that says more, so that a slogan does not vouch for itself
		return slices.ContainsFunc(told, func(text string) bool {
			text = " " + strings.Join(strings.Fields(strings.ToLower(text)), " ") + " "
			return len(text) > len(term)+2 && within(text, strings.ToLower(term))
		})
	}
	for _, text := range append([]string{r.tagline(), r.sub}, segments(r.top)...) {
		if field := field(text); field != "" && (forWhom(text) != "" || said(field)) {
			terms = append(terms, field)
		}
	}
	terms = append(terms, r.defined(company)...)
	terms = append(terms, r.data.terms...)
	keywords := strings.FieldsFunc(
		unescaped(r.meta["keywords"]), func(c rune) bool { return strings.ContainsRune(",;|、،", c) },
	)
	proven := r.proof()
	stuffed := len(keywords) > honestKeywords
	var kept []string
	for _, keyword := range keywords {
		words := len(strings.Fields(keyword))
		if selling(keyword) || words < 2 && generic(keyword) {
			continue
		}
		if stuffed && (words < 2 || !strings.Contains(about, strings.ToLower(strings.TrimSpace(keyword)))) {
			continue
		}
		if !proven(keyword) {
			continue
		}
		if kept = append(kept, keyword); stuffed && len(kept) == stuffedKeywords {
			break
		}
	}
	terms = append(terms, kept...)
	headings := r.headings
	if r.hosted { // those of a store are the store's
		headings = nil
	}
	for _, heading := range headings {
		if vacancy.MatchString(heading) || rated()[strings.ToLower(firstWord(heading))] {
			continue
		}
		if words := len(strings.Fields(heading)); words >= 2 && words <= 4 && said(heading) &&
			!slices.Contains(addressing, strings.ToLower(firstWord(heading))) {
			terms = append(terms, heading)
		}
	}
	for _, phrase := range slices.Concat(r.phrases(company), r.enumerated(), r.performed(), r.repeated()) {
		if !slices.Contains(strings.Fields(company), phrase) && !slices.ContainsFunc(terms, func(term string) bool {
			term, phrase := strings.ToLower(term), strings.ToLower(phrase)
			return strings.Contains(term, phrase) || strings.Contains(phrase, term) && !r.compound(phrase, term)
		}) {
			terms = append(terms, phrase)
		}
	}
	prose, does := r.sentences(), r.does(company)
	readers := strings.ToLower(r.audience(company))
	return slices.DeleteFunc(terms, func(term string) bool {
		words := strings.Fields(term)
		return len(words) == 0 || len(words) > 5 || urging(words) || introduces(term) ||
			r.telling(words) || does[strings.ToLower(words[0])] ||
			strings.Contains(
				readers,
				strings.ToLower(strings.TrimSpace(term)),
			) || slices.ContainsFunc(words, r.own.named) || r.own.named(term) ||
			holds(joined(term), joined(company)) && !slices.ContainsFunc(words, func(word string) bool {
				return plural(word, strings.ToLower(company), r.language()) // "kitchen hoods" of Hood
			}) || len(words) > 1 && within(" "+company+" ", term) &&
			!strings.Contains(prose, " "+strings.ToLower(term)+" ") || // "Dal Ghiro" of Trattoria Dal Ghiro
			len(words) == 1 && strings.HasSuffix(term, "Application") // a class of schema.org
	})
}

const (
	// provingWords is how many words a page says at least before it disproves a keyword of its meta.
	provingWords = 4
	// provingStem is how many letters of a word tell it in other forms: "Kassensystem" of "Kassensysteme".
	provingStem = 5
)

// proof returns whether a page speaks of a keyword that its meta names: each of the keyword's words begins as a word of
// the page's title, description, headings or paragraphs does. No page speaks of what every site has ("Startseite",
// "Contact"). A page that says little proves all others, and so does one in a script without blanks between words.
func (r *reading) proof() func(keyword string) bool {
	said := map[string]bool{}
	stem := func(word string) string {
		letters := []rune(joined(word))
		return string(letters[:min(len(letters), provingStem)])
	}
	texts := slices.Concat(
		[]string{r.title, r.meta["description"], r.data.description, r.meta["og:description"], r.top},
		r.headings, r.paragraphs,
	)
	words := 0
	for _, text := range texts {
		for word := range strings.FieldsFuncSeq(clean(text, maxParagraph), separates) {
			said[stem(word)] = true
			words++
		}
	}
	return func(keyword string) bool {
		if generic(keyword) || groupOf(keyword) != other && len(strings.Fields(keyword)) == 1 {
			return false
		}
		if words < provingWords {
			return true
		}
		for word := range strings.FieldsFuncSeq(keyword, separates) {
			if !stopped(strings.ToLower(word)) && !said[stem(word)] && !unspaced(word) {
				return false
			}
		}
		return true
	}
}

// compound reports whether a word has another at its end and says more: "Zahnimplantate" of "Implantate".
func (r *reading) compound(word, end string) bool {
	return slices.Contains(joining, r.language()) && !strings.Contains(word, " ") && len(word) > len(end) &&
		strings.HasSuffix(word, end)
}

// separates reports whether a sign stands between words.
func separates(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c) }

// within says whether a text has another as whole words.
func within(text, part string) bool {
	for _, end := range []string{" ", ".", ",", ";", ":", "!", "?", ")"} {
		if strings.Contains(text, " "+part+end) {
			return true
		}
	}
	return false
}

// addressing begins headings that speak to the reader and name no field.
var addressing = []string{
	"get", "start", "sign", "try", "book", "contact", "learn", "read", "see", "why", "how", "what", "who", "our",
	"your", "trusted", "ready", "join", "meet", "about", "the", "we", "you", "loved", "made", "built", "more", "all",
	"follow", "subscribe", "log", "it", "this", "for", "no",
}

// What praises a product and does not say what it is, and what says no more than that it is one.
var (
	praise = []string{
		"the", "a", "an", "modern", "simple", "best", "leading", "open-source", "all-in-one", "ultimate", "easy",
		"fast", "fastest", "complete", "free", "new", "world's", "smart", "smarter", "better", "powerful", "beautiful",
		"next-generation", "ai-powered", "ai-native", "ai", "affordable", "secure", "effortless", "#1", "no.1", "one",
		"only", "first", "most", "easiest", "simplest", "great", "your", "reliable", "scalable", "intelligent",
		"unified", "tiny", "little", "lightweight", "self-hosted", "next", "last", "same", "own",
	}
	kinds = []string{
		"platform", "software", "tool", "tools", "solution", "solutions", "app", "apps", "service", "services",
		"system", "suite", "product", "company", "for", "made", "built", "designed",
	}
)

// Words behind which a tagline says for whom its field is, or where.
var (
	readersAhead = set("for für pour para per voor dla")
	// placesAhead has no English "in", behind which slogans stand too: "Stay longer in Rome".
	placesAhead = set("en à em a aus im bei w z")
)

// field is the field that a tagline names: of "The modern incident management platform for small teams", "incident
// management", and of "Panadería artesana en Valencia", "Panadería artesana". Empty: it does not say what it is for
// somebody or where.
func field(tagline string) string {
	all := strings.Fields(tagline)
	end := slices.IndexFunc(all, func(word string) bool { return readersAhead()[word] })
	if place := slices.IndexFunc(all, func(word string) bool { return placesAhead()[word] }); end < 0 && place >= 0 &&
		!slices.ContainsFunc(all[place+1:], func(word string) bool { return !cased(word) && !stopped(word) }) {
		end = place
	}
	if end < 0 || end == len(all)-1 {
		return ""
	}
	words := slices.Clone(all[:end])
	what := strings.Join(words, " ")
	for len(words) > 0 && slices.Contains(praise, strings.ToLower(words[0])) {
		words = words[1:]
	}
	for len(words) > 2 && slices.Contains(kinds, strings.ToLower(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	if len(words) < 2 || len(words) > 3 || strings.ContainsAny(what, ".,:;!?&") ||
		slices.Contains(addressing, strings.ToLower(words[0])) || calling(words[0]) || verbal(strings.ToLower(words[0])) ||
		slices.ContainsFunc(words, func(w string) bool {
			w = strings.ToLower(w)
			return slices.Contains(joints, w) || stopped(w) && !slices.Contains(linking, w)
		}) ||
		slices.Contains(kinds, strings.ToLower(words[len(words)-1])) && len(words) == 2 &&
			slices.Contains(praise, strings.ToLower(words[0])) {
		return ""
	}
	return strings.Join(words, " ")
}

// joints are in sentences, and seldom in the name of a field.
var joints = []string{
	"is", "are", "that", "which", "to", "your", "you", "we", "and", "or", "with", "in", "on", "by", "at", "of", "the",
	"a", "an", "from", "made", "built", "it", "can", "will",
}
