package alertstore

import (
	"cmp"
	"time"

	"earshot/shared/alert"
	"earshot/shared/port/table"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/rows"
)

// fromAlert writes an alert, which is evaluated at due if it is enabled.
func fromAlert(orgID string, a alert.Alert, due time.Time) table.Item {
	key := rows.AlertKey(orgID, a.ID)
	item := table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"rev":                    a.Revision,
		"id":                     a.ID,
		"name":                   a.Name,
		"metric":                 string(a.Condition.Metric),
		"comparison":             string(a.Condition.Comparison),
		"value":                  a.Condition.Value,
		"window":                 string(a.Condition.Window),
		"remind":                 string(a.Remind),
		"enabled":                a.Enabled,
		"createdAt":              rows.FromTime(a.CreatedAt),
		"updatedAt":              rows.FromTime(a.UpdatedAt),
		rows.AttrWatchesSince:    rows.FromTime(a.WatchesSince),
	}
	if a.Enabled {
		item[rows.AttrWork], item[rows.AttrDueAt], item["org"] = rows.WorkAlerts, rows.FromTime(due), orgID
	}
	rows.Set(item, "baseline", string(a.Condition.Baseline))
	rows.SetIf(item, "minimum", a.Condition.Minimum)
	rows.Set(item, "feedId", a.FeedID)
	rows.Set(item, rows.AttrPaused, string(a.Paused))
	if len(a.Filters) > 0 {
		item["filters"] = a.Filters
	}
	if len(a.Destinations) > 0 {
		item["destinations"] = listenstore.FromDestinations(a.Destinations)
	}
	listenstore.FromSigning(item, a.Signing)
	return item
}

func toAlert(item table.Item) alert.Alert {
	updatedAt := rows.Text(item, "updatedAt")
	return alert.Alert{
		ID:      rows.Integer(item, "id"),
		Name:    rows.Text(item, "name"),
		FeedID:  rows.Integer(item, "feedId"),
		Filters: rows.Bytes(item, "filters"),
		Condition: alert.Condition{
			Metric:     alert.Metric(rows.Text(item, "metric")),
			Comparison: alert.Comparison(rows.Text(item, "comparison")),
			Value:      number(item, "value"),
			Window:     alert.Window(rows.Text(item, "window")),
			Baseline:   alert.Baseline(rows.Text(item, "baseline")),
			Minimum:    rows.Pointer[int64](item, "minimum"),
		},
		Destinations: listenstore.ToDestinations(item),
		Remind:       alert.Remind(rows.Text(item, "remind")),
		Enabled:      rows.Boolean(item, "enabled"),
		Paused:       alert.Pause(rows.Text(item, rows.AttrPaused)),
		Signing:      listenstore.ToSigning(item),
		CreatedAt:    rows.ToTime(rows.Text(item, "createdAt")),
		UpdatedAt:    rows.ToTime(updatedAt),
		WatchesSince: rows.ToTime(cmp.Or(rows.Text(item, rows.AttrWatchesSince), updatedAt)), // none in rows of old
		Revision:     rows.Integer(item, "rev"),
	}
}

func fromState(orgID string, id int64, s alert.State) table.Item {
	key := rows.AlertStateKey(orgID, id)
	item := table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"firing":                 s.Firing,
		rows.AttrEvaluatedAt:     rows.FromTime(s.EvaluatedAt),
	}
	rows.Set(item, "since", rows.FromTime(s.Since))
	rows.Set(item, "lastSaid", rows.FromTime(s.LastSaid))
	rows.Set(item, "value", s.Value)
	rows.SetIf(item, "baseline", s.Baseline)
	return item
}

// toState reads a state; the zero State of a missing row.
func toState(item table.Item) alert.State {
	s := alert.State{
		Firing:      rows.Boolean(item, "firing"),
		Since:       rows.ToTime(rows.Text(item, "since")),
		LastSaid:    rows.ToTime(rows.Text(item, "lastSaid")),
		EvaluatedAt: rows.ToTime(rows.Text(item, rows.AttrEvaluatedAt)),
		Value:       number(item, "value"),
	}
	if item["baseline"] != nil {
		baseline := number(item, "baseline")
		s.Baseline = &baseline
	}
	return s
}

// number reads a number, which a table returns as an int64 if it is whole; 0 if the attribute is missing.
func number(item table.Item, name string) float64 {
	if whole, is := item[name].(int64); is {
		return float64(whole)
	}
	fraction, _ := item[name].(float64)
	return fraction
}
