package search_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/events/message"
	"earshot/functions/discovery"
	"earshot/functions/search"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/mention"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	domain "earshot/shared/search"
	"earshot/shared/store/rows"
	"earshot/shared/web"
	"earshot/shared/web/searchwire"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

const path = "/api/v2/search"

// A desk is the function over a World. A worker ends each search while a request waits for the nth time.
type desk struct {
	worldtest.Client
	*worldtest.World
	worker *worker
}

// A worker ends searches at the looks of requests.
type worker struct {
	w     *worldtest.World
	looks int           // that the requests have taken
	slept time.Duration // by all looks
	ends  int           // at which look the searches end; 0: never
	finds int           // new results of a search
}

func (w *worker) pause(ctx context.Context, d time.Duration) error {
	w.looks++
	w.slept += d
	if w.looks == w.ends {
		w.end(ctx)
	}
	return ctx.Err()
}

// end completes what is queued.
func (w *worker) end(ctx context.Context) {
	for _, m := range w.w.Sent.Take(queue.Searches) {
		var asked message.Search
		if err := json.Unmarshal(m.Body, &asked); err != nil {
			panic(err)
		}
		s, err := w.w.Store.Search(ctx, asked.WorkspaceID, asked.SearchID)
		if err != nil {
			panic(err)
		}
		var results []json.RawMessage
		var fresh []string
		for n := range w.finds {
			m := worldtest.Mention(int64(900+n), fmt.Sprint(s.ID, n), worldtest.Now)
			content, err := json.Marshal(searchwire.FromResult(domain.Result{Mention: m}))
			if err != nil {
				panic(err)
			}
			results, fresh = append(results, content), append(fresh, m.SourceID)
		}
		s.Stats = domain.Stats{RawMatches: w.finds, AfterDedup: w.finds, AfterRelevance: w.finds}
		s.Attempt = "attempt"
		if s.Parts, err = w.w.Store.PutSearchResults(ctx, s, s.Attempt, results); err != nil {
			panic(err)
		}
		org, err := w.w.Store.Workspace(ctx, s.WorkspaceID)
		if err != nil {
			panic(err)
		}
		if _, err := w.w.Store.CompleteSearch(ctx, s, org.MentionLimit(), fresh); err != nil {
			panic(err)
		}
	}
}

func newDesk(t testing.TB) desk {
	t.Helper()
	w := worldtest.NewWorld(t)
	d := desk{World: w, worker: &worker{w: w, ends: 1, finds: 2}}
	d.Client = worldtest.Serve(t, w, discovery.OpenAPI(), func(api *web.API) {
		search.Register(
			api, search.Options{Store: w.Store, Queue: w.Queue(), Clock: w.Clock, Pause: d.worker.pause},
		)
	})
	d.Token = w.Read
	return d
}

// count adds to one of a workspace's counters.
func (d desk) count(t testing.TB, key table.Key, attribute string, n int) {
	t.Helper()
	_, err := d.Table.Update(
		t.Context(),
		table.Update{Table: rows.CountersTable, Key: key, Add: map[string]int64{attribute: int64(n)}},
	)
	worldtest.Must(t, err)
}

func (d desk) spend(t testing.TB, w workspace.Workspace, mentions, searches int) {
	t.Helper()
	d.count(t, d.Store.QuotaKey(w.ID), "stored", mentions)
	d.count(t, table.Key{Partition: w.ID, Sort: rows.SortSearches}, "used", searches)
}

// left returns the remaining-count headers of a response.
func left(t testing.TB, a worldtest.Answer) (searches, mentions int) {
	t.Helper()
	for name, into := range map[string]*int{
		"x-earshot-searches-remaining": &searches, "x-earshot-mentions-remaining": &mentions,
	} {
		n, err := strconv.Atoi(a.Header.Get(name))
		if err != nil {
			t.Errorf("%d %s: %s is %q, want a number", a.Status, a.Body, name, a.Header.Get(name))
		}
		*into = n
	}
	return searches, mentions
}

