package mentionstore_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// worded returns a mention with a body, posted some minutes before the world's begin.
func worded(id int64, minutes int, body string) mention.Mention {
	m := worldtest.Mention(id, fmt.Sprint("hackernews_comment_", id),
		worldtest.Now.Add(-time.Duration(minutes)*time.Minute))
	m.Body = &body
	return m
}

// units lists all pages and returns the read units.
func units(t *testing.T, w *worldtest.World, q mentionstore.MentionsQuery) (ids []string, pages int, used table.Usage) {
	t.Helper()
	ctx, meter := table.WithMeter(t.Context())
	for {
		page, err := w.Store.Mentions(ctx, q)
		worldtest.Must(t, err)
		for _, m := range page.Mentions {
			ids = append(ids, m.SourceID)
		}
		if pages++; page.Next == "" {
			return ids, pages, meter.Total()
		}
		if pages > 2_000 || page.Next == q.After {
			t.Fatalf("the list does not end: after %q comes %q, with %d mentions", q.After, page.Next, len(page.Mentions))
		}
		q.After = page.Next
	}
}

// A text that is nowhere costs a walk over the rows once. After that, it costs the words of the days.
func TestTextList_LeapsOverDays(t *testing.T) {
	w := worldtest.NewWorld(t)
	var batch []mention.Mention
	for i := range 3_000 {
		batch = append(batch, worded(0, 10*i, fmt.Sprintf("Disk %d of the primary was full, and nobody had looked", i%50)))
		batch[i].SourceID = fmt.Sprint("hackernews_comment_", i)
	}
	ingest(t, w, 1<<20, batch)
	q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Filter: parsed(t, `{"text":["zeppelin"]}`), Limit: 20}
	_, _, cold := units(t, w, q)
	found, _, warm := units(t, w, q)
	if len(found) != 0 {
		t.Errorf("found %v", found)
	}
	if warm.ReadUnits*3 > cold.ReadUnits || warm.Writes > 0 {
		t.Errorf("the first list used %+v, the second %+v", cold, warm)
	}
	q.Filter = parsed(t, `{"!text":["zeppelin"]}`)
	if found, _, _ = units(t, w, q); len(found) != len(batch) {
		t.Errorf("%d mentions lack the word, want %d", len(found), len(batch))
	}
}

