package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"earshot/shared/web"
	"earshot/shared/web/problem"
)

// arguments are a call's, by their names.
type arguments struct {
	named map[string]json.RawMessage
	text  json.RawMessage // as the client wrote them
}

// argumentsOf reads a call's arguments, which may be missing.
func argumentsOf(text json.RawMessage) (arguments, error) {
	given := arguments{text: text}
	if len(text) == 0 || string(text) == "null" {
		given.text = json.RawMessage("{}")
	}
	if err := json.Unmarshal(given.text, &given.named); err != nil {
		return arguments{}, fault("arguments", "type", "Expected an object.")
	}
	return given, givenTwice(given.text)
}

// givenTwice refuses arguments with a name twice. Of what comes in a path or is read here, only the last would count.
func givenTwice(object json.RawMessage) error {
	name, twice, err := repeatedName(object)
	switch {
	case err != nil:
		return fault("arguments", "syntax", "The arguments are not JSON.")
	case twice:
		return fault(name, "duplicate", "The name is given twice. Give it once.")
	}
	return nil
}

// repeatedName returns the first name that an object itself has twice.
func repeatedName(object []byte) (name string, twice bool, err error) {
	names := jsontext.NewDecoder(
		bytes.NewReader(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
	)
	known := map[string]bool{}
	if _, err := names.ReadToken(); err != nil {
		return "", false, err
	}
	for names.PeekKind() == '"' {
		token, err := names.ReadToken()
		if err != nil {
			return "", false, err
		}
		name := token.String()
		if known[name] {
			return name, true, nil
		}
		known[name] = true
		if err := names.SkipValue(); err != nil {
			return "", false, err
		}
	}
	return "", false, nil
}

// handle serves a call of the tool for the SDK.
func (t tool) handle(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	turn, ok := ctx.Value(turnKey{}).(*turn)
	if !ok {
		return nil, fmt.Errorf("mcp: %s was called outside a request", t.Name)
	}
	made, err := turn.call(t, request.Params.Arguments)
	if err != nil {
		turn.fault = err // the SDK would show it to the client
		return nil, err
	}
	written := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: made.text}}, IsError: made.failed}
	if made.structured != nil {
		written.StructuredContent = made.structured
	}
	return written, nil
}

// A toolResult is what a call of a tool returned.
type toolResult struct {
	text       string
	structured json.RawMessage // missing if the call failed: clients hold it against the tool's output schema
	failed     bool
}

// call calls a tool. The error is the server's own fault.
func (t *turn) call(called tool, text json.RawMessage) (toolResult, error) {
	given, err := argumentsOf(text)
	if err != nil {
		return t.refuse(called, arguments{}, problem.From(err))
	}
	call := called.call
	if call == nil {
		call = callFirst
	}
	found, err := call(t.request.Context(), t, called, given)
	switch {
	case err != nil:
		return t.refuse(called, given, problem.From(err))
	case found.Failed():
		return errorResult(found.Body), nil
	}
	body, left, err := bounded(found.Body, called.more)
	if err != nil {
		return toolResult{}, fmt.Errorf("mcp: bound the result of %s: %w", called.Name, err)
	}
	made := toolResult{text: "The result is in structuredContent.", structured: body}
	if left != "" {
		made.text += " " + left
	}
	return made, nil
}

// refuse answers a call whose arguments make no request. Scope, plan, limits and flags come before faults of arguments,
// as in REST: the tool's operation is asked with the other arguments and with a parameter that it does not know, which it
// refuses last. Its faults join those of p. Without given, the operation only says what comes before.
func (t *turn) refuse(called tool, given arguments, p *problem.Problem) (toolResult, error) {
	if p.Code != problem.ValidationError {
		return problemResult(p), nil
	}
	op, foreign := generatedOperations()[called.Operations[0]], "unknown"
	for given.named[foreign] != nil {
		foreign += "_"
	}
	op.Query = append(slices.Clone(op.Query), foreign)
	faults, known := p.Details, map[string]bool{"query." + foreign: true}
	for _, one := range faults {
		known[one.Path] = true
	}
	asked := arguments{named: map[string]json.RawMessage{foreign: json.RawMessage("1")}}
	for name, value := range given.named {
		if !known[name] {
			asked.named[name] = value
		}
	}
	for part := range strings.SplitSeq(op.Path, "/") {
		name, isName := strings.CutPrefix(part, "{")
		if name = strings.TrimSuffix(name, "}"); !isName {
			continue
		}
		if _, err := pathValue(name, asked.named[name]); err != nil {
			asked.named[name], known["path."+name] = json.RawMessage("1"), true
			if !known[name] {
				known[name], faults = true, append(faults, problem.From(err).Details...)
			}
		}
	}
	found, err := t.ask(op, asked, nil)
	if err != nil {
		return toolResult{}, err
	}
	var read struct {
		Error struct {
			Code    problem.Code     `json:"code"`
			Details []problem.Detail `json:"details"`
		} `json:"error"`
	}
	if err := json.Unmarshal(found.Body, &read); err != nil {
		return toolResult{}, fmt.Errorf("mcp: read a refusal of %s: %w", called.Name, err)
	}
	if read.Error.Code != problem.ValidationError {
		return errorResult(found.Body), nil
	}
	for _, one := range read.Error.Details {
		name := strings.TrimPrefix(strings.TrimPrefix(one.Path, "query."), "path.")
		if given.named != nil && !known[one.Path] && !known[name] && called.has(one, name) {
			faults = append(faults, one)
		}
	}
	return problemResult(problem.Invalid(faults...)), nil
}

