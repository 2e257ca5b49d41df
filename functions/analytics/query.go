package analytics

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/analytics"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/web"
	"earshot/shared/web/filterwire"
	"earshot/shared/web/problem"
)

func (f figures) registerQuery(api *web.API) {
	one, share := int64(12), 0.25
	web.Register(api, web.Operation{
		ID: "queryAnalytics", Method: http.MethodPost, Path: path + "query", Group: Group, Reads: true,
		Summary: "Ask for figures by any two dimensions",
		Description: "Counts relevant mentions, unless `relevance` says otherwise. A period has at most 365 days. A date " +
			"without a time is a day of `timezone`; `filters` may narrow the period by its own dates.\n\n" +
			"Aggregates: `count` counts mentions, `authors` different authors, `reach` the followers of the authors, each author " +
			"once and by the newest number, `engagement` the public counters except views, `negativeShare` the share of negative " +
			"mentions among those with a sentiment, 0 if there are none. A mention counts for each of its topics and keywords. " +
			"If `filters` asks for keywords, only those have rows. " +
			"Mentions without an author have no row in the dimension author.\n\n" +
			"`exact` says whether the figures are those of a recount at this moment. If not, `why` says what differs. The `filters` " +
			"of a row open its mentions in `POST /api/v2/mentions` with `includeAll: true`. `scanned` is how many stored counts or " +
			"rows were read. A query that would read too many rows is refused with INVALID_INPUT: it needs rows for aggregates " +
			"other than count and negativeShare, for authors, texts, engagement and followers, for several keywords together, and " +
			"if a date or a time zone is not at a full hour of UTC. What was read of past days is kept as summaries, which know no " +
			"texts, ratings and counters; a refused query may be answered if it is asked again. For a past day with more than " +
			"5,000 authors, `authors` is estimated with a standard error of 0.8 %, if dimensions and filters are of relevance and " +
			"either source or keyword, and `reach` is not asked for. `exact` is false then.",
		Codes: []problem.Code{
			problem.InvalidTimezone,
			problem.MentionKeywordUnknown,
			problem.FilterLimitExceeded,
			problem.InvalidInput,
		},
		Example: QueryResult{Exactness: Exactness{Exact: true}, Scanned: 41, Data: []QueryRow{
			{Bucket: "2026-11-16", Source: "reddit", Count: &one, NegativeShare: &share, Filters: exampleFilter()},
		}},
	}, f.query)
}

// QueryInput asks for figures.
type QueryInput struct{ Body QueryBody }

// QueryBody asks for figures.
type QueryBody struct {
	StartDate   string                `json:"startDate,omitempty" minLength:"1" doc:"The first day of timezone, or the first moment, that counts. Default: 30 days before the end." example:"2026-11-01"`
	EndDate     string                `json:"endDate,omitempty" minLength:"1" doc:"The first day of timezone, or the first moment, that no longer counts. Default: the end of today." example:"2026-11-08"`
	Timezone    string                `json:"timezone,omitempty" minLength:"1" default:"UTC" doc:"The time zone of days, by its exact IANA name, such as Europe/Berlin."`
	Aggregates  []analytics.Aggregate `json:"aggregates" minItems:"1" maxItems:"10" enum:"count,authors,reach,engagement,negativeShare"`
	Dimensions  []analytics.Dimension `json:"dimensions,omitempty" maxItems:"2" enum:"source,sentiment,relevance,language,tag,keyword,author"`
	Time        bool                  `json:"time,omitempty" default:"false" doc:"Whether to divide the period into buckets."`
	Granularity analytics.Granularity `json:"granularity,omitempty" enum:"hour,day,week,month" doc:"The length of a bucket. Default: day, with time. Giving it implies time."`
	Filters     filterwire.Either     `json:"filters,omitzero" doc:"A simple or an advanced filter, as for POST /mentions."`
	Relevance   []Relevance           `json:"relevance,omitempty" minItems:"1" maxItems:"4" doc:"The scores that count: 0 high, 1 medium, 2 low, none. Default: 0 and 1."`
	CompareTo   string                `json:"compareTo,omitempty" enum:"previous,year" doc:"Also answer for the period of the same length before, or for the same dates a year before."`
	Limit       int                   `json:"limit,omitempty" minimum:"1" maximum:"1000" default:"100" doc:"The largest number of combinations of values. Those with the most mentions are kept; omitted counts the others."`
}

