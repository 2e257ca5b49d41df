package filter

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"earshot/shared/language"
	"earshot/shared/mention"
)

// condition reads a key, with or without the ! before it, and its value.
func (p *parser) condition(path, name string, value any) (condition, bool) {
	plain, negated := strings.CutPrefix(name, "!")
	definition, known := define(plain)
	if !known {
		p.unknown(path)
		return condition{}, false
	}
	c := condition{path: path, key: definition.Key, negated: negated}
	before := len(p.faults)
	switch definition.Shape {
	case Flag:
		c.flag = p.flag(path, value)
	case Number:
		c.numbers = []int64{p.number(path, value, definition.Min, definition.Max)}
	default:
		items, _ := p.array(path, value, MaxValues)
		for i, item := range items {
			path := fmt.Sprintf("%s[%d]", path, i)
			if definition.Absent != "" && item == definition.Absent {
				c.absent = true
				continue
			}
			switch definition.Shape {
			case Texts:
				c.texts = append(c.texts, p.value(path, definition, p.text(path, item, definition)))
			case Numbers:
				c.numbers = append(c.numbers, p.number(path, item, definition.Min, definition.Max))
			case Counters:
				c.counters = append(c.counters, p.counter(path, item))
			}
		}
	}
	return c, len(p.faults) == before
}

func (p *parser) flag(path string, value any) bool {
	flag, ok := value.(bool)
	if !ok {
		p.fault(path, "type", "Expected boolean.")
	}
	return flag
}

// number reads a whole number, however it is spelled: 1, 1.0 and 1e0 are one.
func (p *parser) number(path string, value any, least, most int64) int64 {
	number, ok := value.(json.Number)
	if !ok {
		p.fault(path, "type", "Expected integer.")
		return 0
	}
	whole, err := strconv.ParseInt(string(number), 10, 64)
	if err != nil {
		float, err := number.Float64()
		switch {
		case err != nil || math.Abs(float) > mention.MaxID:
			p.fault(path, "range", "The number is beyond 2^53-1.")
			return 0
		case float != math.Trunc(float):
			p.fault(path, "type", "Expected integer.")
			return 0
		}
		whole = int64(float)
	}
	switch {
	case whole > mention.MaxID || whole < -mention.MaxID:
		p.fault(path, "range", "The number is beyond 2^53-1.")
	case whole < least:
		p.fault(path, "minimum", "Expected number >= %d.", least)
	case whole > most:
		p.fault(path, "maximum", "Expected number <= %d.", most)
	}
	return whole
}

// text reads a string within the bounds of a definition. It is empty after a fault.
func (p *parser) text(path string, value any, d Definition) string {
	text, ok := value.(string)
	length := int64(utf8.RuneCountInString(text))
	switch {
	case !ok:
		p.fault(path, "type", "Expected string.")
	case d.Values != nil:
		if slices.Contains(d.Values, text) {
			return text
		}
		p.fault(path, "enum", "Expected one of %s.", strings.Join(d.Allowed(), ", "))
	case length < d.Min:
		p.fault(path, "min_length", "Expected at least %d character.", d.Min)
	case length > d.Max:
		p.fault(path, "max_length", "Expected at most %d characters.", d.Max)
	default:
		return text
	}
	return ""
}

// value returns the form in which the evaluation compares a text. It is empty after a fault.
func (p *parser) value(path string, d Definition, text string) string {
	if text == "" {
		return ""
	}
	switch d.Key {
	case Source:
		return string(mention.AppendFolded(nil, text))
	case Sentiment:
		i := slices.Index(d.Values, text)
		return string([]mention.Sentiment{mention.Positive, mention.Neutral, mention.Negative}[i])
	case Language:
		name, ok := language.Parse(text)
		if !ok {
			p.fault(path, "enum", "Expected the full English name of a language, or its ISO 639-1 code.")
		}
		return name
	case Author:
		handle := string(mention.AppendHandle(nil, text))
		if handle == "" {
			p.fault(path, "format", "Expected a handle.")
		}
		return handle
	case Text:
		if strings.TrimSpace(text) == "" {
			p.fault(path, "format", "Expected a text that is not blank.")
		}
	}
	return text
}

// counter reads an element of engagement.
func (p *parser) counter(path string, value any) counter {
	members, ok := p.object(path, value)
	if !ok {
		return counter{}
	}
	required := func(name string) (any, bool) {
		value, given := members[name]
		if !given {
			p.fault(path+"."+name, "required", "The property is required.")
		}
		return value, given
	}
	c := counter{operator: Operators()[0]}
	name := Definition{Min: 1, Max: MaxName}
	if value, given := required("source"); given {
		c.source = string(mention.AppendFolded(nil, p.text(path+".source", value, name)))
	}
	if value, given := required("metric"); given {
		c.metric = p.text(path+".metric", value, name)
	}
	if value, given := required("value"); given {
		c.value = p.number(path+".value", value, 0, mention.MaxID)
	}
	if value, given := members["operator"]; given {
		if c.operator = p.text(path+".operator", value, Definition{Values: Operators()}); c.operator == "equals" {
			c.operator = "="
		}
	}
	for _, name := range names(members) {
		if !slices.Contains([]string{"source", "metric", "value", "operator"}, name) {
			p.unknown(path + "." + name)
		}
	}
	return c
}
