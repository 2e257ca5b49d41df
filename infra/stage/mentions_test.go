package stage

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"earshot/events/message"
	queues "earshot/shared/port/queue"
	"earshot/shared/post"
)

// posted is a message of the queue posts with a post about northwind for each id, dated less than an hour ahead: posts
// that are older than their keyword would not count against the month.
func posted(t *testing.T, text string, ids ...int) string {
	t.Helper()
	var posts []post.Post
	for _, id := range ids {
		title, body, author := fmt.Sprintf("Show HN: Northwind number %d", id), text, "quietharbor"
		posts = append(posts, post.Post{
			Source:   "hackernews",
			SourceID: fmt.Sprintf("hackernews_story_%d", id),
			Title:    &title,
			Body:     &body,
			Author:   &author,
			URL:      fmt.Sprintf("https://posts.example/%d", id),
			PostedAt: time.Now().Add(time.Hour - time.Duration(id)*time.Second),
		})
	}
	messages, left := message.Pack(posts, queues.MaxBody)
	if len(messages) != 1 || left != 0 {
		t.Fatalf("%d messages, %d left", len(messages), left)
	}
	return string(messages[0])
}

// A listed is a mention as the list shows it, of which this package looks at some fields.
type listed struct {
	ID               int64
	SourceID         string
	Relevance        string
	RelevanceComment string
	Engaged          bool
	Keywords         []struct{ Keyword string }
	Timestamp        string
}

// What somebody posts is found, judged and listed, is told off and exported, and counted, by processes that know of
// each other by queues and tables alone.
func TestMentionsStory(t *testing.T) {
	s := newStage(t)
	operate := s.newOperator()
	workspace := operate.run("workspace", "create", "--name", "Northwind", "--plan", "pro")
	reader := operate.run("key", "create", "--owner", workspace.Workspace, "--scope", "read")
	admin, read := s.client(workspace.Token), s.client(reader.Token)

	admin.Post(t, "/api/v2/keywords", `{"keyword":"northwind","tag":"own_brand"}`, "Idempotency-Key", "first").OK(t, nil)
	read.Post(t, "/api/v2/keywords", `{"keyword":"southwind"}`).Is(t, 403, "FORBIDDEN")

	s.send("posts", posted(t, "Escalations reach the right person now with Northwind.", 1, 2, 3),
		posted(t, "Northwind is down again.", 4), "no JSON")
	if failed := s.deliver("posts"); failed != 5 {
		t.Errorf("messages failed %d times, and the one that has no meaning comes 5 times", failed)
	}
	if dead := s.deadLetters("posts"); len(dead) != 1 || dead[0] != "no JSON" {
		t.Errorf("given up: %q", dead)
	}
	s.send("posts", posted(t, "Escalations reach the right person now with Northwind.", 2)) // twice makes nothing twice
	s.deliver("posts")
	var page struct{ Data []listed }
	read.Post(t, "/api/v2/mentions", `{"includeAll":true}`).OK(t, &page)
	if len(page.Data) != 4 || page.Data[0].SourceID != "hackernews_story_1" ||
		page.Data[3].SourceID != "hackernews_story_4" {
		t.Fatalf("%+v", page.Data)
	}
	for _, m := range page.Data {
		if len(m.Keywords) != 1 || m.Keywords[0].Keyword != "northwind" || m.Relevance == "" || m.RelevanceComment == "" {
			t.Errorf("%+v", m)
		}
	}

	first := page.Data[0]
	change := fmt.Sprintf(`{"action":"engage","engaged":true,"postId":%d,"timestamp":%q}`, first.ID, first.Timestamp)
	read.Patch(t, "/api/v2/mentions/"+first.SourceID, change).Is(t, 403, "FORBIDDEN")
	admin.Patch(t, "/api/v2/mentions/"+first.SourceID, change).OK(t, nil)
	var one listed
	if read.Get(t, "/api/v2/mentions/"+first.SourceID).OK(t, &one); !one.Engaged {
		t.Errorf("%+v", one)
	}

	s.exported(t, workspace.Token)
	var usage struct{ Mentions struct{ Count int } }
	if admin.Get(t, "/api/v2/org/usage").OK(t, &usage); usage.Mentions.Count == 0 {
		t.Errorf("%+v", usage)
	}
}

// exported exports what is too much for an answer: by a message to a process, and a file behind a signed link.
func (s *stage) exported(t *testing.T, token string) {
	t.Helper()
	const many = 60
	long := strings.Repeat("All about northwind. ", 4000)
	for id := range many {
		s.send("posts", posted(t, long, 100+id))
	}
	if failed := s.deliver("posts"); failed != 0 {
		t.Errorf("%d messages failed", failed)
	}
	admin := s.client(token)
	answer := admin.Post(t, "/api/v2/mentions/export", `{"format":"json","includeAll":true}`, "Idempotency-Key", "export")
	var begun struct{ ExportID string }
	if answer.JSON(t, &begun); answer.Status != 202 {
		t.Fatalf("%d %.200s", answer.Status, answer.Body)
	}
	var export struct {
		Status, URL string
		Rows        int
	}
	if admin.Get(t, "/api/v2/mentions/exports/"+begun.ExportID).OK(t, &export); export.Status != "queued" {
		t.Errorf("%+v", export)
	}
	if failed := s.deliver("exports"); failed != 0 {
		t.Errorf("%d exports failed", failed)
	}
	if admin.Get(t, "/api/v2/mentions/exports/"+begun.ExportID).OK(t, &export); export.Status != "completed" ||
		export.Rows != many+4 {
		t.Fatalf("%+v", export)
	}
	var file struct{ Data []listed }
	if err := json.Unmarshal([]byte(s.fetch(export.URL)), &file); err != nil || len(file.Data) != export.Rows {
		t.Errorf("the file has %d rows: %v", len(file.Data), err)
	}
}

// The 500 requests of an hour are answered, and the next is not, whatever hour it is.
func TestTheHourlyLimit(t *testing.T) {
	const limit = 500
	s := newStage(t)
	workspace := s.newOperator().run("workspace", "create", "--name", "Northwind", "--plan", "pro")
	client := s.client(workspace.Token)
	answered := map[string]int{} // by the hour's end
	for range 2 * limit {
		answer := client.Get(t, "/api/v2/org")
		ends := answer.Header.Get("X-RateLimit-Reset")
		if answer.Status == 429 {
			answer.Is(t, 429, "RATE_LIMITED")
			if answered[ends] != limit || answer.Header.Get("Retry-After") == "" {
				t.Errorf("turned away after %v, now until %s: %v", answered, ends, answer.Header)
			}
			return
		}
		answer.OK(t, nil)
		answered[ends]++
	}
	t.Errorf("nothing was turned away: %v", answered)
}
