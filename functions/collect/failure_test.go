package collect_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"earshot/functions/collect"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/keyword"
	"earshot/shared/source"
	"earshot/shared/store/allstores"
	"earshot/shared/store/listenstore"
	"earshot/shared/worldtest"
)

func (w *world) collecting(tasks collect.Tasks, sources ...source.Source) *collect.Collector {
	o := w.collector(sources...).Options
	o.Tasks = tasks
	return collect.New(o)
}

// A slowPlan takes its time to add a task.
type slowPlan struct {
	*allstores.Store
	each time.Duration
}

func (s *slowPlan) AddTask(ctx context.Context, task listenstore.Task) error {
	time.Sleep(s.each)
	return s.Store.AddTask(ctx, task)
}

func failing(err error) func(context.Context, source.Query) error {
	return func(context.Context, source.Query) error { return err }
}

// Whatever a source does, its task is put off and says why, and all others are fetched as if nothing had happened.
func TestFailures(t *testing.T) {
	unavailable := func(u source.Unavailable) error { u.Source = "reddit"; return &u }
	for name, c := range map[string]struct {
		odd    func(context.Context, source.Query) error
		reason string
		wait   time.Duration // of the task
		paused time.Duration // of the source
	}{
		"500": {failing(unavailable(source.Unavailable{Reason: "answered 500"})), "answered 500", time.Minute, 0},
		"HTML": {failing(unavailable(source.Unavailable{Reason: "answered HTML where JSON was expected"})),
			"answered HTML", time.Minute, 0},
		"429": {failing(unavailable(source.Unavailable{Reason: "answered 429", RetryAfter: 10 * time.Minute})),
			"answered 429", 10 * time.Minute, 10 * time.Minute},
		"429, shortly": {failing(unavailable(source.Unavailable{Reason: "answered 429", RetryAfter: time.Second})),
			"answered 429", time.Minute, time.Second},
		"429 for years": {failing(unavailable(source.Unavailable{Reason: "answered 429", RetryAfter: 90_000 * time.Hour})),
			"answered 429", 24 * time.Hour, 24 * time.Hour},
		"refused": {failing(unavailable(source.Unavailable{Reason: "answered 401", Refused: true})), "answered 401",
			time.Minute, time.Hour},
		"no credentials": {failing(source.ErrNoCredentials), "its credentials are not configured", time.Minute, time.Hour},
		"network": {failing(unavailable(source.Unavailable{Reason: "could not be reached", Network: true})),
			"could not be reached", time.Minute, 0},
		"its own error": {failing(errors.New("reddit: After is none of its own")), "its adapter failed: reddit: After",
			time.Minute, 0},
		"a long reason": {failing(errors.New(strings.Repeat("é", 500))), "its adapter failed: ", time.Minute, 0},
		"panic": {func(context.Context, source.Query) error {
			var none []int
			_ = none[len(none)]
			return nil
		}, "its adapter failed: it panicked", time.Minute, 0},
		"panic with a post": {func(context.Context, source.Query) error { panic("text of a post") },
			"its adapter failed: it panicked", time.Minute, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.keyword(t, northwind)
			bad, good := searched("reddit"), searched("hackernews", every("hackernews", 5, worldtest.Now, time.Hour)...)
			bad.odd = c.odd
			w.tick(t, w.collector(bad, good))
			if got := w.posts(t); len(got) != 5 {
				t.Errorf("the other source gave %v", got)
			}
			tasks := w.tasks(t, w.Main.ID)
			task := tasks["1 reddit"]
			if task.Failures != 1 || !strings.HasPrefix(task.LastError, c.reason) || len(task.LastError) > 200 ||
				!task.DueAt.Equal(worldtest.Now.Add(c.wait)) ||
				!task.Since.IsZero() {
				t.Errorf("%+v", task)
			}
			if other := tasks["1 hackernews"]; other.Failures != 0 || !other.Since.Equal(worldtest.Now) {
				t.Errorf("the other task: %+v", other)
			}
			_, paused, err := w.Store.Collection(t.Context())
			must(t, err)
			if until, is := paused["reddit"]; is != (c.paused > 0) || is && !until.Equal(worldtest.Now.Add(c.paused)) {
				t.Errorf("paused: %v", paused)
			}
			if strings.Contains(w.log.String(), "text of a post") {
				t.Error("the log holds text of a post")
			}
			if !strings.Contains(w.log.String(), "source failed") {
				t.Error("nothing is logged")
			}
		})
	}
}

