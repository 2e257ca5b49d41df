package chart

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"earshot/infra/terminal"
)

// mostRead bounds an answer. A year of hours has about 2 MiB.
const mostRead = 16 << 20

// An api is a deployment with one key to ask it with.
type api struct {
	base, key, workspace string
	client               *http.Client
}

// get reads an answer of the API.
func (a api) get(ctx context.Context, target string, into *json.RawMessage) error {
	path, _, _ := strings.Cut(target, "?")
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+target, nil)
	if err != nil {
		return Misused("--url is not the root of an API, such as https://api.example.com")
	}
	request.Header.Set("Authorization", "Bearer "+a.key)
	if a.workspace != "" {
		request.Header.Set("x-earshot-organization-id", a.workspace)
	}
	answer, err := a.client.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &Failure{StatusNowhere, fmt.Errorf("no Earshot answers at %s: %w", terminal.Safe(a.base), rootOf(err))}
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(io.LimitReader(answer.Body, mostRead+1))
	switch {
	case err != nil:
		return &Failure{StatusFailed, fmt.Errorf("the answer to GET %s broke off: %w", path, rootOf(err))}
	case len(read) > mostRead:
		return &Failure{StatusFailed, fmt.Errorf("the answer to GET %s has more than %d MiB", path, mostRead>>20)}
	case answer.StatusCode != http.StatusOK:
		return refusal(path, answer, read)
	case !json.Valid(read):
		return &Failure{StatusNowhere, fmt.Errorf(
			"GET %s at %s does not answer JSON: it is not the root of an Earshot API", path, terminal.Safe(a.base),
		)}
	}
	*into = read
	return nil
}

// refusal returns the error of an answer that is not 200, with the places of its faults.
func refusal(path string, answer *http.Response, body []byte) error {
	var envelope struct {
		Error struct {
			Code, Message string
			Details       []struct{ Path, Message string }
		}
	}
	if json.Unmarshal(body, &envelope) != nil || envelope.Error.Code == "" {
		status := StatusNowhere
		if answer.StatusCode >= 500 {
			status = StatusFailed
		}
		return &Failure{status, fmt.Errorf("GET %s answers %d, and not as Earshot does", path, answer.StatusCode)}
	}
	message := envelope.Error.Message
	if len(envelope.Error.Details) > 0 {
		var faults []string
		for _, detail := range envelope.Error.Details {
			faults = append(faults, detail.Path+": "+strings.TrimSuffix(detail.Message, "."))
		}
		message = strings.Join(faults, "; ")
	}
	status := StatusRefused
	switch code := answer.StatusCode; {
	case envelope.Error.Code == "NOT_FOUND": // the path, and no keyword
		status = StatusNowhere
		message = "There is no such path. --url takes the root of an API, such as https://api.example.com"
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		status = StatusKey
	case code == http.StatusTooManyRequests:
		status = StatusFailed
		if after := answer.Header.Get("Retry-After"); after != "" {
			message = strings.TrimSuffix(message, ".") + ". Ask again in " + after + " s"
		}
	case code >= 500:
		status = StatusFailed
	}
	return &Failure{status, fmt.Errorf("GET %s: %s (%s)", path,
		strings.TrimSuffix(terminal.Safe(message), "."), terminal.Safe(envelope.Error.Code))}
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
