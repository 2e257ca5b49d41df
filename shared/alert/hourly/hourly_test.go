package hourly_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/alert"
	"earshot/shared/alert/hourly"
	"earshot/shared/analytics"
	"earshot/shared/feed"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/worldtest"
)

// posts returns n mentions of the last days, of a few sources, keywords, authors, tones and scores.
func posts(n int) []mention.Mention {
	random := rand.New(rand.NewPCG(7, 0))
	list := make([]mention.Mention, n)
	for i := range list {
		ago := time.Duration(random.IntN(72*60))*time.Minute + time.Duration(i)*time.Millisecond
		m := worldtest.Mention(0, fmt.Sprint("post", i), worldtest.Now.Add(-ago))
		m.Source = []string{"hackernews", "reddit"}[random.IntN(2)]
		m.Sentiment = append(mention.Sentiments(), "")[random.IntN(4)]
		score := mention.Score(random.IntN(3))
		m.RelevanceScore, m.Relevant = &score, score.Relevant()
		m.Keywords = worldtest.KeywordsOf(7+random.IntN(2), 1+random.IntN(2))
		handle, followers := fmt.Sprint("author", random.IntN(5)), int64(random.IntN(900))
		m.Author, m.AuthorFollowers = &handle, &followers
		m.Engagement = map[string]int64{"points": int64(random.IntN(9)), "views": 1000}
		title := []string{"northwind blows", "calm"}[random.IntN(2)]
		m.Title, m.Body = &title, nil
		list[i] = m
	}
	return list
}

// recount counts the relevant mentions of an hour that takes passes.
func recount(list []mention.Mention, hour time.Time, takes func(mention.Mention) bool) (c alert.Counts) {
	followers := map[string]int64{}
	newest := slices.SortedFunc(slices.Values(list),
		func(a, b mention.Mention) int { return b.PostedAt.Compare(a.PostedAt) })
	for _, m := range newest {
		if !m.PostedAt.Truncate(time.Hour).Equal(hour) || !m.Relevant || !takes(m) {
			continue
		}
		c.Mentions++
		c.Engagement += m.Engagement["points"]
		if m.Sentiment != "" {
			c.Judged++
		}
		if m.Sentiment == mention.Negative {
			c.Negative++
		}
		if author := m.Source + *m.Author; followers[author] == 0 {
			followers[author] = *m.AuthorFollowers
		}
	}
	for _, n := range followers {
		c.Reach += n
	}
	return c
}

// unscanned is a store that may not read rows.
type unscanned struct {
	analytics.Store
	scanned bool
}

func (u *unscanned) Scan(
	ctx context.Context, orgID string, f *filter.Predicate, start, end time.Time, budget int, all, each func(*filter.Row),
) (int, bool, error) {
	u.scanned = true
	return u.Store.Scan(ctx, orgID, f, start, end, budget, all, each)
}

const byAuthor = `{"operator":"AND","groups":[{"operator":"OR","conditions":[{"author":["author1"]}]}]}`

func TestCount_NaiveRecount(t *testing.T) {
	w := worldtest.NewWorld(t)
	list := posts(200)
	_, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000_000, slices.Clone(list))
	worldtest.Must(t, err)
	from, to := worldtest.Now.Add(-66*time.Hour), worldtest.Now.Add(30*time.Minute)
	ofKeyword := func(id int64) func(mention.Mention) bool {
		return func(m mention.Mention) bool {
			return slices.ContainsFunc(m.Keywords, func(k mention.Keyword) bool { return k.ID == id })
		}
	}
	for name, c := range map[string]struct {
		feed  feed.Feed
		takes func(mention.Mention) bool
		cells bool // whether cells decide the filter
	}{
		"all": {feed.Feed{}, func(mention.Mention) bool { return true }, true},
		"platform": {
			feed.Feed{SimpleFilters: []byte(`{"source":["reddit"]}`)},
			func(m mention.Mention) bool { return m.Source == "reddit" }, true,
		},
		"keyword": {feed.Feed{SimpleFilters: []byte(`{"keyword":[8]}`)}, ofKeyword(8), true},
		"not relevant": {
			feed.Feed{SimpleFilters: []byte(`{"relevance":[2]}`)}, func(mention.Mention) bool { return false }, true,
		},
		"several sides": {
			feed.Feed{SimpleFilters: []byte(`{"source":["reddit"]}`), AdvancedFilters: []byte(byAuthor)},
			func(m mention.Mention) bool { return m.Source == "reddit" && *m.Author == "author1" }, false,
		},
		"text": {
			feed.Feed{SimpleFilters: []byte(`{"text":["northwind"]}`)},
			func(m mention.Mention) bool { return strings.Contains(*m.Title, "northwind") }, false,
		},
	} {
		shown, err := hourly.OfFeed(c.feed)
		worldtest.Must(t, err)
		for _, metric := range alert.Metric("").Values() {
			s := &unscanned{Store: w.Store}
			series, err := hourly.Count(t.Context(), s, w.Main.ID, shown, metric, from, to)
			worldtest.Must(t, err)
			if byRows := !c.cells || metric == alert.Reach || metric == alert.Engagement; s.scanned && !byRows {
				t.Errorf("%s, %s: it reads rows where cells can answer", name, metric)
			}
			for hour := from.Truncate(time.Hour); hour.Before(to.Truncate(time.Hour)); hour = hour.Add(time.Hour) {
				got, covered := series.Window(hour.Add(time.Hour), alert.Hour)
				want := recount(list, hour, c.takes)
				if metric != alert.Reach {
					want.Reach, got.Reach = 0, 0
				}
				if metric != alert.Engagement {
					want.Engagement, got.Engagement = 0, 0
				}
				if !covered || got != want {
					t.Fatalf("%s, %s at %v: %+v, want %+v (covered: %v)", name, metric, hour, got, want, covered)
				}
			}
			if _, covered := series.Window(to.Truncate(time.Hour).Add(time.Hour), alert.Hour); covered {
				t.Errorf("%s, %s: the series covers the hour that has begun", name, metric)
			}
		}
	}
}

// endless is a store whose rows are more than any budget.
type endless struct{ analytics.Store }

func (endless) Scan(
	_ context.Context, _ string, _ *filter.Predicate, _, _ time.Time, budget int, _, _ func(*filter.Row),
) (int, bool, error) {
	return budget + 1, false, nil
}

func TestCount_OverBudget(t *testing.T) {
	w := worldtest.NewWorld(t)
	_, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000_000, posts(10))
	worldtest.Must(t, err)
	text, err := hourly.OfFilters([]byte(`{"text":["northwind"]}`))
	worldtest.Must(t, err)
	from, to := worldtest.Now.Add(-90*time.Hour), worldtest.Now
	_, err = hourly.Count(t.Context(), endless{w.Store}, w.Main.ID, text, alert.Mentions, from, to)
	if !errors.Is(err, analytics.ErrBudget) {
		t.Errorf("Count = %v, want ErrBudget", err)
	}
}

func TestOfFilters_NoLongerTaken(t *testing.T) {
	if _, err := hourly.OfFilters([]byte(`{"mood":["happy"]}`)); err == nil {
		t.Error("OfFilters takes a key that there is not")
	}
}
