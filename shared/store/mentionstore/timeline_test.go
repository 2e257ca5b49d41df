package mentionstore_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// parsed compiles a simple filter.
func parsed(t testing.TB, text string) *filter.Predicate {
	t.Helper()
	f, faults := filter.ParseSimple([]byte(text))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return filter.Compile(f)
}

// walked lists by pages of a limit, and says how many pages that were.
func walked(t *testing.T, s *allstores.Store, q mentionstore.MentionsQuery) (ids []string, pages int) {
	t.Helper()
	for {
		page, err := s.Mentions(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Mentions) > q.Limit {
			t.Fatalf("a page of %d mentions", len(page.Mentions))
		}
		for _, m := range page.Mentions {
			ids = append(ids, m.SourceID)
		}
		if pages++; page.Next == "" {
			return ids, pages
		}
		q.After = page.Next
	}
}

// A filtered list is the same as the whole list with what the filter refuses left out, whatever the page's size.
func TestFilteredList(t *testing.T) {
	w := worldtest.NewWorld(t)
	batch := worldtest.Mentions(150)
	for i := range batch {
		body := fmt.Sprintf("word%d common", i%10)
		batch[i].Body = &body
	}
	ingest(t, w, 1000, batch)
	for _, text := range []string{
		`{}`, `{"source":["reddit"]}`, `{"!source":["reddit"]}`, `{"sentiment":["negative"],"relevance":[0,1]}`,
		`{"keyword":[9]}`,
		`{"text":["word3","word7"]}`, `{"!text":["common"]}`, `{"text":["common"]}`, `{"text":["absent"]}`,
		`{"postType":["reply"]}`,
	} {
		predicate := parsed(t, text)
		for _, all := range []bool{true, false} {
			var want []string
			for _, m := range batch {
				if (all || m.Relevant) && predicate.Mention(&m) {
					want = append(want, m.SourceID)
				}
			}
			for _, limit := range []int{1, 7, 100} {
				got, _ := walked(t, w.Store,
					mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, All: all, Filter: predicate, Limit: limit})
				if !slices.Equal(got, want) {
					t.Errorf("%s, all %v, limit %d: got %v\nwant %v", text, all, limit, got, want)
				}
			}
		}
	}
}

// The window's start belongs to it, and its end does not.
func TestWindow(t *testing.T) {
	w := worldtest.NewWorld(t)
	ingest(t, w, 1000, worldtest.Mentions(20))
	q := mentionstore.MentionsQuery{
		WorkspaceID: w.Main.ID,
		All:         true,
		Limit:       3,
		Start:       worldtest.Now.Add(-7 * 10 * time.Hour),
		End:         worldtest.Now.Add(-7 * 5 * time.Hour),
	}
	if got, _ := walked(t, w.Store, q); fmt.Sprint(got) != "[post6 post7 post8 post9 post10]" {
		t.Error(got)
	}
}

// What lies outside a window of one date is not read: a start keeps the archive closed, and an end leaves out what is
// newer.
func TestWindow_OneDate(t *testing.T) {
	w := worldtest.NewWorld(t)
	batch := worldtest.Mentions(400)
	for i := range batch {
		batch[i].PostedAt = worldtest.Now.AddDate(0, 0, -i) // from 180 on: in the archive
	}
	for chunk := range slices.Chunk(batch, 50) {
		ingest(t, w, 1000, chunk)
	}
	archive := func() {
		if _, finished, err := w.Store.Archive(t.Context(), w.Main.ID, 0); err != nil || !finished {
			t.Fatal(finished, err)
		}
	}
	archive()
	w.Clock.Freeze(worldtest.Now.Add(2 * time.Hour))
	archive()
	days := func(n int) time.Time { return worldtest.Now.AddDate(0, 0, -n) }
	read := func(q mentionstore.MentionsQuery) (found int, usage table.Usage) {
		t.Helper()
		q.WorkspaceID, q.Limit = w.Main.ID, 100
		for {
			ctx, meter := table.WithMeter(t.Context())
			page, err := w.Store.Mentions(ctx, q)
			if err != nil {
				t.Fatal(err)
			}
			if most := float64(mentionstore.PageBudget) / 8192; meter.Total().ReadUnits > most {
				t.Errorf("a page read %v units, want %v at most", meter.Total().ReadUnits, most)
			}
			found += len(page.Mentions)
			usage.Reads += meter.Total().Reads
			usage.ReadUnits += meter.Total().ReadUnits
			if q.After = page.Next; page.Next == "" {
				return found, usage
			}
		}
	}
	none := parsed(t, `{"author":["nobody"]}`)
	for _, c := range []struct {
		name         string
		alone, bound mentionstore.MentionsQuery // bound has the other end where nothing lies between
	}{
		{"a start within 180 days",
			mentionstore.MentionsQuery{Start: days(3)}, mentionstore.MentionsQuery{Start: days(3), End: days(-1)}},
		{"a start in the archive",
			mentionstore.MentionsQuery{Start: days(300)}, mentionstore.MentionsQuery{Start: days(300), End: days(-1)}},
		{"an end in the archive",
			mentionstore.MentionsQuery{End: days(390)}, mentionstore.MentionsQuery{Start: days(1000), End: days(390)}},
		{"an end before everything",
			mentionstore.MentionsQuery{End: days(1000)}, mentionstore.MentionsQuery{Start: days(2000), End: days(1000)}},
		{"a start after everything",
			mentionstore.MentionsQuery{Start: days(-1)}, mentionstore.MentionsQuery{Start: days(-1), End: days(-2)}},
	} {
		for _, f := range []*filter.Predicate{nil, none} {
			c.alone.Filter, c.bound.Filter, c.alone.All, c.bound.All = f, f, f == nil, f == nil
			alone, its := read(c.alone)
			bound, theirs := read(c.bound)
			if alone != bound || its != theirs {
				t.Errorf("%s: %d mentions for %+v, want %d for %+v as with both dates", c.name, alone, its, bound, theirs)
			}
		}
	}
	if _, usage := read(mentionstore.MentionsQuery{Start: days(3), Filter: none}); usage.Reads != 1 {
		t.Errorf("a start within 180 days: %d reads, want 1: the archive is not looked at", usage.Reads)
	}
}

