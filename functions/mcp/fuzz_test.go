package mcp_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"earshot/functions/local/deployment"
	"earshot/functions/mcp"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// Every body gets a response of JSON without a fault of the server. The response to a request has the request's id.
func FuzzMessage(f *testing.F) {
	w := worldtest.NewWorld(f)
	w.Put(f, w.Main.ID, worldtest.Mention(1, "post1", worldtest.Now))
	functions := deployment.Functions(deployment.Parts{
		Store: w.Store, Clock: w.Clock, Queue: w.Queue(), BaseURL: "https://" + worldtest.Domain,
		Search: deployment.Search{Pause: func(context.Context, time.Duration) error { return nil }},
	})
	handler := functions[web.FunctionOf(mcp.Group, mcp.Path)]
	for _, tool := range mcp.Tools() {
		for i, revision := range mcp.Revisions {
			body, header := callIn(revision, "1", tool.Name, tool.Example, "")
			f.Add(body, header[1], tool.Name)
			if i > 0 {
				f.Add(callOf(tool.Name, tool.Example), revision, "")
			}
		}
	}
	for _, body := range []string{
		listTools, "[" + listTools + "]", `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":"a","result":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01","capabilities":{},"clientInfo":null}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_mention","arguments":{"sourceId":["\u0000",{}]}}}`,
		`{"jsonrpc":"2.0","id":1,"id":2,"ID":3,"method":"ping","Method":"tools/list","params":null}`, "", "null", "\xff",
	} {
		f.Add(body, "2025-11-25", "")
	}
	f.Fuzz(func(t *testing.T, body, revision, name string) {
		w.Clock.Freeze(w.Clock.Now().Add(time.Hour)) // of another hourly limit
		var sent map[string]any
		event := worldtest.Client{Token: w.Admin}.Event(worldtest.Request{
			Method: "POST", Target: mcp.Path, Body: body, Header: []string{
				"Content-Type", "application/json", "Mcp-Protocol-Version", revision, "Mcp-Name", name, "Mcp-Method", "tools/call",
			},
		})
		response, err := handler(t.Context(), event)
		if err != nil || response.StatusCode >= 500 {
			t.Fatalf("%q = %d %s, %v", body, response.StatusCode, response.Body, err)
		}
		if response.StatusCode == 202 && response.Body == "" {
			return
		}
		var got struct {
			ID     any             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal([]byte(response.Body), &got); err != nil || (got.Result == nil) == (got.Error == nil) {
			t.Fatalf("%q = %d %s, want a result or an error", body, response.StatusCode, response.Body)
		}
		if json.Unmarshal([]byte(body), &sent) != nil || got.Result == nil {
			return
		}
		if id, text := sent["id"].(string); text && got.ID != id {
			t.Errorf("%q = %s, without the request's id", body, response.Body)
		}
	})
}
