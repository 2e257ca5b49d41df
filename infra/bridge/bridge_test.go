package bridge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"earshot/infra/bridge"
)

// serve starts a server, and returns options for it with a static token.
func serve(t *testing.T, handler http.HandlerFunc) bridge.Options {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return bridge.Options{
		Server: func(context.Context, string) (bridge.Server, error) {
			return bridge.Server{URL: server.URL, Token: "a token"}, nil
		},
		Log:    io.Discard,
		Remedy: "Run the remedy.",
	}
}

// echo responds to a request with its id.
func echo(w http.ResponseWriter, r *http.Request) {
	var m struct{ ID json.RawMessage }
	if body, err := io.ReadAll(r.Body); err == nil && json.Unmarshal(body, &m) == nil {
		fmt.Fprintf(w, "{\n \"jsonrpc\": \"2.0\", \"id\": %s, \"result\": {}\n}\n", m.ID)
	}
}

// exchange runs the bridge on an input, and returns the lines that it writes.
func exchange(t *testing.T, o bridge.Options, input string) []string {
	t.Helper()
	var out bytes.Buffer
	o.From, o.To = strings.NewReader(input), &out
	if err := bridge.Run(t.Context(), o); err != nil {
		t.Fatalf("Run = %v", err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// Every line that is no message gets an error, and the lines after it are served.
func TestRun_Malformed(t *testing.T) {
	o := serve(t, echo)
	good := `{"jsonrpc":"2.0","id":7,"method":"ping"}`
	for _, c := range []struct{ name, line, want string }{
		{"no JSON", `{"jsonrpc"`, `"id":null,"error":{"code":-32700`},
		{"text", `"text"`, `"id":null,"error":{"code":-32600`},
		{"batch", `[` + good + `]`, `"id":null,"error":{"code":-32600`},
		{"method no text", `{"jsonrpc":"2.0","id":"a","method":1}`, `"id":"a","error":{"code":-32600`},
		{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `"id":null,"error":{"code":-32600`},
		{"too long", `{"x":"` + strings.Repeat("x", 1<<20) + `"}`, `"id":null,"error":{"code":-32600`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := exchange(t, o, c.line+"\n\n"+good+"\n")
			if len(got) != 2 || !strings.Contains(got[0], c.want) || got[1] != `{"jsonrpc":"2.0","id":7,"result":{}}` {
				t.Errorf("wrote %q, want %q and a result", got, c.want)
			}
		})
	}
}

// A line of exactly the bound is passed on, and the last line needs no end.
func TestRun_LongestLine(t *testing.T) {
	frame := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":""}}`
	line := strings.Replace(frame, `""`, `"`+strings.Repeat("x", 1<<20-len(frame))+`"`, 1)
	got := exchange(t, serve(t, echo), line)
	if len(line) != 1<<20 || len(got) != 1 || !strings.Contains(got[0], "result") {
		t.Errorf("a line of %d bytes: wrote %.200q", len(line), got)
	}
}

// The headers repeat the body from the newest revision on. Older ones get the revision that initialize agreed on.
func TestRun_Headers(t *testing.T) {
	var mutex sync.Mutex
	seen := map[string]http.Header{}
	o := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var m struct{ Method string }
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &m)
		mutex.Lock()
		seen[m.Method] = r.Header
		mutex.Unlock()
		if m.Method == "initialize" {
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}`)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	})
	exchange(t, o, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sü","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
`)
	for method, want := range map[string][3]string{
		"initialize":                {"", "", ""},
		"notifications/initialized": {"2025-06-18", "", ""},
		"tools/call":                {"2026-07-28", "tools/call", "=?base64?c8O8?="},
	} {
		h := seen[method]
		got := [3]string{h.Get("Mcp-Protocol-Version"), h.Get("Mcp-Method"), h.Get("Mcp-Name")}
		if got != want || h.Get("Authorization") != "Bearer a token" {
			t.Errorf("%s: headers %q, want %q", method, got, want)
		}
	}
}

