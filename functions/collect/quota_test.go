package collect_test

import (
	"testing"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/source"
	"earshot/shared/store/workspacestore"
	"earshot/shared/worldtest"
)

// spend stores as many mentions of Agents' as its plan has.
func (w *world) spend(t *testing.T) {
	t.Helper()
	limit := w.Agents.Plan.Limits().Mentions
	for n := 0; n < limit; n += 500 {
		found := make([]mention.Mention, 500)
		for i := range found {
			found[i] = worldtest.Mention(0, postAt("dev", n+i, worldtest.Now).SourceID, worldtest.Now)
		}
		taken, err := w.Store.Ingest(t.Context(), w.Agents.ID, limit, found)
		must(t, err)
		if taken.Stored != 500 {
			t.Fatalf("%+v", taken)
		}
	}
}

// A workspace that has had its mentions of the month is fetched for no more until the next one, and its usage says so;
// nobody else notices.
func TestQuota(t *testing.T) {
	w := newWorld(t)
	w.spend(t)
	w.Clock.Freeze(worldtest.Now.Add(-8 * 24 * time.Hour)) // it looks back no more
	_, err := w.Store.CreateKeyword(t.Context(), w.Agents.ID, northwind, 10)
	w.Clock.Freeze(worldtest.Now)
	must(t, err)
	w.keyword(t, keyword.Keyword{Text: "southwind"})
	news := searched("hackernews", every("hackernews", 3, worldtest.Now, time.Hour)...)
	stream := &platform{
		about: source.About{Name: "firehose", Stream: true, Cursor: true, Max: 30},
		posts: every("firehose", 5, worldtest.Now, time.Second),
	}
	c := w.collector(news, stream)
	w.tick(t, c)
	if asked := news.queries(); len(asked) != 1 || asked[0].Text != "southwind" {
		t.Errorf("%+v", asked)
	}
	if got := w.posts(t); len(got) != 3 { // of the search for southwind: the platform answers anything
		t.Errorf("what the spent workspace alone wants of the stream was queued: %v", got)
	}
	if task := w.task(t, w.Agents.ID); !task.DueAt.After(worldtest.Now) ||
		task.DueAt.After(worldtest.Now.Add(time.Hour)) || !task.Since.IsZero() {
		t.Errorf("%+v", task)
	}
	usage, err := w.Store.Usage(t.Context(), w.Agents)
	must(t, err)
	if want := (workspacestore.Usage{Stored: 5_000, Limit: 5_000, Stopped: true,
		ResetAt: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}); usage != want {
		t.Errorf("%+v", usage)
	}
	if other, err := w.Store.Usage(t.Context(), w.Main); err != nil || other.Stopped || other.Stored != 0 ||
		other.Limit != 25_000 {
		t.Errorf("%+v %v", other, err)
	}
	next := time.Date(2026, 12, 1, 1, 0, 0, 0, time.UTC)
	w.Clock.Freeze(next)
	news.forget()
	w.tick(t, c)
	asked := map[string]source.Query{}
	for _, q := range news.queries() {
		asked[q.Text] = q
	}
	if q, ok := asked["northwind"]; !ok || !q.Since.Equal(next.Add(-week)) {
		t.Errorf("the next month: %+v", asked)
	}
	if usage, err := w.Store.Usage(t.Context(), w.Agents); err != nil || usage.Stopped || usage.Stored != 0 {
		t.Errorf("%+v %v", usage, err)
	}
}

// A new keyword looks back though the month is spent: its first fetch, and a stream's posts of before it.
func TestQuota_LookBack(t *testing.T) {
	w := newWorld(t)
	w.spend(t)
	_, err := w.Store.CreateKeyword(t.Context(), w.Agents.ID, northwind, 10)
	must(t, err)
	news := searched("hackernews", every("hackernews", 3, worldtest.Now, time.Hour)...)
	stream := &platform{
		about: source.About{Name: "dev", Stream: true, Max: 30},
		posts: every("dev", 5, worldtest.Now, time.Hour),
	}
	c := w.collector(news, stream)
	w.tick(t, c)
	if asked := news.queries(); len(asked) != 1 || !asked[0].Since.Equal(worldtest.Now.Add(-week)) {
		t.Errorf("the first fetch asked %+v", asked)
	}
	if got := w.posts(t); len(got) != 8 {
		t.Errorf("queued %v, want 3 of the search and 5 of the stream", got)
	}
	news.forget()
	w.Clock.Freeze(worldtest.Now.Add(2 * time.Hour))
	w.tick(t, c)
	if asked := news.queries(); len(asked) != 0 {
		t.Errorf("the second fetch asked %+v, and the month is spent", asked)
	}
}
