package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"earshot/shared/web/contract"
)

// A request is what a client sends.
type request struct {
	method, target string // the target with its query
	body           string
	key            string // the API key; empty: none
	workspace      string // that a master key names
	again          string // the Idempotency-Key; empty: none
	media          string // the body's type; empty: JSON
	revision       string // of the MCP specification; empty: none
}

func (r request) String() string {
	body := r.body
	if len(body) > 400 {
		body = body[:400] + "…"
	}
	text := r.method + " " + r.target
	if r.again != "" {
		text += " (Idempotency-Key " + r.again + ")"
	}
	return strings.TrimSpace(text + " " + body)
}

// An answer is what came of it.
type answer struct {
	contract.Answer
	broken bool // there was none: the process died
}

// patience is how long a request may take: longer than the gateway lets a function run.
const patience = 40 * time.Second

// outcome is what the answer says of a write.
func (a answer) outcome() outcome {
	switch {
	case a.broken || a.Status >= http.StatusInternalServerError:
		return unknown
	case a.Status >= http.StatusBadRequest:
		return refused
	}
	return acknowledged
}

// class is what the answer is counted as.
func (a answer) class() string {
	switch {
	case a.broken:
		return "broken"
	case a.Status == http.StatusTooManyRequests:
		return "429"
	}
	return fmt.Sprintf("%dxx", a.Status/100)
}

func (a answer) ok() bool { return !a.broken && a.Status/100 == 2 }

// read reads the body of an answer that acknowledges; what is no JSON leaves into as it is.
func (a answer) read(into any) { _ = json.Unmarshal(a.Body, into) }

func (a answer) String() string {
	if a.broken {
		return "no answer"
	}
	body := string(a.Body)
	if len(body) > 1200 {
		body = body[:1200] + "…"
	}
	return fmt.Sprintf("%d %s (X-Request-Id %s)", a.Status, strings.TrimSpace(body), a.Header.Get("X-Request-Id"))
}

// An api sends requests to the workbench, wherever it listens, and holds each answer to the contract.
type api struct {
	document  *contract.Document
	catalogue catalogue
	client    *http.Client
	tally     *tally
	findings  *findings

	base  atomic.Pointer[string]
	ahead atomic.Int64 // nanoseconds by which the workbench's clock is ahead of the machine's
	born  atomic.Int64 // nanoseconds of Unix time by the workbench's clock: when its process started
	dying atomic.Bool  // from before a kill until the next process listens: connections may break
	calm  atomic.Int64 // which time it is that there are no faults; 0: there may be some
}

func newAPI(openAPI []byte, t *tally, f *findings) (*api, error) {
	document, err := contract.NewDocument(openAPI)
	if err != nil {
		return nil, err
	}
	asked, err := newCatalogue(openAPI)
	if err != nil {
		return nil, err
	}
	return &api{document: document, catalogue: asked, tally: t, findings: f, client: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}, Timeout: patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// now returns the time by the workbench's clock.
func (a *api) now() time.Time { return time.Now().UTC().Add(time.Duration(a.ahead.Load())) }

// intoHour is how far into an hour the clock is turned. Alerts are evaluated five minutes past a full hour.
const intoHour = 6 * time.Minute

// turn puts the clock ahead by at least some time and into the next hour. It tells no process.
func (a *api) turn(least time.Duration) {
	now := a.now()
	a.ahead.Add(int64(now.Add(least).Truncate(time.Hour).Add(time.Hour + intoHour).Sub(now)))
}

// send sends a request and holds its answer to the contract.
func (a *api) send(ctx context.Context, r request) answer {
	calm, started := a.calm.Load(), time.Now()
	got, err := a.exchange(ctx, r)
	path, _, _ := strings.Cut(r.target, "?")
	a.tally.answered(a.route(r.method, path), got, time.Since(started))
	if got.broken {
		if !a.dying.Load() && ctx.Err() == nil {
			a.findings.add("a connection broke though nobody killed the process: %v\n  %s", err, r)
		}
		return got
	}
	for _, fault := range a.judge(r, path, got, calm) {
		a.findings.add("%s\n  request  %s\n  answer   %s", fault, r, got)
	}
	return got
}

// judge is what is outside the contract in an answer. calm is which time without faults it was when the request was
// sent; a 5xx is within it when that was none, or is over.
func (a *api) judge(r request, path string, got answer, calm int64) (faults []string) {
	if got.Status >= http.StatusInternalServerError && calm != 0 && calm == a.calm.Load() {
		faults = append(faults, "a 5xx though there is no fault")
	}
	if strings.HasPrefix(path, "/_local/") {
		if got.Header.Get("X-Request-Id") == "" {
			faults = append(faults, "an answer without X-Request-Id")
		}
		return faults
	}
	for _, err := range append(got.Faults(), a.document.Faults(r.method, path, got.Answer)...) {
		faults = append(faults, "an answer outside the contract: "+err.Error())
	}
	return faults
}

func (a *api) route(method, path string) string {
	if template := a.document.Template(path); template != "" {
		return method + " " + template
	}
	if local, found := strings.CutPrefix(path, "/_local/"); found {
		name, _, _ := strings.Cut(local, "/")
		return method + " /_local/" + name
	}
	return "an unknown path"
}

func (a *api) exchange(ctx context.Context, r request) (answer, error) {
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	target := r.target
	if strings.HasPrefix(target, "/") {
		target = *a.base.Load() + target
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, target, body)
	if err != nil {
		return answer{broken: true}, err
	}
	for name, value := range map[string]string{
		"x-earshot-organization-id": r.workspace, "Idempotency-Key": r.again, "Mcp-Protocol-Version": r.revision,
	} {
		if value != "" {
			sent.Header.Set(name, value)
		}
	}
	if r.key != "" {
		sent.Header.Set("Authorization", "Bearer "+r.key)
	}
	if r.body != "" {
		sent.Header.Set("Content-Type", "application/json")
		if r.media != "" {
			sent.Header.Set("Content-Type", r.media)
		}
	}
	response, err := a.client.Do(sent)
	if err != nil {
		return answer{broken: true}, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{broken: true}, err
	}
	return answer{Answer: contract.Answer{Status: response.StatusCode, Header: response.Header, Body: content}}, nil
}

// local asks the workbench's controls, in a moment when they must answer, and reads what they say.
func (a *api) local(ctx context.Context, method, path string, body any, into any) error {
	var content []byte
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			return err
		}
	}
	got, err := a.exchange(ctx, request{method: method, target: "/_local" + path, body: string(content)})
	switch {
	case err != nil:
		return fmt.Errorf("%s /_local%s: %w", method, path, err)
	case !got.ok():
		return fmt.Errorf("%s /_local%s: %s", method, path, got)
	case into == nil:
		return nil
	}
	return json.NewDecoder(bytes.NewReader(got.Body)).Decode(into)
}

// here is a link of the workbench's as a target, wherever it listens by now.
func (a *api) here(link string) string {
	if _, path, found := strings.Cut(link, "/_local/"); found {
		return "/_local/" + path
	}
	return link
}

// pathOf returns a URL's path with what follows it. It reports false if the text is no such URL.
func pathOf(url string) (path string, found bool) {
	_, rest, absolute := strings.Cut(url, "://")
	_, path, found = strings.Cut(rest, "/")
	return "/" + path, absolute && found
}