// has reports whether a fault that the tool's first operation found is the tool's too. A tool with a call of its own takes
// arguments that the operation does not know, and may leave out some that it requires.
func (t tool) has(fault problem.Detail, name string) bool {
	if t.call == nil {
		return true
	}
	known := slices.Contains(t.arguments(), name)
	return fault.Code == "unknown" && !known || fault.Code == "type" && known
}

// arguments lists the names of the tool's arguments.
func (t tool) arguments() []string {
	var known []struct {
		Name        string
		InputSchema struct{ Properties map[string]json.RawMessage }
	}
	if err := json.Unmarshal(listed, &known); err != nil {
		panic("mcp: tools.json is malformed: " + err.Error()) // generated and tested
	}
	for _, one := range known {
		if one.Name == t.Name {
			return slices.Collect(maps.Keys(one.InputSchema.Properties))
		}
	}
	return nil
}

// callFirst calls the tool's only operation with all arguments.
func callFirst(_ context.Context, turn *turn, t tool, given arguments) (web.Performed, error) {
	return turn.perform(t.Operations[0], given, true, nil)
}

// perform calls an operation in this process, as a request of REST by the same caller. keyed passes an Idempotency-Key
// on, for tools that call one operation.
func (t *turn) perform(id string, given arguments, keyed bool, header http.Header) (web.Performed, error) {
	op, known := generatedOperations()[id]
	if !known {
		return web.Performed{}, fmt.Errorf("mcp: no operation %s", id)
	}
	passed := http.Header{}
	for name, values := range header {
		passed[name] = values
	}
	if values := t.request.Header.Values("Idempotency-Key"); keyed && len(values) > 0 {
		passed["Idempotency-Key"] = values
	}
	return t.ask(op, given, passed)
}

// ask sends a request of an operation with some arguments.
func (t *turn) ask(op operation, given arguments, header http.Header) (web.Performed, error) {
	target, body, err := op.request(given)
	if err != nil {
		return web.Performed{}, err
	}
	request, err := http.NewRequestWithContext(
		t.request.Context(),
		op.Method,
		"http://"+t.request.Host+target,
		bytes.NewReader(body),
	)
	if err != nil {
		return web.Performed{}, fmt.Errorf("mcp: make a request of %s %s: %w", op.Method, op.Path, err)
	}
	for name, values := range header {
		request.Header[name] = values
	}
	if op.Body {
		request.Header.Set("Content-Type", "application/json")
	}
	if values := t.request.Header.Values("X-Earshot-Organization-Id"); len(values) > 0 {
		request.Header["X-Earshot-Organization-Id"] = values
	}
	found := t.server.Operations().Perform(t.caller, request)
	if found.Status == http.StatusForbidden && !t.caller.Allows(op.Scope) {
		t.lack(op, found.Body)
	}
	return found, nil
}

// lack notes that the call needs a larger scope, if that is what the response says.
func (t *turn) lack(op operation, body []byte) {
	var envelope struct {
		Error json.RawMessage `json:"error"`
	}
	var known struct {
		Code    problem.Code `json:"code"`
		Message string       `json:"message"`
	}
	if json.Unmarshal(body, &envelope) != nil || json.Unmarshal(envelope.Error, &known) != nil ||
		known.Code != problem.Forbidden {
		return
	}
	t.lacks = &lacking{scope: op.Scope, problem: envelope.Error, message: known.Message}
}

// request returns the target and the body of a request of the operation with some arguments.
func (op operation) request(given arguments) (target string, body []byte, err error) {
	rest := map[string]json.RawMessage{}
	for name, value := range given.named {
		rest[name] = value
	}
	var path strings.Builder
	for part := range strings.SplitSeq(strings.TrimPrefix(op.Path, "/"), "/") {
		path.WriteByte('/')
		name, isName := strings.CutPrefix(part, "{")
		if !isName {
			path.WriteString(part)
			continue
		}
		name = strings.TrimSuffix(name, "}")
		text, err := pathValue(name, rest[name])
		if err != nil {
			return "", nil, err
		}
		delete(rest, name)
		path.WriteString(text)
	}
	query := url.Values{}
	for name, value := range rest {
		if op.Body && !slices.Contains(op.Query, name) {
			continue
		}
		delete(rest, name)
		if string(value) != "null" {
			query[name] = queryValues(value)
		}
	}
	target = path.String()
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	switch {
	case !op.Body:
		return target, nil, nil
	case len(rest) == len(given.named):
		return target, given.text, nil // as written, so that a name given twice is found
	}
	body, err = json.Marshal(rest)
	return target, body, err
}

// pathValue returns an argument as a segment of a path.
func pathValue(name string, value json.RawMessage) (string, error) {
	var text string
	switch {
	case len(value) == 0:
		return "", fault(name, "required", "The argument is missing.")
	case value[0] == '"':
		if err := json.Unmarshal(value, &text); err != nil {
			return "", fault(name, "type", "Expected a string.")
		}
	case value[0] == '-' || value[0] >= '0' && value[0] <= '9':
		text = string(value)
	default:
		return "", fault(name, "type", "Expected a string or a number.")
	}
	if text == "" {
		return "", fault(name, "required", "The argument is empty.")
	}
	return strings.ReplaceAll(url.PathEscape(text), ".", "%2E"), nil // a segment of dots would lead elsewhere
}

// queryValues returns an argument as the values of a query parameter.
func queryValues(value json.RawMessage) []string {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) == nil {
		texts := []string{}
		for _, one := range list {
			texts = append(texts, queryValues(one)...)
		}
		return texts
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		return []string{text}
	}
	return []string{string(value)}
}

func fault(path, code, message string) *problem.Problem {
	return problem.Invalid(problem.Detail{Path: path, Code: code, Message: message})
}
