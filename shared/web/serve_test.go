package web_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/worldtest"
)

func TestServe_UnknownPathsAndMethods(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct{ method, target, allow string }{
		{"GET", "/api/v2", ""}, {"GET", "/api/v2/", ""}, {"GET", "/api/v2/nothing", ""}, {"GET", "/", ""}, {"GET", "", ""},
		{"GET", "/api/v2/who/", ""}, {"GET", "/api/v2//who", ""}, {"GET", "/API/v2/who", ""}, {"GET", "/api/v2/Who", ""},
		{"GET", "/api/v2/things/", ""}, {"GET", "/api/v2/things/a/b", ""}, {"GET", "/api/v2/../v2/who", ""},
		{"GET", "/api/v2/./who", ""},
		{"GET", "/api/v2/who%3Fx", ""}, {"GET", "/api/v2/who?x#y", ""}, {"GET", "/%zz", ""}, {"GET", "/\x00\xff", ""},
		{"DELETE", "/api/v2/who", "GET, HEAD"}, {"PUT", "/api/v2/things/1", "DELETE, GET, HEAD"},
		{"GET", "/api/v2/things", "POST"}, {"HEAD", "/api/v2/things", "POST"}, {"TRACE", "/api/v2/who", "GET, HEAD"},
		{"PROPFIND", "/api/v2/who", "GET, HEAD"}, {"OPTIONS", "/api/v2/who", "GET, HEAD"},
		{"BAD METHOD", "/api/v2/who", ""}, {"CONNECT", "/api/v2/who", "GET, HEAD"},
		{"get", "/api/v2/who", "GET, HEAD"}, {"Head", "/api/v2/who", "GET, HEAD"}, {"post", "/api/v2/things", "POST"},
		{"delete", "/api/v2/things/1", "DELETE, GET, HEAD"},
	} {
		t.Run(c.method+" "+c.target, func(t *testing.T) {
			if c.target == "/api/v2/who?x#y" {
				b.Get(t, c.target).Is(t, 400, "VALIDATION_ERROR")
				return
			}
			answer := b.Do(t, worldtest.Request{Method: c.method, Target: c.target})
			answer.Is(t, 404, "NOT_FOUND")
			if got := answer.Header.Get("Allow"); got != c.allow {
				t.Errorf("Allow is %q, want %q", got, c.allow)
			}
		})
	}
	for _, target := range []string{"/api/v1", "/api/v1/", "/api/v1/mentions"} {
		b.Get(t, target).Is(t, 404, "not_found")
	}
}

func TestPreflight(t *testing.T) {
	b := newBench(t)
	answer := b.as("").Do(t, worldtest.Request{Method: "OPTIONS", Target: "/api/v2/things/1",
		Header: []string{"Origin", "https://shop.example", "Access-Control-Request-Method", "DELETE"}})
	allowed := answer.Header.Get("Access-Control-Allow-Methods")
	if answer.Status != 204 || len(answer.Body) != 0 || allowed != "DELETE, GET, HEAD" {
		t.Errorf("%d %s %v", answer.Status, answer.Body, answer.Header)
	}
	for _, name := range []string{"Authorization", "Idempotency-Key", "x-earshot-organization-id", "Content-Type",
		"If-None-Match", "If-Match",
		"MCP-Protocol-Version"} {
		if !strings.Contains(answer.Header.Get("Access-Control-Allow-Headers"), name) {
			t.Errorf("%s is not allowed", name)
		}
	}
	if answer.Header.Get("Access-Control-Allow-Credentials") != "" {
		t.Error("credentials are allowed")
	}
}

func TestServerTiming(t *testing.T) {
	b := newBench(t)
	timing := b.Get(t, "/api/v2/things/timed").Header.Get("Server-Timing")
	var names []string
	for part := range strings.SplitSeq(timing, ", ") {
		name, value, _ := strings.Cut(part, ";dur=")
		var number float64
		if json.Unmarshal([]byte(value), &number) != nil || number < 0 {
			t.Errorf("%s is no metric", part)
		}
		names = append(names, name)
	}
	if fmt.Sprint(names) != "[auth handler search total]" || !strings.Contains(timing, "search;dur=1.5") {
		t.Errorf("Server-Timing is %s", timing)
	}
	if timing := b.as("").Get(t, "/api/v2/public").Header.Get("Server-Timing"); !strings.HasPrefix(timing,
		"auth;dur=0, handler;dur=") {
		t.Errorf("Server-Timing of a public operation is %s", timing)
	}
}

