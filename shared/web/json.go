package web

import (
	"bytes"
	"context"
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

// Bounds of a body. The largest valid body is a query of 50 conditions with 100 counters each, about 25,000 values.
const (
	maxBodyBytes  = 1 << 20
	maxBodyDepth  = 32
	maxBodyValues = 50_000
	maxInteger    = 1<<53 - 1 // beyond it, JavaScript and many others lose digits
)

// deadlineEvery is how many values are read or validated between two looks at the request's deadline.
const deadlineEvery = 1024

// document is a body that was read strictly.
type document struct {
	tree   any              // nil when syntax is wrong
	faults []problem.Detail // what huma's validation cannot see
	// rewrite says that Go's decoder rejects the spelling of an integer, such as 1.0 or 1e2.
	rewrite bool

	at     place
	values int
}

var errStop = errors.New("stop")

// readJSON reads a body once, token by token. It finds what a decoder would accept: duplicate names, invalid UTF-8,
// numbers beyond 2^53, unbounded nesting, text after the value. Names keep their case. It stops after maxBodyValues
// values and after more than problem.MaxCounted faults. Its error is only ever the context's.
func readJSON(ctx context.Context, data []byte) (document, error) {
	if !utf8.Valid(data) {
		fault := problem.Detail{
			Path:    "body",
			Code:    "encoding",
			Message: "The body is not valid UTF-8. Encode it in UTF-8.",
		}
		return document{faults: []problem.Detail{fault}}, nil
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true))
	var doc document
	tree, err := doc.value(ctx, decoder)
	if err == nil {
		if _, end := decoder.ReadToken(); end != io.EOF {
			err = errors.New("there is more after the value")
		}
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return document{}, ctx.Err()
	case errors.Is(err, errStop): // the fault is noted
	case err != nil:
		doc.faults = append(doc.faults, problem.Detail{Path: "body", Code: "syntax",
			Message: fmt.Sprintf("The body is not JSON, at byte %d: %s.", decoder.InputOffset(), syntaxReason(err))})
	default:
		doc.tree = tree
	}
	return doc, nil
}

// syntaxReason returns what is wrong without repeating the client's text.
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

// value reads the value at d.at.
func (d *document) value(ctx context.Context, decoder *jsontext.Decoder) (any, error) {
	token, err := decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	if err := d.counted(ctx); err != nil {
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
		return d.number(token.String())
	}
	if len(d.at) == maxBodyDepth {
		d.fault("too_deep", fmt.Sprintf("The body nests deeper than %d levels. Flatten it.", maxBodyDepth))
		return nil, errStop
	}
	if token.Kind() == '[' {
		items := []any{}
		for decoder.PeekKind() != ']' {
			d.at.index(len(items))
			item, err := d.value(ctx, decoder)
			if err != nil {
				return nil, err
			}
			d.at.leave()
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
		d.at.name(name)
		if _, twice := members[name]; twice {
			if err := d.fault("duplicate", "The name is given twice. Give it once."); err != nil {
				return nil, err
			}
		}
		if members[name], err = d.value(ctx, decoder); err != nil {
			return nil, err
		}
		d.at.leave()
	}
	_, err = decoder.ReadToken()
	return members, err
}

// counted counts a value. It returns an error, which stops the reading, if there are too many values or no time is
// left.
func (d *document) counted(ctx context.Context) error {
	d.values++
	if d.values > maxBodyValues {
		d.at = nil // of the whole body
		d.fault("too_many", fmt.Sprintf("The body holds more than %d values. Send less at once.", maxBodyValues))
		return errStop
	}
	if d.values%deadlineEvery == 0 {
		return ctx.Err()
	}
	return nil
}

func (d *document) number(text string) (any, error) {
	if integer, err := strconv.ParseInt(text, 10, 64); err == nil {
		if integer > maxInteger || integer < -maxInteger {
			return integer, d.fault("range", beyondInteger)
		}
		return integer, nil
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Abs(number) > maxInteger {
		return number, d.fault("range", beyondInteger)
	}
	if number == math.Trunc(number) {
		d.rewrite = true
		return int64(number), nil
	}
	return number, nil
}

// fault notes a fault at d.at. It returns an error, which stops the reading, if there are more faults than are counted.
func (d *document) fault(code, message string) error {
	d.faults = append(d.faults, problem.Detail{Path: d.at.String(), Code: code, Message: message})
	if len(d.faults) > problem.MaxCounted {
		return errStop
	}
	return nil
}

// jsonFormat is how huma reads and writes bodies.
func jsonFormat() huma.Format {
	return huma.Format{
		Marshal: func(w io.Writer, v any) error {
			encoder := json.NewEncoder(w)
			encoder.SetEscapeHTML(false)
			return encoder.Encode(v)
		},
		Unmarshal: json.Unmarshal,
	}
}