// Resolve reports the faults that the schema cannot express.
func (b *QueryBody) Resolve(huma.Context) []error { return web.Faults(b.dated().faults()...) }

func (b QueryBody) dated() dated { return dated{b.StartDate, b.EndDate, b.Timezone, ""} }

// A Relevance is a score of 0 to 2, or none.
type Relevance struct{ score *int64 }

// Schema describes the forms.
func (Relevance) Schema(huma.Registry) *huma.Schema {
	low, high := float64(mention.High), float64(mention.Low)
	return &huma.Schema{AnyOf: []*huma.Schema{
		{Type: huma.TypeInteger, Minimum: &low, Maximum: &high},
		{Type: huma.TypeString, Enum: []any{"none"}},
	}}
}

// MarshalJSON writes the score, or "none".
func (r Relevance) MarshalJSON() ([]byte, error) {
	if r.score == nil {
		return []byte(`"none"`), nil
	}
	return strconv.AppendInt(nil, *r.score, 10), nil
}

// UnmarshalJSON reads a score, or "none".
func (r *Relevance) UnmarshalJSON(data []byte) error {
	if string(data) == `"none"` {
		r.score = nil
		return nil
	}
	return json.Unmarshal(data, &r.score)
}

// QueryResult holds the figures of a query.
type QueryResult struct {
	Exactness
	Scanned    int64      `json:"scanned" minimum:"0" doc:"How many stored counts or rows were read."`
	Omitted    int        `json:"omitted" minimum:"0" doc:"How many combinations of values limit left out."`
	Data       []QueryRow `json:"data" doc:"In order of time. In a bucket the most mentions come first."`
	ComparedTo *Compared  `json:"comparedTo,omitempty"`
}

// Compared holds the figures of the period that compareTo names.
type Compared struct {
	Exactness
	StartDate Moment     `json:"startDate"`
	EndDate   Moment     `json:"endDate"`
	Omitted   int        `json:"omitted" minimum:"0" doc:"How many combinations of values limit left out."`
	Data      []QueryRow `json:"data"`
}

// QueryRow holds the figures of a bucket and of a combination of values. It has the dimensions and aggregates that the
// query asks for.
type QueryRow struct {
	Bucket        Bucket            `json:"bucket,omitempty"`
	Source        string            `json:"source,omitempty" doc:"The platform; with the dimension author, that of the handle."`
	Sentiment     Tone              `json:"sentiment,omitempty"`
	Relevance     *Relevance        `json:"relevance,omitempty"`
	Language      string            `json:"language,omitempty" doc:"Its full lowercase English name, or undetermined."`
	Tag           string            `json:"tag,omitempty" doc:"A topic, or none."`
	Keyword       *KeywordOrNone    `json:"keyword,omitempty"`
	Author        string            `json:"author,omitempty" doc:"The handle in lower case, without a leading @."`
	Count         *int64            `json:"count,omitempty" minimum:"0"`
	Authors       *int64            `json:"authors,omitempty" minimum:"0"`
	Reach         *int64            `json:"reach,omitempty" minimum:"0"`
	Engagement    *int64            `json:"engagement,omitempty" minimum:"0"`
	NegativeShare *float64          `json:"negativeShare,omitempty" minimum:"0" maximum:"1"`
	Filters       filterwire.Either `json:"filters,omitzero" doc:"Left out if the row's keyword was deleted, or if no filter can name a value, such as a handle of more than 200 characters."`
}

// A KeywordOrNone is the id of a keyword, or none.
type KeywordOrNone struct{ id int64 }

// Schema describes the forms.
func (KeywordOrNone) Schema(huma.Registry) *huma.Schema {
	low, high := 1.0, float64(mention.MaxID)
	return &huma.Schema{
		Description: "The keyword's id, or none for mentions without a keyword.",
		AnyOf: []*huma.Schema{
			{Type: huma.TypeInteger, Minimum: &low, Maximum: &high},
			{Type: huma.TypeString, Enum: []any{"none"}},
		},
	}
}

