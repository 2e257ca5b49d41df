package mentionstore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/story"
	"earshot/shared/worldtest"
)

// tells returns a text of a story of its own for each n, and text that belongs to no story for 0.
func tells(n int) string {
	if n == 0 {
		return "Thanks!"
	}
	return fmt.Sprintf("Northwind opens data center number %d in Rotterdam and hires eighty engineers", n)
}

// telling makes a mention that tells a story.
func telling(sourceID string, n int, posted time.Time) mention.Mention {
	m := worldtest.Mention(0, sourceID, posted)
	body := tells(n)
	m.Title, m.Body, m.URL = nil, &body, "https://posts.example/"+sourceID
	m.StoryID = story.OfMention(&m).String()
	return m
}

// listedStory is a mention of a collapsed list, and how many of its story there are.
type listedStory struct {
	id    string
	count int
}

// collapsed lists by pages of a limit.
func collapsed(t *testing.T, w *worldtest.World, q mentionstore.MentionsQuery) (found []listedStory, pages int) {
	t.Helper()
	q.Collapse = true
	for {
		page, err := w.Store.Mentions(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Mentions) > q.Limit || len(page.Stories) != len(page.Mentions) {
			t.Fatalf("a page of %d mentions and %d counts, want %d at most of each", len(page.Mentions), len(page.Stories), q.Limit)
		}
		for i, m := range page.Mentions {
			found = append(found, listedStory{m.SourceID, page.Stories[i]})
		}
		if pages++; page.Next == "" {
			return found, pages
		}
		if page.Next == q.After {
			t.Fatalf("the page after %q continues at itself", q.After)
		}
		q.After = page.Next
	}
}

// naively collapses the whole list: the first mention of each story, and how many there are.
func naively(list []mention.Mention) (want []listedStory) {
	at := map[story.Fingerprint]int{}
	for _, m := range list {
		f := story.OfMention(&m)
		if first, seen := at[f]; seen && f != 0 {
			want[first].count++
			continue
		}
		at[f] = len(want)
		want = append(want, listedStory{m.SourceID, 1})
	}
	return want
}

// A collapsed list is the whole list without the older mentions of each story, whatever the filter, the window, the
// page's size and the history of changes.
func TestCollapse_RandomHistories(t *testing.T) {
	filters := []string{
		"", `{"source":["reddit"]}`, `{"!source":["reddit"]}`, `{"sentiment":["negative"]}`, `{"keyword":[9]}`,
		`{"text":["number 3","number 4"]}`, `{"text":["absent"]}`, `{"!text":["rotterdam"]}`,
	}
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 18))
			w := worldtest.NewWorld(t)
			stories, span := 1+r.IntN(20), []int{60, 24 * 60, 200 * 24 * 60}[r.IntN(3)] // minutes
			posted := func() time.Time { return worldtest.Now.Add(-time.Duration(r.IntN(span)) * time.Minute) }
			var all []mention.Mention
			add := func(n int) {
				var batch []mention.Mention
				for range n {
					m := telling(fmt.Sprint("post", len(all)+len(batch)), r.IntN(stories+1), posted())
					score := mention.Score(r.IntN(3))
					m.RelevanceScore, m.Relevant = &score, score.Relevant()
					m.Source = []string{"hackernews", "reddit", "twitter"}[r.IntN(3)]
					m.Sentiment = mention.Sentiments()[r.IntN(3)]
					m.Keywords = []mention.Keyword{{ID: 7, Text: "northwind"}, {ID: int64(8 + r.IntN(2)), Text: "other"}}[:1+r.IntN(2)]
					batch = append(batch, m)
				}
				ingest(t, w, 1000, batch)
				all = append(all, batch...)
			}
			add(40 + r.IntN(100))
			archive := func() {
				if _, finished, err := w.Store.Archive(t.Context(), w.Main.ID, 0); err != nil || !finished {
					t.Fatal(finished, err)
				}
			}
			for range 40 { // corrections and deletions
				m := all[r.IntN(len(all))]
				if r.IntN(4) == 0 {
					for _, from := range []string{rows.MentionsTable, rows.ArchiveTable} {
						del := table.Delete{Table: from, Key: table.Key{Partition: w.Main.ID, Sort: m.SourceID}}
						if err := w.Table.Delete(t.Context(), del); err != nil {
							t.Fatal(err)
						}
					}
					continue
				}
				_, err := w.Store.ChangeMention(t.Context(), w.Main.ID, m.SourceID, func(m *mention.Mention) (bool, error) {
					score := mention.Score(r.IntN(3))
					m.RelevanceScore, m.Relevant, m.Sentiment = &score, score.Relevant(), mention.Sentiments()[r.IntN(3)]
					return true, nil
				})
				if err != nil && !strings.Contains(err.Error(), "not found") {
					t.Fatal(err)
				}
			}
			archive() // copied: old mentions are in both tables
			if r.IntN(2) == 0 {
				w.Clock.Freeze(worldtest.Now.Add(2 * time.Hour))
				archive() // moved
			}
			add(10 + r.IntN(20)) // late posts among older ones
			for _, text := range filters {
				q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Limit: 100, All: r.IntN(2) == 0}
				if text != "" {
					q.Filter = parsed(t, text)
				}
				switch r.IntN(3) {
				case 1:
					q.Start = posted()
				case 2:
					q.End = posted()
				}
				var list []mention.Mention
				for whole := q; ; {
					page, err := w.Store.Mentions(t.Context(), whole)
					if err != nil {
						t.Fatal(err)
					}
					list = append(list, page.Mentions...)
					if whole.After = page.Next; page.Next == "" {
						break
					}
				}
				want := naively(list)
				for _, limit := range []int{1, 2, 7, 100} {
					q.Limit = limit
					got, _ := collapsed(t, w, q)
					for i := range got { // a figure may be missing, never wrong
						if i < len(want) && got[i].count == 0 && want[i].count > 1 {
							got[i].count = want[i].count
						}
					}
					if !slices.Equal(got, want) {
						t.Errorf("filter %s, all %v, %v to %v, limit %d: got %v\nwant %v", text, q.All, q.Start, q.End, limit, got, want)
					}
				}
			}
		})
	}
}

