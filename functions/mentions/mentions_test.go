package mentions_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/mentions"
	"earshot/shared/mention"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
	"earshot/shared/worldtest"
)

func byID(id string) string { return "/api/v2/mentions/by-id?id=" + url.QueryEscape(id) }

func TestMentionIsReadByEveryIDThereIs(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	ids := []string{"hackernews_comment_41907231", ".", "..", "export", "by-author", "by-id", "a/b/../c", "100%", "%2e",
		"a?b#c", "🦊 fox",
		"with space", "+plus+", "42", "\x00", "a\nb", "quote\"<b>", strings.Repeat("x", mention.MaxSourceID)}
	for i, id := range ids {
		w.Put(t, w.Main.ID, worldtest.Mention(int64(100+i), id, worldtest.Now))
	}
	for i, id := range ids {
		var got mentionwire.Mention
		client.Get(t, byID(id)).OK(t, &got)
		if got.SourceID != id || got.ID != int64(100+i) {
			t.Errorf("by-id of %q answers %q, %d", id, got.SourceID, got.ID)
		}
		client.Get(t, byID(fmt.Sprint(100+i))).OK(t, &got)
		if got.SourceID != id {
			t.Errorf("the numeric id of %q answers %q", id, got.SourceID)
		}
	}
	for _, id := range []string{"hackernews_comment_41907231", "a/b/../c", "100%", "%2e", "a?b#c", "🦊 fox", "with space",
		"+plus+", "42"} {
		var got mentionwire.Mention
		client.Get(t, "/api/v2/mentions/"+url.PathEscape(id)).OK(t, &got)
		if got.SourceID != id {
			t.Errorf("the path of %q answers %q", id, got.SourceID)
		}
	}
}

// A sourceId comes before a numeric id that is written the same.
func TestSourceIDBeforeNumericID(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	w.Put(t, w.Main.ID, worldtest.Mention(42, "first", worldtest.Now), worldtest.Mention(43, "42", worldtest.Now))
	var got mentionwire.Mention
	client.Get(t, byID("42")).OK(t, &got)
	if got.ID != 43 {
		t.Errorf("got the mention %d", got.ID)
	}
}

// What the workbench stores of a Mention is what the API answers.
func TestWholeMentionSurvivesTheRoundTrip(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	const whole = `{"id":9007199254740991,"sourceId":"trustpilot_review_1","url":"https://posts.example/1","title":"","body":null,
		"source":"TRUSTPILOT","timestamp":"2026-11-19 23:59:59.999","author":"","authorName":"A. Person","authorAvatar":"https://a.example/a.png",
		"authorUrl":"https://a.example","authorFollowers":0,"relevance":"relevant","relevanceComment":"why","sentiment":"Negative",
		"language":"spanish","tags":["pricing","bug_report"],"keywords":[{"id":9,"keyword":"<b>acme</b>"},{"id":2,"keyword":"x"}],"engaged":true,
		"isReply":true,"review":{"rating":4.5,"ratingMax":5,"verified":false,"response":"Thanks","responseAt":"2026-11-20T00:00:00.000Z","targetName":"Acme"},
		"relevanceScore":1,"feedbackRelevant":-1,"imageUrl":"https://i.example/i.png","keywordId":9,"storyId":null,
		"engagementMetrics":{"likes":0,"points":-3},"engagementObservedAt":"2026-11-20T09:00:00.000Z"}`
	const bare = `{"id":1,"sourceId":"x_y_z","url":"","title":null,"body":"\u0000 \u202e <script>","source":"twitter","timestamp":"1970-01-01 00:00:00.000",
		"author":null,"authorAvatar":null,"authorUrl":null,"authorFollowers":null,"relevance":"not_relevant","sentiment":null,
		"language":"undetermined","tags":[],"keywords":[],"engaged":false,"isReply":false,"storyId":null,"engagementMetrics":{}}`
	for _, text := range []string{whole, bare} {
		var wire mentionwire.Mention
		if err := json.Unmarshal([]byte(text), &wire); err != nil {
			t.Fatal(err)
		}
		m, err := wire.ToMention()
		if err != nil {
			t.Fatal(err)
		}
		w.Put(t, w.Main.ID, m)
		answer := client.Get(t, byID(m.SourceID)+"&includeEngagementMetrics=true")
		if got, want := canonical(t, answer.Body), canonical(t, []byte(text)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		var without map[string]any
		client.Get(t, byID(m.SourceID)+"&includeEngagementMetrics=false").OK(t, &without)
		if without["engagementMetrics"] != nil || without["engagementObservedAt"] != nil {
			t.Errorf("counters came unasked: %v", without)
		}
	}
}

func canonical(t *testing.T, text []byte) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	sorted, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(sorted)
}

