package mcp_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"earshot/functions/discovery"
	"earshot/functions/mcp"
	"earshot/shared/mention"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// newest returns a message of the newest revision, with the headers that repeat it.
func newest(method, params string) (body string, header []string) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	if params != "" {
		params += ","
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s%s}}`, method, params, meta),
		[]string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method}
}

// Each refusal has its status, its code and, where a client acts on one, its header.
func TestRefusals(t *testing.T) {
	s := serve(t)
	expired := s.world.Key(t, workspace.Key{
		Scope: workspace.Read, Workspace: &s.world.Main, ExpiresAt: worldtest.Now.Add(-time.Second),
	})
	batch := `[` + listTools + `,` + strings.Replace(listTools, "1,", "2,", 1) + `]`
	discover, newestHeader := newest("server/discover", "")
	prompts, promptsHeader := newest("prompts/list", "")
	mismatch, mismatchHeader := newest("tools/call", `"name":"delete_feed","arguments":{"id":1}`)
	for _, c := range []struct {
		name, key, body string
		header          []string
		status          int
		code            string // the envelope's, or the number of JSON-RPC
		challenge       []string
	}{
		{"no key", "", listTools, nil, 401, "UNAUTHORIZED",
			[]string{s.url + "/.well-known/oauth-protected-resource/api/mcp/v2", `scope="read write"`}},
		{"expired key", expired, listTools, nil, 401, "UNAUTHORIZED", []string{`error="invalid_token"`}},
		{"malformed key", "nothing", listTools, nil, 401, "UNAUTHORIZED", []string{`error="invalid_token"`}},
		{"another's workspace", s.world.Read, listTools, []string{"X-Earshot-Organization-Id", s.world.Other.ID}, 403,
			"FORBIDDEN_ORGANIZATION", nil},
		{"malformed Idempotency-Key", s.world.Read, listTools, []string{"Idempotency-Key", strings.Repeat("x", 256)}, 400,
			"VALIDATION_ERROR", nil},
		{"no workspace", s.world.Master, listTools, nil, 400, "ORGANIZATION_REQUIRED", nil},
		{"trap 1: prompts/list", s.world.Read, strings.Replace(listTools, "tools", "prompts", 1), nil, 200, "-32601", nil},
		{"trap 1: prompts/list, newest", s.world.Read, prompts, promptsHeader, 404, "-32601", nil},
		{"trap 1: subscriptions/listen", s.world.Read, strings.Replace(listTools, "tools/list", "subscriptions/listen", 1),
			nil, 200, "-32601", nil},
		{"trap 2: batch", s.world.Read, batch, nil, 400, "-32600", nil},
		{"trap 2: batch without a revision", s.world.Read, batch, []string{"Mcp-Protocol-Version", ""}, 400, "-32600", nil},
		{"trap 2: a name that hides another", s.world.Admin, mismatch, append(mismatchHeader, "Mcp-Name", "list_feeds"),
			400, "-32020", nil},
		{"trap 3: small scope", s.world.Read, callOf("add_keyword", `{"keyword":"x"}`), nil, 403, "-32001",
			[]string{`error="insufficient_scope"`, `scope="read write"`, "/api/mcp/v2"}},
		{"trap 6: foreign host", s.world.Read, listTools, []string{"Host", "rebound.example"}, 403, "FORBIDDEN", nil},
		{"trap 6: foreign host with its origin", s.world.Read, listTools,
			[]string{"Host", "rebound.example", "Origin", "http://rebound.example"}, 403, "FORBIDDEN", nil},
		{"trap 6: foreign host without a key", "", listTools, []string{"Host", "rebound.example"}, 403, "FORBIDDEN", nil},
		{"trap 6: origin null", s.world.Read, listTools, []string{"Origin", "null"}, 403, "FORBIDDEN", nil},
		{"trap 6: origin with a path", s.world.Read, listTools, []string{"Origin", "https://a.example/x"}, 403, "FORBIDDEN",
			nil},
		{"trap 6: no revision", s.world.Read, listTools, []string{"Mcp-Protocol-Version", ""}, 400, "-32020", nil},
		{"trap 6: old revision", s.world.Read, listTools, []string{"Mcp-Protocol-Version", "2025-03-26"}, 400, "-32022", nil},
		{"trap 6: unknown revision", s.world.Read, listTools, []string{"Mcp-Protocol-Version", "2099-01-01"}, 400, "-32022",
			nil},
		{"two revisions", s.world.Read, discover, []string{"Mcp-Protocol-Version", "2025-11-25"}, 400, "-32020", nil},
		{"newest without Mcp-Method", s.world.Read, discover, newestHeader[:2], 400, "-32020", nil},
		{"no JSON", s.world.Read, `{"jsonrpc"`, nil, 400, "-32700", nil},
		{"no request", s.world.Read, `"tools/list"`, nil, 400, "-32600", nil},
		{"an id with a fraction", s.world.Read, strings.Replace(listTools, `"id":1`, `"id":1.5`, 1), nil, 400, "-32600", nil},
		{"an id beyond integers", s.world.Read, strings.Replace(listTools, `"id":1`, `"id":1e99`, 1), nil, 400, "-32600",
			nil},
		{"an id of null", s.world.Read, strings.Replace(listTools, `"id":1`, `"id":null`, 1), nil, 400, "-32600", nil},
		{"an id that is an object", s.world.Read, strings.Replace(listTools, `"id":1`, `"id":{}`, 1), nil, 400, "-32600",
			nil},
		{"a request without an id", s.world.Read, strings.Replace(listTools, `"id":1,`, ``, 1), nil, 400, "-32600", nil},
		{"a call of nothing", s.world.Read, strings.Replace(listTools, "list", "call", 1), nil, 400, "-32602", nil},
		{"a tool that is a number", s.world.Read,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`, nil, 400, "-32602", nil},
		{"a method twice", s.world.Read, strings.Replace(listTools, `"id":1,`, `"id":1,"method":"ping",`, 1), nil, 400,
			"-32600", nil},
		{"a tool twice", s.world.Read,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_workspace","name":"list_tags","arguments":{}}}`,
			nil, 400, "-32600", nil},
		{"a revision twice", s.world.Read, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":` +
			`{"io.modelcontextprotocol/protocolVersion":"2025-06-18","io.modelcontextprotocol/protocolVersion":"2025-11-25"}}}`,
			nil, 400, "-32600", nil},
		{"a form", s.world.Read, listTools, []string{"Content-Type", "text/plain"}, 400, "VALIDATION_ERROR", nil},
		{"a foreign cursor", s.world.Read, strings.Replace(listTools, "}", `,"params":{"cursor":"bm90aGluZw=="}}`, 1), nil,
			200,
			"-32602", nil},
		{"a broken cursor", s.world.Read, strings.Replace(listTools, "}", `,"params":{"cursor":"%"}}`, 1), nil, 200, "-32602",
			nil},
		{"a cursor that is a number", s.world.Read, strings.Replace(listTools, "}", `,"params":{"cursor":5}}`, 1), nil, 200,
			"-32602", nil},
		{"unknown tool", s.world.Read, callOf("list_secrets", `{}`), nil, 200, "-32602", nil},
	} {
		response, body := s.post(t, c.key, c.body, c.header...)
		var read struct {
			Error struct {
				Code    any
				Message string
			}
		}
		if err := json.Unmarshal([]byte(body), &read); err != nil || response.StatusCode != c.status ||
			fmt.Sprint(read.Error.Code) != c.code {
			t.Errorf("%s = %d %s, want %d %s", c.name, response.StatusCode, body, c.status, c.code)
		}
		// A fact and a remedy. The SDK's own sentences are left for headers of the newest revision alone.
		if strings.HasPrefix(c.code, "-") && c.code != "-32020" && !strings.Contains(read.Error.Message, ". ") {
			t.Errorf("%s = %s, want a fact and a remedy", c.name, body)
		}
		if strings.Contains(c.name, "cursor") && !strings.Contains(read.Error.Message, "cursor") {
			t.Errorf("%s = %s, want it to name the cursor", c.name, body)
		}
		for _, part := range c.challenge {
			if got := response.Header.Get("WWW-Authenticate"); !strings.Contains(got, part) {
				t.Errorf("%s: WWW-Authenticate = %s, want it to name %s", c.name, got, part)
			}
		}
	}
}

