package runtimeapi

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ProcessorTime returns how long the threads that the process has now were on a processor, to a few microseconds.
// Returns an error on systems other than Linux, which do not tell, and if the process has ended.
func (f *Function) ProcessorTime() (time.Duration, error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", f.command.Process.Pid))
	if err != nil || len(threads) == 0 {
		return 0, fmt.Errorf("the processor time of %s is unknown: its threads are not in /proc", f.name)
	}
	var all time.Duration
	for _, thread := range threads {
		content, err := os.ReadFile(thread)
		if err != nil {
			return 0, fmt.Errorf("read the processor time of %s: %w", f.name, err)
		}
		first, _, _ := strings.Cut(string(content), " ")
		took, err := strconv.ParseInt(first, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("read the processor time of %s in %s: %w", f.name, thread, err)
		}
		all += time.Duration(took)
	}
	return all, nil
}
