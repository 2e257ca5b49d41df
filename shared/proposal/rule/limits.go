package rule

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"earshot/shared/keyword"
)

// hold checks a value against the tags of its field, and what is in the value against the tags there:
//
//   - A text is valid UTF-8 without control characters, within minLength and maxLength. A type with Values has only
//     those. A text of form "term" is one that a keyword can have.
//   - A number is finite and within minimum, exclusiveMinimum and maximum.
//   - A list is there, even if it is empty, unless the field may be left out or is nullable. A list of form "term" has
//     as many terms as a keyword can have.
//   - Maps are left to their owners.
func (b *bounds) hold(place string, v reflect.Value, tag reflect.StructTag) {
	switch v.Kind() {
	case reflect.String:
		b.string(place, v, tag)
	case reflect.Float64:
		b.number(place, v.Float(), tag)
	case reflect.Int:
		b.number(place, float64(v.Int()), tag)
	case reflect.Slice:
		b.list(place, v, tag)
	case reflect.Pointer:
		if !v.IsNil() {
			b.hold(place, v.Elem(), tag)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			field := v.Type().Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if place != "" {
				name = place + "." + name
			}
			b.hold(name, v.Field(i), field.Tag)
		}
	}
}

func (b *bounds) string(place string, v reflect.Value, tag reflect.StructTag) {
	if list := v.MethodByName("Values"); list.IsValid() {
		values := list.Call(nil)[0]
		for i := range values.Len() {
			if values.Index(i).String() == v.String() {
				return
			}
		}
		b.add(place, "%s is not one of %q.", quote(v.String()), values.Interface())
		return
	}
	if tag.Get("form") == "term" {
		b.term(place, v.String())
		return
	}
	least, _ := strconv.Atoi(tag.Get("minLength"))
	most, _ := strconv.Atoi(tag.Get("maxLength"))
	b.text(place, v.String(), least, most)
}

// text checks that a text has as many characters as it may, and none that cannot be shown. A most of 0 is no limit.
func (b *bounds) text(place, s string, least, most int) {
	switch n := utf8.RuneCountInString(s); {
	case !utf8.ValidString(s):
		b.add(place, "The text is not valid UTF-8.")
	case n < least:
		b.add(place, "The text is missing: at least %d character.", least)
	case most > 0 && n > most:
		b.add(place, "The text has %d characters: at most %d.", n, most)
	case strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }):
		b.add(place, "The text has control characters: leave them out.")
	}
}

// term checks a text of which something is left without the blanks around it.
func (b *bounds) term(place, s string) {
	b.text(place, s, 1, keyword.MaxText)
	if s != "" && blank(s) {
		b.add(place, "The text is blank.")
	}
}

func (b *bounds) number(place string, x float64, tag reflect.StructTag) {
	limit := func(name string, unless float64) float64 {
		if n, err := strconv.ParseFloat(tag.Get(name), 64); err == nil {
			return n
		}
		return unless
	}
	least, above, most := limit("minimum", math.Inf(-1)), limit(
		"exclusiveMinimum", math.Inf(-1),
	), limit("maximum", math.Inf(1))
	switch {
	case x >= least && x > above && x <= most && !math.IsInf(x, 0):
	case !math.IsInf(above, -1):
		b.add(place, "The number is %v: it is finite and above %v.", x, above)
	case math.IsInf(most, 1):
		b.add(place, "The number is %v: it is finite and at least %v.", x, least)
	default:
		b.add(place, "The number is %v: it is %v to %v.", x, least, most)
	}
}

func (b *bounds) list(place string, v reflect.Value, tag reflect.StructTag) {
	most, _ := strconv.Atoi(tag.Get("maxItems"))
	if tag.Get("form") == "term" {
		most = keyword.MaxTerms
	}
	optional := tag.Get("nullable") == "true" || slices.Contains(strings.Split(tag.Get("json"), ","), "omitempty")
	switch {
	case v.IsNil() && !optional:
		b.add(place, "The list is missing: an empty one says that there is none.")
	case most > 0 && v.Len() > most:
		b.add(place, "The list has %d entries: at most %d.", v.Len(), most)
	}
	for i := range v.Len() {
		if i == most && tag.Get("form") == "term" {
			break // there may be very many
		}
		b.hold(fmt.Sprintf("%s[%d]", place, i), v.Index(i), tag)
	}
}
