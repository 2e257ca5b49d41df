package mcp

import (
	"encoding/json"
	"strings"

	"earshot/shared/web/problem"
)

// problemResult is the result of a call that this package refuses.
func problemResult(p *problem.Problem) toolResult {
	body, err := json.Marshal(p)
	if err != nil {
		body = []byte(`{"error":{"code":"INTERNAL_ERROR","message":"` + problem.MessageInternal + `","status":500}}`)
	}
	return errorResult(body)
}

// errorResult is the result of a call that an operation refused: the envelope of REST as text.
func errorResult(envelope []byte) toolResult {
	return toolResult{text: strings.TrimSpace(string(asArguments(envelope))), failed: true}
}

// asArguments writes the places of faults as the client of a tool wrote them: an argument has no "query." or "path.".
func asArguments(envelope []byte) []byte {
	var read struct {
		Error map[string]any `json:"error"`
	}
	if json.Unmarshal(envelope, &read) != nil {
		return envelope
	}
	details, _ := read.Error["details"].([]any)
	message, _ := read.Error["message"].(string)
	for _, one := range details {
		detail, _ := one.(map[string]any)
		path, _ := detail["path"].(string)
		for _, place := range []string{"query.", "path."} {
			if short, ok := strings.CutPrefix(path, place); ok {
				detail["path"] = short
				message = strings.Replace(message, path+":", short+":", 1)
			}
		}
	}
	if len(details) == 0 {
		return envelope
	}
	read.Error["message"] = message
	written, err := json.Marshal(read)
	if err != nil {
		return envelope
	}
	return written
}
