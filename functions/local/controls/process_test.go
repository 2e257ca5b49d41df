package controls_test

import (
	"os"
	"testing"
	"time"
)

// What the program holds is told as it is: a goroutine, a file and memory more, and, after a collection, none of that.
func TestProcess(t *testing.T) {
	d := newDesk(t)
	type shown struct {
		Working       int
		Goroutines    int
		HeapBytes     int64
		ResidentBytes *int64
		OpenFiles     *int
	}
	ask := func() (got shown) {
		t.Helper()
		d.do("GET", "/_local/process?collect=true", nil).ok(t, &got)
		return got
	}
	before := ask()
	if before.Working != 2 || before.Goroutines < 1 ||
		before.HeapBytes < 1<<18 || before.ResidentBytes != nil && *before.ResidentBytes < before.HeapBytes/2 {
		t.Errorf("%+v", before)
	}
	const size = 64 << 20
	held, stop := make([]byte, size), make(chan struct{})
	for i := range held {
		held[i] = 1
	}
	go func() { <-stop }()
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	during := ask()
	if during.Goroutines != before.Goroutines+1 || during.HeapBytes < before.HeapBytes+size*9/10 || held[size-1] != 1 {
		t.Errorf("%+v, before %+v", during, before)
	}
	if during.OpenFiles != nil && *during.OpenFiles != *before.OpenFiles+1 {
		t.Errorf("%d files are open, %d before", *during.OpenFiles, *before.OpenFiles)
	}
	file.Close()
	close(stop)
	held = nil
	after := ask()
	for began := time.Now(); after.Goroutines > before.Goroutines &&
		time.Since(began) < 5*time.Second; time.Sleep(time.Millisecond) {
		after = ask()
	}
	if after.Goroutines > before.Goroutines || after.HeapBytes > before.HeapBytes+size/2 {
		t.Errorf("%+v, before %+v", after, before)
	}
	d.do("GET", "/_local/process", nil).ok(t, nil)
	if got := d.do("GET", "/_local/process?collect=1&x=2", nil).is(t, 400, "VALIDATION_ERROR"); got[0] != "query.x unknown" {
		t.Error(got)
	}
	if got := d.do("GET", "/_local/process?collect=1", nil).is(t, 400, "VALIDATION_ERROR"); got[0] != "query.collect enum" {
		t.Error(got)
	}
	d.post("/_local/process", "").is(t, 404, "NOT_FOUND")
}
