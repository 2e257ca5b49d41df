package backfills_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/functions/collect"
	"earshot/functions/discovery"
	"earshot/functions/ingest"
	"earshot/functions/keywords"
	"earshot/functions/keywords/backfills"
	"earshot/functions/keywords/preview"
	"earshot/shared/archive/shards/shardstest"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/listening"
	"earshot/shared/mention"
	"earshot/shared/port/queue"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/store/allstores"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

var must = worldtest.Must

var theJudge = sync.OnceValues(judge.New)

// A desk is a World with an archive, the functions of keywords and the workers of backfills.
type desk struct {
	worldtest.Client
	*worldtest.World
	judge   *judge.Judge
	archive *shardstest.Archive
	live    []source.Source
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	j, err := theJudge()
	must(t, err)
	d := &desk{World: worldtest.NewWorld(t), judge: j}
	d.archive = shardstest.New(t, d.World)
	d.Client = worldtest.Serve(t, d.World, discovery.OpenAPI(), func(api *web.API) {
		keywords.Register(api, keywords.Options{Store: d.Store})
		preview.Register(api, preview.Options{Store: d.Store, Archive: d.archive.Sources, Clock: d.Clock})
	})
	return d
}

func (d *desk) intake(s *allstores.Store) *ingest.Intake {
	return ingest.New(ingest.Options{
		Mentions:  s,
		Judge:     d.judge,
		Clock:     d.Clock,
		Archive:   d.archive.Add,
		Listening: listening.New(listening.Options{Settings: s, Clock: d.Clock, Judging: true}),
	})
}

// tick plans and sends what is due.
func (d *desk) tick(ctx context.Context) error {
	return collect.New(collect.Options{
		Tasks:     d.Store,
		Archived:  true,
		Queue:     d.Queue(),
		Clock:     d.Clock,
		Log:       slog.New(slog.DiscardHandler),
		Listening: listening.New(listening.Options{Settings: d.Store, Clock: d.Clock}),
	}).Tick(ctx)
}

// work takes what was sent, each message n times.
func (d *desk) work(ctx context.Context, n int) error {
	handler := backfills.Handler(
		worker.Options{Function: backfills.Group, Log: slog.New(slog.DiscardHandler), Clock: d.Clock},
		backfills.Options{
			Store: d.Store, Intake: d.intake(d.Store), Archive: d.archive.Sources, Live: d.live, Clock: d.Clock,
		},
	)
	var failures []string
	for i, message := range d.Sent.Take(queue.Backfills) {
		for range n {
			failed, err := worker.Deliver(handler, queue.Backfills)(
				ctx, []queue.Delivery{{ID: fmt.Sprint("m", i), Body: message.Body, Receives: 1}},
			)
			if err != nil {
				return err
			}
			failures = append(failures, failed...)
		}
	}
	if len(failures) > 0 {
		return fmt.Errorf("%d messages come again", len(failures))
	}
	return nil
}

// settle runs the workers, an hour and more apart, until no backfill runs.
func (d *desk) settle(t testing.TB) {
	t.Helper()
	for range 60 {
		must(t, d.tick(t.Context()))
		must(t, d.work(t.Context(), 2))
		due, running := 0, 0
		for _, org := range []string{d.Main.ID, d.Other.ID} {
			all, err := d.Store.Backfills(t.Context(), org)
			must(t, err)
			for _, b := range all {
				if b.Status == listenstore.BackfillRunning {
					running++
				}
			}
		}
		if due+running == 0 {
			return
		}
		d.Clock.Freeze(d.Clock.Now().Add(6 * time.Minute))
	}
	t.Fatal("a backfill does not end")
}

func (d *desk) mentions(t testing.TB, orgID string) map[string]mention.Mention {
	t.Helper()
	all, page := map[string]mention.Mention{}, mentionstore.MentionsPage{}
	for {
		var err error
		page, err = d.Store.Mentions(
			t.Context(), mentionstore.MentionsQuery{WorkspaceID: orgID, All: true, Limit: 100, After: page.Next},
		)
		must(t, err)
		for _, m := range page.Mentions {
			all[m.SourceID] = m
		}
		if page.Next == "" {
			return all
		}
	}
}

