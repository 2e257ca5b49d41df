package web

import (
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"reflect"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/core"
)

// requestOf makes of every event what AWS's library makes of it, as far as a handler can see.
func TestRequestOf_AsLibrary(t *testing.T) {
	all := append(sampleEvents(t), hostileEvents()...)
	for _, event := range all {
		prepared := event
		prepared.Path = escapePath(event.Path) + rawQuery(&prepared) // the library writes a query in the map's order
		if prepared.HTTPMethod == "" {
			prepared.HTTPMethod = http.MethodGet
		}
		var accessor core.RequestAccessor
		want, err := accessor.EventToRequestWithContext(t.Context(), prepared)
		if err != nil {
			t.Fatalf("%s %s: %v", event.HTTPMethod, event.Path, err)
		}
		got := requestOf(t.Context(), &event)
		wantBody, _ := io.ReadAll(want.Body)
		gotBody, _ := io.ReadAll(got.Body)
		for _, c := range []struct {
			what      string
			got, want any
		}{
			{"Method", got.Method, want.Method},
			{"URL", got.URL, want.URL},
			{"RequestURI", got.RequestURI, want.RequestURI},
			{"Host", got.Host, want.Host},
			{"Header", got.Header, want.Header},
			{"body", string(gotBody), string(wantBody)},
			{"ContentLength", got.ContentLength, want.ContentLength},
			{"RemoteAddr", got.RemoteAddr, want.RemoteAddr},
			{"Proto", got.Proto, want.Proto},
			{"ProtoMajor", got.ProtoMajor, want.ProtoMajor},
			{"ProtoMinor", got.ProtoMinor, want.ProtoMinor},
			{"origin", *originOf(got.Context()), origin{
				id: event.RequestContext.RequestID, stage: event.RequestContext.Stage, path: event.RequestContext.Path,
				host: event.RequestContext.DomainName, sourceIP: event.RequestContext.Identity.SourceIP,
			}},
		} {
			if !reflect.DeepEqual(c.got, c.want) {
				t.Errorf("%s %q: %s = %#v, want %#v", event.HTTPMethod, event.Path, c.what, c.got, c.want)
			}
		}
	}
	if len(all) < 20 {
		t.Errorf("compared %d events, want the samples too", len(all))
	}
}

// An event that no request can be made of becomes one for the root, which has no operation.
func TestRequestOf_Impossible(t *testing.T) {
	for _, event := range []events.APIGatewayProxyRequest{
		{HTTPMethod: "G ET", Path: "/a"},
		{HTTPMethod: "GET", Path: "/a", RequestContext: events.APIGatewayProxyRequestContext{DomainName: "a/b"}},
		{HTTPMethod: "GET", Path: "/a", RequestContext: events.APIGatewayProxyRequestContext{DomainName: "a b"}},
	} {
		got := requestOf(t.Context(), &event)
		if got.Method != http.MethodGet || got.URL.Path != "/" || got.Host != "" || got.RequestURI != "/" {
			t.Errorf("requestOf(%v) = %s %s of %q, want GET /", event, got.Method, got.URL, got.Host)
		}
	}
	broken := events.APIGatewayProxyRequest{HTTPMethod: "POST", Path: "/", Body: "%%%", IsBase64Encoded: true}
	if body, err := io.ReadAll(requestOf(t.Context(), &broken).Body); string(body) != "%%%" || err != nil {
		t.Errorf("a body that is not Base64 is %q (%v), want it as it is", body, err)
	}
}

func sampleEvents(t *testing.T) (samples []events.APIGatewayProxyRequest) {
	root := os.DirFS("../../events/testdata")
	err := fs.WalkDir(root, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".json" {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		var sample events.APIGatewayProxyRequest
		if json.Unmarshal(text, &sample) == nil && sample.HTTPMethod != "" {
			samples = append(samples, sample)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return samples
}

// hostileEvents are events that API Gateway would pass on, and that a conversion by hand could get wrong.
func hostileEvents() (hostile []events.APIGatewayProxyRequest) {
	for _, target := range []string{
		"/", "", "a", "//a//b", "///", "/a/../b", "/%41%2f%25", "/%zz", "/%", "/a?b#c", "/ü \x00\xff", "/a:b", "/*", "*",
		"/a;b", "/@", "http://other/a", "/a+b", "/{sourceId}",
	} {
		hostile = append(hostile, events.APIGatewayProxyRequest{HTTPMethod: "GET", Path: target})
	}
	for _, host := range []string{"api.example.org", "localhost:8080", "127.0.0.1:1", "[::1]:8080", "a:", "A-b.c"} {
		hostile = append(hostile, events.APIGatewayProxyRequest{
			HTTPMethod: "DELETE", Path: "/a",
			RequestContext: events.APIGatewayProxyRequestContext{
				DomainName: host, RequestID: "1", Identity: events.APIGatewayRequestIdentity{SourceIP: "192.0.2.1"},
			},
		})
	}
	return append(hostile,
		events.APIGatewayProxyRequest{Path: "/a", MultiValueQueryStringParameters: map[string][]string{
			"a": {"1", "&=#", ""}, "ü": {"%"}, "": {"x"},
		}},
		events.APIGatewayProxyRequest{
			HTTPMethod: "POST", Path: "/a", Body: "eyJhIjoxfQ==", IsBase64Encoded: true,
			QueryStringParameters: map[string]string{"a": "b c"},
			MultiValueHeaders:     map[string][]string{"x-a": {"1", "2"}, "Content-type": {"text/plain"}, "none": {}},
			Headers:               map[string]string{"x-a": "2", "ignored": "1"},
		},
		events.APIGatewayProxyRequest{
			HTTPMethod: "PATCH", Path: "/a", Body: "ü", Headers: map[string]string{"if-match": `"1"`},
		},
	)
}
