package apigateway

import (
	"encoding/base64"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"earshot/events"
)

func TestEventPaths(t *testing.T) {
	address := start(t,
		route("/", echo), route("/api/v2/mentions", echo), route("/api/v2/mentions/{sourceId}", echo),
		route("/all/{proxy+}", echo))
	for _, test := range []struct {
		target, path, resource string
		parameters             map[string]string
	}{
		{"/api/v2/mentions", "/api/v2/mentions", "/api/v2/mentions", nil},
		{"/api/v2/mentions/", "/api/v2/mentions/", "/api/v2/mentions", nil},
		{"/api/v2/mentions/%2e%2e", "/api/v2/mentions/%2e%2e", "/api/v2/mentions/{sourceId}",
			map[string]string{"sourceId": "%2e%2e"}},
		{"/api/v2/mentions/..", "/api/v2/mentions/..", "/api/v2/mentions/{sourceId}", map[string]string{"sourceId": ".."}},
		{"/api/v2/mentions/a%2Fb%20c+d", "/api/v2/mentions/a%2Fb%20c+d", "/api/v2/mentions/{sourceId}",
			map[string]string{"sourceId": "a%2Fb%20c+d"}},
		{"/api/v2/mentions/%F0%9F%91%82", "/api/v2/mentions/%F0%9F%91%82", "/api/v2/mentions/{sourceId}",
			map[string]string{"sourceId": "%F0%9F%91%82"}},
		{"/api/v2/mentions/👂", "/api/v2/mentions/%F0%9F%91%82", "/api/v2/mentions/{sourceId}",
			map[string]string{"sourceId": "%F0%9F%91%82"}},
		{`/api/v2/mentions/a"%2f#b`, `/api/v2/mentions/a"%2f#b`, "/api/v2/mentions/{sourceId}",
			map[string]string{"sourceId": `a"%2f#b`}},
		{"/all/%zz", "/all/%25zz", "/all/{proxy+}", map[string]string{"proxy": "%25zz"}},
		{"/all/%4%25?a=%zz", "/all/%254%25", "/all/{proxy+}", map[string]string{"proxy": "%254%25"}},
		{"/all/a;b", "/all/a;b", "/all/{proxy+}", map[string]string{"proxy": "a;b"}},
		{"/all/a//b/../c/", "/all/a//b/../c/", "/all/{proxy+}", map[string]string{"proxy": "a//b/../c"}},
		{"http://elsewhere.test/api/v2/mentions/x%2Fy?limit=1", "/api/v2/mentions/x%2Fy", "/api/v2/mentions/{sourceId}",
			map[string]string{"sourceId": "x%2Fy"}},
		{"http://elsewhere.test", "/", "/", nil},
	} {
		event := send(t, address, get(test.target)).event(t)
		if event.Path != test.path || event.Resource != test.resource ||
			!reflect.DeepEqual(event.PathParameters, test.parameters) {
			t.Errorf("%s: %q %q %v", test.target, event.Path, event.Resource, event.PathParameters)
		}
		if event.RequestContext.Path != event.Path || event.RequestContext.ResourcePath != event.Resource {
			t.Errorf("%s: request context %q %q", test.target, event.RequestContext.Path, event.RequestContext.ResourcePath)
		}
	}
}

func TestEventQueries(t *testing.T) {
	address := start(t, route("/q", echo))
	for _, test := range []struct {
		query string
		want  map[string][]string
	}{
		{"", nil},
		{"?", nil},
		{"?&&", nil},
		{"?limit=5", map[string][]string{"limit": {"5"}}},
		{"?a=1&b=2&a=3", map[string][]string{"a": {"1", "3"}, "b": {"2"}}},
		{"?a+b=c+d&e%20f=g%20h", map[string][]string{"a b": {"c d"}, "e f": {"g h"}}},
		{"?plus=a%2Bb&and=a%26b%3Dc", map[string][]string{"plus": {"a+b"}, "and": {"a&b=c"}}},
		{"?emoji=%F0%9F%91%82&raw=👂", map[string][]string{"emoji": {"👂"}, "raw": {"👂"}}},
		{"?empty=&bare&=nameless", map[string][]string{"empty": {""}, "bare": {""}, "": {"nameless"}}},
		{"?a=1;b=2;&c=;", map[string][]string{"a": {"1;b=2;"}, "c": {";"}}},
		{"?bad=%zz&half=%4", map[string][]string{"bad": {"%zz"}, "half": {"%4"}}},
		{"?bytes=%ff", map[string][]string{"bytes": {"\ufffd"}}},
		{"?twice=%2525&a=b=c?d", map[string][]string{"twice": {"%25"}, "a": {"b=c?d"}}},
	} {
		event := send(t, address, get("/q"+test.query)).event(t)
		if !reflect.DeepEqual(event.MultiValueQueryStringParameters, test.want) {
			t.Errorf("%s: %q, want %q", test.query, event.MultiValueQueryStringParameters, test.want)
		}
		if got := event.QueryStringParameters; !reflect.DeepEqual(got, last(test.want)) {
			t.Errorf("%s: single values %q", test.query, got)
		}
	}
}