// MarshalJSON writes the id, or "none".
func (k KeywordOrNone) MarshalJSON() ([]byte, error) {
	if k.id == 0 {
		return []byte(`"none"`), nil
	}
	return strconv.AppendInt(nil, k.id, 10), nil
}

func (f figures) query(ctx context.Context, in *QueryInput) (*QueryResult, error) {
	body := in.Body
	s, err := f.readBody(ctx, body)
	if err != nil {
		return nil, err
	}
	query := analytics.Query{Aggregates: unique(body.Aggregates), Dimensions: unique(body.Dimensions)}
	if body.Time || body.Granularity != "" {
		query.Granularity = cmp.Or(body.Granularity, analytics.Day)
	}
	if query.Granularity == "" && slices.Equal(query.Dimensions, []analytics.Dimension{analytics.Author}) {
		query.Top = body.Limit
	}
	var known map[int64]bool
	if slices.Contains(body.Dimensions, analytics.Keyword) {
		all, err := f.store.Keywords(ctx, web.CallerOf(ctx).Workspace.ID)
		if err != nil {
			return nil, err
		}
		known = map[int64]bool{}
		for _, k := range all {
			known[k.ID] = true
		}
	}
	answers, err := f.find(ctx, s, query)
	if err != nil {
		return nil, err
	}
	out := &QueryResult{Exactness: answers[0].exactness(), Scanned: answers[0].Scanned}
	if out.Data, out.Omitted, err = queryRows(answers[0], body.Limit, known); err != nil || body.CompareTo == "" {
		return out, err
	}
	narrowed := analytics.Query{Period: s.period, Filter: s.filter}.Narrowed()
	if s.period, s.filter = narrowed.Period.Before(), narrowed.Filter; body.CompareTo == "year" {
		s.period = narrowed.Period.YearBefore()
	}
	before, err := f.find(ctx, s, query)
	if err != nil {
		return nil, err
	}
	out.Scanned += before[0].Scanned
	out.ComparedTo = &Compared{
		Exactness: before[0].exactness(),
		StartDate: Moment(web.FormatTime(s.period.Start)),
		EndDate:   Moment(web.FormatTime(s.period.End)),
	}
	out.ComparedTo.Data, out.ComparedTo.Omitted, err = queryRows(before[0], body.Limit, known)
	return out, err
}

// unique returns the values in their order, each once.
func unique[T comparable](values []T) (once []T) {
	for _, v := range values {
		if !slices.Contains(once, v) {
			once = append(once, v)
		}
	}
	return once
}

// readBody checks a query against the workspace.
func (f figures) readBody(ctx context.Context, body QueryBody) (selected, error) {
	period, err := body.dated().period(f.clock.Now())
	if err != nil {
		return selected{}, err
	}
	asked, faults := body.Filters.ToFilter()
	if len(faults) > 0 {
		return selected{}, fmt.Errorf("read a filter: %s: %s", faults[0].Path, faults[0].Message)
	}
	if slices.Contains(body.Dimensions, analytics.Keyword) {
		if n := len(asked.Keywords()); n > filter.MaxValues {
			return selected{}, problem.New(
				problem.InvalidInput,
				"The filters name %d keywords. Name at most %d.",
				n,
				filter.MaxValues,
			)
		}
	}
	for some := range slices.Chunk(asked.Keywords(), filter.MaxValues) {
		known, err := f.store.KeywordsKnown(ctx, web.CallerOf(ctx).Workspace.ID, some)
		if err != nil {
			return selected{}, err
		}
		for _, id := range some {
			if !known[id] {
				return selected{}, problem.New(problem.MentionKeywordUnknown,
					"The workspace has no keyword with the id %d. GET /api/v2/keywords lists them.", id)
			}
		}
	}
	rows, err := analytics.NewRowFilter([]byte(body.Filters.JSON()))
	if err != nil {
		return selected{}, err
	}
	// The row's filters, with the relevance and the longest conditions of the dimensions, must be filters too.
	conditions := []map[string]any{{string(filter.Relevance): body.relevance()}}
	for _, d := range body.Dimensions {
		conditions = append(conditions, analytics.Condition(d, analytics.Value{Text: "1", Source: "x"}, nil)...)
	}
	widest, err := json.Marshal(rows.Within(period.Start, period.End, conditions...))
	if err != nil {
		return selected{}, fmt.Errorf("write a filter: %w", err)
	}
	if parsed, _ := filter.Parse(widest); parsed.Conditions() > filter.MaxConditions ||
		asked.Conditions() > filter.MaxConditions {
		return selected{}, problem.New(problem.FilterLimitExceeded,
			"The query has too many conditions: with those of a row's dimensions and relevance there are more than %d.",
			filter.MaxConditions)
	}
	written, err := json.Marshal(rows.With(asked, map[string]any{string(filter.Relevance): body.relevance()}))
	if err != nil {
		return selected{}, fmt.Errorf("write a filter: %w", err)
	}
	return newSelected(period, written, nil)
}

