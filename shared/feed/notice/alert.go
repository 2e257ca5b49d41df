package notice

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"earshot/shared/alert"
	"earshot/shared/feed"
	"earshot/shared/mention"
)

// metrics are what alerts watch, in words.
var metrics = map[alert.Metric]string{
	alert.Mentions:      "mentions",
	alert.NegativeShare: "negative mentions",
	alert.Reach:         "reach",
	alert.Engagement:    "engagement",
}

// windows are the windows of alerts, in words.
var windows = map[alert.Window]string{
	alert.Hour: "an hour", alert.SixHours: "6 hours", alert.Day: "24 hours", alert.Week: "7 days",
}

// endings are why episodes end without a figure, in words.
var endings = map[alert.Because]string{
	alert.Changed:                       "the alert was changed",
	alert.Disabled:                      "the alert was disabled",
	alert.Deleted:                       "the alert was deleted",
	alert.Removed:                       "it no longer sends its messages here",
	alert.Because(alert.KeywordDeleted): "a keyword of its filters was deleted",
	alert.Because(alert.FeedDeleted):    "its feed was deleted",
}

// OfAlert returns what a message tells of an alert of that name: the figures that are its reason, and some mentions.
func OfAlert(name string, r alert.Report, mentions []mention.Mention) Content {
	name = line(name, feed.MaxNotificationName)
	c := Content{Groups: []Group{{Mentions: mentions}}}
	what := map[alert.Event]string{
		alert.Fired: "Alert “%s”: %s", alert.Reminded: "Alert “%s” is still on: %s", alert.Resolved: "Alert “%s” is over: %s",
	}[r.Event]
	if r.Because == alert.Removed {
		what = "Alert “%s” is still on, but %s"
	}
	c.Says = fmt.Sprintf(what, name, said(r))
	if r.Value != nil {
		c.Figures = append(c.Figures, Figure{"Now", amount(r.Condition.Metric, *r.Value), when(r.From, r.To)})
	}
	if r.Baseline != nil {
		against := "the window before"
		if r.Condition.Baseline == alert.Weekday {
			against = "the same hours in the weeks before"
		}
		c.Figures = append(c.Figures, Figure{"Usual", amount(r.Condition.Metric, *r.Baseline), against})
	}
	c.Figures = append(c.Figures, Figure{"Fires", limit(r.Condition), "in " + windows[r.Condition.Window]})
	if r.Event != alert.Fired {
		c.Figures = append(c.Figures, Figure{
			"Peak", amount(r.Condition.Metric, r.Peak), "since " + r.Since.UTC().Format("Mon 2 Jan 15:04"),
		})
	}
	if r.Condition.Metric != alert.Mentions && endings[r.Because] == "" {
		c.Figures = append(c.Figures, Figure{"Mentions", strconv.FormatInt(r.Mentions, 10), ""})
	}
	if r.Event == alert.Resolved {
		return c
	}
	c.More = max(0, int(r.Mentions)-len(mentions))
	return c
}

// said says a report's value in a line: "14 mentions in an hour, above 10".
func said(r alert.Report) string {
	if why := endings[r.Because]; why != "" {
		return why
	}
	if r.Value == nil {
		return metrics[r.Condition.Metric] + " cannot be counted"
	}
	value := amount(r.Condition.Metric, *r.Value) + " " + metrics[r.Condition.Metric]
	if r.Condition.Metric == alert.Mentions && *r.Value == 1 {
		value = "1 mention"
	}
	if r.Condition.Metric == alert.Reach || r.Condition.Metric == alert.Engagement {
		value = metrics[r.Condition.Metric] + " of " + amount(r.Condition.Metric, *r.Value)
	}
	value += " in " + windows[r.Condition.Window]
	switch {
	case r.Baseline != nil:
		return value + " against " + amount(r.Condition.Metric, *r.Baseline)
	case r.Event == alert.Resolved:
		return value
	}
	return value + ", " + limit(r.Condition)
}

// limit says when a condition fires.
func limit(c alert.Condition) string {
	threshold := decimal(c.Value, 9) // as many as WithDefaults keeps
	percent := threshold + " %"
	if c.Metric == alert.NegativeShare {
		threshold = decimal(c.Value*100, 7) + " %"
	}
	switch c.Comparison {
	case alert.RisesBy:
		return "up by " + percent
	case alert.FallsBy:
		return "down by " + percent
	case alert.Below:
		return "below " + threshold
	}
	return "above " + threshold
}

// amount writes a value of a metric, which may be a mean.
func amount(of alert.Metric, value float64) string {
	if of == alert.NegativeShare {
		return decimal(value*100, 0) + " %"
	}
	return decimal(value, 2)
}

// decimal writes a number with so many decimals at most.
func decimal(value float64, decimals int) string {
	written := strconv.FormatFloat(value, 'f', decimals, 64)
	if strings.Contains(written, ".") {
		written = strings.TrimRight(strings.TrimRight(written, "0"), ".")
	}
	return written
}

func when(from, to time.Time) string {
	const form = "Mon 2 Jan 15:04"
	return fmt.Sprintf("%s to %s UTC", from.UTC().Format(form), to.UTC().Format(form))
}