// A request before initialize is refused by what the client can do: it sends lines, and no headers. A ping may come
// before it, and a message may name its own revision.
func TestRun_BeforeInitialize(t *testing.T) {
	var revision atomic.Value
	o := serve(t, func(w http.ResponseWriter, r *http.Request) {
		revision.Store(r.Header.Get("Mcp-Protocol-Version"))
		echo(w, r)
	})
	for _, c := range []struct{ line, revision, want string }{
		{`{"jsonrpc":"2.0","id":"a","method":"tools/list"}`, "", `Send initialize first`},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_feeds","_meta":{}}}`, "",
			`Send initialize first`},
		{`{"jsonrpc":"2.0","id":3,"method":"ping"}`, "2025-06-18", `"result"`},
		{`{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
			"2026-07-28", `"result"`},
	} {
		revision.Store("")
		got := exchange(t, o, c.line)
		if len(got) != 1 || !strings.Contains(got[0], c.want) || strings.Contains(got[0], "header") ||
			revision.Load() != c.revision {
			t.Errorf("%s: wrote %q, revision %q of the header, want %q and %q", c.line, got, revision.Load(), c.want, c.revision)
		}
	}
}

// Requests run at the same time, at most eight, and each gets its response before Run returns.
func TestRun_AtOnce(t *testing.T) {
	var now, most atomic.Int64
	o := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		time.Sleep(20 * time.Millisecond)
		echo(w, r)
	})
	var input strings.Builder
	for id := range 40 {
		fmt.Fprintf(&input, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}\n", id)
	}
	ids := map[string]bool{}
	for _, line := range exchange(t, o, input.String()) {
		ids[line] = strings.Contains(line, "result")
	}
	if len(ids) != 40 || most.Load() < 2 || most.Load() > 8 {
		t.Errorf("%d responses, at most %d at once, want 40 and 2 to 8", len(ids), most.Load())
	}
}

// A canceled request ends at the server too, and gets no response. Its id, and a request that waits, can be canceled.
func TestRun_Cancelled(t *testing.T) {
	began, ended := make(chan struct{}), make(chan struct{})
	o := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if !bytes.Contains(body, []byte("slow")) {
			echo(w, r)
			return
		}
		close(began)
		<-r.Context().Done()
		close(ended)
	})
	from, to := io.Pipe()
	var out bytes.Buffer
	o.From, o.To = from, &out
	done := make(chan error, 1)
	go func() { done <- bridge.Run(t.Context(), o) }()
	slow := `{"jsonrpc":"2.0","id":"a","method":"slow","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	fmt.Fprintln(to, slow)
	<-began
	fmt.Fprintln(to, strings.Replace(slow, `"slow"`, `"again"`, 1))
	fmt.Fprintln(to, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`)
	fmt.Fprintln(to, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unknown"}}`)
	<-ended
	fmt.Fprintln(to, `{"jsonrpc":"2.0","id":"b","method":"ping"}`)
	to.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	got := out.String()
	if strings.Count(got, "\n") != 2 || !strings.Contains(got, "is under way") ||
		!strings.Contains(got, `"id":"b","result"`) {
		t.Errorf("wrote %s, want one refusal and one result", got)
	}
}

// Without a server each request gets an error with the remedy, and the bridge goes on.
func TestRun_ServerDown(t *testing.T) {
	var log bytes.Buffer
	o := serve(t, echo)
	o.Server = func(context.Context, string) (bridge.Server, error) {
		return bridge.Server{URL: "http://127.0.0.1:1/x"}, nil
	}
	o.Log = &log
	got := exchange(t, o, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if len(got) != 1 || !strings.Contains(got[0],
		`"id":1,"error":{"code":-32000,"message":"No Earshot answers at http://127.0.0.1:1: `) ||
		!strings.Contains(got[0], "Start it") {
		t.Errorf("wrote %q", got)
	}
	if !strings.Contains(log.String(), "notifications/initialized was lost") {
		t.Errorf("logged %q", &log)
	}
}

// A 401 is tried again with another token, once. If there is none, the error has the remedy and not the token.
func TestRun_Unauthorized(t *testing.T) {
	asked := 0
	o := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if asked++; r.Header.Get("Authorization") == "Bearer fresh" {
			echo(w, r)
			return
		}
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":{"code":"UNAUTHORIZED","message":"The token is not good.","status":401}}`)
	})
	old, next := o.Server, "fresh"
	o.Server = func(ctx context.Context, refused string) (bridge.Server, error) {
		s, err := old(ctx, refused)
		if refused != "" {
			s.Token = next
		}
		return s, err
	}
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	if got := exchange(t, o, ping); asked != 2 || !strings.Contains(got[0], "result") {
		t.Errorf("after %d requests: %q", asked, got)
	}
	next, asked = "a token", 0
	got := exchange(t, o, ping)
	if want := `"message":"The token is not good (UNAUTHORIZED). Run the remedy."`; asked != 1 ||
		!strings.Contains(got[0], want) {
		t.Errorf("after %d requests: %q, want %s", asked, got, want)
	}
}

// Error responses of the API and of others become JSON-RPC errors. JSON-RPC errors pass as they are.
func TestRun_Refused(t *testing.T) {
	for _, c := range []struct {
		status     int
		body, want string
	}{
		{429, `{"error":{"code":"RATE_LIMITED","message":"No requests left."}}`,
			"No requests left (RATE_LIMITED). Ask again in 9 s."},
		{502, "<html>bad gateway", "answers 502, and not as an Earshot server does"},
		{200, `{"data":[]}`, "answers 200, and not as an Earshot server does"},
		{307, "", "answers 307"},
		{403, `{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"scope"}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32001,`},
	} {
		o := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "9")
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		})
		if got := exchange(t, o, `{"jsonrpc":"2.0","id":1,"method":"ping"}`); len(got) != 1 ||
			!strings.Contains(got[0], c.want) {
			t.Errorf("status %d: wrote %q, want %q", c.status, got, c.want)
		}
	}
}