func TestCreate_EndsWhileItWaits(t *testing.T) {
	d := newDesk(t)
	d.worker.ends = 3
	answer := d.Post(t, path,
		`{"query":"northwind -jobs","sources":["reddit","github"],"maxResults":50,"minRelevance":"high"}`)
	var got search.Search
	answer.OK(t, &got)
	if got.Status != "completed" || got.Query != "northwind -jobs" || got.TimeWindow != "7d" || len(got.Mentions) != 2 ||
		got.Stats == nil || got.Stats.Consumed != 2 || got.Partial != nil || got.CompletedAt.Value == nil ||
		!slices.Equal(got.Sources, []string{"reddit", "github"}) || got.PollURL != "" {
		t.Errorf("%s", answer.Body)
	}
	searches, mentions := left(t, answer)
	if limit, _ := strconv.Atoi(answer.Header.Get("X-RateLimit-Remaining")); searches != limit {
		t.Errorf("%d searches remain, want the requests of the hour, %d", searches, limit)
	}
	if want := d.Main.MentionLimit() - 2; mentions != want {
		t.Errorf("%d mentions remain, want %d", mentions, want)
	}
	stored, err := d.Store.Search(t.Context(), d.Main.ID, got.SearchID)
	if err != nil || stored.MaxResults != 50 || stored.MinRelevance != mention.High || stored.Window != domain.Week {
		t.Errorf("the search is stored as %+v, %v", stored, err)
	}
}

// A source that is named twice is one source, as in the other lists of the API that are sets.
func TestCreate_SourceTwice(t *testing.T) {
	d := newDesk(t)
	d.worker.ends = 1
	var got search.Search
	d.Post(t, path, `{"query":"northwind","sources":["reddit","github","reddit"]}`).OK(t, &got)
	if want := []string{"reddit", "github"}; !slices.Equal(got.Sources, want) {
		t.Errorf("the sources are %q, want %q", got.Sources, want)
	}
	if stored, err := d.Store.Search(t.Context(), d.Main.ID, got.SearchID); err != nil || len(stored.Sources) != 2 {
		t.Errorf("the search is stored as %+v, %v", stored, err)
	}
}

func TestCreate_StillRunning(t *testing.T) {
	d := newDesk(t)
	d.worker.ends = 0
	for body, want := range map[string]time.Duration{
		`{"query":"northwind"}`:                10 * time.Second,
		`{"query":"northwind","waitMs":0}`:     0,
		`{"query":"northwind","waitMs":250}`:   250 * time.Millisecond,
		`{"query":"northwind","waitMs":25000}`: 25 * time.Second,
	} {
		d.worker.slept = 0
		answer := d.Post(t, path, body)
		var got search.Search
		answer.JSON(t, &got)
		url := "https://" + worldtest.Domain + "/dev" + path + "/" + got.SearchID
		if answer.Status != http.StatusAccepted || got.Status != "running" || got.PollURL != url || got.Partial == nil ||
			got.Stats != nil || got.Mentions != nil || answer.Header.Get("Retry-After") != "2" ||
			answer.Header.Get("Location") != url {
			t.Errorf("%s: %d %s", body, answer.Status, answer.Body)
		}
		left(t, answer)
		if d.worker.slept != want {
			t.Errorf("%s waited %v, want %v", body, d.worker.slept, want)
		}
	}
	if sent := d.Sent.To(queue.Searches); len(sent) != 4 {
		t.Errorf("%d messages were sent, want 4", len(sent))
	}
}

