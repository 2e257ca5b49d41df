package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"earshot/functions/discovery"
	"earshot/functions/local/apigateway"
	"earshot/functions/local/deployment"
	"earshot/functions/mcp"
	"earshot/shared/mention"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A service is the whole API behind a gateway, REST and MCP.
type service struct {
	world *worldtest.World
	url   string
}

func serve(t *testing.T) service {
	t.Helper()
	world, silent := worldtest.NewWorld(t), slog.New(slog.DiscardHandler)
	listening := httptest.NewUnstartedServer(nil)
	url := "http://" + listening.Listener.Addr().String()
	routes, err := deployment.Routes(discovery.OpenAPI(), deployment.Functions(deployment.Parts{
		Store: world.Store, Queue: world.Queue(), Blob: world.Blob(), Mail: world.Mailer(), Identity: world.Directory(),
		Search: deployment.Search{Pause: func(context.Context, time.Duration) error { return nil }},
		Clock:  world.Clock, Log: silent, Quiet: silent, BaseURL: url,
	}))
	worldtest.Must(t, err)
	listening.Config.Handler = apigateway.New(routes, apigateway.Options{Clock: world.Clock, Log: silent})
	listening.Start()
	t.Cleanup(listening.Close)
	return service{world, url}
}

// keyed sends an API key with every request.
type keyed struct{ key string }

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer "+k.key)
	return http.DefaultTransport.RoundTrip(r)
}

// client connects the SDK's client.
func (s service) client(t *testing.T, key string) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: s.url + mcp.Path, HTTPClient: &http.Client{Transport: keyed{key}}, DisableStandaloneSSE: true,
	}, nil)
	worldtest.Must(t, err)
	t.Cleanup(func() { session.Close() })
	return session
}

// call calls a tool that must succeed.
func call(t *testing.T, session *sdk.ClientSession, name, arguments string, into any) *sdk.CallToolResult {
	t.Helper()
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil || got.IsError {
		t.Fatalf("%s(%s) = %s, %v", name, arguments, textOf(got), err)
	}
	structured, err := json.Marshal(got.StructuredContent)
	worldtest.Must(t, errors.Join(err, json.Unmarshal(structured, into)))
	return got
}

func textOf(got *sdk.CallToolResult) string {
	if got == nil || len(got.Content) == 0 {
		return ""
	}
	return got.Content[0].(*sdk.TextContent).Text
}

// post sends a message with headers and returns the response with its body.
func (s service) post(t *testing.T, key, body string, header ...string) (*http.Response, string) {
	t.Helper()
	return s.send(t, http.MethodPost, key, body, header...)
}

func (s service) send(t *testing.T, method, key, body string, header ...string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+mcp.Path, strings.NewReader(body))
	worldtest.Must(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i < len(header); i += 2 {
		switch {
		case header[i] == "Host":
			request.Host = header[i+1]
		case header[i+1] == "":
			request.Header.Del(header[i])
		default:
			request.Header.Set(header[i], header[i+1])
		}
	}
	response, err := http.DefaultClient.Do(request)
	worldtest.Must(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	worldtest.Must(t, err)
	return response, string(text)
}

// toolNames are the names that clients of this family of APIs know.
const toolNames = "accept_keyword_suggestion add_feed_destination add_keyword analytics create_feed delete_feed " +
	"delete_keyword find_keyword get_global_filters get_mention get_setup_proposal get_usage get_workspace list_feeds " +
	"list_keyword_suggestions list_keywords list_mentions list_tags pause_keyword propose_setup " +
	"reject_keyword_suggestion remove_feed_destination search update_feed update_keyword"

func TestTools_List(t *testing.T) {
	s := serve(t)
	listed, err := s.client(t, s.world.Read).ListTools(t.Context(), nil)
	worldtest.Must(t, err)
	var names []string
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
		input, _ := tool.InputSchema.(map[string]any)
		if tool.Annotations == nil || tool.Annotations.DestructiveHint == nil || tool.OutputSchema == nil ||
			input["examples"] == nil {
			t.Fatalf("%s lacks annotations, an output schema or an example", tool.Name)
		}
		if got := input["type"]; got != "object" {
			t.Errorf("%s takes a value of type %v, want object", tool.Name, got)
		}
		makes := slices.Contains([]string{"add_keyword", "create_feed", "propose_setup", "search"}, tool.Name)
		if tool.Annotations.IdempotentHint == makes {
			t.Errorf("%s has the hint idempotent %v, and a second call makes another thing: %v", tool.Name, makes, makes)
		}
		if tool.Annotations.ReadOnlyHint && *tool.Annotations.DestructiveHint {
			t.Errorf("%s reads only and destroys", tool.Name)
		}
	}
	if got := strings.Join(names, " "); got != toolNames {
		t.Errorf("the tools are\n%s, want\n%s", got, toolNames)
	}
	described, err := json.Marshal(listed.Tools)
	worldtest.Must(t, err)
	if strings.Contains(string(described), "x-mcp-header") { // it does not know the schemas
		t.Error("a tool wants a header that the SDK does not check")
	}
	if tokens := len(described) / 4; tokens > 8_000 { // a schema has about four bytes for a token
		t.Errorf("the tools are described in %d tokens, want 8,000 at most", tokens)
	}
}

