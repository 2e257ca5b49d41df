package analytics

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/analytics"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
)

func (f figures) registerDashboard(api *web.API) {
	exact := Exactness{Exact: true}
	web.Register(api, web.Operation{
		ID: "getDashboard", Method: http.MethodGet, Path: path + "dashboard", Group: Group,
		Summary: "Read the figures of a dashboard in one call",
		Description: "The parts are those of the reads with the same names. `comparedTo` is the period of the same length " +
			"before. " + selectionRules,
		Codes: selectionCodes,
		Example: Dashboard{
			Count:          12,
			Volume:         Volume{"day", exact, []VolumeRow{{"2026-11-20", 12, exampleFilter()}}},
			Sentiment:      SentimentCounts{exact, []SentimentRow{{"Positive", 12, exampleFilter()}}},
			Sources:        SourceCounts{exact, []SourceRow{{"reddit", 12, exampleFilter()}}},
			Keywords:       KeywordCounts{exact, []KeywordRow{{7, web.Some("northwind"), 12, exampleFilter()}}},
			Tags:           TagCounts{exact, []TagRow{{"pricing", 12, exampleFilter()}}},
			Usage:          MonthUsage{1204, 25000, "2026-12-01T00:00:00.000Z", false},
			Projected:      1806,
			FilteringRatio: web.Some(0.25),
			ComparedTo: Comparison{exact, "2026-10-22T00:00:00.000Z", "2026-11-21T00:00:00.000Z", 10,
				SentimentCounts{exact, []SentimentRow{{"Positive", 10, exampleFilter()}}}, web.Some(0.2)},
		},
	}, f.dashboard)
}

// Dashboard holds the figures that a dashboard shows.
type Dashboard struct {
	Count          int64             `json:"count" minimum:"0" doc:"The mentions of the period."`
	Volume         Volume            `json:"volume"`
	Sentiment      SentimentCounts   `json:"sentiment"`
	Sources        SourceCounts      `json:"sources"`
	Keywords       KeywordCounts     `json:"keywords"`
	Tags           TagCounts         `json:"tags"`
	Usage          MonthUsage        `json:"usage"`
	Projected      int64             `json:"projected" minimum:"0" doc:"How many mentions the month will have stored at its end, at the pace so far."`
	FilteringRatio web.Null[float64] `json:"filteringRatio" doc:"The share of the period's scored mentions that are not relevant, from 0 to 1, whatever relevance says. Null without scored mentions."`
	ComparedTo     Comparison        `json:"comparedTo"`
}

// MonthUsage is what the workspace has used of the month's mentions.
type MonthUsage struct {
	Count   int    `json:"count" minimum:"0"`
	Limit   int    `json:"limit" minimum:"0"`
	ResetAt Moment `json:"resetAt" doc:"When the next month of UTC begins."`
	Stopped bool   `json:"stopped" doc:"Whether collection has stopped until resetAt."`
}

// A Moment is a time of the contract's form on the wire.
type Moment string

// Schema describes the form.
func (Moment) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time"}
}

// Comparison holds the figures of the period before.
type Comparison struct {
	Exactness
	StartDate Moment            `json:"startDate"`
	EndDate   Moment            `json:"endDate"`
	Count     int64             `json:"count" minimum:"0"`
	Sentiment SentimentCounts   `json:"sentiment"`
	Change    web.Null[float64] `json:"change" doc:"How much the count grew, as a share of the count before: 0.2 is 20 % more. Null if the count before is 0."`
}

