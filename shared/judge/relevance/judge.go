package relevance

import (
	"math"
	"strings"

	"earshot/shared/judge/dictionary"
	"earshot/shared/judge/embedding"
	"earshot/shared/judge/words"
	spoken "earshot/shared/language"
)

// An Opinion is the evidence for and against a post.
type Opinion struct {
	LogOdds float32 // of being relevant; 0 is even
	English bool    // the meaning of its words took part

	person      bool // in the language of the post, the keyword is no word, and a name of people or places
	distinctive bool // in the language of the post, the keyword hardly means anything else
	shared      int  // words of the profile near the keyword
	told        int  // words near the keyword that the language uses of companies

	space    *Space
	subject  *Subject
	text     Text
	context  []contextWord // words that took part
	naming   float32       // share of how the keyword is written
	meaning  float32       // share of profile and exclude terms in LogOdds
	learned  float32       // share of labels
	account  string        // of the company, that the post addresses; or ""
	links    bool          // to the company's domain
	wanted   *literal
	unwanted *literal
}

// A contextWord is a word around the keyword, with its weight.
type contextWord struct {
	at     int
	weight float32
}

// Log odds from other evidence than meaning. A distinctive name is believed until its context speaks against it.
const (
	priorDistinctive   = 2.0
	priorNoProfile     = 0.4  // of a common word without a profile
	priorNoContext     = -0.3 // of a common word without a word around it
	beliefInContext    = 0.4  // share of the evidence against a distinctive name that counts, because context and exclude terms are about other names
	priorForeign       = 0.4  // of a word in another language that does not have it, where it is more likely a name
	priorTheirs        = -0.4 // and in a language that has it
	byShared           = 0.8  // of each word of the profile, up to mostShared
	byOfCompanies      = 0.6  // of each word about companies, up to mostShared, where a capital tells no name
	byOfCompaniesAside = 0.3  // and where a capital tells it
	mostShared         = 2
	byLink             = 2.5
	byProduct          = 1.0
	byExcludeTerm      = 1.0
	background         = 0.168 // the cosine that any text has with a profile
	backgroundExclude  = 0.12  // and with exclude terms, where there is no profile
	profileShare       = 0.7   // a profile has many words and an exclude term one, so its cosines are higher
	fewWords           = 0.5   // weight of words at which the meaning counts half
	titleWords         = 2     // weight of a title's words
	moreWords          = 1     // how much more the meaning counts for each further telling word
)

// English is the language whose words the space has.
const English = "english"

// Judge weighs a post that contains the subject's keyword, or that matched by something other than its text. language
// is that of the text, as package dictionary names it, or empty.
func (s *Space) Judge(subject *Subject, t Text, language string) Opinion {
	o := Opinion{English: language == English, space: s, subject: subject, text: t, account: subject.account(t)}
	nouns := spoken.CapitalNouns(language) && t.speaks(language)
	theirs := !o.English && subject.word != "" && (dictionary.Common(subject.word, language) ||
		dictionary.Rare(subject.word, language) && !(nouns && subject.elsewhere)) // which is a person's
	borrowed := !o.English && subject.word != "" && dictionary.Has(subject.word) // any language may have it as a word
	o.distinctive = subject.distinctive && !theirs
	window := subject.window(t)
	o.person = nouns && subject.elsewhere && !subject.known && !theirs
	o.LogOdds = subject.prior(o.distinctive, o.English, theirs || o.person)
	switch {
	case o.account != "":
		o.LogOdds = priorDistinctive
	case subject.named && !o.distinctive && (o.English || theirs || borrowed):
		o.naming = subject.naming(t, window.found, language, nouns)
		o.LogOdds += o.naming
	}
	if o.English {
		o.weigh(window)
	}
	if !o.distinctive {
		o.share(window, language, nouns)
	}
	o.literally(window)
	return o
}

// prior returns the log odds of a post by its keyword alone. unclear reports whether the keyword is a word of the
// post's language, which is not English, or a person's name where every noun has a capital.
func (subject *Subject) prior(distinctive, english, unclear bool) float32 {
	switch {
	case distinctive:
		return priorDistinctive
	case unclear:
		return priorTheirs
	case !english:
		return priorForeign
	case !subject.profiled:
		return priorNoProfile
	}
	return 0
}

