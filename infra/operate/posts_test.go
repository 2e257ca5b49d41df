package operate

import (
	"testing"
	"time"

	"earshot/shared/archive"
	"earshot/shared/port/clock"
	"earshot/shared/post"
	"earshot/shared/worldtest"
)

// A post of the archive is deleted for good: also when the command is repeated, and when a source brings it back.
func TestDeletePost(t *testing.T) {
	o := op{t, t.TempDir()}
	body, at := "A lantern.", time.Date(2026, 11, 20, 9, 30, 15, 123e6, time.UTC)
	lantern := post.Post{
		Source: "hackernews", SourceID: "hackernews_story_1", URL: "https://news.example/1", Body: &body, PostedAt: at,
	}
	stored, closed := o.opened()
	worldtest.Must(t, archive.Add(t.Context(), stored, clock.System{}, []post.Post{lantern}))
	worldtest.Must(t, closed())
	command := func(id, posted string, more ...string) []string {
		return append([]string{"post", "delete", id, "--posted-at", posted}, more...)
	}
	const posted = "2026-11-20T09:30:15.123Z"
	o.fails("has no post hackernews_story_2", command("hackernews_story_2", posted, "--yes")...)
	o.fails("has no post hackernews_story_1", command("hackernews_story_1", "2026-11-21T09:30:15Z", "--yes")...)
	o.fails("has no post \ufffd[2J", command("\x1b[2J", posted, "--yes")...)
	o.fails("posted-at", "post", "delete", "hackernews_story_1")
	o.fails("send --yes to delete it", command("hackernews_story_1", posted)...)
	for range 2 {
		var answer struct{ Deleted string }
		o.ok(&answer, command("hackernews_story_1", posted, "--yes")...)
		if answer.Deleted != "hackernews_story_1" {
			t.Errorf("the answer is %+v", answer)
		}
	}
	stored, closed = o.opened()
	defer closed()
	worldtest.Must(t, archive.Add(t.Context(), stored, clock.System{}, []post.Post{lantern}))
	if _, there, err := archive.IDOf(t.Context(), stored, lantern.SourceID, at); there || err != nil {
		t.Errorf("the post is back: %v, %v", there, err)
	}
}
