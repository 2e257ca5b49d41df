package main

import (
	"fmt"
	"strings"
)

// A series is a line of a graph, or a value for other series: a metric, or an expression.
type series struct {
	id, label string // an expression's terms are others' ids
	stat      string
	hidden    bool
	right     bool // on the axis of the right side

	expression string
	namespace  string
	name       string
	dimensions []string // name, value, name, value …
}

// of returns a metric of a service.
func of(namespace, name, stat, label string, dimensions ...string) series {
	return series{namespace: namespace, name: name, stat: stat, label: label, dimensions: dimensions}
}

// math returns a series that is computed from others.
func math(label, expression string) series { return series{label: label, expression: expression} }

// as gives a series an id and hides it: only what is computed from it shows.
func (s series) as(id string) series {
	s.id, s.hidden = id, true
	return s
}

func (s series) onRight() series {
	s.right = true
	return s
}

// written returns the series as a dashboard writes it: an array of names and values that ends with its options.
func (s series) written() []any {
	options := object{}
	if s.label != "" {
		options["label"] = s.label
	}
	if s.id != "" {
		options["id"] = s.id
	}
	if s.hidden {
		options["visible"] = false
	}
	if s.right {
		options["yAxis"] = "right"
	}
	if s.expression != "" {
		options["expression"] = s.expression
		return []any{options}
	}
	options["stat"] = s.stat
	line := []any{s.namespace, s.name}
	for _, each := range s.dimensions {
		line = append(line, each)
	}
	return append(line, options)
}

// total returns an expression that adds series up by their ids. Some may have no data.
func total(ids []string) string { return "SUM(FILL([" + strings.Join(ids, ",") + "], 0))" }

// ids returns that many numbered ids.
func ids(prefix string, count int) []string {
	made := make([]string, count)
	for i := range made {
		made[i] = fmt.Sprint(prefix, i)
	}
	return made
}

// The grid of a dashboard is 24 units wide.
const gridWidth = 24

// A board is a dashboard in the making. Widgets go beside each other until the next would not fit.
type board struct {
	region        string
	widgets       []object
	x, y, highest int
}

func (b *board) place(kind string, width, height int, properties object) {
	if b.x+width > gridWidth {
		b.line()
	}
	b.widgets = append(
		b.widgets, object{"type": kind, "x": b.x, "y": b.y, "width": width, "height": height, "properties": properties},
	)
	b.x, b.highest = b.x+width, max(b.highest, height)
}

// line begins a new line.
func (b *board) line() { b.x, b.y, b.highest = 0, b.y+b.highest, 0 }

// asks adds a heading.
func (b *board) asks(question string) {
	b.line()
	b.place("text", gridWidth, 1, object{"markdown": "## " + question})
	b.line()
}

// graph places series, with the alarms' periods of 5 minutes.
func (b *board) graph(title string, width int, unit string, lines ...series) {
	metrics := make([]any, len(lines))
	for i, each := range lines {
		metrics[i] = each.written()
	}
	b.place(
		"metric",
		width,
		6,
		object{"title": title, "region": b.region, "view": "timeSeries", "period": 300, "metrics": metrics,
			"yAxis": object{"left": object{"label": unit, "showUnits": false, "min": 0}}},
	)
}