// Run returns at once when its context ends, though the input is open.
func TestRun_Interrupted(t *testing.T) {
	o := serve(t, echo)
	from, to := io.Pipe()
	defer to.Close()
	o.From, o.To = from, io.Discard
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := bridge.Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want %v", err, context.Canceled)
	}
}

// Run ends when nobody reads its output.
func TestRun_OutputClosed(t *testing.T) {
	o := serve(t, echo)
	from, to := io.Pipe()
	defer to.Close()
	read, write := io.Pipe()
	read.Close()
	o.From, o.To = from, write
	go fmt.Fprintln(to, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if err := bridge.Run(t.Context(), o); err == nil ||
		!strings.Contains(err.Error(), "standard output cannot be written") {
		t.Errorf("Run = %v", err)
	}
}

// More messages than may wait are refused, and those before them are served.
func TestRun_Flood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		o := bridge.Options{Log: io.Discard, Server: func(ctx context.Context, _ string) (bridge.Server, error) {
			<-release
			return bridge.Server{}, errors.New("no server")
		}}
		from, to := io.Pipe()
		var out bytes.Buffer
		o.From, o.To = from, &out
		done := make(chan error, 1)
		go func() { done <- bridge.Run(t.Context(), o) }()
		for id := range 300 {
			fmt.Fprintf(to, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}\n", id)
		}
		to.Close()
		synctest.Wait()
		close(release)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if refused := strings.Count(out.String(), "256 messages are under way"); refused != 44 ||
			strings.Count(out.String(), "\n") != 300 {
			t.Errorf("%d refused of %d, want 44 of 300", refused, strings.Count(out.String(), "\n"))
		}
	})
}
