package feed

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Mended is a feed or an alert whose filters named a keyword that was deleted.
type Mended struct {
	ID     int64
	Name   string
	Change string // KeywordRemoved or TextInstead, or Paused of an alert
}

// Mendings are the feeds and the alerts whose filters named a keyword that was deleted, each by id.
type Mendings struct{ Feeds, Alerts []Mended }

// What happens to a feed or an alert whose filters named a keyword that is deleted.
const (
	// its id was removed from lists that name others, or whose place was taken already
	KeywordRemoved = "keyword_removed"
	TextInstead    = "text_instead" // a list named no other keyword, so the keyword's text replaced it
	// an alert is disabled with its filters as they are, because without the keyword they would select other mentions
	Paused = "paused"
)

// PausedByKeyword is why an alert is Paused, as alert.KeywordDeleted. It is here so that the deletion of a keyword does not
// link alerts.
const PausedByKeyword = "keyword_deleted"

// FiltersWithout returns the filters of an alert without a keyword, and what happens to the alert. The filters are of
// either grammar. named reports whether they named the keyword at all.
//
// Unlike a feed, an alert never watches the keyword's text instead: nobody collects its mentions any more, so that the
// alert would be silent for ever, or fire at once. A list of keyword that named no other keyword is therefore Paused,
// and so is a list of !keyword whose keyword has no text that could be excluded instead. Paused filters are returned as
// they are.
func FiltersWithout(filters []byte, id int64, text string) (mended []byte, change string, named bool) {
	m := mender{id: strconv.FormatInt(id, 10), number: float64(id), text: textValue(text)}
	mended, ok := m.simple(filters)
	if !ok {
		mended, ok = m.advanced(filters)
	}
	switch {
	case !ok:
		return filters, "", false
	case m.changesMore:
		return filters, Paused, true
	case m.replaced:
		return mended, TextInstead, true
	}
	return mended, KeywordRemoved, true
}

// Without returns the feed without a keyword, by the keyword's id and text. named reports whether the filters named the
// keyword at all. Without removes the id from every list of keyword and !keyword. A condition that named the keyword
// alone would then take everything, so the keyword's text replaces it, and the feed still shows what mentions it.
//
// A simple filter has room for one condition on texts. If it has one already, !text gets the keyword's text as a
// further value, because it excludes each of its values. text would take either, so the keyword's text becomes a group
// of the advanced side, which must hold too. An advanced side whose groups are joined by OR has no place for such a
// group. Then the simple filter keeps only its texts. A keyword whose text no filter can hold leaves nothing behind.
//
// All else stays as the client wrote it, in order and spelling. The feed has no more conditions than before.
func (f Feed) Without(id int64, text string) (mended Feed, change string, named bool) {
	m := mender{id: strconv.FormatInt(id, 10), number: float64(id), text: textValue(text)}
	if simple, ok := m.simple(f.SimpleFilters); ok {
		f.SimpleFilters = simple
	}
	if advanced, ok := m.advanced(f.AdvancedFilters); ok {
		f.AdvancedFilters = advanced
	}
	if joined, ok := withGroup(f.AdvancedFilters, m.displaced); ok {
		f.AdvancedFilters, m.replaced = joined, true
	}
	switch {
	case !m.named:
		return f, "", false
	case m.replaced:
		return f, TextInstead, true
	}
	return f, KeywordRemoved, true
}

// filter.MaxText and filter.MaxValues. The deletion of a keyword needs no more of the grammar, and so does not link it.
const (
	maxFilterText   = 200
	maxFilterValues = 100
)

// textValue returns the value of a condition on text, or nil if no filter can hold the text.
func textValue(text string) jsontext.Value {
	quoted, err := jsontext.AppendQuote([]byte("["), text)
	if err != nil || strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > maxFilterText {
		return nil
	}
	return append(quoted, ']')
}

// mender removes a keyword from filters, and records what it did.
type mender struct {
	id       string
	number   float64
	text     jsontext.Value
	named    bool
	replaced bool
	// whether a condition was dropped, or one that required the keyword does not any more
	changesMore bool
	displaced   []jsontext.Value // conditions on texts for which the simple side has no room
}

