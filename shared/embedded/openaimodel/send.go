package openaimodel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"earshot/shared/port/model"
)

// Bounds of a response in bytes, of which errors read less.
const (
	maxResponse = 4 << 20
	maxRefusal  = 16 << 10
)

// longestWait is how much of a Retry-After a request waits for.
const longestWait = 30 * time.Second

// send sends a request within a time limit and returns a response that has a turn.
func (m *Model) send(ctx context.Context, sent request, limit time.Duration) (response, error) {
	body, err := json.Marshal(sent)
	if err != nil {
		return response{}, fmt.Errorf("openaimodel: %w: the request has no JSON", model.ErrRefused)
	}
	if err := m.pause(ctx); err != nil {
		return response{}, fmt.Errorf("openaimodel: %w", err)
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	received, err := m.post(within, body)
	switch {
	case err == nil:
		return received, nil
	case ctx.Err() != nil:
		return response{}, fmt.Errorf("openaimodel: %w", ctx.Err())
	}
	return response{}, fmt.Errorf("openaimodel: %w", err)
}

// pause waits until the server takes requests again. Returns ErrThrottled if that is too long.
func (m *Model) pause(ctx context.Context) error {
	wait := time.Unix(0, m.until.Load()).Sub(m.clock.Now())
	if wait <= 0 {
		return ctx.Err()
	}
	deadline, bounded := ctx.Deadline()
	if wait > longestWait || bounded && time.Until(deadline) < wait {
		return fmt.Errorf("%w: the server takes requests again in %s", model.ErrThrottled, wait.Round(time.Second))
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func (m *Model) post(ctx context.Context, body []byte) (response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.endpoint, bytes.NewReader(body))
	if err != nil {
		return response{}, fmt.Errorf("%w: the request cannot be made", model.ErrRefused)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	if m.key != "" {
		r.Header.Set("Authorization", "Bearer "+m.key)
	}
	answer, err := m.client.Do(r)
	if err != nil {
		return response{}, fmt.Errorf("%w: %s", model.ErrUnavailable, unreached(err))
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return response{}, m.refused(answer)
	}
	content, err := io.ReadAll(io.LimitReader(answer.Body, maxResponse+1))
	switch {
	case err != nil:
		return response{}, fmt.Errorf("%w: the response broke off", model.ErrUnavailable)
	case len(content) > maxResponse:
		return response{}, fmt.Errorf("%w: the response has more than %d bytes", model.ErrUnavailable, maxResponse)
	}
	var received response
	if json.Unmarshal(content, &received) != nil || len(received.Choices) == 0 || received.Choices[0].Message == nil {
		return response{}, fmt.Errorf("%w: the response is no chat completion", model.ErrUnavailable)
	}
	return received, nil
}

// refused returns the port's error for a status other than 200.
func (m *Model) refused(answer *http.Response) error {
	cause := m.cause(answer)
	switch status := answer.StatusCode; {
	case status == http.StatusTooManyRequests:
		m.hold(answer.Header)
		return fmt.Errorf("%w: %s", model.ErrThrottled, cause)
	case status >= 500, status == http.StatusRequestTimeout, status == http.StatusTooEarly:
		m.hold(answer.Header)
		return fmt.Errorf("%w: %s", model.ErrUnavailable, cause)
	}
	return fmt.Errorf("%w: %s", model.ErrRefused, cause)
}

// hold sends nothing for the time of Retry-After, in seconds or as an HTTP date (RFC 9110, section 10.2.3), an hour at
// most.
func (m *Model) hold(header http.Header) {
	value, now := strings.TrimSpace(header.Get("Retry-After")), m.clock.Now()
	var until time.Time
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		until = now.Add(time.Duration(seconds) * time.Second)
	} else if until, err = http.ParseTime(value); err != nil {
		return
	}
	if latest := now.Add(time.Hour); until.After(latest) {
		until = latest
	}
	if until.After(now) {
		m.until.Store(until.UnixNano())
	}
}

// maxCause is how many characters of a server's message an error quotes.
const maxCause = 200

// cause describes a refusal. It quotes the server only if no key was sent that the server could repeat.
func (m *Model) cause(answer *http.Response) string {
	status := "status " + strconv.Itoa(answer.StatusCode)
	if m.key != "" {
		return status
	}
	content, err := io.ReadAll(io.LimitReader(answer.Body, maxRefusal))
	var told struct {
		Error json.RawMessage `json:"error"`
	}
	if err != nil || json.Unmarshal(content, &told) != nil || len(told.Error) == 0 {
		return status
	}
	var detailed struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(told.Error, &detailed) != nil && json.Unmarshal(told.Error, &detailed.Message) != nil {
		return status
	}
	return fmt.Sprintf("%s: %.*q", status, maxCause, detailed.Message)
}

// unreached describes why no response came, without the URL.
func unreached(err error) string {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "no response in time"
	}
	var opened *net.OpError
	if errors.As(err, &opened) {
		return fmt.Sprintf("%.*q", maxCause, opened.Error())
	}
	return "the connection broke off, or what came is not HTTP"
}

// errNotLoopback means that a name of the machine leads to another one.
var errNotLoopback = errors.New("MODEL_URL has no address of this machine, and plain http reaches no other")

// newClient makes a client that follows no redirect. If plain is true, it reaches loopback addresses only, whatever a
// name resolves to.
func newClient(plain bool) *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        time.Minute,
	}
	if plain {
		transport.Proxy = nil
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			if found, err := netip.ParseAddrPort(address); err != nil || !found.Addr().Unmap().IsLoopback() {
				return errNotLoopback
			}
			return nil
		}
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// loopback reports whether a host is this machine by its address or as localhost.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}
