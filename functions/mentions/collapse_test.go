package mentions_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/mentions"
	"earshot/shared/mention"
	"earshot/shared/web/mentionwire"
	"earshot/shared/worldtest"
)

// tell stores mentions of stories, the newest first. 0 is a text of no story.
func tell(t testing.TB, w *worldtest.World, long string, stories ...int) {
	t.Helper()
	for i, n := range stories {
		m := worldtest.Mention(int64(i+1), fmt.Sprint("s", i), worldtest.Now.Add(-time.Duration(i)*time.Minute))
		m.Title, m.Body = nil, pointer("Thanks!")
		if n > 0 {
			m.Body = pointer(fmt.Sprintf("Northwind opens data center number %d in Rotterdam and hires eighty engineers%s", n, long))
		}
		m.Source = []string{"hackernews", "reddit"}[i%2]
		w.Put(t, w.Main.ID, m)
	}
}

// pagesOf lists by a body without its last brace, and returns each mention as its sourceId and storyCount.
func pagesOf(t testing.TB, client worldtest.Client, body string) (found []string, pages int) {
	t.Helper()
	for cursor := ""; ; {
		var page mentions.MentionList
		client.Post(t, "/api/v2/mentions", body+cursor+"}").OK(t, &page)
		for _, m := range page.Data {
			found = append(found, fmt.Sprintf("%s:%d", m.SourceID, m.StoryCount))
		}
		if pages++; page.Pagination.NextCursor.Value == nil {
			return found, pages
		}
		cursor = fmt.Sprintf(`,"cursor":%q`, *page.Pagination.NextCursor.Value)
	}
}

func TestList_Collapse(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	tell(t, w, "", 1, 0, 2, 1, 0, 2, 3, 1)
	for _, c := range []struct {
		body string
		want []string
	}{
		{`{"limit":%d`, []string{"s0:0", "s1:0", "s2:0", "s3:0", "s4:0", "s5:0", "s6:0", "s7:0"}},
		{`{"collapse":"story","limit":%d`, []string{"s0:3", "s1:1", "s2:2", "s4:1", "s6:1"}},
		{`{"collapse":"story","filters":{"source":["reddit"]},"limit":%d`, []string{"s1:1", "s3:2", "s5:1"}},
		{`{"collapse":"story","filters":{"text":["number 1"]},"limit":%d`, []string{"s0:3"}},
	} {
		for _, limit := range []int{1, 2, 100} {
			if got, _ := pagesOf(t, client, fmt.Sprintf(c.body, limit)); !slices.Equal(got, c.want) {
				t.Errorf("%s, limit %d: got %v, want %v", c.body, limit, got, c.want)
			}
		}
	}
}

// A page that its size cuts off continues a collapsed list where it ended.
func TestList_CollapseLongMentions(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	var stories []int
	var want []string
	for i := range 24 {
		stories = append(stories, 1+i/2)
		if i%2 == 0 {
			want = append(want, fmt.Sprintf("s%d:2", i))
		}
	}
	tell(t, w, strings.Repeat(" \u0001", 100<<10), stories...)
	got, pages := pagesOf(t, client, `{"collapse":"story","limit":100`)
	if !slices.Equal(got, want) || pages < 2 {
		t.Errorf("got %v in %d pages, want %v in several", got, pages, want)
	}
}

// The same text has the same story in a list, a read and an export, and a text of no story has null.
func TestStoryID(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	tell(t, w, "", 1, 0)
	retweet := worldtest.Mention(9, "retweet", worldtest.Now.Add(-time.Hour))
	retweet.Title = nil
	retweet.Body = pointer("RT @quietharbor: Northwind opens data center number 1 in Rotterdam and hires eighty engineers https://t.co/x")
	w.Put(t, w.Main.ID, retweet)
	var page mentions.MentionList
	client.Post(t, "/api/v2/mentions", `{}`).OK(t, &page)
	var file mentions.MentionFile
	client.Post(t, "/api/v2/mentions/export", `{}`).OK(t, &file)
	for _, list := range [][]mentionwire.Mention{page.Data, file.Data} {
		if len(list) != 3 {
			t.Fatalf("got %d mentions, want 3", len(list))
		}
		if got := *list[0].StoryID; len(got) != 16 || *list[2].StoryID != got {
			t.Errorf("storyId = %q and %q of the retweet, want the same 16 digits", got, *list[2].StoryID)
		}
		if list[1].StoryID != nil {
			t.Errorf("storyId of %q = %q, want null", *list[1].Body, *list[1].StoryID)
		}
	}
	var one mentionwire.Mention
	client.Get(t, byID("retweet")).OK(t, &one)
	if *one.StoryID != *page.Data[0].StoryID {
		t.Errorf("GET = storyId %q, want %q", *one.StoryID, *page.Data[0].StoryID)
	}
	answer := client.Get(t, byID("s1"))
	var raw map[string]any
	answer.OK(t, nil)
	if err := json.Unmarshal(answer.Body, &raw); err != nil {
		t.Fatal(err)
	}
	if value, there := raw["storyId"]; !there || value != nil {
		t.Errorf("storyId of no story = %v, %v, want null", value, there)
	}
}

// Two titles of reviews are no story.
func TestStoryID_Review(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	for i, body := range []string{"The charger broke after two weeks.", "Keeps my coffee warm in long meetings."} {
		m := worldtest.Mention(int64(i+1), fmt.Sprint("r", i), worldtest.Now.Add(-time.Duration(i)*time.Minute))
		m.Title, m.Body = pointer("Absolutely wonderful gadget, exceeded every expectation"), &body
		m.Review = &mention.Review{Rating: 5, RatingMax: 5}
		w.Put(t, w.Main.ID, m)
	}
	if got, _ := pagesOf(t, client, `{"collapse":"story"`); !slices.Equal(got, []string{"r0:1", "r1:1"}) {
		t.Errorf("collapsed = %v, want both reviews", got)
	}
}

func TestList_CollapseInvalid(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	tell(t, w, "", 1, 2, 3)
	for _, value := range []string{`"stories"`, `"Story"`, `""`, `true`, `["story"]`, `null`} {
		fault := client.Post(t, "/api/v2/mentions", `{"collapse":`+value+`}`).Is(t, http.StatusBadRequest, "VALIDATION_ERROR")
		if !strings.Contains(fmt.Sprint(fault), "collapse") {
			t.Errorf("collapse %s: the fault %v names no place", value, fault)
		}
		if strings.HasPrefix(value, `"`) && !strings.Contains(fmt.Sprint(fault), "story") {
			t.Errorf("collapse %s: the fault %v names no allowed value", value, fault)
		}
	}
	for _, bodies := range [][2]string{{`{"limit":1`, `{"collapse":"story","limit":1`},
		{`{"collapse":"story","limit":1`, `{"limit":1`}} {
		var page mentions.MentionList
		client.Post(t, "/api/v2/mentions", bodies[0]+"}").OK(t, &page)
		cursor := fmt.Sprintf(`,"cursor":%q}`, *page.Pagination.NextCursor.Value)
		client.Post(t, "/api/v2/mentions", bodies[1]+cursor).Is(t, http.StatusBadRequest, "INVALID_INPUT")
	}
}
