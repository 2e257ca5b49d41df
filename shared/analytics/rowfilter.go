package analytics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

// A RowFilter writes the filters that open the mentions of rows, in the grammar of package filter.
type RowFilter struct {
	operator string           // how groups are joined; AND if there are fewer than two
	groups   []conditionGroup // of the request's filter; nil if it has no conditions
}

type conditionGroup struct {
	Operator   string           `json:"operator"`
	Conditions []map[string]any `json:"conditions"`
}

// NewRowFilter reads the filter of a request, which has passed filter.Parse. An empty text is no filter.
func NewRowFilter(request []byte) (RowFilter, error) {
	f := RowFilter{operator: "AND"}
	if len(request) == 0 {
		return f, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(request))
	decoder.UseNumber()
	var members map[string]any
	if err := decoder.Decode(&members); err != nil {
		return f, fmt.Errorf("read a filter: %w", err)
	}
	delete(members, "startDate")
	delete(members, "endDate")
	if _, advanced := members["groups"]; advanced {
		var tree struct {
			Operator string           `json:"operator"`
			Groups   []conditionGroup `json:"groups"`
		}
		decoder := json.NewDecoder(bytes.NewReader(request))
		decoder.UseNumber()
		if err := decoder.Decode(&tree); err != nil {
			return f, fmt.Errorf("read a filter: %w", err)
		}
		f.groups = tree.Groups
		if len(tree.Groups) > 1 { // one group alone is joined to nothing
			f.operator = tree.Operator
		}
		return f, nil
	}
	if len(members) > 0 {
		f.groups = []conditionGroup{{"AND", conditionsOf(members)}}
	}
	return f, nil
}

func conditionsOf(members map[string]any) (conditions []map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		conditions = append(conditions, map[string]any{name: members[name]})
	}
	return conditions
}

// Within returns the filter for the mentions of the request's filter that were posted in a time and meet conditions,
// each a key of the grammar with its value. The result is a simple filter if it can be.
func (f RowFilter) Within(start, end time.Time, conditions ...map[string]any) map[string]any {
	return f.write(map[string]any{"startDate": moment(start), "endDate": moment(end)}, conditions)
}

// With returns the request's filter with another condition. It keeps the window of asked, which is the request's filter
// as package filter read it.
func (f RowFilter) With(asked filter.Filter, condition map[string]any) map[string]any {
	dates := map[string]any{}
	start, end := asked.Window()
	if !start.IsZero() {
		dates["startDate"] = moment(start)
	}
	if !end.IsZero() {
		dates["endDate"] = moment(end)
	}
	return f.write(dates, []map[string]any{condition})
}

// write returns a filter of dates, the request's conditions and others.
func (f RowFilter) write(written map[string]any, conditions []map[string]any) map[string]any {
	joined := f.joined(conditions)
	if len(joined) == 1 && joined[0].Operator == "AND" {
		simple := maps.Clone(written)
		for _, condition := range joined[0].Conditions {
			maps.Copy(simple, condition)
		}
		if len(simple) == len(written)+len(joined[0].Conditions) { // no key twice
			return simple
		}
	}
	if len(joined) > 0 {
		written["operator"], written["groups"] = f.operator, joined
	}
	return written
}

// joined returns the groups with more conditions. They are joined as the request's groups are.
func (f RowFilter) joined(conditions []map[string]any) (groups []conditionGroup) {
	if len(conditions) == 0 {
		return f.groups
	}
	if f.operator == "AND" {
		for i, g := range f.groups {
			if g.Operator == "AND" || len(g.Conditions) == 1 {
				groups = append(slices.Clone(f.groups[:i]), conditionGroup{"AND", slices.Concat(g.Conditions, conditions)})
				return append(groups, f.groups[i+1:]...)
			}
		}
		return append(slices.Clone(f.groups), conditionGroup{"AND", conditions})
	}
	// One of the groups must hold, and the conditions: they go into each group.
	for _, g := range f.groups {
		if g.Operator == "AND" {
			groups = append(groups, conditionGroup{"AND", slices.Concat(g.Conditions, conditions)})
			continue
		}
		for _, one := range g.Conditions {
			groups = append(groups, conditionGroup{"AND", append([]map[string]any{one}, conditions...)})
		}
	}
	return groups
}

// moment writes a time in the form of the grammar's dates.
func moment(t time.Time) string { return mention.Timestamp(t) }

// Condition returns the conditions for a value of a dimension. group is the group of keywords that the value stands
// for, nil for the keyword itself.
func Condition(d Dimension, v Value, group []int64) []map[string]any {
	switch d {
	case Author:
		handle := mention.LowerHandle(v.Text)
		if mention.Handle(handle) != v.Text {
			handle = "@" + handle // a filter takes one @ away
		}
		return []map[string]any{{"author": []any{handle}}, {"source": []any{v.Source}}}
	case Sentiment:
		if v.Missing {
			return one(d, "unknown")
		}
		return one(d, strings.ToLower(v.Text))
	case Keyword:
		if group != nil {
			return []map[string]any{{string(d): group}}
		}
	}
	if v.Missing {
		return one(d, "none")
	}
	if d == Keyword || d == Relevance {
		if number, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			return one(d, number)
		}
	}
	return one(d, v.Text)
}

// Opens reports whether the grammar can name a value. It cannot name a very long handle or platform, and a language
// that it does not know.
func Opens(d Dimension, v Value) bool {
	switch {
	case v.Missing:
		return d != Author
	case d != Author && d != Source && d != Language:
		return true
	}
	for _, condition := range Condition(d, v, nil) {
		written, err := json.Marshal(condition)
		if err != nil {
			return false
		}
		if _, faults := filter.Parse(written); len(faults) > 0 {
			return false
		}
	}
	return true
}

func one(d Dimension, value any) []map[string]any { return []map[string]any{{string(d): []any{value}}} }