// belief returns the evidence of profile and exclude terms on a meaning of length 1, as log odds. Words around a handle
// cannot tell that another account is meant.
func (subject *Subject) belief(meaning *vector, addressed bool) float32 {
	said := sharpness * subject.evidence(meaning)
	switch {
	case addressed:
		return max(0, said)
	case subject.distinctive:
		return beliefInContext * said
	}
	return said
}

// weigh adds the meaning of the words around the keyword.
func (o *Opinion) weigh(w window) {
	s := o.space
	o.context = o.subject.context(o.text, w)
	var a sum
	for _, p := range o.context {
		a.add(s.table.Vector(int(o.text.ranks[p.at])), p.weight)
	}
	if a.total == 0 {
		if o.subject.profiled && !o.subject.distinctive && o.account == "" {
			o.LogOdds += priorNoContext
		}
		return
	}
	meaning := a.vector(&s.mean)
	s.leaveCommon(&meaning)
	meaning.unit()
	trust := a.weight() / (a.weight() + fewWords)
	if !o.subject.distinctive && o.account == "" {
		trust *= 1 + moreWords*max(0, a.weight()-titleWords)
	}
	o.meaning = trust * o.subject.belief(&meaning, o.account != "")
	if o.meaning < 0 && !o.subject.distinctive {
		sure := min(max(o.subject.brand*sureByBrand, o.naming*sureByNaming), 1)
		o.meaning *= 1 - (1-beliefInContext)*sure
	}
	if o.subject.learned.labels > 0 {
		o.learned = trust*o.subject.learned.direction.dot(&meaning) + o.subject.learned.bias
	}
	o.LogOdds += o.meaning + o.learned
}

// evidence returns the evidence of profile and exclude terms on a meaning of length 1, in cosines; 0 is even. It is the
// nearness to the profile and to its kin, less the nearness to exclude terms, to the other senses or to no sense. The
// nearest of these counts most.
func (subject *Subject) evidence(meaning *vector) float32 {
	if !subject.profiled {
		if len(subject.excludes) == 0 {
			return 0
		}
		return -max(0, either(subject.nearnessToExcludes(meaning), backgroundExclude)-backgroundExclude)
	}
	near, ground, senses := profileShare*subject.profile.dot(meaning), float32(background), subject.senses()
	if len(senses.kin) > 0 {
		near = (1-kinShare)*near + kinShare*nearness(senses.kin, meaning)
	}
	if len(senses.others) > 0 {
		ground += groundRise * (nearness(senses.others, meaning) - usualNearness)
	}
	if len(subject.excludes) == 0 {
		return near - max(0, ground)
	}
	return near - either(subject.nearnessToExcludes(meaning), ground) - senses.middle
}

// either is a soft maximum.
func either(a, b float32) float32 {
	const sharpness = 12
	return float32(math.Log((math.Exp(sharpness*float64(a))+math.Exp(sharpness*float64(b)))/2) / sharpness)
}

// nearnessToExcludes is that of a meaning of length 1 to the exclude terms, in cosines.
func (subject *Subject) nearnessToExcludes(meaning *vector) float32 {
	mass, shares := 0.0, float32(0)
	for i := range subject.excludes {
		e := &subject.excludes[i]
		mass += float64(e.share) * math.Exp(nearest*float64(e.meaning.dot(meaning)))
		shares += e.share
	}
	return float32(math.Log(mass/float64(shares)) / nearest)
}

// reach is how far from the keyword words still count.
const reach = 60

// A window is the range of words that count.
type window struct {
	found    []int // the keyword
	from, to int
}

// window returns the keyword's surroundings, or the whole text if the keyword does not occur in it.
func (subject *Subject) window(t Text) window {
	w := window{found: subject.occurrences(t), to: len(t.words)}
	if n := len(w.found); n > 0 {
		w.from, w.to = max(0, w.found[0]-reach), min(w.to, w.found[n-1]+reach)
	}
	return w
}