func callOf(tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
}

func TestMethods_OnlyPost(t *testing.T) {
	s := serve(t)
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
		response, body := s.send(t, method, s.world.Read, "")
		if response.StatusCode != 405 || response.Header.Get("Allow") != "POST" ||
			!strings.Contains(body, "METHOD_NOT_ALLOWED") {
			t.Errorf("%s = %d %s with Allow %q", method, response.StatusCode, body, response.Header.Get("Allow"))
		}
	}
}

// Trap 1: the server announces tools and nothing else, in each revision.
func TestCapabilities(t *testing.T) {
	s := serve(t)
	discover, header := newest("server/discover", "")
	initialize := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"test","version":"1"}}}`
	for body, header := range map[string][]string{discover: header, initialize: {"Mcp-Protocol-Version", ""}} {
		response, text := s.post(t, s.world.Read, body, header...)
		var read struct {
			Result struct {
				Capabilities map[string]map[string]any
				Instructions string
			}
		}
		worldtest.Must(t, json.Unmarshal([]byte(text), &read))
		tools, announced := read.Result.Capabilities["tools"]
		if response.StatusCode != 200 || len(read.Result.Capabilities) != 1 || !announced || len(tools) != 0 {
			t.Errorf("%.80s = %d %s, want tools without listChanged alone", body, response.StatusCode, text)
		}
		if !strings.Contains(read.Result.Instructions, "data") {
			t.Errorf("the instructions are %q", read.Result.Instructions)
		}
	}
}

// Trap 5: a REST API renames WWW-Authenticate. A client without it finds the metadata at the path that follows from the
// server's own.
func TestChallenge_Renamed(t *testing.T) {
	s := serve(t)
	response, _ := s.post(t, "", listTools)
	response.Header.Del("WWW-Authenticate") // as API Gateway does
	found, err := http.Get(s.url + "/.well-known/oauth-protected-resource" + mcp.Path)
	worldtest.Must(t, err)
	defer found.Body.Close()
	var metadata struct{ Resource string }
	worldtest.Must(t, json.NewDecoder(found.Body).Decode(&metadata))
	if response.StatusCode != 401 || metadata.Resource != s.url+mcp.Path {
		t.Errorf("the metadata names %s, want %s", metadata.Resource, s.url+mcp.Path)
	}
}

// Trap 6: a name in Base64 is the name, and a page of any origin is welcome.
func TestHeaders_Accepted(t *testing.T) {
	s := serve(t)
	body, header := newest("tools/call", `"name":"get_workspace","arguments":{}`)
	encoded := "=?base64?" + base64.StdEncoding.EncodeToString([]byte("get_workspace")) + "?="
	header = append(header, "Mcp-Name", encoded, "Origin", "https://page.example:8443", "Accept", "application/json")
	if response, text := s.post(t, s.world.Read, body, header...); response.StatusCode != 200 ||
		!strings.Contains(text, "Northwind") {
		t.Errorf("get_workspace = %d %s", response.StatusCode, text)
	}
	for _, name := range []string{"notifications/initialized", "notifications/roots/list_changed", "notifications/later"} {
		notified := fmt.Sprintf(`{"jsonrpc":"2.0","method":%q}`, name)
		if response, text := s.post(t, s.world.Read, notified); response.StatusCode != 202 || text != "" {
			t.Errorf("%s = %d %s, want 202", name, response.StatusCode, text)
		}
	}
}

// A tool's error has the operation's own code and sentence, and the place of each fault as the client wrote it.
func TestErrors_Places(t *testing.T) {
	s := serve(t)
	worldtest.Must(t, s.world.Store.ChangeWorkspace(t.Context(), s.world.Main.ID, func(o *workspace.Workspace) error {
		o.Flags = []string{workspace.FlagSetupOnboarding}
		return nil
	}))
	session := s.client(t, s.world.Write)
	var feed struct{ ID int64 }
	call(t, session, "create_feed", `{"name":"Told"}`, &feed)
	destination := func(text string) string { return fmt.Sprintf(`{"id":%d,"destination":%s}`, feed.ID, text) }
	call(t, session, "add_feed_destination",
		destination(`{"type":"WEBHOOK","webhookDestination":{"url":"https://hooks.example/a"}}`), &feed)
	for _, c := range []struct{ name, arguments, code, path string }{
		{"add_feed_destination", destination(`{"type":"EMAIL","emailDestination":{"emails":["bad"]}}`), "VALIDATION_ERROR",
			"destination.emailDestination.emails[0]"},
		{"add_feed_destination", destination(`{"type":"FAX"}`), "VALIDATION_ERROR", "destination.type"},
		{"add_feed_destination", destination(`{"type":"EMAIL"}`), "INVALID_DESTINATION", ""},
		{"list_mentions", `{"limit":1000}`, "VALIDATION_ERROR", "limit"},
		{"list_mentions", `{"filters":{"colour":["red"]}}`, "VALIDATION_ERROR", "filters.colour"},
		{"get_mention", `{"sourceId":"post1","limit":3}`, "VALIDATION_ERROR", "limit"},
		{"get_mention", `{}`, "VALIDATION_ERROR", "sourceId"},
		{"pause_keyword", `{"id":"seven","paused":true}`, "VALIDATION_ERROR", "id"},
		{"find_keyword", `{"text":7}`, "VALIDATION_ERROR", "text"},
		{"delete_keyword", `{"id":77}`, "KEYWORD_NOT_FOUND", ""},
		{"get_mention", `{"sourceId":"none"}`, "MENTION_NOT_FOUND", ""},
		{"add_feed_destination", `{"id":77,"destination":{"type":"WEBHOOK"}}`, "FEED_NOT_FOUND", ""},
		{"delete_keyword", `{"id":".."}`, "VALIDATION_ERROR", "id"},
		{"remove_feed_destination", `{"id":1,"type":"email"}`, "VALIDATION_ERROR", "type"},
		{"search", `{"searchId":"srch_1","query":"northwind"}`, "VALIDATION_ERROR", "query"},
		{"propose_setup", `{"draftId":"draft_none"}`, "NOT_FOUND", ""},
		{"get_setup_proposal", `{"id":"draft_none"}`, "SETUP_PROPOSAL_NOT_FOUND", ""},
	} {
		got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: c.name, Arguments: json.RawMessage(c.arguments)})
		worldtest.Must(t, err)
		var envelope struct {
			Error struct {
				Code, Message string
				Details       []struct{ Path string }
			}
		}
		if err := json.Unmarshal([]byte(textOf(got)), &envelope); err != nil || !got.IsError ||
			got.StructuredContent != nil ||
			envelope.Error.Code != c.code || envelope.Error.Message == "" {
			t.Errorf("%s(%s) = %s, want %s", c.name, c.arguments, textOf(got), c.code)
		}
		if strings.Contains(envelope.Error.Message, "destinations[") ||
			strings.Contains(envelope.Error.Message, "/api/v2/") ||
			strings.Contains(envelope.Error.Message, "query parameter") {
			t.Errorf("%s(%s) speaks of an operation, not of a tool: %s", c.name, c.arguments, envelope.Error.Message)
		}
		if c.path != "" && (len(envelope.Error.Details) != 1 || envelope.Error.Details[0].Path != c.path) {
			t.Errorf("%s(%s) has its fault at %v, want %s", c.name, c.arguments, envelope.Error.Details, c.path)
		}
	}
	_, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "list_secrets"})
	var refused *jsonrpc.Error
	if !errors.As(err, &refused) || refused.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("list_secrets = %v, want an unknown tool", err)
	}
}

// All faults of a call come back together, as those of a request of REST do, also if an argument of the path is at fault.
func TestErrors_AllAtOnce(t *testing.T) {
	s := serve(t)
	session := s.client(t, s.world.Write)
	for _, c := range []struct{ name, arguments, want string }{
		{"get_mention", `{"colour":"red"}`, "sourceId required, colour unknown"},
		{"get_mention", `{"unknown":1}`, "sourceId required, unknown unknown"},
		{"get_mention", `{"sourceId":"","includeEngagementMetrics":1}`, "sourceId required, includeEngagementMetrics type"},
		{"delete_feed", `{"colour":"red"}`, "id required, colour unknown"},
		{"delete_feed", `{"id":[1]}`, "id type"},
		{"pause_keyword", `{"colour":"red"}`, "id required, colour unknown, paused required"},
		{"pause_keyword", `{"paused":"no"}`, "id required, paused type"},
		{"update_keyword", `{"keyword":7,"context":false}`, "id required, context type, keyword type"},
		{"find_keyword", `{"colour":"red"}`, "text required, colour unknown"},
		{"add_feed_destination", `{"colour":"red"}`, "destination required, id required, colour unknown"},
		{"add_feed_destination", `{"destination":{"type":"EMAIL"},"colour":"red"}`, "id required, colour unknown"},
		{"remove_feed_destination", `{"id":1,"type":"FAX","colour":"red"}`, "type enum, colour unknown"},
		{"search", `{"searchId":"srch_1","colour":"red"}`, "colour unknown"},
	} {
		got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: c.name, Arguments: json.RawMessage(c.arguments)})
		worldtest.Must(t, err)
		var envelope struct {
			Error struct{ Details []struct{ Path, Code string } }
		}
		worldtest.Must(t, json.Unmarshal([]byte(textOf(got)), &envelope))
		var found []string
		for _, one := range envelope.Error.Details {
			found = append(found, one.Path+" "+one.Code)
		}
		if joined := strings.Join(found, ", "); joined != c.want {
			t.Errorf("%s(%s) has the faults %s, want %s", c.name, c.arguments, joined, c.want)
		}
	}
}

// The text of an error is read as it is: it has < and > as REST writes them.
func TestErrors_Unescaped(t *testing.T) {
	s := serve(t)
	session := s.client(t, s.world.Read)
	for name, arguments := range map[string]string{
		"list_mentions": `{"limit":0}`,
		"get_mention":   `{"sourceId":"x","<b>":1}`,
		"search":        `{"searchId":"srch_1","<b>":1}`,
	} {
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
		worldtest.Must(t, err)
		text := textOf(result)
		if !result.IsError || !strings.ContainsAny(text, "<>") || strings.Contains(text, `\u003`) {
			t.Errorf("%s %s = %s, want < and > as they are", name, arguments, text)
		}
	}
}

// An argument that is given twice is refused, also where the tool or a path takes it: the last would count alone.
func TestErrors_GivenTwice(t *testing.T) {
	s := serve(t)
	for tool, arguments := range map[string]string{
		"delete_keyword":          `{"id":1,"id":2}`,
		"pause_keyword":           `{"id":7,"paused":true,"paused":false}`,
		"list_keywords":           `{"limit":1,"limit":2}`,
		"find_keyword":            `{"text":"a","text":"b"}`,
		"remove_feed_destination": `{"id":1,"type":"EMAIL","type":"SLACK"}`,
		"search":                  `{"searchId":"srch_1","searchId":"srch_2"}`,
	} {
		if _, text := s.post(t, s.world.Write, callOf(tool, arguments)); !strings.Contains(text, `\"duplicate\"`) {
			t.Errorf("%s(%s) = %s, want duplicate", tool, arguments, text)
		}
	}
}

