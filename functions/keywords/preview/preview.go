// Package preview is the function of what a keyword would have found ("keywords" in the contract). It is a Lambda of
// its own below keywords: it links the matcher, and reads an archive of posts where the deployment has one.
package preview

import (
	"context"
	"math"
	"net/http"
	"slices"
	"time"

	"earshot/functions/keywords"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/past"
	"earshot/shared/port/clock"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Group names the function. Its operations are of the group keywords.
const Group = "preview"

// Bounds of a preview.
const (
	days = 90     // of the archive
	most = 20_000 // posts that are read
)

// Store reads what holds for all keywords of a workspace.
type Store interface {
	Filters(ctx context.Context, orgID string) (keyword.Filters, error)
	// Keyword returns store.ErrNotFound if there is none.
	Keyword(ctx context.Context, orgID string, id int64) (keyword.Keyword, error)
	KeywordVolume(ctx context.Context, orgID string, id int64) (listenstore.KeywordVolume, error)
	// Known reports which posts the workspace has.
	Known(ctx context.Context, orgID string, found []mention.Mention) (map[string]bool, error)
	Usage(ctx context.Context, w workspace.Workspace) (workspacestore.Usage, error)
	// StartBackfill returns the running backfill if there is one, store.ErrNotFound if there is no such keyword, and
	// listenstore.ErrBackfillQuota.
	StartBackfill(
		ctx context.Context, b listenstore.Backfill, limit int, request string,
	) (started listenstore.Backfill, err error)
	// Backfill returns store.ErrNotFound if there is none.
	Backfill(ctx context.Context, orgID string, keywordID int64, kind string) (listenstore.Backfill, error)
}

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store Store
	// Archive returns the platforms of the deployment's archive of posts; nil if it has no archive.
	Archive func(context.Context) ([]source.Source, error)
	// Live says that backfills search platforms too, besides the archive.
	Live  bool
	Clock clock.Clock
}

type preview struct{ Options }

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	web.Register(api, web.Operation{
		ID:      "previewKeyword",
		Method:  http.MethodPost,
		Path:    "/api/v2/keywords/preview",
		Group:   keywords.Group,
		Reads:   true,
		Summary: "Count what a keyword would have matched",
		Description: "The body is that of a new keyword, with the same rules and error codes. Nothing is stored. The " +
			"posts of the deployment's archive are matched as live posts would be: with all settings of the keyword " +
			"and the workspace's global filters. `paused` makes no difference, and a text that the workspace has " +
			"already may be previewed.\n\nThe preview covers the last 90 days of the archive, `from` until `to`, and " +
			"reads at most 20,000 posts, the newest of each platform first. If that was not all of them, or if a " +
			"platform could not be read, `complete` is false: `matches`, `bySource` and `byWeek` then count only what " +
			"was read. Without `exactMatch` it is false too, because the archive finds words that begin with the " +
			"keyword: posts that have it within words only may be left out. `monthly` is a range of matching posts a " +
			"month, with a confidence of 90 %. It is null if no platform was read. `skippedSources` says why a " +
			"platform was not read. A deployment without an archive responds with no matches, and with the reason " +
			"under `archive`.",
		Codes: []problem.Code{problem.KeywordOperatorSyntax},
		Example: Preview{
			Matches:  3,
			BySource: []SourceMatches{{"hackernews", 2}, {"reddit", 1}},
			ByWeek:   []WeekMatches{{"2026-11-09", 1}, {"2026-11-16", 2}},
			Samples: []Sample{{
				SourceID:  "hackernews_comment_47000001",
				Source:    "hackernews",
				URL:       "https://news.example/47000001",
				Body:      web.Some("Northwind woke me up before the customers noticed."),
				Author:    web.Some("quietharbor"),
				Timestamp: "2026-11-20 10:15:00.000",
			}},
			Monthly:        web.Some(Monthly{Low: 0.8, High: 7.8}),
			From:           "2026-08-22T10:15:00.000Z",
			To:             "2026-11-20T10:15:00.000Z",
			PostsRead:      3,
			Complete:       true,
			SkippedSources: map[string]string{},
		},
	}, preview{o}.preview)
	registerBackfill(api, preview{o})
}

// Preview is what a keyword would have matched.
type Preview struct {
	Matches        int               `json:"matches" minimum:"0" doc:"Number of posts that match, of those that were read."`
	BySource       []SourceMatches   `json:"bySource" doc:"The matches of each source, the most first."`
	ByWeek         []WeekMatches     `json:"byWeek" doc:"The matches of each week from from until to, oldest first, including weeks without matches."`
	Samples        []Sample          `json:"samples" maxItems:"3" doc:"The newest matches."`
	Monthly        web.Null[Monthly] `json:"monthly"`
	From           string            `json:"from" format:"date-time" doc:"Where the previewed days begin."`
	To             string            `json:"to" format:"date-time" doc:"Where they end: now, or after the archive's newest post."`
	PostsRead      int               `json:"postsRead" minimum:"0" doc:"Number of posts that were read."`
	Complete       bool              `json:"complete" doc:"Whether every post of these days that may match was read. If false, there may be more matches."`
	SkippedSources map[string]string `json:"skippedSources" doc:"Why a source was not read, by its name."`
}

