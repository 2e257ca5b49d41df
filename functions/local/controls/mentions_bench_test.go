package controls_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"earshot/shared/worldtest"
)

// BenchmarkMentions puts 2,000 mentions of 500 bytes into a workspace, by /_local/mentions on the embedded table: in the
// order of their time, 50 a day, or "mixed", each of another day than the one before, so that hardly any two share their
// counts. The figures are mentions a second of time and of processor time.
func BenchmarkMentions(b *testing.B) {
	b.Run("ordered", func(b *testing.B) { putMentions(b, func(id int) int { return id / 50 % 90 }) })
	b.Run("mixed", func(b *testing.B) { putMentions(b, func(id int) int { return id % 90 }) })
}

// putMentions measures mentions that were posted so many days ago.
func putMentions(b *testing.B, ago func(id int) int) {
	const lines = 2_000
	d := newDesk(b)
	id := 0
	var took, busy time.Duration
	for b.Loop() {
		var body strings.Builder
		for range lines {
			id++
			at := worldtest.Now.Add(-time.Duration(ago(id)) * 24 * time.Hour)
			fmt.Fprintf(&body, `{"id":%d,"sourceId":"news_%d","source":"news","timestamp":%q,"title":"Title %d",`+
				`"author":"author%d","body":%q,"relevance":"relevant","sentiment":"Positive","language":"english",`+
				`"tags":["product_question"],"keywords":[{"id":1,"keyword":"earshot"}],"keywordId":1}`+"\n",
				id, id, at.Format("2006-01-02 15:04:05.000"), id, id%500,
				strings.Repeat(fmt.Sprintf("word%d and more of it, ", id), 12))
		}
		began, used := time.Now(), worldtest.ProcessorTime()
		if got := d.mentions(b, strings.NewReader(body.String())); got.Stored != lines {
			b.Fatalf("stored %d of %d mentions: %.300v", got.Stored, lines, got.Rejected)
		}
		took, busy = took+time.Since(began), busy+worldtest.ProcessorTime()-used
	}
	b.ReportMetric(float64(id)/took.Seconds(), "mentions/s")
	b.ReportMetric(float64(id)/busy.Seconds(), "mentions/cpu-s")
	b.ReportMetric(0, "ns/op")
}