// Another workspace's id answers what an unused one does: the same bytes for the same work.
func TestAnotherWorkspacesMentionDoesNotExist(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	w.Put(t, w.Other.ID, worldtest.Mention(77, "theirs", worldtest.Now))
	for _, pair := range [][2]string{{"theirs", "unused"}, {"77", "78"}} {
		theirs, unused := client.Get(t, byID(pair[0])), client.Get(t, byID(pair[1]))
		theirs.Is(t, http.StatusNotFound, "MENTION_NOT_FOUND")
		if string(theirs.Body) != string(unused.Body) {
			t.Errorf("%s and %s differ", theirs.Body, unused.Body)
		}
		path := client.Get(t, "/api/v2/mentions/"+pair[0])
		if string(path.Body) != string(theirs.Body) {
			t.Errorf("by path %s, by query %s", path.Body, theirs.Body)
		}
	}
}

func TestListPages(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	for i := range 25 {
		m := worldtest.Mention(int64(i+1), fmt.Sprintf("s_%02d", i), worldtest.Now.Add(time.Duration(i/2)*time.Minute)) // in pairs of one time
		if i%5 == 0 {
			low := mention.Low
			m.Relevant, m.RelevanceScore = false, &low
		}
		w.Put(t, w.Main.ID, m)
	}
	arrived := int64(1000)
	for _, includeAll := range []bool{false, true} {
		var order []int64
		cursor := ""
		for {
			body := fmt.Sprintf(`{"limit":4,"includeAll":%t%s}`, includeAll, cursor)
			var page mentions.MentionList
			client.Post(t, "/api/v2/mentions", body).OK(t, &page)
			for _, m := range page.Data {
				if m.ID < 1000 {
					order = append(order, m.ID)
				}
			}
			// Mentions arrive before, at and behind the place of the walk.
			for _, at := range []time.Duration{time.Hour, 0, -time.Hour} {
				w.Put(t, w.Main.ID, worldtest.Mention(arrived, fmt.Sprintf("new_%t_%d", includeAll, arrived), worldtest.Now.Add(at)))
				arrived++
			}
			if page.Pagination.NextCursor.Value == nil {
				break
			}
			cursor = fmt.Sprintf(`,"cursor":%q`, *page.Pagination.NextCursor.Value)
		}
		var want []int64
		for i := 24; i >= 0; i-- {
			if includeAll || i%5 != 0 {
				want = append(want, int64(i+1))
			}
		}
		if fmt.Sprint(order) != fmt.Sprint(want) {
			t.Errorf("includeAll %t:\ngot  %v\nwant %v", includeAll, order, want)
		}
	}
}

func TestListDefaultsAndEmptiness(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	var page mentions.MentionList
	answer := client.Post(t, "/api/v2/mentions", `{}`)
	answer.OK(t, &page)
	if string(answer.Body) != `{"data":[],"pagination":{"nextCursor":null}}`+"\n" {
		t.Errorf("an empty list is %s", answer.Body)
	}
	for i := range 21 {
		w.Put(t, w.Main.ID, worldtest.Mention(int64(i+1), fmt.Sprint("s", i),
			worldtest.Now.Add(time.Duration(i)*time.Second)))
	}
	client.Post(t, "/api/v2/mentions", `{}`).OK(t, &page)
	if len(page.Data) != 20 || page.Data[0].ID != 21 || page.Pagination.NextCursor.Value == nil {
		t.Errorf("the default page has %d mentions, cursor %v", len(page.Data), page.Pagination.NextCursor)
	}
	client.Post(t, "/api/v2/mentions", `{"limit":21}`).OK(t, &page)
	if len(page.Data) != 21 || page.Pagination.NextCursor.Value != nil {
		t.Errorf("the whole list has %d mentions, cursor %v", len(page.Data), page.Pagination.NextCursor)
	}
	if page.Data[0].EngagementMetrics != nil {
		t.Error("counters came unasked")
	}
	client.Post(t, "/api/v2/mentions", `{"limit":1,"includeEngagementMetrics":true}`).OK(t, &page)
	if page.Data[0].EngagementMetrics["points"] != 12 {
		t.Error("counters did not come")
	}
}

// A page of long mentions ends early, so that an answer stays below what a Lambda can send, and the walk is whole.
func TestListOfLongMentions(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	long := strings.Repeat("long ", 60<<10/5*5) // 300 KB
	for i := range 30 {
		m := worldtest.Mention(int64(i+1), fmt.Sprint("s", i), worldtest.Now.Add(time.Duration(i)*time.Second))
		m.Body = &long
		w.Put(t, w.Main.ID, m)
	}
	seen, cursor, pages := 0, "", 0
	for {
		var page mentions.MentionList
		answer := client.Post(t, "/api/v2/mentions", fmt.Sprintf(`{"limit":100%s}`, cursor))
		answer.OK(t, &page)
		if len(answer.Body) > 5<<20 {
			t.Errorf("a page has %d bytes", len(answer.Body))
		}
		seen += len(page.Data)
		pages++
		if page.Pagination.NextCursor.Value == nil {
			break
		}
		cursor = fmt.Sprintf(`,"cursor":%q`, *page.Pagination.NextCursor.Value)
	}
	if seen != 30 || pages < 3 {
		t.Errorf("%d mentions in %d pages", seen, pages)
	}
}

