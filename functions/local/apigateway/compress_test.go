package apigateway

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"earshot/shared/web"
)

var long = strings.Repeat("a line that repeats\n", 500)

// accepting asks a gateway whose function answers the body, and returns what it sends.
func accepting(t *testing.T, response events.APIGatewayProxyResponse, accepted string) *httptest.ResponseRecorder {
	t.Helper()
	surroundings, _ := options()
	request := httptest.NewRequest(http.MethodGet, "/a", nil)
	if accepted != "" {
		request.Header.Set("Accept-Encoding", accepted)
	}
	got := httptest.NewRecorder()
	New([]Route{route("/a", answering(response))}, surroundings).ServeHTTP(got, request)
	return got
}

func TestCompress_WhereTheClientTakesIt(t *testing.T) {
	for accepted, want := range map[string]bool{
		"": false, "identity": false, "br": false, "gzip;q=0": false, "gzip; q=0.0, *": false, "*;q=0": false,
		"gzip;q=nonsense": false,
		"gzip":            true, "GZIP": true, "br, gzip": true, "deflate, gzip;q=0.5": true, "gzip ; Q = 1.000": true,
		"*": false, "identity;q=0, *;q=0.1": false, // API Gateway wants the coding named
	} {
		got := accepting(t, events.APIGatewayProxyResponse{StatusCode: 200, Body: long}, accepted)
		if compressed := got.Header().Get("Content-Encoding") == "gzip"; compressed != want {
			t.Errorf("Accept-Encoding %q: compressed is %v, want %v", accepted, compressed, want)
			continue
		}
		var body io.Reader = bytes.NewReader(got.Body.Bytes())
		if want {
			var err error
			if body, err = gzip.NewReader(body); err != nil {
				t.Fatal(err)
			}
			if got.Body.Len() > len(long)/5 {
				t.Errorf("%d bytes are sent of %d that repeat", got.Body.Len(), len(long))
			}
		}
		if content, err := io.ReadAll(body); err != nil || string(content) != long {
			t.Errorf("Accept-Encoding %q: %d bytes, %v", accepted, len(content), err)
		}
	}
}

func TestCompress_ShortAnswer(t *testing.T) {
	for length, want := range map[int]string{web.MinCompressed - 1: "", web.MinCompressed: "gzip"} {
		got := accepting(t, events.APIGatewayProxyResponse{StatusCode: 200, Body: strings.Repeat("a", length)}, "gzip")
		if encoding := got.Header().Get("Content-Encoding"); encoding != want {
			t.Errorf("%d bytes are encoded as %q, want %q", length, encoding, want)
		}
	}
}

func TestCompress_EncodedByTheFunction(t *testing.T) {
	got := accepting(
		t,
		events.APIGatewayProxyResponse{
			StatusCode: 200,
			Body:       long,
			Headers:    map[string]string{"Content-Encoding": "br"},
		},
		"gzip",
	)
	if got.Header().Get("Content-Encoding") != "br" || got.Body.String() != long {
		t.Errorf("an encoded answer is sent as %q with %d bytes", got.Header().Get("Content-Encoding"), got.Body.Len())
	}
}

// The answer to HEAD tells the length that GET's would have, and has none of its bytes.
func TestCompress_Head(t *testing.T) {
	address := start(t, route("/a", answering(events.APIGatewayProxyResponse{StatusCode: 200, Body: long})))
	read := send(t, address, get("/a", "Accept-Encoding: gzip"))
	head := send(t, address, message("HEAD", "/a", "", "Accept-Encoding: gzip"))
	if head.body != "" {
		t.Errorf("HEAD has a body of %d bytes", len(head.body))
	}
	if head.ContentLength != int64(len(read.body)) {
		t.Errorf("HEAD: Content-Length %d, want GET's %d", head.ContentLength, len(read.body))
	}
	if got := head.Header.Get("Content-Encoding"); got != "gzip" {
		t.Errorf("HEAD: Content-Encoding %q, want GET's", got)
	}
}

func TestCompress_NoBody(t *testing.T) {
	for _, status := range []int{http.StatusNoContent, http.StatusNotModified} {
		got := accepting(t, events.APIGatewayProxyResponse{StatusCode: status, Body: long}, "gzip")
		if encoding := got.Header().Get("Content-Encoding"); encoding != "" {
			t.Errorf("%d: Content-Encoding %q of no body", status, encoding)
		}
		if got.Body.Len() != 0 {
			t.Errorf("%d: a body of %d bytes", status, got.Body.Len())
		}
	}
}

// An error that a function answers is compressed as any answer is. The gateway's own errors are too short for it, so
// that it does not matter whether API Gateway would compress them.
func TestCompress_Errors(t *testing.T) {
	got := accepting(t, events.APIGatewayProxyResponse{StatusCode: http.StatusBadRequest, Body: long}, "gzip")
	if encoding := got.Header().Get("Content-Encoding"); encoding != "gzip" {
		t.Errorf("a function's error: Content-Encoding %q, want gzip", encoding)
	}
	for _, own := range web.GatewayResponses() {
		if length := len(own.Body()); length >= web.MinCompressed {
			t.Errorf("%s has %d bytes, want less than %d", own.Type, length, web.MinCompressed)
		}
	}
}

// Validators are the function's: the gateway changes none, as API Gateway does not.
func TestCompress_HeadersStay(t *testing.T) {
	response := events.APIGatewayProxyResponse{
		StatusCode: 200, Body: long, Headers: map[string]string{"ETag": `"1-gzip"`, "Vary": "Accept-Encoding"},
	}
	for _, accepted := range []string{"gzip", "identity"} {
		header := accepting(t, response, accepted).Header()
		if got := header.Get("ETag"); got != `"1-gzip"` {
			t.Errorf("Accept-Encoding %s: ETag %s", accepted, got)
		}
		if got := header.Values("Vary"); len(got) != 1 || got[0] != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %s: Vary %q", accepted, got)
		}
	}
}
