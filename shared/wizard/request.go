// Package wizard reads what a person wants to see, in their words, as a filter of mentions. Its rules know platforms,
// tones, topics, languages, times in UTC, followers, counters, ratings, authors, words in quotes, and the keywords and
// feeds of the workspace by name. They never guess: a request with a word that they do not know has no filter, and the
// explanation names the word.
//
// Understand is the rules. With asks a model first, whose answer must pass the same checks; whatever it does wrong,
// the rules decide.
//
// Glossary: a token is a word, number, quotation or sign of the request; a condition is one key of a filter with its
// values; a phrase is a sequence of words with a meaning; a connective is a word or sign between two conditions.
//
// The function ai imports it.
package wizard

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"earshot/shared/filter"
)

// MaxRequest is how many characters a request has at most.
const MaxRequest = 1000

// A Workspace is what a request may name.
type Workspace struct {
	Keywords, Feeds []Named
}

// Named is a keyword by its text, or a feed by its name.
type Named struct {
	ID   int64
	Name string
}

// An Understanding is what a request comes to. It fits POST /mentions and, without limit, view and includeAll, a feed.
type Understanding struct {
	Filters     string // JSON of a filter with no fault; empty: the request was not understood
	Advanced    bool   // whether Filters has groups
	Limit       int    // 0: the request says none
	IncludeAll  bool   // whether mentions that are not relevant are wanted too
	View        int64  // a feed's id; 0: none
	Explanation string // for the person: what is shown, or what was not understood
}

// Understand reads a request by rules. now is in UTC what "today" is.
func Understand(request string, w Workspace, now time.Time) Understanding {
	if fault := unreadable(request); fault != "" {
		return Understanding{Explanation: fault}
	}
	r := &reader{tokens: tokens(request), names: namesOf(w), now: now.UTC()}
	r.read()
	return r.understanding()
}

// unreadable returns why a request cannot be one; empty if it can.
func unreadable(request string) string {
	strange := func(c rune) bool {
		return unicode.IsControl(c) && !unicode.IsSpace(c) || unicode.Is(unicode.Cf, c) && c != '\u200d' && c != '\u200c'
	}
	switch {
	case !utf8.ValidString(request) || strings.ContainsFunc(request, strange):
		return "The request has characters that cannot be read. Write it in plain text."
	case utf8.RuneCountInString(request) > MaxRequest:
		return "The request is too long. Write at most 1000 characters."
	}
	return ""
}

// names are the words of a workspace's keywords and feeds, with the ids of those that have them.
type names struct {
	keywords, feeds map[string][]int64
	texts, titles   map[int64]string // of keywords and of feeds
	longest         int              // words
}

func namesOf(w Workspace) names {
	n := names{map[string][]int64{}, map[string][]int64{}, map[int64]string{}, map[int64]string{}, 1}
	for _, of := range []struct {
		named []Named
		into  map[string][]int64
	}{{w.Keywords, n.keywords}, {w.Feeds, n.feeds}} {
		for _, one := range of.named {
			words := wordsOf(one.Name)
			if len(words) == 0 {
				continue
			}
			key := strings.Join(words, " ")
			of.into[key] = append(of.into[key], one.ID)
			n.longest = max(n.longest, len(words))
		}
	}
	for _, k := range w.Keywords {
		n.texts[k.ID] = k.Name
	}
	for _, f := range w.Feeds {
		n.titles[f.ID] = f.Name
	}
	return n
}

// valid reports whether a request may have a filter.
func valid(written string) bool {
	f, faults := filter.Parse([]byte(written))
	return len(faults) == 0 && len(f.Contradictions()) == 0 && f.Conditions() <= filter.MaxConditions
}