func TestCursorBelongsToItsList(t *testing.T) {
	w := worldtest.NewWorld(t)
	client := serve(t, w)
	for i := range 3 {
		w.Put(t, w.Main.ID, worldtest.Mention(int64(i+1), fmt.Sprint("s", i), worldtest.Now))
		w.Put(t, w.Other.ID, worldtest.Mention(int64(i+1), fmt.Sprint("s", i), worldtest.Now))
	}
	var page mentions.MentionList
	client.Post(t, "/api/v2/mentions", `{"limit":1}`).OK(t, &page)
	cursor := *page.Pagination.NextCursor.Value
	client.Post(t, "/api/v2/mentions", fmt.Sprintf(`{"limit":2,"cursor":%q}`, cursor)).OK(t, nil)
	other := client
	other.Token = w.OtherKey
	for name, try := range map[string]func() worldtest.Answer{
		"another workspace": func() worldtest.Answer {
			return other.Post(t, "/api/v2/mentions", fmt.Sprintf(`{"limit":1,"cursor":%q}`, cursor))
		},
		"another query": func() worldtest.Answer {
			return client.Post(t, "/api/v2/mentions", fmt.Sprintf(`{"includeAll":true,"cursor":%q}`, cursor))
		},
		"a changed byte": func() worldtest.Answer {
			other := "A"
			if cursor[:1] == other {
				other = "B"
			}
			return client.Post(t, "/api/v2/mentions", fmt.Sprintf(`{"cursor":%q}`, other+cursor[1:]))
		},
		"a cut": func() worldtest.Answer {
			return client.Post(t, "/api/v2/mentions", fmt.Sprintf(`{"cursor":%q}`, cursor[:8]))
		},
		"nothing": func() worldtest.Answer { return client.Post(t, "/api/v2/mentions", `{"cursor":""}`) },
		"very long": func() worldtest.Answer {
			return client.Post(t, "/api/v2/mentions", fmt.Sprintf(`{"cursor":%q}`, strings.Repeat("A", 100_000)))
		},
		"no base64": func() worldtest.Answer { return client.Post(t, "/api/v2/mentions", `{"cursor":"née"}`) },
	} {
		t.Run(name, func(t *testing.T) { try().Is(t, http.StatusBadRequest, "INVALID_INPUT") })
	}
}

// Whatever a client asks for by an id, it is there or it is not, or it cannot be an id; never is it our failure.
func FuzzID(f *testing.F) {
	w := worldtest.NewWorld(f)
	client := serve(f, w)
	for _, id := range []string{"", ".", "42", "\x00", "\xff", "9007199254740992", strings.Repeat("é", 600), "a/b"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		w.Clock.Freeze(w.Clock.Now().Add(time.Minute))
		targets := []string{byID(id)}
		if !slices.Contains([]string{"", ".", "..", "/"}, id) { // what no path segment can be
			targets = append(targets, "/api/v2/mentions/"+url.PathEscape(id))
		}
		for _, target := range targets {
			if answer := client.Get(t, target); answer.Status != 404 && answer.Status != 400 {
				t.Errorf("%s: %d %s", target, answer.Status, answer.Body)
			}
		}
	})
}

// Texts that grow on their way from a Lambda make pages shorter, never an answer that cannot be sent: all of them come.
func TestPagesOfTextsThatGrow(t *testing.T) {
	for name, text := range map[string]string{"quotation marks": `"`, "angle brackets": "<", "controls": "\x01",
		"lines": "\n", "separators": "\u2028"} {
		t.Run(name, func(t *testing.T) {
			w := worldtest.NewWorld(t)
			client := serve(t, w)
			body := strings.Repeat(text, 100<<10/len(text))
			for n := range 35 {
				m := worldtest.Mention(int64(n+1), fmt.Sprint("grown", n), worldtest.Now.Add(-time.Duration(n)*time.Minute))
				m.Body = &body
				w.Put(t, w.Main.ID, m)
			}
			seen, cursor := 0, ""
			for {
				request := `{"limit":35}`
				if cursor != "" {
					request = fmt.Sprintf(`{"limit":35,"cursor":%q}`, cursor)
				}
				answer := client.Post(t, "/api/v2/mentions", request)
				if sent := web.Sent(answer.Body); sent > 6<<20 {
					t.Fatalf("%d bytes on their way", sent)
				}
				var page struct {
					Data       []struct{ SourceID string }
					Pagination struct{ NextCursor *string }
				}
				answer.JSON(t, &page)
				for _, m := range page.Data {
					if m.SourceID != fmt.Sprint("grown", seen) {
						t.Fatalf("%s comes after %d", m.SourceID, seen)
					}
					seen++
				}
				if page.Pagination.NextCursor == nil {
					break
				}
				cursor = *page.Pagination.NextCursor
			}
			if seen != 35 {
				t.Errorf("%d of 35 came", seen)
			}
		})
	}
}
