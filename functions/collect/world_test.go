package collect_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"earshot/events/message"
	"earshot/functions/collect"
	"earshot/shared/keyword"
	"earshot/shared/listening"
	"earshot/shared/port/queue"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/store/allstores"
	"earshot/shared/store/listenstore"
	"earshot/shared/worldtest"
)

// A platform is a source that holds posts in memory and is searched like a real one: by the window, newest first, page by page.
type platform struct {
	about source.About
	posts []post.Post
	odd   func(ctx context.Context, q source.Query) error // what goes wrong before it answers; nil: nothing does

	mu      sync.Mutex
	asked   []source.Query
	looked  [][]string                  // ids of lookups
	metrics map[string]map[string]int64 // that a lookup answers
	unwell  error                       // of lookups
}

func (p *platform) About() source.About { return p.about }

func (p *platform) Search(ctx context.Context, q source.Query) (source.Page, error) {
	p.mu.Lock()
	p.asked = append(p.asked, q)
	p.mu.Unlock()
	if p.odd != nil {
		if err := p.odd(ctx, q); err != nil {
			return source.Page{}, err
		}
	}
	if err := ctx.Err(); err != nil {
		return source.Page{}, err
	}
	if p.about.Cursor {
		return p.stream(q), nil
	}
	var found []post.Post
	for _, candidate := range p.posts {
		if q.Holds(candidate.PostedAt) {
			found = append(found, candidate)
		}
	}
	slices.SortStableFunc(found, func(a, b post.Post) int { return b.PostedAt.Compare(a.PostedAt) })
	from, _ := strconv.Atoi(q.After)
	to := min(len(found), from+p.about.Max)
	page := source.Page{Posts: slices.Clone(found[from:to])}
	if to < len(found) {
		page.Next = strconv.Itoa(to)
	}
	return page, nil
}

// stream reads on in the order in which posts are; its cursor is a place in it.
func (p *platform) stream(q source.Query) source.Page {
	at, err := strconv.Atoi(q.After)
	if err != nil {
		at = slices.IndexFunc(p.posts, func(c post.Post) bool { return !c.PostedAt.Before(q.Since) })
		if at < 0 {
			at = len(p.posts)
		}
	}
	to := min(len(p.posts), at+p.about.Max)
	return source.Page{Posts: slices.Clone(p.posts[at:to]), Next: strconv.Itoa(to)}
}

func (p *platform) queries() []source.Query {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

func (p *platform) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked, p.looked = nil, nil
}

// An observed platform can be asked for counters too.
type observed struct{ *platform }

func (o observed) Engagement(_ context.Context, ids []string) (map[string]map[string]int64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.looked = append(o.looked, slices.Clone(ids))
	return o.metrics, o.unwell
}

func searched(name string, posts ...post.Post) *platform {
	return &platform{about: source.About{Name: name, Max: 100}, posts: posts}
}

// postAt is a post that names northwind.
func postAt(name string, n int, at time.Time) post.Post {
	body := fmt.Sprintf("northwind is mentioned here, for the %dth time", n)
	return post.Post{
		Source:   name,
		SourceID: fmt.Sprintf("%s_post_%d", name, n),
		URL:      "https://posts.example/" + strconv.Itoa(n),
		PostedAt: at,
		Body:     &body,
	}
}

// every are n posts of a source, one in each step back from before.
func every(name string, n int, before time.Time, step time.Duration) (posts []post.Post) {
	for i := range n {
		posts = append(posts, postAt(name, i, before.Add(-time.Duration(i+1)*step)))
	}
	return posts
}

// posts takes what was sent to ingest, by sourceId, with how often.
func (w *world) posts(t *testing.T) map[string]int {
	t.Helper()
	got := map[string]int{}
	for _, p := range w.take(t) {
		got[p.SourceID]++
	}
	return got
}

// take takes what was sent to ingest.
func (w *world) take(t *testing.T) (sent []post.Post) {
	t.Helper()
	for _, m := range w.Sent.Take(queue.Posts) {
		posts, unreadable, err := message.Unpack(m.Body)
		if err != nil || unreadable > 0 {
			t.Fatal(err, unreadable)
		}
		sent = append(sent, posts...)
	}
	return sent
}

// A world is a World with a log.
type world struct {
	*worldtest.World
	log bytes.Buffer
}

func newWorld(t *testing.T) *world { return &world{World: worldtest.NewWorld(t)} }

// newBubble is a world for a bubble of testing/synctest, on the embedded table always: there, time stands still while a
// server is asked.
func newBubble(t *testing.T) *world {
	return &world{World: worldtest.NewWorldAt(t, worldtest.Place(filepath.Join(t.TempDir(), "earshot.db")))}
}

func (w *world) collector(sources ...source.Source) *collect.Collector {
	return w.over(w.Store, sources...)
}

func (w *world) over(s *allstores.Store, sources ...source.Source) *collect.Collector {
	return collect.New(collect.Options{Tasks: s, Sources: sources, Queue: w.Queue(), Clock: w.Clock,
		Log:       slog.New(slog.NewJSONHandler(&locked{to: &w.log}, nil)),
		Listening: listening.New(listening.Options{Settings: s, Clock: w.Clock})})
}

type locked struct {
	mu sync.Mutex
	to *bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(b)
}

// keyword stores a keyword of Main.
func (w *world) keyword(t testing.TB, k keyword.Keyword) keyword.Keyword {
	t.Helper()
	made, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, k, 10_000)
	must(t, err)
	return made
}

func (w *world) tasks(t *testing.T, orgID string) map[string]listenstore.Task {
	t.Helper()
	list, err := w.Store.Tasks(t.Context(), orgID)
	must(t, err)
	tasks := map[string]listenstore.Task{}
	for _, task := range list {
		tasks[fmt.Sprintf("%d %s", task.KeywordID, task.Source)] = task
	}
	return tasks
}

// task is the only one.
func (w *world) task(t *testing.T, orgID string) listenstore.Task {
	t.Helper()
	tasks := w.tasks(t, orgID)
	if len(tasks) != 1 {
		t.Fatalf("there are %d tasks: %v", len(tasks), tasks)
	}
	for _, task := range tasks {
		return task
	}
	panic("unreachable")
}

func (w *world) tick(t *testing.T, c *collect.Collector) {
	t.Helper()
	must(t, c.Tick(t.Context()))
}

var must = worldtest.Must

var northwind = keyword.Keyword{Text: "northwind"}
