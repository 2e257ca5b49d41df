package chart

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/infra/terminal"
)

// A Style says what the terminal can do.
type Style struct {
	Columns int  // of a line; 0: terminal.UsualWidth
	ASCII   bool // no other letters than those of ASCII
	Color   bool
}

// Bounds of a drawing.
const (
	leastColumns = 40
	mostColumns  = 120
	mostBuckets  = 62 // rows of volume: two months of days
	mostNames    = 12 // rows of platforms and topics
	mostLabel    = 28 // columns of a name
	foldedFrom   = 3  // empty buckets in a row that become one row
)

// The colours, as their SGR parameters.
const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// A canvas collects what is drawn.
type canvas struct {
	Style
	bytes.Buffer
}

// painted returns a text in a colour, if there are colours.
func (c *canvas) painted(color, text string) string {
	if !c.Color || color == "" || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// text returns a stranger's text as the terminal can show it.
func (c *canvas) text(text string, most int) string {
	if text = terminal.Short(text, most); c.ASCII {
		text = strings.ReplaceAll(text, "…", "~")
		return terminal.ASCII(text)
	}
	return text
}

// draw writes the figures for people.
func (s shown) draw(to io.Writer, style Style) error {
	if style.Columns <= 0 {
		style.Columns = terminal.UsualWidth
	}
	style.Columns = min(max(style.Columns, leastColumns), mostColumns)
	c := &canvas{Style: style}
	s.heading(c)
	if s.total > 0 {
		s.volume(c)
		c.bars("Sentiment", "", s.sentiment, s.total, len(s.sentiment))
		c.bars("Platforms", "", s.sources, s.total, mostNames)
		c.bars("Topics", "a mention counts for each of its topics", s.tags, s.total, mostNames)
	}
	s.voice(c)
	_, err := to.Write(c.Bytes())
	return err
}

// heading says what is counted, and whether exactly.
func (s shown) heading(c *canvas) {
	period := ""
	if n := len(s.buckets); n > 0 {
		first, last := s.label(s.buckets[0].name), s.label(s.buckets[n-1].name)
		if s.granularity == "week" {
			first = "the weeks of " + first // their Mondays: the last week ends later
		}
		period = fmt.Sprintf(", %s to %s in %s", first, last, zoneOr(s.zone))
	}
	noun := "mentions"
	if s.total == 1 {
		noun = "mention"
	}
	exact := "Every figure is exact."
	if len(s.notExact) > 0 {
		exact = "Not exact: " + strings.Join(s.notExact, " ")
	}
	line := fmt.Sprintf("%s %s%s. %s", grouped(s.total), noun, period, exact)
	if c.ASCII {
		line = terminal.ASCII(terminal.Safe(line))
	}
	var wrapped bytes.Buffer
	terminal.Wrap(&wrapped, "", line, c.Columns)
	first, rest, _ := strings.Cut(wrapped.String(), "\n")
	fmt.Fprintf(c, "%s\n%s", c.painted(bold, first), rest)
	if s.total == 0 {
		terminal.Wrap(c, "", "Nothing is counted here: look at a longer period with --start, leave out a filter, or "+
			"count mentions that are not relevant too with --relevance 0,1,2,none.", c.Columns)
	}
}

// zoneOr returns the name of a zone, or UTC for none.
func zoneOr(zone string) string {
	if zone == "" {
		return "UTC"
	}
	return zone
}

// label returns the name of a bucket: a day with its weekday, a month without a day, or an hour.
func (s shown) label(name string) string {
	switch s.granularity {
	case "hour":
		if at, err := time.Parse(time.RFC3339, name); err == nil {
			zone, err := time.LoadLocation(zoneOr(s.zone))
			if err != nil {
				zone = time.UTC
			}
			return at.In(zone).Format("2006-01-02 15:04")
		}
	case "month":
		if day, err := time.Parse(time.DateOnly, name); err == nil {
			return day.Format("2006-01")
		}
	}
	return terminal.Short(name, 24)
}

// volume draws a sparkline and a bar for each bucket.
func (s shown) volume(c *canvas) {
	counts := make([]int64, len(s.buckets))
	for i, b := range s.buckets {
		counts[i] = b.count
	}
	sums, each := summed(counts, c.Columns-4)
	more := "by " + s.granularity
	if each > 1 {
		more += fmt.Sprintf("; a sign is %d %ss", each, s.granularity)
	}
	c.title("Volume", more)
	fmt.Fprintf(c, "  %s\n", c.painted(cyan, c.spark(sums, slices.Max(sums))))
	rows := s.folded()
	if hidden := len(rows) - mostBuckets; hidden > 0 {
		fmt.Fprintf(c, "  %s\n", c.painted(faint, fmt.Sprintf("the first %d rows are left out; --json has them", hidden)))
		rows = rows[hidden:]
	}
	c.rows(rows, slices.Max(counts), 0, nil)
}

// folded returns the rows of volume. Several empty buckets in a row are one row.
func (s shown) folded() (rows []counted) {
	for i := 0; i < len(s.buckets); {
		end := i
		for end < len(s.buckets) && s.buckets[end].count == 0 {
			end++
		}
		if end-i >= foldedFrom {
			name := s.label(s.buckets[i].name) + " - " + s.label(s.buckets[end-1].name)
			if s.granularity == "hour" {
				name = fmt.Sprintf("%d hours", end-i)
			}
			rows = append(rows, counted{name: name})
			i = end
			continue
		}
		name := s.label(s.buckets[i].name)
		if day, err := time.Parse(time.DateOnly, s.buckets[i].name); err == nil && s.granularity == "day" {
			name += day.Format(" Mon")
		}
		rows = append(rows, counted{name: name, count: s.buckets[i].count})
		i++
	}
	return rows
}

// title writes a heading with what there is to know about it.
func (c *canvas) title(name, more string) {
	switch {
	case len(name)+2+len(more) > c.Columns:
		more = ""
	case more != "":
		more = "  " + c.painted(faint, more)
	}
	fmt.Fprintf(c, "\n%s%s\n", c.painted(bold, name), more)
}

// bars draws a part of the figures. Names beyond most are summed in one row.
func (c *canvas) bars(name, more string, all []counted, total int64, most int) {
	if len(all) == 0 {
		return
	}
	c.title(name, more)
	var rest int64
	for _, row := range all[min(most, len(all)):] {
		rest += row.count
	}
	c.rows(all[:min(most, len(all))], highest(all), total, colorOf)
	if len(all) > most {
		fmt.Fprintf(c, "  %s\n", c.painted(faint, fmt.Sprintf("and %d more: %s", len(all)-most, grouped(rest))))
	}
}

// voice draws share of voice: what each name has of all counts, with its course.
func (s shown) voice(c *canvas) {
	if s.voiced == 0 {
		return
	}
	c.title("Share of voice", "own brand and competitors, by "+s.voiceGranularity)
	c.rows(s.voices, highest(s.voices), s.voiced, nil)
	if len(s.voiceBuckets) < 2 {
		return
	}
	fmt.Fprintln(c)
	label, most := c.labels(s.voices), int64(0)
	lines := make([][]int64, len(s.voices))
	for i, v := range s.voices {
		counts := make([]int64, len(s.voiceBuckets))
		for n, name := range s.voiceBuckets {
			counts[n] = v.buckets[name]
		}
		lines[i], _ = summed(counts, c.Columns-label-4)
		most = max(most, slices.Max(lines[i]))
	}
	for i, v := range s.voices {
		fmt.Fprintf(c, "  %s  %s\n", terminal.Pad(c.text(v.name, label), label), c.painted(cyan, c.spark(lines[i], most)))
	}
}

// colorOf returns the colour of a sentiment's bar.
func colorOf(name string) string {
	return map[string]string{"Positive": green, "Negative": red, "Neutral": yellow}[name]
}

func highest(all []counted) (most int64) {
	for _, row := range all {
		most = max(most, row.count)
	}
	return most
}

// labels returns how many columns the names take.
func (c *canvas) labels(rows []counted) (columns int) {
	for _, row := range rows {
		columns = max(columns, terminal.Width(c.text(row.name, mostLabel)))
	}
	return min(columns, c.Columns/2)
}

// rows draws a row for each name: the name, the count, its share of total if there is one, and a bar. The bar of the
// highest count ends with the line.
func (c *canvas) rows(rows []counted, most, total int64, color func(string) string) {
	label, number := c.labels(rows), 0
	for _, row := range rows {
		number = max(number, len(grouped(row.count)))
	}
	label = min(label, c.Columns-number-11) // blanks and a share
	for _, row := range rows {
		line := "  " + terminal.Pad(c.text(row.name, label), label) + "  " + fmt.Sprintf("%*s", number, grouped(row.count))
		if total > 0 {
			line += fmt.Sprintf("  %5s", percent(row.count, total))
		}
		paint := cyan
		if color != nil && color(row.name) != "" {
			paint = color(row.name)
		}
		line += "  " + c.painted(paint, c.bar(row.count, most, c.Columns-terminal.Width(line)-2))
		fmt.Fprintln(c, strings.TrimRight(line, " "))
	}
}

// bar returns a bar in eighths of a column, at least one for a count that is not 0.
func (c *canvas) bar(count, most int64, columns int) string {
	if count == 0 || most == 0 || columns <= 0 {
		return ""
	}
	if c.ASCII {
		return strings.Repeat("#", max(1, scaled(count, most, columns)))
	}
	eighths := max(1, scaled(count, most, 8*columns))
	line := strings.Repeat("█", eighths/8)
	if part := eighths % 8; part > 0 {
		line += string([]rune("▏▎▍▌▋▊▉")[part-1])
	}
	return line
}

// scaled returns how much of size a count is of the highest, rounded.
func scaled(count, most int64, size int) int {
	return min(size, int(float64(count)/float64(most)*float64(size)+0.5))
}

// summed returns sums of the counts that fit into a number of columns, and how many counts each of them sums.
func summed(counts []int64, columns int) (sums []int64, each int) {
	each = max(1, (len(counts)+columns-1)/columns)
	for some := range slices.Chunk(counts, each) {
		sum := int64(0)
		for _, n := range some {
			sum += n
		}
		sums = append(sums, sum)
	}
	return sums, each
}

// spark returns a line with a sign for each sum. most is the highest sum.
func (c *canvas) spark(sums []int64, most int64) string {
	signs, blank := []rune("▁▂▃▄▅▆▇█"), '·'
	if c.ASCII {
		signs, blank = []rune(".:-=+*#@"), '_'
	}
	var b strings.Builder
	for _, sum := range sums {
		if sum == 0 {
			b.WriteRune(blank)
			continue
		}
		b.WriteRune(signs[max(1, scaled(sum, most, len(signs)))-1])
	}
	return b.String()
}

// percent returns a share for people.
func percent(count, total int64) string {
	share := 100 * float64(min(count, total)) / float64(total)
	switch {
	case count > 0 && share < 1:
		return "<1 %"
	case count < total && share > 99:
		return "99 %"
	}
	return fmt.Sprintf("%.0f %%", share)
}

// grouped writes a number with commas between thousands.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
