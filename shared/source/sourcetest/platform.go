package sourcetest

import (
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// platform is a server that sends the recorded responses, unless instead sends another.
type platform struct {
	t       testing.TB
	o       Options
	URL     string
	instead func(w http.ResponseWriter, r *http.Request, file string) bool // sends a response in place of the recorded one and reports whether it did; may be nil

	mu    sync.Mutex
	asked []asked
}

// asked is a request as goldens show it.
type asked struct {
	Method string
	Path   string
	Query  map[string][]string `json:",omitempty"`
	Header map[string]string   `json:",omitempty"`
	Body   string              `json:",omitempty"`
}

func serve(t testing.TB, o Options) *platform {
	t.Helper()
	p := &platform{t: t, o: o}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

func (p *platform) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return // the client has disconnected
	}
	p.mu.Lock()
	p.asked = append(p.asked, p.noted(r, string(body)))
	p.mu.Unlock()
	route, ok := p.route(r)
	if !ok {
		p.t.Errorf("no answer is recorded for %s %s", r.Method, r.URL)
		http.NotFound(w, r)
		return
	}
	if p.instead != nil && p.instead(w, r, route.File) {
		return
	}
	content := "application/json"
	if p.o.Feed {
		content = "application/xml"
	}
	w.Header().Set("Content-Type", content)
	for name, value := range route.Header {
		w.Header().Set(name, value)
	}
	if route.Status != 0 {
		w.WriteHeader(route.Status)
	}
	if route.File != "" {
		w.Write(p.recorded(route.File))
	}
}

func (p *platform) recorded(file string) []byte {
	content, err := fs.ReadFile(p.o.Answers, file)
	if err != nil {
		p.t.Errorf("the recorded answer: %v", err)
	}
	return content
}

func (p *platform) route(r *http.Request) (Route, bool) {
	query := r.URL.Query()
	at := slices.IndexFunc(p.o.Routes, func(route Route) bool {
		if route.Path != r.URL.EscapedPath() || route.Method != "" && route.Method != r.Method {
			return false
		}
		for name, value := range route.Query {
			if query.Get(name) != value {
				return false
			}
		}
		return true
	})
	if at < 0 {
		return Route{}, false
	}
	return p.o.Routes[at], true
}

// noted returns a request without its secrets and without the headers that net/http adds.
func (p *platform) noted(r *http.Request, body string) asked {
	noted := asked{Method: r.Method, Path: r.URL.EscapedPath(), Body: p.masked(body)}
	for name, values := range r.URL.Query() {
		if noted.Query == nil {
			noted.Query = map[string][]string{}
		}
		for _, value := range values {
			noted.Query[name] = append(noted.Query[name], p.masked(value))
		}
	}
	for name := range r.Header {
		if slices.Contains([]string{"User-Agent", "Accept-Encoding", "Content-Length"}, name) {
			continue
		}
		if noted.Header == nil {
			noted.Header = map[string]string{}
		}
		noted.Header[name] = p.masked(r.Header.Get(name))
	}
	return noted
}

const mask = "‹secret›"

func (p *platform) masked(text string) string {
	for _, secret := range p.o.Secrets {
		text = strings.ReplaceAll(text, secret, mask)
	}
	return text
}

// requests returns the requests since the last call.
func (p *platform) requests() []asked {
	p.mu.Lock()
	defer p.mu.Unlock()
	since := p.asked
	p.asked = nil
	return since
}

// signsIn reports whether a request signs in.
func (p *platform) signsIn(r *http.Request) bool { return p.isSignIn(r.URL.EscapedPath()) }

func (p *platform) isSignIn(path string) bool { return slices.Contains(p.o.SignIn, path) }

func pretty(t testing.TB, value any) []byte {
	t.Helper()
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}
