package alert

import (
	"fmt"
	"slices"
	"strings"
)

// A Fault is one fault of a condition.
type Fault struct {
	Path    string // within the alert: "condition.value"
	Code    string // the kind of fault, as elsewhere in a request: enum, range, unexpected
	Message string // for people: the fact and the remedy. It does not quote the client's text
}

// Faults returns what is wrong with a condition, in the order of its fields. It takes a condition before or after
// WithDefaults. A condition without faults can fire and, after that, resolve.
func (c Condition) Faults() []Fault {
	var faults []Fault
	fault := func(name, code, format string, args ...any) {
		faults = append(faults, Fault{"condition." + name, code, fmt.Sprintf(format, args...)})
	}
	if !listed(c.Metric) {
		fault("metric", "enum", "There is no such metric. Choose one of %s.", choices[Metric]())
	}
	if !listed(c.Comparison) {
		fault("comparison", "enum", "There is no such comparison. Choose one of %s.", choices[Comparison]())
	}
	if ok, remedy := c.inRange(); !ok {
		fault("value", "range", "This value is out of range. %s", remedy)
	}
	if !listed(c.Window) {
		fault("window", "enum", "There is no such window. Choose one of %s.", choices[Window]())
	}
	switch {
	case c.Baseline == "":
	case !listed(c.Baseline):
		fault("baseline", "enum", "There is no such baseline. Choose one of %s.", choices[Baseline]())
	case listed(c.Comparison) && !c.Comparison.relative():
		fault("baseline", "unexpected", "Only rises_by and falls_by have a baseline. Leave it out, or choose one of them.")
	}
	switch {
	case c.Minimum == nil:
	case *c.Minimum < 0 || *c.Minimum > MaxValue:
		fault("minimum", "range", "This minimum is out of range. Write a number of mentions from 0 to %d.", MaxValue)
	case c.Metric == Mentions && c.Comparison == Below && float64(*c.Minimum) >= c.Value:
		fault("minimum", "range", "With this minimum the alert never fires. Choose one below the value, or leave it out.")
	}
	return faults
}

// inRange reports whether the value is one at which the condition can fire and resolve, and says which values are.
func (c Condition) inRange() (ok bool, remedy string) {
	v, share := c.Value, c.Metric == NegativeShare
	switch {
	case c.Comparison == FallsBy:
		return v > 0 && v <= 100, "Write the fall in per cent, above 0 and up to 100, such as 50 for a fall by half."
	case c.Comparison == RisesBy:
		return v > 0 && v <= MaxValue, "Write the rise in per cent, above 0, such as 50 for a rise by half."
	case c.Comparison == Above && share:
		return v >= 0 && v < 1, "Write a share from 0 to below 1, such as 0.4 for 40 %."
	case c.Comparison == Below && share:
		return v > 0 && v <= 1, "Write a share above 0 and up to 1, such as 0.4 for 40 %."
	case c.Comparison == Below:
		return v > 0 && v <= MaxValue, fmt.Sprintf("Write a number above 0 and up to %d.", MaxValue)
	default:
		return v >= 0 && v <= MaxValue, fmt.Sprintf("Write a number from 0 to %d.", MaxValue)
	}
}

// A vocabulary is a type of strings that lists its values.
type vocabulary[T any] interface {
	~string
	Values() []T
}

func listed[T vocabulary[T]](value T) bool { return slices.Contains(value.Values(), value) }

func choices[T vocabulary[T]]() string {
	var (
		none  T
		names []string
	)
	for _, value := range none.Values() {
		names = append(names, string(value))
	}
	return strings.Join(names, ", ")
}
