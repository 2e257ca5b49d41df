package mentionstore_test

import (
	"sync/atomic"
	"testing"
	"time"

	"earshot/shared/worldtest"
)

// BenchmarkTake is the throughput of the hourly limiter: requests counted one after the other, and by many at once in one
// workspace, which is one row. On the embedded table, or on the server that TABLE_ENDPOINT names.
func BenchmarkTake(b *testing.B) {
	w := worldtest.NewWorld(b)
	take := func(n int64) {
		start := worldtest.Now.Add(time.Duration(n/500) * time.Hour) // a new window whenever one is spent
		if _, _, err := w.Store.Take(b.Context(), w.Main.ID, start, 500); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("one", func(b *testing.B) {
		n := int64(0)
		for b.Loop() {
			take(n)
			n++
		}
	})
	b.Run("many", func(b *testing.B) {
		b.SetParallelism(16)
		var n atomic.Int64
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				take(n.Add(1))
			}
		})
	})
}