// Every tool's example is one of its operation's, and every result has the form of the tool's schema.
func TestTools_Results(t *testing.T) {
	s := serve(t)
	worldtest.Fill(t, s.world, s.world.Main.ID)
	session := s.client(t, s.world.Key(t, workspace.Key{Scope: workspace.Admin, Workspace: &s.world.Main}))
	listed, err := session.ListTools(t.Context(), nil)
	worldtest.Must(t, err)
	for _, tool := range listed.Tools {
		if !tool.Annotations.ReadOnlyHint {
			continue
		}
		for _, known := range mcp.Tools() {
			if known.Name != tool.Name {
				continue
			}
			got, err := session.CallTool(t.Context(), &sdk.CallToolParams{
				Name: tool.Name, Arguments: json.RawMessage(known.Example),
			})
			if err != nil || got.IsError && !strings.Contains(textOf(got), "_NOT_FOUND") &&
				!strings.Contains(textOf(got), "FEATURE_DISABLED") {
				t.Errorf("%s(%s) = %s, %v", tool.Name, known.Example, textOf(got), err)
				continue
			}
			if !got.IsError {
				fits(t, tool, got.StructuredContent)
			}
		}
	}
}

// fits compares a result with the tool's output schema.
func fits(t *testing.T, tool *sdk.Tool, result any) {
	t.Helper()
	var schema jsonschema.Schema
	encoded, err := json.Marshal(tool.OutputSchema)
	worldtest.Must(t, errors.Join(err, json.Unmarshal(encoded, &schema)))
	resolved, err := schema.Resolve(nil)
	worldtest.Must(t, err)
	if err := resolved.Validate(result); err != nil {
		t.Errorf("the result of %s: %v", tool.Name, err)
	}
}

func mentions(n int) (made []mention.Mention) {
	for i := range n {
		posted := worldtest.Now.Add(-time.Duration(i+1) * time.Minute)
		made = append(made, worldtest.Mention(int64(i+1), fmt.Sprint("post", i+1), posted))
	}
	return made
}

func TestListMentions_Pages(t *testing.T) {
	s := serve(t)
	s.world.Put(t, s.world.Main.ID, mentions(5)...)
	session := s.client(t, s.world.Read)
	var seen []string
	for arguments := `{"limit":2,"includeAll":true}`; arguments != ""; {
		var page struct {
			Data       []struct{ SourceID string }
			Pagination struct{ NextCursor *string }
		}
		got := call(t, session, "list_mentions", arguments, &page)
		if len(got.Content) != 1 || strings.Contains(textOf(got), "northwind") {
			t.Errorf("the text of the result is %q, want no text of strangers", textOf(got))
		}
		arguments = ""
		if page.Pagination.NextCursor != nil {
			arguments = fmt.Sprintf(`{"limit":2,"includeAll":true,"cursor":%q}`, *page.Pagination.NextCursor)
		}
		for _, m := range page.Data {
			seen = append(seen, m.SourceID)
		}
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(seen))); len(seen) != 5 || len(distinct) != 5 {
		t.Errorf("the pages have %v, want five mentions once", seen)
	}
}