// Lists with words take what the same filter takes of the mentions, whatever happens in between.
func TestTextList_WhileMentionsChange(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { changeAndList(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}

func changeAndList(t *testing.T, random *rand.Rand) {
	w := worldtest.NewWorld(t)
	embedded, _ := w.Table.(*sqlitetable.Table)
	const days = 6
	vocabulary := []string{"anchor", "beacon", "compass", "drydock", "estuary", "fathom"}
	body := func() string {
		switch random.IntN(300) {
		case 0:
			return "" // no words: its digest says nothing
		case 1:
			text := vocabulary[random.IntN(len(vocabulary))]
			for n := range 600 {
				text += fmt.Sprint(" w", n) // too many for a digest
			}
			return text
		case 2:
			return "some text with the rare " + vocabulary[random.IntN(len(vocabulary))]
		}
		return "some text without any of the words that lists look for"
	}
	stored := map[string]mention.Mention{}
	put := func(m mention.Mention) {
		w.Put(t, w.Main.ID, m)
		stored[m.SourceID] = m
	}
	var first []mention.Mention
	for i := range days * 150 {
		m := worded(0, i*10+random.IntN(10), body())
		m.SourceID = fmt.Sprint("hackernews_comment_", i)
		if random.IntN(10) == 0 {
			low := mention.Low
			m.Relevant, m.RelevanceScore = false, &low
		}
		first = append(first, m)
		stored[m.SourceID] = m
	}
	ingest(t, w, 1<<20, first)
	check := func(doing string) {
		t.Helper()
		for _, text := range []string{`{"text":["anchor"]}`, `{"text":["rare beacon","compass"]}`, `{"text":["nowhere"]}`,
			`{"text":["estuary"],"!text":["rare"]}`} {
			for _, all := range []bool{true, false} {
				q := mentionstore.MentionsQuery{
					WorkspaceID: w.Main.ID,
					All:         all,
					Filter:      parsed(t, text),
					Limit:       1 + random.IntN(30),
				}
				if random.IntN(3) == 0 {
					q.Start = worldtest.Now.AddDate(0, 0, -random.IntN(days))
					q.End = worldtest.Now.Add(-time.Duration(random.IntN(48)) * time.Hour)
					if q.End.Before(q.Start) {
						q.End = time.Time{}
					}
				}
				var want []mention.Mention
				for _, m := range stored {
					if (all || m.Relevant) && q.Filter.Mention(&m) && !m.PostedAt.Before(q.Start) &&
						(q.End.IsZero() || m.PostedAt.Before(q.End)) {
						want = append(want, m)
					}
				}
				got, _, _ := units(t, w, q)
				slices.SortFunc(want, func(a, b mention.Mention) int { return b.PostedAt.Compare(a.PostedAt) })
				var ids []string
				for _, m := range want {
					ids = append(ids, m.SourceID)
				}
				slices.SortFunc(got, func(a, b string) int {
					return cmp.Or(stored[b].PostedAt.Compare(stored[a].PostedAt), cmp.Compare(a, b))
				})
				slices.SortFunc(ids, func(a, b string) int {
					return cmp.Or(stored[b].PostedAt.Compare(stored[a].PostedAt), cmp.Compare(a, b))
				})
				if !slices.Equal(got, ids) {
					t.Fatalf("after %s: %s, all %v, from %v to %v: got %v, want %v", doing, text, all, q.Start, q.End, got, ids)
				}
			}
		}
	}
	one := func() mention.Mention {
		ids := make([]string, 0, len(stored))
		for id := range stored {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		return stored[ids[random.IntN(len(ids))]]
	}
	check("ingest")
	check("ingest and a list")
	for n := range 12 {
		if random.IntN(2) == 0 {
			gather(t, w.Store, w.Main.ID)
		}
		switch random.IntN(5) {
		case 0: // a late mention
			put(worded(int64(100_000+n), random.IntN(days*24*60), "a late one with a rare "+vocabulary[n%len(vocabulary)]))
			check("a late mention")
		case 1: // another text
			m, _ := w.Store.Mention(t.Context(), w.Main.ID, one().SourceID)
			text := "now it has a rare " + vocabulary[n%len(vocabulary)]
			m.Body = &text
			put(m)
			check("another text")
		case 2: // another verdict
			m, _ := w.Store.Mention(t.Context(), w.Main.ID, one().SourceID)
			score := mention.Low
			if !m.Relevant {
				score = mention.High
			}
			m.Relevant, m.RelevanceScore = score.Relevant(), &score
			put(m)
			check("another verdict")
		case 3: // lists, while an index lags
			if embedded == nil {
				continue
			}
			worldtest.Must(t, embedded.Misbehave(sqlitetable.Misbehave{IndexLag: true, PageRows: 1 + random.IntN(200)}))
			put(worded(int64(200_000+n), random.IntN(days*24*60), "a hidden one with a rare "+vocabulary[n%len(vocabulary)]))
			for _, text := range []string{`{"text":["nowhere"]}`, `{"text":["anchor"]}`} {
				for _, all := range []bool{true, false} {
					units(t, w, mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, All: all, Filter: parsed(t, text), Limit: 20})
				}
			}
			worldtest.Must(t, embedded.Misbehave(sqlitetable.Misbehave{}))
			check("an index that lagged")
		case 4: // the archive
			if old := worldtest.Now.AddDate(0, 0, 180-random.IntN(days)); old.After(w.Clock.Now()) {
				w.Clock.Freeze(old)
			}
			for range 2 {
				_, _, err := w.Store.Archive(t.Context(), w.Main.ID, time.Minute)
				worldtest.Must(t, err)
				check("the archive")
				w.Clock.Freeze(w.Clock.Now().Add(2 * time.Hour))
			}
		}
	}
}