// The waits grow from a minute to an hour, and end with the first success.
func TestBackOff(t *testing.T) {
	w := newWorld(t)
	w.keyword(t, northwind)
	from := searched("reddit", every("reddit", 3, worldtest.Now, time.Hour)...)
	c := w.collector(from)
	from.odd = failing(&source.Unavailable{Source: "reddit", Reason: "answered 500"})
	var waits []string
	for range 9 {
		w.tick(t, c)
		due := w.task(t, w.Main.ID).DueAt
		waits = append(waits, due.Sub(w.Clock.Now()).String())
		w.Clock.Freeze(due)
	}
	if got := strings.Join(waits, " "); got != "1m0s 2m0s 4m0s 8m0s 16m0s 32m0s 1h0m0s 1h0m0s 1h0m0s" {
		t.Error(got)
	}
	from.odd = nil
	w.tick(t, c)
	if task := w.task(t, w.Main.ID); task.Failures != 0 || task.LastError != "" || len(w.posts(t)) != 3 {
		t.Errorf("%+v", task)
	}
}

// A window whose page fails is gone on with there once; when that fails too, it begins anew.
func TestFailureWithinAWindow(t *testing.T) {
	w := newWorld(t)
	w.keyword(t, northwind)
	from := searched("reddit", every("reddit", 250, worldtest.Now, time.Minute)...)
	c := w.collector(from)
	bad := true
	from.odd = func(_ context.Context, q source.Query) error {
		if bad && q.After == "100" {
			return &source.Unavailable{Source: "reddit", Reason: "answered 500"}
		}
		return nil
	}
	var began []string
	for range 3 {
		from.forget()
		w.tick(t, c)
		began = append(began, from.queries()[0].After)
		w.Clock.Freeze(w.task(t, w.Main.ID).DueAt)
	}
	if got := fmt.Sprintf("%q", began); got != `["" "100" ""]` {
		t.Error(got)
	}
	bad = false
	w.posts(t)
	w.tick(t, c)
	if task := w.task(t, w.Main.ID); task.Since.IsZero() || task.After != "" || len(w.posts(t)) < 150 {
		t.Errorf("%+v", task)
	}
}

// A platform that fails for every keyword is not asked for all of them; what it was not asked for stays due.
func TestManyFailures(t *testing.T) {
	for name, c := range map[string]struct {
		why  source.Unavailable
		asks int
	}{
		"500":     {source.Unavailable{Reason: "answered 500"}, 5},
		"network": {source.Unavailable{Reason: "could not be reached", Network: true}, 1},
		"429":     {source.Unavailable{Reason: "answered 429", RetryAfter: time.Minute}, 1},
		"refused": {source.Unavailable{Reason: "answered 401", Refused: true}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			for n := range 20 {
				w.keyword(t, keyword.Keyword{Text: fmt.Sprint("keyword ", n)})
			}
			from := searched("reddit")
			from.odd = failing(&c.why)
			w.tick(t, w.collector(from))
			if got := len(from.queries()); got != c.asks {
				t.Errorf("asked %d times", got)
			}
			from.odd = nil
			from.forget()
			w.Clock.Freeze(worldtest.Now.Add(2 * time.Hour))
			w.tick(t, w.collector(from))
			if got := len(from.queries()); got != 20 {
				t.Errorf("%d were left", got)
			}
		})
	}
}