// What comes before input in REST comes before a tool's own faults of arguments too: plan and scope.
func TestErrors_WallsBeforeArguments(t *testing.T) {
	s := serve(t)
	for _, tool := range []string{
		"get_mention", "find_keyword", "delete_keyword", "accept_keyword_suggestion", "add_feed_destination",
		"remove_feed_destination", "get_setup_proposal",
	} {
		for _, arguments := range []string{`{}`, `[]`} {
			if _, text := s.post(t, s.world.AgentsKey, callOf(tool, arguments)); !strings.Contains(text, "UPGRADE_REQUIRED") {
				t.Errorf("%s(%s) on the Agents plan = %s, want UPGRADE_REQUIRED", tool, arguments, text)
			}
		}
	}
	for _, tool := range []string{"delete_keyword", "remove_feed_destination", "update_feed"} {
		response, text := s.post(t, s.world.Read, callOf(tool, `{}`))
		if response.StatusCode != 403 || !strings.Contains(response.Header.Get("WWW-Authenticate"), "insufficient_scope") {
			t.Errorf("%s({}) with the scope read = %d %s, want 403 and the scope", tool, response.StatusCode, text)
		}
	}
}

// A call counts as the one request that it is, a repeat with its Idempotency-Key has one effect, and the limit is REST's.
func TestLimits_AreThoseOfREST(t *testing.T) {
	s := serve(t)
	var first, again string
	for _, into := range []*string{&first, &again} {
		response, text := s.post(t, s.world.Write, callOf("add_keyword", `{"keyword":"Tidewater"}`), "Idempotency-Key", "one")
		*into = text
		if response.Header.Get("X-RateLimit-Limit") != "500" {
			t.Errorf("add_keyword = %v, want the headers of the limit", response.Header)
		}
	}
	if first != again || strings.Contains(first, "isError") {
		t.Errorf("a repeat = %s, want %s", again, first)
	}
	for range 498 {
		_, _, err := s.world.Store.Take(t.Context(), s.world.Main.ID, worldtest.Now.Truncate(time.Hour), 500)
		worldtest.Must(t, err)
	}
	if _, text := s.post(t, s.world.Read, callOf("list_keywords", `{}`)); !strings.Contains(text, "RATE_LIMITED") {
		t.Errorf("list_keywords = %s, want RATE_LIMITED", text)
	}
	if response, text := s.post(t, s.world.Read, listTools); response.StatusCode != 200 {
		t.Errorf("tools/list = %d %s, want 200: it is no operation", response.StatusCode, text)
	}
}

