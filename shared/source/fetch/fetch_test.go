package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/outbound/switchingtest"
	"earshot/shared/port/clock"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
)

var now = time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC)

func caller(t *testing.T, o fetch.Options, about source.About, handler http.HandlerFunc) (*fetch.Caller, string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	o.AnyHost = true
	client := fetch.New(o)
	t.Cleanup(client.Close)
	about.Name = "youtube"
	return client.Caller(fetch.Platform{About: about, BaseURL: server.URL}), server.URL
}

func TestRequest(t *testing.T) {
	asked, _ := caller(t, fetch.Options{UserAgent: "Earshot/2 (+https://earshot.example)"}, source.About{},
		func(w http.ResponseWriter, r *http.Request) {
			if r.Method != "GET" || r.URL.Path != "/v3/search" || r.URL.Query().Get("q") != "a b&c" ||
				r.Header.Get("Accept") != "application/json" ||
				r.Header.Get("User-Agent") != "Earshot/2 (+https://earshot.example)" || r.Header.Get("X-Key") != "k" {
				t.Errorf("it asked %s %s with %v", r.Method, r.URL, r.Header)
			}
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			z.Write([]byte(`{"items":[{"n":1},null,7,"x",[],{"n":"two"},{"n":3}]}`))
			z.Close()
		})
	var got struct{ Items []json.RawMessage }
	request := fetch.Request{Path: "/v3/search", Query: url.Values{"q": {"a b&c"}}, Header: http.Header{"X-Key": {"k"}}}
	if _, err := asked.JSON(t.Context(), request, &got); err != nil {
		t.Fatal(err)
	}
	type item struct{ N int }
	if items := fetch.Each[item](got.Items); !slices.Equal(items, []item{{1}, {3}}) {
		t.Errorf("the items are %+v", items)
	}
	if len(request.Header) != 1 {
		t.Error("the request's own header was changed")
	}
}

// To another host goes nothing of the request, and what has a body goes nowhere.
func TestRedirects(t *testing.T) {
	var elsewhere []http.Header
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		elsewhere = append(elsewhere, r.Header.Clone())
		w.Write([]byte(`{}`))
	}))
	defer other.Close()
	asked, _ := caller(t, fetch.Options{}, source.About{}, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})
	header := http.Header{"Authorization": {"Bearer aSecret"}, "X-Api-Key": {"aSecret"}}
	if _, err := asked.JSON(t.Context(), fetch.Request{Query: url.Values{"key": {"aSecret"}}, Header: header},
		&struct{}{}); err != nil {
		t.Fatal(err)
	}
	if len(elsewhere) != 1 {
		t.Fatalf("the other host was asked %d times", len(elsewhere))
	}
	for name, values := range elsewhere[0] {
		if strings.Contains(strings.Join(values, ""), "aSecret") {
			t.Errorf("%s tells the other host a secret: %v", name, values)
		}
	}
	_, err := asked.Do(t.Context(), fetch.Request{Method: http.MethodPost, Body: []byte("password=aSecret")})
	if err == nil || len(elsewhere) != 1 {
		t.Errorf("a sign-in is sent on to another host: %v", err)
	}
}

