package isolation_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// drawn are what is drawn anew for each answer, with what stands in place of it.
var drawn = []struct {
	form *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`es_key_[0-9A-Z]{26}_[\w-]+`), "<token>"},
	{regexp.MustCompile(`"nextCursor":"[^"]+"`), `"nextCursor":"<cursor>"`},
	{regexp.MustCompile(`\?token=[\w-]+`), "?token=<token>"},
}

var identifier = regexp.MustCompile(`\b[a-z]{2,5}_[0-9A-HJKMNP-TV-Z]{26}\b`)

// normalized returns a response as text: its status, headers and body. It leaves out what is drawn for each response,
// and writes "<id>" for the id that the request named. Ids drawn since the world was made become "<new>".
func (w world) normalized(a answer, id string) string {
	var text strings.Builder
	fmt.Fprintln(&text, a.status)
	for _, name := range slices.Sorted(maps.Keys(a.header)) {
		switch name {
		case "X-Request-Id", "Server-Timing", "Content-Length", "X-Amzn-Trace-Id":
			continue
		}
		fmt.Fprintln(&text, name, a.header[name])
	}
	text.WriteString(a.body)
	said := text.String()
	if id != "" {
		said = regexp.MustCompile(`(^|\W)`+regexp.QuoteMeta(id)+`(\W|$)`).ReplaceAllString(said, "$1<id>$2")
	}
	for _, d := range drawn {
		said = d.form.ReplaceAllString(said, d.as)
	}
	said = identifier.ReplaceAllStringFunc(said, func(found string) string {
		if w.ids[found] {
			return found
		}
		return "<new>"
	})
	if strings.Contains(said, "<") {
		said = etag.ReplaceAllString(said, "$1") // a digest of what is replaced too
	}
	return said
}

var etag = regexp.MustCompile(`(?m)^(Etag .*)[\w-]{24}"\]$`)

// equal holds two answers to each other, and what they cost: hereID and thereID are what the requests differ in.
func (w world) equal(t *testing.T, what string, here answer, hereID string, there answer, thereID string) {
	t.Helper()
	if one, other := w.normalized(here, hereID), w.normalized(there, thereID); one != other {
		one, other = differing(one, other), differing(other, one)
		t.Errorf("%s: with %q:\n%.1500s\nwith %q:\n%.1500s", what, hereID, one, thereID, other)
	}
	if here.reads != there.reads || here.writes != there.writes {
		t.Errorf("%s: %d reads and %d writes with %q, %d and %d with %q", what, here.reads, here.writes, hereID,
			there.reads, there.writes, thereID)
	}
	if here.status >= 500 || here.status == 429 {
		t.Errorf("%s: %d %s", what, here.status, here.body)
	}
}

// differing are the lines of a text that another has not.
func differing(text, other string) string {
	lines := strings.Split(other, "\n")
	return strings.Join(slices.DeleteFunc(strings.Split(text, "\n"),
		func(line string) bool { return slices.Contains(lines, line) }), "\n")
}

// silent fails the test when an answer has something of an agency that its request has not.
func (w world) silent(t *testing.T, what string, of *agency, r request, a answer) {
	t.Helper()
	told := w.normalized(a, "")
	for _, mark := range of.marks() {
		if strings.Contains(told, mark) && !strings.Contains(r.target+r.body, mark) {
			t.Errorf("%s: the answer tells of %q: %s", what, mark, told)
		}
	}
}

// marks are texts that nobody but the agency has.
func (a *agency) marks() []string {
	marks := []string{a.ID, a.Name}
	for _, of := range a.tenants {
		marks = append(marks, of.Name, of.domain())
		for _, id := range of.ids {
			if len(id) > 4 { // numbers are too short to tell
				marks = append(marks, id)
			}
		}
	}
	return marks
}
