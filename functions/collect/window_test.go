package collect_test

import (
	"context"
	"testing"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/store/listenstore"
	"earshot/shared/worldtest"
)

const (
	week    = 7 * 24 * time.Hour
	overlap = time.Hour
)

// The first fetch looks back seven days, or as far as the platform reaches; the next ones, in the same second of each
// hour, ask for what is new and an hour more.
func TestWindows(t *testing.T) {
	for name, c := range map[string]struct {
		reach, want time.Duration
	}{"unbounded": {0, week}, "reaches a day": {24 * time.Hour, 24 * time.Hour}, "reaches a month": {30 * 24 * time.Hour, week}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.keyword(t, northwind)
			from := searched("hackernews", every("hackernews", 30, worldtest.Now, 8*time.Hour)...)
			from.about.Reach = c.reach
			w.tick(t, w.collector(from))
			q := from.queries()[0]
			if len(from.queries()) != 1 || q.Text != "northwind" || q.Exact || q.Max != 100 || !q.Until.Equal(worldtest.Now) ||
				!q.Since.Equal(worldtest.Now.Add(-c.want)) {
				t.Fatalf("%+v", from.queries())
			}
			if got := w.posts(t); len(got) != int(c.want/(8*time.Hour)) {
				t.Errorf("%d posts", len(got))
			}
			first := w.task(t, w.Main.ID)
			if !first.DueAt.After(worldtest.Now) || first.DueAt.After(worldtest.Now.Add(time.Hour)) {
				t.Errorf("due at %v", first.DueAt)
			}
			from.forget()
			w.tick(t, w.collector(from))
			if len(from.queries()) != 0 {
				t.Error("it is not due yet")
			}
			w.Clock.Freeze(first.DueAt)
			w.tick(t, w.collector(from))
			q = from.queries()[0]
			if len(from.queries()) != 1 || !q.Until.Equal(first.DueAt) || !q.Since.Equal(worldtest.Now.Add(-overlap)) {
				t.Errorf("%+v", q)
			}
			if second := w.task(t, w.Main.ID); !second.DueAt.Equal(first.DueAt.Add(time.Hour)) {
				t.Errorf("due at %v and then at %v", first.DueAt, second.DueAt)
			}
			from.forget()
			w.Clock.Freeze(worldtest.Now.AddDate(0, 1, 0)) // nobody collected for a month
			w.tick(t, w.collector(from))
			if q := from.queries()[0]; !q.Since.Equal(worldtest.Now.AddDate(0, 1, 0).Add(-c.want)) {
				t.Errorf("%+v", q)
			}
		})
	}
}

// A window of more posts than a turn takes is gone on with, minute by minute, until all of it is queued; then comes what is new.
func TestLargeWindows(t *testing.T) {
	w := newWorld(t)
	w.keyword(t, northwind)
	from := searched("hackernews", every("hackernews", 2_450, worldtest.Now, 4*time.Minute)...)
	c, all := w.collector(from), map[string]int{}
	for turn := range 3 {
		w.tick(t, c)
		from.posts = append(from.posts, postAt("hackernews", 10_000+turn, w.Clock.Now()))
		for id := range w.posts(t) {
			all[id]++
		}
		asked := from.queries()
		if len(asked) > 10 {
			t.Fatalf("%d pages in a turn", len(asked))
		}
		// A place in a window is of the window that was asked for.
		if q := asked[0]; !q.Since.Equal(worldtest.Now.AddDate(0, 0, -7)) || !q.Until.Equal(worldtest.Now) {
			t.Errorf("turn %d asks from %v until %v", turn, q.Since, q.Until)
		}
		from.forget()
		w.Clock.Freeze(w.Clock.Now().Add(time.Minute))
	}
	if len(all) != 2_450 {
		t.Errorf("%d of 2450 posts", len(all))
	}
	task := w.task(t, w.Main.ID)
	if !task.Since.Equal(worldtest.Now) || task.After != "" || !task.Until.IsZero() ||
		!task.DueAt.After(worldtest.Now.Add(2*time.Minute)) {
		t.Errorf("%+v", task)
	}
	w.Clock.Freeze(task.DueAt)
	w.tick(t, c)
	if got := w.posts(t); got["hackernews_post_10000"] != 1 || got["hackernews_post_10002"] != 1 {
		t.Errorf("what came meanwhile is not there: %v", got)
	}
}

