package bridge

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
)

const (
	methodInitialize = "initialize"
	methodCancelled  = "notifications/cancelled"
	methodPing       = "ping" // the only request that may come before initialize

	// pingRevision is the revision of a ping for which none is agreed on: all revisions have the same ping.
	pingRevision = "2025-06-18"
	// newestRevision is the first that names itself in each message, and asks for headers that repeat the body.
	newestRevision = "2026-07-28"
	metaRevision   = "io.modelcontextprotocol/protocolVersion"
)

// The JSON-RPC codes of the bridge's own errors.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeServer         = -32000 // of the range that is left to servers
)

// A message is the part of a JSON-RPC message that the bridge looks at.
type message struct {
	ID     json.RawMessage `json:"id"` // empty for a notification
	Method string          `json:"method"`
	Params struct {
		Name      string                     `json:"name"`
		RequestID json.RawMessage            `json:"requestId"`
		Meta      map[string]json.RawMessage `json:"_meta"`
	} `json:"params"`
}

// readMessage reads a line. reason is why it is no message; empty if it is one.
func readMessage(line []byte) (m message, reason string) {
	switch {
	case !json.Valid(line):
		return m, "The line is not JSON. Send one JSON-RPC message on each line."
	case line[0] == '[':
		return m, "The line is a batch. Send each message on a line of its own."
	case line[0] != '{':
		return m, "The line is not a JSON-RPC message. Send an object with jsonrpc, method and params."
	}
	if err := json.Unmarshal(line, &m); err != nil {
		var id struct {
			ID json.RawMessage `json:"id"`
		}
		_ = json.Unmarshal(line, &id) // an object, so that the id at least can be read
		return message{ID: id.ID}, "The line is not a JSON-RPC request. Send an object with jsonrpc, method and params."
	}
	if string(m.ID) == "null" && m.Method != "" {
		return message{}, "The id is null. Give each request an id, and a notification none."
	}
	return m, ""
}

// codeOf returns the code of a line that readMessage refuses.
func codeOf(line []byte) int {
	if json.Valid(line) {
		return codeInvalidRequest
	}
	return codeParse
}

// revision returns the revision that the message itself names; empty if it names none.
func (m message) revision() (named string) {
	_ = json.Unmarshal(m.Params.Meta[metaRevision], &named) // another type names no revision
	return named
}

// headers sets the headers that revisions of the protocol ask for. agreed is what initialize agreed on.
func (m message) headers(header http.Header, agreed string) {
	revision := m.revision()
	if revision == "" && m.Method != methodInitialize {
		revision = agreed
	}
	if revision == "" && m.Method == methodPing {
		revision = pingRevision
	}
	if revision != "" {
		header.Set("Mcp-Protocol-Version", headerValue(revision))
	}
	if revision < newestRevision {
		return
	}
	header.Set("Mcp-Method", headerValue(m.Method))
	if m.Method == "tools/call" {
		header.Set("Mcp-Name", headerValue(m.Params.Name))
	}
}

// headerValue returns a text as the value of a header: as it is, or in Base64 if a header cannot have it.
func headerValue(text string) string {
	plain := !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
	if plain && strings.TrimSpace(text) == text && !strings.HasPrefix(text, "=?base64?") {
		return text
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

// failure returns a JSON-RPC error response. An id that is no text and no number becomes null.
func failure(id json.RawMessage, code int, message string) []byte {
	if len(id) == 0 || id[0] == '{' || id[0] == '[' {
		id = json.RawMessage("null")
	}
	type reason struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(struct { // texts, numbers and a valid id always marshal
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   reason          `json:"error"`
	}{"2.0", id, reason{code, message}})
	return bytes.TrimSpace(out.Bytes())
}
