package apigateway

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"earshot/shared/web"
)

func TestUnknownRoutes(t *testing.T) {
	address := start(t, route("/api/v2/mentions/{sourceId}", echo))
	for _, request := range []string{
		get("/"), get("/api"), get("//api/v2/mentions/x"), get("/api/v2//mentions/x"), get("/api/v2/mentions"),
		get("/api/v2/mentions/x/y"), get("/api/v2/../v2/mentions/x"), get("/Api/v2/mentions/x"), get("/api/v10"),
		message("OPTIONS", "*", ""), message("CONNECT", "earshot.test:8080", ""),
		message("POST", "/", "{}", "Content-Length: 2"),
	} {
		send(t, address, request).mustBeOwn(t, web.UnknownRoute)
	}
	head := send(t, address, message("HEAD", "/nothing", ""))
	if head.StatusCode != 404 || head.body != "" ||
		head.ContentLength != int64(len(web.GatewayFor(web.UnknownRoute).Body())) {
		t.Errorf("HEAD: %d %q of %d", head.StatusCode, head.body, head.ContentLength)
	}
}

func TestVersion1(t *testing.T) {
	address := start(t, route("/{all+}", echo))
	for _, path := range []string{"/api/v1", "/api/v1/", "/api/v1/mentions", "/api/v1/a/../b?c=d", "/api/v1//"} {
		send(t, address, get(path)).mustBe(t, web.GatewayFor(web.UnknownRoute), web.LegacyNotFound)
	}
	for _, path := range []string{"/api/v10", "/api/V1", "/api/%76%31/x"} {
		send(t, address, get(path)).event(t)
	}
}

// The function sees who it is and when it must be done, and has an invocation id that is not the request's.
func TestContext(t *testing.T) {
	surroundings, _ := options()
	type seen struct {
		lambda   *lambdacontext.LambdaContext
		deadline time.Time
		event    events.APIGatewayProxyRequest
	}
	calls := make(chan seen, 1)
	handler := func(ctx context.Context, event events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
		lambda, _ := lambdacontext.FromContext(ctx)
		deadline, _ := ctx.Deadline()
		calls <- seen{lambda, deadline, event}
		return events.APIGatewayProxyResponse{StatusCode: 200}, nil
	}
	address := serve(t, New([]Route{{Path: "/c", Function: "mentions", Handler: handler}}, surroundings))
	before := time.Now()
	send(t, address, get("/c"))
	got := <-calls
	if got.lambda == nil || len(got.lambda.AwsRequestID) != 36 ||
		got.lambda.AwsRequestID == got.event.RequestContext.RequestID {
		t.Errorf("lambda context %+v of request %s", got.lambda, got.event.RequestContext.RequestID)
	}
	if want := "arn:aws:lambda:us-east-1:123456789012:function:mentions"; got.lambda.InvokedFunctionArn != want {
		t.Errorf("ARN %s", got.lambda.InvokedFunctionArn)
	}
	if got.deadline.Before(before.Add(generous)) || got.deadline.After(time.Now().Add(generous)) {
		t.Errorf("deadline %s", got.deadline)
	}
}

func TestDefaultTimeout(t *testing.T) {
	surroundings, _ := options()
	surroundings.Timeout = 0
	if got := New(nil, surroundings).(*api).timeout; got != 29*time.Second {
		t.Errorf("got %s", got)
	}
}

func TestFailures(t *testing.T) {
	respond := func(answer func()) Handler {
		return func(context.Context, events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
			answer()
			return events.APIGatewayProxyResponse{StatusCode: 200}, errors.New("the cause")
		}
	}
	for name, test := range map[string]struct {
		handler Handler
		logged  string
	}{
		"error":   {respond(func() {}), "the cause"},
		"panic":   {respond(func() { panic("the cause") }), "gateway_test.go"},
		"nil map": {respond(func() { maps.Copy(map[string]int(nil), map[string]int{"a": 1}) }), "nil map"},
		"goexit":  {respond(runtime.Goexit), "ended its goroutine"},
	} {
		t.Run(name, func(t *testing.T) {
			surroundings, log := options()
			address := serve(t, New([]Route{route("/f", test.handler), route("/ok", echo)}, surroundings))
			got := send(t, address, get("/f"))
			got.mustBeOwn(t, web.IntegrationFailure)
			for _, want := range []string{test.logged, got.Header.Get("X-Request-Id"), "function=f"} {
				if !strings.Contains(log.String(), want) {
					t.Errorf("the log lacks %q: %s", want, log)
				}
			}
			send(t, address, get("/ok")).event(t) // the gateway goes on
		})
	}
}

func TestTimeouts(t *testing.T) {
	ended := make(chan error, 1)
	for name, handler := range map[string]Handler{
		"ends with its context": func(ctx context.Context, _ events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
			<-ctx.Done()
			ended <- ctx.Err()
			return events.APIGatewayProxyResponse{StatusCode: 200}, nil
		},
		"ignores its context": func(context.Context, events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
			time.Sleep(200 * time.Millisecond)
			return events.APIGatewayProxyResponse{StatusCode: 200}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			surroundings, log := options()
			surroundings.Timeout = 20 * time.Millisecond
			address := serve(t, New([]Route{route("/t", handler)}, surroundings))
			got := send(t, address, get("/t"))
			got.mustBeOwn(t, web.IntegrationTimeout)
			if !got.Close {
				t.Error("the connection, which the function has, is offered for other requests")
			}
			if !strings.Contains(log.String(), "too long") {
				t.Errorf("the log says %q", log)
			}
		})
	}
	if err := <-ended; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the context ended with %v", err)
	}
}

