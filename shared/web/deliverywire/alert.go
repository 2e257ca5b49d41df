package deliverywire

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"earshot/shared/alert"
	"earshot/shared/delivery"
	"earshot/shared/mention"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
)

// AlertEvent is the body that a webhook gets of an alert.
type AlertEvent struct {
	Type      string    `json:"type"`
	Timestamp string    `json:"timestamp"`
	Data      AlertData `json:"data"`
}

// AlertData is what an alert tells.
type AlertData struct {
	Alert    AlertNamed        `json:"alert"`
	Reminder bool              `json:"reminder"` // whether it was told before that the alert fires
	Since    string            `json:"since"`    // when it fired
	From     string            `json:"from"`     // the window that was counted holds this moment
	To       string            `json:"to"`       // and not this one
	Value    web.Null[float64] `json:"value"`    // of the window
	Baseline web.Null[float64] `json:"baseline"` // what the value is compared with; null unless it rises or falls by something
	Peak     float64           `json:"peak"`     // the most extreme value since the alert fired
	Counted  int64             `json:"counted"`  // mentions in the window
	Mentions []Listed          `json:"mentions"` // three that say the most

	// ResolvedBecause is why the episode ended: alert.Because or alert.Pause. It is null unless the alert has resolved.
	// But for "returned", value and baseline are null, counted is 0 and there are no mentions.
	ResolvedBecause web.Null[string] `json:"resolvedBecause"`
}

// AlertNamed is the alert of an event.
type AlertNamed struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	Condition Condition `json:"condition"`
}

// Condition is when an alert fires.
type Condition struct {
	Metric     string           `json:"metric"`
	Comparison string           `json:"comparison"`
	Value      float64          `json:"value"`
	Window     string           `json:"window"`
	Baseline   web.Null[string] `json:"baseline"`
	Minimum    web.Null[int64]  `json:"minimum"`
}

// Alert returns the body of an event that tells of an alert.
func Alert(of delivery.Type, r alert.Report, at time.Time, name string, mentions []mention.Mention) ([]byte, error) {
	c := r.Condition
	data := AlertData{
		Alert: AlertNamed{r.AlertID, name, Condition{
			string(
				c.Metric,
			), string(c.Comparison), c.Value, string(c.Window), web.NullIfEmpty(string(c.Baseline)),
			web.Null[int64]{Value: c.Minimum},
		}},
		Reminder: r.Event == alert.Reminded,
		Since:    web.FormatTime(r.Since), From: web.FormatTime(r.From), To: web.FormatTime(r.To),
		Value: web.Null[float64]{Value: r.Value}, Baseline: web.Null[float64]{Value: r.Baseline}, Peak: r.Peak,
		Counted: r.Mentions,
	}
	if r.Event == alert.Resolved {
		data.ResolvedBecause = web.Some(string(cmp.Or(r.Because, alert.Returned)))
	}
	var err error
	if data.Mentions, err = listed(mentions); err != nil {
		return nil, err
	}
	body, err := json.Marshal(AlertEvent{string(of), web.FormatTime(at), data})
	if err != nil {
		return nil, fmt.Errorf("write an alert: %w", err)
	}
	return body, nil
}

// listed returns mentions for an event of several. Those that are too long for it are thin.
func listed(mentions []mention.Mention) ([]Listed, error) {
	all := make([]Listed, len(mentions))
	for i, m := range mentions {
		all[i] = Listed{Mention: mentionwire.FromMention(m, false)}
		written, err := json.Marshal(all[i])
		if err != nil {
			return nil, fmt.Errorf("write a mention: %w", err)
		}
		if len(written) > maxListed {
			all[i] = Listed{Mention: mentionwire.FromMention(thin(m), false), Truncated: true, APIURL: pathOf(m)}
		}
	}
	return all, nil
}
