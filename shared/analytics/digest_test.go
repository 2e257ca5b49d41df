package analytics_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"earshot/shared/analytics"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// bySource asks for the mentions of the last 20 days by source, with digests of all cells.
func bySource(t *testing.T, w *worldtest.World, s analytics.Store) (answer analytics.Answer) {
	t.Helper()
	return ofKeyword(t, w, s, nil)
}

func ofKeyword(t *testing.T, w *worldtest.World, s analytics.Store, groups [][]int64) analytics.Answer {
	t.Helper()
	end := analytics.Tomorrow(worldtest.Now, time.UTC)
	q := analytics.Query{
		WorkspaceID: w.Main.ID,
		Period:      analytics.Period{Start: end.AddDate(0, 0, -20), End: end, Zone: time.UTC},
		Dimensions:  []analytics.Dimension{analytics.Source},
		Aggregates:  []analytics.Aggregate{analytics.Count},
		Groups:      groups,
	}
	if groups != nil {
		q.Dimensions = []analytics.Dimension{analytics.Keyword}
	}
	answers, err := analytics.RunWithin(t.Context(), s, analytics.Limits{Mentions: 1, Authors: 1, Digested: 1}, q)
	if err != nil {
		t.Fatal(err)
	}
	return answers[0]
}

// pastPosts returns posts of the 20 days before today.
func pastPosts(n int) []mention.Mention {
	all := make([]mention.Mention, n)
	for i := range all {
		all[i] = worldtest.Mention(0, fmt.Sprint("past", i), worldtest.Now.AddDate(0, 0, -i%20))
	}
	return all
}

func ingest(t *testing.T, w *worldtest.World, all []mention.Mention) {
	t.Helper()
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000_000, all); err != nil {
		t.Fatal(err)
	}
}

func digestRows(t *testing.T, w *worldtest.World) (found []worldtest.Row) {
	for _, row := range worldtest.Rows(t, w) {
		if strings.HasPrefix(row.Sort, rows.SortDigest) {
			found = append(found, row)
		}
	}
	return found
}

func total(answer analytics.Answer) (n int64) {
	for _, row := range answer.Rows {
		n += row.Mentions
	}
	return n
}

// changedWhile changes mentions between the first read of versions and the read of cells.
type changedWhile struct {
	analytics.Store
	change func()
}

func (c *changedWhile) Volumes(ctx context.Context, orgID string, id int64, start, end time.Time) ([]mention.Volume, error) {
	found, err := c.Store.Volumes(ctx, orgID, id, start, end)
	if change := c.change; change != nil {
		c.change = nil
		change()
	}
	return found, err
}

// A day that changes while its cells are read gets no digest of its old cells.
func TestDigest_ChangedMeanwhile(t *testing.T) {
	w := worldtest.NewWorld(t)
	ingest(t, w, pastPosts(40))
	bySource(t, w, &changedWhile{w.Store, func() {
		late := worldtest.Mention(0, "late", worldtest.Now.AddDate(0, 0, -7))
		late.Source = "bluesky"
		ingest(t, w, []mention.Mention{late})
	}})
	if got := total(bySource(t, w, w.Store)); got != 41 {
		t.Errorf("after a late mention: %d mentions, want 41", got)
	}
}

