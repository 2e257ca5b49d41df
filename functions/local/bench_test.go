package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/functions/local/demo"
)

// childVariable makes the test binary the workbench itself, for the tests that kill it.
const childVariable = "EARSHOT_LOCAL_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		if folder := os.Getenv(besideVariable); folder != "" {
			if err := serveMinimal(folder); err != nil {
				panic(err)
			}
		}
		main()
		return
	}
	os.Exit(m.Run())
}

// patience is what only a test that hangs exhausts.
const patience = 30 * time.Second

// A bench is a workbench that runs in this process.
type bench struct {
	url    string
	folder string
	demo   demo.Demo // empty with DEMO=off
	stdout *output
	stderr *output
	stop   func() error // ends it as a signal does, and waits
}

// environment is the environment that a workbench is given: a free port, no sources, and the
// settings as NAME=value.
func environment(settings []string) func(string) string {
	return func(name string) string {
		for _, setting := range append(settings, "ADDR=127.0.0.1:0", "SOURCES=archive") {
			if value, ok := strings.CutPrefix(setting, name+"="); ok {
				return value
			}
		}
		return ""
	}
}

// begin starts a workbench, which ends with the test at the latest.
func begin(t *testing.T, settings ...string) *bench {
	t.Helper()
	b := &bench{stdout: &output{}, stderr: &output{}, folder: environment(settings)("DATA")}
	if b.folder == "" {
		b.folder = filepath.Join(t.TempDir(), "data")
		settings = append(settings, "DATA="+b.folder)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- run(ctx, environment(settings), b.stdout, b.stderr, nil) }()
	b.stop = sync.OnceValue(func() error {
		cancel()
		select {
		case err := <-done:
			return err
		case <-time.After(patience):
			t.Error("the workbench does not stop")
			return nil
		}
	})
	t.Cleanup(func() {
		if err := b.stop(); err != nil {
			t.Error(err)
		}
	})
	b.url = b.stdout.address(t, done)
	if content, err := os.ReadFile(demo.Path(b.folder)); err == nil {
		if err := json.Unmarshal(content, &b.demo); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// An answer is a response that has been read.
type answer struct {
	*http.Response
	body string
}

// ask sends a request. header holds pairs.
func (b *bench) ask(t *testing.T, method, target, body string, header ...string) answer {
	t.Helper()
	return b.send(t, method, target, strings.NewReader(body), header...)
}

func (b *bench) send(t *testing.T, method, target string, body io.Reader, header ...string) answer {
	t.Helper()
	request, err := http.NewRequest(method, b.url+target, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			request.Host = header[i+1]
		}
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport, Timeout: patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response, string(content)}
}

// keyed sends a JSON body with a key.
func (b *bench) keyed(t *testing.T, method, target, key, body string) answer {
	t.Helper()
	return b.ask(t, method, target, body, "Authorization", "Bearer "+key, "Content-Type", "application/json")
}

// is fails the test unless the answer is this problem, in the envelope and with the headers that every answer has.
func (a answer) is(t *testing.T, status int, code string) {
	t.Helper()
	var envelope struct {
		Error struct {
			Code, Message string
			Status        int
		}
	}
	if err := json.Unmarshal([]byte(a.body), &envelope); err != nil || a.StatusCode != status ||
		envelope.Error.Code != code ||
		envelope.Error.Status != status || envelope.Error.Message == "" {
		t.Errorf("%d %s, want %d %s", a.StatusCode, a.body, status, code)
	}
	for _, name := range []string{"X-Request-Id", "Cache-Control", "X-Content-Type-Options"} {
		if a.Header.Get(name) == "" {
			t.Errorf("%s is missing", name)
		}
	}
}

// ok fails the test unless the answer is 200, and reads it.
func (a answer) ok(t *testing.T, into any) {
	t.Helper()
	if a.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(a.body), into); err != nil {
			t.Fatalf("%s: %v", a.body, err)
		}
	}
}

// output keeps what a program writes.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(text)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// address waits for the program to say where it listens and, with it, everything else that it says at its start.
func (o *output) address(t testing.TB, done <-chan error) string {
	t.Helper()
	told := regexp.MustCompile(`(?s)^Earshot listens on (http://\S+) .*\n\n.*\n`)
	for began := time.Now(); time.Since(began) < patience; time.Sleep(2 * time.Millisecond) {
		if found := told.FindStringSubmatch(o.String()); found != nil {
			return found[1]
		}
		select {
		case err := <-done:
			t.Fatalf("it ended: %v", err)
		default:
		}
	}
	t.Fatalf("it does not listen: %s", o)
	return ""
}
