package alerts_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"earshot/functions/alerts"
	"earshot/functions/discovery"
	"earshot/shared/feed"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/store/allstores"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// posts returns mentions of the last 40 days: a quiet level and bursts.
func posts() (all []mention.Mention) {
	random := rand.New(rand.NewPCG(3, 0))
	for day := range 40 {
		for range []int{1, 2, 3, 12, 2, 20, 1}[day%7] {
			ago := time.Duration(day)*24*time.Hour + time.Duration(random.IntN(24*3600))*time.Second
			m := worldtest.Mention(0, fmt.Sprint("post", len(all)),
				worldtest.Now.Add(-ago).Add(time.Duration(len(all))*time.Millisecond))
			score := mention.Score(random.IntN(3))
			m.RelevanceScore, m.Relevant = &score, score.Relevant()
			m.Source = []string{"hackernews", "reddit"}[random.IntN(2)]
			m.Sentiment = append(mention.Sentiments(), "")[random.IntN(4)]
			title, handle, followers := []string{"northwind blows", "calm"}[random.IntN(2)], fmt.Sprint("author", len(all)),
				int64(100)
			m.Title, m.Body, m.Author, m.AuthorFollowers = &title, nil, &handle, &followers
			m.Engagement = map[string]int64{"points": int64(random.IntN(9)), "views": 1000}
			all = append(all, m)
		}
	}
	return all
}

// figure recounts a metric over the hours before end; NaN without a value.
func figure(all []mention.Mention, metric string, end time.Time, hours int, takes func(mention.Mention) bool) float64 {
	count, negative, judged, engagement := 0.0, 0.0, 0.0, 0.0
	for _, m := range all {
		if m.PostedAt.Before(end.Add(-time.Duration(hours)*time.Hour)) || !m.PostedAt.Before(end) || !m.Relevant ||
			!takes(m) {
			continue
		}
		count++
		engagement += float64(m.Engagement["points"])
		if m.Sentiment != "" {
			judged++
		}
		if m.Sentiment == mention.Negative {
			negative++
		}
	}
	return map[string]float64{
		"mentions": count, "negative_share": negative / judged, "reach": 100 * count, "engagement": engagement,
	}[metric] // each author writes once
}

// A preview tells the episodes of a recount of all posts, hour by hour.
func TestPreview_NaiveRecount(t *testing.T) {
	r := newRoom(t)
	all := posts()
	_, err := r.Store.Ingest(t.Context(), r.Main.ID, 1_000_000, append([]mention.Mention{}, all...))
	worldtest.Must(t, err)
	reddit := feed.Feed{ID: 2, Name: "Reddit", SimpleFilters: []byte(`{"source":["reddit"]}`)}
	worldtest.Must(t, r.Store.RestoreFeed(t.Context(), r.Main.ID, reddit))
	every := func(mention.Mention) bool { return true }
	onReddit := func(m mention.Mention) bool { return m.Source == "reddit" }
	named := func(m mention.Mention) bool { return strings.Contains(*m.Title, "northwind") }
	const above, rises = "above", "rises_by"
	for _, c := range []struct {
		watched            string
		takes              func(mention.Mention) bool
		metric, comparison string
		value              float64
		window             string
		hours              int
	}{
		{`"feedId":1`, every, "mentions", above, 8, "24h", 24},
		{`"feedId":1`, every, "mentions", rises, 100, "24h", 24},
		{`"feedId":2`, onReddit, "mentions", above, 3, "6h", 6},
		{`"feedId":2`, onReddit, "negative_share", above, 0.4, "24h", 24},
		{`"filters":{"text":["northwind"]}`, named, "mentions", above, 3, "24h", 24},
		{`"filters":{}`, every, "reach", above, 700, "24h", 24},
		{`"filters":{"source":["reddit"]}`, onReddit, "engagement", above, 20, "24h", 24},
	} {
		body := fmt.Sprintf(`{%s,"condition":{"metric":%q,"comparison":%q,"value":%v,"window":%q}}`,
			c.watched, c.metric, c.comparison, c.value, c.window)
		var got struct {
			Fired    int
			Episodes []struct {
				From            time.Time
				To              *time.Time
				Value, Baseline *float64
			}
		}
		r.As(r.Read).Post(t, list+"/preview", body).OK(t, &got)
		end := worldtest.Now.Truncate(time.Hour)
		var want, told []string
		firing := false
		for at := end.Add(-30 * 24 * time.Hour); !at.After(end); at = at.Add(time.Hour) {
			measure := figure(all, c.metric, at, c.hours, c.takes)
			if c.comparison == rises {
				before := figure(all, c.metric, at.Add(-time.Duration(c.hours)*time.Hour), c.hours, c.takes)
				if measure = 100 * (measure - before) / before; math.IsNaN(measure) {
					measure = 0 // still nothing
				}
			}
			switch {
			case !firing && c.comparison == above && measure > c.value, !firing && c.comparison == rises && measure >= c.value:
				firing, want = true, append(want, "from "+at.Format(time.RFC3339))
			case firing && measure <= c.value*0.9:
				firing, want = false, append(want, "to "+at.Format(time.RFC3339))
			}
		}
		for _, e := range got.Episodes {
			told = append(told, "from "+e.From.Format(time.RFC3339))
			if e.To != nil {
				told = append(told, "to "+e.To.Format(time.RFC3339))
			}
			if (e.Baseline != nil) != (c.comparison == rises) || e.Value == nil {
				t.Errorf("%s: an episode with the value %v against %v", body, e.Value, e.Baseline)
			}
		}
		if len(want) == 0 || fmt.Sprint(told) != fmt.Sprint(want) || got.Fired != len(got.Episodes) {
			t.Errorf("%s\ntells %d: %q,\nwant     %q", body, got.Fired, told, want)
		}
	}
}

