package mentionwire_test

import (
	"encoding/csv"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"earshot/shared/web/mentionwire"
)

// sheets are ways in which programs take a file apart, by the separator. "strict" knows the quotation marks that begin
// a field, "lazy" keeps those within one, and "blind" knows none.
func sheets(t interface{ Fatalf(string, ...any) }, file string) map[string][]string {
	cells := map[string][]string{}
	for _, separator := range []rune{',', ';', '\t', '|'} {
		reader := csv.NewReader(strings.NewReader(file))
		reader.Comma, reader.LazyQuotes, reader.FieldsPerRecord = separator, true, -1
		rows, err := reader.ReadAll()
		if err != nil {
			t.Fatalf("a sheet that splits at %q cannot read %q: %v", separator, file, err)
		}
		cells["lazy "+string(separator)] = slices.Concat(rows...)
		cells["strict "+string(separator)] = strict(file, separator)
		if separator != ',' { // there every reader knows quotation marks, for commas are in most texts
			splits := func(c rune) bool { return c == separator || c == '\r' || c == '\n' }
			cells["blind "+string(separator)] = strings.FieldsFunc(file, splits)
		}
	}
	return cells
}

// strict reads fields as spreadsheets do: a field that begins with a quotation mark ends with the next that is not
// doubled, and what stands behind it up to the separator belongs to the field.
func strict(file string, separator rune) (cells []string) {
	var cell strings.Builder
	runes, quoted, begins := []rune(file), false, true
	for i := 0; i < len(runes); i++ {
		c := runes[i]
		switch {
		case quoted && c == '"' && i+1 < len(runes) && runes[i+1] == '"':
			cell.WriteRune(c)
			i++
		case quoted && c == '"':
			quoted = false
		case !quoted && begins && c == '"':
			quoted, begins = true, false
		case !quoted && (c == separator || c == '\r' || c == '\n'):
			cells, begins = append(cells, cell.String()), true
			cell.Reset()
		default:
			cell.WriteRune(c)
			begins = false
		}
	}
	return append(cells, cell.String())
}

// runs reports whether a sheet could run a cell, which it may trim first.
func runs(cell string) bool {
	trimmed := func(c rune) bool { return unicode.IsSpace(c) || unicode.In(c, unicode.Cc, unicode.Cf) }
	seen := strings.TrimLeftFunc(cell, trimmed)
	return seen != "" && strings.ContainsRune("=+-@＝＋－＠﹦﹢﹣﹫−", []rune(seen)[0])
}

func checkSheets(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
}, mentions ...mentionwire.Mention) {
	file := write(t, mentionwire.CSV, mentions...)
	for how, cells := range sheets(t, file) {
		for _, cell := range cells {
			if runs(cell) {
				t.Fatalf("split as %s, %q has a cell %q", how, file, cell)
			}
		}
	}
}

// No cell is a formula, whichever separator a sheet splits lines at.
func TestFormulas_EachSeparator(t *testing.T) {
	for _, text := range []string{"a;=1+1", "a\t=1+1", "a|=1+1", "a\n=1+1", "a\r\n=1+1",
		"a;\"=1+1\"", "a;\"\"=1+1", "a;\";=1+1", "a;\n\";=1+1\"",
		"=1;=1", ";", "\";", "a; -1", "a,=1"} {
		m := mentionwire.Mention{
			ID: 1, SourceID: text, Source: text, URL: text, Title: &text, Body: &text, Author: &text,
			Keywords:             []mentionwire.MentionKeyword{{Keyword: "northwind"}, {Keyword: text}, {Keyword: "@acme"}},
			EngagementMetrics:    map[string]int64{text: 1},
			EngagementObservedAt: "2026-11-20T10:00:00.000Z",
			Review:               &mentionwire.MentionReview{Response: text, TargetName: text},
		}
		checkSheets(t, m, m)
	}
}

func TestFormulas_AnyText(t *testing.T) {
	signs := rapid.SampledFrom([]rune("=+-@;;|\t\r\n\"\"', ＝\u200b\ufeff\x00a1"))
	pieces := rapid.StringOf(rapid.OneOf(signs, rapid.Rune()))
	rapid.Check(t, func(t *rapid.T) {
		m := func() mentionwire.Mention {
			text := func(name string) string { return pieces.Draw(t, name) }
			return mentionwire.Mention{
				ID: 1, Title: new(text("title")), Body: new(text("body")), Author: new(text("author")),
				Keywords:          []mentionwire.MentionKeyword{{Keyword: text("keyword")}, {Keyword: text("keyword")}},
				EngagementMetrics: map[string]int64{text("metric"): -1},
				Review:            &mentionwire.MentionReview{Response: text("response")},
			}
		}
		checkSheets(t, m(), m())
	})
}

// The values of a list are told apart by "; ", and counters are the same JSON, whatever is made harmless in them.
func TestFormulas_ListsAndCounters(t *testing.T) {
	counters := map[string]int64{"a;=b|c": 1, "\"@x": -2}
	keywords := []mentionwire.MentionKeyword{{Keyword: "northwind"}, {Keyword: "@acme"}, {Keyword: "+1"}}
	m := mentionwire.Mention{ID: 1, Keywords: keywords, EngagementMetrics: counters}
	rows, err := csv.NewReader(strings.NewReader(write(t, mentionwire.CSV, m))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(rows[1][10], "; "); !slices.Equal(got, []string{"northwind", "'@acme", "'+1"}) {
		t.Errorf("keywords = %q", got)
	}
	var got map[string]int64
	if err := json.Unmarshal([]byte(rows[1][15]), &got); err != nil || !maps.Equal(got, counters) {
		t.Errorf("engagementMetrics = %s, %v", rows[1][15], err)
	}
}
