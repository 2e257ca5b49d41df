package parquetfile_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"earshot/shared/mention"
)

// A textual is what a test reads back of a file.
type textual struct {
	ID       int64    `parquet:"id"`
	URL      string   `parquet:"url"`
	Title    *string  `parquet:"title"`
	Body     *string  `parquet:"body"`
	Author   *string  `parquet:"author"`
	Handle   *string  `parquet:"author_handle"`
	Keywords []string `parquet:"keywords,list"`

	Metrics map[string]int64 `parquet:"engagement_metrics"`
}

func mustReadBack(t *testing.T, mentions []mention.Mention) {
	t.Helper()
	content := write(t, mentions...)
	rows, err := parquet.Read[textual](bytes.NewReader(content), int64(len(content)))
	if err != nil || len(rows) != len(mentions) {
		t.Fatalf("%d of %d rows were read: %v", len(rows), len(mentions), err)
	}
	same := func(got, want *string) bool {
		return (got == nil) == (want == nil) && (got == nil || *got == *want)
	}
	for i, row := range rows {
		m := mentions[i]
		if row.ID != m.ID || row.URL != m.URL || !same(row.Title, m.Title) || !same(row.Body, m.Body) ||
			!same(row.Author, m.Author) {
			t.Errorf("row %d is %+v, want %+v", i, row, m)
		}
		handle := ""
		if m.Author != nil {
			handle = mention.Handle(*m.Author)
		}
		if (row.Handle == nil) != (handle == "") || row.Handle != nil && *row.Handle != handle {
			t.Errorf("row %d has another handle than %q: %v", i, handle, row.Handle)
		}
		for metric, n := range m.Engagement {
			if row.Metrics[metric] != n {
				t.Errorf("row %d has %d of %q, want %d", i, row.Metrics[metric], metric, n)
			}
		}
	}
}

// Hostile texts come back as they were.
func TestWriter_HostileTexts(t *testing.T) {
	for seed := range uint64(5) {
		mustReadBack(t, random(rand.New(rand.NewPCG(seed, 3)), 2_000))
	}
}

func FuzzWriter(f *testing.F) {
	f.Add("", "", "")
	f.Add("'; DROP TABLE mentions; --", "\x00\x1b[31m", "\u202e<script>")
	f.Add(strings.Repeat("a", 70_000), "💥", "@")
	f.Fuzz(func(t *testing.T, title, body, author string) {
		for _, text := range []string{title, body, author} {
			if !utf8.ValidString(text) {
				t.Skip("the store takes UTF-8 only")
			}
		}
		m := full()
		m.Title, m.Body, m.Author, m.URL, m.Engagement = &title, &body, &author, body, map[string]int64{author: 1, body: 2}
		m.Keywords = []mention.Keyword{{ID: 1, Text: title}}
		mustReadBack(t, []mention.Mention{m, full()})
	})
}
