package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"earshot/functions/discovery"
)

// served is an api whose workbench answers as it is told.
func served(t *testing.T, answer http.HandlerFunc) *api {
	t.Helper()
	a, err := newAPI(discovery.OpenAPI(), newTally(), &findings{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	a.base.Store(&server.URL)
	return a
}

// respond writes an answer with the headers that every answer has.
func respond(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for _, name := range []string{"Server-Timing", "X-Request-Id", "Cache-Control", "Strict-Transport-Security",
			"X-Content-Type-Options",
			"Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "X-RateLimit-Limit", "X-RateLimit-Remaining",
			"X-RateLimit-Reset",
			"RateLimit", "RateLimit-Policy", "ETag"} {
			w.Header().Set(name, "1")
		}
		w.Header().Set("Content-Type", "application/json")
		for n := 0; n+1 < len(header); n += 2 {
			w.Header().Set(header[n], header[n+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// An answer outside the contract is found, and one within it passes.
func TestAnswersOutsideTheContract(t *testing.T) {
	const failed = `{"error":{"code":"INTERNAL_ERROR","message":"Something failed.","status":500}}`
	tags := request{method: "GET", target: "/api/v2/tags", key: "k"}
	for name, c := range map[string]struct {
		request
		answer http.HandlerFunc
		calm   bool
		wrong  string // empty: nothing
	}{
		"as it should be":              {tags, respond(200, `{"data":[]}`), true, ""},
		"a 500 while there are faults": {tags, respond(500, failed), false, ""},
		"a 500 without a fault":        {tags, respond(500, failed), true, "though there is no fault"},
		"a status that is not listed": {tags, respond(404, `{"error":{"code":"NOT_FOUND","message":"No.","status":404}}`),
			false, "the document has no 404"},
		"a 502": {tags, respond(502, `{"error":{"code":"INTERNAL_ERROR","message":"No.","status":502}}`), false,
			"no such code with this status"},
		"a body of another shape": {tags, respond(200, `{"data":[{"tag":1}]}`), false, "does not validate"},
		"no JSON":                 {tags, respond(200, `oops`), false, "is not JSON"},
		"no envelope":             {tags, respond(500, `{"message":"oops"}`), false, "not the envelope"},
		"an unknown code": {tags, respond(500, `{"error":{"code":"OOPS","message":"No.","status":500}}`), false,
			"no such code"},
		"a header is missing": {tags, respond(200, `{"data":[]}`, "Server-Timing", ""), false,
			"without Server-Timing"},
		"no X-Request-Id": {request{method: "GET", target: "/_local/outbox"},
			respond(200, `{}`, "X-Request-Id", ""), false, "without X-Request-Id"},
		"an unknown path": {request{method: "GET", target: "/api/v2/nothing"}, respond(200, `{}`), false,
			"is not in the document"},
	} {
		a := served(t, c.answer)
		if c.calm {
			a.calm.Store(1)
		}
		a.send(t.Context(), c.request)
		count, first := a.findings.shown()
		if (c.wrong == "") != (count == 0) || !strings.Contains(strings.Join(first, "\n"), c.wrong) {
			t.Errorf("%s: %q, want %q", name, first, c.wrong)
		}
	}
}

// A connection may break around a kill, and only then; what it was to write may be written.
func TestBrokenConnections(t *testing.T) {
	a := served(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	a.dying.Store(true)
	r := request{method: "PATCH", target: "/api/v2/org", body: `{}`}
	if got := a.send(t.Context(), r); got.outcome() != unknown || !a.findings.none() {
		t.Errorf("%s: %+v", got, a.findings)
	}
	a.dying.Store(false)
	if a.send(t.Context(), r); a.findings.none() {
		t.Error("a connection breaks though nobody killed anything, and nobody minds")
	}
}

// A workbench that forgets what it has acknowledged is found out by the check.
func TestForgetfulWorkbench(t *testing.T) {
	a := served(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost && r.URL.Path == "/api/v2/keywords":
			respond(200, `{"id":2}`)(w, r)
		default:
			respond(200, `{"data":[]}`)(w, r)
		}
	})
	c := newClient(home{workspace: "org_1", keyword: "own", keys: map[string]string{}}, a, 1, 1)
	c.change(t.Context(), c.newKeyword())
	c.check(t.Context(), false)
	_, first := a.findings.shown()
	lost := 0
	for _, finding := range first {
		if strings.Contains(finding, "was acknowledged and is lost") && strings.Contains(finding, "keyword") {
			lost++
		}
	}
	if lost != 2 {
		t.Errorf("two keywords are lost, and %d are missed:\n%s", lost, strings.Join(first, "\n"))
	}
}

// A request that is sent again and answered otherwise is found.
func TestRepeatsThatDiffer(t *testing.T) {
	w := write{request: request{method: http.MethodPost, target: "/api/v2/feeds", again: "k"}}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		wrong  bool
	}{
		"the same":        {respond(200, `{"id":1}`, "Idempotent-Replayed", "true"), false},
		"still running":   {respond(409, `{}`), false},
		"another":         {respond(200, `{"id":2}`, "Idempotent-Replayed", "true"), true},
		"it is not there": {respond(404, `{}`), true},
	} {
		first := served(t, respond(200, `{"id":1}`)).send(context.Background(), w.request)
		a := served(t, c.answer)
		client := newClient(home{}, a, 1, 1)
		client.repeat(t.Context(), w, first)
		_, all := a.findings.shown()
		if found := strings.Contains(strings.Join(all, "\n"), "answered otherwise"); found != c.wrong {
			t.Errorf("%s: %q", name, all)
		}
	}
}

func TestQuantile(t *testing.T) {
	var of []time.Duration
	for n := range 100 {
		of = append(of, time.Duration(99-n)*time.Second)
	}
	if quantile(of, 0.5) != 50*time.Second || quantile(of, 1) != 99*time.Second || quantile(nil, 0.5) != 0 {
		t.Error(quantile(of, 0.5), quantile(of, 1))
	}
}
