package keywords

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/keyword"
	"earshot/shared/text/fold"
	"earshot/shared/web"
)

// KeywordSettings are the settings of a keyword besides its text. A setting that is not given gets its default on
// creation and stays on a change.
type KeywordSettings struct {
	Context              *string          `json:"context,omitempty" doc:"Tells the judge of relevance whose keyword this is and what it should find. At most 200 characters."`
	AdditionalTerms      []string         `json:"additionalTerms,omitempty" maxItems:"100" doc:"Further terms of 1 to 100 characters. additionalTermsLogic says how many must occur too."`
	AdditionalTermsLogic *KeywordLogic    `json:"additionalTermsLogic,omitempty"`
	ExactMatch           *bool            `json:"exactMatch,omitempty" doc:"true: match whole words, and the keyword's own domain, @handle and possessive. false: match wherever its letters occur."`
	CaseSensitive        *bool            `json:"caseSensitive,omitempty"`
	Platforms            KeywordPlatforms `json:"platforms,omitzero"`
	ExcludeWords         []string         `json:"excludeWords,omitempty" maxItems:"100" doc:"Whole words or phrases of 1 to 100 characters. A post with one of them does not match."`
	WildcardExcludeWords []string         `json:"wildcardExcludeWords,omitempty" maxItems:"100" doc:"Beginnings of words, of 1 to 100 characters, with or without a final asterisk. A post with one of them does not match."`
	ExcludeAuthors       []string         `json:"excludeAuthors,omitempty" maxItems:"100" doc:"Handles of 1 to 100 characters, with or without the @. Posts of these authors do not match."`
	Tag                  NullTag          `json:"tag,omitzero"`
	Paused               *bool            `json:"paused,omitempty" doc:"A paused keyword collects and matches nothing."`
}

func (s *KeywordSettings) lists() [4][]string {
	return [4][]string{s.AdditionalTerms, s.ExcludeWords, s.WildcardExcludeWords, s.ExcludeAuthors}
}

// faults returns the faults of the settings.
func (s *KeywordSettings) faults(at *huma.PathBuffer) (faults []error) {
	if s.Context != nil {
		text := strings.TrimSpace(*s.Context)
		switch {
		case utf8.RuneCountInString(text) > keyword.MaxContext:
			faults = append(faults, web.Fault(at, "context", "max_length", "expected at most 200 characters"))
		case strings.ContainsFunc(text, unicode.IsControl):
			faults = append(
				faults, web.Fault(at, "context", "control_characters", "control characters are not allowed"),
			)
		}
	}
	for i, list := range termLists() {
		faults = append(faults, list.faults(at, s.lists()[i])...)
	}
	if wrong := s.Tag.wrong; wrong != nil {
		faults = append(faults, web.Fault(at, "tag", wrong.code, wrong.message))
	}
	for _, wrong := range s.Platforms.wrong {
		faults = append(faults, faultAt(at, "platforms"+wrong.at, wrong.code, wrong.message))
	}
	return faults
}

// keywordFaults returns the faults of a keyword's text. The schema reports an empty text.
func keywordFaults(at *huma.PathBuffer, text string) []error {
	if text == "" {
		return nil
	}
	text = strings.TrimSpace(text)
	if code, message := textFault(text, fold.Form(text)); code != "" {
		return []error{web.Fault(at, "keyword", code, message)}
	}
	return nil
}

// apply sets what is given. Of terms that differ only in case it keeps the first, unless the keyword is case-sensitive.
func (s *KeywordSettings) apply(k *keyword.Keyword) {
	if s.Context != nil {
		k.Context = strings.TrimSpace(*s.Context)
	}
	if s.AdditionalTermsLogic != nil {
		k.AdditionalTermsLogic = keyword.Logic(*s.AdditionalTermsLogic)
	}
	cased := k.CaseSensitive
	for from, to := range map[*bool]*bool{s.ExactMatch: &k.ExactMatch, s.CaseSensitive: &k.CaseSensitive, s.Paused: &k.Paused} {
		if from != nil {
			*to = *from
		}
	}
	if s.Platforms.Given {
		k.Platforms = slices.Clone(s.Platforms.Names)
	}
	if s.Tag.Given {
		k.Tag = s.Tag.Tag
	}
	for i, list := range termLists() {
		terms := list.of(k)
		given := s.lists()[i]
		if given != nil {
			*terms = trimmed(given)
		}
		if given != nil || cased != k.CaseSensitive {
			*terms = list.distinct(*terms, k.CaseSensitive)
		}
	}
}