func TestEventHeaders(t *testing.T) {
	address := start(t, route("/h", echo))
	event := send(t, address, get("/h",
		"AUTHORIZATION: Bearer es_example", "accept: text/csv", "X-Tag: one", "x-tag: two", "X-TAG: one", "Latin: caf\xe9",
		"user-agent: curl/8.7.1", "X-Forwarded-For: 203.0.113.7", "x-amzn-trace-id: Root=1-0-0", "X-Forwarded-Proto: https",
		"Connection: close", "Content-Length: 0", "Keep-Alive: 5",
	)).event(t)
	want := map[string][]string{
		"authorization": {"Bearer es_example"}, "accept": {"text/csv"}, "x-tag": {"one", "two", "one"},
		"latin": {"caf\ufffd"},
		"Host":  {"earshot.test:8080"}, "User-Agent": {"curl/8.7.1"}, "X-Amzn-Trace-Id": {"Root=1-0-0"},
		"X-Forwarded-For": {"203.0.113.7, 127.0.0.1"}, "X-Forwarded-Port": {"8080"}, "X-Forwarded-Proto": {"http"},
	}
	if !reflect.DeepEqual(event.MultiValueHeaders, want) {
		t.Errorf("got  %q\nwant %q", event.MultiValueHeaders, want)
	}
	if !reflect.DeepEqual(event.Headers, last(want)) {
		t.Errorf("single values %q", event.Headers)
	}
}

func TestEventBodies(t *testing.T) {
	address := start(t, route("/b", echo))
	binary := string([]byte{0, 0xff, 0xfe, '\n', 0x80})
	for _, test := range []struct {
		name, body string
		encoded    bool
	}{
		{"none", "", false},
		{"JSON", `{"a": "ä👂"}`, false},
		{"control characters", "a\x00b\r\n", false},
		{"binary", binary, true},
		{"half a character", "caf\xc3", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := test.body
			if test.encoded {
				want = base64.StdEncoding.EncodeToString([]byte(test.body))
			}
			length := fmt.Sprintf("Content-Length: %d", len(test.body))
			chunks := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(test.body), test.body)
			if test.body == "" {
				chunks = "0\r\n\r\n"
			}
			for _, request := range []string{
				message("POST", "/b", test.body, length), message("POST", "/b", chunks, "Transfer-Encoding: chunked"),
			} {
				event := send(t, address, request).event(t)
				if event.Body != want || event.IsBase64Encoded != test.encoded {
					t.Errorf("got %q %t, want %q %t", event.Body, event.IsBase64Encoded, want, test.encoded)
				}
			}
		})
	}
}

func TestEventRequestContext(t *testing.T) {
	address := start(t, route("/api/v2/mentions/{sourceId}", echo))
	event := send(t, address, message("GET", "/api/v2/mentions/x", "", "User-Agent: test/1")).event(t)
	got := event.RequestContext
	if len(got.RequestID) != 36 || len(got.ExtendedRequestID) != 16 || len(got.ResourceID) != 6 {
		t.Errorf("ids %q %q %q", got.RequestID, got.ExtendedRequestID, got.ResourceID)
	}
	if trace := event.Headers["X-Amzn-Trace-Id"]; !strings.HasPrefix(trace, "Root=1-6b000f9b-") ||
		len(trace) != len("Root=1-")+8+1+24 {
		t.Errorf("trace id %q", trace)
	}
	got.RequestID, got.ExtendedRequestID, got.ResourceID = "", "", ""
	sample, err := events.Sample("mentions", "get")
	if err != nil {
		t.Fatal(err)
	}
	want := sample.RequestContext // of a deployment: what differs on the laptop is this
	want.RequestID, want.ExtendedRequestID, want.ResourceID = "", "", ""
	want.Stage, want.APIID = "local", "local"
	want.DomainName, want.DomainPrefix = "earshot.test:8080", "earshot"
	want.Path = "/api/v2/mentions/x"
	want.Identity.SourceIP, want.Identity.UserAgent = "127.0.0.1", "test/1"
	want.RequestTime, want.RequestTimeEpoch = "20/Nov/2026:09:15:07 +0000", 1795166107250
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestEveryMethodReachesTheFunction(t *testing.T) {
	address := start(t, route("/m", echo))
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PURGE", "get"} {
		event := send(t, address, message(method, "/m", "")).event(t)
		if event.HTTPMethod != method || event.RequestContext.HTTPMethod != method {
			t.Errorf("%s: %s %s", method, event.HTTPMethod, event.RequestContext.HTTPMethod)
		}
	}
}

// Requests at the same time have nothing in common, be it a map or an id.
func TestConcurrentEvents(t *testing.T) {
	address := start(t, route("/c/{id}", echo))
	var mu sync.Mutex
	ids := map[string]bool{}
	var running sync.WaitGroup
	for i := range 50 {
		running.Go(func() {
			number := fmt.Sprint(i)
			event := send(t, address,
				message("POST", "/c/"+number+"?n="+number, number, "Content-Length: "+fmt.Sprint(len(number)), "N: "+number)).
				event(t)
			for _, got := range []string{
				event.PathParameters["id"], event.QueryStringParameters["n"], event.Headers["n"], event.Body,
			} {
				if got != number {
					t.Errorf("request %s got %s", number, got)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			ids[event.RequestContext.RequestID] = true
		})
	}
	running.Wait()
	if len(ids) != 50 {
		t.Errorf("%d ids for 50 requests", len(ids))
	}
}
