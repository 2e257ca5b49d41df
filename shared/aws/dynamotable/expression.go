package dynamotable

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"earshot/shared/port/table"
)

// An expression collects the placeholders of one request. Every name and value is a placeholder, so that none is taken
// for a reserved word or for syntax.
type expression struct {
	names        map[string]string
	values       map[string]types.AttributeValue
	placeholders map[string]string // of names, by name
}

func (e *expression) name(attribute string) string {
	if known, ok := e.placeholders[attribute]; ok {
		return known
	}
	if e.names == nil {
		e.names, e.placeholders = map[string]string{}, map[string]string{}
	}
	placeholder := "#" + strconv.Itoa(len(e.names))
	e.names[placeholder] = attribute
	e.placeholders[attribute] = placeholder
	return placeholder
}

func (e *expression) value(value any) string {
	if e.values == nil {
		e.values = map[string]types.AttributeValue{}
	}
	placeholder := ":" + strconv.Itoa(len(e.values))
	e.values[placeholder] = fromValue(value)
	return placeholder
}

// condition compiles a condition that the catalog has checked; nil if it always holds.
func (e *expression) condition(condition table.Condition, now time.Time) *string {
	text := e.compile(condition, now)
	if text == "" {
		return nil
	}
	return &text
}

// compile returns the empty string for a condition that always holds.
func (e *expression) compile(condition table.Condition, now time.Time) string {
	switch condition.Op {
	case table.OpAbsent:
		return "(attribute_not_exists(" + e.name(table.PartitionAttribute) + ") OR " +
			e.name(table.ExpiryAttribute) + " <= " + e.value(now.Unix()) + ")"
	case table.OpPresent:
		return "attribute_exists(" + e.name(table.PartitionAttribute) + ")"
	case table.OpMissing:
		return "attribute_not_exists(" + e.name(condition.Attr) + ")"
	case table.OpHas:
		return "attribute_exists(" + e.name(condition.Attr) + ")"
	case table.OpEqual:
		return e.comparison(condition, " = ")
	case table.OpNotEqual:
		// DynamoDB's <> holds for a missing attribute and for one of another type. The port's NotEqual does not.
		return "(attribute_type(" + e.name(condition.Attr) + ", " + e.value(typeOf(condition.Value)) + ") AND " +
			e.comparison(condition, " <> ") + ")"
	case table.OpLess:
		return e.comparison(condition, " < ")
	case table.OpAtMost:
		return e.comparison(condition, " <= ")
	case table.OpMore:
		return e.comparison(condition, " > ")
	case table.OpAtLeast:
		return e.comparison(condition, " >= ")
	case table.OpAll:
		return e.join(condition.Of, now, " AND ")
	case table.OpAny:
		if condition.Always() {
			return "" // and no placeholders, because DynamoDB refuses unused ones
		}
		return e.join(condition.Of, now, " OR ")
	}
	return ""
}

func (e *expression) comparison(condition table.Condition, operator string) string {
	return e.name(condition.Attr) + operator + e.value(condition.Value)
}

func (e *expression) join(conditions []table.Condition, now time.Time, operator string) string {
	parts := make([]string, 0, len(conditions))
	for _, condition := range conditions {
		if text := e.compile(condition, now); text != "" {
			parts = append(parts, text)
		}
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return "(" + strings.Join(parts, operator) + ")"
}

// changes compiles an update expression, in the order of the names, so that the same update is the same request.
func (e *expression) changes(update table.Update) *string {
	var clauses []string
	clause := func(keyword string, names []string, part func(name string) string) {
		if len(names) == 0 {
			return
		}
		parts := make([]string, len(names))
		for i, name := range names {
			parts[i] = part(name)
		}
		clauses = append(clauses, keyword+" "+strings.Join(parts, ", "))
	}
	clause("SET", slices.Sorted(maps.Keys(update.Set)), func(name string) string {
		return e.name(name) + " = " + e.value(update.Set[name])
	})
	clause("ADD", slices.Sorted(maps.Keys(update.Add)), func(name string) string {
		return e.name(name) + " " + e.value(update.Add[name])
	})
	clause("REMOVE", update.Remove, e.name)
	text := strings.Join(clauses, " ")
	return &text
}

func keyOf(key table.Key) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		table.PartitionAttribute: fromValue(key.Partition),
		table.SortAttribute:      fromValue(key.Sort),
	}
}
