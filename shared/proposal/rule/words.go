package rule

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/net/publicsuffix"

	"earshot/shared/match"
	"earshot/shared/proposal"
	"earshot/shared/text"
)

// contextSentence (K6). The company is named by its name, its domain or the domain's own part ("acme" of acme.com), as
// the matcher finds a name: as words, as a possessive, in its domain or handle. What the keyword catches is said when
// letters are left beside the names. A sentence ends where UAX #29 ends it, but not at a dot or another sign that
// belongs to a name, nor at that of "Inc.".
func contextSentence(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	company := companyNames(p, e)
	own := ownNames(e)
	for n, k := range p.Keywords {
		place, said := at(n, "context"), short(k.Context)
		if utf8.RuneCountInString(k.Context) > proposal.MaxContext {
			r.add("K6", place, k.Ref, "The context has more than %d characters: shorten it.", proposal.MaxContext)
		}
		rest := masked(said, append(own, k.Keyword))
		if n := sentences(rest); n != 1 {
			r.add(
				"K6", place, k.Ref, "The context has %d sentences: say in one whose keyword it is and what it catches.",
				n,
			)
			continue
		}
		if !names(said, company) {
			r.add("K6", place, k.Ref, "The context does not name the company: say %s.", quote(company[0]))
		}
		if !strings.ContainsFunc(strings.ReplaceAll(rest, mask, ""), unicode.IsLetter) {
			r.add("K6", place, k.Ref, "The context is no more than a name: say what the keyword catches.")
		}
	}
	return found
}

// explanations (W1) means the keywords', and the options' that have one.
func explanations(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	own := ownNames(e)
	check := func(place, ref, said string, masks ...string) {
		if utf8.RuneCountInString(said) > proposal.MaxExplanationText {
			r.add(
				"W1", place, ref, "The explanation has more than %d characters: shorten it.",
				proposal.MaxExplanationText,
			)
		}
		said = short(said)
		rest := masked(said, append(slices.Clone(own), masks...))
		if n := sentences(rest); n < 1 || n > proposal.MaxExplanation {
			r.add("W1", place, ref, "The explanation has %d sentences: say it in 1 to %d.", n, proposal.MaxExplanation)
		}
		if !secondPerson.MatchString(said) {
			r.add("W1", place, ref, "The explanation does not speak to the reader: say you or your.")
		}
		if id := ruleID.FindString(rest); id != "" {
			r.add("W1", place, ref, "The explanation names the rule %s: say it in words.", quote(id))
		}
	}
	texts := map[string]string{}
	for n, k := range p.Keywords {
		texts[k.Ref] = k.Keyword
		check(at(n, "explanation"), k.Ref, k.Explanation, append([]string{k.Keyword}, k.AdditionalTerms...)...)
	}
	for n, o := range p.Options {
		if o.Explanation != "" {
			check(
				path("options", n, "explanation"),
				o.ID,
				o.Explanation,
				append([]string{texts[o.KeywordRef]}, o.AdditionalTerms...)...)
		}
	}
	return found
}

var (
	secondPerson = text.NewPattern(`(?i)\b(you|your|yours|yourself|yourselves)\b`)
	ruleID       = text.NewPattern(
		`\b([KF][1-3]|K[4-7]|A[12]|X[12]|V[1-3]|E8|P1|T[1-3]|W1)\b|(?i:\brules? [a-z][0-9]\b)`,
	)
)

// short is as much of a text as is looked at; more is refused by its length alone.
func short(text string) string {
	const most = 8 << 10
	return text[:min(len(text), most)]
}

// mask stands for a name.
const mask = "\uE000"

// abbreviations end in a dot that ends no sentence.
var abbreviations = []string{
	"Inc.", "Ltd.", "Co.", "Corp.", "LLC.", "e.g.", "i.e.", "vs.", "etc.", "approx.", "St.", "Dr.", "No.", "U.S.",
	"U.K.",
}

// masked is a text in which names are one sign, so that their own signs ("Yahoo!", "Node.js") and words ("V2") are not
// the sentence's.
func masked(text string, names []string) string {
	names = slices.Clone(names)
	// the longest first: "Acme, Inc." before "Acme"
	slices.SortStableFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, name := range slices.Concat(names, abbreviations) {
		if name = strings.TrimSpace(name); name == "" || len(name) > len(text) {
			continue
		}
		text = replaceWord(text, name)
	}
	return text
}

// replaceWord masks a name wherever it stands as words.
func replaceWord(text, name string) string {
	var out strings.Builder
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	first, _ := utf8.DecodeRuneInString(name)
	final, _ := utf8.DecodeLastRuneInString(name)
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			out.WriteString(text[from:])
			return out.String()
		}
		i += from
		end := i + len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if letter(first) && i > 0 && letter(before) || letter(final) && end < len(text) && letter(after) {
			_, size := utf8.DecodeRuneInString(text[i:])
			out.WriteString(text[from : i+size])
			from = i + size
			continue
		}
		out.WriteString(text[from:i] + mask)
		from = end
	}
}

// sentences counts those that say something.
func sentences(text string) (n int) {
	state := -1
	for text != "" {
		var sentence string
		sentence, text, state = uniseg.FirstSentenceInString(text, state)
		if strings.ContainsFunc(
			sentence, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || string(r) == mask },
		) {
			n++
		}
	}
	return n
}

// companyNames are what names the company, the best first; never empty.
func companyNames(p proposal.Proposal, e proposal.Evidence) (all []string) {
	add := func(name string) {
		// A mark at the beginning belongs to what is before the name, wherever it stands.
		name = strings.TrimLeftFunc(match.CasedForm(name), unicode.IsMark)
		if name != "" && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	add(e.Profile.Company)
	for _, domain := range []string{e.Domain, p.Domain} {
		registered, err := publicsuffix.EffectiveTLDPlusOne(strings.ToLower(domain))
		if err != nil {
			registered = domain
		}
		label, _, _ := strings.Cut(registered, ".")
		add(label)
		add(strings.ReplaceAll(label, "-", " "))
		add(strings.ReplaceAll(label, "-", ""))
		add(domain)
	}
	if len(all) == 0 {
		return []string{"the company's name"}
	}
	return all
}

// ownNames are the names that a proposal's texts may have in them.
func ownNames(e proposal.Evidence) []string {
	all := slices.Concat(
		[]string{e.Profile.Company, e.Domain}, e.Profile.Products, e.Profile.Competitors, e.Profile.IndustryTerms,
		e.Profile.OtherNames,
	)
	for _, c := range e.Candidates.Candidates {
		all = append(all, c.Text)
	}
	return all
}