// member is a name and its value as written.
type member struct{ name, value jsontext.Value }

func (m member) is(name string) bool {
	unquoted, err := jsontext.AppendUnquote(nil, m.name)
	return err == nil && string(unquoted) == name
}

// simple returns the filter without the keyword. ok is false if nothing changes.
func (m *mender) simple(raw []byte) (mended []byte, ok bool) {
	members, ok := readObject(raw)
	if !ok {
		return nil, false
	}
	changed := false
	for _, not := range []string{"", "!"} {
		i := slices.IndexFunc(members, func(one member) bool { return one.is(not + "keyword") })
		if i < 0 {
			continue
		}
		left, found := m.list(members[i].value)
		if !found {
			continue
		}
		changed = true
		m.changesMore = m.changesMore || left == nil && not == ""
		texts := slices.IndexFunc(members, func(one member) bool { return one.is(not + "text") })
		switch {
		case left != nil:
			members[i].value = left
		case m.text != nil && texts < 0:
			members[i], m.replaced = m.instead(not), true
		case m.text != nil && not == "!" && m.adds(&members[texts].value):
			members, m.replaced = slices.Delete(members, i, i+1), true
		default:
			if m.text != nil {
				m.displaced = append(m.displaced, writeObject([]member{m.instead(not)}))
			}
			members, m.changesMore = slices.Delete(members, i, i+1), true
		}
	}
	return writeObject(members), changed
}

// advanced returns the filter without the keyword, or nil if no group is left. ok is false if nothing changes.
func (m *mender) advanced(raw []byte) (mended []byte, ok bool) {
	members, ok := readObject(raw)
	if !ok {
		return nil, false
	}
	at := slices.IndexFunc(members, func(one member) bool { return one.is("groups") })
	if at < 0 {
		return nil, false
	}
	groups, changed := m.each(members[at].value, m.group)
	if !changed {
		return nil, false
	}
	if len(groups) == 0 {
		return nil, true
	}
	members[at].value = writeArray(groups)
	return writeObject(members), true
}

// group returns a group without the keyword, or nil if no condition is left.
func (m *mender) group(raw jsontext.Value) (mended jsontext.Value, changed bool) {
	members, _ := readObject(raw)
	at := slices.IndexFunc(members, func(one member) bool { return one.is("conditions") })
	if at < 0 {
		return raw, false
	}
	conditions, changed := m.each(members[at].value, m.condition)
	if len(conditions) == 0 {
		return nil, changed
	}
	members[at].value = writeArray(conditions)
	return writeObject(members), changed
}

// condition returns a condition without the keyword, or nil if nothing can replace it.
func (m *mender) condition(raw jsontext.Value) (mended jsontext.Value, changed bool) {
	members, _ := readObject(raw)
	for _, not := range []string{"", "!"} {
		if len(members) != 1 || !members[0].is(not+"keyword") {
			continue
		}
		left, found := m.list(members[0].value)
		m.changesMore = m.changesMore || found && left == nil && (not == "" || m.text == nil)
		switch {
		case !found:
			return raw, false
		case left != nil:
			members[0].value = left
		case m.text == nil:
			return nil, true
		default:
			members[0], m.replaced = m.instead(not), true
		}
		return writeObject(members), true
	}
	return raw, false
}

// instead returns the condition that replaces the keyword.
func (m *mender) instead(not string) member {
	return member{jsontext.Value(`"` + not + `text"`), m.text}
}

// adds puts the keyword's text behind the other values of a list. It reports false, and changes nothing, if the list is
// full.
func (m *mender) adds(list *jsontext.Value) bool {
	values, ok := readArray(*list)
	own, _ := readArray(m.text)
	if !ok || len(values) >= maxFilterValues {
		return false
	}
	*list = writeArray(append(values, own...))
	return true
}