// SourceMatches counts the matches of a source.
type SourceMatches struct {
	Source  string `json:"source"`
	Matches int    `json:"matches" minimum:"1"`
}

// WeekMatches counts the matches of a week.
type WeekMatches struct {
	Week    string `json:"week" format:"date" doc:"The week's Monday, in UTC."`
	Matches int    `json:"matches" minimum:"0"`
}

// Monthly is a range of posts a month.
type Monthly struct {
	Low  float64 `json:"low" minimum:"0"`
	High float64 `json:"high" minimum:"0"`
}

// Sample is a post that matches. Its names are a Mention's.
type Sample struct {
	SourceID  string           `json:"sourceId"`
	Source    string           `json:"source"`
	URL       string           `json:"url"`
	Title     web.Null[string] `json:"title"`
	Body      web.Null[string] `json:"body"`
	Author    web.Null[string] `json:"author"`
	Timestamp string           `json:"timestamp" doc:"When the post was written, as in a Mention."`
}

// Input holds a keyword.
type Input struct{ Body keywords.CreateKeyword }

// noArchive is the reason that a deployment without an archive gives.
const noArchive = "This deployment keeps no archive of posts."

func (p preview) preview(ctx context.Context, in *Input) (*Preview, error) {
	k, err := in.Body.ToKeyword()
	if err != nil {
		return nil, err
	}
	filters, err := p.Store.Filters(ctx, web.CallerOf(ctx).Workspace.ID)
	if err != nil {
		return nil, err
	}
	found, err := p.count(ctx, past.Question{Keyword: k, Filters: filters, Days: days, Until: p.Clock.Now(), Most: most})
	if err != nil {
		return nil, err
	}
	return fromAnswer(found, k), nil
}

// count counts in the archive. A deployment without one has skipped it.
func (p preview) count(ctx context.Context, q past.Question) (past.Answer, error) {
	if p.Archive == nil {
		return past.Answer{
			From:    q.Until.Add(-time.Duration(q.Days) * past.Day),
			To:      q.Until,
			Skipped: map[string]string{"archive": noArchive},
		}, nil
	}
	sources, err := p.Archive(ctx)
	if err != nil {
		return past.Answer{}, err
	}
	return past.Count(ctx, sources, q)
}

func fromAnswer(found past.Answer, k keyword.Keyword) *Preview {
	out := &Preview{
		Matches:        len(found.Matches),
		BySource:       bySource(found),
		ByWeek:         byWeek(found),
		Samples:        []Sample{},
		From:           web.FormatTime(found.From),
		To:             web.FormatTime(found.To),
		PostsRead:      found.Read,
		Complete:       found.Whole,
		SkippedSources: found.Skipped,
	}
	for _, m := range found.Matches {
		if m.Post != nil && len(out.Samples) < past.Samples {
			out.Samples = append(out.Samples, fromPost(m.Post))
		}
	}
	if low, high, ok := past.Monthly(found, k); ok {
		out.Monthly = web.Some(Monthly{low, high})
	}
	return out
}

func bySource(found past.Answer) []SourceMatches {
	rows := []SourceMatches{}
	for _, m := range found.Matches {
		i := slices.IndexFunc(rows, func(r SourceMatches) bool { return r.Source == m.Source })
		if i < 0 {
			rows, i = append(rows, SourceMatches{Source: m.Source}), len(rows)
		}
		rows[i].Matches++
	}
	slices.SortStableFunc(rows, func(a, b SourceMatches) int { return b.Matches - a.Matches })
	return rows
}

const week = 7 * past.Day

// byWeek counts the matches of each week. The zero time, from which Truncate counts, was a Monday.
func byWeek(found past.Answer) []WeekMatches {
	first := found.From.UTC().Truncate(week)
	weeks := int(math.Ceil(float64(found.To.Sub(first)) / float64(week)))
	rows := make([]WeekMatches, weeks)
	for i := range rows {
		rows[i].Week = first.Add(time.Duration(i) * week).Format(time.DateOnly)
	}
	for _, m := range found.Matches {
		rows[m.PostedAt.Sub(first)/week].Matches++
	}
	return rows
}

func fromPost(p *post.Post) Sample {
	return Sample{
		SourceID:  p.SourceID,
		Source:    p.Source,
		URL:       p.URL,
		Title:     web.Null[string]{Value: p.Title},
		Body:      web.Null[string]{Value: p.Body},
		Author:    web.Null[string]{Value: p.Author},
		Timestamp: mention.Timestamp(p.PostedAt),
	}
}
