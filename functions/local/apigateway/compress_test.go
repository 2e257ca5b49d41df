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
		"": false, "identity": false, "br": false, "gzip;q=0": false, "gzip; q=0.0, *": false, "*;q=0": false, "gzip;q=nonsense": false,
		"gzip": true, "GZIP": true, "br, gzip": true, "deflate, gzip;q=0.5": true, "*": true, "identity;q=0, *;q=0.1": true,
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
