package attention

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"earshot/shared/alert"
)

// destinations says that nobody is told of anything.
func destinations(f Facts) []Item {
	if f.Told || len(f.Feeds) == 0 {
		return nil
	}
	since := f.Feeds[0].CreatedAt
	for _, one := range f.Feeds {
		if one.CreatedAt.Before(since) {
			since = one.CreatedAt
		}
	}
	return []Item{{
		ID:       f.idOf(NoDestination, "", ""),
		Kind:     NoDestination,
		Severity: Info,
		Title:    "Nobody is told of new mentions",
		Message: "No feed, notification or alert has a destination. Make a notification with a mail address, a channel of " +
			"Slack or a webhook, so that people need not look.",
		Action:    Action{Type: Open, Path: "/api/v2/notifications"},
		CreatedAt: cmp.Or(since, f.Workspace.CreatedAt),
	}}
}

// A trend is a change of the workspace's figures that people want to know of. It goes on as an alert does.
type trend struct {
	kind     Kind
	severity Severity
	title    string
	message  string // with the value and its baseline
	when     alert.Condition
}

// few is how many mentions in the window are too few to speak of.
func few(n int64) *int64 { return &n }

// trends are those that are watched.
func trends() []trend {
	return []trend{
		{
			MentionSpike, Info, "There are far more mentions than usual",
			"%s relevant mentions came in 24 hours, against %s in the same hours of the weeks before. " +
				"POST /api/v2/analytics/themes says what they are about.",
			alert.Condition{
				Metric: alert.Mentions, Comparison: alert.RisesBy, Value: 100, Window: alert.Day, Baseline: alert.Weekday,
				Minimum: few(20),
			},
		},
		{
			NegativeRising, Warning, "Mentions become more negative",
			"%s of the relevant mentions of 7 days are negative, against %s in the 7 days before. Look at those with the " +
				"sentiment negative.",
			alert.Condition{
				Metric: alert.NegativeShare, Comparison: alert.RisesBy, Value: 50, Window: alert.Week, Baseline: alert.Previous,
				Minimum: few(30),
			},
		},
	}
}

// rising lists the trends that began lately and go on.
func rising(f Facts) (items []Item) {
	for _, t := range trends() {
		episodes := alert.Episodes(f.Series, t.when, f.Now.Add(-lately), f.Now)
		if len(episodes) == 0 || !episodes[len(episodes)-1].To.IsZero() {
			continue
		}
		on := episodes[len(episodes)-1]
		if on.Baseline == nil || *on.Baseline == 0 {
			continue // the first mentions are no news
		}
		items = append(items, Item{
			ID:        f.idOf(t.kind, "", alert.EpisodeID(on.From)),
			Kind:      t.kind,
			Severity:  t.severity,
			Title:     t.title,
			Message:   fmt.Sprintf(t.message, figure(t.when.Metric, on.Value), figure(t.when.Metric, *on.Baseline)),
			Action:    Action{Type: Open, Path: "/api/v2/analytics/dashboard"},
			CreatedAt: on.From,
		})
	}
	return items
}

// figure writes a value of a metric.
func figure(of alert.Metric, value float64) string {
	if of == alert.NegativeShare {
		return strconv.FormatFloat(100*value, 'f', 0, 64) + " %"
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

// loud names the mentions of the last week that most people may have seen.
func loud(f Facts) (items []Item) {
	all := slices.DeleteFunc(slices.Clone(f.Loud), func(l Loud) bool {
		return l.Followers < manyFollow || f.Now.Sub(l.PostedAt) > lately
	})
	slices.SortStableFunc(all, func(a, b Loud) int {
		return cmp.Or(cmp.Compare(b.Followers, a.Followers), b.PostedAt.Compare(a.PostedAt))
	})
	for _, l := range all[:min(len(all), mostLoud)] {
		items = append(items, Item{
			ID:       f.idOf(HighReach, l.SourceID, ""),
			Kind:     HighReach,
			Severity: Info,
			Title:    fmt.Sprintf("%q has %d followers and no answer", l.Author, l.Followers),
			Message: fmt.Sprintf(
				"A relevant mention on %s of %s is by somebody whom %d follow. Answer it, and mark it as engaged.",
				l.Source, l.PostedAt.UTC().Format("2 January 2006"), l.Followers,
			),
			Action:    Action{Type: Open, Path: "/api/v2/mentions/by-id?id=" + url.QueryEscape(l.SourceID)},
			CreatedAt: l.PostedAt.Truncate(time.Millisecond),
		})
	}
	return items
}
