package parquetfile_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"earshot/shared/analytics/files"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/parquetfile"
)

var now = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

// write returns a file of mentions.
func write(t testing.TB, mentions ...mention.Mention) []byte {
	t.Helper()
	var out bytes.Buffer
	w := parquetfile.NewWriter(&out)
	for i := range mentions {
		if err := w.Write(&mentions[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w.Rows() != int64(len(mentions)) {
		t.Errorf("Rows = %d, want %d", w.Rows(), len(mentions))
	}
	return out.Bytes()
}

// open opens a file with the library's own reader.
func open(t testing.TB, content []byte) *parquet.File {
	t.Helper()
	file, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// cells reads all rows as texts by column, elements of lists joined by "|". A null is "<null>".
func cells(t testing.TB, content []byte) (lines []map[string]string) {
	t.Helper()
	reader := parquet.NewReader(open(t, content))
	defer reader.Close()
	columns := reader.Schema().Columns()
	buffer := make([]parquet.Row, 1)
	for {
		n, err := reader.ReadRows(buffer)
		if n == 0 {
			if err == nil {
				t.Fatal("no row and no error")
			}
			return lines
		}
		line := map[string]string{}
		for _, value := range buffer[0] {
			path := columns[value.Column()]
			text := value.String()
			nested := len(path) > 1
			switch {
			case value.IsNull() && nested:
				text = ""
			case value.IsNull():
				text = "<null>"
			}
			name := path[0]
			if path[len(path)-1] == "value" {
				name += ".value"
			}
			if before, again := line[name]; again {
				text = before + "|" + text
			}
			line[name] = text
		}
		lines = append(lines, line)
	}
}

func ref[T any](value T) *T { return &value }

// full returns a mention that has everything.
func full() mention.Mention {
	return mention.Mention{
		ID:                   7,
		SourceID:             "twitter_post_7",
		URL:                  "https://x.com/a/7",
		Title:                ref("A title"),
		Body:                 ref("a body\x00 with 日本語 👍 and \"quotes\""),
		Source:               "TWITTER",
		PostedAt:             now,
		Author:               ref(" @Ada "),
		AuthorName:           "Ada",
		AuthorURL:            ref("https://x.com/ada"),
		AuthorFollowers:      ref(int64(12)),
		Relevant:             true,
		RelevanceScore:       ref(mention.Medium),
		RelevanceComment:     "why",
		Sentiment:            mention.Negative,
		Language:             "english",
		Tags:                 []mention.Tag{"pricing", "hiring", "pricing"},
		Keywords:             []mention.Keyword{{ID: 9, Text: "nine"}, {ID: 2, Text: "two"}, {ID: 9, Text: "nine"}},
		Engaged:              true,
		IsReply:              true,
		Review:               &mention.Review{Rating: 3.5, RatingMax: 5, TargetName: "target"},
		FeedbackRelevant:     ref(1),
		ImageURL:             "https://i",
		Engagement:           map[string]int64{"views": 100, "likes": 3, "replies": 4},
		EngagementObservedAt: now.Add(time.Hour),
	}
}

func TestWriter_Columns(t *testing.T) {
	schema := open(t, write(t, full())).Schema()
	var got []string
	for _, field := range schema.Fields() {
		kind := "group"
		if field.Leaf() {
			kind = field.Type().String()
		}
		if field.Optional() {
			kind += "?"
		}
		got = append(got, field.Name()+" "+kind)
	}
	types := map[files.Type]string{
		files.Timestamp:   "TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS)",
		files.BigInt:      "INT(64,true)",
		files.Int:         "INT(32,true)",
		files.Double:      "DOUBLE",
		files.Boolean:     "BOOLEAN",
		files.String:      "STRING",
		files.BigIntList:  "group",
		files.StringList:  "group",
		files.CountersMap: "group",
	}
	var want []string
	for _, column := range files.Columns() {
		kind := types[column.Type]
		if column.Nullable {
			kind += "?"
		}
		want = append(want, column.Name+" "+kind)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the file has the columns\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestWriter_Full(t *testing.T) {
	got := cells(t, write(t, full()))
	want := map[string]string{
		"id": "7", "source_id": "twitter_post_7", "source": "twitter", "url": "https://x.com/a/7", "title": "A title",
		"body": "a body\x00 with 日本語 👍 and \"quotes\"", "language": "english", "author": " @Ada ", "author_handle": "ada",
		"author_name": "Ada",
		"author_url":  "https://x.com/ada", "author_followers": "12", "sentiment": "Negative", "relevance": "1",
		"relevant":          "true",
		"relevance_comment": "why", "feedback": "1", "tags": "hiring|pricing", "keyword_ids": "9|2", "keywords": "nine|two",
		"engaged":  "true",
		"is_reply": "true", "engagement": "7", "review_rating": "3.5", "review_rating_max": "5", "review_target": "target",
		"image_url": "https://i",
		"words":     "\na\ntitle\n\na\nbody\nwith\n日\n本\n語\n👍\nand\nquotes\n",
	}
	if len(got) != 1 {
		t.Fatalf("%d rows, want 1", len(got))
	}
	for name, text := range want {
		if got[0][name] != text {
			t.Errorf("%s = %q, want %q", name, got[0][name], text)
		}
	}
}

// An export has all that a mention says, also what no query of day files reads.
func TestExportWriter(t *testing.T) {
	m := full()
	m.AuthorAvatar, m.StoryID = ref("https://pictures.example/ada"), "00ff00ff00ff00ff"
	m.Review.Verified, m.Review.Response, m.Review.ResponseAt = ref(false), "thank\nyou", now.Add(2*time.Hour)
	var out bytes.Buffer
	w := parquetfile.NewExportWriter(&out)
	for _, one := range []mention.Mention{m, {ID: 1, SourceID: "s", Source: "reddit", PostedAt: now}} {
		if err := w.Write(&one); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	lines := cells(t, out.Bytes())
	want := map[string]string{
		"author_avatar": "https://pictures.example/ada", "review_verified": "false", "review_response": "thank\nyou",
		"review_response_at": fmt.Sprint(now.Add(2 * time.Hour).UnixMilli()), "story_id": "00ff00ff00ff00ff",
		"review_target": "target", "image_url": "https://i",
	}
	for name, text := range want {
		if lines[0][name] != text {
			t.Errorf("%s = %q, want %q", name, lines[0][name], text)
		}
	}
	for _, column := range files.ExportColumns() {
		if null := lines[1][column.Name] == "<null>"; null != column.Nullable {
			t.Errorf("%s of a mention without anything is null: %v, want %v", column.Name, null, column.Nullable)
		}
	}
	if _, words := lines[0][files.Words]; words ||
		len(open(t, out.Bytes()).Schema().Fields()) != len(files.ExportColumns()) {
		t.Errorf("an export has the columns %v", lines[0])
	}
}

func TestWriter_Empty(t *testing.T) {
	least := mention.Mention{ID: 1, SourceID: "s", Source: "reddit", PostedAt: now}
	got := cells(t, write(t, least))[0]
	for _, column := range files.Columns() {
		null := got[column.Name] == "<null>"
		if null != column.Nullable {
			t.Errorf("%s of a mention without anything is null: %v, want %v", column.Name, null, column.Nullable)
		}
	}
	if got["language"] != mention.Undetermined || got["tags"] != "" || got["keyword_ids"] != "" ||
		got["engagement"] != "0" {
		t.Errorf("a mention without anything is %v", got)
	}
	if rows := cells(t, write(t)); len(rows) != 0 {
		t.Errorf("a file of no mentions has %d rows", len(rows))
	}
}

func TestWriter_SameMentionsSameBytes(t *testing.T) {
	mentions := random(rand.New(rand.NewPCG(1, 2)), 3_000)
	if !bytes.Equal(write(t, mentions...), write(t, mentions...)) {
		t.Error("two files of the same mentions differ")
	}
}

// A group of rows is bounded by bytes, whatever the length of the texts.
func TestWriter_GroupsAreBounded(t *testing.T) {
	var mentions []mention.Mention
	for i := range 120 {
		m := full()
		m.ID, m.Body = int64(1000-i), ref(strings.Repeat(fmt.Sprint(i), 350_000/len(fmt.Sprint(i))))
		mentions = append(mentions, m)
	}
	file := open(t, write(t, mentions...))
	if groups := len(file.RowGroups()); groups != 3 {
		t.Errorf("42 MB of texts and as much of words are %d groups of rows, want 3", groups)
	}
}

var words = strings.Fields(
	"alpha beta gamma delta 日本 émile über \x00 '; -- \" \\ <script> 💥 null NULL ' \u202e \r\n \t NaN")

// random returns mentions, newest first. Their texts are hostile.
func random(r *rand.Rand, n int) []mention.Mention {
	mentions := make([]mention.Mention, n)
	sentence := func() string {
		var s strings.Builder
		for range r.IntN(8) {
			s.WriteString(words[r.IntN(len(words))] + " ")
		}
		return s.String()
	}
	maybe := func(text string) *string {
		if r.IntN(4) == 0 {
			return nil
		}
		return &text
	}
	posted := now
	for i := range mentions {
		posted = posted.Add(-time.Duration(r.IntN(100_000)) * time.Millisecond)
		m := mention.Mention{
			ID:         int64(n - i),
			SourceID:   fmt.Sprint("s", i),
			Source:     []string{"reddit", "twitter", "hackernews"}[r.IntN(3)],
			PostedAt:   posted,
			Title:      maybe(sentence()),
			Body:       maybe(sentence()),
			URL:        sentence(),
			Author:     maybe(words[r.IntN(len(words))]),
			AuthorName: sentence(),
			Language:   []string{"", "english", "german", mention.Undetermined}[r.IntN(4)],
			IsReply:    r.IntN(2) == 0,
			Engaged:    r.IntN(2) == 0,
			Sentiment:  []mention.Sentiment{"", mention.Positive, mention.Neutral, mention.Negative}[r.IntN(4)],
		}
		if r.IntN(3) > 0 {
			m.RelevanceScore = ref(mention.Score(r.IntN(3)))
			m.Relevant = m.RelevanceScore.Relevant()
		}
		if r.IntN(3) > 0 {
			m.AuthorFollowers = ref([]int64{0, 5, -1, math.MaxInt64}[r.IntN(4)])
		}
		for range r.IntN(4) {
			m.Tags = append(m.Tags, mention.Tags()[r.IntN(3)])
			m.Keywords = append(m.Keywords, mention.Keyword{ID: int64(1 + r.IntN(3)), Text: sentence()})
		}
		if r.IntN(2) == 0 {
			m.Engagement = map[string]int64{}
			for range r.IntN(4) {
				m.Engagement[[]string{"views", "likes", "points", words[r.IntN(len(words))]}[r.IntN(4)]] = r.Int64N(1000)
			}
		}
		if r.IntN(5) == 0 {
			m.Review = &mention.Review{Rating: r.Float64() * 5, RatingMax: 5}
		}
		mentions[i] = m
	}
	return mentions
}

// A file of other columns is never counted, also if a manifest names it.
func TestScan_OtherVersion(t *testing.T) {
	content := write(t, full())
	written := fmt.Appendf(nil, "earshot.version\x18\x01%d", files.Version)
	before := fmt.Appendf(nil, "earshot.version\x18\x01%d", files.Version-1)
	if !bytes.Contains(content, written) {
		t.Fatal("the file does not name its version")
	}
	old := bytes.Replace(content, written, before, 1)
	edges := []time.Time{now.AddDate(0, 0, -1), now.AddDate(0, 0, 1)}
	for _, c := range []struct {
		content []byte
		ok      bool
	}{{content, true}, {old, false}} {
		counted := int64(0)
		err := parquetfile.NewScanner(filter.Compile(filter.Filter{}), parquetfile.Wanted{}, edges).
			Scan(bytes.NewReader(c.content), int64(len(c.content)), func(g parquetfile.Group) { counted += g.Mentions })
		if (err == nil) != c.ok || (counted == 1) != c.ok {
			t.Errorf("Scan = %d mentions, %v, want ok %v", counted, err, c.ok)
		}
	}
}
