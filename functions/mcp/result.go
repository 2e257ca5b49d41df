package mcp

import (
	"bytes"
	"encoding/json"
	"strings"

	"earshot/shared/text"
	"earshot/shared/web/problem"
)

// problemResult is the result of a call that this package refuses.
func problemResult(p *problem.Problem) toolResult {
	body, err := p.MarshalJSON() // json.Marshal would escape < and > again
	if err != nil {
		body = []byte(`{"error":{"code":"INTERNAL_ERROR","message":"` + problem.MessageInternal + `","status":500}}`)
	}
	return errorResult(body)
}

// errorResult is the result of a call that an operation refused: the envelope of REST as text.
func errorResult(envelope []byte) toolResult {
	return toolResult{text: strings.TrimSpace(string(asArguments(envelope))), failed: true}
}

// asArguments writes an envelope as the client of a tool needs it. An argument has no "query." or "path." before it, and
// operations that a message names are tools here, if there are such.
func asArguments(envelope []byte) []byte {
	var read struct {
		Error map[string]any `json:"error"`
	}
	if json.Unmarshal(envelope, &read) != nil || read.Error == nil {
		return envelope
	}
	details, _ := read.Error["details"].([]any)
	given, _ := read.Error["message"].(string)
	message := inArguments(given)
	for _, one := range details {
		detail, _ := one.(map[string]any)
		path, _ := detail["path"].(string)
		if words, ok := detail["message"].(string); ok {
			detail["message"] = inArguments(words)
		}
		for _, place := range []string{"query.", "path."} {
			if short, ok := strings.CutPrefix(path, place); ok {
				detail["path"] = short
				message = strings.Replace(message, path+":", short+":", 1)
			}
		}
	}
	if len(details) == 0 && message == given {
		return envelope
	}
	read.Error["message"] = message
	var written bytes.Buffer
	encoder := json.NewEncoder(&written)
	encoder.SetEscapeHTML(false) // a model reads it as text
	if encoder.Encode(read) != nil {
		return envelope
	}
	return written.Bytes()
}

// inArguments returns a message of an operation in the words of tools.
func inArguments(message string) string {
	message = strings.ReplaceAll(message, "no such query parameter", "no such argument")
	return operationInWords.ReplaceAllStringFunc(message, toolOf)
}

// operationInWords finds a method and a path.
var operationInWords = text.NewPattern(`[A-Z]+ /[a-z0-9/{}-]*[a-z0-9/}]`)

// toolOf returns the name of the tool that makes a request, such as "GET /api/v2/feeds": the one that calls its operation
// alone, or the only one that calls it. It returns the request itself if no tool makes it.
func toolOf(words string) string {
	var callers []string
	for _, t := range tools {
		for _, id := range t.Operations {
			if op := generatedOperations()[id]; words != op.Method+" "+op.Path {
				continue
			}
			if len(t.Operations) == 1 && t.call == nil {
				return t.Name
			}
			callers = append(callers, t.Name)
		}
	}
	if len(callers) == 1 {
		return callers[0]
	}
	return words
}
