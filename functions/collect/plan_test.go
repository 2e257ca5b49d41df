package collect_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/source"
	"earshot/shared/store/listenstore"
	"earshot/shared/worldtest"
)

// What is fetched follows what workspaces listen for, and the sources that are configured.
func TestPlan(t *testing.T) {
	w := newWorld(t)
	news, dump := searched("hackernews"), searched("reddit")
	stream := &platform{about: source.About{Name: "newsletter", Stream: true, Max: 10}}
	c := w.collector(news, dump, stream)
	planned := func(step string, want ...string) {
		t.Helper()
		w.Clock.Freeze(w.Clock.Now().Add(2 * time.Hour))
		w.tick(t, c)
		got := slices.Sorted(maps.Keys(w.tasks(t, w.Main.ID)))
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", step, got, want)
		}
	}
	planned("nothing")
	k := w.keyword(t, northwind)
	planned("a new keyword", "1 hackernews", "1 reddit")
	narrow := w.keyword(t, keyword.Keyword{Text: "narrow", Platforms: []string{"reddit", "tiktok"}})
	planned("a narrowed one", "1 hackernews", "1 reddit", "2 reddit")
	change := func(id int64, change func(*keyword.Keyword)) {
		t.Helper()
		_, err := w.Store.ChangeKeyword(t.Context(), w.Main.ID, id, func(k *keyword.Keyword) error { change(k); return nil })
		must(t, err)
	}
	change(k.ID, func(k *keyword.Keyword) { k.Paused = true })
	planned("one is paused", "2 reddit")
	change(k.ID, func(k *keyword.Keyword) { k.Paused = false; k.Platforms = []string{"hackernews"} })
	planned("it is narrowed", "1 hackernews", "2 reddit")
	must(t, w.Store.DeleteKeyword(t.Context(), w.Main.ID, narrow.ID))
	planned("one is deleted", "1 hackernews")
	change(k.ID, func(k *keyword.Keyword) { k.Platforms = nil })
	c = w.collector(news, searched("dev"))
	planned("a source is gone, another is new", "1 hackernews", "1 dev")
	if left := w.tasks(t, ""); len(left) != 0 {
		t.Errorf("the stream is gone, and yet there is %v", left)
	}
	c = w.collector(news, dump, stream)
	planned("back again", "1 hackernews", "1 reddit")
	if len(w.tasks(t, "")) != 1 {
		t.Error("the stream is back")
	}
	// Whatever became of the tasks, a day later they are as they must be.
	for _, task := range w.tasks(t, w.Main.ID) {
		must(t, w.Store.RemoveTask(t.Context(), task))
	}
	must(t, w.Store.AddTask(t.Context(),
		listenstore.Task{WorkspaceID: w.Main.ID, KeywordID: 99, Source: "hackernews", DueAt: w.Clock.Now()}))
	w.Clock.Freeze(w.Clock.Now().Add(24 * time.Hour))
	planned("healed", "1 hackernews", "1 reddit")
}

// A tick that looked at the keywords before one was changed makes the task again that the change ended, and fetches it
// for the old text. The next one fetches it for the new text, at once and seven days back, also when the other is
// fetching still.
func TestPlanOvertaken(t *testing.T) {
	for _, fetching := range []bool{false, true} {
		w := newWorld(t)
		k := w.keyword(t, northwind)
		from := searched("hackernews")
		c := w.collector(from)
		w.tick(t, c)
		if _, err := w.Store.ChangeKeyword(t.Context(), w.Main.ID, k.ID,
			func(k *keyword.Keyword) error { k.Text = "southwind"; return nil }); err != nil {
			t.Fatal(err)
		}
		now := w.Clock.Now()
		stale := listenstore.Task{
			WorkspaceID: w.Main.ID,
			KeywordID:   k.ID,
			Source:      "hackernews",
			Query:       "false northwind",
			Since:       now,
			DueAt:       now.Add(50 * time.Minute),
		}
		if fetching {
			stale.DueAt = now.Add(4 * time.Minute)
		}
		must(t, w.Store.AddTask(t.Context(), stale))
		w.Clock.Freeze(now.Add(time.Minute))
		from.forget()
		w.tick(t, c)
		if asked := from.queries(); len(asked) != 1 || asked[0].Text != "southwind" ||
			!asked[0].Since.Equal(w.Clock.Now().Add(-week)) {
			t.Fatalf("fetching still: %v: asked %+v", fetching, asked)
		}
		must(t, w.Store.FinishTask(t.Context(), stale, stale)) // the other comes to its end, too late
		if task := w.task(t, w.Main.ID); task.Query != "false southwind" || !task.DueAt.After(w.Clock.Now()) {
			t.Errorf("fetching still: %v: %+v", fetching, task)
		}
	}
}

