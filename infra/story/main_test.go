package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"earshot/events/message"
)

// run's errors name what is missing, before anything is asked.
func TestRun_NotTold(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		env  map[string]string
		says string
	}{
		"no address": {[]string{"play"}, map[string]string{"STORY_READ": "k", "STORY_ADMIN": "k"}, "STORY_URL"},
		"no key":     {[]string{"play"}, map[string]string{"STORY_URL": "http://127.0.0.1:1"}, "STORY_READ"},
		"no admin key": {[]string{"play"}, map[string]string{"STORY_URL": "http://127.0.0.1:1", "STORY_READ": "k"},
			"STORY_ADMIN"},
		"no word":    {[]string{"posts", "No Word"}, nil, "3 to 40 lowercase letters"},
		"other word": {[]string{"begin"}, nil, "begin"},
	} {
		err := run(
			t.Context(),
			test.args,
			func(name string) string { return test.env[name] },
			&bytes.Buffer{},
			&bytes.Buffer{},
		)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: run = %v, want an error with %q", name, err, test.says)
		}
	}
}

// A deployment that answers everything alike fails each story, and each is told.
func TestPlay_EverythingWrong(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for _, name := range []string{"X-Request-Id", "Server-Timing", "Strict-Transport-Security", "X-Content-Type-Options",
			"Cache-Control"} {
			w.Header().Set(name, "any")
		}
		fmt.Fprint(w, `{"id":1}`)
	}))
	defer server.Close()
	var out bytes.Buffer
	err := target{url: server.URL, admin: "a", read: "r", master: "m"}.play(t.Context(), &out)
	if err == nil {
		t.Fatalf("all is well:\n%s", out.String())
	}
	for _, each := range stories() {
		if !strings.Contains(err.Error(), each.name+": ") {
			t.Errorf("%s has not failed:\n%s", each.name, out.String())
		}
	}
}

func TestPrintPosts_OneMessage(t *testing.T) {
	var out bytes.Buffer
	if err := printPosts(&out, "northwind", time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(out.Bytes()) || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("not one line of JSON: %s", out.String())
	}
	posts, unreadable, err := message.Unpack(out.Bytes())
	if err != nil || unreadable != 0 || len(posts) != posted {
		t.Errorf("Unpack = %d posts, %d unreadable, %v, want %d posts", len(posts), unreadable, err, posted)
	}
}
