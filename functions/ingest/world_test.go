package ingest_test

import (
	"fmt"
	"testing"
	"time"

	"earshot/functions/ingest"
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/listening"
	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/store/allstores"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// A world is a store whose Main listens for northwind.
type world struct {
	*worldtest.World
	judge   *judge.Judge
	keyword keyword.Keyword
}

func newWorld(t testing.TB) *world {
	t.Helper()
	j, err := judge.New()
	must(t, err)
	w := &world{World: worldtest.NewWorld(t), judge: j}
	w.keyword = w.listen(t, w.Main.ID, keyword.Keyword{Text: "northwind", Tag: keyword.OwnBrand})
	return w
}

// listen makes a keyword that was there before any post: what it finds counts against the quota.
func (w *world) listen(t testing.TB, orgID string, k keyword.Keyword) keyword.Keyword {
	t.Helper()
	w.Clock.Freeze(worldtest.Now.Add(-30 * 24 * time.Hour))
	defer w.Clock.Freeze(worldtest.Now)
	return w.listenNow(t, orgID, k)
}

// listenNow makes a keyword that looks back.
func (w *world) listenNow(t testing.TB, orgID string, k keyword.Keyword) keyword.Keyword {
	t.Helper()
	made, err := w.Store.CreateKeyword(t.Context(), orgID, k, 10_000)
	must(t, err)
	return made
}

func (w *world) options(s *allstores.Store) ingest.Options {
	return ingest.Options{Mentions: s, Judge: w.judge, Clock: w.Clock,
		Listening: listening.New(listening.Options{Settings: s, Clock: w.Clock, Judging: true})}
}

func (w *world) intake() *ingest.Intake { return ingest.New(w.options(w.Store)) }

func (w *world) take(t *testing.T, i *ingest.Intake, posts ...post.Post) ingest.Outcome {
	t.Helper()
	outcome, err := i.Take(t.Context(), posts)
	must(t, err)
	return outcome
}

func (w *world) mention(t *testing.T, orgID, sourceID string) mention.Mention {
	t.Helper()
	m, err := w.Store.Mention(t.Context(), orgID, sourceID)
	must(t, err)
	return m
}

// mentions are all of a workspace's, by sourceId.
func (w *world) mentions(t testing.TB, orgID string) map[string]mention.Mention {
	t.Helper()
	all, page := map[string]mention.Mention{}, mentionstore.MentionsPage{}
	for {
		var err error
		page, err = w.Store.Mentions(t.Context(),
			mentionstore.MentionsQuery{WorkspaceID: orgID, All: true, Limit: 100, After: page.Next})
		must(t, err)
		for _, m := range page.Mentions {
			all[m.SourceID] = m
		}
		if page.Next == "" {
			return all
		}
	}
}

// saying is a post.
func saying(n int, text string) post.Post {
	return post.Post{
		Source:   "hackernews",
		SourceID: fmt.Sprintf("hackernews_story_%d", n),
		URL:      fmt.Sprint("https://posts.example/", n),
		PostedAt: worldtest.Now.Add(-time.Duration(n+1) * time.Minute),
		Body:     &text,
	}
}

// many are posts that name northwind.
func many(n int) (posts []post.Post) {
	for i := range n {
		posts = append(posts, saying(i, fmt.Sprintf("I moved %d shops to northwind and the checkout is great", i)))
	}
	return posts
}

var must = worldtest.Must