func (f figures) dashboard(ctx context.Context, in *Selection) (*Dashboard, error) {
	s, err := f.read(ctx, *in)
	if err != nil {
		return nil, err
	}
	texts, byKeyword, err := f.byKeyword(ctx, s)
	if err != nil {
		return nil, err
	}
	f.store = &keptStore{f.store, analytics.Kept(f.store)}
	var parts, before []found
	var used workspacestore.Usage
	earlier := s
	earlier.period = s.period.Before()
	if err := parallel.Together(
		func() (err error) {
			parts, err = f.find(
				ctx, s, byTime(analytics.Day), by(analytics.Sentiment), by(analytics.Source), byKeyword, by(analytics.Tag),
			)
			return err
		},
		func() (err error) {
			before, err = f.find(ctx, earlier, by(analytics.Sentiment))
			return err
		},
		func() (err error) {
			used, err = f.store.Usage(ctx, web.CallerOf(ctx).Workspace)
			return err
		},
	); err != nil {
		return nil, err
	}
	out := &Dashboard{Count: mentionsOf(parts[0])}
	if err := out.fill(parts, texts); err != nil {
		return nil, err
	}
	if out.ComparedTo, err = comparedTo(before[0], earlier.period, out.Count); err != nil {
		return nil, err
	}
	if out.FilteringRatio, err = f.filteringRatio(ctx, *in, s); err != nil {
		return nil, err
	}
	out.Usage = MonthUsage{used.Stored, used.Limit, Moment(web.FormatTime(used.ResetAt)), used.Stopped}
	out.Projected = projected(used, f.clock.Now())
	return out, nil
}

func (d *Dashboard) fill(parts []found, texts map[int64]string) error {
	volume, err := volumeFrom(parts[0], false)
	if err != nil {
		return err
	}
	sentiment, err := sentimentFrom(parts[1])
	if err != nil {
		return err
	}
	sources, err := sourcesFrom(parts[2])
	if err != nil {
		return err
	}
	keywords, err := keywordsFrom(parts[3], texts)
	if err != nil {
		return err
	}
	tags, err := tagsFrom(parts[4])
	if err != nil {
		return err
	}
	d.Volume, d.Sentiment, d.Sources, d.Keywords, d.Tags = *volume, *sentiment, *sources, *keywords, *tags
	return nil
}

func mentionsOf(f found) (n int64) {
	for _, row := range f.Rows {
		n += row.Mentions
	}
	return n
}

// comparedTo returns the figures of the period before.
func comparedTo(f found, p analytics.Period, count int64) (Comparison, error) {
	sentiment, err := sentimentFrom(f)
	if err != nil {
		return Comparison{}, err
	}
	before := mentionsOf(f)
	return Comparison{
		Exactness: f.exactness(),
		StartDate: Moment(web.FormatTime(p.Start)),
		EndDate:   Moment(web.FormatTime(p.End)),
		Count:     before,
		Sentiment: *sentiment,
		Change:    change(before, count),
	}, nil
}

// A keptStore reads cells once for all parts of a dashboard.
type keptStore struct {
	Store
	cells *analytics.KeptCells
}

// KeptCells returns the cells that were read.
func (k *keptStore) KeptCells() *analytics.KeptCells { return k.cells }

// change returns the growth as a share of the count before.
func change(before, now int64) web.Null[float64] {
	if before == 0 {
		return web.Null[float64]{}
	}
	return web.Some(float64(now-before) / float64(before))
}

// filteringRatio returns the share of scored mentions that are not relevant, whatever relevance the request asks for.
func (f figures) filteringRatio(ctx context.Context, in Selection, s selected) (ratio web.Null[float64], err error) {
	conditions, ids, _ := in.conditions()
	conditions[string(filter.Relevance)] = []any{int64(mention.High), int64(mention.Medium), int64(mention.Low)}
	written, err := json.Marshal(conditions)
	if err != nil {
		return ratio, fmt.Errorf("write a filter: %w", err)
	}
	all, err := newSelected(s.period, written, ids)
	if err != nil {
		return ratio, err
	}
	answers, err := f.find(ctx, all, by(analytics.Relevance))
	if err != nil {
		return ratio, err
	}
	scored, low := mentionsOf(answers[0]), int64(0)
	for _, row := range answers[0].Rows {
		if row.Values[0].Text == "2" {
			low = row.Mentions
		}
	}
	if scored == 0 {
		return ratio, nil
	}
	return web.Some(float64(low) / float64(scored)), nil
}

// projected returns how many mentions the month will have stored at its end if the rest is like the time so far. A
// month that is younger than a day is not projected.
func projected(used workspacestore.Usage, now time.Time) int64 {
	start := used.ResetAt.AddDate(0, -1, 0)
	past, length := now.Sub(start), used.ResetAt.Sub(start)
	if past < 24*time.Hour {
		return int64(used.Stored)
	}
	return int64(math.Round(float64(used.Stored) * float64(length) / float64(past)))
}
