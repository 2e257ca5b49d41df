package memflow_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/memflow"
	"earshot/shared/port/flow/flowtest"
	"earshot/shared/proposal"
)

func TestSuite(t *testing.T) {
	flowtest.Run(t, func(t *testing.T) flowtest.Medium {
		seen := &journal{}
		release := make(chan struct{})
		f := memflow.New(memflow.Options{
			Stages: []proposal.StageSpec{{Name: "waits", Limit: time.Hour, Attempts: 1}},
			Call: func(ctx context.Context, _ proposal.StageSpec, _ []byte) error {
				select {
				case <-release:
				case <-ctx.Done():
				}
				return ctx.Err()
			},
			Log: slog.New(slog.NewJSONHandler(seen, nil)),
		})
		t.Cleanup(f.Close)
		var ending sync.Once
		return flowtest.Medium{
			Flow:  f,
			Began: func(_ context.Context, name string) (int, error) { return seen.count("an execution began", name), nil },
			End: func(ctx context.Context, name string) error {
				ending.Do(func() { close(release) })
				for seen.count("an execution ended", name) == 0 {
					if err := ctx.Err(); err != nil {
						return err
					}
					time.Sleep(time.Millisecond)
				}
				return nil
			},
		}
	})
}

// A journal keeps the lines of a log.
type journal struct {
	mu    sync.Mutex
	lines []line
}

type line struct {
	Message   string `json:"msg"`
	Execution string `json:"execution"`
	Stage     string `json:"stage"`
	Source    string `json:"source"`
	Cause     string `json:"cause"`
}

func (j *journal) Write(text []byte) (int, error) {
	var read line
	if err := json.Unmarshal(text, &read); err != nil {
		return 0, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, read)
	return len(text), nil
}

func (j *journal) count(message, execution string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := 0
	for _, each := range j.lines {
		if each.Message == message && each.Execution == execution {
			n++
		}
	}
	return n
}

// causes are what the attempts failed with, cut to their first line.
func (j *journal) causes() (all []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, each := range j.lines {
		if each.Message == "an attempt failed" {
			first, _, _ := strings.Cut(each.Cause, "\n")
			all = append(all, first)
		}
	}
	return all
}
