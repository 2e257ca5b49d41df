package sqlitetable_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/port/table"
)

// A child process is this test binary again: the variables say what it does, and to which file.
const (
	roleVariable = "SQLITETABLE_TEST_CHILD"
	pathVariable = "SQLITETABLE_TEST_PATH"
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

func processSchemas() []table.Schema {
	return []table.Schema{{Name: "rows", Indexes: []table.Index{{Name: "byN", Partition: "stream", Sort: "moment"}}}}
}

func child(role, path string) error {
	opened, err := sqlitetable.Open(path, processSchemas(), sqlitetable.Options{})
	if err != nil {
		return err
	}
	switch role {
	case "acknowledge":
		return acknowledge(opened)
	case "count":
		return errors.Join(count(opened), opened.Close())
	}
	return fmt.Errorf("unknown role %q", role)
}

// acknowledge writes rows for ever and tells of each when it is written.
func acknowledge(t table.Table) error {
	for i := 0; ; i++ {
		name := fmt.Sprintf("%08d", i)
		row := table.Put{Table: "rows", Item: table.Item{"pk": "p", "sk": name, "stream": "s", "moment": name}}
		counter := table.Update{Table: "rows", Key: table.Key{Partition: "c", Sort: "n"}, Add: map[string]int64{"n": 1}}
		if err := t.Transact(context.Background(), table.Transaction{Writes: []table.Write{row, counter}}); err != nil {
			return err
		}
		if _, err := fmt.Println(name); err != nil {
			return err
		}
	}
}

func command(t *testing.T, role, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"="+role, pathVariable+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

// TestKilled kills a writer again and again: every row that it told of is there, and all of each transaction or nothing.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "killed.db")
	for round := range 3 {
		path := fmt.Sprint(path, round)
		cmd := command(t, "acknowledge", path)
		output, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var told []string
		for lines := bufio.NewScanner(output); lines.Scan(); {
			told = append(told, lines.Text())
			if len(told) == 200+300*round {
				if err := cmd.Process.Kill(); err != nil { // and what it told before it died is read on
					t.Fatal(err)
				}
			}
		}
		_ = cmd.Wait() // "signal: killed"
		opened := open(t, path, processSchemas(), sqlitetable.Options{})
		there := map[string]bool{}
		for query := (table.Query{Table: "rows", Partition: "p"}); ; {
			page, err := opened.Query(t.Context(), query)
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range page.Items {
				there[item["sk"].(string)] = true
			}
			if query.After = page.Next; page.Next == nil {
				break
			}
		}
		for _, name := range told {
			if !there[name] && len(name) == 8 {
				t.Fatalf("round %d: row %s was acknowledged and is lost", round, name)
			}
		}
		page, err := opened.Query(t.Context(), table.Query{Table: "rows", Index: "byN", Partition: "s"})
		if err != nil || (page.Next == nil && len(page.Items) != len(there)) {
			t.Fatalf("Query(byN) = %d items, %v, want %d", len(page.Items), err, len(there))
		}
		counter, err := opened.Get(t.Context(), table.Get{Table: "rows", Key: table.Key{Partition: "c", Sort: "n"}})
		if err != nil || counter["n"] != int64(len(there)) {
			t.Fatalf("%v counted, %d rows: %v", counter["n"], len(there), err)
		}
	}
}

const (
	processes  = 8
	goroutines = 32
	tries      = 6
	bound      = processes * goroutines * tries / 3
)

// count tries to count up to the bound, beside reads, and tells how often it did.
func count(t table.Table) error {
	var counted atomic.Int64
	failures := make(chan error, goroutines)
	faulttest.AtOnce(goroutines, func(int) {
		for range tries {
			_, err := t.Update(context.Background(), table.Update{
				Table: "rows", Key: table.Key{Partition: "c", Sort: "n"}, Add: map[string]int64{"n": 1},
				If: table.Any(table.Missing("n"), table.Less("n", int64(bound))),
			})
			var failed *table.ConditionFailed
			if err == nil {
				counted.Add(1)
			} else if !errors.As(err, &failed) {
				failures <- err
				return
			}
			if _, err := t.Query(context.Background(), table.Query{Table: "rows", Partition: "c"}); err != nil {
				failures <- err
				return
			}
		}
	})
	close(failures)
	fmt.Println(counted.Load())
	return <-failures
}

// TestProcesses lets eight processes of 32 goroutines each make the same new file and count in it: nothing fails, and
// exactly as many succeed as may.
func TestProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared.db")
	var total atomic.Int64
	faulttest.AtOnce(processes, func(int) {
		output, err := command(t, "count", path).Output()
		if err != nil {
			t.Error(err)
			return
		}
		n := int64(0)
		if _, err := fmt.Sscan(strings.TrimSpace(string(output)), &n); err != nil {
			t.Error(err)
		}
		total.Add(n)
	})
	if total.Load() != bound {
		t.Fatalf("%d counted, want %d", total.Load(), bound)
	}
}

// A caller that gives up while another process writes is told so at once, and nothing is written.
func TestPut_ContextEndsWhileWaiting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "held.db")
	opened := open(t, path, processSchemas(), sqlitetable.Options{})
	release := hold(t, path)
	defer release()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		done <- opened.Put(ctx, table.Put{Table: "rows", Item: table.Item{"pk": "p", "sk": "s"}})
	}()
	item, err := opened.Get(t.Context(), table.Get{Table: "rows", Key: table.Key{Partition: "p", Sort: "s"}})
	if err != nil || item != nil {
		t.Fatal("a reader waits for a writer:", err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}
