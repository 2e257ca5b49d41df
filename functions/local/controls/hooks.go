package controls

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"earshot/shared/web/problem"
)

// hooks receives what the workbench's own webhooks send, for people and tests to look at. It answers as it is told to.
type hooks struct {
	mu     sync.Mutex
	byName map[string]*hook
}

// A hook is one receiver.
type hook struct {
	requests []hookRequest  // the last maxHookRequests, the first first
	answers  []hookResponse // of the next requests
}

// Bounds of what is kept.
const (
	maxHooks        = 100
	maxHookRequests = 1_000
	maxHookTimes    = 10_000
	maxHookDelay    = time.Minute
)

type hookRequest struct {
	At       string            `json:"at"`
	Status   int               `json:"status"` // that it was answered with; 0: the connection was broken off
	Headers  map[string]string `json:"headers"`
	Body     string            `json:"body"`
	Verified bool              `json:"verified"` // whether it is signed by a secret of a webhook that leads here
}

// A hookResponse says how requests are answered. Without one it is 200.
type hookResponse struct {
	Status     int    `json:"status"`               // 200 to 599
	Times      int    `json:"times"`                // how many requests
	DelayMS    int    `json:"delayMs,omitempty"`    // before it answers, at most a minute
	RetryAfter string `json:"retryAfter,omitempty"` // the header Retry-After
	Reset      bool   `json:"reset,omitempty"`      // breaks the connection off instead
}

var hookPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + Prefix + `/hooks/([a-z0-9-]{1,40})(/responses)?$`)
})

// hookOf returns the name of the receiver that a path is of, and what follows it.
func hookOf(path string) (name, rest string, ok bool) {
	found := hookPath().FindStringSubmatch(path)
	if found == nil {
		return "", "", false
	}
	return found[1], found[2], true
}

func (c *controls) hookMethods(name, rest string) map[string]operation {
	if rest != "" {
		return map[string]operation{
			http.MethodPost:   func(r *http.Request) (any, error) { return c.setHookResponses(r, name) },
			http.MethodDelete: func(r *http.Request) (any, error) { return c.clearHookResponses(r, name) },
		}
	}
	return map[string]operation{
		http.MethodGet:    func(r *http.Request) (any, error) { return c.listHook(r, name) },
		http.MethodPost:   func(r *http.Request) (any, error) { return c.receive(r, name) },
		http.MethodDelete: func(r *http.Request) (any, error) { return c.emptyHook(r, name) },
	}
}

// hook returns a receiver, which it makes. The caller holds the lock. Of more than maxHooks, one is forgotten.
func (h *hooks) hook(name string) *hook {
	if h.byName == nil {
		h.byName = map[string]*hook{}
	}
	if h.byName[name] == nil {
		if len(h.byName) >= maxHooks {
			for other := range h.byName {
				delete(h.byName, other)
				break
			}
		}
		h.byName[name] = &hook{}
	}
	return h.byName[name]
}

// next returns how the next request is answered. The caller holds the lock.
func (h *hook) next() hookResponse {
	if len(h.answers) == 0 {
		return hookResponse{Status: http.StatusOK}
	}
	answer := h.answers[0]
	if h.answers[0].Times--; h.answers[0].Times <= 0 {
		h.answers = h.answers[1:]
	}
	return answer
}

// listHook lists what a receiver got, the first first.
func (c *controls) listHook(r *http.Request, name string) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	c.hooks.mu.Lock()
	defer c.hooks.mu.Unlock()
	return map[string]any{"requests": append([]hookRequest{}, c.hooks.hook(name).requests...)}, nil
}

// emptyHook forgets what a receiver got, and how it is to answer.
func (c *controls) emptyHook(r *http.Request, name string) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	c.hooks.mu.Lock()
	defer c.hooks.mu.Unlock()
	delete(c.hooks.byName, name)
	return map[string]any{"requests": []hookRequest{}}, nil
}

// clearHookResponses has a receiver answer with 200 from now on. It keeps what the receiver got.
func (c *controls) clearHookResponses(r *http.Request, name string) (any, error) {
	if _, err := readQuery(r); err != nil {
		return nil, err
	}
	c.hooks.mu.Lock()
	defer c.hooks.mu.Unlock()
	c.hooks.hook(name).answers = nil
	return map[string]any{"responses": []hookResponse{}}, nil
}

// setHookResponses says how a receiver answers the next requests.
func (c *controls) setHookResponses(r *http.Request, name string) (any, error) {
	command := hookResponse{Times: 1}
	if err := readCommand(r, &command); err != nil {
		return nil, err
	}
	var faults []problem.Detail
	fault := func(path, message string) {
		faults = append(faults, problem.Detail{Path: path, Code: "range", Message: message})
	}
	if !command.Reset && (command.Status < 200 || command.Status > 599) {
		fault("status", "Must be a status from 200 to 599.")
	}
	if command.Times < 1 || command.Times > maxHookTimes {
		fault("times", fmt.Sprintf("Must be from 1 to %d.", maxHookTimes))
	}
	if command.DelayMS < 0 || command.DelayMS > int(maxHookDelay/time.Millisecond) {
		fault("delayMs", fmt.Sprintf("Must be from 0 to %d.", maxHookDelay/time.Millisecond))
	}
	if strings.ContainsFunc(command.RetryAfter, func(c rune) bool { return c < ' ' || c > '~' }) {
		fault("retryAfter", "Must be seconds or a date.")
	}
	if len(faults) > 0 {
		return nil, problem.Invalid(faults...)
	}
	c.hooks.mu.Lock()
	defer c.hooks.mu.Unlock()
	of := c.hooks.hook(name)
	of.answers = append(of.answers, command)
	return map[string]any{"responses": slices.Clone(of.answers)}, nil
}

// receive takes a webhook's request.
func (c *controls) receive(r *http.Request, name string) (any, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return nil, problem.New(problem.InvalidInput, "The body breaks off.")
	}
	verified := false
	if c.Verified != nil {
		if verified, err = c.Verified(r.Context(), name, r.Header, body); err != nil {
			return nil, err
		}
	}
	got := hookRequest{
		At: moment(
			c.Clock.Now(),
		), Headers: map[string]string{}, Body: strings.ToValidUTF8(string(body), "\uFFFD"), Verified: verified,
	}
	for header := range r.Header {
		got.Headers[strings.ToLower(header)] = r.Header.Get(header)
	}
	c.hooks.mu.Lock()
	defer c.hooks.mu.Unlock()
	of := c.hooks.hook(name)
	answer := of.next()
	if !answer.Reset {
		got.Status = answer.Status
	}
	of.requests = append(of.requests, got)
	of.requests = of.requests[max(0, len(of.requests)-maxHookRequests):]
	return answer, nil
}

// send answers a webhook's request, and ends its connection: none is open when nothing is under way.
func (a hookResponse) send(w http.ResponseWriter, r *http.Request) {
	select {
	case <-time.After(time.Duration(a.DelayMS) * time.Millisecond):
	case <-r.Context().Done():
		return
	}
	if a.Reset {
		panic(http.ErrAbortHandler)
	}
	if a.RetryAfter != "" {
		w.Header().Set("Retry-After", a.RetryAfter)
	}
	w.Header().Set("Connection", "close")
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(a.Status)
	if a.Status != http.StatusNoContent && a.Status != http.StatusNotModified {
		_, _ = io.WriteString(w, strconv.Itoa(a.Status)+"\n")
	}
}