func TestByAuthor(t *testing.T) {
	w := worldtest.NewWorld(t)
	batch := worldtest.Mentions(12)
	for i, handle := range []string{"Ada_L", "ada_l", "@ADA_L", "someoneelse"} {
		for n := range 3 {
			name := handle
			batch[3*i+n].Author = &name
			batch[3*i+n].Source = []string{"reddit", "reddit", "Reddit", "reddit"}[i]
		}
	}
	ingest(t, w, 1000, batch)
	got, pages := walked(t, w.Store,
		mentionstore.MentionsQuery{
			WorkspaceID: w.Main.ID,
			Author:      &mentionstore.Author{Source: "reddit", Handle: "@ada_L"},
			Limit:       4,
		})
	if len(got) != 9 || got[0] != "post0" || got[8] != "post8" || pages != 3 {
		t.Error(got, pages)
	}
	if got, _ := walked(t, w.Store,
		mentionstore.MentionsQuery{
			WorkspaceID: w.Other.ID,
			Author:      &mentionstore.Author{Source: "reddit", Handle: "ada_l"},
			Limit:       4,
		}); len(got) != 0 {
		t.Error(got)
	}
}

// A page reads no more than its budget, and the walk comes to the end all the same.
func TestBudget(t *testing.T) {
	w := worldtest.NewWorld(t)
	batch := worldtest.Mentions(900)
	for i := range batch {
		// Index rows of some kilobytes: a counter's name is the longest thing that is projected.
		batch[i].Engagement = map[string]int64{}
		for n := range 32 {
			batch[i].Engagement[fmt.Sprintf("counter%0240d", n)] = int64(i)
		}
	}
	for chunk := range slices.Chunk(batch, 50) {
		ingest(t, w, 1000, chunk)
	}
	q := mentionstore.MentionsQuery{
		WorkspaceID: w.Main.ID,
		All:         true,
		Filter:      parsed(t, `{"author":["nobody"]}`),
		Limit:       20,
	}
	pages := 0
	for {
		ctx, meter := table.WithMeter(t.Context())
		page, err := w.Store.Mentions(ctx, q)
		if err != nil || len(page.Mentions) != 0 {
			t.Fatal(len(page.Mentions), err)
		}
		if most := float64(mentionstore.PageBudget) / 8192; meter.Total().ReadUnits > most {
			t.Errorf("a page read %v units, not %v at most", meter.Total().ReadUnits, most)
		}
		if pages++; page.Next == "" {
			break
		}
		q.After = page.Next
	}
	if pages < 2 {
		t.Error("the budget was never reached")
	}
}