// A page of long texts stays under the bound, and its note leads to the rest.
func TestListMentions_TooLong(t *testing.T) {
	s := serve(t)
	made := mentions(60)
	for i := range made {
		body := strings.Repeat("Strangers write very long posts. ", 300)
		made[i].Body, made[i].RelevanceComment = &body, strings.Repeat("It names the product. ", 60)
	}
	s.world.Put(t, s.world.Main.ID, made...)
	var page struct {
		Data    []mention.Mention
		LeftOut struct {
			Items, Texts, Limit int
			How                 string
		}
		Pagination *struct{}
	}
	got := call(t, s.client(t, s.world.Read), "list_mentions", `{"limit":60,"includeAll":true}`, &page)
	encoded, err := json.Marshal(got)
	worldtest.Must(t, err)
	left := page.LeftOut
	switch {
	case len(encoded)/3 > 25_000:
		t.Errorf("the result has %d bytes, want under 25,000 tokens", len(encoded))
	case left.Texts == 0 || !strings.Contains(textOf(got), left.How):
		t.Errorf("the result says %q of what it lacks: %+v", textOf(got), left)
	case left.Items > 0 && (left.Limit != len(page.Data) || page.Pagination != nil):
		t.Errorf("%d of 60 mentions with %+v and pagination %v, want their number as limit and no cursor past them",
			len(page.Data), left, page.Pagination)
	}
}

// What names a mention, and leads to it, stays whole in a page that is too long.
func TestListMentions_TooLongKeepsReferences(t *testing.T) {
	s := serve(t)
	made := mentions(30)
	for i := range made {
		body := strings.Repeat("Strangers write very long posts. ", 300)
		long := fmt.Sprintf("https://feeds.example/%d/%s", i, strings.Repeat("path/", 80))
		made[i].Body, made[i].URL, made[i].ImageURL, made[i].SourceID = &body, long, long, "news_feed_"+long
	}
	s.world.Put(t, s.world.Main.ID, made...)
	session := s.client(t, s.world.Read)
	var page struct {
		Data []struct{ SourceID, URL, ImageURL string }
	}
	call(t, session, "list_mentions", `{"limit":30,"includeAll":true}`, &page)
	for _, m := range page.Data {
		for _, text := range []string{m.SourceID, m.URL, m.ImageURL} {
			if !strings.HasSuffix(text, "path/") {
				t.Errorf("%s is cut", text)
			}
		}
	}
	var one struct{ URL string }
	call(t, session, "get_mention", `{"sourceId":"`+page.Data[0].SourceID+`"}`, &one)
	if one.URL != page.Data[0].URL {
		t.Errorf("get_mention = %s, want %s", one.URL, page.Data[0].URL)
	}
}

func TestKeywords_Story(t *testing.T) {
	s := serve(t)
	session := s.client(t, s.world.Write)
	var made struct {
		ID     int64
		Paused bool
	}
	call(t, session, "add_keyword", `{"keyword":"Tidewater"}`, &made)
	var found struct{ Data []struct{ ID int64 } }
	call(t, session, "find_keyword", `{"text":"tide"}`, &found)
	if len(found.Data) != 1 || found.Data[0].ID != made.ID {
		t.Errorf("find_keyword(tide) = %v, want %d", found, made.ID)
	}
	call(t, session, "pause_keyword", fmt.Sprintf(`{"id":%d,"paused":true}`, made.ID), &made)
	if !made.Paused {
		t.Error("pause_keyword left the keyword running")
	}
	call(t, session, "delete_keyword", fmt.Sprintf(`{"id":%d}`, made.ID), &made)
	call(t, session, "list_keywords", `{}`, &found)
	if len(found.Data) != 0 {
		t.Errorf("list_keywords = %v after the deletion, want none", found)
	}
}

func TestFeedDestination_AddRemove(t *testing.T) {
	s := serve(t)
	session := s.client(t, s.world.Write)
	var feed struct {
		ID           int64
		Destinations []struct{ Type, Frequency string }
	}
	call(t, session, "create_feed", `{"name":"Unhappy customers"}`, &feed)
	for _, frequency := range []string{"daily", "weekly"} { // the second replaces the first
		call(t, session, "add_feed_destination", fmt.Sprintf(`{"id":%d,"destination":{"type":"EMAIL","frequency":%q,
			"emailDestination":{"emails":["alerts@northwind.example"]}}}`, feed.ID, frequency), &feed)
		if len(feed.Destinations) != 1 || feed.Destinations[0].Frequency != frequency {
			t.Errorf("add_feed_destination(%s) = %+v", frequency, feed.Destinations)
		}
	}
	call(t, session, "remove_feed_destination", fmt.Sprintf(`{"id":%d,"type":"EMAIL"}`, feed.ID), &feed)
	if len(feed.Destinations) != 0 {
		t.Errorf("remove_feed_destination = %+v, want none", feed.Destinations)
	}
}
