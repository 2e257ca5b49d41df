// Package relevance judges whether a post means the subject that a workspace listens for. It weighs the sense of a
// keyword in its context against a profile, the exclude terms of other senses, guidelines, and users' feedback on
// earlier posts. It works by English word vectors, and judges a post in another language by its literal words. It keeps
// no state and is safe for concurrent use.
//
// Only shared/judge imports it.
package relevance

import (
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"earshot/shared/judge/dictionary"
	"earshot/shared/judge/embedding"
	"earshot/shared/judge/words"
)

// A Wish is what a workspace wants to find by one keyword.
type Wish struct {
	Keyword    string
	Substring  bool     // the keyword is also matched within words
	Profile    []string // texts about what is meant
	Terms      []string // that stand beside the keyword, and need not be about what is meant
	Products   []string // names that speak for a post anywhere in it
	Domain     string   // of the company: a link to it speaks for a post
	Handles    []string // accounts of the company: a post to one of them is meant
	Named      bool     // the keyword is a proper name, so that capitals tell
	Exclude    []string // words and phrases of the keyword's other meanings
	Guidelines string
	Labels     []Label // newest first; the first MaxLabels count
}

// A Label is a user's judgement of an earlier post.
type Label struct {
	Relevant bool
	Vector   []byte // Space.Vector of the post
}

// Bounds of a wish.
const (
	MaxLabels   = 200
	maxProfile  = 400 // words
	maxExcludes = 64  // words
)

// A Subject is a compiled wish. It is immutable.
type Subject struct {
	keyword     string   // for people
	phrase      []string // words of the keyword
	word        string   // the keyword if it is a single word
	substring   bool
	skip        []int32       // ranks of the keyword's words, which are in every post
	distinctive bool          // the name is hardly used for anything else
	handle      bool          // the keyword names an account, such as "@northwind"
	elsewhere   bool          // the name is that of a person or a place too, which texts write with a capital as well
	named       bool          // the keyword is a proper name
	known       bool          // most people think of a brand first when they read the name
	brand       float32       // how much the name is a brand to most people, 0 to 1
	accounts    []string      // folded handles
	profiled    bool          // there is a profile
	profile     vector        // of length 1
	said        forms         // words of the profile, of four letters and more
	near        forms         // said, with those of Terms
	senses      func() senses // found when first asked for
	excludes    []exclude     // of the other senses
	literals    []literal     // phrases that speak wherever they occur
	domain      string
	learned     correction // by labels
}

type exclude struct {
	meaning vector // of length 1
	share   float32
	rank    int32
}

// A literal is a phrase that speaks for or against a post that contains it.
type literal struct {
	phrase []string
	wanted bool
}

// Subject compiles a wish. With 200 labels it takes about 20 ms. The first post whose meaning is weighed against a profile
// takes some 5 ms more, in which the senses are found.
func (s *Space) Subject(w Wish) *Subject {
	guidelines := ReadGuidelines(w.Guidelines)
	out := &Subject{
		keyword:   w.Keyword,
		phrase:    wordsOf(w.Keyword),
		substring: w.Substring,
		named:     w.Named,
		domain:    domainOf(w.Domain),
	}
	if out.named && len(out.phrase) == 1 {
		out.brand = s.Brand(out.phrase[0])
		out.elsewhere = dictionary.Named(out.phrase[0])
		out.known = dictionary.Brand(out.phrase[0]) && out.brand >= knownFrom
	}
	out.accounts = accounts(w, out.phrase)
	for _, word := range out.phrase {
		for _, form := range []string{word, word + "s"} {
			if rank, ok := s.rank(form); ok {
				out.skip = append(out.skip, int32(rank))
			}
		}
	}
	out.handle = len(out.phrase) > 0 && strings.HasPrefix(strings.TrimSpace(w.Keyword), "@")
	apart := out.handle || signed(w.Keyword, w.Named)
	out.distinctive = apart || s.distinctive(out.phrase)
	texts := append(append([]string{}, w.Profile...), w.Products...)
	if len(out.phrase) == 1 && !apart {
		out.word = out.phrase[0]
	}
	out.said = formsOf(append(wordsOf(texts...), guidelines.For...), out.phrase)
	texts = append(texts, w.Terms...)
	out.near = formsOf(append(wordsOf(texts...), guidelines.For...), out.phrase)
	var parts []part
	out.profile, parts = s.centroid(append(wordsOf(texts...), guidelines.For...), out.skip)
	out.profiled = parts != nil
	out.excludes = s.excludes(append(wordsOf(w.Exclude...), guidelines.Against...), out.skip)
	out.senses = sync.OnceValue(func() senses {
		found := s.sensesOf(out)
		found.middle = s.middle(*out, found, parts)
		return found
	})
	for _, name := range w.Products {
		out.literals = appendLiteral(out.literals, name, true, out.phrase)
	}
	for _, term := range w.Exclude {
		out.literals = appendLiteral(out.literals, term, false, out.phrase)
	}
	out.learned = s.learn(out, w.Labels[:min(len(w.Labels), MaxLabels)])
	return out
}