// withGroup returns an advanced filter for which one more group of conditions must hold. ok is false if there are no
// conditions, or if the filter joins several groups by OR.
func withGroup(raw []byte, conditions []jsontext.Value) (joined []byte, ok bool) {
	if len(conditions) == 0 {
		return nil, false
	}
	and := jsontext.Value(`"AND"`)
	group := writeObject([]member{
		{jsontext.Value(`"operator"`), and},
		{jsontext.Value(`"conditions"`), writeArray(conditions)},
	})
	members, _ := readObject(raw)
	if len(members) == 0 {
		return writeObject([]member{
			{jsontext.Value(`"operator"`), and},
			{jsontext.Value(`"groups"`), writeArray([]jsontext.Value{group})},
		}), true
	}
	operator := slices.IndexFunc(members, func(one member) bool { return one.is("operator") })
	at := slices.IndexFunc(members, func(one member) bool { return one.is("groups") })
	if operator < 0 || at < 0 {
		return nil, false
	}
	groups, isArray := readArray(members[at].value)
	how, err := jsontext.AppendUnquote(nil, members[operator].value)
	if err != nil || !isArray || string(how) != "AND" && len(groups) > 1 {
		return nil, false
	}
	members[operator].value, members[at].value = and, writeArray(append(groups, group))
	return writeObject(members), true
}

// each changes the elements of an array and drops those that become nil. It leaves the elements alone if nothing
// changes.
func (m *mender) each(
	raw jsontext.Value, change func(jsontext.Value) (jsontext.Value, bool),
) (elements []jsontext.Value, changed bool) {
	elements, _ = readArray(raw)
	kept := elements[:0]
	for _, element := range elements {
		mended, differs := change(element)
		changed = changed || differs
		if !differs {
			mended = element
		}
		if mended != nil {
			kept = append(kept, mended)
		}
	}
	return kept, changed
}

// list returns a list of ids without the keyword's, or nil if none is left.
func (m *mender) list(raw jsontext.Value) (left jsontext.Value, found bool) {
	ids, _ := readArray(raw)
	others := slices.DeleteFunc(slices.Clone(ids), func(id jsontext.Value) bool { return m.is(string(id)) })
	if len(others) == len(ids) {
		return raw, false
	}
	m.named = true
	if len(others) == 0 {
		return nil, true
	}
	return writeArray(others), true
}

// is compares numbers as filters do: 7, 7.0 and 70e-1 are one.
func (m *mender) is(number string) bool {
	if number == m.id {
		return true
	}
	value, err := strconv.ParseFloat(number, 64)
	return err == nil && strings.ContainsAny(number, ".eE") && value == m.number
}

// readObject splits an object into its members as they are written. ok is false if raw is no object.
func readObject(raw []byte) (members []member, ok bool) {
	decoder := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true))
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '{' {
		return nil, false
	}
	for decoder.PeekKind() != '}' {
		name, err := decoder.ReadValue()
		if err != nil {
			return nil, false
		}
		one := member{name: name.Clone()}
		value, err := decoder.ReadValue()
		if err != nil {
			return nil, false
		}
		one.value = value.Clone()
		members = append(members, one)
	}
	return members, true
}

func readArray(raw []byte) (elements []jsontext.Value, ok bool) {
	decoder := jsontext.NewDecoder(bytes.NewReader(raw))
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '[' {
		return nil, false
	}
	for decoder.PeekKind() != ']' {
		value, err := decoder.ReadValue()
		if err != nil {
			return nil, false
		}
		elements = append(elements, value.Clone())
	}
	return elements, true
}

func writeObject(members []member) jsontext.Value {
	written := jsontext.Value("{")
	for i, one := range members {
		if i > 0 {
			written = append(written, ',')
		}
		written = append(append(append(written, one.name...), ':'), one.value...)
	}
	return append(written, '}')
}

func writeArray(elements []jsontext.Value) jsontext.Value {
	written := jsontext.Value("[")
	for i, element := range elements {
		if i > 0 {
			written = append(written, ',')
		}
		written = append(written, element...)
	}
	return append(written, ']')
}