// A keyword that a platform fails for again and again does not keep it from the others.
func TestOneKeywordFails(t *testing.T) {
	w := newWorld(t)
	for n := range 10 {
		w.keyword(t, keyword.Keyword{Text: fmt.Sprint("keyword ", n)})
	}
	from := searched("reddit")
	from.odd = func(_ context.Context, q source.Query) error {
		if strings.HasSuffix(q.Text, "3") {
			return errors.New("no")
		}
		return nil
	}
	w.tick(t, w.collector(from))
	if got := len(from.queries()); got != 10 {
		t.Errorf("asked %d times", got)
	}
}

// A source that answers nothing takes no other's time: it is given up, and that is written down.
func TestSilentSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newBubble(t)
		w.keyword(t, northwind)
		silent, good := searched("reddit"), searched("hackernews", every("hackernews", 5, worldtest.Now, time.Hour)...)
		silent.odd = func(ctx context.Context, _ source.Query) error { <-ctx.Done(); return ctx.Err() }
		for turn, c := range []struct{ left, want time.Duration }{{54 * time.Second, 20 * time.Second}, {16 * time.Second,
			13 * time.Second}} {
			ctx, cancel := context.WithTimeout(t.Context(), c.left)
			defer cancel()
			began := time.Now()
			must(t, w.collector(silent, good).Tick(ctx))
			if took := time.Since(began); took != c.want {
				t.Errorf("given up after %v", took)
			}
			task := w.tasks(t, w.Main.ID)["1 reddit"]
			if task.Failures != turn+1 || !strings.HasPrefix(task.LastError, "did not answer within") {
				t.Errorf("%+v", task)
			}
			w.Clock.Freeze(task.DueAt)
		}
		if got := w.posts(t); len(got) != 5 {
			t.Errorf("the other source gave %v", got)
		}
	})
}

// What the end of the invocation's time leaves undone stays due, and is no error.
func TestEndOfTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newBubble(t)
		for n := range 20 {
			w.keyword(t, keyword.Keyword{Text: fmt.Sprint("keyword ", n)})
		}
		from := searched("reddit")
		from.odd = func(ctx context.Context, _ source.Query) error { time.Sleep(4 * time.Second); return nil }
		c := w.collector(from)
		fetched := 0
		for range 2 { // ten fit before the margin of 15 seconds
			ctx, cancel := context.WithTimeout(t.Context(), 54*time.Second)
			must(t, c.Tick(ctx))
			if left := deadlineOf(ctx); left < 11*time.Second {
				t.Errorf("%v are left", left)
			}
			cancel()
			fetched += len(from.queries())
			from.forget()
		}
		if fetched != 20 {
			t.Errorf("%d were fetched", fetched)
		}
	})
}

func deadlineOf(ctx context.Context) time.Duration {
	deadline, _ := ctx.Deadline()
	return time.Until(deadline)
}

// A fetch that the context's end cuts off is due again when its lease is over.
func TestCutOff(t *testing.T) {
	w := newWorld(t)
	w.keyword(t, northwind)
	from := searched("reddit")
	c := w.collector(from)
	ctx, cancel := context.WithCancel(t.Context())
	from.odd = func(ctx context.Context, _ source.Query) error { cancel(); return ctx.Err() }
	must(t, c.Tick(ctx))
	from.odd = nil
	for asked, after := range []time.Duration{5*time.Minute - time.Second, 5 * time.Minute} {
		w.Clock.Freeze(worldtest.Now.Add(after))
		from.forget()
		w.tick(t, c)
		if got := len(from.queries()); got != asked {
			t.Errorf("after %v asked %d times", after, got)
		}
	}
}

