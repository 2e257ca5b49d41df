//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"earshot/functions/local/demo"
	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
)

// A child is a workbench in a process of its own.
type child struct {
	url     string
	command *exec.Cmd
	done    chan error
}

func spawn(t *testing.T, folder string) *child {
	t.Helper()
	stdout := &output{}
	c := &child{command: exec.Command(os.Args[0], "serve"), done: make(chan error, 1)}
	c.command.Env = append(os.Environ(), childVariable+"=1", "ADDR=127.0.0.1:0", "DATA="+folder, "TABLE_ENDPOINT=",
		"DEMO=", "SOURCES=archive")
	c.command.Stdout, c.command.Stderr = stdout, os.Stderr
	if err := c.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { c.done <- c.command.Wait() }()
	t.Cleanup(func() { _ = c.command.Process.Kill() })
	c.url = stdout.address(t, c.done)
	return c
}

// load puts mentions in, a few lines a request, and reads, until the workbench is gone. It answers the ids of the mentions
// that were acknowledged.
func (c *child) load(round int, made demo.Demo, acknowledged *atomic.Int64) []string {
	const writers, batch = 6, 5
	var group sync.WaitGroup
	var told [writers][]string
	client := &http.Client{Timeout: patience}
	defer client.CloseIdleConnections()
	for writer := range writers {
		group.Go(func() {
			for n := 0; ; n += batch {
				var ids []string
				var lines bytes.Buffer
				for i := n; i < n+batch; i++ {
					number := (round*writers+writer)*100_000 + i + 10_000
					ids = append(ids, fmt.Sprintf("kill_%d", number))
					fmt.Fprintf(&lines, `{"id":%d,"sourceId":"kill_%d","source":"news","timestamp":"2026-11-01 00:00:00.000","body":%q}`+"\n",
						number, number, strings.Repeat("x", 500))
				}
				response, err := client.Post(c.url+"/_local/mentions?workspace="+made.Workspaces["northwind"],
					"application/x-ndjson", &lines)
				if err != nil {
					return
				}
				var report struct{ Stored int }
				err = json.NewDecoder(response.Body).Decode(&report)
				response.Body.Close()
				if err != nil {
					return
				}
				if report.Stored == batch {
					told[writer] = append(told[writer], ids...)
					acknowledged.Add(batch)
				}
			}
		})
	}
	group.Go(func() {
		for range 100 { // of the workspace's 500 in the hour
			request, err := http.NewRequest("GET", c.url+"/api/v2/mentions/1042", nil)
			if err != nil {
				return
			}
			request.Header.Set("Authorization", "Bearer "+made.Keys.Read)
			response, err := client.Do(request)
			if err != nil {
				return
			}
			response.Body.Close()
		}
	})
	group.Wait()
	var all []string
	for _, ids := range told {
		all = append(all, ids...)
	}
	return all
}

// Killed under load, it loses nothing that it has acknowledged, and starts again.
func TestKilled(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	var told []string
	for round := range 3 {
		c := spawn(t, folder)
		made := readDemo(t, folder)
		var acknowledged atomic.Int64
		killed := make(chan struct{})
		go func() {
			defer close(killed)
			for began := time.Now(); acknowledged.Load() < 400 && time.Since(began) < patience; {
				time.Sleep(time.Millisecond)
			}
			_ = c.command.Process.Kill()
		}()
		ids := c.load(round, made, &acknowledged)
		<-killed
		<-c.done
		if len(ids) < 400 {
			t.Fatalf("round %d: %d acknowledged", round, len(ids))
		}
		told = append(told, ids...)
	}
	b := begin(t, "DATA="+folder)
	harmless := b.ask(t, "POST", "/_local/clock",
		fmt.Sprintf(`{"now":%q}`, time.Now().Add(2*time.Hour).Format(time.RFC3339)))
	harmless.ok(t, nil) // a fresh hour to read in
	seen := b.walk(t, b.demo.Keys.Read)
	for _, id := range told {
		if !seen[id] {
			t.Errorf("%s was acknowledged and is lost", id)
		}
	}
	if demoPosts := len(seen); demoPosts < len(told)+72 {
		t.Errorf("%d mentions, fewer than %d", demoPosts, len(told)+72)
	}
}

// Killed while it fills in the demo, it completes it at the next start.
func TestKilledAtTheStart(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	for _, after := range []time.Duration{20, 40, 60} {
		command := exec.Command(os.Args[0], "serve")
		command.Env = append(os.Environ(), childVariable+"=1", "ADDR=127.0.0.1:0", "DATA="+folder, "TABLE_ENDPOINT=", "DEMO=",
			"SOURCES=archive")
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after * time.Millisecond) // wherever that finds it
		_ = command.Process.Kill()
		_ = command.Wait()
	}
	b := begin(t, "DATA="+folder)
	if seen := b.walk(t, b.demo.Keys.Read); len(seen) != 72 {
		t.Errorf("%d mentions", len(seen))
	}
}

// What it took from a queue before it was killed comes at once when it starts again.
func TestKilled_WorkInHand(t *testing.T) {
	folder := t.TempDir()
	q, err := sqlitequeue.Open(filepath.Join(folder, "queue.db"),
		[]sqlitequeue.Definition{{Name: queue.Exports, Visibility: exportTime}}, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Send(t.Context(), queue.Exports,
		queue.Message{Body: []byte(`{"workspaceId":"org_1","exportId":"exp_1"}`)}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = q.Consume(ctx, queue.Exports, sqlitequeue.Consumer{}, func(context.Context, []queue.Delivery) ([]string, error) {
		cancel()
		return nil, errors.New("killed")
	})
	if err := errors.Join(err, q.Close()); err != nil {
		t.Fatal(err)
	}
	b := begin(t, "DATA="+folder)
	var depths string
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(20 * time.Millisecond) {
		var found struct {
			Queues []struct {
				Queue                            string
				Waiting, Delayed, InFlight, Dead int
			}
		}
		b.ask(t, "GET", "/_local/queues", "").ok(t, &found)
		left := 0
		for _, one := range found.Queues {
			if one.Queue == queue.Exports {
				left = one.Waiting + one.InFlight + one.Dead
			}
		}
		if depths = fmt.Sprintf("%+v", found.Queues); left == 0 {
			return
		}
	}
	t.Errorf("the queues are %s after 30 seconds, want no export in them", depths)
}

// SIGTERM ends it well.
func TestSignal(t *testing.T) {
	c := spawn(t, filepath.Join(t.TempDir(), "data"))
	if err := c.command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := <-c.done; err != nil {
		t.Errorf("it ends with %v", err)
	}
}

func readDemo(t *testing.T, folder string) (made demo.Demo) {
	t.Helper()
	content, err := os.ReadFile(demo.Path(folder))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &made); err != nil {
		t.Fatal(err)
	}
	return made
}
