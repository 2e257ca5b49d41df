package proposal

import (
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/match"
)

// Tracked is the keyword as it listens once everything that is proposed for it is written, what waits for the clean-up
// included. It shares k's lists.
func (k Keyword) Tracked() keyword.Keyword {
	return keyword.Keyword{
		Text: k.Keyword, Context: k.Context, Tag: k.Tag,
		ExactMatch: k.ExactMatch, CaseSensitive: k.CaseSensitive,
		AdditionalTerms: k.AdditionalTerms, AdditionalTermsLogic: k.AdditionalTermsLogic,
		ExcludeWords: k.ExcludeWords, WildcardExcludeWords: k.WildcardExcludeWords, ExcludeAuthors: k.ExcludeAuthors,
		Platforms: k.Platforms,
	}
}

// Initially is the keyword as it listens from apply to the clean-up: what is not approved quietly is as a keyword has
// it of whom nothing was said (no terms, no exclusions, every platform, whole words, no tag, no context). Its text,
// whether case counts and the logic of its terms are always written.
func (k Keyword) Initially() keyword.Keyword {
	written := k.Tracked()
	written.AdditionalTerms = k.quiet(SettingAdditionalTerms, k.AdditionalTerms)
	written.ExcludeWords = k.quiet(SettingExcludeWords, k.ExcludeWords)
	written.WildcardExcludeWords = k.quiet(SettingWildcardExcludeWords, k.WildcardExcludeWords)
	written.ExcludeAuthors = k.quiet(SettingExcludeAuthors, k.ExcludeAuthors)
	if len(k.quiet(SettingPlatforms, k.Platforms)) < len(k.Platforms) {
		written.Platforms = nil // a part of a narrowing would be another narrowing
	}
	if !k.quietly(SettingExactMatch, "") {
		written.ExactMatch = true
	}
	if !k.quietly(SettingTag, "") {
		written.Tag = ""
	}
	if !k.quietly(SettingContext, "") {
		written.Context = ""
	}
	return written
}

// With returns the keyword with an option in place of its own scoping.
func (k Keyword) With(o Option) Keyword {
	k.AdditionalTerms = o.AdditionalTerms
	if o.Platforms != nil {
		k.Platforms = o.Platforms
	}
	return k
}

// quiet are the values of a setting that are written at apply; all of them as they are when none waits.
func (k Keyword) quiet(s Setting, values []string) []string {
	if !slices.ContainsFunc(values, func(value string) bool { return !k.quietly(s, value) }) {
		return values
	}
	quiet := []string{}
	for _, value := range values {
		if k.quietly(s, value) {
			quiet = append(quiet, value)
		}
	}
	return quiet
}

// quietly says whether a value of a setting is written at apply, or the setting itself for the value "". What the
// approvals say of the value goes before what is said of the setting, and where they contradict each other the value
// waits. An approval without terms, or of a setting that is no list, means the whole setting.
func (k Keyword) quietly(s Setting, value string) bool {
	class := k.Approved(s)
	named := false
	for _, approval := range k.Approvals {
		if approval.Setting != s || value != "" && len(approval.Terms) > 0 && !covers(approval.Terms, value) {
			continue
		}
		if !named || approval.Approval != Quietly {
			class, named = approval.Approval, true
		}
	}
	return class == Quietly
}

// covers compares as the matcher does, whether or not a prefix has its asterisk and a handle its @.
func covers(terms []string, value string) bool {
	form := func(s string) string { return match.Form(strings.Trim(match.Stem(s), " @")) }
	return slices.ContainsFunc(terms, func(term string) bool { return form(term) == form(value) })
}
