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

// A browser that opens the root is led to the documentation. The API's own unknown paths stay JSON for it.
func TestRoot_Browser(t *testing.T) {
	b := begin(t)
	const accepts = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, method := range []string{"GET", "HEAD"} {
		got := b.ask(t, method, "/", "", "Accept", accepts, "Sec-Fetch-Site", "cross-site")
		if to := got.Header.Get("Location"); got.StatusCode != 302 || to != "/api/v2/docs" {
			t.Errorf("%s /: %d to %q, want 302 to the documentation", method, got.StatusCode, to)
		}
		for _, name := range []string{"Vary", "Server-Timing", "X-Request-Id", "Cache-Control"} {
			if got.Header.Get(name) == "" {
				t.Errorf("%s /: no %s", method, name)
			}
		}
	}
	page := b.ask(t, "GET", "/api/v2/docs", "", "Accept", accepts)
	if page.StatusCode != 200 || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
		t.Errorf("the documentation: %d %s", page.StatusCode, page.Header.Get("Content-Type"))
	}
	for _, c := range []struct{ method, target, accept string }{
		{"GET", "/", "*/*"},
		{"GET", "/", "application/json, text/html;q=0"},
		{"GET", "/", ""},
		{"POST", "/", accepts},
		{"GET", "/api/v2", accepts},
		{"GET", "/api/v2/nothing", accepts},
		{"GET", "//", accepts},
	} {
		b.ask(t, c.method, c.target, "", "Accept", c.accept).is(t, 404, "NOT_FOUND")
	}
}

// What a page of a stranger can make a browser send does nothing; what documented CORS allows goes through.
func TestPagesOfStrangers(t *testing.T) {
	b := begin(t)
	host := strings.TrimPrefix(b.url, "http://")
	key := "Bearer " + b.demo.Keys.Read
	const list = "/api/v2/mentions"
	for _, c := range []struct {
		name, method, target string
		header               []string
		status               int
	}{
		{"rebound name", "POST", list, []string{"Host", "rebound.example", "Origin", "http://rebound.example"}, 403},
		{"rebound name with a key", "POST", list, []string{"Host", "rebound.example", "Authorization", key}, 403},
		{"rebound name, a document", "GET", "/api/v2/openapi.json", []string{"Host", "rebound.example"}, 403},
		{"rebound name, the root", "GET", "/", []string{"Host", "rebound.example", "Accept", "text/html"}, 403},
		{"another origin", "POST", list, []string{"Origin", "https://page.example"}, 403},
		{"another port", "DELETE", list, []string{"Origin", "http://127.0.0.1:3"}, 403},
		{"another site", "POST", list, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"another origin with a key", "POST", list,
			[]string{"Origin", "https://page.example", "Authorization", key}, 200},
		{"a program that signs in", "POST", "/api/mcp/v2", []string{"Origin", "http://localhost:6274"}, 401},
		{"its registration", "POST", "/oauth/register", []string{"Origin", "http://localhost:6274"}, 400},
		{"its tokens", "POST", "/oauth/token", []string{"Sec-Fetch-Site", "same-site"}, 400},
		{"a forged consent", "POST", "/oauth/authorize", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"another site with a key", "POST", list, []string{"Sec-Fetch-Site", "cross-site", "Authorization", key}, 200},
		{"own origin", "POST", list, []string{"Origin", b.url, "Sec-Fetch-Site", "same-origin"}, 401},
		{"no browser", "POST", list, nil, 401},
		{"read without a key", "GET", "/api/v2/org", []string{"Origin", "https://page.example"}, 401},
		{"a link", "GET", "/api/v2/docs", []string{"Sec-Fetch-Site", "cross-site"}, 200},
		{"preflight", "OPTIONS", list,
			[]string{"Origin", "https://page.example", "Access-Control-Request-Method", "POST"}, 204},
		{"localhost", "GET", "/api/v2/docs", []string{"Host", "localhost:" + strings.Split(host, ":")[1]}, 200},
	} {
		got := b.ask(t, c.method, c.target, "{}", append(c.header, "Content-Type", "application/json")...)
		if got.StatusCode != c.status {
			t.Errorf("%s: %d %s, want %d", c.name, got.StatusCode, got.body, c.status)
		}
		if c.status == 403 {
			got.is(t, 403, "FORBIDDEN")
		}
	}
	for _, header := range []string{"Sec-Fetch-Site", "Origin"} {
		value := map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": b.url}[header]
		b.written(t, "GET", "/_local/process", header, value).ok(t, nil)
		b.written(t, "GET", "/_local/process", header, value, header, value).is(t, 403, "FORBIDDEN")
		b.written(t, "GET", "/_local/process", header, value, header, "cross-site").is(t, 403, "FORBIDDEN")
		b.written(t, "DELETE", "/api/v2/org", header, value, header, "cross-site").is(t, 403, "FORBIDDEN")
	}
}
