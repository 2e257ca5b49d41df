package analytics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/analytics"
	"earshot/shared/analytics/themes"
	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/theme"
	"earshot/shared/web"
	"earshot/shared/web/filterwire"
	"earshot/shared/web/problem"
)

// Bounds of themes.
const (
	themeMentions = 3   // of a theme
	snippetLength = 240 // characters
)

func (f figures) registerThemes(api *web.API) {
	web.Register(api, web.Operation{
		ID: "listThemes", Method: http.MethodPost, Path: path + "themes", Group: Group, Reads: true,
		Summary: "List the themes of mentions: what is said",
		Description: "Mentions that speak of one thing are a theme. Selects mentions as `POST /api/v2/analytics/query` does: " +
			"relevant ones, unless `relevance` says otherwise, of at most 365 days.\n\n" +
			"A story that was cross-posted or syndicated counts once: `share` and `growth` are about stories, `count` about " +
			"mentions. The shares of `data`, `omitted`, `other` and `short` add up to 1. A theme has mentions in one language. " +
			"Its `label` has its most telling terms, in the spelling of the mentions. The words of keywords make no theme.\n\n" +
			"`growth` compares with the period of the same length before, to which the same themes are applied: 0.5 is half as " +
			"many stories again, -1 is none left. It is null if the theme had no story there.\n\n" +
			fmt.Sprintf("At most %d mentions of each period are read. If more are selected, ", themes.MostRead) +
			"a sample is read in which each has the same chance, and `exact` is false: figures are then those of the sample, " +
			"and `growth` is scaled to what was selected. The same mentions give the same sample and the same themes. Of a period " +
			"in which the workspace has more than 100,000 mentions, parts of the time that a hash chooses are read, and `selected` " +
			"is an estimate.\n\n" +
			"A theme has no `filters`: what its mentions have in common is no condition of a list. `mentions` names three, of " +
			"different stories and, where there are such, of different authors and sources. Read them with " +
			"`GET /api/v2/mentions/{sourceId}`. `scanned` is how many rows were read to select mentions.\n\n" +
			"Costs one read unit for some 35 mentions of both periods, selected or not, half a unit for each mention that is " +
			"read, for every 4 KiB of it, and a few units for the counts of the days: 1,064 for 1,000 mentions a period. " +
			"Conditions on texts read every mention that the other conditions leave. A request that would read more than " +
			"64 MiB a period is refused with INVALID_INPUT.",
		Codes: []problem.Code{
			problem.InvalidTimezone,
			problem.MentionKeywordUnknown,
			problem.FilterLimitExceeded,
			problem.InvalidInput,
		},
		Example: ThemeList{
			Exactness: Exactness{Exact: true},
			Scanned:   96,
			Selected:  40,
			Read:      40,
			Stories:   38,
			Data: []ThemeRow{{
				Label:         "login error, password reset",
				Terms:         []string{"login error", "password reset", "two-factor"},
				Count:         21,
				Stories:       19,
				Share:         0.5,
				Growth:        web.Some(0.9),
				Before:        10,
				Sentiment:     ThemeTones{2, 4, 15, 0},
				NegativeShare: 0.714,
				Languages:     []NamedCount{{"english", 21}},
				Sources:       []NamedCount{{"reddit", 14}, {"hackernews", 7}},
				Mentions: []ThemeMention{{
					ID:        7301,
					SourceID:  "reddit_post_1abcde",
					URL:       "https://www.reddit.com/r/northwind/comments/1abcde/",
					Title:     web.Some("Login error since the update"),
					Snippet:   "The password reset does not help either.",
					Source:    "reddit",
					Author:    web.Some("hollow_pine"),
					Timestamp: "2026-11-18 09:12:44.000",
				}},
			}},
			Omitted:    ThemePart{0, 0, 0},
			Other:      ThemePart{16, 16, 0.421},
			Short:      ThemePart{3, 3, 0.079},
			ComparedTo: ThemesBefore{"2026-10-22T00:00:00.000Z", "2026-11-21T00:00:00.000Z", 22, 22, 22},
		},
	}, f.themes)
}

// ThemesInput asks for themes.
type ThemesInput struct{ Body ThemesBody }

