package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/source"
	"earshot/shared/source/catalogue"
	"earshot/shared/text"
)

// MaxAsks is the most searches that a Plan asks of a platform, whatever its caller allows.
const MaxAsks = 8

// maxAsked is the characters of a phrase that platforms are asked for, as of a keyword.
const maxAsked = keyword.MaxText

// A Plan is how a live platform is asked for a query's posts. The platform applies each ask's phrases and its window.
// Everything else remains: the caller keeps the posts that Matches.
type Plan struct {
	Asks []source.Query // Text, Exact and Also alone; the caller sets the window
	// Skipped is why the platform is not asked at all, as a sentence for people. It is empty if there are asks.
	Skipped string
	// Missed are the alternatives that no ask finds, by their numbers in Query.Alternatives. An alternative that
	// source: keeps from the platform is not among them.
	Missed []int
}

// Live plans how a source is asked, with at most most searches, or MaxAsks if that is less.
//
// Platforms find posts by phrases. An alternative is asked for by the term that says most: that with the most words
// that are not function words, then the longest. A source that takes further phrases (About.Also) gets the other terms
// of the alternative too. An ask whose phrases contain those of another one is left out, because the other finds its
// posts. If there are too many asks, those with a common phrase become one, and then the last ones are left out.
//
// Negations, author:, site:, lang: and which of title and body has a text always remain for Matches. An alternative
// without a word, a phrase or title: cannot be asked for.
func (q Query) Live(about source.About, most int) Plan {
	title := about.Name
	if p, ok := catalogue.Find(about.Name); ok {
		title = p.Title
		if p.Closed != "" {
			return Plan{Skipped: p.Closed}
		}
	}
	if about.Stream {
		return Plan{Skipped: title + " is read as a stream and cannot be searched. The archive has its posts."}
	}
	most = max(0, min(most, MaxAsks))
	var asks []ask
	var plan Plan
	for i, terms := range q.Alternatives() {
		if !possible(terms, about.Name) {
			continue
		}
		if phrases := phrases(terms); len(phrases) > 0 {
			asks = append(asks, ask{phrases, []int{i}})
		} else {
			plan.Missed = append(plan.Missed, i)
		}
	}
	for i, a := range planned(asks, most, 1+about.Also) {
		if i < most {
			plan.Asks = append(plan.Asks, source.Query{Text: a.phrases[0], Exact: true, Also: a.phrases[1:]})
		} else {
			plan.Missed = append(plan.Missed, a.alternatives...)
		}
	}
	slices.Sort(plan.Missed)
	switch {
	case len(plan.Asks) > 0:
	case len(plan.Missed) == 0:
		plan.Skipped = fmt.Sprintf("The query's source: terms leave out %s.", title)
	case len(asks) > 0:
		plan.Skipped = fmt.Sprintf("No search of %s is left for this query.", title)
	default:
		plan.Skipped = fmt.Sprintf("%s finds posts by words, and the query has none. Add a word or a phrase.", title)
	}
	return plan
}

// An ask is a search for posts that have all phrases, the first of which says most.
type ask struct {
	phrases      []string
	alternatives []int
}

// possible reports whether a platform can have a post that the terms about sources admit.
func possible(terms []Term, platform string) bool {
	for _, reply := range []bool{false, true} {
		if reply && platform == "reddit" { // its search finds no comments
			continue
		}
		if !slices.ContainsFunc(terms, func(t Term) bool {
			return t.Field == Source && keyword.Admits(t.Value, platform, reply) == t.Negated
		}) {
			return true
		}
	}
	return false
}

// phrases returns the texts that a post of an alternative has, those first that say most. A longer one is cut at a
// blank. Texts without a letter or a number are left out: platforms drop them.
func phrases(terms []Term) []string {
	var found []string
	for _, t := range terms {
		if t.Negated || t.Field != Text && t.Field != Title {
			continue
		}
		phrase := t.Value
		if short := text.First(phrase, maxAsked); short != phrase {
			at := strings.LastIndexByte(short, ' ')
			if phrase[len(short)] == ' ' {
				at = len(short)
			}
			if at < 0 {
				continue
			}
			phrase = short[:at]
		}
		plain := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
		if strings.ContainsFunc(phrase, plain) && !slices.Contains(found, phrase) {
			found = append(found, phrase)
		}
	}
	slices.SortStableFunc(found, func(a, b string) int {
		return cmp.Or(-cmp.Compare(telling(a), telling(b)), -cmp.Compare(letters(a), letters(b)))
	})
	return found
}

// common are the function words of all languages.
var common = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, language := range text.FunctionWordLanguages() {
		for _, word := range text.FunctionWords(language) {
			words[word] = true
		}
	}
	return words
})

// telling counts the words of a phrase that are not function words.
func telling(phrase string) (n int) {
	words := common()
	for word := range strings.FieldsSeq(match.Form(phrase)) {
		if !words[word] {
			n++
		}
	}
	return n
}

// letters weighs a phrase's length. A letter beyond the alphabets says as much as a syllable.
func letters(phrase string) (n int) {
	for _, r := range phrase {
		n++
		if unicode.In(r, unspaced...) || unicode.Is(unicode.Hangul, r) || unicode.Is(unicode.Katakana, r) {
			n += 2
		}
	}
	return n
}

// planned returns at most most asks, where the phrases let it, with at most size phrases each. They are in the order
// of their first alternatives.
func planned(asks []ask, most, size int) []ask {
	for {
		short := slices.Clone(asks)
		for i, a := range short {
			short[i].phrases = a.phrases[:min(len(a.phrases), size)]
		}
		if short = covered(short); len(short) <= most || !join(&asks) {
			return short
		}
	}
}

// covered leaves out asks whose posts another one finds.
func covered(asks []ask) []ask {
	slices.SortStableFunc(asks, func(a, b ask) int { return cmp.Compare(len(a.phrases), len(b.phrases)) })
	var kept []ask
	for _, a := range asks {
		if i := slices.IndexFunc(kept, a.within); i >= 0 {
			kept[i].alternatives = slices.Concat(kept[i].alternatives, a.alternatives)
		} else {
			kept = append(kept, a)
		}
	}
	slices.SortStableFunc(kept, func(a, b ask) int {
		return cmp.Compare(slices.Min(a.alternatives), slices.Min(b.alternatives))
	})
	return kept
}

// within reports whether all posts of a are posts of b: whether a has all of b's phrases.
func (a ask) within(b ask) bool {
	return !slices.ContainsFunc(b.phrases, func(phrase string) bool { return !slices.Contains(a.phrases, phrase) })
}

// join makes one ask of those with the phrase that most have, by the phrases that all of them have. It returns false if
// no two have a common phrase.
func join(asks *[]ask) bool {
	counts := map[string]int{}
	best := ""
	for _, a := range *asks {
		for _, phrase := range a.phrases {
			counts[phrase]++
		}
	}
	for _, a := range *asks {
		for _, phrase := range a.phrases {
			if counts[phrase] > max(1, counts[best]) {
				best = phrase
			}
		}
	}
	if best == "" {
		return false
	}
	var rest []ask
	var made ask
	for _, a := range *asks {
		switch {
		case !slices.Contains(a.phrases, best):
			rest = append(rest, a)
		case made.phrases == nil:
			made = ask{slices.Clone(a.phrases), a.alternatives}
		default:
			made.alternatives = slices.Concat(made.alternatives, a.alternatives)
			made.phrases = slices.DeleteFunc(made.phrases, func(phrase string) bool {
				return !slices.Contains(a.phrases, phrase)
			})
		}
	}
	*asks = append(rest, made)
	return true
}
