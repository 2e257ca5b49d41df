package website_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"earshot/shared/outbound/switchingtest"
	"earshot/shared/outbound/website/websitetest"
	"earshot/shared/proposal/site"
)

// endless writes a piece until nobody reads.
func endless(w io.Writer, piece string) {
	for {
		if _, err := io.WriteString(w, piece); err != nil {
			return
		}
	}
}

// However long a page is, or becomes when it is unpacked, no more than MaxPage of it is kept.
func TestPage_Long(t *testing.T) {
	filler := strings.Repeat("x", 64<<10)
	for what, serve := range map[string]func(w http.ResponseWriter, r *http.Request){
		"endless": func(w http.ResponseWriter, _ *http.Request) { endless(w, filler) },
		"100 MB": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(100<<20))
			for range 100 << 20 / len(filler) {
				if _, err := io.WriteString(w, filler); err != nil {
					return
				}
			}
		},
		"a bomb": func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				t.Error("nothing is asked to be compressed")
			}
			w.Header().Set("Content-Encoding", "gzip")
			packed := gzip.NewWriter(w)
			endless(packed, filler)
		},
	} {
		internet := websitetest.New(t, hosts{"https://acme.com": handler(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, "<title>Acme</title>")
			serve(w, r)
		})})
		if what == "a bomb" {
			internet.Hosts["https://acme.com"] = handler(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				serve(w, r)
			})
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		page, err := internet.Client().Page(t.Context(), "acme.com")
		runtime.ReadMemStats(&after)
		if err != nil || len(page.HTML) != site.MaxPage {
			t.Errorf("%s: %d bytes, %v", what, len(page.HTML), err)
		}
		// The client's share and the server's together: buffers that double, twice, and no copy of what was cut.
		if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 64 {
			t.Errorf("%s took %d MB", what, used)
		}
	}
}

// Time is bounded, by a clock that is not real: a page that drips is taken as far as it came, and what says nothing is given up.
func TestPage_SlowHost(t *testing.T) {
	drip := handler(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, "<title>Acme</title>"); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			time.Sleep(time.Second)
		}
	})
	silent := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for what, c := range map[string]struct {
		hosts hosts
		most  time.Duration
		why   string
	}{
		"a drip": {hosts{"https://acme.com": drip}, 8 * time.Second, ""},
		"silence": {hosts{"https://acme.com": handler(silent), "https://www.acme.com": handler(silent),
			"http://acme.com": handler(silent)}, 20 * time.Second, "did not answer in time"},
		"silence about robots": {hosts{"https://acme.com": robotsOf(silent)}, 20 * time.Second, "did not answer in time"},
		"silence after a redirect": {hosts{"https://acme.com": websitetest.Redirect("https://www.acme.com/"),
			"https://www.acme.com": handler(silent)}, 20 * time.Second,
			"another address, which did not answer in time"},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				internet := websitetest.New(t, c.hosts)
				began := time.Now()
				page, err := internet.Client().Page(t.Context(), "acme.com")
				if took := time.Since(began); took > c.most {
					t.Errorf("it took %s", took)
				}
				if c.why == "" {
					if err != nil || !strings.Contains(string(page.HTML), "Acme") {
						t.Errorf("%q %v", page.HTML, err)
					}
				} else if why := unreadable(t, err); !strings.Contains(why, c.why) {
					t.Errorf("%q does not say %q", why, c.why)
				}
				time.Sleep(time.Minute) // until the servers have seen that nobody reads
			})
		})
	}
}

// The caller's end is no fault of the page.
func TestPage_CallerGivesUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	internet := websitetest.New(t, hosts{"https://acme.com": handler(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})})
	if _, err := internet.Client().Page(ctx, "acme.com"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A host that switches protocols keeps the connection, and holds nobody up.
func TestPage_SwitchingProtocols(t *testing.T) {
	switching, returned := switchingtest.Handler(t)
	internet := websitetest.New(t, hosts{"http://acme.com": handler(switching)})
	_, err := internet.Client().Page(t.Context(), "acme.com")
	if why := unreadable(t, err); !strings.Contains(why, "answered 101") {
		t.Errorf("%q does not say that the host answered 101", why)
	}
	returned()
}