func TestPreview_Refused(t *testing.T) {
	r := newRoom(t)
	for _, c := range []struct {
		body   string
		status int
		code   string
		paths  string
	}{
		{`{}`, 400, "VALIDATION_ERROR", "condition feedId"},
		{`{"feedId":1,"filters":{},"condition":{}}`, 400, "VALIDATION_ERROR",
			"condition.comparison condition.metric condition.value condition.window filters"},
		{`{"filters":{"mood":1},"condition":` + peak + `,"name":"x"}`, 400, "VALIDATION_ERROR", "filters.mood name"},
		{`{"feedId":2,"condition":` + peak + `}`, 404, "FEED_NOT_FOUND", ""},
		{`{"filters":{"keyword":[8]},"condition":` + peak + `}`, 400, "MENTION_KEYWORD_UNKNOWN", ""},
		{`{"filters":` + many + `,"condition":` + peak + `}`, 400, "FILTER_LIMIT_EXCEEDED", ""},
	} {
		if got := paths(r.Post(t, list+"/preview", c.body).Is(t, c.status, c.code)); got != c.paths {
			t.Errorf("%.200s: faults at %q, want %q", c.body, got, c.paths)
		}
	}
}

// endless is a store whose rows are more than any budget.
type endless struct{ *allstores.Store }

func (endless) Scan(
	_ context.Context, _ string, _ *filter.Predicate, _, _ time.Time, budget int, _, _ func(*filter.Row),
) (int, bool, error) {
	return budget + 1, false, nil
}

func TestPreview_OverBudget(t *testing.T) {
	desk := worldtest.NewDesk(t, discovery.OpenAPI(), func(api *web.API, w *worldtest.World) {
		alerts.Register(api, alerts.Options{Store: endless{w.Store}, Clock: w.Clock})
	})
	_, err := desk.Store.Ingest(t.Context(), desk.Main.ID, 1_000_000, posts())
	worldtest.Must(t, err)
	ask := func(filters string) worldtest.Answer {
		return desk.Post(t, list+"/preview", `{"filters":`+filters+`,"condition":`+peak+`}`)
	}
	if got := ask(`{"text":["northwind"]}`).Is(t, 400, "INVALID_INPUT"); !strings.Contains(got.Message, "64 MiB") {
		t.Errorf("the message is %q", got.Message)
	}
	ask(`{"source":["reddit"]}`).OK(t, &struct{}{})
}
