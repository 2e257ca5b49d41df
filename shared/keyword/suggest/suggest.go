// Package suggest finds changes to keywords that would keep noise out, from a workspace's recent mentions, their
// judgements and users' feedback. It proposes; a person accepts.
//
// Every suggestion was tried: shared/match runs the changed keyword over the same mentions, so that its figures are
// counted and not estimated. A suggestion never drops a mention that a user marked as relevant. It rests on enough
// mentions that chance does not explain it: see bounds and chance.
//
// It is pure: no clock, no store, the same result for the same mentions. The function
// keywords/suggestions imports it, and suggestionstore.
package suggest

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"
	"time"

	"earshot/shared/keyword"
)

// Type is the setting of a keyword that a suggestion changes.
type Type string

// The types.
const (
	AddExcludeWords   Type = "add_exclude_words"             // Values: words
	AddExcludeAuthors Type = "add_exclude_authors"           // Values: handles
	AddTerms          Type = "add_additional_terms"          // Values: terms
	ChangeTermsLogic  Type = "change_additional_terms_logic" // Values: the new logic, "all"
	SetExactMatch     Type = "set_exact_match"               // Values: "true"
	DisableSource     Type = "disable_source"                // Values: a platform
)

// A Suggestion is one change of one keyword.
type Suggestion struct {
	ID        string // NewID's
	Type      Type
	KeywordID int64
	Keyword   string   // its text
	Values    []string // 1 to MaxValues, most effective first
	Reason    string   // for people
	Evidence  Evidence
	Examples  []string  // sourceIds of irrelevant mentions that it would leave out, newest first, at most MaxExamples
	CreatedAt time.Time // when it was first found; zero until it is stored
}

// Bounds of a suggestion.
const (
	MaxValues   = 5
	MaxExamples = 3
	MaxFound    = 50 // suggestions that Find returns, and that are stored at once
)

// Evidence is what was counted over the keyword's recent mentions: those that the keyword matches now.
type Evidence struct {
	Mentions            int // how many there are
	Relevant            int // of them, by users or else by the judge
	NotRelevant         int // of them; mentions without a verdict are neither
	Judged              int // of them, by users
	WouldRemove         int // that the changed keyword does not match
	WouldRemoveRelevant int // of those: relevant ones, none of them marked by a user
}

// idLength is the length of an id behind its prefix: 128 bits in base 32.
const idLength = 26

// PrefixID is how ids begin.
const PrefixID = "sug_"

// NewID returns the id of a finding. It is the same for the same values, whatever their order and case.
func NewID(keywordID int64, t Type, values []string) string {
	digest := sha256.New()
	fmt.Fprintf(digest, "%d\x00%s", keywordID, t)
	same := folded(values)
	slices.Sort(same)
	for _, value := range same {
		fmt.Fprintf(digest, "\x00%s", value)
	}
	return PrefixID + strings.ToLower(
		base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(digest.Sum(nil)[:16]),
	)
}

// IsID reports whether a text can be a suggestion's id.
func IsID(text string) bool {
	rest, found := strings.CutPrefix(text, PrefixID)
	return found && len(rest) == idLength && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// Apply makes the change. Existing values stay in their place. New values are added as far as their list has room
// (keyword.MaxTerms). changed is false if the change is in place, or can no longer be made: no room is left, or the
// keyword would be left without a platform. InPlace tells the two apart.
func (s Suggestion) Apply(k *keyword.Keyword) (changed bool) {
	switch s.Type {
	case AddExcludeWords:
		return add(&k.ExcludeWords, s.Values, fold)
	case AddExcludeAuthors:
		return add(&k.ExcludeAuthors, s.Values, handle)
	case AddTerms:
		return s.narrows(k) && add(&k.AdditionalTerms, s.Values, fold)
	case ChangeTermsLogic:
		changed = k.AdditionalTermsLogic != keyword.All && len(k.AdditionalTerms) > 1
		if changed {
			k.AdditionalTermsLogic = keyword.All
		}
	case SetExactMatch:
		changed, k.ExactMatch = !k.ExactMatch, true
	case DisableSource:
		left := without(k.Platforms, s.Values)
		if changed = len(left) > 0 && (k.Platforms == nil || len(left) < len(k.Platforms)); changed {
			k.Platforms = left
		}
	}
	return changed
}

// InPlace reports whether the keyword has all values of the suggestion, whoever set them.
func (s Suggestion) InPlace(k keyword.Keyword) bool {
	switch s.Type {
	case AddExcludeWords:
		return holds(k.ExcludeWords, s.Values, fold)
	case AddExcludeAuthors:
		return holds(k.ExcludeAuthors, s.Values, handle)
	case AddTerms:
		return holds(k.AdditionalTerms, s.Values, fold)
	case ChangeTermsLogic:
		return k.AdditionalTermsLogic == keyword.All
	case SetExactMatch:
		return k.ExactMatch
	case DisableSource:
		return k.Platforms != nil && len(without(k.Platforms, s.Values)) == len(k.Platforms)
	}
	return false
}

// Open reports whether the suggestion still applies: the keyword is active, and the change is not in place and can be
// made.
func (s Suggestion) Open(k keyword.Keyword) bool {
	if k.ID != s.KeywordID || k.Paused || s.InPlace(k) {
		return false
	}
	return s.Apply(&k)
}

// narrows reports whether further terms make a keyword stricter. If any of its terms is enough, one more would let more
// in.
func (s Suggestion) narrows(k *keyword.Keyword) bool {
	if k.AdditionalTermsLogic == keyword.All {
		return len(s.Values) == 1 // of terms that were found to do together, any is enough
	}
	return len(k.AdditionalTerms) == 0
}

// add appends missing values as far as there is room. It does not change the given list's array.
func add(list *[]string, values []string, same func(string) string) (changed bool) {
	have := map[string]bool{}
	for _, value := range *list {
		have[same(value)] = true
	}
	grown := slices.Clone(*list)
	for _, value := range values {
		if !have[same(value)] && len(grown) < keyword.MaxTerms {
			have[same(value)], grown, changed = true, append(grown, value), true
		}
	}
	*list = grown
	return changed
}

func holds(list, values []string, same func(string) string) bool {
	for _, value := range values {
		if !slices.ContainsFunc(list, func(there string) bool { return same(there) == same(value) }) {
			return false
		}
	}
	return true
}
