package controls

import (
	"bytes"
	"net/http"
	"os"
	"runtime"
	"strconv"

	"earshot/shared/web/problem"
)

// A process is what the program uses of the machine.
type process struct {
	Working       int    `json:"working"` // functions of queues and schedules that run
	Goroutines    int    `json:"goroutines"`
	HeapBytes     uint64 `json:"heapBytes"`     // of objects that are in use, or were not yet collected
	ResidentBytes *int64 `json:"residentBytes"` // of memory, the heap's and all other; null: this system does not tell
	OpenFiles     *int   `json:"openFiles"`     // and connections; null: this system does not tell
}

// showProcess returns what the program uses. With collect=true it first collects garbage, so that the heap shows what
// is in use. It collects twice, because a pool releases what it holds only the second time.
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
		return nil, problem.Invalid(
			problem.Detail{Path: "query.collect", Code: "enum", Message: "Must be true or false."},
		)
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return process{
		Working:       c.Workers.Working(),
		Goroutines:    runtime.NumGoroutine(),
		HeapBytes:     memory.HeapAlloc,
		ResidentBytes: resident(),
		OpenFiles:     openFiles(),
	}, nil
}

// resident returns the second figure of /proc/self/statm, in pages (proc(5)).
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

// openFiles counts the file descriptors, without the one that lists them.
func openFiles() *int {
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		return nil
	}
	count := len(entries) - 1
	return &count
}
