package keywords

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/keyword"
	"earshot/shared/store/listenstore"
	"earshot/shared/web"
)

// Keyword is a keyword on the wire.
type Keyword struct {
	ID                   int64                `json:"id" minimum:"1" maximum:"9007199254740991"`
	Keyword              string               `json:"keyword" doc:"The text to find in titles and bodies."`
	Context              string               `json:"context" doc:"Tells the judge of relevance whose keyword this is and what it should find."`
	AdditionalTerms      []string             `json:"additionalTerms" doc:"Further terms. additionalTermsLogic says how many must occur too."`
	AdditionalTermsLogic KeywordLogic         `json:"additionalTermsLogic"`
	ExactMatch           bool                 `json:"exactMatch" doc:"true: match whole words, and the keyword's own domain, @handle and possessive. false: match wherever its letters occur."`
	CaseSensitive        bool                 `json:"caseSensitive"`
	Platforms            KeywordPlatforms     `json:"platforms"`
	ExcludeWords         []string             `json:"excludeWords" doc:"Whole words or phrases. A post with one of them does not match."`
	WildcardExcludeWords []string             `json:"wildcardExcludeWords" doc:"Beginnings of words, with or without a final asterisk. A post with one of them does not match."`
	ExcludeAuthors       []string             `json:"excludeAuthors" doc:"Handles, with or without the @. Posts of these authors do not match."`
	Tag                  web.Null[KeywordTag] `json:"tag"`
	Paused               bool                 `json:"paused" doc:"A paused keyword collects and matches nothing."`
	Volume               KeywordVolume        `json:"volume"`
	CreatedAt            string               `json:"createdAt" format:"date-time"`
	UpdatedAt            string               `json:"updatedAt" format:"date-time"`
}

// KeywordVolume is how much was found.
type KeywordVolume struct {
	Last7d  int64 `json:"last7d" doc:"Stored mentions that were posted in the last 7 days of UTC, including today."`
	Last30d int64 `json:"last30d" doc:"Stored mentions that were posted in the last 30 days of UTC, including today."`
}

// ListKeywordsInput selects a page, or all keywords without a limit.
type ListKeywordsInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" doc:"The largest number of keywords in a page. Without it, the page has all that follow."`
	Cursor string `query:"cursor" minLength:"1" doc:"The nextCursor of a page."`
}

// KeywordList is a page of a workspace's keywords, or all of them.
type KeywordList struct {
	Data       []Keyword      `json:"data"`
	Pagination web.Pagination `json:"pagination"`
}

// FromKeyword returns a keyword with its volume as it is on the wire.
func FromKeyword(k keyword.Keyword, volume listenstore.KeywordVolume) Keyword {
	return Keyword{
		ID:                   k.ID,
		Keyword:              k.Text,
		Context:              k.Context,
		AdditionalTerms:      there(k.AdditionalTerms),
		AdditionalTermsLogic: KeywordLogic(k.AdditionalTermsLogic),
		ExactMatch:           k.ExactMatch,
		CaseSensitive:        k.CaseSensitive,
		Platforms:            KeywordPlatforms{Names: k.Platforms, Given: true},
		ExcludeWords:         there(k.ExcludeWords),
		WildcardExcludeWords: there(k.WildcardExcludeWords),
		ExcludeAuthors:       there(k.ExcludeAuthors),
		Tag:                  web.NullIfEmpty(KeywordTag(k.Tag)),
		Paused:               k.Paused,
		Volume:               KeywordVolume{volume.Last7, volume.Last30},
		CreatedAt:            web.FormatTime(k.CreatedAt),
		UpdatedAt:            web.FormatTime(k.UpdatedAt),
	}
}

// there returns an array that is present on the wire even if it is empty.
func there(texts []string) []string { return append([]string{}, texts...) }

// KeywordLogic is how many of the additional terms must occur.
type KeywordLogic string

// Schema lists its values.
func (KeywordLogic) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:        huma.TypeString,
		Enum:        []any{string(keyword.Any), string(keyword.All)},
		Description: "How many of the additional terms must occur.",
	}
}

// KeywordTag is what a keyword is about.
type KeywordTag string

// Schema lists its values.
func (KeywordTag) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:        huma.TypeString,
		Enum:        []any{string(keyword.OwnBrand), string(keyword.Competitor), string(keyword.IndustryTerm)},
		Description: "What the keyword is about.",
	}
}

