// Package client asks a deployment over its API, as any client does, for the commands of the program. Its errors are
// for the person at the terminal: each has an exit status, and no final stop.
//
// The words of the program import it.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"earshot/infra/exit"
	"earshot/infra/terminal"
)

// mostRead bounds an answer. A year of hours has about 2 MiB.
const mostRead = 16 << 20

// askTime is how long a deployment may take for an answer.
const askTime = time.Minute

// A Target says which deployment to ask, and with which key.
type Target struct {
	Base      string // the root of the API, without /api/v2
	Key       string
	Workspace string // the workspace that an agency's key acts in; empty for a key of one workspace
}

// A Client asks one deployment with one key.
type Client struct {
	Target
	http http.Client
}

// An Answer is a response that is a success and JSON.
type Answer struct {
	Status int
	Header http.Header
	Body   json.RawMessage
}

// A Refusal is an error response of the API.
type Refusal struct {
	Code, Message string
	RetryAfter    string // of a response that can be asked for again later
}

// Error returns the message and the code.
func (r *Refusal) Error() string { return r.Message + " (" + r.Code + ")" }

// New returns a Client. It refuses a base that would give the key away, and what is no URL.
func New(t Target) (*Client, error) {
	parsed, err := url.Parse(t.Base)
	switch {
	case err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" ||
		parsed.RawQuery != "" || parsed.Fragment != "" || parsed.User != nil:
		return nil, exit.Misused("the base URL is not the root of an API, such as https://api.example.com")
	case parsed.Scheme == "http" && !loopback(parsed.Hostname()):
		return nil, exit.Misused(
			"the base URL is plain http to another machine, and the key could be read on its way. Use https",
		)
	case strings.ContainsFunc(t.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, exit.Failing(
			exit.Key, "the key has characters that no key has. Copy it again, without blanks and line ends",
		)
	}
	t.Base = strings.TrimSuffix(strings.TrimSuffix(t.Base, "/"), "/api/v2")
	return &Client{t, http.Client{Timeout: askTime, CheckRedirect: stay}}, nil
}

// stay follows no redirection: it could lead the key elsewhere, and makes a GET of a POST.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Get asks for a path of the API, with its query.
func (c *Client) Get(ctx context.Context, target string) (Answer, error) {
	return c.Do(ctx, http.MethodGet, target, nil)
}

// Do sends a request with a body of JSON, or without one, and more headers as names and values. An error response is
// an *exit.Failure on a *Refusal.
func (c *Client) Do(ctx context.Context, method, target string, body any, header ...string) (Answer, error) {
	var content []byte
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			return Answer{}, fmt.Errorf("write the request: %w", err)
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, c.Base+target, bytes.NewReader(content))
	if err != nil {
		return Answer{}, exit.Misused("the base URL is not the root of an API, such as https://api.example.com")
	}
	if c.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.Key)
	}
	if c.Workspace != "" {
		request.Header.Set("x-earshot-organization-id", c.Workspace)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	path, _, _ := strings.Cut(target, "?")
	asked := method + " " + terminal.Safe(path)
	response, err := c.http.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return Answer{}, ctx.Err()
		}
		if brokeOff(err) {
			return Answer{}, exit.Failing(exit.Failed, "%s got no answer: %w", asked, rootOf(err))
		}
		return Answer{}, exit.Failing(exit.Nowhere, "no Earshot answers at %s: %w", terminal.Safe(c.Base), rootOf(err))
	}
	defer response.Body.Close()
	read, err := io.ReadAll(io.LimitReader(response.Body, mostRead+1))
	switch {
	case err != nil && ctx.Err() != nil:
		return Answer{}, ctx.Err()
	case err != nil:
		return Answer{}, exit.Failing(exit.Failed, "the answer to %s broke off: %w", asked, rootOf(err))
	case len(read) > mostRead:
		return Answer{}, exit.Failing(exit.Failed, "the answer to %s has more than %d MiB", asked, mostRead>>20)
	case response.StatusCode/100 != 2:
		return Answer{}, refusal(asked, response, read)
	case !json.Valid(read):
		return Answer{}, exit.Failing(exit.Nowhere,
			"%s at %s does not answer JSON: it is not the root of an Earshot API", asked, terminal.Safe(c.Base))
	}
	return Answer{response.StatusCode, response.Header, read}, nil
}

// refusal returns the error of a response that is no success, with the places of its faults.
func refusal(asked string, response *http.Response, body []byte) error {
	var envelope struct {
		Error struct {
			Code, Message              string
			UpgradeURL, UpgradeCommand string
			Details                    []struct{ Path, Message string }
		}
	}
	if json.Unmarshal(body, &envelope) != nil || envelope.Error.Code == "" {
		status := exit.Nowhere
		if response.StatusCode >= 500 {
			status = exit.Failed
		}
		return exit.Failing(status, "%s answers %d, and not as Earshot does", asked, response.StatusCode)
	}
	refused := envelope.Error
	message := refused.Message
	if len(refused.Details) > 0 {
		var faults []string
		for _, detail := range refused.Details {
			faults = append(faults, detail.Path+": "+strings.TrimSuffix(detail.Message, "."))
		}
		message = strings.Join(faults, "; ")
	}
	if refused.UpgradeCommand != "" {
		message = strings.TrimSuffix(message, ".") + ". Run " + refused.UpgradeCommand + ", or open " + refused.UpgradeURL
	}
	after := response.Header.Get("Retry-After")
	status := exit.Refused
	switch code := response.StatusCode; {
	case refused.Code == "NOT_FOUND": // the path, and no keyword
		status = exit.Nowhere
		message = "There is no such path. The base URL is the root of an API, such as https://api.example.com"
	case refused.Code == "ORGANIZATION_REQUIRED": // the header is a flag here
		message = "An agency's key acts in one of its workspaces. Name it with --workspace"
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		status = exit.Key
	case code == http.StatusTooManyRequests:
		status = exit.Failed
		if after != "" {
			message = strings.TrimSuffix(message, ".") + ". Ask again in " + after + " s"
		}
	case code >= 500:
		status = exit.Failed
	}
	return &exit.Failure{Status: status, Cause: fmt.Errorf("%s: %w", asked, &Refusal{
		Code:       terminal.Safe(refused.Code),
		Message:    strings.TrimSuffix(terminal.Safe(message), "."),
		RetryAfter: after,
	})}
}

// brokeOff reports whether a request may have reached a server that then fell silent.
func brokeOff(err error) bool {
	var network *net.OpError
	if errors.As(err, &network) && network.Op == "dial" {
		return false
	}
	var late interface{ Timeout() bool }
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) ||
		errors.As(err, &late) && late.Timeout()
}

// rootOf leaves out of an error what the message says already: the method and the URL.
func rootOf(err error) error {
	for {
		var network *net.OpError
		if errors.As(err, &network) {
			return errors.New(terminal.Safe(network.Error()))
		}
		inner := errors.Unwrap(err)
		if inner == nil {
			return errors.New(terminal.Safe(err.Error()))
		}
		err = inner
	}
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	address := net.ParseIP(host)
	return host == "localhost" || address != nil && address.IsLoopback()
}