// A task whose keyword is gone before its plan was made ends with its turn.
func TestTaskWithoutKeyword(t *testing.T) {
	w := newWorld(t)
	w.keyword(t, northwind)
	from := searched("hackernews")
	c := w.collector(from)
	w.tick(t, c)
	must(t, w.Store.AddTask(t.Context(),
		listenstore.Task{WorkspaceID: w.Main.ID, KeywordID: 99, Source: "hackernews", DueAt: w.Clock.Now()}))
	must(t, w.Store.AddTask(t.Context(),
		listenstore.Task{WorkspaceID: "org_gone", KeywordID: 1, Source: "hackernews", DueAt: w.Clock.Now()}))
	from.forget()
	w.tick(t, c)
	if len(from.queries()) != 0 || len(w.tasks(t, w.Main.ID)) != 1 || len(w.tasks(t, "org_gone")) != 0 {
		t.Error("something is left")
	}
}

// A workspace with more tasks than an invocation can plan is planned in several, and what is planned is fetched meanwhile.
func TestPlanOfMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newBubble(t)
		for n := range 30 {
			w.keyword(t, keyword.Keyword{Text: fmt.Sprint("keyword ", n)})
		}
		from := searched("hackernews")
		c := w.collecting(&slowPlan{Store: w.Store, each: 2 * time.Second}, from)
		var planned []int
		for range 5 {
			ctx, cancel := context.WithTimeout(t.Context(), 54*time.Second)
			must(t, c.Tick(ctx))
			cancel()
			planned = append(planned, len(w.tasks(t, w.Main.ID)))
			if fetched := len(from.queries()); fetched != planned[len(planned)-1] {
				t.Errorf("%d are planned and %d fetched", planned[len(planned)-1], fetched)
			}
		}
		if !slices.IsSorted(planned) || planned[0] < 5 || planned[0] > 10 || planned[4] != 30 {
			t.Error(planned)
		}
	})
}

// A source that says how much it answers in a day is asked every few hours when all keywords together would ask too much.
func TestDailyAllowance(t *testing.T) {
	for _, c := range []struct {
		daily, keywords int
		observer        bool
		want            time.Duration
	}{
		{0, 30, false, time.Hour},
		{1_000, 30, false, time.Hour},
		{720, 30, false, time.Hour},
		{719, 30, false, 2 * time.Hour},
		{98, 30, false, 8 * time.Hour},
		{720, 30, true, 2 * time.Hour}, // four lookups a day besides
		{840, 30, true, time.Hour},
	} {
		t.Run(strings.ReplaceAll(fmt.Sprintf("%+v", c), " ", ","), func(t *testing.T) {
			w := newWorld(t)
			for n := range c.keywords {
				w.keyword(t, keyword.Keyword{Text: fmt.Sprint("keyword ", n)})
			}
			w.keyword(t, keyword.Keyword{Text: "elsewhere", Platforms: []string{"reddit"}})
			inner := searched("youtube")
			inner.about.Daily = c.daily
			from := source.Source(inner)
			if c.observer {
				inner.about.Observes = 10
				from = observed{inner}
			}
			collector := w.collector(from)
			w.tick(t, collector) // all of them, for they are new
			times := map[string][]time.Time{}
			for hour := 1; hour <= 48; hour++ {
				w.Clock.Freeze(worldtest.Now.Add(time.Duration(hour) * time.Hour))
				inner.forget()
				w.tick(t, collector)
				for _, q := range inner.queries() {
					times[q.Text] = append(times[q.Text], w.Clock.Now())
				}
			}
			if len(times) != c.keywords {
				t.Fatalf("%d keywords were fetched", len(times))
			}
			for text, at := range times {
				for i := 1; i < len(at); i++ {
					if got := at[i].Sub(at[i-1]); got != c.want {
						t.Fatalf("%s: fetched %v after the last time", text, got)
					}
				}
			}
		})
	}
}