// ThemesBody asks for themes.
type ThemesBody struct {
	StartDate string            `json:"startDate,omitempty" minLength:"1" doc:"The first day of timezone, or the first moment, that counts. Default: 30 days before the end." example:"2026-11-01"`
	EndDate   string            `json:"endDate,omitempty" minLength:"1" doc:"The first day of timezone, or the first moment, that no longer counts. Default: the end of today." example:"2026-11-08"`
	Timezone  string            `json:"timezone,omitempty" minLength:"1" default:"UTC" doc:"The time zone of days, by its exact IANA name, such as Europe/Berlin."`
	Filters   filterwire.Either `json:"filters,omitzero" doc:"A simple or an advanced filter, as for POST /mentions. Its dates narrow the period, and growth compares with the same length before."`
	Relevance []Relevance       `json:"relevance,omitempty" minItems:"1" maxItems:"4" doc:"The scores that count: 0 high, 1 medium, 2 low, none. Default: 0 and 1."`
	Limit     int               `json:"limit,omitempty" minimum:"1" maximum:"50" default:"10" doc:"The largest number of themes. The largest are kept; omitted counts the others."`
}

// Resolve reports the faults that the schema cannot express.
func (b *ThemesBody) Resolve(huma.Context) []error { return web.Faults(b.query().dated().faults()...) }

// query returns the query that selects the same mentions.
func (b ThemesBody) query() QueryBody {
	return QueryBody{
		StartDate: b.StartDate,
		EndDate:   b.EndDate,
		Timezone:  b.Timezone,
		Filters:   b.Filters,
		Relevance: b.Relevance,
	}
}

// ThemeList holds the themes of mentions.
type ThemeList struct {
	Exactness
	Scanned    int64        `json:"scanned" minimum:"0" doc:"How many rows were read to select mentions, in both periods."`
	Selected   int64        `json:"selected" minimum:"0" doc:"How many mentions of the period the request selects. An estimate if why says that parts of its time were read."`
	Read       int64        `json:"read" minimum:"0" doc:"How many of them were read."`
	Stories    int64        `json:"stories" minimum:"0" doc:"How many different stories those tell."`
	Data       []ThemeRow   `json:"data" doc:"The themes with the most stories first."`
	Omitted    ThemePart    `json:"omitted" doc:"The themes that limit left out."`
	Other      ThemePart    `json:"other" doc:"Mentions that fit no theme."`
	Short      ThemePart    `json:"short" doc:"Mentions that say too little for a theme: fewer than two words that tell something."`
	ComparedTo ThemesBefore `json:"comparedTo"`
}

// ThemePart counts a part of the mentions that were read.
type ThemePart struct {
	Count   int64   `json:"count" minimum:"0" doc:"Mentions."`
	Stories int64   `json:"stories" minimum:"0"`
	Share   float64 `json:"share" minimum:"0" maximum:"1" doc:"The part of all stories."`
}

// ThemesBefore describes the period that growth compares with.
type ThemesBefore struct {
	StartDate Moment `json:"startDate"`
	EndDate   Moment `json:"endDate"`
	Selected  int64  `json:"selected" minimum:"0" doc:"How many mentions of the period before the request selects."`
	Read      int64  `json:"read" minimum:"0" doc:"How many of them were read."`
	Stories   int64  `json:"stories" minimum:"0" doc:"How many different stories those tell."`
}

// ThemeRow holds the figures of a theme.
type ThemeRow struct {
	Label         string            `json:"label" maxLength:"60" doc:"Its most telling terms, separated by commas."`
	Terms         []string          `json:"terms" minItems:"1" maxItems:"8" doc:"Terms that tell it from other themes, the most telling first."`
	Count         int64             `json:"count" minimum:"1" doc:"Mentions, copies of a story among them."`
	Stories       int64             `json:"stories" minimum:"1" doc:"Different stories."`
	Share         float64           `json:"share" minimum:"0" maximum:"1" doc:"The part that the theme's stories are of all stories."`
	Growth        web.Null[float64] `json:"growth" doc:"How much the number of stories grew, as a share of that of the period before. Null if that is 0."`
	Before        int64             `json:"before" minimum:"0" doc:"The theme's stories among those read of the period before."`
	Sentiment     ThemeTones        `json:"sentiment"`
	NegativeShare float64           `json:"negativeShare" minimum:"0" maximum:"1" doc:"The share of negative mentions among those with a sentiment."`
	Languages     []NamedCount      `json:"languages" doc:"Mentions by language: one, and undetermined beside english."`
	Sources       []NamedCount      `json:"sources" doc:"Mentions by platform, the most first."`
	Mentions      []ThemeMention    `json:"mentions" minItems:"1" maxItems:"3" doc:"The most central mentions, each of another story."`
}

