package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

// gzipped returns the text in gzip.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	writer := gzip.NewWriter(&out)
	if _, err := io.WriteString(writer, text); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A body in gzip is the body that it decompresses to, also for the contract's limit of 1 MiB.
func TestRequest_Gzip(t *testing.T) {
	b := begin(t)
	key := "Bearer " + b.demo.Keys.Read
	ask := func(body string, header ...string) answer {
		header = append(header, "Authorization", key, "Content-Type", "application/json")
		return b.ask(t, "POST", "/api/v2/mentions", body, header...)
	}
	const packed, list = "Content-Encoding", `{"limit":1}`
	ask(gzipped(t, list), packed, "gzip").ok(t, nil)
	ask(gzipped(t, list+strings.Repeat(" ", 1<<20-len(list))), packed, "gzip").ok(t, nil)
	ask(gzipped(t, list+strings.Repeat(" ", 1<<20)), packed, "gzip").is(t, 400, "VALIDATION_ERROR")
	ask(gzipped(t, strings.Repeat(" ", 64<<20)), packed, "gzip").is(t, 400, "VALIDATION_ERROR")
	ask(list, packed, "gzip").is(t, 404, "NOT_FOUND") // as on API Gateway, see web.GatewayResponses
	ask(gzipped(t, list)).is(t, 400, "VALIDATION_ERROR")
}

// A response in gzip has a validator of its own, and both codings decompress to the same document.
func TestResponse_Gzip(t *testing.T) {
	b := begin(t)
	const target = "/api/v2/openapi.json"
	plain := b.ask(t, "GET", target, "", "Accept-Encoding", "identity")
	packed := b.ask(t, "GET", target, "", "Accept-Encoding", "gzip")
	if coding := packed.Header.Get("Content-Encoding"); coding != "gzip" {
		t.Fatalf("Content-Encoding = %q, want gzip", coding)
	}
	reader, err := gzip.NewReader(strings.NewReader(packed.body))
	if err != nil {
		t.Fatal(err)
	}
	if content, err := io.ReadAll(reader); err != nil || string(content) != plain.body {
		t.Errorf("in gzip %d bytes (%v), want the %d of identity", len(content), err, len(plain.body))
	}
	if packed.Header.Get("ETag") == plain.Header.Get("ETag") {
		t.Errorf("both codings have the ETag %s", plain.Header.Get("ETag"))
	}
	again := b.ask(t, "GET", target, "", "Accept-Encoding", "gzip", "If-None-Match", packed.Header.Get("ETag"))
	if again.StatusCode != 304 || again.body != "" {
		t.Errorf("If-None-Match in gzip = %d with %d bytes, want 304 with none", again.StatusCode, len(again.body))
	}
	if coding := again.Header.Get("Content-Encoding"); coding != "" {
		t.Errorf("304 has the Content-Encoding %s", coding)
	}
	for _, got := range []answer{plain, packed, again} {
		if vary := got.Header.Get("Vary"); vary != "Accept-Encoding" {
			t.Errorf("%d: Vary = %q, want Accept-Encoding", got.StatusCode, vary)
		}
	}
}