func TestGet(t *testing.T) {
	d := newDesk(t)
	d.worker.ends = 0
	d.Clock.Freeze(worldtest.Now.Add(8 * time.Millisecond))
	var begun, running, ended search.Search
	d.Post(t, path, `{"query":"northwind","waitMs":0}`).JSON(t, &begun)
	stats := domain.Stats{RawMatches: 4, PerSource: map[string]int{"reddit": 4}}
	_, err := d.Store.SearchProgress(t.Context(), d.Main.ID, begun.SearchID, stats)
	worldtest.Must(t, err)
	answer := d.Get(t, path+"/"+begun.SearchID)
	answer.OK(t, &running)
	if running.Status != "running" || running.Partial.RawMatches != 4 || running.Partial.PerSource["reddit"] != 4 ||
		answer.Header.Get("Retry-After") != "2" {
		t.Errorf("%s", answer.Body)
	}
	if begun.ExpiresAt != running.ExpiresAt {
		t.Errorf("expiresAt is %s at first, then %s", begun.ExpiresAt, running.ExpiresAt)
	}
	d.worker.end(t.Context())
	for range 2 {
		answer = d.Get(t, path+"/"+begun.SearchID)
		answer.OK(t, &ended)
		if _, mentions := left(t, answer); ended.Status != "completed" || len(ended.Mentions) != 2 ||
			mentions != d.Main.MentionLimit()-2 || answer.Header.Get("Retry-After") != "" {
			t.Errorf("%s", answer.Body)
		}
	}
	for token, id := range map[string]string{
		d.OtherKey: begun.SearchID, d.Read: "srch_unknown", d.Write: "x", d.Admin: strings.Repeat("x", 300),
		d.AgentsKey: begun.SearchID,
	} {
		problem := d.As(token).Get(t, path+"/"+id).Is(t, 404, "SEARCH_NOT_FOUND")
		if same := d.As(d.OtherKey).Get(t, path+"/srch_1").Is(t, 404, "SEARCH_NOT_FOUND"); problem.Message != same.Message {
			t.Errorf("%s: %q, and of an id that nobody has %q", id, problem.Message, same.Message)
		}
	}
	d.Clock.Freeze(worldtest.Now.Add(domain.Kept))
	d.Get(t, path+"/"+begun.SearchID).Is(t, 404, "SEARCH_NOT_FOUND")
}

// A search that no worker ended is given up, and costs nothing.
func TestGet_GivenUp(t *testing.T) {
	d := newDesk(t)
	d.worker.ends = 0
	var begun, got search.Search
	d.As(d.AgentsKey).Post(t, path, `{"query":"northwind","waitMs":0}`).JSON(t, &begun)
	d.Clock.Freeze(worldtest.Now.Add(domain.GivenUp))
	answer := d.As(d.AgentsKey).Get(t, path+"/"+begun.SearchID)
	answer.OK(t, &got)
	if searches, _ := left(t, answer); got.Status != "failed" || got.Error.Value == nil || searches != 50 {
		t.Errorf("%d searches remain: %s", searches, answer.Body)
	}
}

// Searches that were lost before anybody heard of them are given back when the last one of the plan is used, and no
// sooner than they are given up.
func TestBegin_LostSearches(t *testing.T) {
	d := newDesk(t)
	d.worker.ends = 0
	agents := d.As(d.AgentsKey)
	for range 50 {
		agents.Post(t, path, `{"query":"northwind","waitMs":0}`)
	}
	agents.Post(t, path, `{"query":"northwind","waitMs":0}`).Is(t, 403, "UPGRADE_REQUIRED")
	d.Clock.Freeze(worldtest.Now.Add(domain.GivenUp - time.Millisecond))
	agents.Post(t, path, `{"query":"northwind","waitMs":0}`).Is(t, 403, "UPGRADE_REQUIRED")
	d.Clock.Freeze(worldtest.Now.Add(domain.GivenUp))
	answer := agents.Post(t, path, `{"query":"northwind","waitMs":0}`)
	if searches, _ := left(t, answer); answer.Status != 202 || searches != 49 {
		t.Errorf("status %d, %d searches remain, want 202 and 49 of 50: the lost ones cost nothing", answer.Status, searches)
	}
}

// Lost searches are given back also if more searches than a page has have failed since.
func TestBegin_LostSearchesBehindFailed(t *testing.T) {
	d := newDesk(t)
	d.worker.ends = 0
	agents := d.As(d.AgentsKey)
	begin := func() string {
		var begun struct{ SearchID string }
		answer := agents.Post(t, path, `{"query":"northwind","waitMs":0}`)
		worldtest.Must(t, json.Unmarshal([]byte(answer.Body), &begun))
		return begun.SearchID
	}
	for range 49 {
		begin()
	}
	for n := range 70 {
		d.Clock.Freeze(worldtest.Now.Add(time.Duration(n+1) * time.Second))
		_, err := d.Store.FailSearch(t.Context(), d.Agents.ID, begin(), "No platform responded.", d.Clock.Now())
		worldtest.Must(t, err)
	}
	begin()
	d.Clock.Freeze(worldtest.Now.Add(domain.GivenUp))
	answer := agents.Post(t, path, `{"query":"northwind","waitMs":0}`)
	if searches, _ := left(t, answer); answer.Status != 202 || searches != 28 {
		t.Errorf("status %d, %d searches remain, want 202 and 28: the second page has 29 lost ones", answer.Status, searches)
	}
}