// A mention is found at every moment of its way into the archive, changes stay, and what is counted stays as well.
func TestArchive(t *testing.T) {
	w := worldtest.NewWorld(t)
	batch := worldtest.Mentions(40)
	for i := range batch {
		batch[i].PostedAt = worldtest.Now.AddDate(0, 0, -i*10) // from 180 days on: 22 of them
	}
	ingest(t, w, 1000, batch)
	want, _ := walked(t, w.Store, mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, All: true, Limit: 100})
	same := func(when string) {
		t.Helper()
		for _, limit := range []int{1, 9, 100} {
			if got, _ := walked(t, w.Store,
				mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, All: true, Limit: limit}); !slices.Equal(got, want) {
				t.Errorf("%s, limit %d: %v\nwant %v", when, limit, got, want)
			}
		}
		counted(t, w, w.Main.ID)
		for _, sourceID := range want {
			if _, err := w.Store.Mention(t.Context(), w.Main.ID, sourceID); err != nil {
				t.Errorf("%s: %s: %v", when, sourceID, err)
			}
		}
	}
	archive := func() mentionstore.Archived {
		t.Helper()
		done, finished, err := w.Store.Archive(t.Context(), w.Main.ID, 0)
		if err != nil || !finished {
			t.Fatal(finished, err)
		}
		return done
	}
	if done := archive(); done != (mentionstore.Archived{Copied: 21}) {
		t.Errorf("%+v", done)
	}
	same("copied")
	if done := archive(); done != (mentionstore.Archived{}) {
		t.Errorf("again at once: %+v", done)
	}
	engage := func(sourceID string) {
		t.Helper()
		if _, err := w.Store.ChangeMention(t.Context(), w.Main.ID, sourceID, func(m *mention.Mention) (bool, error) {
			m.Engaged, m.Sentiment = true, mention.Negative
			return true, nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	correct := func(sourceID string) {
		t.Helper()
		if _, err := w.Store.ChangeMention(t.Context(), w.Main.ID, sourceID, func(m *mention.Mention) (bool, error) {
			return m.Overrule(mention.Low), nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	relevant := func() []string {
		t.Helper()
		got, _ := walked(t, w.Store, mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Limit: 7})
		return got
	}
	if was := relevant(); !slices.Contains(was, "post33") {
		t.Fatal(was)
	}
	correct("post33") // in both tables: its copy is relevant still
	if is := relevant(); slices.Contains(is, "post33") {
		t.Errorf("listed as its copy has it: %v", is)
	}
	engage("post30") // its copy is not the same any more; and post18 will be 180 days old soon
	w.Clock.Freeze(worldtest.Now.Add(2 * time.Hour))
	if done := archive(); done != (mentionstore.Archived{Copied: 3, Moved: 19}) {
		t.Errorf("%+v", done)
	}
	same("moved")
	w.Clock.Freeze(worldtest.Now.Add(4 * time.Hour))
	if done := archive(); done != (mentionstore.Archived{Moved: 3}) {
		t.Errorf("%+v", done)
	}
	engage("post35") // in the archive
	same("all moved")
	if m, err := w.Store.Mention(t.Context(), w.Main.ID, "post30"); err != nil || !m.Engaged {
		t.Error(m.Engaged, err)
	}
	again := slices.Clone(batch)
	for i := range again {
		again[i].PostedAt = w.Clock.Now() // as platforms do that date a post anew
	}
	if got := ingest(t, w, 1000, again); got.Duplicate != 40 {
		t.Errorf("found again: %+v", got)
	}
	same("found again")
	if got, _ := walked(t, w.Store,
		mentionstore.MentionsQuery{
			WorkspaceID: w.Main.ID,
			All:         true,
			Limit:       10,
			Filter:      parsed(t, `{"engaged":true}`),
		}); fmt.Sprint(got) != "[post30 post35]" {
		t.Error(got)
	}
}

// Two that archive at once, beside one that changes mentions, lose nothing.
func TestArchiveAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	batch := worldtest.Mentions(30)
	for i := range batch {
		batch[i].PostedAt = worldtest.Now.AddDate(0, 0, -200-i)
	}
	ingest(t, w, 1000, batch)
	for range 3 {
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() {
				if _, _, err := w.Store.Archive(t.Context(), w.Main.ID, 0); err != nil {
					t.Error(err)
				}
			})
		}
		group.Go(func() {
			for i := range batch {
				if _, err := w.Store.ChangeMention(t.Context(), w.Main.ID, batch[i].SourceID, func(m *mention.Mention) (bool, error) {
					m.Engagement = map[string]int64{"points": m.Engagement["points"] + 1}
					return true, nil
				}); err != nil {
					t.Error(err)
				}
			}
		})
		group.Wait()
		w.Clock.Freeze(w.Clock.Now().Add(2 * time.Hour))
	}
	for i := range batch {
		m, err := w.Store.Mention(t.Context(), w.Main.ID, batch[i].SourceID)
		if err != nil || m.Engagement["points"] != 15 {
			t.Errorf("%s: %v %v", batch[i].SourceID, m.Engagement, err)
		}
	}
	counted(t, w, w.Main.ID)
}