// A function that ends when its time is over gives one answer, its own or the gateway's.
func TestTimeouts_SameMoment(t *testing.T) {
	const limit = 2 * time.Millisecond
	surroundings, _ := options()
	surroundings.Timeout = limit
	address := serve(t, New([]Route{route("/t", func(
		context.Context, events.APIGatewayProxyRequest,
	) (events.APIGatewayProxyResponse, error) {
		time.Sleep(limit)
		return events.APIGatewayProxyResponse{StatusCode: 200, Body: "done"}, nil
	})}, surroundings))
	for range 200 {
		got := send(t, address, get("/t", "Connection: close"))
		if got.StatusCode != 200 || got.body != "done" {
			got.mustBeOwn(t, web.IntegrationTimeout)
		}
	}
}

// A function that ends because its time is over was too late, however quickly it ends.
func TestTimeouts_EndsAtOnce(t *testing.T) {
	surroundings, _ := options()
	surroundings.Timeout = 100 * time.Microsecond
	api := New([]Route{route("/t", func(
		ctx context.Context, _ events.APIGatewayProxyRequest,
	) (events.APIGatewayProxyResponse, error) {
		for ctx.Err() == nil { // without a pause, which would let the gateway go first
		}
		return events.APIGatewayProxyResponse{StatusCode: 200}, nil
	})}, surroundings)
	for range 500 {
		got := httptest.NewRecorder()
		api.ServeHTTP(got, httptest.NewRequest("GET", "/t", nil))
		if want := web.GatewayFor(web.IntegrationTimeout).Status; got.Code != want {
			t.Fatalf("got %d, want %d", got.Code, want)
		}
	}
}

// A client that goes does not end its request: at AWS the function would not notice either.
func TestClientThatGoes(t *testing.T) {
	started, release, result := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	handler := func(ctx context.Context, _ events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
		close(started)
		<-release
		result <- ctx.Err()
		return events.APIGatewayProxyResponse{StatusCode: 200}, nil
	}
	surroundings, _ := options()
	api := New([]Route{route("/g", handler)}, surroundings)
	ctx, leave := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		api.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/g", nil))
	}()
	<-started
	leave()
	close(release)
	<-done
	if err := <-result; err != nil {
		t.Errorf("the function's context ended: %v", err)
	}
}

func TestLargeBodies(t *testing.T) {
	length := func(_ context.Context, event events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
		return events.APIGatewayProxyResponse{StatusCode: 200, Body: fmt.Sprint(len(event.Body))}, nil
	}
	surroundings, _ := options()
	api := New([]Route{route("/l", length)}, surroundings)
	for _, test := range []struct {
		name     string
		size     int64
		declared bool
		read     int64 // at most
	}{
		{"the most, declared", maxBody, true, maxBody},
		{"the most, chunked", maxBody, false, maxBody},
		{"one more, declared", maxBody + 1, true, 0},
		{"one more, chunked", maxBody + 1, false, maxBody + 1},
		{"endless", 1 << 60, false, maxBody + 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := &countingReader{rest: test.size}
			request := httptest.NewRequest("POST", "/l", body)
			request.ContentLength = -1
			if test.declared {
				request.ContentLength = test.size
			}
			recorder := httptest.NewRecorder()
			api.ServeHTTP(recorder, request)
			got := exchange{recorder.Result(), recorder.Body.String()}
			if test.size > maxBody {
				got.mustBeOwn(t, web.TooLarge)
			} else if got.StatusCode != 200 || got.body != fmt.Sprint(test.size) {
				t.Errorf("got %d %s", got.StatusCode, got.body)
			}
			if body.read > test.read {
				t.Errorf("read %d bytes, want at most %d", body.read, test.read)
			}
		})
	}
}

// countingReader gives so many bytes of text and counts them.
type countingReader struct{ rest, read int64 }

func (c *countingReader) Read(p []byte) (int, error) {
	if c.rest == 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), c.rest))
	for i := range n {
		p[i] = 'a'
	}
	c.rest -= int64(n)
	c.read += int64(n)
	return n, nil
}

// The client of a body that is too large reads its answer although it has not sent the body, and then the connection
// ends.
func TestLargeBodyOnTheWire(t *testing.T) {
	connection := dial(t, start(t, route("/l", echo)))
	if _, err := io.WriteString(connection,
		message("POST", "/l", "beginning", fmt.Sprintf("Content-Length: %d", maxBody+1))); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(connection)
	got := receive(t, reader, "POST")
	got.mustBeOwn(t, web.TooLarge)
	if !got.Close {
		t.Error("the connection stays open")
	}
}

func TestBrokenBody(t *testing.T) {
	address := start(t, route("/b", echo))
	send(t, address, message("POST", "/b", "not hexadecimal\r\n", "Transfer-Encoding: chunked")).mustBeOwn(t, badRequest)
}
