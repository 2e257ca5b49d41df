package mcp_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"earshot/functions/mcp"
	"earshot/shared/worldtest"
)

// The server answers the common form of a call itself. The SDK answers the same call when it has a member that it
// overlooks. Both say the same.
func TestPlainCalls_AsTheSDKAnswers(t *testing.T) {
	s := serve(t)
	for id := range int64(3) {
		s.world.Put(t, s.world.Main.ID, worldtest.Mention(id+1, fmt.Sprint("post", id), worldtest.Now))
	}
	ids := []string{`1`, `-7`, `0`, `"a"`, `"\"\u00e9"`, `9007199254740991`}
	n := 0
	for _, tool := range mcp.Tools() {
		for _, arguments := range []string{tool.Example, `{}`, `[]`, `"x"`, `null`, `{"unknown":1,"limit":"many"}`, ``} {
			for _, revision := range mcp.Revisions {
				id := ids[n%len(ids)]
				n++
				plain, header := callIn(revision, id, tool.Name, arguments, "")
				header = append(header, "Idempotency-Key", fmt.Sprint("pair-", n)) // the second call changes nothing
				odd, _ := callIn(revision, id, tool.Name, arguments, `"requestState":"",`)
				response, got := s.post(t, s.world.Admin, plain, header...)
				bySDK, want := s.post(t, s.world.Admin, odd, header...)
				if response.StatusCode != bySDK.StatusCode || !reflect.DeepEqual(tree(t, got), tree(t, want)) {
					t.Errorf("%s\n= %d %s\nthe SDK: %d %s", plain, response.StatusCode, got, bySDK.StatusCode, want)
				}
			}
		}
	}
}

// The server answers the common form of a request for the tools itself. The SDK answers it with a cursor, which may be
// empty. Both say the same.
func TestPlainLists_AsTheSDKAnswers(t *testing.T) {
	s := serve(t)
	for _, revision := range mcp.Revisions {
		odd, header := listIn(revision, `"cursor":"",`)
		bySDK, want := s.post(t, s.world.Admin, odd, header...)
		common, _ := listIn(revision, "")
		all := []string{common}
		if revision != mcp.Revisions[0] {
			const bare = `{"jsonrpc":"2.0","id":1,"method":"tools/list"`
			all = append(all, bare+`}`, bare+`,"params":null}`, bare+`,"params":{}}`)
		}
		for _, plain := range all {
			response, got := s.post(t, s.world.Admin, plain, header...)
			if response.StatusCode != bySDK.StatusCode || !reflect.DeepEqual(tree(t, got), tree(t, want)) {
				t.Errorf("%s %s\n= %d %s\nthe SDK: %d %s", revision, plain, response.StatusCode, got, bySDK.StatusCode, want)
			}
		}
	}
}

// A response repeats the id of its request to the last digit, although the SDK reads numbers as floats.
func TestID_LargeInteger(t *testing.T) {
	s := serve(t)
	for _, id := range []string{`9007199254740993`, `-1796040000123456789`, `9223372036854775807`} {
		initialize := `{"jsonrpc":"2.0","id":` + id + `,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
			`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
		ping := `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`
		call, _ := callIn("2025-11-25", id, "get_workspace", `{}`, `"requestState":"",`)
		for _, body := range []string{initialize, ping, call} {
			response, got := s.post(t, s.world.Admin, body, "MCP-Protocol-Version", "2025-11-25")
			var answer struct{ ID, Result json.RawMessage }
			if err := json.Unmarshal([]byte(got), &answer); err != nil {
				t.Fatal(err)
			}
			if response.StatusCode != 200 || string(answer.ID) != id || answer.Result == nil {
				t.Errorf("%s\n= %d %s, want its id", body, response.StatusCode, got)
			}
		}
	}
}

// Whatever is uncommon in a message is the SDK's to refuse: what the server answers itself, the SDK would have answered.
func TestPlainCalls_LeaveTheRest(t *testing.T) {
	s := serve(t)
	newest, header := callIn("2026-07-28", "1", "list_feeds", `{}`, "")
	without := func(name string) []string {
		left := []string{}
		for i := 0; i < len(header); i += 2 {
			if header[i] != name {
				left = append(left, header[i:i+2]...)
			}
		}
		return left
	}
	list, listHeader := listIn("2026-07-28", "")
	for name, c := range map[string]struct {
		body   string
		header []string
		status int
	}{
		"a list, no Mcp-Method":     {list, listHeader[:2], 400},
		"a list, an unknown cursor": {strings.Replace(list, `"params":{`, `"params":{"cursor":"x",`, 1), listHeader, 400},
		"an id that is null":        {`{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"list_feeds"}}`, nil, 400},
		"an id that is an object": {`{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{"name":"list_feeds"}}`, nil,
			400},
		"no id":                     {`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"list_feeds"}}`, nil, 400},
		"a name in another case":    {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"Name":"list_feeds"}}`, nil, 200},
		"params that are no object": {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, nil, 400},
		"no Mcp-Method":             {newest, without("Mcp-Method"), 400},
		"no Mcp-Name":               {newest, without("Mcp-Name"), 400},
		"another Mcp-Name":          {newest, append(without("Mcp-Name"), "Mcp-Name", "get_usage"), 400},
		"no capabilities": {strings.Replace(newest, `"io.modelcontextprotocol/clientCapabilities":{}`, `"x":1`, 1),
			header, 400},
		"capabilities that are none": {strings.Replace(newest, `clientCapabilities":{}`, `clientCapabilities":7`, 1), header,
			400},
		"a client that is none": {strings.Replace(newest, `"name":"test"`, `"name":7`, 1), header, 400},
	} {
		response, body := s.post(t, s.world.Admin, c.body, c.header...)
		var read struct{ Error *struct{ Code int } }
		if json.Unmarshal([]byte(body), &read) != nil || read.Error == nil || read.Error.Code == 0 {
			t.Errorf("%s = %d %s, want an error of JSON-RPC", name, response.StatusCode, body)
		}
		if response.StatusCode != c.status {
			t.Errorf("%s = %d %s, want %d", name, response.StatusCode, body, c.status)
		}
	}
}

// newestMeta is what the newest revision asks for in a message's params.
const newestMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// callIn returns a call of a tool in a revision, with its headers. more is put into its params.
func callIn(revision, id, tool, arguments, more string) (body string, header []string) {
	header = []string{"Mcp-Protocol-Version", revision}
	if arguments != "" {
		more += `"arguments":` + arguments + `,`
	}
	meta := `"_meta":{"progressToken":7}`
	if revision == mcp.Revisions[0] {
		header = append(header, "Mcp-Method", "tools/call", "Mcp-Name", tool)
		meta = newestMeta
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,%s%s}}`, id, tool, more, meta),
		header
}

// listIn returns a request for the tools in a revision, with its headers. more is put into its params.
func listIn(revision, more string) (body string, header []string) {
	header, meta := []string{"Mcp-Protocol-Version", revision}, `"_meta":{"progressToken":7}`
	if revision == mcp.Revisions[0] {
		header, meta = append(header, "Mcp-Method", "tools/list"), newestMeta
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{%s%s}}`, more, meta), header
}

func tree(t *testing.T, text string) (read any) {
	t.Helper()
	worldtest.Must(t, json.Unmarshal([]byte(text), &read))
	return read
}
