package filters

import (
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/store/listenstore"
	"earshot/shared/web"
)

// Bounds of the lists.
const (
	maxValues     = 500 // of a list
	maxAtOnce     = 100 // values in one add or remove
	maxCharacters = 100 // of a value, without the blanks around it
)

// GlobalFilters are a workspace's filters on the wire. Values are as the client wrote them, without surrounding blanks.
type GlobalFilters struct {
	NegativeKeywords   []string         `json:"negativeKeywords" doc:"Whole words and phrases. A post with one of them is excluded."`
	NegativeAuthors    []string         `json:"negativeAuthors" doc:"Handles, with or without a leading @. Their posts are excluded."`
	NegativeSubreddits []string         `json:"negativeSubreddits" doc:"Subreddits, with or without a leading r/. Their posts are excluded."`
	PositiveSubreddits []string         `json:"positiveSubreddits" doc:"If not empty, posts on Reddit come only from these subreddits."`
	NegativeRepos      []string         `json:"negativeRepos" doc:"Repositories as owner/name, or owner for all of an owner's repositories. Posts in them are excluded."`
	UpdatedAt          web.Null[Moment] `json:"updatedAt" doc:"When the filters were last changed. Null if they never were."`
}

// Moment is a time of the contract's form.
type Moment string

// Schema describes the form.
func (Moment) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time"}
}

func fromFilters(f listenstore.GlobalFilters) *GlobalFilters {
	return &GlobalFilters{
		NegativeKeywords:   orEmpty(f.NegativeKeywords),
		NegativeAuthors:    orEmpty(f.NegativeAuthors),
		NegativeSubreddits: orEmpty(f.NegativeSubreddits),
		PositiveSubreddits: orEmpty(f.PositiveSubreddits),
		NegativeRepos:      orEmpty(f.NegativeRepos),
		UpdatedAt:          web.NullIfEmpty(Moment(web.FormatTime(f.UpdatedAt))),
	}
}

func orEmpty(values []string) []string {
	if values == nil {
		return []string{}
	}
	return values
}

func example() GlobalFilters {
	return GlobalFilters{
		NegativeKeywords:   []string{"power grid"},
		NegativeAuthors:    []string{"@dealsbot"},
		NegativeSubreddits: []string{"weather"},
		PositiveSubreddits: []string{},
		NegativeRepos:      []string{"tern-ops/mirror"},
		UpdatedAt:          web.Some(Moment("2026-11-20T10:15:00.000Z")),
	}
}

// FilterValue is a value of a list as a client writes it. Its length counts without surrounding blanks, so Resolve
// checks it.
type FilterValue string

// Schema describes the bounds.
func (FilterValue) Schema(huma.Registry) *huma.Schema {
	one := 1
	return &huma.Schema{Type: huma.TypeString, MinLength: &one, Extensions: map[string]any{"maxLength": maxCharacters}}
}

// UpdateGlobalFiltersInput holds lists to replace.
type UpdateGlobalFiltersInput struct{ Body UpdateGlobalFilters }

// UpdateGlobalFilters holds the lists to replace. Other lists stay as they are.
type UpdateGlobalFilters struct {
	NegativeKeywords   []FilterValue `json:"negativeKeywords,omitempty" maxItems:"500" doc:"Words and phrases that exclude a post."`
	NegativeAuthors    []FilterValue `json:"negativeAuthors,omitempty" maxItems:"500" doc:"Handles whose posts are excluded."`
	NegativeSubreddits []FilterValue `json:"negativeSubreddits,omitempty" maxItems:"500" doc:"Subreddits whose posts are excluded."`
	PositiveSubreddits []FilterValue `json:"positiveSubreddits,omitempty" maxItems:"500" doc:"Subreddits that are the only ones to take posts on Reddit from."`
	NegativeRepos      []FilterValue `json:"negativeRepos,omitempty" maxItems:"500" doc:"Repositories, or owners of repositories, whose posts are excluded."`
}

// list returns the values given for a list; nil if it is not given.
func (u UpdateGlobalFilters) list(name string) []FilterValue {
	return map[string][]FilterValue{
		"negativeKeywords": u.NegativeKeywords, "negativeAuthors": u.NegativeAuthors,
		"negativeSubreddits": u.NegativeSubreddits,
		"positiveSubreddits": u.PositiveSubreddits, "negativeRepos": u.NegativeRepos,
	}[name]
}

// Resolve reports the values that are malformed.
func (u *UpdateGlobalFilters) Resolve(_ huma.Context, at *huma.PathBuffer) (faults []error) {
	for _, l := range lists {
		faults = append(faults, l.faults(at, l.name, u.list(l.name))...)
	}
	return faults
}

// ChangeGlobalFiltersInput holds values to add to a list, or to remove from it.
type ChangeGlobalFiltersInput struct{ Body ChangeGlobalFilters }

// ChangeGlobalFilters names a list and holds values.
type ChangeGlobalFilters struct {
	List   string        `json:"list" enum:"negativeKeywords,negativeAuthors,negativeSubreddits,positiveSubreddits,negativeRepos"`
	Values []FilterValue `json:"values" minItems:"1" maxItems:"100"`
}

// Resolve reports the values that are malformed.
func (c *ChangeGlobalFilters) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	if l := listOf(c.List); l != nil && len(c.Values) <= maxAtOnce {
		return l.faults(at, "values", c.Values)
	}
	return nil // it has its fault already
}

// faults returns the faults of a list's values, at their positions.
func (l *list) faults(at *huma.PathBuffer, property string, values []FilterValue) (faults []error) {
	if len(values) > maxValues {
		return nil // huma reports it
	}
	for i, fault := range l.check(values) {
		if fault.code != "" {
			// a copy, because huma removes an index from the path once it is used
			here := huma.NewPathBuffer([]byte(at.String()), at.Len())
			faults = append(faults, web.Fault(here, fmt.Sprintf("%s[%d]", property, i), fault.code, fault.message))
		}
	}
	return faults
}