// ThemeTones counts a theme's mentions by sentiment.
type ThemeTones struct {
	Positive int64 `json:"positive" minimum:"0"`
	Neutral  int64 `json:"neutral" minimum:"0"`
	Negative int64 `json:"negative" minimum:"0"`
	Unknown  int64 `json:"unknown" minimum:"0" doc:"Mentions that were not judged yet."`
}

// NamedCount counts the mentions with a value.
type NamedCount struct {
	Name  string `json:"name"`
	Count int64  `json:"count" minimum:"1"`
}

// ThemeMention is a mention, with enough of it to show.
type ThemeMention struct {
	ID        int64            `json:"id"`
	SourceID  string           `json:"sourceId"`
	URL       string           `json:"url"`
	Title     web.Null[string] `json:"title" doc:"Its beginning, without control characters."`
	Snippet   string           `json:"snippet" doc:"The beginning of the text, at most 240 characters, without control characters. Untrusted text of a stranger."`
	Source    string           `json:"source" doc:"The platform."`
	Author    web.Null[string] `json:"author"`
	Timestamp string           `json:"timestamp" doc:"When it was posted, in UTC." example:"2026-11-18 09:12:44.000"`
}

func (f figures) themes(ctx context.Context, in *ThemesInput) (*ThemeList, error) {
	body := in.Body
	s, err := f.readBody(ctx, body.query())
	if err != nil {
		return nil, err
	}
	query := analytics.Query{WorkspaceID: web.CallerOf(ctx).Workspace.ID, Period: s.period, Filter: s.filter}.Narrowed()
	earlier := query
	earlier.Period = query.Period.Before()
	var now, before analytics.Texts
	err = parallel.Together(
		func() (err error) { now, err = analytics.Read(ctx, f.store, query, themes.MostRead); return err },
		func() (err error) { before, err = analytics.Read(ctx, f.store, earlier, themes.MostRead); return err },
	)
	if errors.Is(err, analytics.ErrBudget) {
		return nil, problem.New(
			problem.InvalidInput,
			"Finding themes would read more than %d MiB of mentions. Ask for a shorter period.", analytics.ScanBudget>>20,
		)
	}
	if err != nil {
		return nil, err
	}
	out := listThemes(now, before, body.Limit)
	out.ComparedTo.StartDate = Moment(web.FormatTime(earlier.Period.Start))
	out.ComparedTo.EndDate = Moment(web.FormatTime(earlier.Period.End))
	return out, nil
}

// listThemes returns the themes of the mentions of a period, at most limit, beside those of the period before.
func listThemes(now, before analytics.Texts, limit int) *ThemeList {
	stories, earlier := themes.Stories(now.Mentions), themes.Stories(before.Mentions)
	posts := make([]theme.Post, len(stories))
	for i, s := range stories {
		posts[i] = s.Post()
	}
	found := theme.Find(posts, themes.Keywords(now.Mentions))
	grown := make([]int64, len(found.List))
	for _, s := range earlier {
		if at := found.Of(s.Post()); at >= 0 {
			grown[at]++
		}
	}
	out := &ThemeList{
		Exactness: exactTexts(now, before),
		Scanned:   now.Scanned + before.Scanned,
		Selected:  now.Selected,
		Read:      int64(len(now.Mentions)),
		Stories:   int64(len(stories)),
		Data:      []ThemeRow{},
		ComparedTo: ThemesBefore{
			Selected: before.Selected,
			Read:     int64(len(before.Mentions)),
			Stories:  int64(len(earlier)),
		},
	}
	share := func(n int64) float64 { return float64(n) / float64(max(1, len(stories))) }
	add := func(part *ThemePart, s themes.Story) {
		part.Count += int64(len(s))
		part.Stories++
		part.Share = share(part.Stories)
	}
	themed := make([]bool, len(stories))
	for at, one := range found.List {
		for _, i := range one.Posts {
			themed[i] = true
		}
		if at >= limit {
			for _, i := range one.Posts {
				add(&out.Omitted, stories[i])
			}
			continue
		}
		row := themeRow(one, stories)
		row.Share, row.Before = share(row.Stories), grown[at]
		if row.Before > 0 {
			row.Growth = web.Some(estimate(now, row.Stories)/estimate(before, row.Before) - 1)
		}
		out.Data = append(out.Data, row)
	}
	for i, s := range stories {
		switch {
		case themed[i]:
		case found.Of(posts[i]) == theme.Short:
			add(&out.Short, s)
		default:
			add(&out.Other, s)
		}
	}
	return out
}

