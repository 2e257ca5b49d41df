package web_test

import (
	"strings"
	"testing"

	"earshot/shared/web"
)

// A strong validator belongs to one coding of a response, so each coding revalidates with its own.
func TestETag_Gzip(t *testing.T) {
	b := newBench(t)
	const long = "/api/v2/things/long"
	plain := b.Get(t, long).Header.Get("ETag")
	packed := b.Get(t, long, "Accept-Encoding", "br, gzip").Header.Get("ETag")
	if want := strings.TrimSuffix(plain, `"`) + `-gzip"`; packed != want {
		t.Errorf("ETag in gzip = %s, want %s", packed, want)
	}
	for _, c := range []struct {
		accepted, known string
		status          int
		tag             string
	}{
		{"gzip", packed, 304, packed},
		{"gzip", "W/" + packed, 304, packed},
		{"gzip", plain, 200, packed},
		{"gzip;q=0", plain, 304, plain},
		{"gzip;q=0", packed, 200, plain},
		{"*", plain, 304, plain},
	} {
		got := b.Get(t, long, "Accept-Encoding", c.accepted, "If-None-Match", c.known)
		if got.Status != c.status {
			t.Errorf("Accept-Encoding %s, If-None-Match %s: status %d, want %d", c.accepted, c.known, got.Status, c.status)
		}
		if tag := got.Header.Get("ETag"); tag != c.tag {
			t.Errorf("Accept-Encoding %s, If-None-Match %s: ETag %s, want %s", c.accepted, c.known, tag, c.tag)
		}
		if vary := got.Header.Get("Vary"); vary != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %s, If-None-Match %s: Vary %q", c.accepted, c.known, vary)
		}
	}
	if vary := b.Get(t, "/api/v2/who", "Accept-Encoding", "gzip").Header.Get("Vary"); vary != "" {
		t.Errorf("Vary of a response that no cache may store = %q, want none", vary)
	}
	short := b.Get(t, "/api/v2/things/a").Header.Get("ETag")
	if tag := b.Get(t, "/api/v2/things/a", "Accept-Encoding", "gzip").Header.Get("ETag"); tag != short {
		t.Errorf("ETag of a response that is too short for gzip = %s, want %s", tag, short)
	}
}

// A client that reads in gzip changes by If-Match like any other, also after a repeated request.
func TestIfMatch_Gzip(t *testing.T) {
	_, c := newNotes(t)
	long := `{"text":"` + strings.Repeat("x", web.MinCompressed) + `"}`
	var tags []string
	for range 2 {
		changed := c.Patch(t, atNote, long, "Accept-Encoding", "gzip", "Idempotency-Key", "k")
		changed.OK(t, nil)
		tags = append(tags, changed.Header.Get("ETag"))
	}
	if !strings.HasPrefix(tags[0], `"2.`) || !strings.HasSuffix(tags[0], `-gzip"`) {
		t.Errorf("ETag of a change in gzip = %s, want the revision 2 and the suffix", tags[0])
	}
	if tags[1] != tags[0] {
		t.Errorf("ETag of its repeat = %s, want %s", tags[1], tags[0])
	}
	c.Patch(t, atNote, `{"text":"short"}`, "If-Match", tags[1]).OK(t, nil)
	c.Patch(t, atNote, `{"text":"late"}`, "If-Match", tags[1]).Is(t, 400, "INVALID_INPUT")
}

func TestPrefersHTML(t *testing.T) {
	for accept, want := range map[string]bool{
		"": false, "*/*": false, "application/json": false, "text/html, application/json": false,
		"text/html;q=0, */*;q=0": false,
		"text/html":              true,
		"TEXT/HTML; q=0.5":       true,
		"text/*, */*;q=0.1":      true,
		"*/*, text/html;q=0":     false,
		"application/json, text/html;q=0.9, */*;q=0.8": false,
		"text/html;q=x": false, ";;,,q=": false, "text/htmlx": false,
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8":                                  true, // Firefox
		"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8": true, // Chrome
	} {
		if got := web.PrefersHTML(accept); got != want {
			t.Errorf("PrefersHTML(%q) = %t, want %t", accept, got, want)
		}
	}
}
