package sourcetest

import (
	"compress/gzip"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
)

// A fault is a platform's misbehaviour in place of its response.
type fault struct {
	name   string
	answer func(w http.ResponseWriter, r *http.Request, recorded []byte)
	bounds fetch.Options
	want   func(u *source.Unavailable) bool
	none   bool // the platform may mean by it that it found nothing
}

const wait = 7 * time.Second

var (
	network = func(u *source.Unavailable) bool { return u.Network && !u.Refused }
	reached = func(u *source.Unavailable) bool { return !u.Network && !u.Refused }
	refused = func(u *source.Unavailable) bool { return u.Refused && !u.Network }
	large   = func(u *source.Unavailable) bool {
		return reached(u) && strings.HasPrefix(u.Reason, "answered more than ")
	}
	waiting = func(u *source.Unavailable) bool { return reached(u) && u.RetryAfter == wait }
)

func status(code int, header ...string) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		w.Write([]byte(canary))
	}
}

func content(kind, body string) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.Header().Set("Content-Type", kind)
		w.Write([]byte(body))
	}
}

// canary stands in the bodies of refusals. It must not appear in errors, because such a body may repeat the request.
const canary = "canary in the answer"

func catalogue(o Options) []fault {
	date := o.Now.Add(wait).UTC().Format(http.TimeFormat)
	short := fetch.Options{Whole: 100 * time.Millisecond}
	markup := func(u *source.Unavailable) bool { return reached(u) && (o.Feed || strings.Contains(u.Reason, "HTML")) }
	all := []fault{
		{name: "500", answer: status(500), want: reached},
		{
			name:   "503 to wait for",
			answer: status(503, "Retry-After", strconv.Itoa(int(wait/time.Second))),
			want:   waiting,
		},
		{name: "404", answer: status(404), want: reached},
		{name: "429", answer: status(429), want: reached},
		{
			name:   "429 to wait for seconds",
			answer: status(429, "Retry-After", strconv.Itoa(int(wait/time.Second))),
			want:   waiting,
		},
		{name: "429 to wait for a date", answer: status(429, "Retry-After", date), want: waiting},
		{name: "401", answer: status(401), want: refused},
		{name: "403", answer: status(403), want: refused},
		{name: "302 round and round", answer: circle, want: reached},
		{name: "half a body", answer: half, want: network},
		{name: "50 MB", answer: endless(false), bounds: fetch.Options{MaxBytes: 1 << 20}, want: large},
		{name: "50 MB compressed", answer: endless(true), bounds: fetch.Options{MaxBytes: 1 << 20}, want: large},
		{name: "no gzip", answer: status(200, "Content-Encoding", "gzip"), want: reached},
		{
			name:   "HTML",
			answer: content("text/html; charset=utf-8", "<!doctype html><title>"+canary+"</title><p>Just a moment…"),
			want:   markup,
		},
		{name: "HTML that says it is not", answer: content("application/json", "\n<html><body>"+canary), want: markup},
		{name: "nothing", answer: content("application/json", ""), want: reached},
		{name: "no answer", answer: hang(false), bounds: short, want: network},
		{name: "no end", answer: hang(true), bounds: short, want: network},
		{
			name:   "a broken connection",
			answer: func(http.ResponseWriter, *http.Request, []byte) { panic(http.ErrAbortHandler) },
			want:   network,
		},
	}
	if o.Feed {
		return all
	}
	for _, body := range []string{`{}`, `[]`, `null`, `7`, `"x"`, `true`, `[null]`, `{"a":`, `{"a":1}}`, "\x00",
		strings.Repeat("[", 100_000)} {
		name := body[:min(len(body), 8)]
		all = append(all, fault{name: "JSON " + strconv.Quote(name), answer: content("application/json", body),
			want: func(u *source.Unavailable) bool { return !u.Refused }, none: body == `{}` && o.None})
	}
	return all
}

func circle(w http.ResponseWriter, r *http.Request, _ []byte) {
	w.Header().Set("Location", r.URL.String())
	w.WriteHeader(http.StatusFound)
}

