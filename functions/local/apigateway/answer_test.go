package apigateway

import (
	"encoding/base64"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"earshot/shared/web"
)

func TestAnswers(t *testing.T) {
	binary := string([]byte{0, 0xff, 0x80, '<'})
	for _, test := range []struct {
		name     string
		method   string
		response events.APIGatewayProxyResponse
		body     string
		length   int64
		header   http.Header // beside Date
	}{
		{
			name: "text", response: events.APIGatewayProxyResponse{
				StatusCode: 201,
				Body:       "ä",
				Headers:    map[string]string{"content-type": "text/plain"},
			},
			body: "ä", length: 2, header: http.Header{"Content-Type": {"text/plain"}},
		},
		{
			name: "no type", response: events.APIGatewayProxyResponse{StatusCode: 200, Body: "<html>"},
			body: "<html>", length: 6, header: http.Header{"Content-Type": {"application/json"}},
		},
		{
			name: "binary", response: events.APIGatewayProxyResponse{
				StatusCode: 200, Body: base64.StdEncoding.EncodeToString([]byte(binary)), IsBase64Encoded: true,
				Headers: map[string]string{"Content-Type": "image/png"},
			},
			body: binary, length: 4, header: http.Header{"Content-Type": {"image/png"}},
		},
		{
			name: "both kinds of headers", response: events.APIGatewayProxyResponse{
				StatusCode: 429, Body: "{}",
				Headers:           map[string]string{"Vary": "Accept", "vary": "Accept", "X-One": "1"},
				MultiValueHeaders: map[string][]string{"VARY": {"Origin", "Accept"}, "Set-Cookie": {"a=1", "b=2"}, "X-None": {}},
			},
			body: "{}", length: 2, header: http.Header{
				"Content-Type": {"application/json"}, "Vary": {"Origin", "Accept"}, "X-One": {"1"}, "Set-Cookie": {"a=1", "b=2"},
			},
		},
		{
			name: "headers of the connection", response: events.APIGatewayProxyResponse{
				StatusCode: 200, Body: "{}",
				Headers: map[string]string{"Content-Length": "99", "transfer-encoding": "chunked", "Connection": "upgrade"},
			},
			body: "{}", length: 2, header: http.Header{"Content-Type": {"application/json"}},
		},
		{
			name: "no content", response: events.APIGatewayProxyResponse{StatusCode: 204, Body: "ignored"},
			length: 0, header: http.Header{},
		},
		{
			name: "not modified", response: events.APIGatewayProxyResponse{
				StatusCode: 304,
				Headers:    map[string]string{"ETag": `"1"`},
			},
			length: 0, header: http.Header{"Etag": {`"1"`}},
		},
		{
			name: "HEAD with GET's body", method: "HEAD", response: events.APIGatewayProxyResponse{StatusCode: 200, Body: "{}"},
			length: 2, header: http.Header{"Content-Type": {"application/json"}},
		},
		{
			name: "HEAD without", method: "HEAD", response: events.APIGatewayProxyResponse{StatusCode: 200},
			length: -1, header: http.Header{"Content-Type": {"application/json"}},
		},
		{
			name: "empty", response: events.APIGatewayProxyResponse{StatusCode: 500},
			length: 0, header: http.Header{"Content-Type": {"application/json"}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			method := test.method
			if method == "" {
				method = "GET"
			}
			got := send(t, start(t, route("/a", answering(test.response))), message(method, "/a", ""))
			if got.StatusCode != test.response.StatusCode || got.body != test.body || got.ContentLength != test.length {
				t.Errorf("got %d %q of %d, want %q of %d", got.StatusCode, got.body, got.ContentLength, test.body, test.length)
			}
			got.Header.Del("Date")
			got.Header.Del("Content-Length")
			if !reflect.DeepEqual(got.Header, test.header) {
				t.Errorf("got %v, want %v", got.Header, test.header)
			}
		})
	}
}

func TestMalformedAnswers(t *testing.T) {
	for name, response := range map[string]events.APIGatewayProxyResponse{
		"nothing":          {},
		"informational":    {StatusCode: 101},
		"no status":        {StatusCode: 600},
		"not base64":       {StatusCode: 200, Body: "***", IsBase64Encoded: true},
		"header injection": {StatusCode: 200, Headers: map[string]string{"X-A": "1\r\nX-B: 2"}},
		"header name":      {StatusCode: 200, MultiValueHeaders: map[string][]string{"X A": {"1"}}},
		"nameless header":  {StatusCode: 200, Headers: map[string]string{"": "1"}},
		"6 MB on its way":  {StatusCode: 200, Body: strings.Repeat(`"`, maxAnswer/2+1)},
		"more than 6 MB":   {StatusCode: 200, Body: strings.Repeat("a", maxAnswer+1)},
	} {
		t.Run(name, func(t *testing.T) {
			surroundings, log := options()
			address := serve(t, New([]Route{route("/a", answering(response))}, surroundings))
			send(t, address, get("/a")).mustBeOwn(t, web.IntegrationFailure)
			if !strings.Contains(log.String(), "malformed") {
				t.Errorf("the log says %q", log)
			}
		})
	}
}

func TestLargestAnswer(t *testing.T) {
	body := strings.Repeat("a", maxAnswer)
	got := send(t, start(t, route("/a", answering(events.APIGatewayProxyResponse{StatusCode: 200, Body: body}))), get("/a"))
	if got.body != body {
		t.Errorf("got %d bytes, want %d", len(got.body), len(body))
	}
}
