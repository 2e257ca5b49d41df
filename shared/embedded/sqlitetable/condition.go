package sqlitetable

import (
	"bytes"
	"cmp"
	"math"
	"strings"
	"time"

	"earshot/shared/port/table"
)

// holds evaluates a condition on an item, which is nil if there is none.
func holds(condition table.Condition, item table.Item, now time.Time) bool {
	switch condition.Op {
	case table.OpAlways:
		return true
	case table.OpAbsent:
		return item == nil || table.Expired(item, now)
	case table.OpPresent:
		return item != nil
	case table.OpAll:
		for _, inner := range condition.Of {
			if !holds(inner, item, now) {
				return false
			}
		}
		return true
	case table.OpAny:
		for _, inner := range condition.Of {
			if holds(inner, item, now) {
				return true
			}
		}
		return false
	}
	value, has := item[condition.Attr]
	switch condition.Op {
	case table.OpHas:
		return has
	case table.OpMissing:
		return !has
	}
	return has && compares(condition.Op, value, table.Canonical(condition.Value))
}

func compares(op table.Op, value, with any) bool {
	switch op {
	case table.OpEqual:
		return equal(value, with)
	case table.OpNotEqual:
		return sameType(value, with) && !equal(value, with)
	}
	order, ok := compare(value, with)
	if !ok {
		return false
	}
	switch op {
	case table.OpLess:
		return order < 0
	case table.OpAtMost:
		return order <= 0
	case table.OpMore:
		return order > 0
	case table.OpAtLeast:
		return order >= 0
	}
	return false
}

// compare orders two values of one type that has an order.
func compare(a, b any) (order int, ok bool) {
	switch a := a.(type) {
	case string:
		if b, ok := b.(string); ok {
			return strings.Compare(a, b), true
		}
	case []byte:
		if b, ok := b.([]byte); ok {
			return bytes.Compare(a, b), true
		}
	case int64:
		switch b := b.(type) {
		case int64:
			return cmp.Compare(a, b), true
		case float64:
			return compareMixed(a, b), true
		}
	case float64:
		switch b := b.(type) {
		case int64:
			return -compareMixed(b, a), true
		case float64:
			return cmp.Compare(a, b), true
		}
	}
	return 0, false
}

// compareMixed orders an integer and a canonical float64 exactly. Such a float is either beyond every int64 or a
// fraction. A fraction is below 2^53 in magnitude, where rounding the integer cannot change the order.
func compareMixed(a int64, b float64) int {
	if math.Abs(b) >= 1<<63 {
		return cmp.Compare(0, b)
	}
	return cmp.Compare(float64(a), b)
}

// equal reports whether two canonical values are equal.
func equal(a, b any) bool {
	switch a := a.(type) {
	case []byte:
		b, ok := b.([]byte)
		return ok && bytes.Equal(a, b)
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, value := range a {
			if other, has := b[name]; !has || !equal(value, other) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case []byte, []any, map[string]any:
		return false // and must not be compared by ==
	}
	return a == b
}

// sameType reports whether a store has one type for both values. All numbers have one.
func sameType(a, b any) bool {
	kind := func(value any) int {
		switch value.(type) {
		case bool:
			return 1
		case string:
			return 2
		case int64, float64:
			return 3
		case []byte:
			return 4
		case []any:
			return 5
		case map[string]any:
			return 6
		}
		return 0
	}
	return kind(a) == kind(b)
}
