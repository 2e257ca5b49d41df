package worldtest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/oklog/ulid/v2"

	"earshot/shared/web"
	"earshot/shared/web/contract"
)

// Domain is the host in the events.
const Domain = "api.earshot.example"

// A Document validates responses.
type Document = contract.Document

// NewDocument reads an OpenAPI document.
func NewDocument(openAPI []byte) (*Document, error) { return contract.NewDocument(openAPI) }

// A Client sends requests to one function.
type Client struct {
	Handler  web.LambdaHandler
	Document *Document // nil: responses are not validated
	Token    string    // sent as the bearer token unless a request has its own Authorization
}

// A Request is a request to send. Header holds names and values in turn.
type Request struct {
	Method string // GET when empty
	Target string // path and query as a client writes them
	Body   string
	Header []string // name, value, name, value …
	Binary bool     // send the body base64-encoded
}

// An Answer is a response.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Get sends a GET.
func (c Client) Get(t testing.TB, target string, header ...string) Answer {
	t.Helper()
	return c.Do(t, Request{Target: target, Header: header})
}

// Post sends a POST with a JSON body.
func (c Client) Post(t testing.TB, target, body string, header ...string) Answer {
	t.Helper()
	return c.Do(
		t,
		Request{
			Method: http.MethodPost,
			Target: target,
			Body:   body,
			Header: append(header, "Content-Type", "application/json"),
		},
	)
}

// Do sends a request and validates its response: the headers of every response, and the body against the document.
func (c Client) Do(t testing.TB, request Request) Answer {
	t.Helper()
	event := c.Event(request)
	response, err := c.Handler(t.Context(), event)
	if err != nil {
		t.Fatalf(
			"%s %s: the handler returned an error, which a client would see as a 502: %v", request.Method,
			request.Target, err,
		)
	}
	answer := Answer{Status: response.StatusCode, Header: http.Header{}, Body: []byte(response.Body)}
	for name, values := range response.MultiValueHeaders {
		for _, value := range values {
			answer.Header.Add(name, value)
		}
	}
	if response.IsBase64Encoded {
		if answer.Body, err = base64.StdEncoding.DecodeString(response.Body); err != nil {
			t.Fatal(err)
		}
	}
	answer.checkHeaders(t, event)
	if c.Document != nil {
		for _, fault := range c.Document.Faults(event.HTTPMethod, event.Path, answer.held()) {
			t.Error(fault)
		}
	}
	return answer
}

// Event returns the request as API Gateway passes it on: the path escaped, the query decoded.
func (c Client) Event(request Request) events.APIGatewayProxyRequest {
	path, rawQuery, _ := strings.Cut(request.Target, "?")
	event := events.APIGatewayProxyRequest{
		HTTPMethod: request.Method, Path: path, Resource: "/{proxy+}", Body: request.Body,
		MultiValueHeaders: map[string][]string{}, Headers: map[string]string{},
		RequestContext: events.APIGatewayProxyRequestContext{
			RequestID: ulid.Make().
				String(),
			Stage:      "dev",
			Path:       "/dev" + path,
			DomainName: Domain,
			HTTPMethod: request.Method,
		},
	}
	if event.HTTPMethod == "" {
		event.HTTPMethod = http.MethodGet
	}
	if request.Binary {
		event.Body, event.IsBase64Encoded = base64.StdEncoding.EncodeToString([]byte(request.Body)), true
	}
	if rawQuery != "" {
		event.MultiValueQueryStringParameters = map[string][]string{}
		for pair := range strings.SplitSeq(rawQuery, "&") {
			name, value, _ := strings.Cut(pair, "=")
			name, value = unescape(name), unescape(value)
			event.MultiValueQueryStringParameters[name] = append(event.MultiValueQueryStringParameters[name], value)
		}
	}
	for pair := range slices.Chunk(request.Header, 2) {
		event.MultiValueHeaders[pair[0]] = append(event.MultiValueHeaders[pair[0]], pair[1])
		event.Headers[pair[0]] = pair[1]
	}
	if _, own := event.MultiValueHeaders["Authorization"]; c.Token != "" && !own {
		event.MultiValueHeaders["Authorization"] = []string{"Bearer " + c.Token}
	}
	return event
}

func unescape(text string) string {
	if decoded, err := url.QueryUnescape(text); err == nil {
		return decoded
	}
	return text
}

// checkHeaders checks a response's headers against the contract.
func (a Answer) checkHeaders(t testing.TB, event events.APIGatewayProxyRequest) {
	t.Helper()
	for _, fault := range a.held().Faults() {
		t.Errorf("%s %s: %v", event.HTTPMethod, event.Path, fault)
	}
	if got := a.Header.Get("X-Request-Id"); got != event.RequestContext.RequestID {
		t.Errorf("X-Request-Id is %q, the gateway's is %q", got, event.RequestContext.RequestID)
	}
}

// held returns the response as the package contract checks it.
func (a Answer) held() contract.Answer { return contract.Answer(a) }

// JSON decodes the body.
func (a Answer) JSON(t testing.TB, into any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(a.Body))
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%d %s: %v", a.Status, a.Body, err)
	}
}

// A Problem is the envelope as a client reads it.
type Problem = contract.Problem

// Problem reads the envelope.
func (a Answer) Problem(t testing.TB) Problem {
	t.Helper()
	read, err := a.held().Problem()
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// Is fails the test unless the response is this problem.
func (a Answer) Is(t testing.TB, status int, code string) Problem {
	t.Helper()
	if a.Status != status {
		t.Fatalf("got %d %s, want %d %s", a.Status, a.Body, status, code)
	}
	problem := a.Problem(t)
	if problem.Code != code {
		t.Fatalf("got %s, want %s", a.Body, code)
	}
	return problem
}

// OK fails the test unless the status is 200, and decodes the body.
func (a Answer) OK(t testing.TB, into any) {
	t.Helper()
	if a.Status != http.StatusOK {
		t.Fatalf("got %d %s, want 200", a.Status, a.Body)
	}
	if into != nil {
		a.JSON(t, into)
	}
}
