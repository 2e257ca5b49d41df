package mentionwire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A column of a CSV file. Its value may be a stranger's text, unless ours is set. A value that we write ourselves, such
// as a number, goes into its cell unchanged.
type column struct {
	name string
	ours bool
	of   func(Mention) string
}

// columns are the contract's columns (section 3), in its order.
var columns = []column{
	{"id", true, func(m Mention) string { return strconv.FormatInt(m.ID, 10) }},
	{"sourceId", false, func(m Mention) string { return m.SourceID }},
	{"timestamp", true, func(m Mention) string { return m.Timestamp }},
	{"source", false, func(m Mention) string { return m.Source }},
	{"url", false, func(m Mention) string { return m.URL }},
	{"title", false, func(m Mention) string { return orZero(m.Title) }},
	{"body", false, func(m Mention) string { return orZero(m.Body) }},
	{"author", false, func(m Mention) string { return orZero(m.Author) }},
	{"authorFollowers", true, func(m Mention) string { return decimal(m.AuthorFollowers) }},
	{"language", false, func(m Mention) string { return m.Language }},
	{"keywords", false, func(m Mention) string {
		// Each keyword on its own, so that "; " still separates them.
		return joined(m.Keywords, func(k MentionKeyword) string { return harmless(k.Keyword) })
	}},
	{"tags", false, func(m Mention) string { return joined(m.Tags, func(t Tag) string { return string(t) }) }},
	{"relevance", true, func(m Mention) string { return string(m.Relevance) }},
	{"sentiment", true, func(m Mention) string { return string(orZero(m.Sentiment)) }},
	{"engaged", true, func(m Mention) string { return strconv.FormatBool(m.Engaged) }},
	{"engagementMetrics", true, func(m Mention) string { return counters(m.EngagementMetrics) }},
	{"engagementObservedAt", true, func(m Mention) string { return m.EngagementObservedAt }},
	{
		"reviewRating", true,
		func(m Mention) string { return ofReview(m, func(r MentionReview) string { return number(r.Rating) }) },
	},
	{"reviewRatingMax", true, func(m Mention) string {
		return ofReview(m, func(r MentionReview) string { return number(r.RatingMax) })
	}},
	{"reviewVerified", true, func(m Mention) string {
		return ofReview(m, func(r MentionReview) string {
			if r.Verified == nil {
				return ""
			}
			return strconv.FormatBool(*r.Verified)
		})
	}},
	{
		"reviewResponse", false,
		func(m Mention) string { return ofReview(m, func(r MentionReview) string { return r.Response }) },
	},
	{
		"reviewResponseAt", true,
		func(m Mention) string { return ofReview(m, func(r MentionReview) string { return r.ResponseAt }) },
	},
	{
		"reviewTargetName", false,
		func(m Mention) string { return ofReview(m, func(r MentionReview) string { return r.TargetName }) },
	},
}

// Columns returns the names in the first line of a CSV file. keywords and tags hold their values with "; " between, and
// engagementMetrics holds a JSON object. A cell is empty if the mention lacks the value.
func Columns() []string {
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = column.name
	}
	return names
}

// cells returns a mention's line.
func cells(m Mention) []string {
	record := make([]string, len(columns))
	for i, column := range columns {
		record[i] = column.of(m)
		if !column.ours {
			record[i] = harmless(record[i])
		}
	}
	return record
}

const (
	// separators are the characters besides the comma at which sheets split a line, and those that end one.
	separators = ";|\t\r\n\v\f\u0085\u2028\u2029"
	// starters begin a formula.
	starters = "=+-@＝＋－＠﹦﹢﹣﹫−"
)

// harmless returns a text that no spreadsheet takes for a formula. It puts an apostrophe, which spreadsheets know as
// the mark of text, before what would begin one (OWASP, "CSV Injection").
//
// A formula can begin a cell, and it can follow a separator within the cell. A sheet that splits lines at another
// separator than the comma ignores quotation marks within a field, and splits the text ("plain;=1+1"). A comma needs no
// apostrophe behind it: where sheets split at commas, the quotation marks hold. Ordinary text changes only if one of
// the starters begins it or follows a separator: lines of a list ("\n- one") and lines that begin with a handle
// ("\n@one") change.
func harmless(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	var guarded strings.Builder
	if beginsCell(text) {
		guarded.WriteByte('\'')
	}
	written := 0
	for i, c := range text {
		if !strings.ContainsRune(separators, c) {
			continue
		}
		if behind := i + utf8.RuneLen(c); beginsPiece(text[behind:]) {
			guarded.WriteString(text[written:behind])
			guarded.WriteByte('\'')
			written = behind
		}
	}
	guarded.WriteString(text[written:])
	return guarded.String()
}

// beginsCell reports whether a sheet could run a cell's text. A formula may also follow characters that are trimmed or
// invisible.
func beginsCell(text string) bool {
	for _, c := range text {
		if strings.ContainsRune(starters+"\t\r\n", c) {
			return true
		}
		if !unseen(c) {
			return false
		}
	}
	return false
}

// beginsPiece reports whether a sheet could run a text that follows a separator. Sheets may drop quotation marks before
// it.
func beginsPiece(text string) bool {
	for _, c := range text {
		if strings.ContainsRune(separators, c) {
			return false // the next piece begins
		}
		if strings.ContainsRune(starters, c) {
			return true
		}
		if !unseen(c) && c != '"' {
			return false
		}
	}
	return false
}

func unseen(c rune) bool { return unicode.IsSpace(c) || unicode.In(c, unicode.Cc, unicode.Cf) }

// appendRecord appends a line in the form of RFC 4180. encoding/csv would change the line ends within cells.
func appendRecord(line []byte, record []string) []byte {
	for i, cell := range record {
		if i > 0 {
			line = append(line, ',')
		}
		if !strings.ContainsAny(cell, "\",\r\n;\t") && strings.TrimSpace(cell) == cell {
			line = append(line, cell...)
			continue
		}
		line = append(line, '"')
		line = append(line, strings.ReplaceAll(cell, `"`, `""`)...)
		line = append(line, '"')
	}
	return append(line, "\r\n"...)
}

func decimal(value *int64) string {
	if value == nil {
		return ""
	}
	return strconv.FormatInt(*value, 10)
}

func number(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }

func joined[T any](values []T, text func(T) string) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = text(value)
	}
	return strings.Join(texts, "; ")
}

func ofReview(m Mention, value func(MentionReview) string) string {
	if m.Review == nil {
		return ""
	}
	return value(*m.Review)
}

// counters returns engagement counters as JSON, sorted by name.
func counters(metrics map[string]int64) string {
	if len(metrics) == 0 {
		return ""
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(metrics); err != nil {
		panic(fmt.Sprintf("mentionwire: %v", err)) // a map of texts to numbers always marshals
	}
	var text strings.Builder
	for _, c := range strings.TrimSuffix(out.String(), "\n") {
		if strings.ContainsRune(separators, c) { // JSON can escape a separator in a name, so that no sheet splits there
			fmt.Fprintf(&text, `\u%04x`, c)
		} else {
			text.WriteRune(c)
		}
	}
	return text.String()
}
