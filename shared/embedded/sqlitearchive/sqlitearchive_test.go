package sqlitearchive_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"earshot/shared/embedded/sqlitearchive"
	"earshot/shared/post"
)

// Every post comes once and as it was added, page by page, from any place on and after the file was opened anew.
func TestAfter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	var posts []post.Post
	for i := range 2_500 {
		body := fmt.Sprintf("Größe %d \"quotes\" ノースウィンド", i)
		posts = append(posts, post.Post{
			Source:   "hackernews",
			SourceID: fmt.Sprintf("hackernews_comment_%d", i),
			URL:      "https://news.example/p",
			PostedAt: time.Date(2026, 11, 20, 10, 0, i%60, 0, time.UTC),
			Body:     &body,
			IsReply:  i%2 == 0,
		})
	}
	archive, err := sqlitearchive.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // what is there stays, and is there once
		if err := archive.Add(t.Context(), posts); err != nil {
			t.Fatal(err)
		}
	}
	var found []post.Post
	pages := 0
	for place := ""; ; pages++ {
		page, last, err := archive.After(t.Context(), place)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		found, place = append(found, page...), last
		if err := archive.Close(); err != nil {
			t.Fatal(err)
		}
		if archive, err = sqlitearchive.Open(path); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(found, posts) || pages < 2 {
		t.Errorf("%d posts on %d pages, want %d as they were added, on several pages", len(found), pages, len(posts))
	}
	if _, _, err := archive.After(t.Context(), "nonsense"); err == nil {
		t.Error("nonsense is a place")
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
}
