package controls

import (
	"bytes"
	"net/http"
	"os"
	"runtime"
	"strconv"

	"earshot/shared/web/problem"
)

// A process is what the program takes of the machine.
type process struct {
	Goroutines    int    `json:"goroutines"`
	HeapBytes     uint64 `json:"heapBytes"`     // of objects that are in use, or were not yet collected
	ResidentBytes *int64 `json:"residentBytes"` // of memory, the heap's and all other; null: this system does not tell
	OpenFiles     *int   `json:"openFiles"`     // and connections; null: this system does not tell
}

// showProcess tells what the program takes. With collect=true it collects garbage first, so that the heap is what is in use: twice, for
// a pool gives up what it holds only at the second time.
func (c *controls) showProcess(r *http.Request) (any, error) {
	query, err := readQuery(r, "collect")
	if err != nil {
		return nil, err
	}
	switch query.Get("collect") {
	case "true":
		runtime.GC()
		runtime.GC()
	case "false", "":
	default:
		return nil, problem.Invalid(problem.Detail{Path: "query.collect", Code: "enum", Message: "Must be true or false."})
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return process{Goroutines: runtime.NumGoroutine(), HeapBytes: memory.HeapAlloc, ResidentBytes: resident(), OpenFiles: openFiles()}, nil
}

// resident is the second figure of /proc/self/statm, in pages (proc(5)).
func resident() *int64 {
	content, err := os.ReadFile("/proc/self/statm")
	fields := bytes.Fields(content)
	if err != nil || len(fields) < 2 {
		return nil
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return nil
	}
	size := pages * int64(os.Getpagesize())
	return &size
}

// openFiles counts the descriptors, without the one that they are listed by.
func openFiles() *int {
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		return nil
	}
	count := len(entries) - 1
	return &count
}