// The figure of a story is there unless it would cost too much.
func TestCollapse_Count(t *testing.T) {
	w := worldtest.NewWorld(t)
	var batch []mention.Mention
	for i := range 150 {
		n := 1
		if i < 30 {
			n = 2 // thirty newer mentions of another story
		}
		batch = append(batch, telling(fmt.Sprint("post", i), n, worldtest.Now.Add(-time.Duration(i)*time.Minute)))
	}
	ingest(t, w, 1000, batch)
	q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Limit: 20}
	got, _ := collapsed(t, w, q)
	if want := []listedStory{{"post0", 30}, {"post30", 0}}; !slices.Equal(got, want) {
		t.Errorf("collapsed = %v, want %v", got, want)
	}
	q.Start = worldtest.Now.Add(-100 * time.Minute)
	got, _ = collapsed(t, w, q)
	if want := []listedStory{{"post0", 30}, {"post30", 71}}; !slices.Equal(got, want) {
		t.Errorf("collapsed from 100 minutes ago = %v, want %v", got, want)
	}
}

// What is stored while a client follows the pages neither hides a story nor repeats one.
func TestCollapse_StoredMeanwhile(t *testing.T) {
	w := worldtest.NewWorld(t)
	minute := func(n int) time.Time { return worldtest.Now.Add(-time.Duration(n) * time.Minute) }
	ingest(t, w, 1000, []mention.Mention{
		telling("a", 1, minute(10)), telling("b", 2, minute(20)), telling("c", 3, minute(30)), telling("d", 1, minute(40)),
	})
	q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Limit: 1, Collapse: true}
	page, err := w.Store.Mentions(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	ingest(t, w, 1000, []mention.Mention{
		telling("newer c", 3, minute(1)), telling("late c", 3, minute(15)), telling("late b", 2, minute(12)),
		telling("late new", 4, minute(35)), telling("late a", 1, minute(50)),
	})
	ids := []string{page.Mentions[0].SourceID}
	for page.Next != "" {
		q.After = page.Next
		if page, err = w.Store.Mentions(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		for _, m := range page.Mentions {
			ids = append(ids, m.SourceID)
		}
	}
	if want := []string{"a", "b", "c"}; !slices.Equal(ids, want) {
		t.Errorf("pages = %q, want %q", ids, want)
	}
}

// A mention that has its id when a client reads the first page, and is stored after that, hides no story and is not shown.
func TestCollapse_OnTheWay(t *testing.T) {
	w := worldtest.NewWorld(t)
	minute := func(n int) time.Time { return worldtest.Now.Add(-time.Duration(n) * time.Minute) }
	id, err := w.Store.Draw(t.Context(), w.Main.ID, rows.SequenceOfMentions, 3)
	if err != nil {
		t.Fatal(err)
	}
	ingest(t, w, 1000, []mention.Mention{
		telling("a", 1, minute(10)), telling("b", 2, minute(20)), telling("c", 3, minute(30)), telling("d", 0, minute(40)),
	})
	onTheWay := []mention.Mention{
		telling("newest c", 3, minute(1)), telling("newer c", 3, minute(15)), telling("another", 4, minute(35)),
	}
	for i := range onTheWay {
		onTheWay[i].ID = id + int64(i)
	}
	put := func(mentions ...mention.Mention) {
		for i, err := range w.Store.PutMentions(t.Context(), w.Main.ID, mentions) {
			if err != nil {
				t.Fatal(mentions[i].SourceID, err)
			}
		}
	}
	var ids []string
	for q := (mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Limit: 1, Collapse: true}); ; {
		page, err := w.Store.Mentions(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range page.Mentions {
			ids = append(ids, m.SourceID)
		}
		if q.After == "" {
			put(onTheWay...)
		}
		if q.After = page.Next; page.Next == "" {
			break
		}
	}
	if want := []string{"a", "b", "c", "d"}; !slices.Equal(ids, want) {
		t.Errorf("pages = %q, want %q", ids, want)
	}
	found, _ := collapsed(t, w, mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Limit: 9})
	if want := []listedStory{{"newest c", 3}, {"a", 1}, {"b", 1}, {"another", 1}, {"d", 1}}; !slices.Equal(found, want) {
		t.Errorf("a later list = %v, want %v", found, want)
	}
}

