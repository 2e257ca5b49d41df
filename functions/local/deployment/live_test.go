package deployment_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/functions/collect"
	"earshot/functions/local/deployment"
	"earshot/functions/local/workers"
	"earshot/shared/embedded/diskblob"
	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/port/queue"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/github"
	"earshot/shared/source/hackernews"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// A platform answers as Hacker News's search does, one comment for whatever is asked.
func platform(posted time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := strings.Trim(r.URL.Query().Get("query"), `"`)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"nbHits": 1, "nbPages": 1, "hits": []any{map[string]any{
			"objectID": "48111222", "author": "quietharbor", "created_at_i": posted.Unix(), "_tags": []string{"comment"},
			"comment_text": fmt.Sprintf("We moved to %s &amp; it <i>works</i>.", text), "story_title": "Moving",
		}}})
	})
}

// From the platform to the list, the whole way: the schedule collects for a keyword, the queue carries, ingest matches,
// judges and stores. Another platform that is down does not stop it.
func TestLivePosts(t *testing.T) {
	world := worldtest.NewWorld(t)
	if _, err := world.Store.CreateKeyword(t.Context(), world.Main.ID,
		keyword.Keyword{Text: "Northwind", ExactMatch: true, Tag: keyword.OwnBrand}, 5); err != nil {
		t.Fatal(err)
	}
	up := httptest.NewServer(platform(worldtest.Now.Add(-time.Hour)))
	defer up.Close()
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
	}))
	defer down.Close()
	folder := t.TempDir()
	queued, err := sqlitequeue.Open(filepath.Join(folder, "queue.db"),
		[]sqlitequeue.Definition{{Name: queue.Posts}, {Name: queue.Exports}}, world.Clock)
	if err != nil {
		t.Fatal(err)
	}
	defer queued.Close()
	files, err := diskblob.Open(filepath.Join(folder, "files"), "http://127.0.0.1:8080", world.Clock)
	if err != nil {
		t.Fatal(err)
	}
	j, err := judge.New()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	fetched := map[string]collect.Fetch{}
	client := fetch.New(fetch.Options{AnyHost: true, Unpaced: true, Clock: world.Clock})
	log := slog.New(slog.DiscardHandler)
	parts := deployment.Parts{
		Store:   world.Store,
		Judge:   j,
		Queue:   queued,
		Blob:    files,
		Clock:   world.Clock,
		Log:     log,
		Quiet:   log,
		Sources: []source.Source{hackernews.New(client, up.URL), github.New(client, nil, down.URL)},
		Fetched: func(f collect.Fetch) { mu.Lock(); defer mu.Unlock(); fetched[f.Source] = f },
	}
	background := workers.New(workers.Options{
		Queue:     queued,
		Log:       log,
		Consumers: deployment.Consumers(parts, deployment.Intake(parts)),
		Schedules: deployment.Schedules(parts, world.Store),
	})
	background.Start(t.Context())
	page := mentionstore.MentionsPage{}
	for begun := time.Now(); len(page.Mentions) == 0 &&
		time.Since(begun) < 20*time.Second; time.Sleep(20 * time.Millisecond) {
		if page, err = world.Store.Mentions(t.Context(), mentionstore.MentionsQuery{WorkspaceID: world.Main.ID, Limit: 5}); err != nil {
			t.Fatal(err)
		}
	}
	if len(page.Mentions) != 1 || page.Mentions[0].SourceID != "hackernews_comment_48111222" ||
		*page.Mentions[0].Body != "We moved to Northwind & it works." {
		t.Fatalf("%+v", page.Mentions)
	}
	mu.Lock()
	defer mu.Unlock()
	if fetched["hackernews"].Posts != 1 || fetched["hackernews"].Err != nil || fetched["github"].Err == nil {
		t.Errorf("%+v", fetched)
	}
}
