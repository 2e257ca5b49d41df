package lambdaheap_test

import (
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"earshot/shared/lambdaheap"
)

func TestDefer(t *testing.T) {
	before := read("/gc/gogc:percent")
	lambdaheap.Defer()
	if goal := read("/gc/heap/goal:bytes"); goal < 16<<20 {
		t.Errorf("after Defer a collection is due at %d bytes, want 16 MiB or more", goal)
	}
	runtime.GC()
	for deadline := time.Now().Add(10 * time.Second); read("/gc/gogc:percent") != before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after a collection GOGC = %d, want %d", read("/gc/gogc:percent"), before)
		}
	}
}

func read(metric string) uint64 {
	sample := []metrics.Sample{{Name: metric}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