// A paused source's tasks stay as they are, and however many they are, they keep nobody else's out of sight.
func TestPausedSource(t *testing.T) {
	w := newWorld(t)
	for n := range 700 {
		must(t, w.Store.AddTask(t.Context(),
			listenstore.Task{
				WorkspaceID: w.Other.ID,
				KeywordID:   int64(n + 1),
				Source:      "reddit",
				DueAt:       worldtest.Now.Add(-time.Hour),
			}))
	}
	must(t, w.Store.PauseSource(t.Context(), "reddit", worldtest.Now.Add(10*time.Minute)))
	w.keyword(t, northwind)
	paused, good := searched("reddit"), searched("hackernews", every("hackernews", 5, worldtest.Now, time.Hour)...)
	w.tick(t, w.collector(paused, good))
	if len(paused.queries()) != 0 || len(w.posts(t)) != 5 || len(w.tasks(t, w.Other.ID)) != 700 {
		t.Error("the paused source was asked, or the other was not")
	}
	w.Clock.Freeze(worldtest.Now.Add(10 * time.Minute))
	w.tick(t, w.collector(paused, good))
	w.tick(t, w.collector(paused, good)) // the first ends 500 tasks without a keyword
	if len(paused.queries()) != 1 {
		t.Errorf("asked %d times after the pause", len(paused.queries()))
	}
}

// Two collectors at once fetch each task once.
func TestTwoAtOnce(t *testing.T) {
	w := newWorld(t)
	for n := range 60 {
		w.keyword(t, keyword.Keyword{Text: fmt.Sprint("keyword ", n)})
	}
	w.tick(t, w.collector(searched("hackernews"))) // plans, and fetches what is new
	w.Clock.Freeze(worldtest.Now.Add(2 * time.Hour))
	first, second := searched("hackernews"), searched("hackernews")
	collectors := []*collect.Collector{w.collector(first), w.collector(second)}
	faulttest.AtOnce(2, func(n int) {
		if err := collectors[n].Tick(context.Background()); err != nil {
			t.Error(err)
		}
	})
	texts := map[string]int{}
	for _, q := range append(first.queries(), second.queries()...) {
		texts[q.Text]++
	}
	if len(texts) != 60 || len(first.queries())+len(second.queries()) != 60 {
		t.Errorf("%d and %d fetches of %d keywords", len(first.queries()), len(second.queries()), len(texts))
	}
}

// One source with a thousand due tasks has its turn beside the others, as far as its pace and the minute allow.
func TestFairness(t *testing.T) {
	w := newWorld(t)
	for n := range 1_000 {
		must(t, w.Store.AddTask(t.Context(),
			listenstore.Task{WorkspaceID: w.Main.ID, KeywordID: int64(n + 1), Source: "reddit", DueAt: worldtest.Now}))
		must(t, w.Store.RestoreKeyword(t.Context(), w.Main.ID,
			keyword.Keyword{ID: int64(n + 1), Text: fmt.Sprint("keyword ", n), Platforms: []string{"reddit"}}))
	}
	w.keyword(t, keyword.Keyword{Text: "northwind", Platforms: []string{"hackernews", "dev"}})
	busy := searched("reddit")
	news, dev := searched("hackernews", every("hackernews", 5, worldtest.Now, time.Hour)...),
		searched("dev", every("dev", 5, worldtest.Now, time.Hour)...)
	busy.odd = func(ctx context.Context, _ source.Query) error { // its tenth search is over when the others' are
		for len(busy.queries()) == 10 && (len(news.queries()) == 0 || len(dev.queries()) == 0) && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		return ctx.Err()
	}
	w.tick(t, w.collector(busy, news, dev))
	if n := len(busy.queries()); n != 500 || len(news.queries()) != 1 || len(dev.queries()) != 1 {
		t.Errorf("%d, %d and %d fetches", n, len(news.queries()), len(dev.queries()))
	}
	w.tick(t, w.collector(busy, news, dev))
	if n := len(busy.queries()); n != 1_000 {
		t.Errorf("%d fetches in two turns", n)
	}
}
