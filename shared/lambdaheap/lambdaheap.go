// Package lambdaheap keeps the garbage collector out of a Lambda's start.
//
// Only mains import it.
package lambdaheap

import (
	"runtime"
	"runtime/debug"
)

// unhurried lets the heap grow to 16 MB, four times Go's least, before a first collection.
const unhurried = 400

// Defer postpones the first collection of a process until its heap approaches 16 MB. The collector works as before
// from then on. A Lambda has 256 MB or more, so the memory is there. A collection in the middle of a start takes 2 to
// 3 ms and a fifth of the start's processor time.
//
// A main calls it first if the function collects before its first answer, which GODEBUG=gctrace=1 shows.
func Defer() {
	before := debug.SetGCPercent(unhurried)
	type collected struct{ _ [64]byte }
	runtime.AddCleanup(&collected{}, func(percent int) { debug.SetGCPercent(percent) }, before)
}
