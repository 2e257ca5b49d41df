package mentionstore_test

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// BenchmarkPage is what a first page of 20 costs in a workspace of 200,000 mentions, by how many of them its filter takes: read
// capacity as the table counts it, round trips, and pages until 20 are found, each of which stays within store.PageBudget. On the
// embedded table, or on the server that TABLE_ENDPOINT names. PAGE_MENTIONS makes the workspace smaller.
func BenchmarkPage(b *testing.B) {
	total := 200_000
	if text := os.Getenv("PAGE_MENTIONS"); text != "" {
		total, _ = strconv.Atoi(text)
	}
	w := worldtest.NewWorld(b)
	fillWorkspace(b, w, total)
	for keyword, name := range map[int]string{1: "100%", 2: "10%", 3: "1%", 4: "0.1%"} {
		b.Run(name, func(b *testing.B) {
			predicate := parsed(b, fmt.Sprintf(`{"keyword":[%d]}`, keyword))
			var usage table.Usage
			pages, found := 0, 0
			for b.Loop() {
				usage, pages, found = table.Usage{}, 0, 0
				q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Filter: predicate, Limit: 20}
				for found < 20 {
					ctx, meter := table.WithMeter(b.Context())
					page, err := w.Store.Mentions(ctx, q)
					if err != nil {
						b.Fatal(err)
					}
					one := meter.Total()
					usage.Reads += one.Reads
					usage.ReadUnits += one.ReadUnits
					pages++
					found += len(page.Mentions)
					if q.After = page.Next; page.Next == "" {
						break
					}
				}
			}
			b.ReportMetric(usage.ReadUnits, "RCU")
			b.ReportMetric(float64(usage.Reads), "roundtrips")
			b.ReportMetric(float64(pages), "pages")
			b.ReportMetric(float64(found), "mentions")
		})
	}
}

// BenchmarkTextNowhere lists a workspace of 200,000 mentions, 1,440 a day, by a text that none of them has: when no words of
// days are stored, and when those of the lists before are (-benchtime 1x). It says what all pages of a list take together.
func BenchmarkTextNowhere(b *testing.B) {
	total := 200_000
	if text := os.Getenv("PAGE_MENTIONS"); text != "" {
		total, _ = strconv.Atoi(text)
	}
	w := worldtest.NewWorld(b)
	fillWorkspace(b, w, total)
	predicate := parsed(b, `{"text":["zeppelin"]}`)
	for _, name := range []string{"first", "later"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ctx, meter := table.WithMeter(b.Context())
				q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Filter: predicate, Limit: 20}
				pages, before := 0, cpuTime()
				for pages == 0 || q.After != "" {
					page, err := w.Store.Mentions(ctx, q)
					if err != nil || len(page.Mentions) > 0 {
						b.Fatal(len(page.Mentions), err)
					}
					q.After = page.Next
					pages++
				}
				used := meter.Total()
				b.ReportMetric(float64((cpuTime()-before).Microseconds())/1000, "cpu-ms")
				b.ReportMetric(float64(pages), "pages")
				b.ReportMetric(used.ReadUnits, "RCU")
				b.ReportMetric(used.WriteUnits, "WCU")
				b.ReportMetric(float64(used.Reads+used.Writes), "roundtrips")
			}
		})
	}
}

// fillWorkspace ingests mentions of which all match keyword 1, a tenth keyword 2, a hundredth 3 and a thousandth 4.
func fillWorkspace(b *testing.B, w *worldtest.World, total int) {
	b.Helper()
	const chunk = 30
	var group sync.WaitGroup
	room := make(chan struct{}, 8)
	for from := 0; from < total; from += chunk {
		room <- struct{}{}
		group.Go(func() {
			defer func() { <-room }()
			var batch []mention.Mention
			for i := from; i < min(from+chunk, total); i++ {
				m := worldtest.Mention(0, fmt.Sprint("hackernews_comment_", i), worldtest.Now.Add(-time.Duration(i)*time.Minute))
				body := fmt.Sprintf("Northwind paged us at four in the morning and it was right: disk %d of the primary was full, "+
					"and the runbook that came with the alert was the one that we needed.", i)
				m.Body = &body
				m.Keywords = []mention.Keyword{{ID: 1, Text: "northwind"}}
				for n, share := range []int{10, 100, 1000} {
					if i%share == share/2 {
						m.Keywords = append(m.Keywords, mention.Keyword{ID: int64(2 + n), Text: "other"})
					}
				}
				batch = append(batch, m)
			}
			for {
				_, err := w.Store.Ingest(b.Context(), w.Main.ID, 1<<30, batch)
				if err == nil {
					return
				}
				if !table.Retryable(err) {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
}
