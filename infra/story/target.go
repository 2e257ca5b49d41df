package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// answerTime is how long one response may take: API Gateway gives up after 29 s.
const answerTime = 40 * time.Second

// largest is the most that is read of a response, in bytes. Lambda passes on 6 MB.
const largest = 16 << 20

// A target is a deployment with keys: admin and read of one workspace, and an agency's master key, which may be
// missing.
type target struct {
	url                 string
	admin, read, master string
}

// A reply is a response that was read whole.
type reply struct {
	request string // for people
	status  int
	header  http.Header
	body    []byte
}

// send sends one request. Headers are pairs. The path is relative to the API's address; a whole address is taken as
// it is.
func (at target) send(ctx context.Context, method, path, key, body string, headers ...string) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	address := path
	if strings.HasPrefix(path, "/") {
		address = strings.TrimSuffix(at.url, "/") + path
	}
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, largest))
	if err != nil {
		return reply{}, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return reply{method + " " + path, response.StatusCode, response.Header, content}, nil
}

// shown returns the beginning of a reply, for an error.
func (r reply) shown() string {
	return fmt.Sprintf("%s: %d %s", r.request, r.status, bytes.ToValidUTF8(r.body[:min(len(r.body), 300)], nil))
}

// is returns an error unless the reply is this error in the contract's envelope.
func (r reply) is(status int, code string) error {
	var envelope struct {
		Error struct {
			Code, Message string
			Status        int
		}
	}
	if err := json.Unmarshal(r.body, &envelope); err != nil {
		return fmt.Errorf("%s is no envelope: %w", r.shown(), err)
	}
	if r.status != status || envelope.Error.Code != code || envelope.Error.Status != status ||
		envelope.Error.Message == "" {
		return fmt.Errorf("%s, want %d %s", r.shown(), status, code)
	}
	return r.common()
}

// ok returns an error unless the status is 2xx, and reads the JSON.
func (r reply) ok(into any) error {
	if r.status < 200 || r.status > 299 {
		return fmt.Errorf("%s, want 2xx", r.shown())
	}
	if into != nil {
		if err := json.Unmarshal(r.body, into); err != nil {
			return fmt.Errorf("%s: %w", r.shown(), err)
		}
	}
	return r.common()
}

// common checks the headers that every response has, also those of the gateway.
func (r reply) common() error {
	for _, name := range []string{"X-Request-Id", "Server-Timing", "Strict-Transport-Security", "X-Content-Type-Options",
		"Cache-Control"} {
		if r.header.Get(name) == "" {
			return fmt.Errorf("%s has no %s", r.shown(), name)
		}
	}
	return nil
}

// A scene plays one story and remembers its first error. After an error it does nothing.
type scene struct {
	target
	ctx context.Context
	err error
}

// ask sends a request, unless something has failed already.
func (s *scene) ask(method, path, key, body string, headers ...string) reply {
	if s.err != nil {
		return reply{}
	}
	got, err := s.send(s.ctx, method, path, key, body, headers...)
	s.check(err)
	return got
}

// ok sends a request and wants a 2xx response.
func (s *scene) ok(into any, method, path, key, body string, headers ...string) reply {
	got := s.ask(method, path, key, body, headers...)
	if s.err == nil {
		s.check(got.ok(into))
	}
	return got
}

// refused sends a request and wants an error.
func (s *scene) refused(status int, code, method, path, key, body string) reply {
	got := s.ask(method, path, key, body)
	if s.err == nil {
		s.check(got.is(status, code))
	}
	return got
}

// check remembers an error.
func (s *scene) check(err error) {
	if s.err == nil {
		s.err = err
	}
}

// want fails the story unless something holds.
func (s *scene) want(holds bool, format string, values ...any) {
	if s.err == nil && !holds {
		s.err = fmt.Errorf(format, values...)
	}
}

// below resolves an address of a page against the page's own.
func (at target) below(page, reference string) (string, error) {
	base, err := url.Parse(strings.TrimSuffix(at.url, "/") + page)
	if err != nil {
		return "", err
	}
	resolved, err := base.Parse(reference)
	if err != nil {
		return "", err
	}
	return resolved.String(), nil
}

// A story is a named sequence of requests.
type story struct {
	name string
	play func(*scene)
}

// play plays all stories and returns what failed. A failure stops no other story.
func (at target) play(ctx context.Context, out io.Writer) error {
	if at.admin == "" {
		return errors.New("STORY_ADMIN is not set; give an admin key of the workspace of STORY_READ")
	}
	var failed []error
	for _, each := range stories() {
		if each.name == "agency" && at.master == "" {
			fmt.Fprintf(out, "%-12s left out: there is no STORY_MASTER\n", each.name)
			continue
		}
		s := &scene{target: at, ctx: ctx}
		each.play(s)
		if s.err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", each.name, s.err))
			fmt.Fprintf(out, "%-12s FAILED\n", each.name)
			continue
		}
		fmt.Fprintf(out, "%-12s ok\n", each.name)
	}
	return errors.Join(failed...)
}