func half(w http.ResponseWriter, _ *http.Request, recorded []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(recorded)+2))
	w.Write(recorded[:len(recorded)/2])
}

// endless sends 50 MB of JSON that would be valid at its end.
func endless(compressed bool) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.Header().Set("Content-Type", "application/json")
		chunk := []byte(strings.Repeat(" ", 1<<20))
		if !compressed {
			for range 50 {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		for range 50 {
			if _, err := z.Write(chunk); err != nil {
				return
			}
		}
		z.Close()
	}
}

func hang(begun bool) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, r *http.Request, recorded []byte) {
		if begun {
			w.Header().Set("Content-Type", "application/json")
			w.Write(recorded[:len(recorded)/2])
			w.(http.Flusher).Flush()
		}
		select {
		case <-r.Context().Done():
		case <-time.After(time.Minute):
		}
	}
}

// faults tries every fault on every request, and once more on the requests after signing in.
func faults(t *testing.T, o Options) {
	for _, f := range catalogue(o) {
		t.Run(f.name, func(t *testing.T) { suffer(t, o, f, false) })
		if len(o.SignIn) > 0 {
			t.Run(f.name+" once signed in", func(t *testing.T) { suffer(t, o, f, true) })
		}
	}
	t.Run("no connection", func(t *testing.T) {
		_, err := open(t, o, "http://127.0.0.1:1", fetch.Options{}).Search(t.Context(), o.Cases[0].Query)
		unavailable(t, o, err, network)
	})
	t.Run("cancelled before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		server := serve(t, o)
		_, err := open(t, o, server.URL, fetch.Options{}).Search(ctx, o.Cases[0].Query)
		if !errors.Is(err, context.Canceled) || len(server.requests()) > 0 {
			t.Errorf("cancelled, it answers %v, or asks all the same", err)
		}
	})
	t.Run("cancelled meanwhile", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		server := serve(t, o)
		server.instead = func(w http.ResponseWriter, r *http.Request, _ string) bool {
			cancel()
			hang(false)(w, r, nil)
			return true
		}
		if _, err := open(
			t, o, server.URL, fetch.Options{},
		).Search(ctx, o.Cases[0].Query); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled, it answers %v", err)
		}
	})
}

func suffer(t *testing.T, o Options, f fault, signedIn bool) {
	server := serve(t, o)
	server.instead = func(w http.ResponseWriter, r *http.Request, file string) bool {
		if signedIn && server.signsIn(r) {
			return false
		}
		f.answer(w, r, server.recorded(file))
		return true
	}
	from := open(t, o, server.URL, f.bounds)
	page, err := from.Search(t.Context(), o.Cases[0].Query)
	if f.none && err == nil {
		if len(page.Posts) > 0 || page.Next != "" {
			t.Errorf("Search() = %d posts and Next %q, want an empty page", len(page.Posts), page.Next)
		}
		return
	}
	got := unavailable(t, o, err, f.want)
	if got == nil || got.RetryAfter == 0 {
		return
	}
	server.requests()
	_, err = from.Search(t.Context(), o.Cases[0].Query)
	unavailable(t, o, err, func(u *source.Unavailable) bool { return u.RetryAfter > 0 })
	for _, request := range server.requests() {
		if !server.isSignIn(request.Path) || !signedIn {
			t.Errorf("a request although the platform asked to wait: %s", request.Path)
		}
	}
}

// unavailable checks an error's kind and that it contains no secret.
func unavailable(t *testing.T, o Options, err error, want func(*source.Unavailable) bool) *source.Unavailable {
	t.Helper()
	var got *source.Unavailable
	if !errors.As(err, &got) {
		t.Errorf("Search() = %v, want a *source.Unavailable", err)
		return nil
	}
	if !want(got) {
		t.Errorf("Search() = %+v, an unexpected kind", *got)
	}
	if got.Source == "" || got.Reason == "" {
		t.Errorf("Source or Reason is empty: %+v", *got)
	}
	text := err.Error()
	for _, secret := range append([]string{canary, "?", "127.0.0.1"}, o.Secrets...) {
		if strings.Contains(text, secret) {
			t.Errorf("the error contains %q: %s", secret, text)
		}
	}
	return got
}