// Two ingests that store mentions of one story at the same time agree on the story, however often each is sent.
func TestStory_TwoIngests(t *testing.T) {
	w := worldtest.NewWorld(t)
	var group sync.WaitGroup
	for who := range 4 {
		group.Go(func() {
			for range 3 {
				m := telling(fmt.Sprint("post", who%3), 1, worldtest.Now.Add(-time.Duration(who%3)*time.Minute))
				for {
					_, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, []mention.Mention{m})
					if err == nil {
						break
					}
					if !table.Retryable(err) {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	group.Wait()
	got, _ := collapsed(t, w, mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Limit: 10})
	if want := []listedStory{{"post0", 3}}; !slices.Equal(got, want) {
		t.Errorf("collapsed = %v, want %v", got, want)
	}
}

// A story costs an ingest no request. It costs a mention one more entry of an index, and a changed counter nothing.
func TestStory_Cost(t *testing.T) {
	w := worldtest.NewWorld(t)
	stored := func(n int, name string) table.Usage {
		var batch []mention.Mention
		for i := range 10 {
			m := telling(fmt.Sprint(name, i), n, worldtest.Now)
			text := strings.Repeat("x", len(tells(1)))
			if n == 0 {
				m.Body = &text // as long, so that the rows differ in the story alone
			}
			batch = append(batch, m)
		}
		ctx, meter := table.WithMeter(t.Context())
		if _, err := w.Store.Ingest(ctx, w.Main.ID, 1000, batch); err != nil {
			t.Fatal(err)
		}
		return meter.Total()
	}
	stored(0, "first")
	without, with := stored(0, "without"), stored(1, "with")
	if with.Reads != without.Reads || with.Writes != without.Writes || with.ReadUnits != without.ReadUnits {
		t.Errorf("ingest of stories = %+v, want the requests of %+v", with, without)
	}
	if got := (with.WriteUnits - without.WriteUnits) / 10; got != 1 {
		t.Errorf("a story costs %v write units a mention, want 1", got)
	}
	changed := func(n int, name string) float64 {
		ctx, meter := table.WithMeter(t.Context())
		m := telling(name, n, worldtest.Now)
		m.Engagement, m.EngagementObservedAt = map[string]int64{"points": 99}, worldtest.Now.Add(5*time.Hour)
		if taken, err := w.Store.Ingest(ctx, w.Main.ID, 1000, []mention.Mention{m}); err != nil || taken.Refreshed != 1 {
			t.Fatal(taken, err)
		}
		return meter.Total().WriteUnits
	}
	if a, b := changed(1, "with0"), changed(0, "without0"); a != b {
		t.Errorf("changed counters cost %v write units with a story, want %v as without", a, b)
	}
}

// A collapsed page of mentions of different stories costs a query for each. The first page reads the
// sequence of ids and which of the last ones have mentions. A page whose window may reach the archive asks whether the
// archive has mentions.
func TestCollapse_Cost(t *testing.T) {
	w := worldtest.NewWorld(t)
	var batch []mention.Mention
	for i := range 60 {
		batch = append(batch, telling(fmt.Sprint("post", i), 1+i, worldtest.Now.Add(-time.Duration(i)*time.Minute)))
	}
	ingest(t, w, 1000, batch)
	read := func(q mentionstore.MentionsQuery) (table.Usage, string) {
		ctx, meter := table.WithMeter(t.Context())
		page, err := w.Store.Mentions(ctx, q)
		if err != nil || len(page.Mentions) != 20 {
			t.Fatalf("a page of %d mentions, %v, want 20", len(page.Mentions), err)
		}
		return meter.Total(), page.Next
	}
	q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Limit: 20, Start: worldtest.Now.Add(-24 * time.Hour)}
	whole, _ := read(q)
	q.Collapse = true
	first, next := read(q)
	q.After = next
	second, _ := read(q)
	t.Logf("whole %+v, collapsed %+v and then %+v", whole, first, second)
	if got := second.Reads - whole.Reads; got != 20 {
		t.Errorf("a collapsed page takes %d requests more, want 20", got)
	}
	if got := second.ReadUnits - whole.ReadUnits; got < 9 || got > 11 {
		t.Errorf("a collapsed page takes %v read units more, want 10", got)
	}
	if got := first.Reads - second.Reads; got != 2 {
		t.Errorf("the first collapsed page takes %d requests more than the second, want 2 for the last ids", got)
	}
	if got := first.ReadUnits - second.ReadUnits; got > 6 {
		t.Errorf("the first collapsed page takes %v read units more than the second, want 6 at most", got)
	}
	q.After, q.Start = "", time.Time{}
	open, _ := read(q)
	if got := open.Reads - first.Reads; got != 2 {
		t.Errorf("a collapsed page without a start takes %d requests more, want 2 for the archive", got)
	}
}

// Pages of a collapsed list keep their bounds in a storm of one story, and in one of another source.
func TestCollapse_Storm(t *testing.T) {
	if testing.Short() {
		t.Skip("stores 3,000 mentions")
	}
	w := worldtest.NewWorld(t)
	const storm = 3_000
	var batch []mention.Mention
	for i := range storm {
		m := telling(fmt.Sprint("storm", i), 1, worldtest.Now.Add(-time.Duration(i)*time.Second))
		m.Source = "twitter"
		batch = append(batch, m)
	}
	last := telling("last", 1, worldtest.Now.Add(-storm*time.Second))
	last.Source = "reddit"
	other := telling("other", 2, worldtest.Now.Add(-(storm+1)*time.Second))
	ingest(t, w, 2*storm, append(batch, last, other))
	for _, c := range []struct {
		filter string
		want   []listedStory
	}{
		{"", []listedStory{{"storm0", 0}, {"other", 1}}},
		{`{"source":["reddit","hackernews"]}`, []listedStory{{"last", 0}, {"other", 1}}},
		{`{"source":["twitter"]}`, []listedStory{{"storm0", 0}}},
	} {
		q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Limit: 20, Collapse: true}
		if c.filter != "" {
			q.Filter = parsed(t, c.filter)
		}
		var got []listedStory
		most, sum, pages := 0.0, table.Usage{}, 0
		for {
			ctx, meter := table.WithMeter(t.Context())
			page, err := w.Store.Mentions(ctx, q)
			if err != nil {
				t.Fatal(err)
			}
			used := meter.Total()
			most, pages = max(most, used.ReadUnits), pages+1
			sum.Reads, sum.ReadUnits = sum.Reads+used.Reads, sum.ReadUnits+used.ReadUnits
			for i, m := range page.Mentions {
				got = append(got, listedStory{m.SourceID, page.Stories[i]})
			}
			if q.After = page.Next; page.Next == "" {
				break
			}
		}
		t.Logf("%q: %d pages, %d requests, %v units, %v at most a page", c.filter, pages, sum.Reads, sum.ReadUnits, most)
		if !slices.Equal(got, c.want) {
			t.Errorf("filter %q: collapsed = %v, want %v", c.filter, got, c.want)
		}
		if limit := 1.25 * float64(mentionstore.PageBudget) / 8192; most > limit {
			t.Errorf("filter %q: a page read %v units, want %v at most", c.filter, most, limit)
		}
	}
}

// A cursor of another list is the caller's mistake, and so is an author's collapsed list.
func TestCollapse_Invalid(t *testing.T) {
	w := worldtest.NewWorld(t)
	for _, after := range []string{"2026-11-20 09:30:00.000#0000000000000001", "|x||", "|0||", "a|1|b", "|1|!||",
		"|1|" + strings.Repeat("A", 44) + "||"} {
		q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Limit: 1, Collapse: true, After: after}
		if _, err := w.Store.Mentions(t.Context(), q); !errors.Is(err, table.ErrInvalid) {
			t.Errorf("Mentions(after %q) = %v, want ErrInvalid", after, err)
		}
	}
	q := mentionstore.MentionsQuery{
		WorkspaceID: w.Main.ID,
		Limit:       1,
		Collapse:    true,
		Author:      &mentionstore.Author{Source: "x", Handle: "y"},
	}
	if _, err := w.Store.Mentions(t.Context(), q); !errors.Is(err, table.ErrInvalid) {
		t.Errorf("Mentions(an author's, collapsed) = %v, want ErrInvalid", err)
	}
}

// A mention that was stored before there were stories has none and stays in a collapsed list. It gets its story when its
// post brings news.
func TestStory_RowOfOld(t *testing.T) {
	w := worldtest.NewWorld(t)
	ingest(t, w, 1000, []mention.Mention{telling("old", 1, worldtest.Now.Add(-time.Hour)),
		telling("new", 1, worldtest.Now)})
	key := table.Key{Partition: w.Main.ID, Sort: "old"}
	item, err := w.Table.Get(t.Context(), table.Get{Table: rows.MentionsTable, Key: key, Consistent: true})
	if err != nil {
		t.Fatal(err)
	}
	delete(item, rows.AttrStory)
	if err := w.Table.Put(t.Context(), table.Put{Table: rows.MentionsTable, Item: item}); err != nil {
		t.Fatal(err)
	}
	q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Limit: 10}
	m, err := w.Store.Mention(t.Context(), w.Main.ID, "old")
	if got, _ := collapsed(t, w, q); err != nil || m.StoryID != "" ||
		!slices.Equal(got, []listedStory{{"new", 1}, {"old", 1}}) {
		t.Errorf("before the change: story %q, %v, collapsed %v, want none and both", m.StoryID, err, got)
	}
	seen := telling("old", 1, worldtest.Now.Add(-time.Hour))
	if taken := ingest(t, w, 1000, []mention.Mention{seen}); taken.Refreshed != 0 {
		t.Errorf("the same post again refreshes %d mentions, want 0: its story alone is no news", taken.Refreshed)
	}
	seen.Engagement, seen.EngagementObservedAt = map[string]int64{"points": 99}, worldtest.Now.Add(5*time.Hour)
	ingest(t, w, 1000, []mention.Mention{seen})
	m, err = w.Store.Mention(t.Context(), w.Main.ID, "old")
	if got, _ := collapsed(t, w, q); err != nil || m.StoryID == "" || !slices.Equal(got, []listedStory{{"new", 2}}) {
		t.Errorf("after the change: story %q, %v, collapsed %v, want a story and the newest alone", m.StoryID, err, got)
	}
}
