package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// foundSearch is a search as a client reads it.
type foundSearch struct {
	SearchID, Status, PollURL string
	Stats                     struct {
		RawMatches, MentionsConsumed int
		SkippedSources               map[string]string
	}
	Mentions []struct {
		SourceID           string
		AlreadyInWorkspace bool
	}
}

// The Agents plan from its key's first search to its wall, and through it: the searches find the demo's posts, the
// headers count down, the fifty-first search is refused with a way out, and the way out works.
func TestSearch_AgentsPlan(t *testing.T) {
	onBoth(t, func(t *testing.T, settings ...string) {
		b := begin(t, settings...)
		key := b.demo.Keys.AgentsPlan
		search := func(body string) (foundSearch, http.Header) {
			t.Helper()
			var s foundSearch
			answer := b.keyed(t, "POST", "/api/v2/search", key, body)
			if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusAccepted {
				t.Fatalf("%d %s", answer.StatusCode, answer.body)
			}
			if err := json.Unmarshal([]byte(answer.body), &s); err != nil {
				t.Fatal(err)
			}
			return s, answer.Header
		}
		left := func(h http.Header) (searches, mentions int) {
			t.Helper()
			searches, err := strconv.Atoi(h.Get("x-earshot-searches-remaining"))
			mentions, failed := strconv.Atoi(h.Get("x-earshot-mentions-remaining"))
			if err != nil || failed != nil {
				t.Fatalf("the headers are %v, %v", err, failed)
			}
			return searches, mentions
		}
		const question = `{"query":"northwind -weather","timeWindow":"30d","minRelevance":"low","waitMs":25000}`
		first, headers := search(question)
		searches, mentions := left(headers)
		if first.Status != "completed" || len(first.Mentions) == 0 || first.Stats.MentionsConsumed != len(first.Mentions) ||
			searches != 49 || mentions != 5000-len(first.Mentions) {
			t.Fatalf("%+v, with %d searches and %d mentions left", first, searches, mentions)
		}
		second, headers := search(question)
		if searches, again := left(headers); len(second.Mentions) != len(first.Mentions) ||
			second.Stats.MentionsConsumed != 0 ||
			searches != 48 || again != mentions {
			t.Errorf("the same search cost %d mentions", second.Stats.MentionsConsumed)
		}
		if len(first.Stats.SkippedSources) == 0 {
			t.Error("nothing says that no platform was asked")
		}
		for n := 47; n >= 0; n-- {
			_, headers := search(`{"query":"northwind","waitMs":0}`)
			if searches, _ := left(headers); searches != n {
				t.Fatalf("%d searches are left, want %d", searches, n)
			}
		}
		wall := b.keyed(t, "POST", "/api/v2/search", key, question)
		wall.is(t, 403, "UPGRADE_REQUIRED")
		for _, way := range []string{`"upgradeUrl":"` + b.url + `/upgrade"`, `"upgradeCommand":"earshot upgrade"`} {
			if !strings.Contains(wall.body, way) {
				t.Errorf("the wall has not %s: %s", way, wall.body)
			}
		}
		var usage struct {
			Searches struct{ Used, Limit, Remaining int }
		}
		b.keyed(t, "GET", "/api/v2/org/usage", key, "").ok(t, &usage)
		if usage.Searches.Used != 50 || usage.Searches.Limit != 50 || usage.Searches.Remaining != 0 {
			t.Errorf("the usage is %+v", usage)
		}
		// What was found can still be read, by this workspace alone.
		b.keyed(t, "GET", "/api/v2/search/"+first.SearchID, key, "").ok(t, &first)
		b.keyed(t, "GET", "/api/v2/search/"+first.SearchID, b.demo.Keys.Read, "").is(t, 404, "SEARCH_NOT_FOUND")
		var link struct{ URL string }
		b.keyed(t, "POST", "/api/v2/org/upgrade-link", key, "").ok(t, &link)
		b.ask(t, "GET", strings.TrimPrefix(link.URL, b.url), "").ok(t, nil)
		// Every operation outside the plan says the same, an agency's too.
		b.keyed(t, "GET", "/api/v2/agency", key, "").is(t, 403, "UPGRADE_REQUIRED")
	})
}

// A search of a workspace with mentions says which results it has, and takes nothing for them.
func TestSearch_AlreadyInWorkspace(t *testing.T) {
	b := begin(t)
	var s foundSearch
	answer := b.keyed(t, "POST", "/api/v2/search", b.demo.Keys.Read,
		`{"query":"northwind","timeWindow":"30d","minRelevance":"low","waitMs":25000}`)
	answer.ok(t, &s)
	known := 0
	for _, m := range s.Mentions {
		if m.AlreadyInWorkspace {
			known++
		}
	}
	if known == 0 || s.Stats.MentionsConsumed != len(s.Mentions)-known {
		t.Errorf("%d of %d results are known, and %d were billed", known, len(s.Mentions), s.Stats.MentionsConsumed)
	}
	if answer.Header.Get("x-earshot-searches-remaining") != answer.Header.Get("X-RateLimit-Remaining") {
		t.Errorf("the headers are %v", answer.Header)
	}
}
