package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
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
	if m.Method != callMethod || m.others || m.params.Cursor != nil || m.params.Others != nil || !isScalar(m.ID) {
		return plainCall{}, false
	}
	at := slices.IndexFunc(tools, func(t tool) bool { return t.Name == m.Tool })
	if at < 0 {
		return plainCall{}, false
	}
	call = plainCall{tools[at], json.RawMessage(m.params.Arguments), header.Get("Mcp-Protocol-Version")}
	return call, call.revision != newestRevision || repeats(header, m)
}

// repeats reports whether a message of the newest revision has what that revision asks for: headers that repeat it, and what
// the client is and can.
func repeats(header http.Header, m message) bool {
	var capabilities *sdk.ClientCapabilities
	var client *sdk.Implementation
	return m.revision() == newestRevision &&
		header.Get("Mcp-Method") == m.Method && header.Get("Mcp-Name") == m.Tool &&
		json.Unmarshal(m.meta.Capabilities, &capabilities) == nil && capabilities != nil &&
		(m.meta.Client == nil || json.Unmarshal(m.meta.Client, &client) == nil && client != nil)
}

// isScalar reports whether an id is a string or a number.
func isScalar(id jsontext.Value) bool { return id.Kind() == '"' || id.Kind() == '0' }

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
	out := beginResult(m.ID, call.revision, len(made.structured)+len(text))
	out = append(append(append(out, `"content":[{"type":"text","text":`...), text...), `}]`...)
	if made.structured != nil {
		out = append(append(out, `,"structuredContent":`...), made.structured...)
	}
	if made.failed {
		out = append(out, `,"isError":true`...)
	}
	return writeResult(w, out)
}

// asksForTools reports whether a message asks for the tools in the common form. The server answers it itself, for the
// reason that plainCall states. Only the SDK knows the extra tools.
func (s *server) asksForTools(header http.Header, m message) bool {
	given := m.params
	return m.Method == listMethod && s.Extra == nil && !m.others && isScalar(m.ID) &&
		given.Name == nil && given.Arguments == nil && given.Others == nil &&
		(header.Get("Mcp-Protocol-Version") != newestRevision || repeats(header, m))
}

// list writes the list of tools.
func list(w http.ResponseWriter, id jsontext.Value, revision string) error {
	out := beginResult(id, revision, len(listed))
	out = fmt.Appendf(out, `"ttlMs":%d,"cacheScope":%q,"tools":%s`, listTTL, listScope, listed)
	return writeResult(w, out)
}

// beginResult begins a response, up to the members of its result that are not those of every result. more is how many
// bytes these take.
func beginResult(id jsontext.Value, revision string, more int) []byte {
	out := make([]byte, 0, len(id)+more+320) // and the members around them
	out = append(append(append(out, `{"jsonrpc":"2.0","id":`...), id...), `,"result":{`...)
	if revision == newestRevision {
		out = append(out, `"resultType":"complete","_meta":{"`+sdk.MetaKeyServerInfo+`":`...)
		out = append(append(out, implementation()...), `},`...)
	}
	return out
}

// writeResult ends a response and writes it.
func writeResult(w http.ResponseWriter, out []byte) error {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(append(out, `}}`...))
	return err
}
