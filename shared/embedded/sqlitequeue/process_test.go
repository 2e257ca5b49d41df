package sqlitequeue_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
)

// A child process is this test binary again: the variables say what it does, and to which file.
const (
	roleVariable = "SQLITEQUEUE_TEST_CHILD"
	pathVariable = "SQLITEQUEUE_TEST_PATH"
)

func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := child(role, os.Getenv(pathVariable)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// child sends its messages and consumes what comes, telling of each, until a message says that all were sent and nothing waits.
func child(role, path string) (err error) {
	q, err := sqlitequeue.Open(path, []sqlitequeue.Definition{{Name: name, Visibility: time.Hour}}, clock.System{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, q.Close()) }()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if role == "hold" {
		return q.Consume(ctx, name, sqlitequeue.Consumer{Batch: 3},
			func(_ context.Context, batch []queue.Delivery) ([]string, error) {
				for _, delivery := range batch {
					fmt.Println(string(delivery.Body))
				}
				select {} // until it is killed
			})
	}
	sent := make(chan error, 1)
	go func() {
		for i := range perProcess {
			if err := q.Send(ctx, name, queue.Message{Body: fmt.Appendf(nil, "%s-%d", role, i)}); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	consumed := make(chan error, 1)
	go func() {
		consumed <- q.Consume(ctx, name, sqlitequeue.Consumer{Report: func(err error) { fmt.Fprintln(os.Stderr, err) }},
			func(_ context.Context, batch []queue.Delivery) ([]string, error) {
				for _, delivery := range batch {
					fmt.Println(string(delivery.Body))
				}
				return nil, nil
			})
	}()
	if err := <-sent; err != nil {
		return err
	}
	for {
		depth, err := q.Depth(ctx, name)
		if err != nil {
			return err
		}
		if depth.Waiting == 0 {
			cancel()
			return <-consumed
		}
		time.Sleep(5 * time.Millisecond)
	}
}

const (
	processes  = 4
	perProcess = 60
)

func command(role, path string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"="+role, pathVariable+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

// TestProcesses lets several processes make the same new file, send and consume at once: every message comes, and to one of them.
func TestProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared.db")
	var mu sync.Mutex
	came := map[string]int{}
	faulttest.AtOnce(processes, func(i int) {
		output, err := command(fmt.Sprint("p", i), path).Output()
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, body := range strings.Fields(string(output)) {
			came[body]++
		}
	})
	if len(came) != processes*perProcess {
		t.Errorf("%d messages came of %d", len(came), processes*perProcess)
	}
	for body, times := range came {
		if times != 1 {
			t.Errorf("%s came %d times", body, times)
		}
	}
}

// TestKilled kills a consumer with a batch in hand: it stays hidden for its visibility, and comes again.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "killed.db")
	now := &clock.Adjustable{}
	q := open(t, path, now, sqlitequeue.Definition{Name: name, Visibility: time.Hour})
	send(t, q, "a", "b", "c")
	cmd := command("hold", path)
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(output)
	for range 3 {
		if !lines.Scan() {
			t.Fatal("the child ended early")
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // "signal: killed"
	wantsDepth(t, q, sqlitequeue.Depth{InFlight: 3})
	now.Set(time.Now().Add(time.Hour))
	if count, err := oneBatch(t.Context(), q, name, func([]queue.Delivery) []string { return nil }); err != nil ||
		count != 3 {
		t.Fatalf("oneBatch() = %d, %v, want 3", count, err)
	}
}

// A file of another program is left alone, and so is one of another version.
func TestOpen_OtherVersion(t *testing.T) {
	for pragma, refused := range map[string]bool{"application_id = 7": true, "user_version = 9": true, "cache_size = 10": false} {
		path := filepath.Join(t.TempDir(), "q.db")
		q, err := sqlitequeue.Open(path, nil, clock.System{})
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("PRAGMA " + pragma); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		var other *sqlitequeue.ErrOtherVersion
		again, err := sqlitequeue.Open(path, nil, clock.System{})
		if errors.As(err, &other) != refused {
			t.Errorf("%s: %v", pragma, err)
		}
		if again != nil {
			_ = again.Close()
		}
	}
}

// A sender that waits for another process is throttled when that takes too long, and leaves with its context before.
func TestSend_ContextEndsWhileWaiting(t *testing.T) {
	t.Parallel() // it waits for as long as the patience lasts
	path := filepath.Join(t.TempDir(), "held.db")
	q := open(t, path, clock.System{}, sqlitequeue.Definition{Name: name})
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if err := q.Send(ctx, name, queue.Message{Body: []byte("x")}); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	if err := q.Send(t.Context(), name, queue.Message{Body: []byte("x")}); !errors.Is(err, queue.ErrThrottled) {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	wantsDepth(t, q, sqlitequeue.Depth{})
}
