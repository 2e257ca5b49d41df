// Package cleanup is the clean-up step of the setup engine. A proposal may hold settings of a keyword that apply did
// not write ("Setting approval" in the description). Once the keyword's first posts are there, this package weighs
// those settings again, with figures counted over the posts. It also finds exclusions in those posts that the proposal
// did not have, because a sample shows little of the noise that a month brings.
//
// It is pure: no clock, no store. setupstore, which stores what waits, imports it, and the function setup, which shows
// and writes the settings.
package cleanup

import (
	"slices"
	"strconv"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/proposal"
)

// A Change is what waits of one setting of a keyword.
type Change struct {
	Setting proposal.Setting `json:"setting"`
	// Terms are what comes in: words, prefixes or handles to be added, the terms that are asked for, all platforms that
	// are left, "true" or "false" of exactMatch, the tag, the context. Never empty.
	Terms []string `json:"terms"`
	// Was is what apply wrote of additionalTerms.
	Was []string `json:"was,omitempty"`
}

// A State is what became of a keyword's setting since apply.
type State int

// The states.
const (
	Open      State = iota // it can be written
	InPlace                // somebody has written all of it
	Overruled              // somebody has decided otherwise, or there is no room for it
)

// Split is a proposed keyword as it is written at apply, and what waits for the clean-up, in the order of
// proposal.Settings.
func Split(k proposal.Keyword) (written keyword.Keyword, waits []Change) {
	if len(k.Platforms) == 0 {
		k.Platforms = nil
	}
	written, whole := k.Initially(), k.Tracked()
	if written.AdditionalTermsLogic == "" {
		written.AdditionalTermsLogic = keyword.Any
	}
	for _, setting := range proposal.Settings() {
		change := Change{Setting: setting}
		switch setting {
		case proposal.SettingTag:
			if written.Tag != whole.Tag {
				change.Terms = []string{string(whole.Tag)}
			}
		case proposal.SettingExactMatch:
			if written.ExactMatch != whole.ExactMatch {
				change.Terms = []string{strconv.FormatBool(whole.ExactMatch)}
			}
		case proposal.SettingContext:
			if written.Context != whole.Context {
				change.Terms = []string{whole.Context}
			}
		case proposal.SettingPlatforms:
			if len(written.Platforms) != len(whole.Platforms) {
				change.Terms = whole.Platforms
			}
		default:
			was := *list(&written, setting)
			change.Terms = missing(was, *list(&whole, setting), setting, whole.CaseSensitive)
			if setting == proposal.SettingAdditionalTerms {
				change.Was = was
			}
		}
		if len(change.Terms) > 0 {
			waits = append(waits, change)
		}
	}
	return written, waits
}

// State is how a change stands to a keyword as it is. Exclusions that users added stand beside it. Terms are another
// matter: where any of them is enough one more lets more in, so whoever changed them has decided.
func (c Change) State(k keyword.Keyword) State {
	switch c.Setting {
	case proposal.SettingTag:
		return stateOf(string(k.Tag), "", c.Terms[0])
	case proposal.SettingContext:
		return stateOf(k.Context, "", c.Terms[0])
	case proposal.SettingExactMatch:
		return stateOf(strconv.FormatBool(k.ExactMatch), "true", c.Terms[0])
	case proposal.SettingPlatforms:
		switch {
		case k.Platforms == nil:
			return Open
		case same(k.Platforms, c.Terms, c.Setting, false):
			return InPlace
		}
		return Overruled
	}
	have := *list(&k, c.Setting)
	switch {
	case len(missing(have, c.Terms, c.Setting, k.CaseSensitive)) == 0:
		return InPlace
	case c.Setting == proposal.SettingAdditionalTerms && !same(have, c.Was, c.Setting, k.CaseSensitive),
		len(have) >= keyword.MaxTerms:
		return Overruled
	}
	return Open
}

func stateOf(is, was, wanted string) State {
	switch is {
	case wanted:
		return InPlace
	case was:
		return Open
	}
	return Overruled
}

// Apply makes a change that is Open; of values, those come in for which there is room (keyword.MaxTerms). k's lists
// stay as they are.
func (c Change) Apply(k *keyword.Keyword) {
	switch c.Setting {
	case proposal.SettingTag:
		k.Tag = keyword.Tag(c.Terms[0])
	case proposal.SettingContext:
		k.Context = c.Terms[0]
	case proposal.SettingExactMatch:
		k.ExactMatch = c.Terms[0] == "true"
	case proposal.SettingPlatforms:
		k.Platforms = slices.Clone(c.Terms)
	default:
		into := list(k, c.Setting)
		more := missing(*into, c.Terms, c.Setting, k.CaseSensitive)
		*into = slices.Concat(*into, more[:min(len(more), max(keyword.MaxTerms-len(*into), 0))])
	}
}

// Left is the change with what is not in place yet.
func (c Change) Left(k keyword.Keyword) Change {
	if into := list(&k, c.Setting); into != nil {
		c.Terms = missing(*into, c.Terms, c.Setting, k.CaseSensitive)
	}
	return c
}

// list is one of a keyword's lists of terms; nil of another setting.
func list(k *keyword.Keyword, s proposal.Setting) *[]string {
	switch s {
	case proposal.SettingAdditionalTerms:
		return &k.AdditionalTerms
	case proposal.SettingExcludeWords:
		return &k.ExcludeWords
	case proposal.SettingWildcardExcludeWords:
		return &k.WildcardExcludeWords
	case proposal.SettingExcludeAuthors:
		return &k.ExcludeAuthors
	}
	return nil
}

// missing are the terms that have does not have, each once.
func missing(have, terms []string, s proposal.Setting, cased bool) (left []string) {
	there := map[string]bool{}
	for _, term := range have {
		there[form(term, s, cased)] = true
	}
	for _, term := range terms {
		if f := form(term, s, cased); !there[f] {
			there[f], left = true, append(left, term)
		}
	}
	return left
}

func same(a, b []string, s proposal.Setting, cased bool) bool {
	return len(missing(a, b, s, cased)) == 0 && len(missing(b, a, s, cased)) == 0
}

// form is how values of a setting compare: as the matcher reads them.
func form(value string, s proposal.Setting, cased bool) string {
	switch {
	case s == proposal.SettingPlatforms:
		return strings.ToLower(value)
	case s == proposal.SettingExcludeAuthors:
		return match.Author(value)
	case s == proposal.SettingWildcardExcludeWords:
		value = match.Stem(value)
	}
	if cased {
		return match.CasedForm(value)
	}
	return match.Form(value)
}
