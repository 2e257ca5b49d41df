package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"earshot/functions/local/demo"
)

// refused runs a workbench that must not start, and answers why.
func refused(t *testing.T, settings ...string) string {
	t.Helper()
	var stdout bytes.Buffer
	err := run(t.Context(), environment(settings), &stdout, io.Discard, nil)
	if err == nil || stdout.Len() > 0 {
		t.Fatalf("%v\n%s", err, stdout.String())
	}
	return err.Error()
}

func mustSay(t *testing.T, message string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(message, part) {
			t.Errorf("%q does not say %q", message, part)
		}
	}
}

func TestPortTaken(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	mustSay(t, refused(t, "ADDR="+listener.Addr().String(), "DATA="+t.TempDir()), "port "+port, "taken", "ADDR=127.0.0.1:")
}

func TestFolderTaken(t *testing.T) {
	b := begin(t)
	mustSay(t, refused(t, "DATA="+b.folder), "another workbench", fmt.Sprint("process ", os.Getpid()), "DATA=")
	b.keyed(t, "GET", "/api/v2/mentions/1042", b.demo.Keys.Read, "").ok(t, nil) // the first goes on
}

func TestOtherVersion(t *testing.T) {
	folder := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(folder, "earshot.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA application_id = 7; CREATE TABLE theirs (x)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	mustSay(t, refused(t, "DATA="+folder), "another version", "found", "wanted", "Move", "DATA=")
}

// An emptied database is not taken for a new one, whichever it is.
func TestDatabaseEmptied(t *testing.T) {
	for _, name := range []string{"earshot.db", "queue.db", "mail.db", "identity.db", "archive.db"} {
		folder := t.TempDir()
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		mustSay(t, refused(t, "DATA="+folder), path, "has 0 bytes", "Nothing was changed",
			"Put back a copy of the folder "+folder, "move the folder away")
		if info, err := os.Stat(path); err != nil || info.Size() != 0 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mustSay(t, refused(t, "DATA="+file), file, "cannot be written", "DATA=")
}

func TestServerThatDoesNotAnswer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	endpoint := "http://" + listener.Addr().String()
	listener.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond) // the program itself waits 5 s
	defer cancel()
	err = run(ctx, environment([]string{"DATA=" + t.TempDir(), "TABLE_ENDPOINT=" + endpoint}), io.Discard, io.Discard, nil)
	if err == nil {
		t.Fatal("it started")
	}
	mustSay(t, err.Error(), "TABLE_ENDPOINT="+endpoint, "does not answer", "unset")
}

func TestDamagedDemo(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(demo.Path(folder), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustSay(t, refused(t, "DATA="+folder), demo.Path(folder), "damaged", "remove it")
}

func TestSettingsAreRefusedBeforeAnythingIsMade(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	mustSay(t, refused(t, "ADDR=0.0.0.0:8080", "DATA="+folder), "other machines")
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Error("the folder was made")
	}
}

// A request that is under way when the program is told to stop gets its answer, and what it stored is there.
func TestStopsWhenRequestsHaveEnded(t *testing.T) {
	b := begin(t)
	body, write := io.Pipe()
	answered := make(chan answer, 1)
	go func() {
		defer close(answered) // also when send ends the test
		answered <- b.send(t, "POST", "/_local/mentions?workspace="+b.demo.Workspaces["northwind"], body)
	}()
	line := `{"id":%d,"sourceId":"late_%d","source":"news","timestamp":"2026-11-01 00:00:00.000"}` + "\n"
	if _, err := fmt.Fprintf(write, line, 1, 1); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); b.keyed(t, "GET", "/api/v2/mentions/late_1", b.demo.Keys.Read, "").StatusCode != 200; {
		if time.Since(began) > 5*time.Second {
			t.Fatal("the first line is not stored before the second comes")
		}
		time.Sleep(20 * time.Millisecond)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- b.stop() }()
	for began := time.Now(); time.Since(began) < patience; time.Sleep(5 * time.Millisecond) {
		connection, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
		if err != nil {
			break // it has stopped accepting
		}
		connection.Close()
	}
	if _, err := fmt.Fprintf(write, line, 2, 2); err != nil {
		t.Fatal(err)
	}
	write.Close()
	var report struct{ Stored int }
	got, there := <-answered
	if !there {
		t.Fatal("the request got no answer")
	}
	got.ok(t, &report)
	if report.Stored != 2 {
		t.Errorf("%d stored", report.Stored)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	again := begin(t, "DATA="+b.folder)
	again.keyed(t, "GET", "/api/v2/mentions/late_2", again.demo.Keys.Read, "").ok(t, nil)
}

func TestNothingIsLeftRunning(t *testing.T) {
	before := runtime.NumGoroutine()
	b := begin(t)
	b.keyed(t, "GET", "/api/v2/mentions/1042", b.demo.Keys.Read, "").ok(t, nil)
	b.ask(t, "POST", "/_local/mentions?workspace="+b.demo.Workspaces["northwind"], "{}\n").ok(t, nil)
	if err := b.stop(); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); runtime.NumGoroutine() > before; time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 5*time.Second {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// Every request leaves a record in the log file, and no key with it.
func TestLog(t *testing.T) {
	b := begin(t)
	b.keyed(t, "GET", "/api/v2/mentions/1042", b.demo.Keys.Read, "").ok(t, nil)
	b.ask(t, "GET", "/_local/faults", "").ok(t, nil)
	if err := b.stop(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(b.folder, logName))
	if err != nil {
		t.Fatal(err)
	}
	mustSay(t, string(content), `"operation":"getMention"`, `"route":"/_local/faults"`)
	if strings.Contains(string(content), b.demo.Keys.Read) {
		t.Error("the log holds a key")
	}
}

func TestModel_HalfSet(t *testing.T) {
	const key = "sk-canary-4711"
	for _, c := range [][]string{
		{"MODEL_URL=http://127.0.0.1:1/v1", "MODEL_URL is set and MODEL is not"},
		{"MODEL=llama3.1", "MODEL is set and MODEL_URL is not"},
		{"MODEL=llama3.1 MODEL_URL=http://models.example/v1", "Use https"},
	} {
		message := refused(t, append(strings.Fields(c[0]), "MODEL_KEY="+key, "DATA="+t.TempDir(), "ADDR=127.0.0.1:0")...)
		mustSay(t, message, c[1])
		if strings.Contains(message, key) {
			t.Errorf("run(%s) = %q, want it without the key", c[0], message)
		}
	}
}