// overtaken is a store before whose first list of searches another request is served.
type overtaken struct {
	search.Store
	other func()
}

func (o overtaken) Searches(
	ctx context.Context, orgID, before string, limit int,
) ([]domain.Search, bool, error) {
	o.other()
	return o.Store.Searches(ctx, orgID, before, limit)
}

// What another request gave back at the same moment is there for both.
func TestBegin_LostSearchesReturnedMeanwhile(t *testing.T) {
	d := newDesk(t)
	d.worker.ends = 0
	agents := d.As(d.AgentsKey)
	for range 50 {
		agents.Post(t, path, `{"query":"northwind","waitMs":0}`)
	}
	d.Clock.Freeze(worldtest.Now.Add(domain.GivenUp))
	slow := worldtest.Serve(t, d.World, discovery.OpenAPI(), func(api *web.API) {
		search.Register(api, search.Options{
			Store: overtaken{d.Store, sync.OnceFunc(func() {
				agents.Post(t, path, `{"query":"northwind","waitMs":0}`)
			})},
			Queue: d.Queue(), Clock: d.Clock, Pause: d.worker.pause,
		})
	})
	answer := slow.As(d.AgentsKey).Post(t, path, `{"query":"northwind","waitMs":0}`)
	if searches, _ := left(t, answer); answer.Status != 202 || searches != 48 {
		t.Errorf("status %d, %d searches remain, want 202 and 48 of 50", answer.Status, searches)
	}
}

func TestList_GivenUp(t *testing.T) {
	d := newDesk(t)
	d.worker.ends = 0
	d.As(d.AgentsKey).Post(t, path, `{"query":"northwind","waitMs":0}`)
	d.Clock.Freeze(worldtest.Now.Add(domain.GivenUp))
	var list search.SearchList
	answer := d.As(d.AgentsKey).Get(t, path)
	answer.OK(t, &list)
	if searches, _ := left(t, answer); len(list.Data) != 1 || list.Data[0].Status != "failed" || searches != 50 {
		t.Errorf("%d searches remain: %s", searches, answer.Body)
	}
}

