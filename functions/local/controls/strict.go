package controls

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"earshot/shared/web/problem"
)

// maxBody bounds the bodies of commands, except a page's. A body of mentions has no bound.
const maxBody = 1 << 20

// readCommand reads the JSON object in a command's body.
func readCommand(r *http.Request, command any) error { return readLarge(r, maxBody, command) }

// readLarge is readCommand for a body of at most the given bytes, in whole MiB.
func readLarge(r *http.Request, most int64, command any) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	content, err := io.ReadAll(io.LimitReader(r.Body, most+1))
	if err != nil {
		return problem.New(problem.InvalidInput, "The body breaks off.")
	}
	if int64(len(content)) > most {
		return problem.Invalid(problem.Detail{Path: "body", Code: "too_large", Message: problem.MessageTooLarge(most)})
	}
	if fault := unmarshal(content, command); fault != nil {
		return problem.Invalid(*fault)
	}
	return nil
}

// readQuery reads the query. It accepts only these parameters, each at most once.
func readQuery(r *http.Request, names ...string) (url.Values, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, problem.Invalid(
			problem.Detail{
				Path:    "query",
				Code:    "syntax",
				Message: "The query string is malformed. Percent-encode its names and values.",
			},
		)
	}
	for name, given := range values {
		switch {
		case !slices.Contains(names, name):
			return nil, problem.Invalid(
				problem.Detail{Path: "query." + name, Code: "unknown", Message: "There is no such query parameter."},
			)
		case len(given) > 1:
			return nil, problem.Invalid(
				problem.Detail{
					Path:    "query." + name,
					Code:    "duplicate",
					Message: "The parameter is given more than once. Give it once.",
				},
			)
		}
	}
	return values, nil
}

// unmarshal reads one JSON value strictly: exact names, each once and none unknown, and nothing after the value. Its
// errors name the place and do not repeat what was sent.
func unmarshal(content []byte, into any, options ...json.Options) *problem.Detail {
	err := json.Unmarshal(content, into, append(options, json.RejectUnknownMembers(true))...)
	if err == nil {
		return nil
	}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		switch {
		case errors.Is(err, jsontext.ErrDuplicateName):
			return &problem.Detail{
				Path:    place(syntactic.JSONPointer),
				Code:    "duplicate",
				Message: "The name is given twice.",
			}
		case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
			return &problem.Detail{Path: "body", Code: "syntax", Message: "It is not JSON: it ends too early."}
		}
		return &problem.Detail{
			Path:    "body",
			Code:    "syntax",
			Message: fmt.Sprintf("It is not JSON, at byte %d.", syntactic.ByteOffset),
		}
	}
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		if errors.Is(err, json.ErrUnknownName) {
			return &problem.Detail{
				Path:    place(semantic.JSONPointer),
				Code:    "unknown",
				Message: "There is no such field.",
			}
		}
		return &problem.Detail{
			Path:    place(semantic.JSONPointer),
			Code:    "type",
			Message: "The value is not of the field's type.",
		}
	}
	return &problem.Detail{Path: "body", Code: "syntax", Message: "It is not JSON."}
}

// place writes a JSON pointer as the contract writes places: emails[3], review.rating.
func place(pointer jsontext.Pointer) string {
	var b strings.Builder
	for token := range pointer.Tokens() {
		switch {
		case token != "" && strings.Trim(token, "0123456789") == "":
			fmt.Fprintf(&b, "[%s]", token)
		case b.Len() == 0:
			b.WriteString(token)
		default:
			b.WriteString("." + token)
		}
	}
	if b.Len() == 0 {
		return "body"
	}
	return b.String()
}
