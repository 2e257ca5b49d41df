package producthunt_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/producthunt"
	"earshot/shared/source/sourcetest"
)

var week = source.Query{
	Text: "the \"Lantern\"  DB", Max: 20,
	Since: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 8, 0, 0, 0, 0, time.UTC),
}

var now = time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC)

const token = "producthunt-token-88a0"

var secrets = map[string]string{producthunt.Token: token}

func TestSource(t *testing.T) {
	sourcetest.Run(t, sourcetest.Options{
		New: func(client *fetch.Client, baseURL string) (source.Source, error) {
			return producthunt.New(client, secrets, baseURL), nil
		},
		Answers: os.DirFS("testdata"),
		// One path for all questions: the recording answers both that the suite asks.
		Routes:   []sourcetest.Route{{Method: http.MethodPost, Path: "/v2/api/graphql", File: "graphql.json"}},
		Secrets:  []string{token},
		Cases:    []sourcetest.Case{{Name: "week", Query: week, Posts: 2}},
		Lists:    map[string]string{"graphql.json": "data.posts.nodes"},
		Observed: []string{"producthunt_post_990002", "producthunt_post_990001", "producthunt_post_1"},
		Now:      now,
	})
}

func open(t *testing.T, answer http.HandlerFunc) source.Source {
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	client := fetch.New(fetch.Options{AnyHost: true, Unpaced: true})
	t.Cleanup(client.Close)
	return producthunt.New(client, secrets, server.URL)
}

// The cursor goes where GraphQL has it, and the page says when it is the last.
func TestPages(t *testing.T) {
	files := map[string]string{"": "more.json", "MQ": "graphql.json"}
	from := open(t, func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Query     string
			Variables struct {
				First int
				After string
				Since time.Time
				Until time.Time
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || !strings.Contains(asked.Query, "order:NEWEST") ||
			asked.Variables.First != 20 ||
			!asked.Variables.Since.Before(week.Since) || !asked.Variables.Until.After(week.Until) {
			t.Errorf("asks %+v (%v)", asked, err)
		}
		content, err := os.ReadFile("testdata/" + files[asked.Variables.After])
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(content)
	})
	var got []string
	for q := week; len(got) < 10; {
		page, err := from.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range page.Posts {
			got = append(got, p.SourceID)
		}
		if q.After = page.Next; q.After == "" {
			break
		}
	}
	if strings.Join(got, " ") != "producthunt_post_990003 producthunt_post_990002 producthunt_post_990001" {
		t.Errorf("answers %v", got)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name, body string
		status     int
		left       string
		wait       time.Duration
		refused    bool
	}{
		{"no data", `{"data":null,"errors":[{"message":"canary"}]}`, 200, "6000", 0, false},
		{"too complex", `{"errors":[{"message":"Query has complexity of 9000"}]}`, 200, "6000", 0, false},
		{"spent", `{"errors":[{"error":"rate_limit_reached"}]}`, 429, "0", 400 * time.Second, false},
		{"nearly spent", `{"data":{"posts":{"pageInfo":{},"nodes":[]}}}`, 200, "40", 400 * time.Second, false},
		{"bad token", `{"errors":[{"error":"invalid_oauth_token"}]}`, 401, "6000", 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			from := open(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("X-Rate-Limit-Remaining", c.left)
				w.Header().Set("X-Rate-Limit-Reset", "400")
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
			})
			from.Search(t.Context(), week)
			_, err := from.Search(t.Context(), week)
			var failed *source.Unavailable
			if !errors.As(err, &failed) || failed.Refused != c.refused || strings.Contains(err.Error(), "canary") {
				t.Fatalf("answers %v", err)
			}
			if c.wait == 0 && failed.RetryAfter != 0 || c.wait-failed.RetryAfter > 5*time.Second {
				t.Errorf("to wait are %v, it says %v", c.wait, failed.RetryAfter)
			}
		})
	}
}
