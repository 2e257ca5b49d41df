package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"earshot/functions/mcp"
)

// tool calls a tool of the MCP server, and returns its result.
func (p *play) tool(name, arguments string, header ...string) json.RawMessage {
	p.t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, arguments)
	var answer struct {
		Result struct {
			IsError           bool
			StructuredContent json.RawMessage
		}
	}
	got := p.askOf("mcp", 200, "POST", mcp.Path, body, append(header, "MCP-Protocol-Version", "2025-11-25")...)
	if err := json.Unmarshal(got, &answer); err != nil || answer.Result.IsError || answer.Result.StructuredContent == nil {
		p.t.Errorf("%s(%s) = %.300s, %v", name, arguments, got, err)
	}
	return answer.Result.StructuredContent
}

// mcp calls the tools that reach what others do not.
func (p *play) mcp() {
	p.t.Helper()
	var id string
	for range 2 {
		id = p.made(p.tool("add_keyword", `{"keyword":"tidewaters"}`, "Idempotency-Key", "a keyword"))
	}
	p.askOf("mcp", 200, "POST", mcp.Path, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_keyword",
		"arguments":{"keyword":"+"}}}`, "MCP-Protocol-Version", "2025-11-25", "Idempotency-Key", "malformed")
	p.tool("update_keyword", `{"id":`+id+`,"context":"x"}`)
	p.noise(id)
	var list struct{ Data []struct{ ID string } }
	if err := json.Unmarshal(p.tool("list_keyword_suggestions", `{}`), &list); err != nil || len(list.Data) < 2 {
		p.t.Fatalf("list_keyword_suggestions = %+v, %v", list, err)
	}
	p.tool("accept_keyword_suggestion", `{"id":"`+list.Data[0].ID+`"}`)
	p.tool("reject_keyword_suggestion", `{"id":"`+list.Data[1].ID+`"}`)
	p.tool("list_mentions", `{"includeAll":true,"limit":100}`, "Authorization", "Bearer "+p.world.Master,
		"x-earshot-organization-id", p.world.Member.ID)
	p.tool("list_mentions", `{"includeAll":true,"limit":100,"includeEngagementMetrics":true}`)
	past := p.world.Clock.Now().AddDate(0, 0, -150).Format("2006-01-02")
	p.tool("list_mentions", `{"includeAll":true,"filters":{"endDate":"`+past+`"}}`)
	for _, sourceID := range []string{"hackernews_story_1", "hackernews_story_2"} {
		var got struct{ ID json.RawMessage }
		if err := json.Unmarshal(p.tool("get_mention", `{"sourceId":"`+sourceID+`"}`), &got); err != nil {
			p.t.Fatal(err)
		}
		p.tool("get_mention", `{"sourceId":"`+strings.Trim(string(got.ID), `"`)+`","includeEngagementMetrics":true}`)
	}
	feed := p.made(p.tool("create_feed", `{"name":"Tides","simpleFilters":{"keyword":[`+id+`]}}`))
	p.tool("add_feed_destination", `{"id":`+feed+`,"destination":{"type":"EMAIL",
		"emailDestination":{"emails":["team@northwind.example"]}}}`)
	p.tool("delete_feed", `{"id":`+feed+`}`)
	p.tool("delete_keyword", `{"id":`+id+`}`)
	for _, name := range []string{"list_feeds", "get_workspace", "get_usage", "list_tags", "get_global_filters"} {
		p.tool(name, `{}`)
	}
	p.tool("analytics", `{"aggregates":["count"],"dimensions":["source"]}`)
	p.tool("search", `{"query":"northwind","waitMs":0}`, "Idempotency-Key", "a search")
	p.tool("propose_setup", `{"domain":"quayside.example"}`)
	draft := p.drafted("mooring.example")
	p.tool("propose_setup", `{"draftId":"`+draft+`"}`)
	p.tool("get_setup_proposal", `{"id":"`+draft+`"}`)
}