// estimate returns how many stories n of those that were read stand for among those that were selected.
func estimate(texts analytics.Texts, n int64) float64 {
	return float64(n) * float64(texts.Selected) / float64(len(texts.Mentions))
}

func exactTexts(now, before analytics.Texts) Exactness {
	var why []string
	if read := len(now.Mentions); read == themes.MostRead && now.Selected > themes.MostRead {
		why = append(why, fmt.Sprintf("A sample was read: %d of %d mentions.", read, now.Selected))
	}
	if read := len(before.Mentions); read == themes.MostRead && before.Selected > themes.MostRead {
		why = append(why, fmt.Sprintf("Of the period before, %d of %d mentions were read.", read, before.Selected))
	}
	for _, reason := range []string{now.Why, before.Why} {
		if reason != "" && !slices.Contains(why, reason) {
			why = append(why, reason)
		}
	}
	return Exactness{Exact: len(why) == 0, Why: strings.Join(why, " ")}
}

// themeRow returns the figures of a theme, without those that need others.
func themeRow(one theme.Theme, stories []themes.Story) ThemeRow {
	row := ThemeRow{Label: one.Label, Terms: one.Terms, Stories: int64(len(one.Posts))}
	languages, sources := map[string]int64{}, map[string]int64{}
	central := make([]themes.Story, len(one.Posts))
	for n, i := range one.Posts {
		central[n] = stories[i]
		for _, m := range stories[i] {
			row.Count++
			languages[cmp.Or(m.Language, mention.Undetermined)]++
			sources[strings.ToLower(m.Source)]++
			switch m.Sentiment {
			case mention.Positive:
				row.Sentiment.Positive++
			case mention.Neutral:
				row.Sentiment.Neutral++
			case mention.Negative:
				row.Sentiment.Negative++
			default:
				row.Sentiment.Unknown++
			}
		}
	}
	if judged := row.Count - row.Sentiment.Unknown; judged > 0 {
		row.NegativeShare = float64(row.Sentiment.Negative) / float64(judged)
	}
	row.Languages, row.Sources = namedCounts(languages), namedCounts(sources)
	for _, m := range themes.Central(central, themeMentions) {
		row.Mentions = append(row.Mentions, themeMention(m))
	}
	return row
}

// namedCounts puts the largest counts first.
func namedCounts(counts map[string]int64) []NamedCount {
	list := make([]NamedCount, 0, len(counts))
	for name, n := range counts {
		list = append(list, NamedCount{name, n})
	}
	slices.SortFunc(list, func(a, b NamedCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Name, b.Name))
	})
	return list
}

func themeMention(m *mention.Mention) ThemeMention {
	return ThemeMention{
		ID:        m.ID,
		SourceID:  m.SourceID,
		URL:       m.URL,
		Title:     web.NullIfEmpty(themes.Snippet(themes.Text(m.Title), snippetLength)),
		Snippet:   themes.Snippet(themes.Text(m.Body), snippetLength),
		Source:    strings.ToLower(m.Source),
		Author:    web.NullIfEmpty(themes.Text(m.Author)),
		Timestamp: mention.Timestamp(m.PostedAt),
	}
}