func (d *desk) stored(t testing.TB, orgID string) int {
	t.Helper()
	n, _, err := d.Store.Collected(t.Context(), orgID)
	must(t, err)
	return n
}

// keyword makes a keyword of some days ago, without a look back.
func (d *desk) keyword(t testing.TB, text string, days int) keyword.Keyword {
	t.Helper()
	now := d.Clock.Now()
	d.Clock.Freeze(now.AddDate(0, 0, -days))
	defer d.Clock.Freeze(now)
	k, err := d.Store.CreateKeyword(t.Context(), d.Main.ID, keyword.Keyword{Text: text, ExactMatch: true}, 1000)
	must(t, err)
	return k
}

// written returns a post of some hours ago.
func written(n int, text string, hours int) post.Post {
	return post.Post{
		Source:   "hackernews",
		SourceID: fmt.Sprintf("hackernews_comment_%d", n),
		URL:      fmt.Sprint("https://news.example/", n),
		Body:     &text,
		PostedAt: worldtest.Now.Add(-time.Duration(hours) * time.Hour),
	}
}

// many are posts of one a day, from a day ago on.
func many(n int) (posts []post.Post) {
	for i := range n {
		posts = append(posts, written(i, fmt.Sprintf("the northwind pager %d woke me", i), 24*(i+1)))
	}
	return posts
}

func (d *desk) fill(t testing.TB, posts ...post.Post) {
	t.Helper()
	must(t, d.archive.Add(t.Context(), posts))
}

func (d *desk) start(t testing.TB, k int64, body string, header ...string) (b preview.Backfill) {
	t.Helper()
	answer := d.Post(t, fmt.Sprintf("/api/v2/keywords/%d/backfill", k), body, header...)
	must(t, json.Unmarshal(answer.Body, &b))
	if want := map[bool]int{true: 200, false: 202}[b.DryRun]; answer.Status != want {
		t.Fatalf("backfillKeyword(%s) = %d %s, want %d", body, answer.Status, answer.Body, want)
	}
	return b
}

func (d *desk) progress(t testing.TB, k int64) (b preview.Backfills) {
	t.Helper()
	d.Get(t, fmt.Sprintf("/api/v2/keywords/%d/backfill", k)).OK(t, &b)
	return b
}

// A new keyword finds its last seven days in the archive, once, and free of the quota.
func TestLookBack_Free(t *testing.T) {
	d := newDesk(t)
	d.fill(t, many(20)...)
	d.fill(t, written(100, "southwind", 5))
	var k keywords.Keyword
	d.Post(t, "/api/v2/keywords", `{"keyword":"northwind"}`).OK(t, &k)
	d.settle(t)
	if got := d.mentions(t, d.Main.ID); len(got) != 7 || got["hackernews_comment_0"].Keywords[0].ID != k.ID {
		t.Errorf("%d mentions, want those of 7 days", len(got))
	}
	if n := d.stored(t, d.Main.ID); n != 0 {
		t.Errorf("%d mentions are billed, want 0", n)
	}
	d.Get(t, fmt.Sprintf("/api/v2/keywords/%d", k.ID)).OK(t, &k)
	if k.Volume.Last7d != 6 || k.Volume.Last30d != 7 { // the seventh is on the eighth day of UTC
		t.Errorf("volume = %+v", k.Volume)
	}
	b := d.progress(t, k.ID).LookBack.Value
	if b == nil || b.Status != "completed" || b.Stored != 7 || b.Matched != 7 || b.Billed != 0 ||
		b.FinishedAt.Value == nil {
		t.Errorf("lookBack = %+v", b)
	}
	// It does so once: not a day later, and not when something changes.
	d.fill(t, written(50, "late northwind", 30))
	d.Clock.Freeze(d.Clock.Now().Add(30 * time.Hour))
	d.Patch(t, fmt.Sprintf("/api/v2/keywords/%d", k.ID), `{"context":"x"}`).OK(t, nil)
	d.settle(t)
	if got := d.mentions(t, d.Main.ID); len(got) != 7 {
		t.Errorf("%d mentions after a day, want 7", len(got))
	}
}

