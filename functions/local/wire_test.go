package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// written sends a request as it is spelled, which net/http's client would not do, and reads the answer.
func (b *bench) written(t *testing.T, method, target string, header ...string) answer {
	t.Helper()
	host := strings.TrimPrefix(b.url, "http://")
	connection, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	request := method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
	for i := 0; i+1 < len(header); i += 2 {
		request += header[i] + ": " + header[i+1] + "\r\n"
	}
	if _, err := io.WriteString(connection, request+"\r\n"); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), &http.Request{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response, string(content)}
}

// A mention is found by its id in the path and in the query alike, however the id is spelled there.
func TestIDs_Verbatim(t *testing.T) {
	b := begin(t)
	key := b.demo.Keys.Read
	ids := []string{"a;b", "a;b=c;d", "a;", "%zz", "50%", "a%2fb", "%25", "a+b", "ü", "*"}
	var lines strings.Builder
	for i, id := range ids {
		fmt.Fprintf(&lines, `{"id":%d,"sourceId":%q,"source":"news","timestamp":"2031-01-01 00:00:00.000"}`+"\n", 900001+i, id)
	}
	b.ask(t, "POST", "/_local/mentions?workspace="+b.demo.Workspaces["northwind"], lines.String()).ok(t, nil)
	for _, spelled := range []struct{ id, path, query string }{
		{"a;b", "a;b", "a;b"},
		{"a;b=c;d", "a;b=c;d", "a;b=c;d"},
		{"a;", "a;", "a;"},
		{"%zz", "%zz", "%zz"},
		{"50%", "50%", "50%"},
		{"*", "*", "*"},
		{"ü", "ü", "ü"},
	} {
		for _, target := range []string{"/api/v2/mentions/" + spelled.path, "/api/v2/mentions/by-id?id=" + spelled.query} {
			var found struct{ SourceID string }
			got := b.written(t, "GET", target, "Authorization", "Bearer "+key)
			if got.ok(t, &found); found.SourceID != spelled.id {
				t.Errorf("GET %s found %q, want %q", target, found.SourceID, spelled.id)
			}
		}
	}
	for _, id := range ids {
		for _, target := range []string{"/api/v2/mentions/" + url.PathEscape(id), "/api/v2/mentions/by-id?id=" + url.QueryEscape(id)} {
			var found struct{ SourceID string }
			b.keyed(t, "GET", target, key, "").ok(t, &found)
			if found.SourceID != id {
				t.Errorf("GET %s found %q, want %q", target, found.SourceID, id)
			}
		}
	}
	for _, id := range []string{"b;a", "%zy", "%", "%4"} {
		for _, target := range []string{"/api/v2/mentions/", "/api/v2/mentions/by-id?id="} {
			b.written(t, "GET", target+id, "Authorization", "Bearer "+key).is(t, 404, "MENTION_NOT_FOUND")
		}
	}
}

// HEAD answers as GET without its body, and with its length.
func TestHead(t *testing.T) {
	b := begin(t)
	for _, c := range []struct {
		target, key string
		status      int
	}{
		{"/llms.txt", "", 200},
		{"/api/v2/openapi.json", "", 200},
		{"/api/v2/keywords", b.demo.Keys.Read, 200},
		{"/api/v2/keywords", "", 401},
		{"/api/v2/keywords/0", b.demo.Keys.Read, 400},
		{"/api/v2/nothing", b.demo.Keys.Read, 404},
		{"/api/v1/nothing", b.demo.Keys.Read, 404},
		{"/api/v2/feedback", b.demo.Keys.Read, 404}, // which has no GET
	} {
		got, want := b.keyed(t, "HEAD", c.target, c.key, ""), b.keyed(t, "GET", c.target, c.key, "")
		if got.StatusCode != c.status || got.body != "" {
			t.Errorf("HEAD %s: %d %q, want %d without a body", c.target, got.StatusCode, got.body, c.status)
		}
		if size := int64(len(want.body)); c.target != "/api/v2/feedback" && got.ContentLength != size {
			t.Errorf("HEAD %s: Content-Length %d, want %d", c.target, got.ContentLength, size)
		}
	}
}

// Methods are case-sensitive: another case is another method.
func TestMethods_Case(t *testing.T) {
	b := begin(t)
	for method, allow := range map[string]string{"get": "GET, HEAD", "Get": "GET, HEAD", "hEAD": "GET, HEAD"} {
		got := b.written(t, method, "/api/v2/org", "Authorization", "Bearer "+b.demo.Keys.Read)
		if got.is(t, 404, "NOT_FOUND"); !strings.HasPrefix(got.Header.Get("Allow"), allow) {
			t.Errorf("%s: Allow is %q, want %q", method, got.Header.Get("Allow"), allow)
		}
	}
}
