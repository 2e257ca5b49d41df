package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"earshot/functions/local/demo"
)

// awaitMention asks for a mention until it is there.
func (c *child) awaitMention(made demo.Demo, sourceID string) {
	for range 100 { // of the workspace's 500 requests in the hour
		request, err := http.NewRequest("GET", c.url+"/api/v2/mentions/"+sourceID, nil)
		if err != nil {
			return
		}
		request.Header.Set("Authorization", "Bearer "+made.Keys.Read)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return
		}
		response.Body.Close()
		if response.StatusCode == http.StatusOK {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Killed again and again while posts come in, and sent all of them each time, it has each once in the end: a mention, a
// number, and a share of the month's quota.
func TestKilledWhilePostsComeIn(t *testing.T) {
	const posts = 3_000
	var lines bytes.Buffer
	for n := range posts {
		fmt.Fprintf(&lines, `{"source":"news","sourceId":"killed_%d","timestamp":%q,"title":"Northwind pages people, part %d"}`+"\n",
			n, time.Now().Add(-time.Duration(n)*time.Minute).UTC().Format(time.RFC3339), n)
	}
	folder := filepath.Join(t.TempDir(), "data")
	var last struct{ Received, Stored, Duplicates, RejectedCount int }
	var made demo.Demo
	var c *child
	for round := range 4 {
		c = spawn(t, folder)
		made = readDemo(t, folder)
		killed := make(chan struct{})
		go func() {
			defer close(killed)
			if round < 3 { // in the middle, each time further on
				c.awaitMention(made, fmt.Sprintf("killed_%d", 600*round+100))
				_ = c.command.Process.Kill()
			}
		}()
		response, err := http.Post(c.url+"/_local/posts", "application/x-ndjson", bytes.NewReader(lines.Bytes()))
		if err == nil {
			err = json.NewDecoder(response.Body).Decode(&last)
			response.Body.Close()
		}
		<-killed
		if round < 3 {
			<-c.done
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if last.Received != posts || last.Stored+last.Duplicates != posts || last.RejectedCount != 0 {
		t.Errorf("%+v", last)
	}
	if last.Duplicates < 1_200 || last.Stored == 0 {
		t.Errorf("it was not killed in the middle: %+v", last)
	}
	seen, numbers, cursor := map[string]bool{}, map[int64]bool{}, ""
	for {
		body := map[string]any{"limit": 100, "includeAll": true,
			"simpleFilters": map[string]any{"source": []string{"news"}, "text": []string{"pages people"}}}
		if cursor != "" {
			body["cursor"] = cursor
		}
		page := struct {
			Data []struct {
				ID       int64
				SourceID string
			}
			Pagination struct{ NextCursor string }
		}{}
		content, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		request, err := http.NewRequest("POST", c.url+"/api/v2/mentions", bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+made.Keys.Read)
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		err = json.NewDecoder(response.Body).Decode(&page)
		response.Body.Close()
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatal(response.StatusCode, err)
		}
		for _, m := range page.Data {
			if seen[m.SourceID] || numbers[m.ID] {
				t.Errorf("%s (%d) stands twice", m.SourceID, m.ID)
			}
			seen[m.SourceID], numbers[m.ID] = true, true
		}
		if cursor = page.Pagination.NextCursor; cursor == "" {
			break
		}
	}
	if len(seen) != posts {
		t.Errorf("%d mentions of %d posts", len(seen), posts)
	}
}
