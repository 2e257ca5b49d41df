package web_test

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/worldtest"
)

const things = "/api/v2/things"

func TestReplay_SameRequest(t *testing.T) {
	b := newBench(t)
	first := b.Post(t, things+"?page=1&verbose=true", `{"name":"abc"}`, "Idempotency-Key", "k1")
	first.OK(t, nil)
	// A gateway may reorder the query.
	again := b.Post(t, things+"?verbose=true&page=1", `{"name":"abc"}`, "Idempotency-Key", "k1")
	again.OK(t, nil)
	if string(again.Body) != string(first.Body) || b.ran != 1 {
		t.Errorf("%s, then %s, after %d runs", first.Body, again.Body, b.ran)
	}
	if first.Header.Get("Idempotent-Replayed") != "" || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%v, then %v", first.Header, again.Header)
	}
	if first.Header.Get("X-Request-Id") == again.Header.Get("X-Request-Id") ||
		again.Header.Get("X-RateLimit-Remaining") != "498" {
		t.Errorf("the second answer has the first one's own headers: %v", again.Header)
	}
}

func TestReplay_OtherRequest(t *testing.T) {
	b := newBench(t)
	b.Post(t, things, `{"name":"abc"}`, "Idempotency-Key", "k1").OK(t, nil)
	for _, target := range []string{things, things + "?page=1"} {
		b.Post(t, target, `{"name":"abd"}`, "Idempotency-Key", "k1").Is(t, 422, "IDEMPOTENCY_KEY_REUSED")
	}
	b.Do(t, worldtest.Request{Method: "DELETE", Target: things + "/1", Header: []string{"Idempotency-Key", "k1"}}).
		Is(t, 422, "IDEMPOTENCY_KEY_REUSED")
	// Another key's client may well have chosen the same.
	b.as(b.Write).Post(t, things, `{"name":"abd"}`, "Idempotency-Key", "k1").OK(t, nil)
	b.as(b.OtherKey).Post(t, things, `{"name":"abd"}`, "Idempotency-Key", "k1").OK(t, nil)
}

// A POST that only reads is answered each time, and costs what it costs without a key.
func TestIdempotencyKey_ReadStoresNothing(t *testing.T) {
	b := newBench(t)
	post := func(body string, header ...string) worldtest.Answer {
		b.log.Reset()
		return b.Post(t, "/api/v2/query", body, header...)
	}
	writes := regexp.MustCompile(`"writes":\d+,"readUnits":[0-9.]+,"writeUnits":[0-9.]+`)
	post(`{"name":"abc"}`).OK(t, nil)
	want := writes.FindString(b.log.String())
	for n, body := range []string{`{"name":"abc"}`, `{"name":"abc"}`, `{"name":"abd"}`} {
		answer := post(body, "Idempotency-Key", "k1")
		answer.OK(t, nil)
		if answer.Header.Get("Idempotent-Replayed") != "" || b.ran != n+2 {
			t.Errorf("request %d: %v after %d runs", n, answer.Header, b.ran)
		}
		if got := writes.FindString(b.log.String()); got != want || want == "" {
			t.Errorf("request %d used %s, want %s", n, got, want)
		}
	}
	for _, header := range [][]string{{"Idempotency-Key", ""}, {"Idempotency-Key", "a", "Idempotency-Key", "b"}} {
		found := post(`{"name":"abc"}`, header...).Is(t, 400, "VALIDATION_ERROR")
		if found.Details[0].Path != "header.Idempotency-Key" {
			t.Errorf("%q: %+v", header, found.Details)
		}
	}
}

func TestReplay_Problem(t *testing.T) {
	b := newBench(t)
	first := b.Post(t, things, `{"name":"there"}`, "Idempotency-Key", "k1")
	again := b.Post(t, things, `{"name":"there"}`, "Idempotency-Key", "k1")
	again.Is(t, 400, "ITEM_EXISTS")
	if string(first.Body) != string(again.Body) || b.ran != 1 {
		t.Errorf("%s, then %s", first.Body, again.Body)
	}
}

// A request that was refused for its input, lost to another writer or failed on our side has not used its key.
func TestReplay_KeyFreeAfterFailure(t *testing.T) {
	b := newBench(t)
	b.Post(t, things, `{"name":"race"}`, "Idempotency-Key", "k1").Is(t, 409, "FEED_FILTER_WRITE_CONFLICT")
	b.Post(t, things, `{"name":"A"}`, "Idempotency-Key", "k1").Is(t, 400, "VALIDATION_ERROR")
	b.Post(t, things, `{"name":"fail"}`, "Idempotency-Key", "k1").Is(t, 500, "INTERNAL_ERROR")
	b.Post(t, things, `{"name":"abc"}`, "Idempotency-Key", "k1").OK(t, nil)
}

