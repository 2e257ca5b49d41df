package alerts

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/alert"
	"earshot/shared/alert/hourly"
	"earshot/shared/analytics"
	"earshot/shared/filter"
	"earshot/shared/port/table"
	"earshot/shared/web"
	"earshot/shared/web/destinationwire"
	"earshot/shared/web/filterwire"
	"earshot/shared/web/problem"
)

// previewed is how far back a preview looks.
const previewed = 30 * 24 * time.Hour

func (w watch) registerPreview(api *web.API) {
	web.Register(api, web.Operation{
		ID:      "previewAlert",
		Method:  http.MethodPost,
		Path:    "/api/v2/alerts/preview",
		Group:   Group,
		Reads:   true,
		Summary: "Say what an alert would have done",
		Description: "Evaluates a condition at each full hour of the last 30 days, over the mentions as they are now. An " +
			"episode lasts from the evaluation at which the alert would have fired, `from`, to the one at which it would " +
			"have resolved, `to`. `value` is its most extreme figure, and `baseline` the baseline of that figure. The " +
			"request stores and sends nothing.\n\nA condition on mentions or negative_share is counted from exact counts if " +
			"the filter has platforms, sentiments, languages, topics, relevance and at most one keyword alone. Otherwise it " +
			"reads mentions, and more than 64 MiB of them are INVALID_INPUT. More than 50 conditions are " +
			"FILTER_LIMIT_EXCEEDED. A keyword id that the workspace does not have is MENTION_KEYWORD_UNKNOWN. FEED_NOT_FOUND " +
			"means that the workspace has no such feed.",
		Codes: []problem.Code{
			problem.FeedNotFound, problem.FilterLimitExceeded, problem.MentionKeywordUnknown, problem.InvalidInput,
		},
		Example: AlertPreview{Fired: 1, Episodes: []AlertEpisode{{
			From: "2026-11-21T09:00:00.000Z", To: web.Some("2026-11-21T15:00:00.000Z"), Value: 130, Baseline: web.Some(61.5),
		}}},
	}, w.preview)
}

// PreviewInput is the body that asks for a preview.
type PreviewInput struct{ Body PreviewAlert }

// PreviewAlert says what an alert would watch.
type PreviewAlert struct {
	FeedID    destinationwire.Nullable[FeedID] `json:"feedId,omitzero" doc:"The feed whose mentions are watched. Give it or filters."`
	Filters   filterwire.NullEither            `json:"filters,omitzero" doc:"Selects the mentions that are watched. Give it or feedId."`
	Condition AlertCondition                   `json:"condition"`
}

// AlertPreview is what an alert would have done.
type AlertPreview struct {
	Fired    int            `json:"fired" minimum:"0" doc:"How often the alert would have fired: the number of episodes."`
	Episodes []AlertEpisode `json:"episodes" doc:"In order of time."`
}

// AlertEpisode is the time from firing to resolving.
type AlertEpisode struct {
	From     string            `json:"from" format:"date-time" doc:"When the alert would have fired."`
	To       web.Null[string]  `json:"to" format:"date-time" doc:"When it would have resolved. null if it would still be firing."`
	Value    float64           `json:"value" doc:"The most extreme figure."`
	Baseline web.Null[float64] `json:"baseline" doc:"The baseline of value. null for above and below."`
}

// Resolve reports faults that the schema cannot express.
func (p *PreviewAlert) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	return watchedFaults(at, p.FeedID, p.Filters, p.Condition)
}

func (w watch) preview(ctx context.Context, in *PreviewInput) (*AlertPreview, error) {
	org, body := web.CallerOf(ctx).Workspace.ID, in.Body
	selected, err := w.selected(ctx, org, body)
	if err != nil {
		return nil, err
	}
	condition, to := body.Condition.toDomain(), w.clock.Now().UTC().Truncate(time.Hour)
	from := to.Add(-previewed)
	series, err := hourly.Count(ctx, w.store, org, selected, condition.Metric, from.Add(-condition.Lookback()), to)
	if err != nil {
		return nil, uncounted(err)
	}
	answer := &AlertPreview{Episodes: []AlertEpisode{}}
	for _, e := range alert.Episodes(series, condition, from, to) {
		answer.Fired++
		answer.Episodes = append(answer.Episodes, AlertEpisode{
			From: web.FormatTime(e.From), To: nullTime(e.To), Value: e.Value, Baseline: web.Null[float64]{Value: e.Baseline},
		})
	}
	return answer, nil
}

// selected returns the filter of the mentions that a preview counts.
func (w watch) selected(ctx context.Context, org string, body PreviewAlert) (filter.Filter, error) {
	if body.FeedID.Value != nil {
		shows, err := w.feed(ctx, org, int64(*body.FeedID.Value))
		if err != nil {
			return filter.Filter{}, err
		}
		return hourly.OfFeed(shows)
	}
	written := []byte(body.Filters.JSON())
	if err := w.checkFilters(ctx, org, nil, written, problem.FilterLimitExceeded); err != nil {
		return filter.Filter{}, err
	}
	return hourly.OfFilters(written)
}

// uncounted returns the client's error for mentions that cannot be counted.
func uncounted(err error) error {
	var over analytics.OverBudget
	switch {
	case errors.As(err, &over) && over.Kept > 0:
		return problem.New(
			problem.InvalidInput,
			"Counting this reads more than %d MiB of mentions. %d days were counted and kept. Ask again to count on from there.",
			analytics.ScanBudget>>20, over.Kept,
		)
	case errors.Is(err, analytics.ErrBudget):
		return problem.New(
			problem.InvalidInput,
			"Counting this would read more than %d MiB of mentions. Watch fewer mentions, or watch mentions or negative_share "+
				"with a filter of at most one keyword, without authors, texts and counters, which have no such bound.",
			analytics.ScanBudget>>20,
		)
	case errors.Is(err, analytics.ErrTooManyAuthors):
		return problem.New(
			problem.InvalidInput,
			"This would compare more than %d different authors. Watch fewer mentions.",
			analytics.MaxAuthors,
		)
	}
	return err
}

// checkFilters returns a problem if filters have too many conditions, or name a keyword that the workspace does not have.
// Keywords that the old filters named are accepted.
func (w watch) checkFilters(ctx context.Context, org string, old, written []byte, tooMany problem.Code) error {
	asked, _ := filter.Parse(written)
	if n := asked.Conditions(); n > filter.MaxConditions {
		return problem.New(tooMany, "The filter has %d conditions. Use at most %d.", n, filter.MaxConditions)
	}
	before, _ := filter.Parse(old)
	had := before.Keywords()
	fresh := slices.DeleteFunc(slices.Clone(asked.Keywords()), func(id int64) bool { return slices.Contains(had, id) })
	for some := range slices.Chunk(fresh, table.MaxBatchGet) {
		known, err := w.store.KeywordsKnown(ctx, org, some)
		if err != nil {
			return err
		}
		for _, id := range some {
			if !known[id] {
				return problem.New(
					problem.MentionKeywordUnknown,
					"The workspace has no keyword with the id %d. GET /api/v2/keywords lists them.", id,
				)
			}
		}
	}
	return nil
}
