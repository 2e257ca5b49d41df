package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// methods are those that the server has. The SDK would also respond to others, whose features nobody declared.
var methods = []string{
	"initialize", "notifications/initialized", "notifications/cancelled", "ping", "server/discover", listMethod,
	callMethod,
}

const (
	listMethod = "tools/list"
	callMethod = "tools/call"
)

// onlyTools refuses the methods of other features.
func onlyTools(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		if !slices.Contains(methods, method) {
			return nil, noMethod(method)
		}
		return next(ctx, method, request)
	}
}

// knownTool refuses a call of a tool that is not there, with a remedy.
func knownTool(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		call, ok := request.GetParams().(*sdk.CallToolParamsRaw)
		if ok && !slices.ContainsFunc(tools, func(t tool) bool { return t.Name == call.Name }) {
			return nil, &jsonrpc.Error{
				Code:    jsonrpc.CodeInvalidParams,
				Message: fmt.Sprintf("This server has no tool %.80q. tools/list lists them.", call.Name),
			}
		}
		return next(ctx, method, request)
	}
}

// described adds the tools to a list, for which the SDK knows the extra ones alone. The list stays in order of names.
func described(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		found, err := next(ctx, method, request)
		if err != nil || method != listMethod {
			return found, err
		}
		list, ok := found.(*sdk.ListToolsResult)
		if !ok {
			return nil, fmt.Errorf("mcp: the list of tools is of type %T", found)
		}
		var own []*sdk.Tool
		if err := json.Unmarshal(listed, &own); err != nil {
			return nil, fmt.Errorf("mcp: read tools.json: %w", err)
		}
		list.Tools = append(list.Tools, own...)
		slices.SortFunc(list.Tools, func(a, b *sdk.Tool) int { return strings.Compare(a.Name, b.Name) })
		return list, nil
	}
}

func noMethod(method string) *jsonrpc.Error {
	return &jsonrpc.Error{
		Code:    jsonrpc.CodeMethodNotFound,
		Message: fmt.Sprintf("This server has no method %.80q. It has tools only: tools/list lists them.", method),
	}
}

// A request is a message as the document shows it. The protocol's own schema says the rest, by methods.
type request map[string]any

// Schema returns the schema of a request of JSON-RPC 2.0.
func (request) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:     huma.TypeObject,
		Required: []string{"jsonrpc", "method"},
		Properties: map[string]*huma.Schema{
			"jsonrpc": {Type: huma.TypeString, Enum: []any{"2.0"}},
			"id":      {Description: "A string or an integer. Left out in a notification."},
			"method":  {Type: huma.TypeString, MinLength: new(1)},
			"params":  {Description: "An object, which the method defines."},
		},
		AdditionalProperties: true,
		Examples: []any{map[string]any{
			"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": map[string]any{
				"protocolVersion": "2025-11-25",
				"capabilities":    map[string]any{},
				"clientInfo":      map[string]any{"name": "example", "version": "1"},
			},
		}},
	}
}

// A message is a JSON-RPC message as far as the server looks at it before the SDK does. The names of members have their
// exact case, as in the SDK.
type message struct {
	ID     jsontext.Value // missing in a notification
	Method string
	Tool   string // that it calls; empty if it names none
	params params
	meta   meta
	others bool // it has members that JSON-RPC does not define
}

