package table

import "slices"

// A Condition tests one item before it is written. The zero Condition always holds. A comparison with a missing
// attribute, or with one of another type, does not hold.
type Condition struct {
	Op    Op
	Attr  string
	Value any
	Of    []Condition // for OpAll and OpAny
}

// Op is the kind of a Condition.
type Op int

// The tests. Each has a constructor below.
const (
	OpAlways Op = iota
	OpAbsent
	OpPresent
	OpMissing
	OpHas
	OpEqual
	OpNotEqual
	OpLess
	OpAtMost
	OpMore
	OpAtLeast
	OpAll
	OpAny
)

// Absent holds when there is no item, or an expired one.
func Absent() Condition { return Condition{Op: OpAbsent} }

// Present holds when there is an item.
func Present() Condition { return Condition{Op: OpPresent} }

// Missing holds when the item lacks the attribute, or there is no item.
func Missing(attr string) Condition { return Condition{Op: OpMissing, Attr: attr} }

// Has holds when the item has the attribute, nil values included.
func Has(attr string) Condition { return Condition{Op: OpHas, Attr: attr} }

// Equal holds when the attribute has this value.
func Equal(attr string, value any) Condition {
	return Condition{Op: OpEqual, Attr: attr, Value: value}
}

// NotEqual holds if the attribute exists, has the same type and another value. value is not nil.
func NotEqual(attr string, value any) Condition {
	return Condition{Op: OpNotEqual, Attr: attr, Value: value}
}

// Less holds when the attribute is below value. Numbers compare as numbers, strings and bytes by their bytes.
func Less(attr string, value any) Condition { return Condition{Op: OpLess, Attr: attr, Value: value} }

// AtMost holds when the attribute is value or below it.
func AtMost(attr string, value any) Condition {
	return Condition{Op: OpAtMost, Attr: attr, Value: value}
}

// More holds when the attribute is above value.
func More(attr string, value any) Condition { return Condition{Op: OpMore, Attr: attr, Value: value} }

// AtLeast holds when the attribute is value or above it.
func AtLeast(attr string, value any) Condition {
	return Condition{Op: OpAtLeast, Attr: attr, Value: value}
}

// All holds when each of the conditions does. It takes at least one.
func All(of ...Condition) Condition { return Condition{Op: OpAll, Of: of} }

// Any holds if at least one of the conditions does. It needs at least one condition.
func Any(of ...Condition) Condition { return Condition{Op: OpAny, Of: of} }

// Always reports whether the condition holds for every item. Such a condition cannot be sent to a store.
func (c Condition) Always() bool {
	switch c.Op {
	case OpAlways:
		return true
	case OpAll:
		return !slices.ContainsFunc(c.Of, func(inner Condition) bool { return !inner.Always() })
	case OpAny:
		return slices.ContainsFunc(c.Of, Condition.Always)
	}
	return false
}
