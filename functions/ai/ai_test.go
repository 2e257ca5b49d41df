package ai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/functions/ai"
	"earshot/functions/discovery"
	"earshot/functions/feeds"
	"earshot/functions/mentions"
	"earshot/shared/embedded/openaimodel"
	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/port/model"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/wizard"
	"earshot/shared/worldtest"
)

const path = "/api/v2/ai/filter-wizard"

// answer is the operation's response.
type answer struct {
	Filters     json.RawMessage
	IsAdvanced  bool
	Limit       *int
	IncludeAll  bool
	View        *int64
	Explanation string
}

// newDesk returns a workspace with the keywords 7 and 8, the feed 11 and 40 mentions, and another workspace with a
// keyword of its own. llm may be nil.
func newDesk(t testing.TB, llm model.Model, daily int) worldtest.Desk {
	t.Helper()
	d := worldtest.NewDesk(t, discovery.OpenAPI(), func(api *web.API, w *worldtest.World) {
		options := ai.Options{Store: w.Store, Clock: w.Clock}
		if llm != nil {
			budget := workspacestore.ModelBudget{Store: w.Store.Kernel, Daily: daily, For: ai.Group, Kind: workspacestore.Wizard}
			options.Advisor = &wizard.Advisor{Model: llm, Budget: budget, Limit: 10 * time.Second}
		}
		ai.Register(api, options)
		mentions.Register(api, mentions.Options{Store: w.Store})
		feeds.Register(api, feeds.Options{Store: w.Store, Clock: w.Clock})
	})
	for id, text := range map[int64]string{7: "Northwind", 8: "wave barn", 9: "Lanternpage"} {
		org := d.Main.ID
		if id == 9 {
			org = d.Other.ID
		}
		worldtest.Must(t, d.Store.RestoreKeyword(t.Context(), org,
			keyword.Keyword{ID: id, Text: text, Tag: keyword.OwnBrand}))
	}
	worldtest.Must(t, d.Store.RestoreFeed(t.Context(), d.Main.ID, feed.Feed{ID: 11, Name: "Brand"}))
	if _, err := d.Store.Ingest(t.Context(), d.Main.ID, 1_000_000, worldtest.Mentions(40)); err != nil {
		t.Fatal(err)
	}
	return d
}

func ask(t testing.TB, d worldtest.Desk, query string) (a answer) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	d.Post(t, path, string(body)).OK(t, &a)
	return a
}

func TestDoors(t *testing.T) {
	d := newDesk(t, nil, 0)
	if got := d.Doors(t, ai.Group, d.World); !slices.Equal(
		got, []string{"createSummary", "getSummary", "listSummaries", "runFilterWizard"},
	) {
		t.Errorf("Doors = %v", got)
	}
}

func TestWizard(t *testing.T) {
	d := newDesk(t, nil, 0)
	for query, want := range map[string]string{
		"negative northwind tweets since monday, top 5": `{"keyword":[7],"sentiment":["negative"],"source":["twitter"],` +
			`"startDate":"2026-11-16"} 5 false null`,
		"brand feed including noise": `{} null true 11`,
		"reddit positive or twitter negative": `{"groups":[` +
			`{"conditions":[{"source":["reddit"]},{"sentiment":["positive"]}],"operator":"AND"},` +
			`{"conditions":[{"source":["twitter"]},{"sentiment":["negative"]}],"operator":"AND"}],` +
			`"operator":"OR"} null false null`,
		"Lanternpage": "null null false null", // another workspace's keyword
		"\x00":        "null null false null",
	} {
		got := ask(t, d, query)
		shown, _ := json.Marshal([]any{got.Limit, got.IncludeAll, got.View})
		if line := string(got.Filters) + " " +
			strings.ReplaceAll(strings.Trim(string(shown), "[]"), ",", " "); line != want ||
			got.Explanation == "" || got.IsAdvanced != strings.Contains(want, "groups") {
			t.Errorf("%q = %s, %q, want %s", query, line, got.Explanation, want)
		}
	}
	for body, want := range map[string]string{
		`{}`:           "query required",
		`{"query":""}`: "query min_length",
		`{"query":7}`:  "query type",
		`{"query":"` + strings.Repeat("é", 1001) + `"}`:  "query max_length",
		`{"query":"` + strings.Repeat("a", 1<<20) + `"}`: "",
		`{"query":"x","more":1}`:                         "more unknown",
	} {
		found := d.Post(t, path, body).Is(t, 400, "VALIDATION_ERROR")
		if want != "" && (len(found.Details) != 1 || found.Details[0].Path+" "+found.Details[0].Code != want) {
			t.Errorf("%.40s = %+v, want %s", body, found.Details, want)
		}
	}
}