// NullTag is a tag that may be null, and that a change may leave out. Like KeywordPlatforms, it keeps its fault for
// faults to report.
type NullTag struct {
	Tag   keyword.Tag // empty: null
	Given bool        // also by null

	wrong *placed // set if the JSON is neither a tag nor null
}

// Schema describes it to the document.
func (NullTag) Schema(registry huma.Registry) *huma.Schema {
	return &huma.Schema{
		Extensions: map[string]any{"anyOf": []*huma.Schema{KeywordTag("").Schema(registry), {Type: "null"}}},
	}
}

// UnmarshalJSON reads a tag or null, and keeps the fault of anything else.
func (n *NullTag) UnmarshalJSON(data []byte) error {
	*n = NullTag{Given: true}
	var tag *keyword.Tag
	switch {
	case json.Unmarshal(data, &tag) != nil:
		n.wrong = &placed{"", "type", "expected string or null"}
	case tag == nil:
	case *tag == keyword.OwnBrand || *tag == keyword.Competitor || *tag == keyword.IndustryTerm:
		n.Tag = *tag
	default:
		n.wrong = &placed{
			"",
			"enum",
			fmt.Sprintf(
				"expected one of %s, %s and %s, or null", keyword.OwnBrand, keyword.Competitor, keyword.IndustryTerm,
			),
		}
	}
	return nil
}

// IsZero reports whether neither a tag nor null is given.
func (n NullTag) IsZero() bool { return !n.Given }

// KeywordPlatforms are the platforms that a keyword is limited to, or null for all platforms of the plan. To huma's
// validator, which cannot locate a fault in a union, it is anything. faults reports what is wrong.
type KeywordPlatforms struct {
	Names []string // nil: null
	Given bool     // also by null

	wrong []placed // faults of the JSON
}

// A placed fault belongs to one element, or to the whole: at is "" or "[3]".
type placed struct{ at, code, message string }

// Schema describes it to the document.
func (KeywordPlatforms) Schema(huma.Registry) *huma.Schema {
	names := []any{}
	for _, name := range keyword.Platforms() {
		names = append(names, name)
	}
	one, most := 1, len(names)
	list := &huma.Schema{Type: huma.TypeArray, MinItems: &one, MaxItems: &most, UniqueItems: true,
		Items: &huma.Schema{Type: huma.TypeString, Enum: names}}
	return &huma.Schema{
		Description: "The only platforms to collect the keyword on. null: every source that the plan allows.",
		Extensions:  map[string]any{"anyOf": []*huma.Schema{list, {Type: "null"}}},
	}
}

// IsZero reports whether neither platforms nor null are given.
func (p KeywordPlatforms) IsZero() bool { return !p.Given }

// MarshalJSON writes the list or null.
func (p KeywordPlatforms) MarshalJSON() ([]byte, error) { return json.Marshal(p.Names) }

// UnmarshalJSON reads the list or null, and keeps its faults.
func (p *KeywordPlatforms) UnmarshalJSON(data []byte) error {
	*p = KeywordPlatforms{Given: true}
	if bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		return nil
	}
	p.Names = []string{}
	var elements []any
	if json.Unmarshal(data, &elements) != nil {
		p.wrong = []placed{{"", "type", "expected array or null"}}
		return nil
	}
	if len(elements) == 0 {
		p.wrong = []placed{{"", "min_items", "expected at least one platform, or null for all"}}
	}
	known := keyword.Platforms()
	if len(elements) > len(known) {
		p.wrong = append(p.wrong, placed{"", "max_items", fmt.Sprintf("expected at most %d platforms", len(known))})
		elements = elements[:len(known)] // the faults of more would be without end
	}
	for i, element := range elements {
		name, text := element.(string)
		at := fmt.Sprintf("[%d]", i)
		switch {
		case !text:
			p.wrong = append(p.wrong, placed{at, "type", "expected string"})
		case !slices.Contains(known, name):
			p.wrong = append(p.wrong, placed{at, "enum", "expected one of " + strings.Join(known, ", ")})
		case slices.Contains(p.Names, name):
			p.wrong = append(p.wrong, placed{at, "unique", "the platform is named twice"})
		default:
			p.Names = append(p.Names, name)
		}
	}
	return nil
}