// members are those of a message. All are read as they stand first, so that one of a wrong type hides no other.
type members struct {
	Version jsontext.Value `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Method  jsontext.Value `json:"method"`
	Params  jsontext.Value `json:"params"`
	Others  jsontext.Value `json:",embed"`
}

// params are the members of a message's params, as far as calls of tools and lists have them.
type params struct {
	Cursor    jsontext.Value `json:"cursor"`
	Name      jsontext.Value `json:"name"`
	Arguments jsontext.Value `json:"arguments"`
	Meta      jsontext.Value `json:"_meta"`
	Others    jsontext.Value `json:",embed"`
}

// meta are the members of _meta that the newest revision asks for.
type meta struct {
	Revision     jsontext.Value `json:"io.modelcontextprotocol/protocolVersion"`
	Client       jsontext.Value `json:"io.modelcontextprotocol/clientInfo"`
	Capabilities jsontext.Value `json:"io.modelcontextprotocol/clientCapabilities"`
}

// faultOfCursor refuses a cursor in the params of a list; nil: it has none. The only list, that of the tools, has one page.
func (m message) faultOfCursor() *jsonrpc.Error {
	given := m.params.Cursor
	if m.Method != listMethod || given == nil || given.Kind() == 'n' || string(given) == `""` {
		return nil
	}
	return &jsonrpc.Error{
		Code:    jsonrpc.CodeInvalidParams,
		Message: "params.cursor is not from this list, which has one page. Leave it out.",
	}
}

// revision returns the revision that the message itself names; empty if it names none.
func (m message) revision() string { return textOf(m.meta.Revision) }

// readMessage reads a body. Returns a JSON-RPC error if it is not one message.
func readMessage(body []byte) (message, *jsonrpc.Error) {
	if trimmed := bytes.TrimSpace(body); len(trimmed) > 0 && trimmed[0] == '[' && json.Valid(trimmed) {
		return message{}, &jsonrpc.Error{
			Code:    jsonrpc.CodeInvalidRequest,
			Message: "The body is a batch. Send each message in a request of its own.",
		}
	}
	var given members
	err := readMembers(body, &given)
	if _, malformed := errors.AsType[*jsontext.SyntacticError](err); malformed {
		return message{}, &jsonrpc.Error{
			Code:    jsonrpc.CodeParseError,
			Message: "The body is not JSON. Send one JSON-RPC message.",
		}
	}
	m := message{ID: given.ID, Method: textOf(given.Method), others: given.Others != nil}
	if err == nil && given.Params != nil {
		err = readMembers(given.Params, &m.params)
	}
	if err == nil && m.params.Meta != nil {
		err = readMembers(m.params.Meta, &m.meta)
	}
	if err != nil || textOf(given.Version) != "2.0" || m.Method == "" {
		return message{ID: m.ID}, &jsonrpc.Error{
			Code:    jsonrpc.CodeInvalidRequest,
			Message: `The body is not a JSON-RPC request. Send an object with jsonrpc "2.0", method and params.`,
		}
	}
	for _, object := range []jsontext.Value{body, given.Params, m.params.Meta} {
		if object.Kind() != '{' {
			continue
		}
		if name, twice, err := repeatedName(object); err != nil || twice {
			return message{ID: m.ID}, &jsonrpc.Error{ // as REST, where a proxy may have read the other value
				Code:    jsonrpc.CodeInvalidRequest,
				Message: fmt.Sprintf("The message has the name %.80q twice. Give it once.", name),
			}
		}
	}
	if fault := m.faultOfID(); fault != "" {
		return message{ID: m.ID}, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fault}
	}
	if m.Method == callMethod && (given.Params.Kind() != '{' || m.params.Name != nil && m.params.Name.Kind() != '"') {
		return message{ID: m.ID}, &jsonrpc.Error{
			Code:    jsonrpc.CodeInvalidParams,
			Message: "params.name is missing, or no string. Send the name of a tool: tools/list lists them.",
		}
	}
	m.Tool = textOf(m.params.Name)
	return m, nil
}

// faultOfID says what is wrong with the id of a message; empty: nothing.
func (m message) faultOfID() string {
	switch m.ID.Kind() {
	case jsontext.KindInvalid: // missing
		if m.notifies() || !slices.Contains(methods, m.Method) {
			return ""
		}
		return "The message has no id, so nobody would get its result. Send an id, a string or an integer."
	case '"':
		return ""
	case '0':
		if wholeID(m.ID) {
			return ""
		}
		return "The id is a number that is no integer. Send a string or an integer."
	}
	return "The id is no string and no integer. Send one of them."
}

// notifies reports whether a message is a notification, to which nobody expects a response.
func (m message) notifies() bool { return strings.HasPrefix(m.Method, "notifications/") }

// wholeID reports whether an id is not a number, or an integer that its response repeats as it is (see withID). A
// response with another id would not find its request.
func wholeID(id jsontext.Value) bool {
	if id.Kind() != '0' {
		return true
	}
	if _, err := strconv.ParseInt(string(id), 10, 64); err == nil {
		return true
	}
	const exact = 1 << 53
	number, err := strconv.ParseFloat(string(id), 64)
	return err == nil && number == math.Trunc(number) && math.Abs(number) <= exact
}

// readMembers reads the members of an object, or of null, which has none.
func readMembers(object []byte, into any) error {
	return jsonv2.Unmarshal(object, into, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// textOf returns a JSON string's text; empty if the value is something else, or not in UTF-8.
func textOf(value jsontext.Value) string {
	if value.Kind() != '"' {
		return ""
	}
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return ""
	}
	return string(text)
}

// checkRevision compares the header with the revisions that the server speaks and with the message. The first message
// of an old client, initialize, negotiates the revision and may come without the header.
func checkRevision(header http.Header, m message) *jsonrpc.Error {
	const name = "Mcp-Protocol-Version"
	given, own := header.Values(name), m.revision()
	switch {
	case len(given) == 0 && m.Method == "initialize" && own == "":
		return nil
	case len(given) == 0:
		return &jsonrpc.Error{
			Code:    sdk.CodeHeaderMismatch,
			Message: "The request has no header MCP-Protocol-Version. Send the revision that you speak.",
		}
	case len(given) > 1 || own != "" && own != given[0]:
		return &jsonrpc.Error{
			Code:    sdk.CodeHeaderMismatch,
			Message: "The header MCP-Protocol-Version and the message name different revisions. Send one.",
		}
	case !slices.Contains(Revisions, given[0]):
		data, err := json.Marshal(sdk.UnsupportedProtocolVersionData{Supported: Revisions, Requested: given[0]})
		if err != nil {
			data = nil // strings always marshal
		}
		return &jsonrpc.Error{
			Code:    sdk.CodeUnsupportedProtocolVersion,
			Message: "This server does not speak the revision that the request names. It speaks those in data.supported.",
			Data:    data,
		}
	}
	return nil
}

// A refusal is a JSON-RPC error response.
type refusal struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id" doc:"The request's; null if it could not be read."`
	Error   refusalReason   `json:"error"`
}

type refusalReason struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty" doc:"For a revision that the server does not speak: those it speaks."`
}

// refuse writes a JSON-RPC error.
func refuse(w http.ResponseWriter, status int, id jsontext.Value, reason *jsonrpc.Error) error {
	r := refusal{JSONRPC: "2.0", ID: json.RawMessage(id)}
	if len(id) == 0 || id[0] == '{' || id[0] == '[' {
		r.ID = json.RawMessage("null")
	}
	r.Error.Code, r.Error.Message, r.Error.Data = reason.Code, reason.Message, reason.Data
	body, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write a JSON-RPC error: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, err = w.Write(body)
	return err
}
