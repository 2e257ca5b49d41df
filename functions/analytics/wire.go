package analytics

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/analytics"
	"earshot/shared/web"
	"earshot/shared/web/filterwire"
)

// Exactness says whether figures are those of a recount.
type Exactness struct {
	Exact bool   `json:"exact" doc:"Whether a recount at this moment would give the same figures."`
	Why   string `json:"why,omitempty" doc:"What differs if the figures are not exact."`
}

// A Bucket names an hour, day, week or month.
type Bucket string

// Schema describes the form.
func (Bucket) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:        huma.TypeString,
		Description: "The first day of the bucket in the time zone, or for an hour its first moment in UTC. Weeks begin on Monday.",
		AnyOf:       []*huma.Schema{{Format: "date"}, {Format: "date-time"}},
	}
}

// bucketName returns the name of a bucket of a period.
func bucketName(b analytics.Bucket, g analytics.Granularity, p analytics.Period) Bucket {
	if g == analytics.Hour {
		return Bucket(web.FormatTime(b.Label))
	}
	return Bucket(b.Label.In(p.Zone).Format(time.DateOnly))
}

// A Tone is a sentiment, or that there is none yet.
type Tone string

// Schema lists the tones.
func (Tone) Schema(huma.Registry) *huma.Schema {
	return web.OneOf("unknown stands for mentions that were not judged yet.", "Positive", "Neutral", "Negative", "unknown")
}

func toneOf(v analytics.Value) Tone {
	if v.Missing {
		return "unknown"
	}
	return Tone(v.Text)
}

// openers makes the filters of rows.
type openers struct {
	selected selected
	query    analytics.Query
	buckets  []analytics.Bucket
}

func newOpeners(s selected, q analytics.Query) openers {
	o := openers{selected: s, query: q}
	o.query.Period, o.query.Filter = s.period, s.filter
	if q.Granularity != "" {
		o.buckets = s.period.Buckets(q.Granularity)
	}
	return o
}

// bucket returns the filters of all mentions of a bucket.
func (o openers) bucket(n int) (filterwire.Either, error) { return o.row(n, nil) }

// row returns the filters of a row, by its bucket if there are buckets, and by its values. They are empty if the
// grammar cannot name a value.
func (o openers) row(bucket int, values []analytics.Value) (either filterwire.Either, err error) {
	start, end := o.query.Window()
	if o.buckets != nil {
		if b := o.buckets[bucket]; b.Start.After(start) {
			start = b.Start
		}
		if b := o.buckets[bucket]; b.End.Before(end) {
			end = b.End
		}
	}
	var conditions []map[string]any
	for i, v := range values {
		if !analytics.Opens(o.query.Dimensions[i], v) {
			return either, nil
		}
		conditions = append(conditions, analytics.Condition(o.query.Dimensions[i], v, o.group(v))...)
	}
	written, err := json.Marshal(o.selected.rows.Within(start, end, conditions...))
	if err != nil {
		return either, fmt.Errorf("write a filter: %w", err)
	}
	err = either.UnmarshalJSON(written)
	return either, err
}

// group returns the group of keywords that a value stands for, if there are groups.
func (o openers) group(v analytics.Value) []int64 {
	for _, group := range o.query.Groups {
		if fmt.Sprint(group[0]) == v.Text {
			return group
		}
	}
	return nil
}