// A keyword of before has no look back, and neither has one in a deployment without an archive.
func TestLookBack_None(t *testing.T) {
	d := newDesk(t)
	d.fill(t, many(3)...)
	d.keyword(t, "northwind", 8)
	d.settle(t)
	if all, err := d.Store.Backfills(t.Context(), d.Main.ID); err != nil || len(all) != 0 ||
		len(d.mentions(t, d.Main.ID)) != 0 {
		t.Errorf("%v %v", all, err)
	}
}

// A dry run estimates and changes nothing. The backfill then brings in what it said, and bills that.
func TestBackfill_EstimateAndBill(t *testing.T) {
	d := newDesk(t)
	k := d.keyword(t, "northwind", 10)
	d.fill(t, many(100)...)
	dry := d.start(t, k.ID, `{"days":30,"dryRun":true}`)
	// Of 30 posts, those of days 11 to 17 are of the week before the keyword, and free.
	if want := (preview.Estimate{Low: 23, High: 23, Complete: true}); dry.Estimate != want || !*dry.Fits.Value ||
		dry.Status != "estimated" {
		t.Fatalf("dry run = %+v, want %+v", dry, want)
	}
	if all, err := d.Store.Backfills(t.Context(), d.Main.ID); err != nil || len(all) != 0 || d.stored(t, d.Main.ID) != 0 {
		t.Fatalf("the dry run left %v, %v", all, err)
	}
	first := d.start(t, k.ID, `{"days":30}`)
	again := d.start(t, k.ID, `{"days":90}`)
	if first.Status != "running" || again.Days != 30 || *again.StartedAt.Value != *first.StartedAt.Value {
		t.Errorf("the second backfill = %+v, want the first %+v", again, first)
	}
	if first.Estimate != dry.Estimate || again.Estimate != dry.Estimate {
		t.Errorf("the estimates = %+v and %+v, want that of the dry run, %+v", first.Estimate, again.Estimate, dry.Estimate)
	}
	if n := d.stored(t, d.Main.ID); n != 23 {
		t.Errorf("%d mentions are set aside, want 23", n)
	}
	d.settle(t)
	b := d.progress(t, k.ID).Backfill.Value
	if b == nil || b.Status != "completed" || b.Stored != 30 || b.Billed != 23 || b.Matched != 30 || b.PostsRead != 30 {
		t.Errorf("backfill = %+v", b)
	}
	if b != nil && b.Estimate != dry.Estimate {
		t.Errorf("getKeywordBackfill() has the estimate %+v, want that of the start, %+v", b.Estimate, dry.Estimate)
	}
	if got := d.mentions(t, d.Main.ID); len(got) != 30 || d.stored(t, d.Main.ID) != 23 {
		t.Errorf("%d mentions, %d billed, want 30 and 23", len(got), d.stored(t, d.Main.ID))
	}
	// What is there already is neither stored nor billed again.
	d.start(t, k.ID, `{"days":40}`)
	d.settle(t)
	if got := d.mentions(t, d.Main.ID); len(got) != 40 || d.stored(t, d.Main.ID) != 33 {
		t.Errorf("%d mentions, %d billed, want 40 and 33", len(got), d.stored(t, d.Main.ID))
	}
}

// A request that is repeated starts one backfill, also when the first has ended.
func TestBackfill_Repeated(t *testing.T) {
	d := newDesk(t)
	k := d.keyword(t, "northwind", 10)
	d.fill(t, many(30)...)
	first := d.start(t, k.ID, `{"days":30}`, "Idempotency-Key", "one")
	d.settle(t)
	if again := d.start(t, k.ID, `{"days":30}`, "Idempotency-Key", "one"); *again.StartedAt.Value != *first.StartedAt.Value {
		t.Errorf("the repeat = %+v, want the first response", again)
	}
}