func TestReplay_KeyInUse(t *testing.T) {
	b := newBench(t)
	b.hold = make(chan struct{})
	var wait sync.WaitGroup
	var first worldtest.Answer
	wait.Go(func() { first = b.Post(t, things, `{"name":"abc"}`, "Idempotency-Key", "k1") })
	<-b.hold // it runs
	b.Post(t, things, `{"name":"abc"}`, "Idempotency-Key", "k1").Is(t, 409, "IDEMPOTENCY_KEY_IN_USE")
	close(b.hold)
	wait.Wait()
	first.OK(t, nil)
	if b.ran != 1 {
		t.Errorf("it ran %d times", b.ran)
	}
}

// A request that died holding a key gives it back when its lease ends, and an answer is kept for a day.
func TestReplay_LeaseAndRetention(t *testing.T) {
	b := newBench(t)
	b.fault(t, fault.Fault{Port: "table", Operation: "delete", Fault: fault.Error})
	b.Post(t, things, `{"name":"fail"}`, "Idempotency-Key", "k1").Is(t, 500, "INTERNAL_ERROR")
	b.Faults.Clear()
	b.Post(t, things, `{"name":"fail"}`, "Idempotency-Key", "k1").Is(t, 409, "IDEMPOTENCY_KEY_IN_USE")
	b.Clock.Freeze(worldtest.Now.Add(29 * time.Second))
	b.Post(t, things, `{"name":"fail"}`, "Idempotency-Key", "k1").Is(t, 409, "IDEMPOTENCY_KEY_IN_USE")
	b.Clock.Freeze(worldtest.Now.Add(30 * time.Second))
	b.Post(t, things, `{"name":"abc"}`, "Idempotency-Key", "k1").OK(t, nil)
	b.Clock.Freeze(worldtest.Now.Add(24 * time.Hour))
	b.Post(t, things, `{"name":"abd"}`, "Idempotency-Key", "k1").Is(t, 422, "IDEMPOTENCY_KEY_REUSED")
	b.Clock.Freeze(worldtest.Now.Add(24*time.Hour + 2*time.Minute))
	b.Post(t, things, `{"name":"abd"}`, "Idempotency-Key", "k1").OK(t, nil)
}

// A store that does not keep the answer holds it up no longer than the invocation may take.
func TestReplay_StoreHangs(t *testing.T) {
	b := newBench(t)
	b.fault(t, fault.Fault{Port: "table", Operation: "update", Fault: fault.Error, Times: 1}) // of the limiter: repeated
	ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
	defer cancel()
	b.kept = func() { b.fault(t, fault.Fault{Port: "table", Operation: "update", Fault: fault.Slow}) }
	event := b.Event(worldtest.Request{
		Method: "POST",
		Target: things,
		Body:   `{"name":"abc"}`,
		Header: []string{"Idempotency-Key", "k1"},
	})
	response, err := b.Handler(ctx, event)
	if err != nil || response.StatusCode != 200 || ctx.Err() != nil {
		t.Errorf("%d, %v, %v", response.StatusCode, err, ctx.Err())
	}
	if !strings.Contains(b.log.String(), "could not store the response") {
		t.Errorf("logged %s", b.log)
	}
}

func TestReplay_ResponseLargerThanItem(t *testing.T) {
	b := newBench(t)
	first := b.Do(t, worldtest.Request{Method: "POST", Target: "/api/v2/large", Header: []string{"Idempotency-Key", "k1"}})
	again := b.Do(t, worldtest.Request{Method: "POST", Target: "/api/v2/large", Header: []string{"Idempotency-Key", "k1"}})
	if len(first.Body) < 1<<20 || string(first.Body) != string(again.Body) ||
		again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%d bytes, then %d", len(first.Body), len(again.Body))
	}
	if !strings.Contains(string(first.Body), "large") {
		t.Errorf("%.80s", first.Body)
	}
}

// The table failing once is nothing that a client sees; failing on, it is a 500, and the input is not looked at.
func TestReplay_TableFails(t *testing.T) {
	b := newBench(t)
	for _, kind := range []fault.Kind{fault.Throttle, fault.Error} {
		for _, operation := range []string{"get", "update"} {
			b.fault(t, fault.Fault{Port: "table", Operation: operation, Fault: kind, Times: 1})
			b.Get(t, "/api/v2/who").OK(t, nil)
			b.fault(t, fault.Fault{Port: "table", Operation: operation, Fault: kind})
			b.log.Reset()
			answer := b.Post(t, things, `{`)
			answer.Is(t, 500, "INTERNAL_ERROR")
			if strings.Contains(string(answer.Body), "table") || !strings.Contains(b.log.String(), "table: ") {
				t.Errorf("%s of %s: answered %s, logged %s", kind, operation, answer.Body, b.log)
			}
			b.Faults.Clear()
		}
	}
	b.fault(t, fault.Fault{Port: "table", Operation: "update", Fault: fault.Crash, Times: 1})
	b.Get(t, "/api/v2/who").Is(t, 500, "INTERNAL_ERROR")
	b.Get(t, "/api/v2/who").OK(t, nil)
}
