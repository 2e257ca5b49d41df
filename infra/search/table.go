package search

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"earshot/infra/terminal"
)

// Bounds of a table.
const (
	leastWidth = 40
	mostWidth  = 160
	wideFrom   = 76 // columns from which a row has the minute and the tone
)

// table writes a completed search for people: a row for each mention, with its text and its URL below.
func (a *asker) table(to io.Writer, found answer) {
	wide := min(max(a.Width, leastWidth), mostWidth)
	counted := found.Stats
	a.wrap(to, "", fmt.Sprintf("%s for %s in the last %s: %s found, %s without doubles, %s relevant, %s counted.",
		plural(int64(len(found.Mentions)), "result", "results"), found.Query, found.TimeWindow,
		plural(counted.RawMatches, "post", "posts"), grouped(counted.AfterDedup), grouped(counted.AfterRelevance),
		plural(counted.MentionsConsumed, "mention", "mentions")), wide)
	if len(found.Mentions) == 0 {
		a.wrap(to, "", "Nothing was found: look further back with --window 30d, accept more with --relevance low, or use "+
			"fewer words.", wide)
	} else {
		fmt.Fprintln(to)
		a.row(to, " ", []string{"FIT", "WHEN", "SOURCE", "AUTHOR", "TONE"}, wide)
	}
	known := false
	for _, m := range found.Mentions {
		mark := " "
		if m.AlreadyInWorkspace {
			mark, known = "=", true
		}
		a.row(to, mark, []string{m.fit(), m.Timestamp, strings.ToLower(m.Source), m.author(), optional(m.Sentiment)}, wide)
		if text := a.text(m.text(), wide-4); text != "" {
			fmt.Fprintln(to, "    "+text)
		}
		if address := terminal.Safe(m.URL); address != "" { // in full, so that it can be copied
			fmt.Fprintln(to, "    "+address)
		}
	}
	if len(found.Mentions) > 0 {
		fmt.Fprintln(to)
	}
	if known {
		a.wrap(to, "= ", "The workspace has this mention already, so that it is free.", wide)
	}
	a.skipped(to, found.Stats.SkippedSources, wide)
}

// skipped writes the sources that were not asked, those with one reason together.
func (a *asker) skipped(to io.Writer, reasons map[string]string, wide int) {
	together := map[string][]string{}
	for _, source := range slices.Sorted(maps.Keys(reasons)) {
		together[reasons[source]] = append(together[reasons[source]], source)
	}
	for _, source := range slices.Sorted(maps.Keys(reasons)) {
		if same := together[reasons[source]]; same[0] == source {
			a.wrap(to, "Skipped: ", strings.Join(same, ", ")+". "+strings.TrimSuffix(reasons[source], ".")+".", wide)
		}
	}
}

// row writes the cells of a row: those of a wide one, or of a narrow one.
func (a *asker) row(to io.Writer, mark string, cells []string, wide int) {
	widths := []int{6, 10, 10, wide - 34, 0}
	if wide >= wideFrom {
		widths = []int{6, 16, 14, wide - 54, 8}
	}
	line := mark
	for i, cell := range cells {
		if widths[i] == 0 {
			continue
		}
		if i == 1 && len(cell) > widths[i] {
			cell = cell[:widths[i]] // a time is in ASCII, and anything else is made safe below
		}
		line += " " + terminal.Pad(a.text(cell, widths[i]), widths[i]+1)
	}
	fmt.Fprintln(to, strings.TrimRight(line, " "))
}

// text returns a stranger's text as the terminal can show it, in one line.
func (a *asker) text(text string, most int) string {
	text = terminal.Short(strings.Join(strings.Fields(text), " "), most)
	if a.ASCII {
		return terminal.ASCII(strings.ReplaceAll(text, "…", "~"))
	}
	return text
}

// wrap writes a text in lines.
func (a *asker) wrap(to io.Writer, first, text string, wide int) {
	if a.ASCII {
		text = terminal.ASCII(terminal.Safe(text))
	}
	terminal.Wrap(to, first, text, wide)
}

// fit returns how relevant a mention is.
func (m mention) fit() string {
	names := []string{"high", "medium", "low"}
	if m.RelevanceScore == nil || *m.RelevanceScore < 0 || *m.RelevanceScore >= len(names) {
		return m.Relevance
	}
	return names[*m.RelevanceScore]
}

func (m mention) author() string {
	if name := optional(m.Author); name != "" {
		return name
	}
	return optional(m.AuthorName)
}

// text returns the title and the body, or the body alone if it begins with the title.
func (m mention) text() string {
	title, body := optional(m.Title), optional(m.Body)
	switch {
	case title == "" || strings.HasPrefix(body, title):
		return body
	case body == "":
		return title
	}
	return title + ": " + body
}

// bySource returns how many posts each source brought, where that is a number.
func (s stats) bySource() string {
	var each []string
	for _, source := range slices.Sorted(maps.Keys(s.PerSource)) {
		var number int64
		if json.Unmarshal(s.PerSource[source], &number) == nil && number > 0 {
			each = append(each, source+" "+grouped(number))
		}
	}
	return strings.Join(each, ", ")
}

func optional(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// plural writes a number with the noun for one or for several.
func plural(n int64, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + several
}

// grouped writes a number with commas between thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
