// Package hourly counts a workspace's mentions by hour, as alerts watch them. It counts relevant mentions alone, as a
// feed shows them, with the terms of package analytics.
//
// The operations of alerts and their evaluation import it.
package hourly

import (
	"context"
	"fmt"
	"time"

	"earshot/shared/alert"
	"earshot/shared/analytics"
	"earshot/shared/feed"
	"earshot/shared/filter"
)

// relevant takes relevant mentions.
const relevant = `{"relevance":[0,1]}`

// OfFeed returns the filter of the mentions that a feed shows.
func OfFeed(f feed.Feed) (filter.Filter, error) { return selected(f.SimpleFilters, f.AdvancedFilters) }

// OfFilters returns the filter of the mentions that an alert's own filters take.
func OfFilters(written []byte) (filter.Filter, error) { return selected(written) }

// selected returns the filter of relevant mentions that pass all of the given filters. Returns an error if the grammar
// no longer takes a stored one.
func selected(written ...[]byte) (filter.Filter, error) {
	parts := []filter.Filter{}
	for _, text := range append(written, []byte(relevant)) {
		if len(text) == 0 {
			continue
		}
		part, faults := filter.Parse(text)
		if len(faults) > 0 {
			return filter.Filter{}, fmt.Errorf("read an alert's filter: %s: %s", faults[0].Path, faults[0].Message)
		}
		parts = append(parts, part)
	}
	return filter.And(parts...), nil
}

// aggregates are what each metric needs to be counted. What cells cannot count is not asked for in vain.
var aggregates = map[alert.Metric][]analytics.Aggregate{
	alert.Mentions:      {analytics.Count},
	alert.NegativeShare: {analytics.Count, analytics.NegativeShare},
	alert.Reach:         {analytics.Count, analytics.Reach},
	alert.Engagement:    {analytics.Count, analytics.Engagement},
}

// Count returns the series of the hours from the one that contains from up to, but not including, the one that contains
// to. Counts has the mentions and what the metric needs; its other figures may be 0.
//
// It adds up exact cells if the metric is mentions or negative_share, and the filter has sources, sentiments, languages,
// topics, relevance and at most one keyword alone. Otherwise it reads rows, and what analytics keeps of past days.
// Returns an analytics.OverBudget if it would read more than analytics.ScanBudget bytes of rows, and
// analytics.ErrTooManyAuthors.
func Count(
	ctx context.Context, s analytics.Store, orgID string, f filter.Filter, m alert.Metric, from, to time.Time,
) (alert.Series, error) {
	from, to = from.UTC().Truncate(time.Hour), to.UTC().Truncate(time.Hour)
	if !from.Before(to) {
		return alert.NewSeries(from, nil), nil
	}
	answers, err := analytics.Run(ctx, s, analytics.Query{
		WorkspaceID: orgID,
		Period:      analytics.Period{Start: from, End: to, Zone: time.UTC},
		Granularity: analytics.Hour,
		Aggregates:  aggregates[m],
		Filter:      f,
	})
	if err != nil {
		return alert.Series{}, fmt.Errorf("count an alert's mentions: %w", err)
	}
	hours := make([]alert.Counts, int(to.Sub(from)/time.Hour))
	for _, row := range answers[0].Rows {
		hours[row.Bucket] = alert.Counts{
			Mentions: row.Mentions, Negative: row.Negative, Judged: row.Judged, Reach: row.Reach, Engagement: row.Engagement,
		}
	}
	return alert.NewSeries(from, hours), nil
}
