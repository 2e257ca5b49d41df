package apigateway

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
)

// What net/http would refuse in plain text is refused in the envelope, whatever came before on the connection.
func TestRefusals(t *testing.T) {
	address := start(t, route("/{all+}", echo))
	for name, request := range map[string]string{
		"no slash":          get("api/v2"),
		"control character": get("/api/\x01"),
		"space":             get("/api/v2/a b"),
		"no host":           "GET /api HTTP/1.1\r\n\r\n",
		"bad host":          "GET /api HTTP/1.1\r\nHost: a b\r\n\r\n",
		"bad header":        get("/api", "X A: 1"),
		"future version":    "GET /api HTTP/3.1\r\nHost: a\r\n\r\n",
		"transfer coding":   message("POST", "/api", "", "Transfer-Encoding: gzip"),
		"two lengths":       message("POST", "/api", "ab", "Content-Length: 1", "Content-Length: 2"),
		"expectation":       message("POST", "/api", "", "Expect: a miracle"),
		"too many headers": get("/api",
			strings.TrimSuffix(strings.Repeat("X-A: "+strings.Repeat("a", 1000)+"\r\n", 20), "\r\n")),
		"a very long query":  get("/api?q=" + strings.Repeat("a", 20_000)),
		"not HTTP":           "hello\r\n\r\n",
		"a TLS client hello": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, before := range []int{0, 2} {
				connection := dial(t, address)
				reader := bufio.NewReader(connection)
				for range before {
					if _, err := io.WriteString(connection, get("/ok")); err != nil {
						t.Fatal(err)
					}
					receive(t, reader, "GET").event(t)
				}
				// The server may answer and close before it has read everything.
				_, _ = io.WriteString(connection, request)
				got := receive(t, reader, "GET")
				got.mustBeOwn(t, badRequest)
				if !got.Close {
					t.Error("the connection stays open")
				}
				if rest, err := io.ReadAll(reader); err != nil || len(rest) > 0 {
					t.Errorf("after the answer: %q, %v", rest, err)
				}
			}
		})
	}
}

// Requests that a client sends without waiting are answered in order, a refused one last.
func TestPipelining(t *testing.T) {
	connection := dial(t, start(t, route("/{all+}", echo)))
	if _, err := io.WriteString(connection, get("/1")+get("/2")+message("POST", "/3", "abc", "Content-Length: 3")+
		get("/%zz")+message("POST", "/5", "GET /%zz HTTP/1.1\r\n", "Content-Length: 19")+get("no-slash")); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(connection)
	for _, want := range []string{"/1 ", "/2 ", "/3 abc", "/%25zz ", "/5 GET /%zz HTTP/1.1\r\n"} {
		event := receive(t, reader, "GET").event(t)
		if got := event.Path + " " + event.Body; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	receive(t, reader, "GET").mustBeOwn(t, badRequest)
}

// A function's answer is never taken for a refusal, even if it reads like one.
func TestAnswerThatLooksLikeARefusal(t *testing.T) {
	body := strings.Repeat("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request", 1000)
	address := start(t, route("/a", answering(events.APIGatewayProxyResponse{StatusCode: 400, Body: body})))
	if got := send(t, address, get("/a", "Connection: close")); got.body != body {
		t.Errorf("got %d bytes, want %d", len(got.body), len(body))
	}
}

// A client that waits for leave to send its body gets it.
func TestExpectContinue(t *testing.T) {
	connection := dial(t, start(t, route("/b", echo)))
	if _, err := io.WriteString(connection, message("POST", "/b", "", "Expect: 100-continue", "Content-Length: 3")); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(connection)
	if leave, err := http.ReadResponse(reader, nil); err != nil || leave.StatusCode != http.StatusContinue {
		t.Fatalf("%+v, %v", leave, err)
	}
	if _, err := io.WriteString(connection, "abc"); err != nil {
		t.Fatal(err)
	}
	if event := receive(t, reader, "POST").event(t); event.Body != "abc" {
		t.Errorf("body %q", event.Body)
	}
}

// When its context ends, Serve lets the requests under way end, and says nothing of it.
func TestServeStops(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	slow := func(context.Context, events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
		close(started)
		<-release
		return events.APIGatewayProxyResponse{StatusCode: 200, Body: "done"}, nil
	}
	surroundings, _ := options()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() {
		served <- Serve(ctx, listener, New([]Route{route("/s", slow)}, surroundings), slog.New(slog.DiscardHandler))
	}()
	connection := dial(t, listener.Addr().String())
	if _, err := io.WriteString(connection, get("/s")); err != nil {
		t.Fatal(err)
	}
	<-started
	cancel()
	close(release)
	if got := receive(t, bufio.NewReader(connection), "GET"); got.body != "done" {
		t.Errorf("got %q", got.body)
	}
	if err := <-served; err != nil {
		t.Errorf("serve: %v", err)
	}
}

func TestServeReportsItsListener(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	if err := Serve(t.Context(), listener, http.NotFoundHandler(), slog.New(slog.DiscardHandler)); err == nil {
		t.Error("no error")
	}
}
