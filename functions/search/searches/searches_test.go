package searches_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/events/message"
	"earshot/functions/search/searches"
	"earshot/shared/archive/shards/shardstest"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/judge"
	"earshot/shared/mention"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/post"
	"earshot/shared/search"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/hackernews"
	"earshot/shared/store/rows"
	"earshot/shared/web/searchwire"
	"earshot/shared/worker"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// judged is the judge of all tests.
var judged = sync.OnceValue(func() *judge.Judge {
	j, err := judge.New()
	if err != nil {
		panic(err)
	}
	return j
})

// A bench is the worker over a World, with an archive of its own and the sources that a test gives it.
type bench struct {
	*worldtest.World
	archive *shardstest.Archive
	live    []source.Source
	options searches.Options
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{World: worldtest.NewWorld(t)}
	b.archive = shardstest.New(t, b.World)
	worldtest.Must(t, b.Store.PutCompany(t.Context(), b.Main.ID, workspace.Company{
		Name:        "Northwind",
		Domain:      "northwind.example",
		Description: "Northwind sends alerts about deployments to engineers.",
		Products:    []string{"Northwind Alerts"},
	}))
	b.options = searches.Options{
		Store:   b.Store,
		Judge:   judged(),
		Live:    func(context.Context) []source.Source { return b.live },
		Archive: b.archive.Sources,
		Clock:   b.Clock,
		Log:     slog.New(slog.DiscardHandler),
	}
	return b
}

// archived puts posts into the archive.
func (b *bench) archived(t *testing.T, posts ...post.Post) {
	t.Helper()
	worldtest.Must(t, b.archive.Add(t.Context(), posts))
}

// about returns a post about the product.
func about(platform string, n int, age time.Duration) post.Post {
	texts := []string{
		"We moved our deployment alerts to Northwind and it has been solid.",
		"Does anybody use Northwind for alerts? The on-call page is slow for us.",
		"Northwind raised its prices again, we compare other alerting tools.",
		"The new Northwind release breaks our webhook alerts, how do we roll back?",
	}
	body := fmt.Sprintf("%s Case %d of our team.", texts[n%len(texts)], n)
	author := fmt.Sprint("author", n)
	return post.Post{
		Source:   platform,
		SourceID: fmt.Sprintf("%s_post_%d", platform, n),
		URL:      fmt.Sprintf("https://posts.example/%s/%d", platform, n),
		Body:     &body,
		Author:   &author,
		PostedAt: worldtest.Now.Add(-age),
	}
}

// begin stores a search for "northwind", which change may change.
func (b *bench) begin(t testing.TB, w workspace.Workspace, change func(*search.Search)) search.Search {
	t.Helper()
	now := b.Clock.Now()
	s := search.Search{
		ID:          workspace.NewID("srch_", now),
		WorkspaceID: w.ID,
		Request: search.Request{
			Query:        "northwind",
			Window:       search.Week,
			MaxResults:   100,
			MinRelevance: mention.Low,
		},
		Status:    search.Running,
		CreatedAt: now,
		ExpiresAt: now.Add(search.Kept),
	}
	if change != nil {
		change(&s)
	}
	s, err := b.Store.BeginSearch(t.Context(), s, w.Plan.Limits().Searches, "")
	worldtest.Must(t, err)
	return s
}

// deliver brings a search's message, for the nth time, and reports whether it is to come again.
func (b *bench) deliver(t testing.TB, s search.Search, receives int) (again bool) {
	t.Helper()
	body, err := json.Marshal(message.Search{WorkspaceID: s.WorkspaceID, SearchID: s.ID})
	worldtest.Must(t, err)
	return b.deliverBody(t, string(body), receives)
}