// context returns the words around the keyword. The nearer they are, the more they weigh. Without the keyword it
// returns all words of the window, up to maxWords.
func (subject *Subject) context(t Text, w window) []contextWord {
	out, next := make([]contextWord, 0, min(w.to-w.from, maxWords)), 0
	for at := w.from; at < w.to && len(out) < maxWords; at++ {
		rank := t.ranks[at]
		if rank < 0 || among(rank, subject.skip) {
			continue
		}
		weight := embedding.Weight(int(rank))
		if len(w.found) > 0 {
			for next+1 < len(w.found) && distance(w.found[next+1], at) <= distance(w.found[next], at) {
				next++
			}
			far := distance(w.found[next], at)
			if far > reach {
				continue
			}
			weight *= max(0.2, 1/(1+0.1*float32(far)))
		}
		out = append(out, contextWord{at: at, weight: weight})
	}
	return out
}

func distance(a, b int) int { return max(a-b, b-a) }

// In reports whether the keyword occurs in a text.
func (subject *Subject) In(t Text) bool {
	for at := range t.words {
		if len(subject.phrase) > 0 && stands(subject.phrase, subject.substring, t.words[at:]) {
			return true
		}
	}
	return false
}

// occurrences returns where the keyword begins, at most 8 places.
func (subject *Subject) occurrences(t Text) (found []int) {
	if len(subject.phrase) == 0 {
		return nil
	}
	for at := range t.words {
		if stands(subject.phrase, subject.substring, t.words[at:]) {
			if found = append(found, at); len(found) == 8 {
				break
			}
		}
	}
	return found
}

// stands reports whether a phrase begins here. Its last word may be a plural or a genitive.
func stands(phrase []string, substring bool, rest []words.Word) bool {
	if len(rest) < len(phrase) {
		return false
	}
	for i, word := range phrase {
		text := rest[i].Text
		switch {
		case rest[i].Kind == words.Link:
			return false
		case text == word:
		case i < len(phrase)-1 && !substring:
			return false
		case substring && strings.Contains(text, word):
		case strings.HasPrefix(text, word) &&
			(text[len(word):] == "s" || text[len(word):] == "'s" || text[len(word):] == "s'"):
		default:
			return false
		}
	}
	return true
}

// literally adds evidence that holds in any language: a link to the company and its products anywhere, and exclude
// terms near the keyword.
func (o *Opinion) literally(w window) {
	subject := o.subject
	for at := range o.text.words {
		word := &o.text.words[at]
		if word.Kind == words.Link {
			if !o.links && subject.domain != "" &&
				(word.Text == subject.domain || strings.HasSuffix(word.Text, "."+subject.domain)) {
				o.links = true
				o.LogOdds += byLink
			}
			continue
		}
		if !o.links && subject.domain != "" && spells(o.text.words[at:], subject.domain) {
			o.links = true
			o.LogOdds += byLink
		}
		for i := range subject.literals {
			l := &subject.literals[i]
			if l.phrase[0][0] == word.Text[0] && stands(l.phrase, false, o.text.words[at:]) {
				o.take(l, at >= w.from && at < w.to)
			}
		}
	}
}

// spells reports whether a text begins with a domain without a scheme, such as "acme.de", whose labels are words of
// their own.
func spells(rest []words.Word, domain string) bool {
	for i := 0; i < len(rest); i++ {
		label, further, more := strings.Cut(domain, ".")
		if rest[i].Text != label || i > 0 && rest[i].Capital {
			return false
		}
		if !more {
			return i > 0
		}
		if rest[i].Ends != '.' {
			return false
		}
		domain = further
	}
	return false
}

// take counts a literal. Only the first of each kind counts.
func (o *Opinion) take(l *literal, near bool) {
	switch {
	case l.wanted && o.wanted == nil:
		o.wanted = l
		o.LogOdds += byProduct
	case !l.wanted && o.unwanted == nil && near:
		o.unwanted = l
		if o.distinctive || o.account != "" {
			o.LogOdds -= beliefInContext * byExcludeTerm
		} else {
			o.LogOdds -= byExcludeTerm
		}
	}
}
