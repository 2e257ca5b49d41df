package table

import (
	"math"
	"unicode/utf8"
)

// Bounds that DynamoDB sets to values.
const (
	maxDepth         = 32
	maxAttributeName = 65535
)

func checkName(name string) error {
	if name == "" || len(name) > maxAttributeName || !utf8.ValidString(name) {
		return invalid("attribute name %.40q: empty, too long or not UTF-8", name)
	}
	return nil
}

// checkValue returns ErrInvalid unless a value has one of an Item's types. level is 1 for an attribute's own value.
func checkValue(name string, value any, level int) error {
	switch value := value.(type) {
	case nil, bool, int64, []byte:
	case string:
		if !utf8.ValidString(value) {
			return invalid("attribute %.40q: a string that is not UTF-8", name)
		}
	case float64:
		if magnitude := math.Abs(value); value != 0 && !(magnitude >= MinFloat && magnitude <= MaxFloat) {
			return invalid("attribute %.40q: the number %g is out of bounds", name, value)
		}
	case []any:
		if level > maxDepth {
			return invalid("attribute %.40q: nested too deep", name)
		}
		for _, element := range value {
			if err := checkValue(name, element, level+1); err != nil {
				return err
			}
		}
	case map[string]any:
		if level > maxDepth {
			return invalid("attribute %.40q: nested too deep", name)
		}
		for inner, element := range value {
			if err := checkName(inner); err != nil {
				return err
			}
			if err := checkValue(name, element, level+1); err != nil {
				return err
			}
		}
	default:
		return invalid("attribute %.40q: values of type %T cannot be stored", name, value)
	}
	return nil
}

func checkKey(key Key) error {
	if err := checkKeyPart(PartitionAttribute, key.Partition, MaxPartitionKey); err != nil {
		return err
	}
	return checkKeyPart(SortAttribute, key.Sort, MaxSortKey)
}

func checkKeyPart(name, value string, bound int) error {
	if value == "" || len(value) > bound || !utf8.ValidString(value) {
		return invalid("key attribute %q: empty, over %d bytes or not UTF-8", name, bound)
	}
	return nil
}

// checkAttribute is checkValue for an attribute of an item of this table. A key of an index and the expiry have fixed
// types.
func (s Schema) checkAttribute(name string, value any) error {
	if err := checkName(name); err != nil {
		return err
	}
	if name == ExpiryAttribute {
		if _, ok := Canonical(value).(int64); !ok {
			return invalid("attribute %q: a Unix second is an int64, not %T", name, value)
		}
	}
	for _, index := range s.Indexes {
		bound := 0
		switch name {
		case index.Partition:
			bound = MaxPartitionKey
		case index.Sort:
			bound = MaxSortKey
		default:
			continue
		}
		key, ok := value.(string)
		if !ok {
			return invalid("attribute %q is a key of index %q: %T is no string", name, index.Name, value)
		}
		if err := checkKeyPart(name, key, bound); err != nil {
			return err
		}
	}
	return checkValue(name, value, 1)
}

func checkCondition(condition Condition) error {
	switch condition.Op {
	case OpAlways, OpAbsent, OpPresent:
		return nil
	case OpMissing, OpHas:
		return checkName(condition.Attr)
	case OpAll, OpAny:
		if len(condition.Of) == 0 {
			return invalid("a condition All or Any without conditions")
		}
		for _, inner := range condition.Of {
			if err := checkCondition(inner); err != nil {
				return err
			}
		}
		return nil
	case OpEqual, OpNotEqual, OpLess, OpAtMost, OpMore, OpAtLeast:
	default:
		return invalid("unknown condition %d", condition.Op)
	}
	if err := checkName(condition.Attr); err != nil {
		return err
	}
	switch condition.Value.(type) {
	case string, []byte, int64, float64:
	default:
		if condition.Op != OpEqual && condition.Op != OpNotEqual {
			return invalid("condition on %q: %T has no order", condition.Attr, condition.Value)
		}
		if condition.Op == OpNotEqual && condition.Value == nil {
			return invalid("condition on %q: no nil differs from nil", condition.Attr)
		}
	}
	return checkValue(condition.Attr, condition.Value, 1)
}