func (b *bench) deliverBody(t testing.TB, body string, receives int) (again bool) {
	t.Helper()
	handler := searches.Handler(
		worker.Options{Function: searches.Group, Log: slog.New(slog.DiscardHandler), Clock: b.Clock}, b.options,
	)
	failed, err := worker.Deliver(handler, queue.Searches)(
		context.Background(), []queue.Delivery{{ID: "m1", Body: []byte(body), Receives: receives}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return len(failed) > 0
}

// run runs a search to its end and returns it with its results.
func (b *bench) run(t *testing.T, change func(*search.Search)) (search.Search, []searchwire.Result) {
	t.Helper()
	s := b.begin(t, b.Main, change)
	if b.deliver(t, s, 1) {
		t.Error("the message is to come again")
	}
	return b.ended(t, s)
}

func (b *bench) ended(t *testing.T, s search.Search) (search.Search, []searchwire.Result) {
	t.Helper()
	s, err := b.Store.Search(t.Context(), s.WorkspaceID, s.ID)
	worldtest.Must(t, err)
	content, err := b.Store.SearchResults(t.Context(), s)
	worldtest.Must(t, err)
	results := make([]searchwire.Result, len(content))
	for i := range content {
		worldtest.Must(t, json.Unmarshal(content[i], &results[i]))
	}
	return s, results
}

func sourceIDs(results []searchwire.Result) (ids []string) {
	for _, r := range results {
		ids = append(ids, r.SourceID)
	}
	return ids
}

func (b *bench) month(t *testing.T, w workspace.Workspace) int {
	t.Helper()
	left, err := b.Store.SearchesCounted(t.Context(), w.ID)
	worldtest.Must(t, err)
	return left.Mentions
}

// spend counts mentions of the month.
func (b *bench) spend(t *testing.T, w workspace.Workspace, n int) {
	t.Helper()
	_, err := b.Table.Update(t.Context(), table.Update{
		Table: rows.CountersTable,
		Key:   b.Store.QuotaKey(w.ID),
		Add:   map[string]int64{"stored": int64(n)},
	})
	worldtest.Must(t, err)
}

func TestSearch_Archive(t *testing.T) {
	b := newBench(t)
	other, old := about("reddit", 90, time.Hour), about("reddit", 91, 8*24*time.Hour)
	text := "A post about the weather in the harbour."
	other.Body = &text
	b.archived(t, about("hackernews", 1, time.Hour), about("reddit", 2, 2*time.Hour), other, old)
	s, results := b.run(t, nil)
	if s.Status != search.Completed || s.CompletedAt.IsZero() || s.Problem != "" {
		t.Errorf("the search ended %+v", s)
	}
	got := sourceIDs(results)
	slices.Sort(got)
	if want := []string{"hackernews_post_1", "reddit_post_2"}; !slices.Equal(got, want) {
		t.Errorf("the results are %v, want %v", got, want)
	}
	stats := s.Stats
	if stats.RawMatches != 2 || stats.AfterDedup != 2 || stats.AfterRelevance != 2 || stats.Consumed != 2 ||
		stats.PerSource["hackernews"] != 1 || stats.PerSource["reddit"] != 1 || b.month(t, b.Main) != 2 {
		t.Errorf("the statistics are %+v, with %d of the month", stats, b.month(t, b.Main))
	}
	// No platform could be asked, and each says why.
	for _, name := range []string{"hackernews", "reddit", "twitter", "linkedin"} {
		if stats.Skipped[name] == "" {
			t.Errorf("no reason why %s was not asked: %v", name, stats.Skipped)
		}
	}
	if reason := stats.Skipped["reddit"]; !strings.Contains(reason, "The archive was searched") {
		t.Errorf("the reason for reddit is %q, want the archive in it", reason)
	}
	for i, r := range results {
		if r.AlreadyInWorkspace || r.ID < 1 || i > 0 && r.ID == results[i-1].ID {
			t.Errorf("result %d has id %d, known %v", i, r.ID, r.AlreadyInWorkspace)
		}
	}
}

// A search over a platform's own adapter, against a server that speaks as the platform does.
func TestSearch_Live(t *testing.T) {
	b := newBench(t)
	asked := 0
	platform := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if !strings.Contains(r.URL.Query().Get("query"), "northwind") {
			t.Errorf("the platform is asked for %s", r.URL)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"hits":[
			{"objectID":"1","created_at_i":%d,"author":"a","comment_text":"Northwind alerts work for us","story_id":9,"story_title":"Alerts","_tags":["comment"]},
			{"objectID":"2","created_at_i":%d,"author":"b","comment_text":"northwinds is another word","story_id":9,"story_title":"Other","_tags":["comment"]}
		],"nbHits":2,"page":0,"nbPages":1,"hitsPerPage":100}`, worldtest.Now.Unix()-60, worldtest.Now.Unix()-120)
	}))
	t.Cleanup(platform.Close)
	b.live = []source.Source{hackernews.New(fetch.New(fetch.Options{AnyHost: true, Unpaced: true, Clock: b.Clock}), platform.URL)}
	s, results := b.run(t, nil)
	if len(results) != 1 || s.Stats.PerSource["hackernews"] != 1 || s.Stats.Skipped["hackernews"] != "" {
		t.Errorf("the results are %v: %+v", sourceIDs(results), s.Stats)
	}
	// The platform's response is stored for an hour.
	if again, _ := b.run(t, nil); again.Stats.PerSource["hackernews"] != 1 || again.Stats.Consumed != 0 || asked != 1 {
		t.Errorf("after %d requests the second search has %+v", asked, again.Stats)
	}
}

func TestSearch_FailingSource(t *testing.T) {
	b := newBench(t)
	platform := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(platform.Close)
	b.live = []source.Source{hackernews.New(fetch.New(fetch.Options{AnyHost: true, Unpaced: true, Clock: b.Clock}), platform.URL)}
	b.archived(t, about("reddit", 1, time.Hour))
	s, results := b.run(t, nil)
	if s.Status != search.Completed || len(results) != 1 || !strings.Contains(s.Stats.Skipped["hackernews"], "503") {
		t.Errorf("the search ended %s with %d results: %v", s.Status, len(results), s.Stats.Skipped)
	}
}

// Without any source the search completes, empty, and says why.
func TestSearch_NothingToAsk(t *testing.T) {
	b := newBench(t)
	b.options.Archive = nil
	s, results := b.run(t, func(s *search.Search) { s.Sources = []string{"reddit", "linkedin"} })
	if s.Status != search.Completed || len(results) != 0 || len(s.Stats.Skipped) != 3 {
		t.Errorf("the search ended %s with %d results: %v", s.Status, len(results), s.Stats.Skipped)
	}
	if !strings.Contains(s.Stats.Skipped[searches.ArchiveSlug], "no archive") {
		t.Errorf("the archive's reason is %q", s.Stats.Skipped[searches.ArchiveSlug])
	}
}

func TestSearch_Query(t *testing.T) {
	b := newBench(t)
	b.archived(t, about("hackernews", 4, time.Hour), about("reddit", 1, 2*time.Hour))
	const news, talk = "hackernews_post_4", "reddit_post_1" // "We moved our …" and "Does anybody use …"
	for query, want := range map[string][]string{
		"northwind":                               {news, talk},
		"northwind source:reddit":                 {talk},
		"northwind -source:reddit":                {news},
		`"moved our" OR "pigeon post"`:            {news},
		`"moved our" OR "anybody use"`:            {news, talk},
		"northwind -slow":                         {news},
		"northwind author:author1":                {talk},
		"northwind site:posts.example/hackernews": {news},
		"northwind lang:english":                  {news, talk},
		"northwind lang:french":                   nil,
		"author:author1":                          {talk},
		"site:posts.example/hackernews -jobs":     {news},
		"title:northwind":                         nil,
		"north":                                   nil,
	} {
		_, results := b.run(t, func(s *search.Search) { s.Query = query })
		got := sourceIDs(results)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: the results are %v, want %v", query, got, want)
		}
	}
}

func TestSearch_AlreadyInWorkspace(t *testing.T) {
	b := newBench(t)
	known := worldtest.Mention(41, "hackernews_post_1", worldtest.Now.Add(-time.Hour))
	known.Engaged = true
	b.Put(t, b.Main.ID, known)
	b.archived(t, about("hackernews", 1, time.Hour), about("reddit", 2, 2*time.Hour))
	s, results := b.run(t, nil)
	if s.Stats.Consumed != 1 || b.month(t, b.Main) != 1 {
		t.Errorf("the search cost %d, with %d of the month, want 1", s.Stats.Consumed, b.month(t, b.Main))
	}
	for _, r := range results {
		is := r.SourceID == "hackernews_post_1"
		if r.AlreadyInWorkspace != is || r.Engaged != is || (r.ID == 41) != is {
			t.Errorf("%s: id %d, engaged %v, already in the workspace %v", r.SourceID, r.ID, r.Engaged, r.AlreadyInWorkspace)
		}
	}
	if page, err := b.Store.Having(t.Context(), b.Main.ID, []mention.Mention{{SourceID: "reddit_post_2"}}); err != nil ||
		len(page) != 0 {
		t.Errorf("the result became a mention of the workspace: %v, %v", page, err)
	}
}

// What users said of a mention holds in a search too: it has no mention that they found less relevant than it asks for.
func TestSearch_AsUsersCorrectedIt(t *testing.T) {
	b := newBench(t)
	low, down := mention.Low, -1
	for n := range 3 {
		m := worldtest.Mention(int64(41+n), fmt.Sprint("hackernews_post_", n+1), worldtest.Now.Add(-time.Hour))
		m.Sentiment = mention.Negative
		if n == 0 {
			m.Relevant, m.RelevanceScore, m.FeedbackRelevant, m.RelevanceComment = false, &low, &down, "Marked."
		}
		b.Put(t, b.Main.ID, m)
	}
	b.archived(t, about("hackernews", 1, time.Hour), about("hackernews", 2, time.Hour), about("hackernews", 3, time.Hour))
	s, results := b.run(t, func(s *search.Search) { s.MaxResults, s.MinRelevance = 2, mention.Medium })
	if got := sourceIDs(results); slices.Contains(got, "hackernews_post_1") || len(got) != 2 ||
		s.Stats.AfterRelevance != 2 {
		t.Errorf("the results are %v of %d, want the two that nobody marked", got, s.Stats.AfterRelevance)
	}
	_, results = b.run(t, func(s *search.Search) { s.MinRelevance = mention.Low })
	if len(results) != 3 {
		t.Fatalf("a search for all has %d results, want 3", len(results))
	}
	for n, r := range results {
		marked := r.SourceID == "hackernews_post_1"
		if (r.Relevance == "not_relevant") != marked || (n == 2) != marked || *r.Sentiment != "Negative" {
			t.Errorf("result %d is %s, %s, %v", n, r.SourceID, r.Relevance, r.Sentiment)
		}
	}
}

func TestSearch_Bounds(t *testing.T) {
	b := newBench(t)
	var posts []post.Post
	for n := range 30 {
		posts = append(posts, about("hackernews", n, time.Duration(n)*time.Hour))
	}
	b.archived(t, posts...)
	s, results := b.run(t, func(s *search.Search) { s.MaxResults = 7 })
	if len(results) != 7 || s.Stats.Consumed != 7 || s.Stats.AfterRelevance < 20 {
		t.Errorf("%d results, %+v", len(results), s.Stats)
	}
	if !slices.IsSortedFunc(results, func(a, c searchwire.Result) int {
		if *a.RelevanceScore != *c.RelevanceScore {
			return int(*a.RelevanceScore - *c.RelevanceScore)
		}
		return strings.Compare(c.Timestamp, a.Timestamp)
	}) {
		t.Errorf("the results are not ranked: %v", sourceIDs(results))
	}
	_, relevant := b.run(t, func(s *search.Search) { s.MinRelevance = mention.High })
	if len(relevant) == 0 {
		t.Error("no result is of high relevance")
	}
	for _, r := range relevant {
		if *r.RelevanceScore != 0 {
			t.Errorf("%s has the relevance %d, want 0", r.SourceID, *r.RelevanceScore)
		}
	}
}

// A post is judged by the alternative that it meets, and not by the words of another one.
func TestSearch_JudgedByItsAlternative(t *testing.T) {
	b := newBench(t)
	rain := about("reddit", 1, time.Hour)
	text := "Rain today, and the seal is back at the harbour wall."
	rain.Body = &text
	b.archived(t, rain, about("hackernews", 4, time.Hour))
	_, results := b.run(t, func(s *search.Search) { s.Query = "northwind OR seal" })
	if len(results) != 2 {
		t.Fatalf("the results are %v, want 2", sourceIDs(results))
	}
	for _, r := range results {
		if is := strings.Contains(r.RelevanceComment, "northwind"); is != (r.Source == "hackernews") {
			t.Errorf("%s: %q", r.SourceID, r.RelevanceComment)
		}
	}
	// A part without words is judged by the profile alone.
	_, results = b.run(t, func(s *search.Search) { s.Query = "author:author1 OR author:author4" })
	if len(results) != 2 || results[0].Source != "hackernews" ||
		!strings.Contains(results[0].RelevanceComment, "profile") ||
		*results[0].RelevanceScore >= *results[1].RelevanceScore {
		t.Errorf("the results are %v: %+v", sourceIDs(results), results)
	}
}

// A search whose new results do not fit costs nothing, and shows none.
func TestSearch_QuotaExhausted(t *testing.T) {
	b := newBench(t)
	b.archived(t, about("hackernews", 1, time.Hour), about("hackernews", 2, time.Hour))
	b.spend(t, b.Main, b.Main.MentionLimit()-1)
	s, results := b.run(t, nil)
	if s.Status != search.QuotaExhausted || len(results) != 0 || s.Stats.Consumed != 0 || s.Problem == "" {
		t.Errorf("the search ended %+v with %d results", s, len(results))
	}
	if month := b.month(t, b.Main); month != b.Main.MentionLimit()-1 {
		t.Errorf("the month counts %d, want %d", month, b.Main.MentionLimit()-1)
	}
}

// The worker may die at any of its writes. The message comes again, and the search is billed once.
func TestSearch_KilledAtEachWrite(t *testing.T) {
	faulttest.EachStep(t, 4, func(t *testing.T, step *faulttest.Step) {
		b := newBench(t)
		b.archived(t, about("hackernews", 1, time.Hour), about("reddit", 2, time.Hour), about("reddit", 3, time.Hour))
		s := b.begin(t, b.Main, nil)
		again := false
		_ = step.Die(t, b.Life, func() error {
			again = b.deliver(t, s, 1)
			return nil
		})
		if again != step.Met {
			t.Errorf("the message comes again: %v, want %v", again, step.Met)
		}
		if b.deliver(t, s, 2) {
			t.Error("the message comes a third time")
		}
		ended, results := b.ended(t, s)
		if ended.Status != search.Completed || len(results) != 3 || ended.Stats.Consumed != 3 || b.month(t, b.Main) != 3 {
			t.Errorf("%d results, %d of the month: %+v", len(results), b.month(t, b.Main), ended)
		}
	})
}

// Another worker has the same message at each step of the first. One of them bills.
func TestSearch_TwiceAtOnce(t *testing.T) {
	faulttest.EachStep(t, 4, func(t *testing.T, step *faulttest.Step) {
		b := newBench(t)
		b.archived(t, about("hackernews", 1, time.Hour), about("reddit", 2, time.Hour))
		s := b.begin(t, b.Main, nil)
		run := func() error {
			if b.deliver(t, s, 1) {
				return errors.New("the message is to come again")
			}
			return nil
		}
		if err, otherErr := step.Come(b.Life, run, run); err != nil || otherErr != nil {
			t.Errorf("deliver = %v, and of the other %v", err, otherErr)
		}
		ended, results := b.ended(t, s)
		if len(results) != 2 || ended.Stats.Consumed != 2 || b.month(t, b.Main) != 2 {
			t.Errorf("%d results, %d of the month: %+v", len(results), b.month(t, b.Main), ended)
		}
	})
}

// Twenty searches at once, each with a new result, on what is left of five mentions bill exactly five.
func TestSearch_TwentyAtOnceOnFive(t *testing.T) {
	b := newBench(t)
	var posts []post.Post
	for n := range 20 {
		p := about("hackernews", n, time.Hour)
		text := fmt.Sprintf("%s marker%02d", *p.Body, n)
		p.Body = &text
		posts = append(posts, p)
	}
	b.archived(t, posts...)
	b.spend(t, b.Agents, b.Agents.MentionLimit()-5)
	begun := make([]search.Search, 20)
	for n := range begun {
		begun[n] = b.begin(t, b.Agents, func(s *search.Search) { s.Query = fmt.Sprintf("marker%02d", n) })
	}
	faulttest.AtOnce(len(begun), func(n int) {
		if b.deliver(t, begun[n], 1) {
			t.Errorf("message %d is to come again", n)
		}
	})
	ends := map[search.Status]int{}
	for _, s := range begun {
		ended, results := b.ended(t, s)
		ends[ended.Status]++
		if ended.Stats.Consumed != len(results) {
			t.Errorf("%d results cost %d", len(results), ended.Stats.Consumed)
		}
	}
	left, err := b.Store.SearchesCounted(t.Context(), b.Agents.ID)
	worldtest.Must(t, err)
	if left.Mentions != b.Agents.MentionLimit() || left.Searches != 5 || ends[search.Completed] != 5 ||
		ends[search.QuotaExhausted] != 15 {
		t.Errorf("counted %+v, ended %v", left, ends)
	}
}

func TestSearch_LastAttempt(t *testing.T) {
	b := newBench(t)
	b.options.Store = failing{b.Store}
	s := b.begin(t, b.Agents, nil)
	for receives := 1; receives <= searches.DefaultAttempts; receives++ {
		if !b.deliver(t, s, receives) {
			t.Fatal("the message is not to come again")
		}
		ended, _ := b.Store.Search(t.Context(), s.WorkspaceID, s.ID)
		if want := receives == searches.DefaultAttempts; ended.Status.Ended() != want {
			t.Fatalf("attempt %d: %+v", receives, ended)
		}
	}
	ended, _ := b.ended(t, s)
	if left, _ := b.Store.SearchesCounted(t.Context(), b.Agents.ID); ended.Status != search.Failed ||
		ended.Problem == "" || left.Searches != 0 {
		t.Errorf("ended %+v, counted %+v", ended, left)
	}
	b.options.Store = b.Store
	if b.deliver(t, s, 1) || b.month(t, b.Agents) != 0 {
		t.Error("a message that is redriven changed something")
	}
}

// failing is a store that has no workspace profile.
type failing struct{ searches.Store }

func (failing) Company(context.Context, string) (workspace.Company, error) {
	return workspace.Company{}, errors.New("the table is gone")
}

func TestMessages_OfNoSearch(t *testing.T) {
	b := newBench(t)
	for body, again := range map[string]bool{
		`{`: true, `{}`: true, `{"workspaceId":"org_x"}`: true, `{"workspaceId":"org_x","searchId":"srch_1"}`: false,
	} {
		if got := b.deliverBody(t, body, 1); got != again {
			t.Errorf("%s is to come again: %v, want %v", body, got, again)
		}
	}
}

// Hostile texts come out as they went in, cut, and break nothing.
func TestSearch_HostileTexts(t *testing.T) {
	b := newBench(t)
	for n, text := range []string{
		"northwind '; DROP TABLE posts; --", "northwind <script>alert(1)</script>", "northwind \u202e\u0000\x1b[31m",
		"northwind " + strings.Repeat("<&>\"", 30_000), strings.Repeat("x ", 50_000) + "northwind",
	} {
		p := about("hackernews", n, time.Duration(n)*time.Minute)
		p.Body = &text
		worldtest.Must(t, p.Clean(worldtest.Now))
		b.archived(t, p)
	}
	s, results := b.run(t, nil)
	if s.Status != search.Completed || len(results) != 5 {
		t.Fatalf("the results are %v, want 5: %s, %+v", sourceIDs(results), s.Status, s.Stats.PerSource)
	}
	for _, r := range results {
		if size := len(*r.Body); size > 4<<10 {
			t.Errorf("%s has %d bytes, want at most %d", r.SourceID, size, 4<<10)
		}
	}
}

// The archive takes a query whole: a post is found behind any number of newer ones that meet only a part of it.
func TestSearch_ArchiveTakesWholeQueries(t *testing.T) {
	b := newBench(t)
	posts := []post.Post{about("hackernews", 1, 48*time.Hour)}
	for n := range 1600 { // more than a search asks a source for
		posts = append(posts, about("hackernews", 10+n, time.Duration(n)*time.Minute))
	}
	b.archived(t, posts...)
	for text, want := range map[string]string{
		"northwind author:author1":                     "hackernews_post_1",
		"author:author1":                               "hackernews_post_1",
		`zeppelin OR (alerts author:author1 -release)`: "hackernews_post_1",
		"northwind author:nobody":                      "",
	} {
		s, results := b.run(t, func(s *search.Search) { s.Query = text; s.MinRelevance = mention.Low })
		var found string
		if len(results) > 0 {
			found = results[0].SourceID
		}
		if found != want || len(results) > 1 || s.Stats.Skipped[searches.ArchiveSlug] != "" {
			t.Errorf("%s: found %q of %d, %+v, want %q", text, found, len(results), s.Stats, want)
		}
	}
}
