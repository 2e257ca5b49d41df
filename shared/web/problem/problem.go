// Package problem is the closed vocabulary of what can go wrong for a client: the codes, their statuses, and the one
// envelope of every response outside 2xx ("Error envelope" in the description). Handlers return a *Problem. Any other
// error becomes an INTERNAL_ERROR whose cause is only logged.
//
// It imports nothing of Earshot, so that functions, the kit and the CDK app can all name a code.
package problem

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// A Problem is an error that the client is told.
type Problem struct {
	Code    Code
	Message string
	Details []Detail       // VALIDATION_ERROR only
	Extra   map[string]any // the code's further members, by their names in the catalogue
	cause   error
}

// A Detail is one fault of a request. Path is written as the client wrote it: "emails[3]", "query.limit", "path.id".
type Detail struct {
	Path    string `json:"path"`
	Code    string `json:"code"`
	Message string `json:"message"`
	*Place
}

// A Place is where in a text a fault is: so many characters from the character that has so many before it.
type Place struct {
	Position   int    `json:"position"`
	Length     int    `json:"length"`
	Suggestion string `json:"suggestion,omitempty"` // to write there
}

// New makes a problem with a message for the client.
func New(code Code, format string, args ...any) *Problem {
	return &Problem{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Bounds of a VALIDATION_ERROR. A body can hold more faults than a response can carry, each at a path as long as the
// body.
const (
	// MaxCounted is how many faults of a request are counted. A validator stops once there are more.
	MaxCounted = 1000
	// MaxPath is how many bytes a path may have.
	MaxPath = 256
	// MaxListed is how many faults a response lists.
	MaxListed = 100

	maxMessage = 512      // bytes of a detail's message
	maxSize    = 64 << 10 // bytes of all details together, as JSON
)

// Invalid makes the VALIDATION_ERROR for the faults of a request. It takes at least one. It lists the first of them,
// and cuts long paths and messages.
func Invalid(details ...Detail) *Problem {
	listed, size := []Detail{}, 0
	for _, detail := range details[:min(len(details), MaxListed)] {
		detail.Path, detail.Message = CutPath(detail.Path), cut(detail.Message, maxMessage)
		encoded, err := json.Marshal(detail)
		if size += len(encoded); err != nil || size > maxSize {
			break
		}
		listed = append(listed, detail)
	}
	message := fmt.Sprintf("%s: %s", listed[0].Path, listed[0].Message)
	switch {
	case len(details) > MaxCounted:
		message = fmt.Sprintf("The request has more than %d faults. The first is at %s", MaxCounted, message)
	case len(details) > 1:
		message = fmt.Sprintf("The request has %d faults. The first is at %s", len(details), message)
	}
	return &Problem{Code: ValidationError, Message: message, Details: listed}
}

// CutPath returns a path of at most MaxPath bytes. A longer path loses its middle.
func CutPath(path string) string { return cut(path, MaxPath) }

const ellipsis = "…"

// cut returns a text of at most most bytes. A longer text loses its middle, between characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head, tail := (most-len(ellipsis))*2/3, len(text)-(most-len(ellipsis))/3
	for !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + ellipsis + text[tail:]
}

// Messages that API Gateway's own responses, the operations and the workbench share.
const (
	MessageInternal    = "Something failed on our side. Try again. If it fails again, report the X-Request-Id of this response."
	MessageNoKey       = "The request has no API key. Send it as Authorization: Bearer <API_KEY>."
	MessageNoOperation = "No operation has this path."
)

// MessageTooLarge returns the message for a body of more bytes than an operation takes, in whole MiB.
func MessageTooLarge(most int64) string {
	return fmt.Sprintf("The body has more than %d MiB. Send less at once.", most>>20)
}

// Internal makes the INTERNAL_ERROR of an unexpected error. The cause is logged and not shown to the client.
func Internal(cause error) *Problem {
	return New(InternalError, MessageInternal).
		Because(cause)
}

// From returns the problem in an error, and an INTERNAL_ERROR for an error without one.
func From(err error) *Problem {
	var problem *Problem
	if errors.As(err, &problem) {
		return problem
	}
	return Internal(err)
}

// With adds one of the code's further members.
func (p *Problem) With(field string, value any) *Problem {
	if p.Extra == nil {
		p.Extra = map[string]any{}
	}
	p.Extra[field] = value
	return p
}

// Because sets the cause, which is only logged.
func (p *Problem) Because(cause error) *Problem {
	p.cause = cause
	return p
}

func (p *Problem) Error() string {
	if p.cause != nil {
		return fmt.Sprintf("%s: %s: %v", p.Code, p.Message, p.cause)
	}
	return fmt.Sprintf("%s: %s", p.Code, p.Message)
}

func (p *Problem) Unwrap() error { return p.cause }

// Status returns the HTTP status.
func (p *Problem) Status() int { return p.Code.Status() }

// MarshalJSON writes the envelope.
func (p *Problem) MarshalJSON() ([]byte, error) {
	known := entry(p.Code)
	body := map[string]any{"code": known.Code, "message": p.Message, "status": known.Status}
	for field, value := range p.Extra {
		if !slices.Contains(known.Fields, field) {
			return nil, fmt.Errorf("problem: %s has no field %q", p.Code, field)
		}
		body[field] = value
	}
	if slices.Contains(known.Fields, "details") {
		body["details"] = p.Details
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false) // the body is served as JSON, and people read it too
	err := encoder.Encode(map[string]any{"error": body})
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