// pieces are phrases of requests.
var pieces = []string{
	"negative", "not positive", "on reddit", "tweets", "or", "and", ",", "but not", "either", "anything", "northwind",
	"wave barn", "pricing", "bug reports", "german", "non-english", "replies", "unanswered", "last week",
	"since monday", "in october", "2026-11-01", "last 3 hours", "more than 10k followers", "under 500 followers",
	"with 100+ likes", "4 or 5 stars", "top 10", `"battery life"`, "mentioning outage", "by @alice", "-giveaway",
	"the brand feed", "low relevance", "including noise", "irrelevant", "everything", "both", "untagged",
	"without sentiment",
}

// What the wizard returns is accepted by the list of mentions and by a feed, whatever was asked.
func TestWizard_Accepted(t *testing.T) {
	d := newDesk(t, nil, 0)
	understood, asked := 0, 0
	rapid.Check(t, func(c *rapid.T) {
		if asked += 3; asked%300 == 0 { // another hour has requests of its own
			d.Clock.Set(d.Clock.Now().Add(time.Hour))
		}
		query := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 8).Draw(c, "pieces"), " ")
		got := ask(t, d, query)
		if string(got.Filters) == "null" {
			return
		}
		understood++
		body := map[string]any{"filters": got.Filters, "includeAll": got.IncludeAll}
		if got.Limit != nil {
			body["limit"] = *got.Limit
		}
		if got.View != nil {
			body["view"] = *got.View
		}
		list, _ := json.Marshal(body)
		kept, other := "simpleFilters", "advancedFilters"
		if got.IsAdvanced {
			kept, other = other, kept
		}
		for _, refused := range []worldtest.Answer{
			d.Post(t, "/api/v2/mentions", string(list)),
			d.Patch(t, "/api/v2/feeds/11", fmt.Sprintf(`{%q:%s,%q:null}`, kept, got.Filters, other)),
		} {
			if refused.Status != 200 {
				c.Fatalf("%q = %s, which is refused: %d %s", query, list, refused.Status, refused.Body)
			}
		}
	})
	if understood < 10 {
		t.Errorf("%d requests were understood", understood)
	}
}

// A says is a model that responds with one text.
type says struct {
	text  string
	err   error
	asked *int
}

func (s says) Complete(context.Context, model.Request) (model.Answer, error) {
	*s.asked++
	return model.Answer{Text: s.text, InputTokens: 900, OutputTokens: 30, Complete: true}, s.err
}

func TestWizard_Model(t *testing.T) {
	asked := 0
	good := says{text: `{"filters":{"sentiment":["negative"]},"limit":null,"includeAll":false,"view":11}`, asked: &asked}
	d := newDesk(t, good, 6000)
	got := ask(t, d, "who is grumpy?")
	if string(got.Filters) != `{"sentiment":["negative"]}` || got.View == nil || *got.View != 11 {
		t.Errorf("got %+v, want the model's filter", got)
	}
	for range 5 { // until the day's tokens are spent
		ask(t, d, "who is grumpy?")
	}
	if got := ask(t, d, "who is grumpy?"); string(got.Filters) != "null" || asked == 0 || asked > 5 {
		t.Errorf("got %+v after %d requests to the model, want the rules' answer once the budget is spent", got, asked)
	}
	use, err := d.Store.ModelUse(t.Context(), d.Main.ID)
	if got, each := use.ByKind[workspacestore.Wizard], int64(asked); err != nil || got.Input != each*900 ||
		got.Output != each*30 {
		t.Errorf("the wizard used %+v, %v, want %d times 900 and 30", got, err, each)
	}
	d = newDesk(t, says{err: model.ErrUnavailable, asked: &asked}, 100_000)
	if got := ask(t, d, "negative tweets"); string(got.Filters) != `{"sentiment":["negative"],"source":["twitter"]}` {
		t.Errorf("got %s, want the rules' filter when the model fails", got.Filters)
	}
}

// TestWizard_Peer asks a server that nobody here wrote, whose reply infra/peers/chat.json scripts.
func TestWizard_Peer(t *testing.T) {
	endpoint := os.Getenv("MODEL_ENDPOINT")
	if endpoint == "" {
		t.Skip("MODEL_ENDPOINT names no server: make peers starts one")
	}
	llm, err := openaimodel.New(openaimodel.Options{URL: endpoint, Model: "wizard"})
	if err != nil {
		t.Fatal(err)
	}
	got := ask(t, newDesk(t, llm, 100_000), "who is grumpy on X?")
	if string(got.Filters) != `{"sentiment":["negative"],"source":["twitter"]}` {
		t.Errorf("got %+v, want the filter of chat.json", got)
	}
}
