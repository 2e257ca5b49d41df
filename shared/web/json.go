package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"earshot/shared/web/problem"
)

// Bounds of a body.
const (
	maxBodyBytes = 1 << 20
	maxBodyDepth = 32
	maxInteger   = 1<<53 - 1 // beyond it, JavaScript and many others lose digits
)

// A document is a body that was read strictly.
type document struct {
	tree   any              // nil when syntax is wrong
	faults []problem.Detail // what huma's validation cannot see
	// rewrite says that an integer is spelled as Go's decoder does not take it, such as 1.0 or 1e2.
	rewrite bool
}

var errStop = errors.New("stop")

// readJSON reads a body once, token by token, and finds what a decoder would let pass: names given twice, invalid UTF-8,
// numbers beyond 2^53, nesting without end, text after the value. Names keep their case.
func readJSON(data []byte) document {
	if !utf8.Valid(data) {
		return document{faults: []problem.Detail{{Path: "body", Code: "encoding", Message: "The body is not valid UTF-8."}}}
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true))
	var doc document
	tree, err := doc.value(decoder, "", 0)
	if err == nil {
		if _, end := decoder.ReadToken(); end != io.EOF {
			err = errors.New("there is more after the value")
		}
	}
	switch {
	case errors.Is(err, errStop): // the fault is noted
	case err != nil:
		doc.faults = append(doc.faults, problem.Detail{Path: "body", Code: "syntax",
			Message: fmt.Sprintf("The body is not JSON, at byte %d: %s.", decoder.InputOffset(), syntaxReason(err))})
	default:
		doc.tree = tree
	}
	return doc
}

// syntaxReason says what is wrong without repeating what the client sent.
func syntaxReason(err error) string {
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) && syntactic.Err != nil {
		err = syntactic.Err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return "it ends too early"
	}
	return strings.TrimPrefix(err.Error(), "jsontext: ")
}

func (d *document) value(decoder *jsontext.Decoder, path string, depth int) (any, error) {
	token, err := decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case 'n':
		return jsonNull{}, nil
	case 't', 'f':
		return token.Bool(), nil
	case '"':
		return token.String(), nil
	case '0':
		return d.number(token.String(), path), nil
	}
	if depth == maxBodyDepth {
		d.fault(path, "too_deep", fmt.Sprintf("The body nests deeper than %d levels.", maxBodyDepth))
		return nil, errStop
	}
	if token.Kind() == '[' {
		items := []any{}
		for decoder.PeekKind() != ']' {
			item, err := d.value(decoder, fmt.Sprintf("%s[%d]", path, len(items)), depth+1)
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
		_, err := decoder.ReadToken()
		return items, err
	}
	members := map[string]any{}
	for decoder.PeekKind() != '}' {
		token, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		at := name
		if path != "" {
			at = path + "." + name
		}
		if _, twice := members[name]; twice {
			d.fault(at, "duplicate", "The name is given twice.")
		}
		if members[name], err = d.value(decoder, at, depth+1); err != nil {
			return nil, err
		}
	}
	_, err = decoder.ReadToken()
	return members, err
}

func (d *document) number(text, path string) any {
	if integer, err := strconv.ParseInt(text, 10, 64); err == nil {
		if integer > maxInteger || integer < -maxInteger {
			d.fault(path, "range", "The number is beyond 2^53-1.")
		}
		return integer
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Abs(number) > maxInteger {
		d.fault(path, "range", "The number is beyond 2^53-1.")
		return number
	}
	if number == math.Trunc(number) {
		d.rewrite = true
		return int64(number)
	}
	return number
}

func (d *document) fault(path, code, message string) {
	if path == "" {
		path = "body"
	}
	d.faults = append(d.faults, problem.Detail{Path: path, Code: code, Message: message})
}

// jsonFormat is how huma reads and writes bodies. For validation it reads the tree of readJSON, whose nulls are not nil.
func jsonFormat() huma.Format {
	return huma.Format{
		Marshal: func(w io.Writer, v any) error {
			encoder := json.NewEncoder(w)
			encoder.SetEscapeHTML(false)
			return encoder.Encode(v)
		},
		Unmarshal: func(data []byte, v any) error {
			if tree, ok := v.(*any); ok {
				*tree = readJSON(data).tree
				return nil
			}
			return json.Unmarshal(data, v)
		},
	}
}
