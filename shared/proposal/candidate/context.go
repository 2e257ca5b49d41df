package candidate

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"earshot/shared/match"
	"earshot/shared/proposal"
)

// A teller writes the contexts of one company's candidates (rule K6): one sentence of at most proposal.MaxContext
// characters that says what the keyword catches and whose it is.
type teller struct {
	companies []string // ways to name the company, the fullest first; the last is at most maxCompany characters
	domain    string
	what      string // what it does, as the end of a sentence; empty when its profile does not say
	field     string // what its field is called, the first of its terms that fits
}

// maxDomain is how long a domain is at most, in characters, so that a context can have it.
const maxDomain = 80

func newTeller(company string, s site, p proposal.Profile) teller {
	called, description := inSentence(company), p.Description
	if written := clean(p.Company); called != "" && inSentence(written) == called {
		description = strings.ReplaceAll(description, written, called) // "Wow! Pizza" ends no sentence within
	}
	t := teller{domain: cut(s.domain, maxDomain), what: clause(description, company)}
	if called == "" {
		called = "the company"
	}
	// Who reads that posts are of Datadog must know that Datadog, Inc. of datadoghq.com is meant, unless either is
	// called just so.
	if match.Form(called) != match.Form(p.Company) && !s.calls(called) {
		t.domain = cut(s.ascii, maxDomain)
		t.companies = append(t.companies, called+" ("+t.domain+")", t.domain)
	}
	t.companies = append(t.companies, called)
	for _, text := range first(p.IndustryTerms) {
		const short = 40 // characters
		if term := name(text); term != "" && !Generic(term) && utf8.RuneCountInString(term) <= short {
			t.field = inSentence(term)
			break
		}
	}
	return t
}

// inField says where a competitor competes.
func (t teller) inField(competitor string) string {
	if t.field == "" || match.Form(t.field) == match.Form(competitor) {
		return ""
	}
	return " in " + strings.ReplaceAll(t.field, "%", "%%")
}

// context is a sentence of a format with the keyword's text and the company, in that order.
func (t teller) context(format, text string) string {
	for _, company := range t.companies {
		if sentence := fmt.Sprintf(format, inSentence(text), company) + "."; fits(sentence) {
			return sentence
		}
	}
	return t.brandContext()
}

// brandContext is that of the company's name. What the company does follows where there is room for more than a word of
// it.
func (t teller) brandContext() string {
	company := t.companies[len(t.companies)-1]
	sentence := "Posts that mean " + company + ", the company behind " + t.domain
	if t.domain == "" {
		sentence = "Posts that mean the company " + company
	}
	const little = 20 // characters
	room := proposal.MaxContext - utf8.RuneCountInString(sentence) - len(": .")
	if what := cut(t.what, room); what == t.what || utf8.RuneCountInString(what) >= little {
		if told := sentence + ": " + what + "."; what != "" && fits(told) {
			return told
		}
	}
	for _, sentence := range []string{sentence + ".", "Posts that mean " + t.domain + "."} {
		if fits(sentence) {
			return sentence
		}
	}
	return cut("Posts that mean "+unsigned(company+" of "+t.domain), proposal.MaxContext-1) + "."
}

// fits says whether a text is one sentence that is short enough.
func fits(text string) bool {
	_, rest, _ := uniseg.FirstSentenceInString(text, -1)
	return rest == "" && utf8.RuneCountInString(text) <= proposal.MaxContext
}

// unsigned is a text's words without any signs, so that none can end a sentence.
func unsigned(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == ',' || r == '-' {
			return r
		}
		return ' '
	}, text)), " ")
}

// inSentence is a name as a sentence can have it: as it is when no sign in it can end the sentence ("Node.js"), or else
// its words alone ("Yahoo" of "Yahoo!").
func inSentence(name string) string {
	name = clean(name)
	if !spoken(name) || !fits("Of "+name+", it is said.") {
		return unsigned(name)
	}
	return name
}

// spoken says whether a text has no quotation marks or markup, no sign that ends a sentence wherever it stands, and no
// point but within a word or a number.
func spoken(text string) bool {
	runes := []rune(text)
	for i, r := range runes {
		if strings.ContainsRune("\"“”„«»`<>{}…", r) || r != '.' && unicode.Is(unicode.STerm, r) {
			return false
		}
		if r == '.' && (i+1 == len(runes) || !unicode.IsLower(runes[i+1]) && !unicode.IsDigit(runes[i+1])) {
			return false
		}
	}
	return true
}

// clause is a description's first sentence as the end of another: "Acme is the home of lanterns. Join us!" says "the home of lanterns".
func clause(description, company string) string {
	text := clean(cut(description, proposal.MaxProfileText))
	sentence, _, _ := uniseg.FirstSentenceInString(text, -1)
	sentence = strings.TrimRightFunc(
		strings.NewReplacer("\"", "", "“", "", "”", "").Replace(sentence),
		func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.STerm, r) },
	)
	if !spoken(sentence) || squeezed(sentence) == squeezed(company) {
		return ""
	}
	for _, verb := range []string{" is ", " – ", " — ", " - ", ": "} {
		if rest, found := strings.CutPrefix(sentence, company+verb); found && company != "" {
			sentence = rest
		}
	}
	return strings.Trim(sentence, " ,;:-–—")
}