// relevance returns the values of the condition on relevance.
func (b QueryBody) relevance() []any {
	if b.Relevance == nil {
		return usualRelevance()
	}
	values := make([]any, len(b.Relevance))
	for i, r := range b.Relevance {
		if values[i] = "none"; r.score != nil {
			values[i] = *r.score
		}
	}
	return values
}

// queryRows returns the rows of an answer. It keeps the limit combinations of values with the most mentions. Mentions
// without an author have no row in the dimension author.
func queryRows(f found, limit int, known map[int64]bool) (list []QueryRow, omitted int, err error) {
	if at := slices.Index(f.query.Dimensions, analytics.Author); at >= 0 {
		f.Rows = slices.DeleteFunc(f.Rows, func(row analytics.Row) bool { return row.Values[at].Missing })
	}
	totals := map[string]int64{}
	var order []string
	for _, row := range f.Rows {
		name := nameOf(row.Values)
		if _, seen := totals[name]; !seen {
			order = append(order, name)
		}
		totals[name] += row.Mentions
	}
	slices.SortStableFunc(order, func(x, y string) int { return cmp.Compare(totals[y], totals[x]) })
	for _, name := range order[min(limit, len(order)):] {
		delete(totals, name)
	}
	combinations := len(order)
	if f.query.Top > 0 {
		combinations = f.Total // of authors, of whom the answer has the first
	}
	omitted = max(0, combinations-limit)
	list = []QueryRow{}
	for _, row := range f.Rows {
		if _, kept := totals[nameOf(row.Values)]; !kept {
			continue
		}
		filters, err := f.row(row.Bucket, row.Values)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, f.rowOf(row, filters, known))
	}
	return list, omitted, nil
}

func nameOf(values []analytics.Value) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = strconv.FormatBool(v.Missing) + v.Source + "\x00" + v.Text
	}
	return strings.Join(parts, "\x00\x00")
}

// rowOf returns a row as the wire has it.
func (f found) rowOf(row analytics.Row, filters filterwire.Either, known map[int64]bool) (wire QueryRow) {
	wire.Filters = filters
	if f.buckets != nil {
		wire.Bucket = bucketName(f.buckets[row.Bucket], f.query.Granularity, f.selected.period)
	}
	for i, v := range row.Values {
		number, _ := strconv.ParseInt(v.Text, 10, 64)
		switch f.query.Dimensions[i] {
		case analytics.Source:
			wire.Source = v.Text
		case analytics.Sentiment:
			wire.Sentiment = toneOf(v)
		case analytics.Language:
			wire.Language = v.Text
		case analytics.Tag:
			wire.Tag = cmp.Or(v.Text, "none")
		case analytics.Relevance:
			if wire.Relevance = new(Relevance); !v.Missing {
				wire.Relevance.score = &number
			}
		case analytics.Keyword:
			if wire.Keyword = (&KeywordOrNone{number}); !v.Missing && !known[number] {
				wire.Filters = filterwire.Either{} // a list refuses the id of a deleted keyword
			}
		case analytics.Author:
			wire.Author, wire.Source = mention.LowerHandle(v.Text), v.Source
		}
	}
	for _, a := range f.query.Aggregates {
		switch a {
		case analytics.Count:
			wire.Count = &row.Mentions
		case analytics.Authors:
			wire.Authors = &row.Authors
		case analytics.Reach:
			wire.Reach = &row.Reach
		case analytics.Engagement:
			wire.Engagement = &row.Engagement
		case analytics.NegativeShare:
			share := row.NegativeShare()
			wire.NegativeShare = &share
		}
	}
	return wire
}
