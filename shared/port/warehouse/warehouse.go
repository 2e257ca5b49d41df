// Package warehouse is the port to an engine that runs SQL over the day files of mentions, like Amazon Athena.
//
// shared/analytics/statement imports it, and adapters.
package warehouse

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"
)

// A Warehouse runs statements that read.
type Warehouse interface {
	// Query runs a statement and returns all of its rows. The parameters stand for the statement's question marks, in
	// order. If ctx ends first, the engine stops the statement.
	//
	// Errors: ErrInvalid, ErrTooMuch, ErrThrottled, ErrUnavailable; the context's own. Statements only read, so that
	// all may be repeated.
	Query(ctx context.Context, s Statement) (Result, error)
}

// A Statement is a SELECT. It holds no value of a request: all are Parameters.
type Statement struct {
	SQL        string
	Parameters []any // string, int64 or bool
}

// A Result holds the rows of a statement. A value is nil for NULL, and otherwise as the engine writes it: numbers in
// decimal.
type Result struct {
	Rows    [][]*string
	Scanned int64 // bytes that the engine read
	Reused  bool  // the engine returned the rows of the same statement of before
}

// Bounds of a Statement.
const (
	MaxSQL       = 200 << 10 // bytes; Athena takes 256 KiB with the parameters
	MaxParameter = 1_000     // characters of a text as SQL writes it; Athena takes 1,024
)

// Errors of a Warehouse. ErrThrottled and ErrUnavailable may be repeated.
var (
	ErrInvalid = errors.New("warehouse: a statement has at most 200 KiB, and as many parameters as question marks: " +
		"whole numbers, truths, or texts of at most 1,000 characters without a NUL")
	ErrTooMuch     = errors.New("warehouse: the statement would read more than is allowed, or for longer")
	ErrThrottled   = errors.New("warehouse: throttled")
	ErrUnavailable = errors.New("warehouse: unavailable")
)

// Check returns ErrInvalid unless a Warehouse takes the statement. SQL has question marks for parameters only.
func (s Statement) Check() error {
	if s.SQL == "" || strings.Count(s.SQL, "?") != len(s.Parameters) {
		return ErrInvalid
	}
	size := len(s.SQL)
	for _, p := range s.Parameters {
		switch value := p.(type) {
		case int64, bool:
			size += len("-9223372036854775808")
		case string:
			if !utf8.ValidString(value) || strings.Contains(value, "\x00") ||
				utf8.RuneCountInString(value)+strings.Count(value, "'") > MaxParameter {
				return ErrInvalid
			}
			size += len(value) + strings.Count(value, "'") + len("''")
		default:
			return ErrInvalid
		}
	}
	if size > MaxSQL {
		return ErrInvalid
	}
	return nil
}
