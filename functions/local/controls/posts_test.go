package controls_test

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/port/blob"
	"earshot/shared/port/queue"
)

type postReport struct {
	Received, Stored, Duplicates, Unmatched, OverQuota, RejectedCount int
	Rejected                                                          []struct {
		Line    int
		Message string
	}
}

// listen gives a workspace a keyword.
func (d desk) listen(t *testing.T, orgID, text string) {
	t.Helper()
	if _, err := d.Store.CreateKeyword(t.Context(), orgID, keyword.Keyword{Text: text, ExactMatch: true}, 10); err != nil {
		t.Fatal(err)
	}
}

func (d desk) posts(t *testing.T, body io.Reader, header ...string) (got postReport) {
	t.Helper()
	d.do("POST", "/_local/posts", body, header...).ok(t, &got)
	return got
}

// postLine is a post that names northwind.
func postLine(n int, more string) string {
	return fmt.Sprintf(`{"source":"hackernews","sourceId":"hackernews_comment_%d","timestamp":"2026-11-20 09:00:00.000","body":"Northwind paged me."%s}`, n, more)
}

// Posts go the way that collected ones go: matched for every workspace, judged, stored once.
func TestPosts(t *testing.T) {
	d := newDesk(t)
	d.listen(t, d.Main.ID, "northwind")
	d.listen(t, d.Other.ID, "Northwind")
	body := strings.Join([]string{
		postLine(1, ""), "", postLine(2, `,"engagementMetrics":{"points":3}`),
		`{"source":"hackernews","sourceId":"hackernews_comment_3","timestamp":"2026-11-20T09:00:00Z","body":"Nothing that anyone listens for."}`,
		`{"source":"hackernews","sourceId":"hackernews_comment_4","timestamp":"1970-01-01 00:00:00.000","body":"Northwind"}`,
		`{"source":"hackernews","sourceId":"hackernews_comment_5","timestamp":"2027-11-20 00:00:00.000","body":"Northwind"}`,
		postLine(6, `,"bodyy":"x"`), `{"source":`, postLine(7, ",\"title\":\"bad \xff \\ud800 text\",\"author\":null"),
	}, "\n")
	got := d.posts(t, strings.NewReader(body))
	if got.Received != 8 || got.Stored != 6 || got.Unmatched != 1 || got.Duplicates != 0 || got.RejectedCount != 4 {
		t.Errorf("%+v", got)
	}
	for line, part := range map[int]string{5: "1995", 6: "future", 7: "bodyy", 8: "JSON"} {
		found := false
		for _, rejected := range got.Rejected {
			found = found || rejected.Line == line && strings.Contains(rejected.Message, part)
		}
		if !found {
			t.Errorf("line %d: no %q in %+v", line, part, got.Rejected)
		}
	}
	if got := d.posts(t, strings.NewReader(body)); got.Stored != 0 || got.Duplicates != 6 {
		t.Errorf("again: %+v", got)
	}
	m, err := d.Store.Mention(t.Context(), d.Main.ID, "hackernews_comment_2")
	if err != nil || m.Engagement["points"] != 3 || m.RelevanceScore == nil || m.RelevanceComment == "" ||
		m.Language != "english" || m.Sentiment == "" {
		t.Errorf("%+v %v", m, err)
	}
}

// Where posts come from is told, and of each platform that brings none, why.
func TestSources(t *testing.T) {
	d := newDesk(t)
	var got struct {
		Sources []struct {
			Name, Title, State, Why string
			Credentials             []string
			LastPosts               *int
			LastError               string
		}
	}
	d.do("GET", "/_local/sources", nil).ok(t, &got)
	states := map[string]string{}
	for _, s := range got.Sources {
		states[s.Name] = s.State
		if (s.State == "collecting") != (s.Why == "") || s.Title == "" {
			t.Errorf("%+v", s)
		}
		if failed := s.LastPosts != nil && *s.LastPosts == 2 &&
			strings.Contains(s.LastError, "503"); failed != (s.Name == "news") {
			t.Errorf("%+v", s)
		}
		if s.Name == "reddit" && fmt.Sprint(s.Credentials) != "[SOURCE_REDDIT_CLIENT_ID SOURCE_REDDIT_CLIENT_SECRET]" {
			t.Errorf("%+v", s)
		}
	}
	if states["hackernews"] != "collecting" || states["reddit"] != "lacks credentials" || states["linkedin"] != "closed" ||
		states["github"] != "off" {
		t.Error(states)
	}
}

