package ingest_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"earshot/functions/ingest"
	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/post"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// everydayComment returns a comment as platforms have it, with a body of 111 bytes that names northwind.
func everydayComment(n int) post.Post {
	id := 48_111_222 + n
	return post.Post{
		Source:   "hackernews",
		SourceID: fmt.Sprintf("hackernews_comment_%d", id),
		URL:      fmt.Sprintf("https://news.ycombinator.com/item?id=%d", id),
		PostedAt: worldtest.Now.Add(-time.Duration(n+1) * time.Minute),
		Body: new("We moved our shop to northwind last year and the new checkout is fast; " +
			"support took 2 days to respond, however."),
		Author:               new("quietharbor"),
		AuthorURL:            new("https://news.ycombinator.com/user?id=quietharbor"),
		IsReply:              true,
		Engagement:           map[string]int64{"comments": 2},
		EngagementObservedAt: worldtest.Now,
	}
}

// A rowCost is what one row of a mention takes: bytes as DynamoDB counts them for capacity, and write units.
type rowCost struct {
	name  string
	bytes int
	units float64
}

// mentionCosts returns what the rows of a mention take: its own, in a transaction, which counts twice, and those in the
// indexes.
func mentionCosts(item table.Item) []rowCost {
	costs := []rowCost{{"row", table.Size(item), 2 * table.WriteUnits(table.Size(item))}}
	for _, schema := range rows.Schemas() {
		if schema.Name != rows.MentionsTable {
			continue
		}
		for _, index := range schema.Indexes {
			if row := index.Row(item); row != nil {
				costs = append(costs, rowCost{index.Name, table.Size(row), table.WriteUnits(table.Size(row))})
			}
		}
	}
	return costs
}

// What a mention takes of the table is held here, row by row. Its counts are in rows that other mentions share.
func TestTake_BytesOfAMention(t *testing.T) {
	want := []rowCost{
		{"row", 643, 2}, {"byTime", 223, 1}, {"byAuthor", 169, 1}, {"byId", 82, 1}, {"byStory", 204, 1},
	}
	const (
		wantBytes = 1321
		// Beside its rows: two cells, the days of the keyword and the month's quota, at 2 each, and its id.
		wantUnits = 15
	)
	w := newWorld(t)
	i := w.intake()
	w.take(t, i, saying(5000, "northwind")) // what is read and written once
	p := everydayComment(0)
	if n := len(*p.Body); n != 111 {
		t.Fatalf("the body has %d bytes, want 111", n)
	}
	ctx, meter := table.WithMeter(t.Context())
	if _, err := i.Take(ctx, []post.Post{p}); err != nil {
		t.Fatal(err)
	}
	key := table.Key{Partition: w.Main.ID, Sort: p.SourceID}
	item, err := w.Table.Get(t.Context(), table.Get{Table: rows.MentionsTable, Key: key, Consistent: true})
	must(t, err)
	costs, all := mentionCosts(item), 0
	for _, cost := range costs {
		t.Logf("%-8s %5d bytes %2g write units", cost.name, cost.bytes, cost.units)
		all += cost.bytes
	}
	if !slices.Equal(costs, want) {
		t.Errorf("the rows of a mention = %v, want %v", costs, want)
	}
	if all != wantBytes {
		t.Errorf("a mention takes %d bytes, want %d", all, wantBytes)
	}
	if units := meter.Total().WriteUnits; units != wantUnits {
		t.Errorf("storing a mention alone takes %g write units, want %d", units, wantUnits)
	}
}

// Later writes of a mention: its counters change, and it moves to the archive, copied and then removed.
func TestTake_UnitsOfLaterWrites(t *testing.T) {
	w := newWorld(t)
	p := everydayComment(0)
	w.take(t, w.intake(), p)
	units := func(work func(context.Context) error) float64 {
		t.Helper()
		ctx, meter := table.WithMeter(t.Context())
		must(t, work(ctx))
		return meter.Total().WriteUnits
	}
	archive := func(ctx context.Context) error {
		_, _, err := w.Store.Archive(ctx, w.Main.ID, 0)
		return err
	}
	for _, c := range []struct {
		name string
		work func(context.Context) error
		want float64
	}{
		{"newer counters", func(ctx context.Context) error {
			counters := map[string]int64{"comments": 71}
			_, err := w.Store.Observe(ctx, w.Main.ID, p.SourceID, counters, worldtest.Now.Add(time.Hour))
			return err
		}, 3},
		{"a copy in the archive", archive, 8},
		{"removed an hour later", archive, 8},
	} {
		if got := units(c.work); got != c.want {
			t.Errorf("%s = %g write units, want %g", c.name, got, c.want)
		}
		w.Clock.Freeze(w.Clock.Now().Add(200 * 24 * time.Hour))
	}
}

// payload returns the bytes of all rows in a file of the embedded table.
func payload(b *testing.B, path string) (bytes int64) {
	b.Helper()
	file, err := sql.Open("sqlite", path)
	must(b, err)
	defer file.Close()
	must(b, file.QueryRowContext(b.Context(), "SELECT sum(payload) FROM dbstat").Scan(&bytes))
	return bytes
}

// BenchmarkBytesOfAMention stores mentions with bodies of 111 bytes, ten at once, in a file of the embedded table.
// row-bytes are the bytes of all rows for each mention, file-bytes those of the file: a row of more than 1,002 bytes
// takes a page of 4 KiB more.
func BenchmarkBytesOfAMention(b *testing.B) {
	const mentions, batch = 5_000, 10
	path := filepath.Join(b.TempDir(), "table.db")
	for b.Loop() {
		_ = os.Remove(path)
		opened, err := sqlitetable.Open(path, rows.Schemas(), sqlitetable.Options{})
		must(b, err)
		w := &world{World: worldtest.NewWorld(b)}
		w.judge, err = judge.New()
		must(b, err)
		w.Store = allstores.New(table.Retrying(opened), w.Clock)
		org := workspace.Workspace{ID: workspace.NewID(workspace.PrefixWorkspace, worldtest.Now), Plan: workspace.Enterprise}
		must(b, w.Store.CreateWorkspace(b.Context(), org))
		w.listen(b, org.ID, keyword.Keyword{Text: "northwind", Tag: keyword.OwnBrand})
		i := ingest.New(w.options(w.Store))
		ctx, meter := table.WithMeter(b.Context())
		for from := 0; from < mentions; from += batch {
			var posts []post.Post
			for n := from; n < from+batch; n++ {
				p := everydayComment(n)
				p.PostedAt = worldtest.Now.Add(time.Duration(n-mentions) * time.Minute)
				p.Body = new(fmt.Sprintf("%s %d.", (*p.Body)[:105], 1000+n)) // a story of its own
				posts = append(posts, p)
			}
			_, err := i.Take(ctx, posts)
			must(b, err)
		}
		must(b, opened.Close())
		file, err := os.Stat(path)
		must(b, err)
		b.ReportMetric(float64(file.Size())/mentions, "file-bytes")
		b.ReportMetric(float64(payload(b, path))/mentions, "row-bytes")
		b.ReportMetric(meter.Total().WriteUnits/mentions, "WCU")
	}
}