// A keyword with another text is a new one to its sources.
func TestChangedKeyword(t *testing.T) {
	w := newWorld(t)
	k := w.keyword(t, northwind)
	from := searched("hackernews")
	c := w.collector(from)
	w.tick(t, c)
	change := func(change func(*keyword.Keyword)) source.Query {
		t.Helper()
		_, err := w.Store.ChangeKeyword(t.Context(), w.Main.ID, k.ID,
			func(k *keyword.Keyword) error { change(k); return nil })
		must(t, err)
		from.forget()
		w.Clock.Freeze(w.Clock.Now().Add(time.Hour))
		w.tick(t, c)
		return from.queries()[0]
	}
	if q := change(func(k *keyword.Keyword) { k.Context = "A shop." }); !q.Since.Equal(worldtest.Now.Add(-overlap)) {
		t.Errorf("another context: %+v", q)
	}
	if q := change(func(k *keyword.Keyword) { k.Text = "southwind" }); q.Text != "southwind" ||
		!q.Since.Equal(w.Clock.Now().Add(-week)) {
		t.Errorf("another text: %+v", q)
	}
	if q := change(func(k *keyword.Keyword) { k.ExactMatch = true }); !q.Exact ||
		!q.Since.Equal(w.Clock.Now().Add(-week)) {
		t.Errorf("whole words: %+v", q)
	}
}

// other is a post that nobody listens for.
func other(name string, n int, at time.Time) post.Post {
	p := postAt(name, n, at)
	p.Body = new("nothing of interest")
	return p
}

// A stream with a cursor is read on from it, and only what somebody listens for is queued.
func TestStreamWithCursor(t *testing.T) {
	w := newWorld(t)
	w.keyword(t, northwind)
	from := &platform{about: source.About{
		Name:   "firehose",
		Stream: true,
		Cursor: true,
		Every:  time.Minute,
		Max:    100,
		Reach:  24 * time.Hour,
	}}
	for n := range 250 {
		p := other("firehose", n, worldtest.Now.Add(time.Duration(n-300)*time.Second))
		if n%10 == 0 {
			p = postAt("firehose", n, p.PostedAt)
		}
		from.posts = append(from.posts, p)
	}
	c := w.collector(from)
	w.tick(t, c)
	if got, asked := w.posts(t), from.queries(); len(got) != 25 || len(asked) != 4 ||
		!asked[0].Since.Equal(worldtest.Now.Add(-10*time.Minute)) {
		t.Errorf("%d posts by %d questions: %v", len(got), len(asked), asked)
	}
	task := w.task(t, "")
	if task.After != "250" || !task.Since.Equal(worldtest.Now) || !task.DueAt.Equal(worldtest.Now.Add(time.Minute)) {
		t.Errorf("%+v", task)
	}
	from.posts, from.asked = append(from.posts, postAt("firehose", 999, worldtest.Now)), nil
	w.Clock.Freeze(task.DueAt)
	w.tick(t, c)
	if got, asked := w.posts(t), from.queries(); len(got) != 1 || asked[0].After != "250" {
		t.Errorf("%v %v", got, asked)
	}
}

// Of a stream that is too fast for one turn, the next one goes on where it stood.
func TestStreamThatIsFasterThanATurn(t *testing.T) {
	w := newWorld(t)
	w.keyword(t, northwind)
	from := &platform{about: source.About{Name: "firehose", Stream: true, Cursor: true, Every: time.Minute, Max: 5_000}}
	for n := range 45_000 {
		from.posts = append(from.posts, other("firehose", n, worldtest.Now.Add(-time.Minute)))
	}
	from.posts = append(from.posts, postAt("firehose", 45_000, worldtest.Now))
	c, found := w.collector(from), 0
	for range 3 {
		w.tick(t, c)
		found += len(w.posts(t))
		w.Clock.Freeze(w.Clock.Now().Add(time.Minute))
	}
	if task := w.task(t, ""); found != 1 || task.After != "45001" {
		t.Errorf("found %d, and stands at %+v", found, task)
	}
}