// Nothing is sent before its turn, and who cannot wait that long is told at once.
func TestPace(t *testing.T) {
	var at []time.Time
	asked, _ := caller(t, fetch.Options{}, source.About{Pace: 30 * time.Millisecond},
		func(http.ResponseWriter, *http.Request) { at = append(at, time.Now()) })
	for range 3 {
		if _, err := asked.Do(t.Context(), fetch.Request{}); err != nil {
			t.Fatal(err)
		}
	}
	if took := at[2].Sub(at[0]); took < 40*time.Millisecond { // two steps, less what the first arrives late
		t.Errorf("three requests within %v", took)
	}

	slow, _ := caller(t, fetch.Options{}, source.About{Pace: time.Hour}, func(http.ResponseWriter, *http.Request) {})
	if _, err := slow.Do(t.Context(), fetch.Request{}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second finds no turn taken by the first
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err := slow.Do(ctx, fetch.Request{})
		cancel()
		var unavailable *source.Unavailable
		if !errors.As(err, &unavailable) || unavailable.RetryAfter < 59*time.Minute || unavailable.RetryAfter > time.Hour {
			t.Errorf("without time for it, answers %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if _, err := slow.Do(ctx, fetch.Request{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while it waits, answers %v", err)
	}
}

func TestHold(t *testing.T) {
	var at clock.Adjustable
	at.Freeze(now)
	sent := 0
	asked, _ := caller(t, fetch.Options{Clock: &at}, source.About{}, func(w http.ResponseWriter, _ *http.Request) {
		if sent++; sent == 1 {
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})
	for _, c := range []struct {
		later time.Duration
		wait  time.Duration
		sent  int
	}{{0, 60 * time.Second, 1}, {20 * time.Second, 40 * time.Second, 1}, {59 * time.Second, time.Second,
		1}, {60 * time.Second, 0, 2}} {
		at.Freeze(now.Add(c.later))
		_, err := asked.Do(t.Context(), fetch.Request{})
		var unavailable *source.Unavailable
		if errors.As(err, &unavailable) != (c.wait > 0) || c.wait > 0 && unavailable.RetryAfter != c.wait || sent != c.sent {
			t.Errorf("after %v: %v, %d sent", c.later, err, sent)
		}
	}
}

// What is too large is not read to its end: not when it says so beforehand, not on the wire, not when it unfolds.
func TestSize(t *testing.T) {
	zeros := make([]byte, 1<<20)
	for name, answer := range map[string]http.HandlerFunc{
		"told beforehand": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "50000000")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"without an end": func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := w.Write(zeros); err != nil {
					return
				}
			}
		},
		"compressed, without an end": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for {
				if _, err := z.Write(zeros); err != nil {
					return
				}
			}
		},
		"compressed, of nothing, without an end": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			var none bytes.Buffer
			gzip.NewWriter(&none).Close()
			for many := bytes.Repeat(none.Bytes(), 10_000); ; {
				if _, err := w.Write(many); err != nil {
					return
				}
			}
		},
	} {
		asked, _ := caller(t, fetch.Options{MaxBytes: 1 << 20}, source.About{}, answer)
		_, err := asked.Do(t.Context(), fetch.Request{})
		var unavailable *source.Unavailable
		if !errors.As(err, &unavailable) || unavailable.Reason != "answered more than 1048576 bytes" {
			t.Errorf("%s: %v", name, err)
		}
	}
	asked, _ := caller(t, fetch.Options{MaxBytes: 5}, source.About{},
		func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("12345")) })
	if answer, err := asked.Do(t.Context(), fetch.Request{}); err != nil || len(answer.Body) != 5 {
		t.Errorf("what just fits: %q, %v", answer.Body, err)
	}
}

func TestRetryAfter(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, " 7 ": 7 * time.Second, "0": 0, "-3": 0, "0.5": 500 * time.Millisecond,
		"1e300": 24 * time.Hour, "NaN": 0, "Inf": 24 * time.Hour,
		"999999999999": 24 * time.Hour, "soon": 0, "Fri, 08 May 2026 12:00:30 GMT": 30 * time.Second,
		"Fri, 08 May 2026 11:00:00 GMT":  0,
		"Friday, 08-May-26 12:00:30 GMT": 30 * time.Second, "Fri, 08 May 2099 12:00:30 GMT": 24 * time.Hour,
	} {
		if got := fetch.RetryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("%q is %v, not %v", value, got, want)
		}
	}
	for value, want := range map[string]time.Duration{"": 0, "1778241605": 5 * time.Second, "1": 0, "x": 0,
		"9223372036854775807": 24 * time.Hour} {
		if got := fetch.Until(http.Header{"X-Reset": {value}}, "X-Reset", now); got != want {
			t.Errorf("until %q is %v, not %v", value, got, want)
		}
	}
}

// What the bounds cost: the same answer of 100 items, fetched and decoded with net/http alone, is the measure.
func BenchmarkJSON(b *testing.B) {
	body := []byte(`{"items":[` +
		strings.Repeat(`{"n":1,"text":"some words of a post that are a line or two long, as they are"},`, 99) + `{"n":2}]}`)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(body) }))
	defer server.Close()
	client := fetch.New(fetch.Options{AnyHost: true})
	defer client.Close()
	asked := client.Caller(fetch.Platform{About: source.About{Name: "youtube"}, BaseURL: server.URL})
	type item struct{ N int }
	var bounded, bare time.Duration
	for b.Loop() {
		start := time.Now()
		var got struct{ Items []json.RawMessage }
		if _, err := asked.JSON(b.Context(), fetch.Request{}, &got); err != nil || len(fetch.Each[item](got.Items)) != 100 {
			b.Fatal(err, len(got.Items))
		}
		bounded += time.Since(start)

		start = time.Now()
		in, err := server.Client().Get(server.URL)
		if err != nil {
			b.Fatal(err)
		}
		var plain struct{ Items []item }
		if err := json.NewDecoder(in.Body).Decode(&plain); err != nil || len(plain.Items) != 100 {
			b.Fatal(err, len(plain.Items))
		}
		in.Body.Close()
		bare += time.Since(start)
	}
	b.ReportMetric(float64(bounded)/float64(bare), "times-bare")
}

// A platform that switches protocols keeps the connection, and holds nobody up.
func TestRequest_SwitchingProtocols(t *testing.T) {
	handler, returned := switchingtest.Handler(t)
	asked, _ := caller(t, fetch.Options{}, source.About{}, handler)
	_, err := asked.JSON(t.Context(), fetch.Request{}, &struct{}{})
	var unavailable *source.Unavailable
	if !errors.As(err, &unavailable) || unavailable.Reason != "answered 101" {
		t.Errorf("JSON = %v, want that it answered 101", err)
	}
	returned()
}
