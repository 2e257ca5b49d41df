package stage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"earshot/infra/runtimeapi"
)

// A function is a deployed one: as many processes as there were calls at once, each of which is used again.
type function struct {
	stage    *stage
	id       string
	binary   string
	timeout  time.Duration
	resource resource
	in       template // that the resource is of
	told     []string // variables beside the template's, which win

	mu      sync.Mutex
	idle    []*runtimeapi.Function
	all     []*runtimeapi.Function
	killed  int // processes that were to die
	invoked int
}

// environment is what the template tells the function, what Lambda adds, and where the servers are that stand for AWS.
func (f *function) environment() (variables []string, err error) {
	variables = []string{"AWS_ACCESS_KEY_ID=local", "AWS_SECRET_ACCESS_KEY=local", "AWS_SESSION_TOKEN=local",
		"AWS_LAMBDA_FUNCTION_NAME=" + f.id, "AWS_LAMBDA_LOG_FORMAT=JSON",
		fmt.Sprint("AWS_LAMBDA_LOG_LEVEL=", f.resource.property("LoggingConfig", "ApplicationLogLevel")),
		fmt.Sprint("AWS_LAMBDA_FUNCTION_MEMORY_SIZE=", f.resource.property("MemorySize")),
	}
	for _, name := range endpoints {
		variables = append(variables, name+"="+os.Getenv(name))
	}
	given, _ := f.resource.property("Environment", "Variables").(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value, err := f.stage.text(f.in, given[name])
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", name, f.id, err)
		}
		variables = append(variables, name+"="+value)
	}
	return append(variables, f.told...), nil
}

// invoke calls the function in a process that is free, or in a new one, and gives it its time.
func (f *function) invoke(ctx context.Context, payload []byte) ([]byte, error) {
	process, err := f.process(ctx)
	if err != nil {
		return nil, err
	}
	within, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	answer, err := process.Invoke(within, payload)
	// One that has ended, or was stopped at its limit, is used no more.
	if own := (*runtimeapi.Error)(nil); err == nil || errors.As(err, &own) {
		f.mu.Lock()
		f.idle = append(f.idle, process)
		f.mu.Unlock()
	}
	return answer, err
}

func (f *function) process(ctx context.Context) (*runtimeapi.Function, error) {
	f.mu.Lock()
	f.invoked++
	if n := len(f.idle); n > 0 {
		process := f.idle[n-1]
		f.idle = f.idle[:n-1]
		f.mu.Unlock()
		return process, nil
	}
	f.mu.Unlock()
	variables, err := f.environment()
	if err != nil {
		return nil, err
	}
	const initTime = 10 * time.Second // what Lambda gives a process to ask for its first event
	within, cancel := context.WithTimeout(ctx, initTime)
	defer cancel()
	process, err := runtimeapi.Start(within, f.binary, variables)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, process)
	return process, nil
}

// kill ends the function's processes at once, whatever they do, as the loss of their machine does.
func (f *function) kill() {
	f.mu.Lock()
	running := slices.Clone(f.all)
	f.idle, f.killed = nil, len(f.all)
	f.mu.Unlock()
	for _, process := range running {
		process.Close()
	}
}

// end ends the processes with the test, and holds what they wrote to what a log may have: JSON alone, no crash, and no key.
func (f *function) end() {
	t := f.stage.t
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, process := range f.all {
		process.Close()
		output := process.Output()
		for line := range strings.Lines(output) {
			var record map[string]any
			if err := json.Unmarshal([]byte(line), &record); err != nil && f.killed == 0 {
				t.Errorf("%s wrote %q: %v", f.id, line, err)
			}
		}
		for _, never := range []string{"panic", "goroutine ", "cannot start", "@harbour.example", "@northwind.example"} {
			if strings.Contains(output, never) {
				t.Errorf("%s wrote %q:\n%s", f.id, never, output)
			}
		}
	}
}