// HEAD answers as GET does: status, headers and checks. Its body is the gateway's to hold back.
func TestHead(t *testing.T) {
	b := newBench(t)
	tag := b.Get(t, things+"/a").Header.Get("ETag")
	for _, c := range []struct {
		name, key, target string
		header            []string
		status            int
	}{
		{"read", b.Admin, things + "/a", nil, 200},
		{"not modified", b.Admin, things + "/a", []string{"If-None-Match", tag}, 304},
		{"no key", "", things + "/a", nil, 401},
		{"bad query", b.Admin, things + "/a?x=1", nil, 400},
		{"public", "", "/api/v2/public", nil, 200},
		{"failure", b.Admin, things + "/fail", nil, 500},
	} {
		t.Run(c.name, func(t *testing.T) {
			do := func(method string) worldtest.Answer {
				return b.as(c.key).Do(t, worldtest.Request{Method: method, Target: c.target, Header: c.header})
			}
			got, want := do("HEAD"), do("GET")
			if got.Status != c.status || got.Status != want.Status || string(got.Body) != string(want.Body) {
				t.Errorf("HEAD got %d %s, GET %d %s", got.Status, got.Body, want.Status, want.Body)
			}
			own := []string{"Server-Timing", "X-Request-Id", "X-Ratelimit-Remaining", "Ratelimit"} // of each request
			for name, values := range want.Header {
				if !slices.Contains(own, name) && fmt.Sprint(got.Header[name]) != fmt.Sprint(values) {
					t.Errorf("%s is %q, want %q", name, got.Header[name], values)
				}
			}
		})
	}
}

func TestETag(t *testing.T) {
	b := newBench(t)
	first := b.Get(t, "/api/v2/things/a")
	tag := first.Header.Get("ETag")
	if first.Header.Get("Cache-Control") != "private, no-cache" || tag == "" {
		t.Fatalf("%v", first.Header)
	}
	for value, status := range map[string]int{tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200,
		tag + "x": 200, "": 200} {
		answer := b.Get(t, "/api/v2/things/a", "If-None-Match", value)
		if answer.Status != status || answer.Header.Get("ETag") != tag || status == 304 && len(answer.Body) != 0 {
			t.Errorf("If-None-Match %s: %d %s", value, answer.Status, answer.Body)
		}
	}
	if b.Get(t, "/api/v2/things/b").Header.Get("ETag") == tag {
		t.Error("two things have one ETag")
	}
	if got := b.as("").Get(t, "/api/v2/public").Header.Get("Cache-Control"); got != "public, max-age=60" {
		t.Errorf("Cache-Control is %s", got)
	}
	if got := b.Get(t, "/api/v2/who").Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control is %s", got)
	}
}

func TestServe_FailureHidesItsCause(t *testing.T) {
	b := newBench(t)
	// What was panicked with may be text of strangers: its type and the place are all that is said.
	for id, said := range map[string]string{"fail": "the secret of the cause", "panic": `"panic":"string\ngoroutine`} {
		b.log.Reset()
		answer := b.Get(t, "/api/v2/things/"+id)
		answer.Is(t, 500, "INTERNAL_ERROR")
		if strings.Contains(string(answer.Body), "secret") {
			t.Errorf("%s: %s", id, answer.Body)
		}
		records := strings.Split(strings.TrimSpace(b.log.String()), "\n")
		if len(records) != 1 || !strings.Contains(records[0], said) ||
			!strings.Contains(records[0], answer.Header.Get("X-Request-Id")) {
			t.Errorf("%s: logged %s", id, b.log)
		}
	}
}