func TestBackfill_Refused(t *testing.T) {
	d := newDesk(t)
	k := d.keyword(t, "northwind", 10)
	path := fmt.Sprintf("/api/v2/keywords/%d/backfill", k.ID)
	for _, body := range []string{`{}`, `{"days":0}`, `{"days":91}`, `{"days":1.5}`, `{"days":3,"force":true}`} {
		d.Post(t, path, body).Is(t, 400, "VALIDATION_ERROR")
	}
	d.Post(t, "/api/v2/keywords/99/backfill", `{"days":3}`).Is(t, 404, "KEYWORD_NOT_FOUND")
	d.Get(t, "/api/v2/keywords/99/backfill").Is(t, 404, "KEYWORD_NOT_FOUND")
	d.As(d.OtherKey).Get(t, path).Is(t, 404, "KEYWORD_NOT_FOUND")
	d.As(d.Read).Post(t, path, `{"days":3}`).Is(t, 403, "FORBIDDEN")
	d.Post(t, fmt.Sprintf("/api/v2/keywords/%d/pause", k.ID), `{"paused":true}`).OK(t, nil)
	d.Post(t, path, `{"days":3}`).Is(t, 400, "INVALID_INPUT")
}

// Of backfills that start at once, as many are taken as the month has room for, and nothing more is billed.
func TestBackfill_QuotaAtOnce(t *testing.T) {
	d := newDesk(t)
	limit := d.Main.MentionLimit()
	const each, room = 10, 35
	for n := 0; n < limit-room; n += 900 {
		var batch []mention.Mention
		for i := n; i < min(n+900, limit-room); i++ {
			batch = append(batch, worldtest.Mention(0, fmt.Sprint("old", i), worldtest.Now))
		}
		_, err := d.Store.Ingest(t.Context(), d.Main.ID, limit, batch)
		must(t, err)
	}
	var ids []int64
	for n := range 8 {
		ids = append(ids, d.keyword(t, fmt.Sprintf("northwind%d", n), 10).ID)
		for i := range each {
			d.fill(t, written(1000*n+i, fmt.Sprintf("northwind%d it is, %d", n, i), 24*20+i))
		}
	}
	var taken, refused atomic.Int32
	faulttest.AtOnce(len(ids), func(n int) {
		switch answer := d.Post(t, fmt.Sprintf("/api/v2/keywords/%d/backfill", ids[n]), `{"days":30}`); answer.Status {
		case 202:
			taken.Add(1)
		case 402:
			answer.Is(t, 402, "QUOTA_EXCEEDED")
			refused.Add(1)
		default:
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
	})
	if taken.Load() != room/each || refused.Load() != 8-room/each {
		t.Errorf("%d taken, %d refused, want %d taken", taken.Load(), refused.Load(), room/each)
	}
	d.settle(t)
	if got := d.stored(t, d.Main.ID); got != limit-room+room/each*each {
		t.Errorf("%d are billed, want %d", got, limit-room+room/each*each)
	}
}

// More than was estimated uses the rest of the month, and ends with it.
func TestBackfill_QuotaExhausted(t *testing.T) {
	d := newDesk(t)
	limit := d.Main.MentionLimit()
	k := d.keyword(t, "northwind", 10)
	d.fill(t, many(30)[:20]...)
	d.start(t, k.ID, `{"days":30}`)
	for n := d.stored(t, d.Main.ID); n < limit-2; n += 900 {
		var batch []mention.Mention
		for i := n; i < min(n+900, limit-2); i++ {
			batch = append(batch, worldtest.Mention(0, fmt.Sprint("old", i), worldtest.Now))
		}
		_, err := d.Store.Ingest(t.Context(), d.Main.ID, limit, batch)
		must(t, err)
	}
	d.fill(t, many(30)[20:]...) // ten more, of which two fit
	d.settle(t)
	b := d.progress(t, k.ID).Backfill.Value
	if b.Status != "quota_exhausted" || b.Stored != 22 || d.stored(t, d.Main.ID) != limit {
		t.Errorf("backfill = %+v, %d billed of %d", b, d.stored(t, d.Main.ID), limit)
	}
}

// A keyword that is deleted midway leaves nothing behind, and nothing set aside.
func TestBackfill_KeywordDeleted(t *testing.T) {
	faulttest.EachStep(t, 3, func(t *testing.T, step *faulttest.Step) {
		d := newDesk(t)
		k := d.keyword(t, "northwind", 10)
		d.fill(t, many(30)...)
		d.start(t, k.ID, `{"days":30}`)
		must(t, d.tick(t.Context()))
		err, gone := step.Come(d.Life, func() error { return d.work(t.Context(), 1) }, func() error {
			return d.Store.DeleteKeyword(t.Context(), d.Main.ID, k.ID)
		})
		if err != nil || gone != nil {
			t.Fatalf("the work = %v, the deletion = %v", err, gone)
		}
		d.settle(t)
		if all, err := d.Store.Backfills(t.Context(), d.Main.ID); err != nil || len(all) != 0 {
			t.Errorf("it left %+v, %v", all, err)
		}
		// Mentions of days 11 to 17 are free.
		billed := 0
		for _, m := range d.mentions(t, d.Main.ID) {
			if age := worldtest.Now.Sub(m.PostedAt).Hours() / 24; age <= 10 || age > 17 {
				billed++
			}
		}
		if n := d.stored(t, d.Main.ID); n != billed {
			t.Errorf("%d are billed, want the %d that are there", n, billed)
		}
	})
}

// However a backfill's start, its planner or its worker dies, it ends with every mention once, and bills each once.
func TestBackfill_KilledAtEachStep(t *testing.T) {
	faulttest.EachStep(t, 12, func(t *testing.T, step *faulttest.Step) {
		d := newDesk(t)
		k := d.keyword(t, "northwind", 10)
		d.fill(t, many(30)...)
		d.Post(t, "/api/v2/keywords", `{"keyword":"pager"}`).OK(t, nil)
		b := listenstore.Backfill{
			WorkspaceID: d.Main.ID, KeywordID: k.ID, Kind: listenstore.Asked, Days: 30, Since: worldtest.Now.AddDate(0, 0, -30),
			Until: worldtest.Now, High: 23,
		}
		_ = step.Die(t, d.Life, func() error {
			if _, err := d.Store.StartBackfill(t.Context(), b, 1000, "a request"); err != nil {
				return err
			}
			return errors.Join(d.tick(t.Context()), d.work(t.Context(), 1))
		})
		d.Sent.Take(queue.Backfills)
		_, err := d.Store.StartBackfill(t.Context(), b, 1000, "a request")
		must(t, err)
		d.Clock.Freeze(d.Clock.Now().Add(6 * time.Minute))
		d.settle(t)
		got, err := d.Store.Backfill(t.Context(), d.Main.ID, k.ID, listenstore.Asked)
		must(t, err)
		if got.Status != listenstore.BackfillCompleted || got.Read != 30 || got.Matched != 30 {
			t.Errorf("backfill = %+v", got)
		}
		// What "pager" looks back for is free, whichever of the two comes first: 7 of its own days, and those of k.
		all := d.mentions(t, d.Main.ID)
		if n := d.stored(t, d.Main.ID); len(all) != 30 || n != 23 {
			t.Errorf("%d mentions, %d billed, want 30 and 23", len(all), n)
		}
		counted := int64(0)
		volumes, err := d.Store.Volumes(t.Context(), d.Main.ID, k.ID, worldtest.Now.AddDate(0, 0, -40),
			worldtest.Now.AddDate(0, 0, 2))
		must(t, err)
		for _, v := range volumes {
			counted += v.Mentions
		}
		if counted != 30 {
			t.Errorf("the cells of the keyword have %d, want 30", counted)
		}
	})
}

// A platform that fails is asked again, and in the end skipped. What others have is brought in.
func TestBackfill_SourceFails(t *testing.T) {
	d := newDesk(t)
	d.live = []source.Source{failing{"reddit"}}
	k := d.keyword(t, "northwind", 10)
	d.fill(t, many(5)...)
	d.start(t, k.ID, `{"days":30}`)
	d.settle(t)
	b := d.progress(t, k.ID).Backfill.Value
	if b.Status != "completed" || b.Stored != 5 || b.SkippedSources["reddit"] != "it is down" {
		t.Errorf("backfill = %+v", b)
	}
}

type failing struct{ name string }

func (f failing) About() source.About { return source.About{Name: f.name, Max: 500} }

func (f failing) Search(context.Context, source.Query) (source.Page, error) {
	return source.Page{}, &source.Unavailable{Source: f.name, Reason: "it is down"}
}

// Messages that cannot be read are dead letters, and those of what is gone are not.
func TestHandler_Messages(t *testing.T) {
	d := newDesk(t)
	for body, fails := range map[string]bool{
		"{": true, `{}`: true, `{"workspaceId":"org_x","keywordId":0}`: true,
		`{"workspaceId":"org_x","keywordId":1,"kind":"asked","run":"x"}`: false,
	} {
		must(t, d.Queue().Send(t.Context(), queue.Backfills, queue.Message{Body: []byte(body)}))
		if err := d.work(t.Context(), 1); (err != nil) != fails {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// A keyword that is made later and backfilled has what it would have, had it been there from the beginning.
func TestBackfill_AsCollectedThen(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		texts := []string{
			"northwind is down", "Northwind's pager", "I left northwind for southwind", "southwind only", "nothing of it",
			"www.northwind.com", "@northwind help", "northwind storm", "NORTHWIND!", "northwindy",
		}
		platforms := []string{"hackernews", "reddit", "dev"}
		var posts []post.Post
		for n := range rapid.IntRange(1, 40).Draw(r, "posts") {
			p := written(n, rapid.SampledFrom(texts).Draw(r, "text"), rapid.IntRange(1, 24*85).Draw(r, "hours"))
			p.Source = rapid.SampledFrom(platforms).Draw(r, "source")
			p.SourceID = strings.Replace(p.SourceID, "hackernews", p.Source, 1)
			posts = append(posts, p)
		}
		slices.SortFunc(posts, func(a, b post.Post) int { return a.PostedAt.Compare(b.PostedAt) })
		k := keyword.Keyword{Text: "northwind", ExactMatch: rapid.Bool().Draw(r, "exact")}
		if rapid.Bool().Draw(r, "excludes") {
			k.ExcludeWords = []string{"storm"}
		}
		if rapid.Bool().Draw(r, "narrow") {
			k.Platforms = platforms[:2]
		}
		other := keyword.Keyword{Text: "southwind"}

		// collects runs a history: posts come when they are written, and the keyword is there from its beginning or late.
		collects := func(late bool) *desk {
			d := newDesk(t)
			d.Clock.Freeze(worldtest.Now.AddDate(0, 0, -100))
			_, err := d.Store.CreateKeyword(t.Context(), d.Main.ID, other, 10)
			must(t, err)
			make := func() keyword.Keyword {
				made, err := d.Store.CreateKeyword(t.Context(), d.Main.ID, k, 10)
				must(t, err)
				return made
			}
			if !late {
				make()
			}
			intake := d.intake(d.Store)
			for _, p := range posts {
				d.Clock.Freeze(p.PostedAt.Add(time.Minute))
				_, err := intake.Take(t.Context(), []post.Post{p})
				must(t, err)
			}
			d.Clock.Freeze(worldtest.Now)
			if late {
				made := make()
				d.settle(t)
				d.start(t, made.ID, `{"days":90}`)
				d.settle(t)
			}
			return d
		}
		then, now := collects(false), collects(true)
		want, got := then.mentions(t, then.Main.ID), now.mentions(t, now.Main.ID)
		for id, m := range want {
			other, there := got[id]
			if !there {
				r.Errorf("%s %q is missing", id, *m.Body)
				continue
			}
			m.ID, m.StoredAt = other.ID, other.StoredAt // by the time of storing
			if a, b := fmt.Sprintf("%+v", plain(m)), fmt.Sprintf("%+v", plain(other)); a != b {
				r.Errorf("backfilled %s\nwant       %s", b, a)
			}
		}
		if len(got) != len(want) {
			r.Errorf("%d mentions, want %d", len(got), len(want))
		}
		for id := range int64(3) {
			a, b := then.cells(t, id), now.cells(t, id)
			if a != b {
				r.Errorf("the cells of keyword %d are\n%s\nwant\n%s", id, b, a)
			}
		}
	})
}

// plain is a mention without pointers and what differs by chance.
func plain(m mention.Mention) string {
	m.Vector = nil
	text, err := json.Marshal(m)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// cells are the hourly counts of a keyword; 0: of all.
func (d *desk) cells(t testing.TB, id int64) string {
	t.Helper()
	volumes, err := d.Store.Volumes(t.Context(), d.Main.ID, id, worldtest.Now.AddDate(0, 0, -99),
		worldtest.Now.AddDate(0, 0, 1))
	must(t, err)
	text, err := json.Marshal(volumes)
	must(t, err)
	return string(text)
}
