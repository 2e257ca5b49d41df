package mcp

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A plainCall is a tools/call of the common form: one of this server's tools, and nothing in the message that only the SDK
// understands. The server answers it itself, because the SDK makes a session for every message and reads and writes it
// several times, which costs up to fifteen times what the operation does. The SDK answers every other message, and gives
// every refusal.
type plainCall struct {
	tool      tool
	arguments json.RawMessage
	revision  string
}

// plain returns the plain call that a message is. ok is false if the message is not one.
func plain(header http.Header, m message) (call plainCall, ok bool) {
	if m.Method != "tools/call" || m.others || !only(m.Params, "name", "arguments", "_meta") ||
		len(m.ID) == 0 || !isScalar(m.ID) {
		return plainCall{}, false
	}
	at := slices.IndexFunc(tools, func(t tool) bool { return t.Name == m.Tool })
	if at < 0 {
		return plainCall{}, false
	}
	call = plainCall{tools[at], m.Params["arguments"], header.Get("Mcp-Protocol-Version")}
	return call, call.revision != newestRevision || repeats(header, m)
}

// repeats reports whether a message of the newest revision has what that revision asks for: headers that repeat it, and what
// the client is and can.
func repeats(header http.Header, m message) bool {
	var capabilities *sdk.ClientCapabilities
	var client *sdk.Implementation
	about, named := m.meta[sdk.MetaKeyClientInfo]
	return m.revision() == newestRevision &&
		header.Get("Mcp-Method") == m.Method && header.Get("Mcp-Name") == m.Tool &&
		json.Unmarshal(m.meta[sdk.MetaKeyClientCapabilities], &capabilities) == nil && capabilities != nil &&
		(!named || json.Unmarshal(about, &client) == nil && client != nil)
}

// isScalar reports whether an id is a string or a number.
func isScalar(id json.RawMessage) bool {
	return id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9'
}

// implementation is what results of the newest revision say of the server, as JSON.
var implementation = sync.OnceValue(func() json.RawMessage {
	written, err := json.Marshal(about())
	if err != nil {
		panic("mcp: write the server's name: " + err.Error()) // strings always marshal
	}
	return written
})

// answer makes the call and writes its result.
func (t *turn) answer(w http.ResponseWriter, m message, call plainCall) error {
	made, err := t.call(call.tool, call.arguments)
	if err != nil {
		return err
	}
	if t.lacks != nil {
		return t.refuseScope(w, m.ID)
	}
	text, err := json.Marshal(made.text)
	if err != nil {
		return err
	}
	var out strings.Builder
	out.Grow(len(made.structured) + len(text) + len(m.ID) + 320) // the members around them
	out.WriteString(`{"jsonrpc":"2.0","id":`)
	out.Write(m.ID)
	out.WriteString(`,"result":{`)
	if call.revision == newestRevision {
		out.WriteString(`"resultType":"complete","_meta":{"` + sdk.MetaKeyServerInfo + `":`)
		out.Write(implementation())
		out.WriteString(`},`)
	}
	out.WriteString(`"content":[{"type":"text","text":`)
	out.Write(text)
	out.WriteString(`}]`)
	if made.structured != nil {
		out.WriteString(`,"structuredContent":`)
		out.Write(made.structured)
	}
	if made.failed {
		out.WriteString(`,"isError":true`)
	}
	out.WriteString(`}}`)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_, err = w.Write([]byte(out.String()))
	return err
}
