package rows

import (
	"time"

	"earshot/shared/port/table"
)

// TextTime is the layout of times in rows: sortable, to the millisecond.
const TextTime = "2006-01-02T15:04:05.000Z"

// FromTime returns a time as rows store it; empty for the zero time.
func FromTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(TextTime)
}

// ToTime reads a time that FromTime wrote. Returns the zero time for any other text.
func ToTime(text string) time.Time {
	t, _ := time.Parse(TextTime, text) // text comes from FromTime, or is empty
	return t
}

// DueAt reads since when a row's work is due; the zero time if none is.
func DueAt(item table.Item) time.Time { return ToTime(Text(item, AttrDueAt)) }

// Text reads a text; empty if the attribute is missing.
func Text(item table.Item, name string) string { v, _ := item[name].(string); return v }

// Integer reads an integer; 0 if the attribute is missing.
func Integer(item table.Item, name string) int64 { v, _ := item[name].(int64); return v }

// Boolean reads a boolean; false if the attribute is missing.
func Boolean(item table.Item, name string) bool { v, _ := item[name].(bool); return v }

// Bytes reads bytes; nil if the attribute is missing.
func Bytes(item table.Item, name string) []byte { v, _ := item[name].([]byte); return v }

// List reads a list; nil if the attribute is missing.
func List(item table.Item, name string) []any { v, _ := item[name].([]any); return v }

// Texts reads a list of texts; never nil.
func Texts(item table.Item, name string) []string {
	elements := List(item, name)
	texts := make([]string, 0, len(elements))
	for _, element := range elements {
		if text, ok := element.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// FromTexts returns texts as an attribute holds them.
func FromTexts[T ~string](texts []T) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = string(text)
	}
	return list
}

// Set sets an attribute unless the value is zero: rows are billed by the byte.
func Set[T comparable](item table.Item, name string, value T) {
	var zero T
	if value != zero {
		item[name] = value
	}
}

// SetIf sets an attribute unless value is nil. It stores a value that is empty.
func SetIf[T any](item table.Item, name string, value *T) {
	if value != nil {
		item[name] = *value
	}
}

// Pointer reads an attribute that may be missing.
func Pointer[T any](item table.Item, name string) *T {
	value, ok := item[name].(T)
	if !ok {
		return nil
	}
	return &value
}

// Room returns the condition that a counter plus n is at most most. A missing counter is 0.
func Room(counter string, n, most int64) table.Condition {
	if n > most {
		return table.AtMost(counter, most-n) // also a missing counter has no room
	}
	return table.Any(table.Missing(counter), table.AtMost(counter, most-n))
}