// An id never leads to another operation, though routes beside that of a mention have a name.
func TestGetMention_NameOfRoute(t *testing.T) {
	s := serve(t)
	ids := []string{"by-author", "by-id", "export", "exports/1", "..", "by-id?id=export", "by%2Did"}
	for i, id := range ids {
		s.world.Put(t, s.world.Main.ID, worldtest.Mention(int64(100+i), id, worldtest.Now))
	}
	session := s.client(t, s.world.Read)
	for _, id := range ids {
		var read mention.Mention
		call(t, session, "get_mention", fmt.Sprintf(`{"sourceId":%q}`, id), &read)
		if read.SourceID != id {
			t.Errorf("get_mention(%q) = the mention %q", id, read.SourceID)
		}
	}
}

// No operation that a tool calls can be mistaken for another of the document, besides that which
// TestGetMention_NameOfRoute checks.
func TestOperations_PathsApart(t *testing.T) {
	var document struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	worldtest.Must(t, json.Unmarshal(discovery.OpenAPI(), &document))
	var called []string
	for _, tool := range mcp.Tools() {
		called = append(called, tool.Operations...)
	}
	for path, methods := range document.Paths {
		for method, one := range methods {
			if !slices.Contains(called, one.OperationID) || one.OperationID == "getMention" {
				continue
			}
			for other, found := range document.Paths {
				if _, same := found[method]; same && other != path && leadsTo(path, other) {
					t.Errorf("an id in %s %s leads to %s", method, path, other)
				}
			}
		}
	}
}

// leadsTo reports whether some values of a path's parameters make another path of it.
func leadsTo(path, other string) bool {
	return slices.EqualFunc(strings.Split(path, "/"), strings.Split(other, "/"), func(a, b string) bool {
		return a == b || strings.HasPrefix(a, "{")
	})
}
