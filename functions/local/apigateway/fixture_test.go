package apigateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"earshot/shared/port/clock"
	"earshot/shared/web"
)

// generous is a time that only a test that hangs reaches.
const generous = 20 * time.Second

// echo answers with the event that it was given.
func echo(_ context.Context, event events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
	body, err := json.Marshal(event)
	return events.APIGatewayProxyResponse{StatusCode: http.StatusOK, Body: string(body)}, err
}

// answering is a handler that always gives the same response.
func answering(response events.APIGatewayProxyResponse) Handler {
	return func(context.Context, events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
		return response, nil
	}
}

// route is a route to a function named after its path.
func route(path string, handler Handler) Route {
	return Route{Path: path, Function: strings.Trim(path, "/"), Handler: handler}
}

// options are those of a test: its clock stands still.
func options() (Options, *journal) {
	var still clock.Adjustable
	still.Freeze(time.Date(2026, 11, 20, 9, 15, 7, 250e6, time.UTC))
	log := &journal{}
	return Options{Clock: &still, Log: slog.New(slog.NewTextHandler(log, nil)), Timeout: generous}, log
}

// journal keeps what is logged.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(line)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// serve serves a handler on a free port of the loopback interface until the test ends, and answers the address.
func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, listener, handler, slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return listener.Addr().String()
}

// start serves routes with the options of a test.
func start(t *testing.T, routes ...Route) string {
	t.Helper()
	surroundings, _ := options()
	return serve(t, New(routes, surroundings))
}

// An exchange is a response that has been read to its end.
type exchange struct {
	*http.Response
	body string
}

// send writes bytes to a new connection and reads the response, which must be one with a right Content-Length.
func send(t *testing.T, address, request string) exchange {
	t.Helper()
	connection := dial(t, address)
	if _, err := io.WriteString(connection, request); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(request, " ")
	return receive(t, bufio.NewReader(connection), method)
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	connection, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	if err := connection.SetDeadline(time.Now().Add(generous)); err != nil {
		t.Fatal(err)
	}
	return connection
}

func receive(t *testing.T, reader *bufio.Reader, method string) exchange {
	t.Helper()
	response, err := http.ReadResponse(reader, &http.Request{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return exchange{Response: response, body: string(body)}
}

// get is a request without a body, target and further header lines as they are.
func get(target string, headers ...string) string {
	return message("GET", target, "", headers...)
}

func message(method, target, body string, headers ...string) string {
	lines := append([]string{method + " " + target + " HTTP/1.1", "Host: earshot.test:8080"}, headers...)
	return strings.Join(lines, "\r\n") + "\r\n\r\n" + body
}

// event is the event in the answer of echo.
func (e exchange) event(t *testing.T) events.APIGatewayProxyRequest {
	t.Helper()
	if e.StatusCode != http.StatusOK {
		t.Fatalf("status %d: %s", e.StatusCode, e.body)
	}
	var event events.APIGatewayProxyRequest
	if err := json.Unmarshal([]byte(e.body), &event); err != nil {
		t.Fatal(err)
	}
	return event
}

// mustBeOwn fails unless the exchange is the gateway's own answer to the occasion.
func (e exchange) mustBeOwn(t *testing.T, occasion string) {
	t.Helper()
	want := web.GatewayFor(occasion)
	e.mustBe(t, want, want.Body())
}

func (e exchange) mustBe(t *testing.T, want web.GatewayResponse, body string) {
	t.Helper()
	if e.StatusCode != want.Status || e.body != body {
		t.Errorf("got %d %s\nwant %d %s", e.StatusCode, e.body, want.Status, body)
	}
	if e.ContentLength != int64(len(body)) {
		t.Errorf("Content-Length %d, want %d", e.ContentLength, len(body))
	}
	if got := e.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("Content-Type %q", got)
	}
	if len(e.Header.Get("X-Request-Id")) != 36 {
		t.Errorf("X-Request-Id %q", e.Header.Get("X-Request-Id"))
	}
	for name, value := range want.Fixed() {
		if e.Header.Get(name) != value {
			t.Errorf("%s %q, want %q", name, e.Header.Get(name), value)
		}
	}
}
