// Package filterwire holds the wire types of filters: the fields simpleFilters, advancedFilters and filters of an
// operation's input and of a feed in a response. They keep what the client wrote, so that it comes back unchanged.
// Their schemas in the document come from the grammar that parses them (package filter). All faults of a filter are
// reported together with the other faults of the request, each with its path as the client wrote it.
//
// The functions alerts, feeds and mentions put them into their wire types. Only the parser validates. To huma's validator the
// schema says object and no more: huma cannot see into a union, and would report what it does see twice.
package filterwire

import (
	"bytes"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/filter"
)

// A Simple is a flat filter. The zero value is no filter and matches everything. Fields of this type need omitzero.
type Simple struct{ written }

// An Advanced is a filter of groups. The zero value is no filter and matches everything. Fields of this type need
// omitzero.
type Advanced struct{ written }

// An Either is a filter of either form. The zero value is no filter and matches everything. Fields of this type need
// omitzero.
type Either struct{ written }

// ToFilter returns the filter for evaluation. A filter from a request has no faults: the request would have been
// refused. A stored filter has none unless the grammar has changed since.
func (s Simple) ToFilter() (filter.Filter, []filter.Fault) { return s.to(filter.ParseSimple) }

// ToFilter returns the filter for evaluation, as for Simple.
func (a Advanced) ToFilter() (filter.Filter, []filter.Fault) { return a.to(filter.ParseAdvanced) }

// ToFilter returns the filter for evaluation, as for Simple.
func (e Either) ToFilter() (filter.Filter, []filter.Fault) { return e.to(filter.Parse) }

// Resolve reports the faults to huma.
func (s *Simple) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	return s.resolve(at, filter.ParseSimple)
}

// Resolve reports the faults to huma.
func (a *Advanced) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	return a.resolve(at, filter.ParseAdvanced)
}

// Resolve reports the faults to huma.
func (e *Either) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	return e.resolve(at, filter.Parse)
}

// A NullSimple is a simple filter that may be null: in a feed without one, and in a change that removes it.
type NullSimple struct {
	Simple
	Given bool // true for null too
}

// A NullAdvanced is an advanced filter that may be null, like NullSimple.
type NullAdvanced struct {
	Advanced
	Given bool // true for null too
}

// A NullEither is a filter of either form that may be null, like NullSimple.
type NullEither struct {
	Either
	Given bool // true for null too
}

// IsZero reports whether neither a filter nor null is given.
func (n NullEither) IsZero() bool { return !n.Given }

// UnmarshalJSON reads a filter; null means none.
func (n *NullEither) UnmarshalJSON(data []byte) error {
	n.Given = true
	return n.written.orNull(data)
}

// IsZero reports whether neither a filter nor null is given.
func (n NullSimple) IsZero() bool { return !n.Given }

// IsZero reports whether neither a filter nor null is given.
func (n NullAdvanced) IsZero() bool { return !n.Given }

// UnmarshalJSON reads a filter; null means none.
func (n *NullSimple) UnmarshalJSON(data []byte) error {
	n.Given = true
	return n.written.orNull(data)
}

// UnmarshalJSON reads a filter; null means none.
func (n *NullAdvanced) UnmarshalJSON(data []byte) error {
	n.Given = true
	return n.written.orNull(data)
}

// written is a filter as the client wrote it, compacted.
type written struct{ raw string }

// IsZero reports whether no filter is given.
func (w written) IsZero() bool { return w.raw == "" }

// JSON returns the filter as the client wrote it; empty if none is given.
func (w written) JSON() string { return w.raw }

// MarshalJSON writes the filter as the client wrote it, or null.
func (w written) MarshalJSON() ([]byte, error) {
	if w.raw == "" {
		return []byte("null"), nil
	}
	return []byte(w.raw), nil
}

// UnmarshalJSON keeps any JSON value. Resolve and ToFilter report its faults.
func (w *written) UnmarshalJSON(data []byte) error {
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		return err
	}
	w.raw = compact.String()
	return nil
}

func (w *written) orNull(data []byte) error {
	if string(data) == "null" {
		w.raw = ""
		return nil
	}
	return w.UnmarshalJSON(data)
}

type parse = func([]byte) (filter.Filter, []filter.Fault)

func (w written) to(parse parse) (filter.Filter, []filter.Fault) {
	if w.raw == "" {
		return filter.Filter{}, nil
	}
	return parse([]byte(w.raw))
}

// resolve turns faults into errors that the kit reads. Each message is a code, NUL and a text without its full stop,
// like those that the kit makes of huma's texts.
func (w written) resolve(at *huma.PathBuffer, parse parse) (errs []error) {
	read, faults := w.to(parse)
	for _, f := range append(faults, read.Contradictions()...) {
		path := at.String()
		if f.Path != "" {
			path += "." + f.Path
		}
		errs = append(
			errs,
			&huma.ErrorDetail{
				Location: path,
				Message:  f.Code + "\x00" + string(bytes.TrimSuffix([]byte(f.Message), []byte("."))),
			},
		)
	}
	return errs
}