func TestList(t *testing.T) {
	d := newDesk(t)
	d.worker.ends = 0
	var want, got []string
	for i := range 5 {
		d.Clock.Freeze(worldtest.Now.Add(time.Duration(i) * time.Minute))
		var begun search.Search
		d.Post(t, path, `{"query":"northwind","waitMs":0}`).JSON(t, &begun)
		want = append([]string{begun.SearchID}, want...)
	}
	d.worker.end(t.Context())
	target := path + "?limit=2"
	for pages := 0; target != "" && pages < 5; pages++ {
		var list search.SearchList
		answer := d.Get(t, target)
		answer.OK(t, &list)
		left(t, answer)
		for _, s := range list.Data {
			got = append(got, s.SearchID)
			if s.Mentions != nil || s.Status != "completed" {
				t.Errorf("%+v", s)
			}
		}
		cursor := list.Pagination.NextCursor.OrZero()
		if target = ""; cursor != "" {
			target = path + "?limit=2&cursor=" + cursor
			d.As(d.OtherKey).Get(t, target).Is(t, 400, "INVALID_INPUT")
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the list has %v, want %v", got, want)
	}
	var other search.SearchList
	if d.As(d.OtherKey).Get(t, path).OK(t, &other); len(other.Data) != 0 {
		t.Errorf("another workspace sees %+v", other.Data)
	}
	d.Get(t, path+"?cursor=nonsense").Is(t, 400, "INVALID_INPUT")
}

func TestCreate_Invalid(t *testing.T) {
	d := newDesk(t)
	for body, want := range map[string]string{
		`{}`:                                          "query required",
		`{"query":""}`:                                "query min_length",
		`{"query":"a","waitMs":25001}`:                "waitMs maximum",
		`{"query":"a","waitMs":-1}`:                   "waitMs minimum",
		`{"query":"a","maxResults":0}`:                "maxResults minimum",
		`{"query":"a","maxResults":501}`:              "maxResults maximum",
		`{"query":"a","timeWindow":"90d"}`:            "timeWindow enum",
		`{"query":"a","minRelevance":"all"}`:          "minRelevance enum",
		`{"query":"a","sources":[]}`:                  "sources min_items",
		`{"query":"a","sources":["reddit","usenet"]}`: "sources[1] enum",
		`{"query":"a","window":"7d"}`:                 "window unknown",
		`{"query":"a \"b","maxResults":0}`:            "maxResults minimum, query open_quote 2 2",
		`{"query":"   "}`:                             "query empty_query 0 3",
		`{"query":"-"}`:                               "query lone_operator 0 1",
		`{"query":"a lang:klingon source:usenet"}`:    "query unknown_language 7 7, query unknown_source 22 6",
		`{"query":"ü OR"}`:                            "query lone_operator 2 2",
	} {
		problem := d.Post(t, path, body).Is(t, 400, "VALIDATION_ERROR")
		var got []string
		for _, raw := range problem.Details {
			detail := fmt.Sprint(raw.Path, " ", raw.Code)
			if raw.Position != nil {
				detail += fmt.Sprint(" ", *raw.Position, " ", *raw.Length)
			}
			got = append(got, detail)
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s: the details are %s, want %s", body, text, want)
		}
	}
	if used, err := d.Store.SearchesCounted(t.Context(), d.Main.ID); err != nil || used.Searches != 0 {
		t.Errorf("refused searches were counted: %+v, %v", used, err)
	}
}

// The Agents plan from its first search to its wall.
func TestCreate_AgentsPlan(t *testing.T) {
	d := newDesk(t)
	agents := d.As(d.AgentsKey)
	d.spend(t, d.Agents, 0, 47)
	for n := 2; n >= 0; n-- {
		d.worker.looks = 0
		answer := agents.Post(t, path, `{"query":"northwind"}`)
		var got search.Search
		answer.OK(t, &got)
		if searches, mentions := left(t, answer); searches != n || mentions != 5000-2*(3-n) {
			t.Errorf("%d searches and %d mentions remain, want %d and %d", searches, mentions, n, 5000-2*(3-n))
		}
	}
	walled(t, agents.Post(t, path, `{"query":"northwind"}`))
	if searches, _ := left(t, agents.Get(t, path)); searches != 0 {
		t.Errorf("%d searches remain at the wall, want 0", searches)
	}
	if used, err := d.Store.SearchesCounted(t.Context(), d.Agents.ID); err != nil || used.Searches != 50 {
		t.Errorf("%+v, %v, want 50 searches", used, err)
	}
}

func TestCreate_MonthSpent(t *testing.T) {
	d := newDesk(t)
	d.spend(t, d.Agents, d.Agents.MentionLimit(), 0)
	d.spend(t, d.Main, d.Main.MentionLimit(), 0)
	walled(t, d.As(d.AgentsKey).Post(t, path, `{"query":"northwind"}`))
	d.Post(t, path, `{"query":"northwind"}`).Is(t, 402, "QUOTA_EXCEEDED")
	// Reading is free.
	if _, mentions := left(t, d.Get(t, path)); mentions != 0 {
		t.Errorf("%d mentions remain, want 0", mentions)
	}
	d.Clock.Freeze(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
	d.Post(t, path, `{"query":"northwind"}`).OK(t, nil)
}

func TestCreate_DoesNotFit(t *testing.T) {
	d := newDesk(t)
	d.spend(t, d.Main, d.Main.MentionLimit()-1, 0)
	answer := d.Post(t, path, `{"query":"northwind"}`)
	var got search.Search
	answer.OK(t, &got)
	if _, mentions := left(t, answer); got.Status != "quota_exhausted" || got.Mentions == nil || len(got.Mentions) != 0 ||
		got.Error.Value == nil || mentions != 1 {
		t.Errorf("%d mentions remain: %s", mentions, answer.Body)
	}
}

// walled fails the test unless a response is the Agents plan's wall, with the ways out.
func walled(t *testing.T, answer worldtest.Answer) {
	t.Helper()
	answer.Is(t, 403, "UPGRADE_REQUIRED")
	var body struct {
		Error struct{ UpgradeURL, UpgradeCommand string }
	}
	answer.JSON(t, &body)
	if body.Error.UpgradeURL != "https://"+worldtest.Domain+"/dev/upgrade" ||
		body.Error.UpgradeCommand != "earshot upgrade" {
		t.Errorf("the wall has no way out: %s", answer.Body)
	}
}

func TestCreate_Repeated(t *testing.T) {
	d := newDesk(t)
	d.worker.ends = 0
	var first, second search.Search
	body := `{"query":"northwind","waitMs":0}`
	d.Post(t, path, body, "Idempotency-Key", "one").JSON(t, &first)
	again := d.Post(t, path, body, "Idempotency-Key", "one")
	if again.JSON(t, &second); second.SearchID != first.SearchID || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%s began %s", first.SearchID, again.Body)
	}
	d.Post(t, path, `{"query":"southwind"}`, "Idempotency-Key", "one").Is(t, 422, "IDEMPOTENCY_KEY_REUSED")
	if used, err := d.Store.SearchesCounted(t.Context(), d.Main.ID); err != nil || used.Searches != 1 {
		t.Errorf("%+v, %v, want 1 search", used, err)
	}
}

// The function may die at any write. A repeat with the same Idempotency-Key ends with one search, counted once.
func TestCreate_KilledAtEachStep(t *testing.T) {
	faulttest.EachStep(t, 3, func(t *testing.T, step *faulttest.Step) {
		d := newDesk(t)
		d.worker.ends = 0
		d.spend(t, d.Agents, 0, 49) // the one that is left must do
		ask := func() error {
			event := d.As(d.AgentsKey).Event(worldtest.Request{
				Method: http.MethodPost,
				Target: path,
				Body:   `{"query":"northwind","waitMs":0}`,
				Header: []string{"Content-Type", "application/json", "Idempotency-Key", "one"},
			})
			response, err := d.Handler(t.Context(), event)
			if err == nil && response.StatusCode != http.StatusAccepted {
				err = errors.New(response.Body)
			}
			return err
		}
		_ = step.Die(t, d.Life, ask)
		d.Clock.Freeze(worldtest.Now.Add(2 * time.Minute)) // the claim of the dead request is void
		worldtest.Must(t, ask())
		used, err := d.Store.SearchesCounted(t.Context(), d.Agents.ID)
		if err != nil || used.Searches != 50 {
			t.Errorf("%d searches were counted, %v, want 50", used.Searches, err)
		}
		d.worker.end(t.Context())
		found, _, err := d.Store.Searches(t.Context(), d.Agents.ID, "", 10)
		if err != nil || len(found) != 1 || found[0].Status != domain.Completed {
			t.Errorf("the searches are %+v, %v, want one that completed", found, err)
		}
	})
}

// A search that could not be queued costs nothing.
func TestCreate_QueueFails(t *testing.T) {
	d := newDesk(t)
	d.Fault(fault.Fault{Port: fault.QueuePort, Operation: "send", Fault: fault.Error})
	d.As(d.AgentsKey).Post(t, path, `{"query":"northwind"}`).Is(t, 500, "INTERNAL_ERROR")
	if used, err := d.Store.SearchesCounted(t.Context(), d.Agents.ID); err != nil || used.Searches != 0 {
		t.Errorf("%+v, %v, want no search", used, err)
	}
}

// 500 results with the longest texts fit into a response of Lambda.
func TestGet_LargeResults(t *testing.T) {
	d := newDesk(t)
	d.worker.finds, d.worker.looks = domain.MaxResults, 0
	answer := d.Post(t, path, `{"query":"northwind","maxResults":500}`)
	var got search.Search
	if answer.OK(t, &got); len(got.Mentions) != domain.MaxResults || got.Stats.Consumed != domain.MaxResults {
		t.Errorf("%d results cost %d, want %d", len(got.Mentions), got.Stats.Consumed, domain.MaxResults)
	}
}