func TestRecord_NoSecretsOrPersons(t *testing.T) {
	b := newBench(t)
	b.Get(t, "/api/v2/things/alice?verbose=true", "X-Forwarded-For", "192.0.2.7")
	b.Post(t, "/api/v2/things?email=alice@example.com", `{"name":"alice"}`)
	text := b.log.String()
	if records := strings.Count(text, "\n"); records != 2 {
		t.Errorf("%d records: %s", records, text)
	}
	for _, secret := range []string{"alice", "192.0.2.7", b.Admin, b.Admin[len(b.Admin)-52:]} {
		if strings.Contains(text, secret) {
			t.Errorf("the log holds %q: %s", secret, text)
		}
	}
	for _, wanted := range []string{`"workspace":"` + b.Main.ID, `"operation":"getThing"`, `"reads":1`, `"writes":1`,
		`"readUnits":1`} {
		if !strings.Contains(text, wanted) {
			t.Errorf("the log lacks %s: %s", wanted, text)
		}
	}
}

// Only a request that was refused before its endpoint lacks the metric handler.
func TestServerTiming_Handler(t *testing.T) {
	b := newBench(t)
	names := func(answer worldtest.Answer) string {
		var found []string
		for part := range strings.SplitSeq(answer.Header.Get("Server-Timing"), ", ") {
			name, _, _ := strings.Cut(part, ";")
			found = append(found, name)
		}
		return strings.Join(found, " ")
	}
	post := func(body, key string) worldtest.Answer { return b.Post(t, things, body, "Idempotency-Key", key) }
	read := b.Get(t, things+"/a")
	preflight := b.as("").Do(t, worldtest.Request{Method: "OPTIONS", Target: things,
		Header: []string{"Origin", "https://shop.example", "Access-Control-Request-Method", "POST"}})
	for _, c := range []struct {
		name   string
		answer worldtest.Answer
		status int
		want   string
	}{
		{"first", post(`{"name":"abc"}`, "k1"), 200, "auth handler total"},
		{"replayed", post(`{"name":"abc"}`, "k1"), 200, "auth handler total"},
		{"problem", post(`{"name":"there"}`, "k2"), 400, "auth handler total"},
		{"problem replayed", post(`{"name":"there"}`, "k2"), 400, "auth handler total"},
		{"failed", post(`{"name":"fail"}`, "k3"), 500, "auth handler total"},
		{"not modified", b.Get(t, things+"/a", "If-None-Match", read.Header.Get("ETag")), 304, "auth handler total"},
		{"preflight", preflight, 204, "auth handler total"},
		{"key reused", post(`{"name":"abd"}`, "k1"), 422, "auth total"},
		{"input refused", post(`{"name":"A"}`, "k4"), 400, "auth total"},
		{"unknown path", b.Get(t, "/api/v2/nothing"), 404, "auth total"},
		{"no key", b.as("").Get(t, "/api/v2/who"), 401, "auth total"},
	} {
		if got := names(c.answer); c.answer.Status != c.status || got != c.want {
			t.Errorf("%s: %d with Server-Timing %q, want %d with %q", c.name, c.answer.Status, got, c.status, c.want)
		}
	}
}

// Whatever event comes, the answer is the contract's: a status, JSON, the envelope when it is not 2xx, and never an error,
// which a client would see as a 502.
func FuzzEvent(f *testing.F) {
	b := newBench(f)
	f.Add("GET", "/api/v2/who", "a=b", "", "Bearer x", "k", false)
	f.Add("POST", "/api/v2/things", "page=1", `{"name":"abc"}`, "", "", true)
	f.Add("\x00", "//%zz?#", "%=&;", "\xff", "\n", "\r", true)
	f.Fuzz(func(t *testing.T, method, path, query, body, authorization, key string, encoded bool) {
		event := b.Event(worldtest.Request{
			Method: method,
			Target: path + "?" + query,
			Body:   body,
			Header: []string{"Idempotency-Key", key},
		})
		event.IsBase64Encoded = encoded
		if authorization != "" {
			event.MultiValueHeaders["Authorization"] = []string{authorization}
		}
		b.Clock.Freeze(b.Clock.Now().Add(time.Minute)) // the window turns often enough
		response, err := b.Handler(t.Context(), event)
		if err != nil || response.StatusCode < 200 || response.StatusCode > 599 {
			t.Fatalf("%d, %v", response.StatusCode, err)
		}
		var envelope struct{ Error struct{ Status int } }
		if response.StatusCode >= 400 &&
			(json.Unmarshal([]byte(response.Body), &envelope) != nil || envelope.Error.Status != response.StatusCode) {
			t.Errorf("%d %s", response.StatusCode, response.Body)
		}
	})
}