// A table of before has cells without versions. Its days get digests, which are outdated by the first change.
func TestDigest_CellsWithoutVersions(t *testing.T) {
	w := worldtest.NewWorld(t)
	ingest(t, w, pastPosts(40))
	for _, row := range worldtest.Rows(t, w) {
		if !strings.HasPrefix(row.Sort, rows.SortQuota) {
			continue
		}
		for name := range row.Item {
			if strings.HasPrefix(name, "v") {
				delete(row.Item, name)
			}
		}
		if err := w.Table.Put(t.Context(), table.Put{Table: rows.CountersTable, Item: row.Item}); err != nil {
			t.Fatal(err)
		}
	}
	want := bySource(t, w, w.Store)
	if again := bySource(t, w, w.Store); !reflect.DeepEqual(again, want) || total(want) != 40 ||
		len(digestRows(t, w)) == 0 {
		t.Fatalf("again = %+v, want %+v, with %d digests", again, want, len(digestRows(t, w)))
	}
	for n, source := range []string{"past5", "past5", "past6"} {
		_, err := w.Store.ChangeMention(t.Context(), w.Main.ID, source, func(m *mention.Mention) (bool, error) {
			score := mention.Score(n)
			m.RelevanceScore, m.Sentiment = &score, mention.Sentiments()[n]
			return true, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		negative := func(answer analytics.Answer) (n int64) {
			for _, row := range answer.Rows {
				n += row.Negative
			}
			return n
		}
		fresh := allstores.New(w.Table, w.Clock)
		got := bySource(t, w, fresh)
		if direct := bySource(t, w, withoutDigests{fresh}); !reflect.DeepEqual(got, direct) {
			t.Errorf("after change %d: %+v (%d negative), want %+v (%d)", n, got, negative(got), direct, negative(direct))
		}
	}
}

// withoutDigests is a store that has none.
type withoutDigests struct{ analytics.Store }

func (withoutDigests) Digests(context.Context, string, int64, time.Time, time.Time) ([]mention.Digest, error) {
	return nil, nil
}

func (withoutDigests) PutDigests(context.Context, string, int64, []mention.Digest) error { return nil }

// A digest that is damaged in any way gives no wrong figure, and is made anew.
func TestDigest_Malformed(t *testing.T) {
	w := worldtest.NewWorld(t)
	ingest(t, w, pastPosts(40))
	want := bySource(t, w, w.Store)
	row := digestRows(t, w)[0]
	content := rows.Bytes(row.Item, "content")
	broken := [][]byte{{}, {0}, {1}, {9, 9, 9}}
	for cut := 1; cut < len(content); cut += 3 {
		broken = append(broken, content[:cut])
	}
	for _, one := range broken {
		_, err := w.Table.Update(t.Context(), table.Update{
			Table: rows.CountersTable, Key: table.KeyOf(row.Item), Set: map[string]any{"content": one},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := bySource(t, w, w.Store); !reflect.DeepEqual(got, want) {
			t.Fatalf("after %d of %d bytes: %+v, want %+v", len(one), len(content), got, want)
		}
		if got := rows.Bytes(digestRows(t, w)[0].Item, "content"); !reflect.DeepEqual(got, content) {
			t.Fatalf("after %d bytes: content = %q, want %q", len(one), got, content)
		}
	}
}

// Digests at the edges of a window keep the days that are outside of it, and each keyword has its own.
func TestDigest_Edges(t *testing.T) {
	w := worldtest.NewWorld(t)
	ingest(t, w, pastPosts(40))
	bySource(t, w, w.Store)
	stored := digestRows(t, w)
	q := analytics.Query{
		WorkspaceID: w.Main.ID,
		Period: analytics.Period{
			Start: worldtest.Now.AddDate(0, 0, -9),
			End:   worldtest.Now.AddDate(0, 0, -4),
			Zone:  time.UTC,
		},
		Aggregates: []analytics.Aggregate{analytics.Count},
	}
	ingest(t, w, []mention.Mention{worldtest.Mention(0, "later", worldtest.Now.AddDate(0, 0, -6))})
	if _, err := analytics.RunWithin(t.Context(), w.Store, analytics.Limits{Digested: 1}, q); err != nil {
		t.Fatal(err)
	}
	reads := &counting{Store: w.Store}
	if got := total(bySource(t, w, reads)); got != 41 || len(digestRows(t, w)) != len(stored) {
		t.Errorf("%d mentions and %d digests, want 41 and %d", got, len(digestRows(t, w)), len(stored))
	}
	if reads.cells != 1 {
		t.Errorf("%d reads of cells, want 1, of the days that are not settled", reads.cells)
	}
	all := ofKeyword(t, w, w.Store, [][]int64{{7}, {9}})
	if again := ofKeyword(t, w, w.Store, [][]int64{{7}, {9}}); !reflect.DeepEqual(again, all) || total(all) == 0 {
		t.Errorf("by keyword: %+v, want %+v", again, all)
	}
}