// A table of a Hacker News dump is taken as its stories.
func TestPostsOfADump(t *testing.T) {
	d := newDesk(t)
	d.listen(t, d.Main.ID, "northwind")
	csv := []string{"Content-Type", "text/csv; charset=utf-8"}
	got := d.posts(t, strings.NewReader("id,title,url,num_points,num_comments,author,created_at\n"+
		"7,\"Northwind, one year on\",http://northwind.example/,52,6,quietharbor,2/4/2016 18:43\n"+
		"8,Nothing,,1,1,tern,12/31/2015 0:05\nnine,x,,1,1,tern,12/31/2015 0:05\n10,x,,1,1,tern,yesterday\n11,short\n"),
		csv...)
	if got.Received != 5 || got.Stored != 1 || got.Unmatched != 1 || got.RejectedCount != 3 || got.Rejected[0].Line != 4 {
		t.Errorf("%+v", got)
	}
	m, err := d.Store.Mention(t.Context(), d.Main.ID, "hackernews_story_7")
	if err != nil || *m.Title != "Northwind, one year on" || m.Engagement["points"] != 52 ||
		m.PostedAt.Format("2006-01-02 15:04") != "2016-02-04 18:43" {
		t.Errorf("%+v %v", m, err)
	}
	d.do("POST", "/_local/posts", strings.NewReader("id,title\n"), csv...).is(t, 400, "INVALID_INPUT")
	d.do("POST", "/_local/posts", strings.NewReader(""), csv...).is(t, 400, "INVALID_INPUT")
}

// What the store does not take is told by its line, and taken when it is sent again.
func TestPostsThatTheStoreRefuses(t *testing.T) {
	d := newDesk(t)
	d.listen(t, d.Main.ID, "northwind")
	d.post("/_local/faults", `{"port":"table","operation":"transact","fault":"throttle","times":0}`).ok(t, nil)
	if got := d.posts(t, strings.NewReader(postLine(1, "")+"\n"+postLine(2, ""))); got.Stored != 0 ||
		got.RejectedCount != 2 ||
		!strings.Contains(got.Rejected[1].Message, "send it again") {
		t.Errorf("%+v", got)
	}
	d.do("DELETE", "/_local/faults", nil).ok(t, nil)
	if got := d.posts(t, strings.NewReader(postLine(1, "")+"\n"+postLine(2, ""))); got.Stored != 2 {
		t.Errorf("%+v", got)
	}
}

func TestPostsThatBreakOff(t *testing.T) {
	d := newDesk(t)
	d.listen(t, d.Main.ID, "northwind")
	a := d.do("POST", "/_local/posts", io.MultiReader(strings.NewReader(postLine(1, "")+"\n"+postLine(2, "")), &broken{}))
	a.is(t, 400, "INVALID_INPUT")
	if !strings.Contains(a.Body.String(), "1 mentions stored") {
		t.Error(a.Body)
	}
}

func TestSchedules(t *testing.T) {
	d := newDesk(t)
	d.post("/_local/schedules/collect", "").ok(t, nil)
	d.post("/_local/schedules/nothing", "").is(t, 404, "NOT_FOUND")
	d.do("GET", "/_local/schedules/collect", nil).is(t, 404, "NOT_FOUND")
	d.ticks.err = errors.New("no")
	d.post("/_local/schedules/collect", "").is(t, 500, "INTERNAL_ERROR")
	if fmt.Sprint(d.ticks.called) != "[collect collect]" {
		t.Error(d.ticks.called)
	}
}

func TestQueues(t *testing.T) {
	d := newDesk(t)
	if err := d.queue.Send(t.Context(), queue.Posts, queue.Message{Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Queues []struct {
			Queue                            string
			Waiting, Delayed, InFlight, Dead int
		}
	}
	d.do("GET", "/_local/queues", nil).ok(t, &got)
	if len(got.Queues) != 1 || got.Queues[0].Queue != "posts" || got.Queues[0].Waiting != 1 {
		t.Errorf("%+v", got)
	}
}

// A link brings the file as a file to be saved; one that was changed or has expired brings nothing.
func TestFiles(t *testing.T) {
	d := newDesk(t)
	content := "<script>alert(1)</script>"
	if err := d.Files().Put(t.Context(), "org_1/exp_1.csv", blob.File{Content: strings.NewReader(content), Size: int64(len(content)),
		ContentType: "text/csv; charset=utf-8", Name: "mentions.csv"}); err != nil {
		t.Fatal(err)
	}
	link, err := d.Files().Link(t.Context(), "org_1/exp_1.csv", 1e9)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	a := d.do("GET", parsed.RequestURI(), nil)
	if a.Code != 200 || a.Body.String() != content || a.Header().Get("Content-Type") != "text/csv; charset=utf-8" ||
		a.Header().Get("Content-Disposition") != "attachment; filename=mentions.csv" {
		t.Errorf("%d %v %s", a.Code, a.Header(), a.Body)
	}
	d.do("GET", strings.Replace(parsed.RequestURI(), "exp_1", "exp_2", 1), nil).is(t, 403, "FORBIDDEN")
	d.Clock.Freeze(d.Clock.Now().Add(3e9))
	d.do("GET", parsed.RequestURI(), nil).is(t, 403, "FORBIDDEN")
}
