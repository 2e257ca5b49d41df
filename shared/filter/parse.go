package filter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// ParseSimple reads a simple filter: an object of keys, all of which must hold, and the dates. If there is any fault, the
// filter lacks what has one: only its Contradictions are of use.
func ParseSimple(raw []byte) (Filter, []Fault) {
	return parse(raw, (*parser).simple)
}

// ParseAdvanced reads an advanced filter: an object of operator, groups, and the dates.
func ParseAdvanced(raw []byte) (Filter, []Fault) {
	return parse(raw, (*parser).advanced)
}

// Parse reads a filter of either form. One with groups or an operator is advanced.
func Parse(raw []byte) (Filter, []Fault) {
	return parse(raw, func(p *parser, members map[string]any) Filter {
		_, groups := members["groups"]
		_, operator := members["operator"]
		if groups || operator {
			return p.advanced(members)
		}
		return p.simple(members)
	})
}

// A parser collects the faults of one filter.
type parser struct{ faults []Fault }

func parse(raw []byte, read func(*parser, map[string]any) Filter) (Filter, []Fault) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var tree any
	if decoder.Decode(&tree) != nil {
		return Filter{}, []Fault{{Code: "syntax", Message: "The filter is not JSON."}}
	}
	if _, err := decoder.Token(); err != io.EOF {
		return Filter{}, []Fault{{Code: "syntax", Message: "There is more after the filter."}}
	}
	var p parser
	members, ok := p.object("", tree)
	if !ok {
		return Filter{}, p.faults
	}
	f := read(&p, members)
	return f, p.faults
}

func (p *parser) fault(path, code, format string, args ...any) {
	p.faults = append(p.faults, Fault{path, code, fmt.Sprintf(format, args...)})
}

func (p *parser) object(path string, value any) (map[string]any, bool) {
	members, ok := value.(map[string]any)
	if !ok {
		p.fault(path, "type", "Expected object.")
	}
	return members, ok
}

// names returns the keys of an object in alphabetical order, so that faults come in the same order each time.
func names(members map[string]any) []string { return slices.Sorted(maps.Keys(members)) }

func (p *parser) simple(members map[string]any) (f Filter) {
	for _, name := range names(members) {
		if name == startDate || name == endDate {
			continue
		}
		if c, ok := p.condition(name, name, members[name]); ok {
			f.all = append(f.all, node{leaf: &c})
		}
	}
	f.start, f.until = p.window(members)
	return f
}

func (p *parser) advanced(members map[string]any) (f Filter) {
	root := p.joined("", members)
	if groups, ok := p.list("groups", members); ok {
		for i, value := range groups {
			path := fmt.Sprintf("groups[%d]", i)
			if group, ok := p.object(path, value); ok {
				root.kids = append(root.kids, p.group(path, group))
			}
		}
	}
	for _, name := range names(members) {
		if !slices.Contains([]string{"operator", "groups", startDate, endDate}, name) {
			p.unknown(name)
		}
	}
	f.all = []node{root}
	f.start, f.until = p.window(members)
	return f
}

func (p *parser) group(path string, members map[string]any) node {
	group := p.joined(path+".", members)
	if conditions, ok := p.list(path+".conditions", members); ok {
		for i, value := range conditions {
			path := fmt.Sprintf("%s.conditions[%d]", path, i)
			condition, ok := p.object(path, value)
			switch {
			case !ok:
				continue
			case len(condition) == 0:
				p.fault(path, "min_properties", "A condition has one key.")
			case len(condition) > 1:
				p.fault(path, "max_properties", "A condition has one key only.")
			}
			for _, name := range names(condition) {
				if c, ok := p.condition(path+"."+name, name, condition[name]); ok {
					group.kids = append(group.kids, node{leaf: &c})
				}
			}
		}
	}
	for _, name := range names(members) {
		if name != "operator" && name != "conditions" {
			p.unknown(path + "." + name)
		}
	}
	return group
}

func (p *parser) unknown(path string) {
	p.fault(path, "unknown", "There is no such property. Check its spelling, case included.")
}

// joined reads the operator that joins the conditions or groups of an object.
func (p *parser) joined(prefix string, members map[string]any) node {
	path := prefix + "operator"
	value, given := members["operator"]
	operator, text := value.(string)
	switch {
	case !given:
		p.fault(path, "required", "The property is required.")
	case !text:
		p.fault(path, "type", "Expected string.")
	case operator != "AND" && operator != "OR":
		p.fault(path, "enum", "Expected one of AND, OR.")
	}
	return node{any: operator == "OR"}
}

// list reads the array of groups or conditions that a path ends with.
func (p *parser) list(path string, members map[string]any) ([]any, bool) {
	value, given := members[path[strings.LastIndexByte(path, '.')+1:]]
	if !given {
		p.fault(path, "required", "The property is required.")
		return nil, false
	}
	return p.array(path, value, MaxJoined)
}

func (p *parser) array(path string, value any, most int) ([]any, bool) {
	items, ok := value.([]any)
	switch {
	case !ok:
		p.fault(path, "type", "Expected array.")
	case len(items) == 0:
		p.fault(path, "min_items", "Expected at least one element.")
	case len(items) > most:
		p.fault(path, "max_items", "Expected at most %d elements.", most)
		return nil, false // its faults would be without end
	}
	return items, ok
}