// signed reports whether a keyword has a sign that tells it from the word in it, such as ".NET", "C#" and "Disney+", or a
// name has a number besides its words, such as "7-Eleven". A post that matched has these too.
func signed(keyword string, named bool) bool {
	text := strings.TrimSpace(keyword)
	if strings.HasPrefix(text, ".") || strings.HasSuffix(text, "+") || strings.HasSuffix(text, "#") {
		return true
	}
	apart := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return named && slices.ContainsFunc(strings.FieldsFunc(text, apart), func(part string) bool {
		return !strings.ContainsFunc(part, unicode.IsLetter)
	})
}

// distinctive reports whether a name is hardly used for anything else: a made-up word, a brand that is in no dictionary
// however often people write of it, or a phrase with a word that is not very common. A word of the dictionary stays one
// however seldom it is written, such as "harvester", unless a known brand has it.
func (s *Space) distinctive(phrase []string) bool {
	const common, commonest = 40_000, 300 // ranks
	if len(phrase) == 1 && dictionary.Has(phrase[0]) && !dictionary.Brand(phrase[0]) {
		return false
	}
	for _, word := range phrase {
		rank, ok := s.rank(word)
		if !ok || rank >= common || len(phrase) > 1 && rank >= commonest {
			return true
		}
	}
	return len(phrase) == 1 && unlisted(phrase[0])
}

// unlisted reports whether a word that the dictionary could have is not in it. Two letters are too few to tell a name.
func unlisted(word string) bool {
	const least = 3
	plain := !strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' })
	return plain && len(word) >= least && !dictionary.Has(word)
}

// knownFrom is how much of a brand a name of the list of brands is to most people, so that it is no person's first.
const knownFrom = 0.75

// A part is a word of a centroid.
type part struct {
	rank  int
	share float32
}

// centroid is the mean meaning of a list of words, of length 1. Words that agree with the others weigh more. parts is
// nil if there are too few.
func (s *Space) centroid(list []string, skip []int32) (meaning vector, parts []part) {
	var a sum
	for _, word := range list[:min(len(list), maxProfile)] {
		if rank, known := s.rank(word); known && !among(int32(rank), skip) {
			a.add(s.table.Vector(rank), embedding.Weight(rank))
			parts = append(parts, part{rank: rank})
		}
	}
	first := a.vector(&s.mean)
	s.leaveCommon(&first)
	first.unit()
	for i, p := range parts {
		word := s.word(p.rank)
		length := float32(math.Sqrt(float64(word.dot(&word))))
		agrees := math.Exp(agreement * float64(first.dot(&word)/max(length, 1)-usualAgreement))
		parts[i].share = embedding.Weight(p.rank) * float32(agrees)
		meaning.add(&word, parts[i].share)
	}
	meaning.unit()
	if a.weight() < enough {
		return meaning, nil
	}
	return meaning, parts
}

const (
	enough         = 1   // the least weight of a profile: about two telling words
	agreement      = 4   // by how much more a word weighs that agrees with the others, as log of the weight a unit of cosine
	usualAgreement = 0.3 // cosine of a word that weighs as before
)

func (s *Space) excludes(list []string, skip []int32) (out []exclude) {
	total := float32(0)
	for _, word := range list {
		rank, known := s.rank(word)
		weight := embedding.Weight(rank)
		if !known || among(int32(rank), skip) || weight < 0.05 ||
			len(out) == maxExcludes { // function words have no sense
			continue
		}
		meaning := s.word(rank)
		meaning.unit()
		out = append(out, exclude{meaning: meaning, share: weight, rank: int32(rank)})
		total += weight
	}
	for i := range out {
		out[i].share /= total
	}
	return out
}

// appendLiteral adds a phrase to list, unless the keyword contains it.
func appendLiteral(list []literal, text string, wanted bool, keyword []string) []literal {
	phrase := wordsOf(text)
	if len(phrase) == 0 || len(list) == 2*maxExcludes ||
		strings.Contains(" "+strings.Join(keyword, " ")+" ", " "+strings.Join(phrase, " ")+" ") {
		return list
	}
	return append(list, literal{phrase: phrase, wanted: wanted})
}

// domainOf returns the host in what people write as their domain.
func domainOf(text string) string {
	for _, word := range words.Cut("https://" +
		strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(text), "https://"), "http://")) {
		if word.Kind == words.Link && strings.Contains(word.Text, ".") {
			return word.Text
		}
	}
	return ""
}
