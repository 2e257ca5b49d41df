package firehose

import (
	"testing"
	"time"

	"earshot/shared/source"
)

const sample = `{"did":"did:plc:abc","time_us":1778150000000001,"kind":"commit","commit":{"rev":"3lolab2345672","operation":"create",` +
	`"collection":"app.bsky.feed.post","rkey":"3lolab234567a","record":{"$type":"app.bsky.feed.post","createdAt":"2026-05-07T10:33:18.500Z",` +
	`"langs":["en"],"text":"Lantern DB is out, and it is fast: we moved all of our harbours to it last week."},"cid":"bafyreia1"}}`

// What a stranger writes never makes a post that cannot be kept.
func FuzzEvent(f *testing.F) {
	f.Add([]byte(sample))
	f.Fuzz(func(t *testing.T, message []byte) {
		e, ok := decode(message)
		if !ok {
			return
		}
		q := source.Query{Since: e.passedAt().Add(-time.Hour), Until: e.passedAt().Add(time.Hour)}
		if p, ok := e.post(q); ok && (p.Clean(q.Until) != nil && e.passedAt().Year() > 1995 || !q.Holds(p.PostedAt)) {
			t.Errorf("%q makes %+v", message, p)
		}
	})
}

// BenchmarkEvent says how many times faster posts are read than the network writes them, some fifty a second.
func BenchmarkEvent(b *testing.B) {
	message := []byte(sample)
	b.SetBytes(int64(len(message)))
	for b.Loop() {
		e, ok := decode(message)
		if _, made := e.post(source.Query{Since: e.passedAt().Add(-time.Hour), Until: e.passedAt().Add(time.Hour)}); !ok ||
			!made {
			b.Fatal("no post")
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/50, "×live")
}
