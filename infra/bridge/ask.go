package bridge

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

	"earshot/infra/exit"
	"earshot/infra/terminal"
)

// ask sends a message to the server, and returns the response as one line. A failure is a JSON-RPC error, or a line of
// the log for a notification.
func (b *bridge) ask(ctx context.Context, m message, line []byte) []byte {
	response, err := b.send(ctx, m, line)
	switch {
	case err != nil && len(m.ID) == 0 && ctx.Err() == nil:
		fmt.Fprintf(b.Log, "earshot: %s was lost. %s\n", terminal.Safe(m.Method), sentence(err))
		return nil
	case err != nil:
		return failure(m.ID, codeServer, sentence(err))
	}
	return response
}

// send sends a message, a second time if another credential can be had after a 401. The server did nothing the first
// time.
func (b *bridge) send(ctx context.Context, m message, line []byte) ([]byte, error) {
	to, err := b.Server(ctx, "")
	if err != nil {
		return nil, err
	}
	response, refused, err := b.post(ctx, to, m, line)
	if !refused {
		return response, err
	}
	again, renewing := b.Server(ctx, to.Token)
	if renewing != nil {
		return nil, renewing
	}
	if again.Token == to.Token {
		return response, err
	}
	response, _, err = b.post(ctx, again, m, line)
	return response, err
}

// post sends a message once. refused reports a 401.
func (b *bridge) post(ctx context.Context, to Server, m message, line []byte) (body []byte, refused bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to.URL, bytes.NewReader(line))
	if err != nil {
		return nil, false, exit.Misused("the base URL is not the root of an API, such as https://api.example.com")
	}
	b.mutex.Lock()
	agreed := b.revision
	b.mutex.Unlock()
	m.headers(request.Header, agreed)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("Authorization", "Bearer "+to.Token)
	if to.Workspace != "" {
		request.Header.Set("x-earshot-organization-id", to.Workspace)
	}
	response, err := b.http.Do(request)
	if err != nil {
		return nil, false, unreachable(to.URL, err)
	}
	defer response.Body.Close()
	read, err := io.ReadAll(io.LimitReader(response.Body, maxRead+1))
	switch {
	case err != nil:
		return nil, false, unreachable(to.URL, err)
	case len(read) > maxRead:
		return nil, false, fmt.Errorf("the response has more than %d MiB. Ask for less", maxRead>>20)
	case len(m.ID) == 0 && response.StatusCode/100 == 2:
		return nil, false, nil
	}
	var parts struct {
		JSONRPC string          `json:"jsonrpc"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	var out bytes.Buffer
	if json.Compact(&out, read) == nil && json.Unmarshal(read, &parts) == nil && parts.JSONRPC == "2.0" &&
		(parts.Result != nil || parts.Error != nil) {
		if len(m.ID) == 0 {
			return nil, false, fmt.Errorf("the server refused it (status %d)", response.StatusCode)
		}
		return out.Bytes(), false, nil
	}
	return nil, response.StatusCode == http.StatusUnauthorized, b.refusal(to.URL, response, parts.Error)
}

// refusal returns the error of a response that is no JSON-RPC message. envelope is the API's error, or empty.
func (b *bridge) refusal(at string, response *http.Response, envelope json.RawMessage) error {
	var refused struct{ Code, Message string }
	if json.Unmarshal(envelope, &refused) != nil || refused.Code == "" {
		return fmt.Errorf("%s answers %d, and not as an Earshot server does. Check the base URL",
			hostOf(at), response.StatusCode)
	}
	message := strings.TrimSuffix(terminal.Safe(refused.Message), ".") + " (" + terminal.Safe(refused.Code) + ")"
	if response.StatusCode == http.StatusUnauthorized {
		return fmt.Errorf("%s. %s", message, b.Remedy)
	}
	if after := response.Header.Get("Retry-After"); after != "" {
		return fmt.Errorf("%s. Ask again in %s s", message, terminal.Safe(after))
	}
	return fmt.Errorf("%s", message)
}

// unreachable returns the error of a server that did not respond.
func unreachable(at string, err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err // the address is named already
	}
	return fmt.Errorf("no Earshot answers at %s: %s. Start it, or check the base URL and the network",
		hostOf(at), terminal.Safe(err.Error()))
}

// hostOf returns a URL without its path.
func hostOf(at string) string {
	parsed, err := url.Parse(at)
	if err != nil {
		return "the base URL"
	}
	return terminal.Safe(parsed.Scheme + "://" + parsed.Host)
}

// sentence returns an error as a sentence.
func sentence(err error) string {
	text := strings.TrimSuffix(err.Error(), ".") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}
