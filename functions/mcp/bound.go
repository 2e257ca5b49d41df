package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Bounds of a result. A client that gets more than 25,000 tokens cuts the result itself, or refuses it.
const (
	maxTokens  = 24_000 // leaves room for the message around it
	maxText    = 2_000  // characters of one text, if the result is too long
	maxExcerpt = 200    // the same, if it is still too long
)

// tokens estimates from above how many tokens a text has. JSON in English has about 3.5 bytes for a token. Other
// scripts have up to one token for a character.
func tokens(text []byte) int {
	plain := 0
	for _, c := range text {
		if c < utf8.RuneSelf {
			plain++
		}
	}
	return plain/3 + utf8.RuneCount(text) - plain
}

// bounded returns a result of at most maxTokens. left says what was left out, and is empty if nothing was.
func bounded(body []byte, more string) (kept []byte, left string, err error) {
	if tokens(body) <= maxTokens {
		return bytes.TrimSpace(body), "", nil
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var tree map[string]any
	if err := decoder.Decode(&tree); err != nil {
		return nil, "", err
	}
	out := &leaving{tree: tree, more: more}
	for _, most := range []int{maxText, maxExcerpt} {
		if kept, err = out.written(); err != nil || tokens(kept) <= maxTokens {
			break
		}
		out.tree, _ = out.cut("", out.tree, most).(map[string]any)
	}
	for err == nil && tokens(kept) > maxTokens {
		if kept, err = out.written(); err == nil && tokens(kept) > maxTokens && !out.drop() {
			return nil, "", fmt.Errorf("a result of %d tokens has no list to shorten", tokens(kept))
		}
	}
	return kept, out.sentence(), err
}

// leaving is a result that parts are taken out of.
type leaving struct {
	tree  map[string]any
	more  string
	texts int // how many were cut
	items int // how many were left out
	kept  int // how many the shortened list still has
}

// written returns the result, with a note of what was left out.
func (l *leaving) written() ([]byte, error) {
	if note := l.sentence(); note != "" {
		about := map[string]any{"texts": l.texts, "items": l.items, "how": note}
		if l.items > 0 {
			about["limit"] = l.kept
			delete(l.tree, "pagination") // its cursor would skip the items that were left out
		}
		l.tree["leftOut"] = about
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(l.tree)
	return bytes.TrimSpace(out.Bytes()), err
}

func (l *leaving) sentence() string {
	switch {
	case l.items > 0:
		return fmt.Sprintf("The result was too long: %d items were left out, and %d texts were cut. %s", l.items, l.texts, l.more)
	case l.texts > 0:
		return fmt.Sprintf("The result was too long: %d texts were cut.", l.texts)
	}
	return ""
}

// cut shortens every text of more than most characters in a value with a name. A part of what names something, such as an
// id, a link or a filter, is of no use: the later calls that it is for would fail, or find something else.
func (l *leaving) cut(name string, value any, most int) any {
	switch value := value.(type) {
	case string:
		if refers(name) {
			most = maxText
		}
		if utf8.RuneCountInString(value) <= most {
			return value
		}
		l.texts++
		return string([]rune(value)[:most]) + "…"
	case []any:
		for i := range value {
			value[i] = l.cut(name, value[i], most)
		}
	case map[string]any:
		for own := range value {
			switch {
			case own == "leftOut":
			case name == "filters":
				value[own] = l.cut(name, value[own], most)
			default:
				value[own] = l.cut(own, value[own], most)
			}
		}
	}
	return value
}

// refers reports whether texts of that name are for other calls and links.
func refers(name string) bool {
	switch name {
	case "sourceId", "url", "authorUrl", "authorAvatar", "imageUrl", "pollUrl", "nextCursor", "filters":
		return true
	}
	return false
}

// drop leaves out the last eighth of the longest list, and at least one item. It returns false if no list has items.
func (l *leaving) drop() bool {
	list, set := longest(l.tree)
	if len(list) == 0 {
		return false
	}
	gone := max(1, len(list)/8)
	l.items += gone
	l.kept = len(list) - gone
	set(list[:l.kept])
	return true
}

// longest finds the list with the most text in it, in the objects of a result.
func longest(in map[string]any) (list []any, set func([]any)) {
	size := 0
	var walk func(map[string]any)
	walk = func(object map[string]any) {
		for name, value := range object {
			switch value := value.(type) {
			case map[string]any:
				walk(value)
			case []any:
				encoded, err := json.Marshal(value)
				if err == nil && len(value) > 0 && len(encoded) > size {
					list, size = value, len(encoded)
					set = func(shorter []any) { object[name] = shorter }
				}
			}
		}
	}
	walk(in)
	return list, set
}
