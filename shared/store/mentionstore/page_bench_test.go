package mentionstore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
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

// BenchmarkTextNowhere lists a workspace of 200,000 mentions by a text that none of them has: what all pages of a list
// take together. Mentions that were ingested: the first list, the next, which has words of days, what GatherTerms takes,
// and a list after it. Mentions that were put in: the first list, and the next. Runs once each (-benchtime 1x).
// PAGE_DAYS is how many days they are of, 139 otherwise, and PAGE_WORDS how many words of a vocabulary of 200,000 each
// has more than the others.
func BenchmarkTextNowhere(b *testing.B) {
	total := number(b, "PAGE_MENTIONS", 200_000)
	for _, fill := range []string{"ingested", "put"} {
		b.Run(fill, func(b *testing.B) {
			w := worldtest.NewWorld(b)
			if fill == "put" {
				putWorkspace(b, w, total)
			} else {
				fillWorkspace(b, w, total)
			}
			list := func(b *testing.B) { listNowhere(b, w) }
			b.Run("first", list)
			b.Run("next", list)
			if fill == "put" {
				return
			}
			b.Run("gather", func(b *testing.B) {
				for b.Loop() {
					metered(b, func(ctx context.Context) {
						done, finished, err := w.Store.GatherTerms(ctx, w.Main.ID, 0)
						if err != nil || !finished {
							b.Fatal(finished, err)
						}
						b.ReportMetric(float64(done.Days), "days")
					})
				}
			})
			b.Run("gathered", list)
		})
	}
}

func listNowhere(b *testing.B, w *worldtest.World) {
	predicate := parsed(b, `{"text":["zeppelin"]}`)
	for b.Loop() {
		metered(b, func(ctx context.Context) {
			q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, Filter: predicate, Limit: 20}
			pages := 0
			for pages == 0 || q.After != "" {
				page, err := w.Store.Mentions(ctx, q)
				if err != nil || len(page.Mentions) > 0 {
					b.Fatal(len(page.Mentions), err)
				}
				q.After = page.Next
				pages++
			}
			b.ReportMetric(float64(pages), "pages")
		})
	}
}

// metered reports what a call takes.
func metered(b *testing.B, call func(ctx context.Context)) {
	ctx, meter := table.WithMeter(b.Context())
	before := worldtest.ProcessorTime()
	call(ctx)
	used := meter.Total()
	b.ReportMetric(float64((worldtest.ProcessorTime()-before).Microseconds())/1000, "cpu-ms")
	b.ReportMetric(used.ReadUnits, "RCU")
	b.ReportMetric(used.WriteUnits, "WCU")
	b.ReportMetric(float64(used.Reads+used.Writes), "roundtrips")
}

// number returns the number in a variable of the environment.
func number(b *testing.B, name string, otherwise int) int {
	b.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		b.Fatal(name, err)
	}
	return n
}

// putWorkspace puts mentions in as the workbench does, eight batches at once.
func putWorkspace(b *testing.B, w *worldtest.World, total int) {
	b.Helper()
	apart, words := time.Duration(number(b, "PAGE_DAYS", 139))*24*time.Hour/time.Duration(total),
		number(b, "PAGE_WORDS", 0)
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.1, 10, 200_000)
	var group sync.WaitGroup
	room := make(chan struct{}, 8)
	for from := 0; from < total; from += mentionstore.MaxPut {
		var batch []mention.Mention
		for i := from; i < min(from+mentionstore.MaxPut, total); i++ {
			at := worldtest.Now.Add(-time.Duration(i) * apart)
			m := worldtest.Mention(int64(i+1), fmt.Sprint("hackernews_comment_", i), at)
			body := benchBody(i)
			for range words {
				body += fmt.Sprint(" word", zipf.Uint64())
			}
			m.Body = &body
			m.Keywords = []mention.Keyword{{ID: 1, Text: "northwind"}}
			batch = append(batch, m)
		}
		room <- struct{}{}
		group.Go(func() {
			defer func() { <-room }()
			for _, err := range w.Store.PutMentions(b.Context(), w.Main.ID, batch) {
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func benchBody(i int) string {
	return fmt.Sprintf("Northwind paged us at four in the morning and it was right: disk %d of the primary was full, "+
		"and the runbook that came with the alert was the one that we needed.", i)
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
				body := benchBody(i)
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