// A stream without a cursor is read by its window, seven days of it for a keyword that is new.
func TestStreamWithoutCursor(t *testing.T) {
	w := newWorld(t)
	w.keyword(t, northwind)
	from := &platform{
		about: source.About{Name: "newsletter", Stream: true, Max: 100},
		posts: every("newsletter", 150, worldtest.Now, time.Hour),
	}
	c := w.collector(from)
	since := func() time.Duration {
		t.Helper()
		from.forget()
		w.tick(t, c)
		if len(from.queries()) == 0 {
			t.Fatal("it is not due")
		}
		return w.Clock.Now().Sub(from.queries()[0].Since)
	}
	if got := since(); got != week || len(w.posts(t)) != 150 {
		t.Errorf("the first goes %v back", got)
	}
	w.Clock.Freeze(worldtest.Now.Add(2 * time.Hour))
	if got := since(); got != 2*time.Hour+overlap {
		t.Errorf("the second goes %v back", got)
	}
	w.Clock.Freeze(worldtest.Now.Add(2*time.Hour + 5*time.Minute))
	w.keyword(t, keyword.Keyword{Text: "another"})
	w.Clock.Freeze(worldtest.Now.Add(2*time.Hour + 10*time.Minute))
	if got := since(); got != week {
		t.Errorf("with a new keyword it goes %v back", got)
	}
	w.Clock.Freeze(worldtest.Now.Add(4 * time.Hour))
	if got := since(); got != time.Hour+50*time.Minute+overlap {
		t.Errorf("then it goes %v back", got)
	}
	if task := w.task(t, ""); task.After != "" || !task.DueAt.Equal(w.Clock.Now().Add(10*time.Minute)) {
		t.Errorf("%+v", task)
	}
}

// A page that leads to itself ends the window, whatever the platform thinks.
func TestPageThatLeadsToItself(t *testing.T) {
	w := newWorld(t)
	w.keyword(t, northwind)
	from := &looping{platform: searched("hackernews")}
	w.tick(t, w.collector(from))
	if task := w.task(t, w.Main.ID); from.asked != 2 || !task.Since.Equal(worldtest.Now) {
		t.Errorf("asked %d times: %+v", from.asked, task)
	}
}

type looping struct {
	*platform
	asked int
}

func (l *looping) Search(_ context.Context, _ source.Query) (source.Page, error) {
	l.asked++
	return source.Page{Next: "again"}, nil
}

// The row of a task keeps all of it.
func TestTaskRoundTrip(t *testing.T) {
	w := newWorld(t)
	now := worldtest.Now.Add(time.Millisecond)
	want := listenstore.Task{
		WorkspaceID: w.Main.ID,
		KeywordID:   7,
		Source:      "hackernews",
		DueAt:       now,
		Query:       "true northwind",
		Since:       now,
		Until:       now,
		After:       "x",
		ObservedAt:  now,
		Failures:    2,
		LastError:   "answered 500",
	}
	must(t, w.Store.AddTask(t.Context(), want))
	if got := w.task(t, w.Main.ID); got != want {
		t.Errorf("%+v", got)
	}
}

// A stream that names no authors is asked for those whom somebody listens to, and then nothing comes of authors that a
// keyword leaves out.
func TestStreamIsCompleted(t *testing.T) {
	w := newWorld(t)
	w.keyword(t, keyword.Keyword{Text: "northwind", ExcludeAuthors: []string{"noisy.example"}})
	from := &nameless{platform: &platform{about: source.About{
		Name:   "firehose",
		Stream: true,
		Cursor: true,
		Every:  time.Minute,
		Max:    100,
	}}}
	for n := range 4 {
		from.posts = append(from.posts, postAt("bluesky", n, worldtest.Now.Add(time.Duration(n-9)*time.Second)),
			other("bluesky", 10+n, worldtest.Now.Add(-time.Second)))
	}
	w.tick(t, w.collector(from))
	got := w.take(t)
	if len(got) != 2 || *got[0].Author != "quiet.example" || from.completed != 4 {
		t.Errorf("%d completed; queued: %+v", from.completed, got)
	}
	// What cannot be learned costs no post.
	from.unwell = &source.Unavailable{Source: "firehose", Reason: "answered 503"}
	from.posts = append(from.posts, postAt("bluesky", 99, worldtest.Now))
	w.Clock.Freeze(worldtest.Now.Add(time.Minute))
	w.tick(t, w.collector(from))
	if got := w.take(t); len(got) != 1 || got[0].Author != nil {
		t.Errorf("%+v", got)
	}
}

// nameless is a platform whose stream has no authors; every other one is noisy.
type nameless struct {
	*platform
	completed int
}

func (n *nameless) Search(ctx context.Context, q source.Query) (source.Page, error) {
	page, err := n.platform.Search(ctx, q)
	for i := range page.Posts {
		page.Posts[i].Author = nil
	}
	return page, err
}

func (n *nameless) Complete(_ context.Context, posts []post.Post) error {
	if n.unwell != nil {
		return n.unwell
	}
	for i := range posts {
		posts[i].Author = new([]string{"quiet.example", "noisy.example"}[i%2])
		n.completed++
	}
	return nil
}
