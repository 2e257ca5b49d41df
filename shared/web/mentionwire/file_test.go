package mentionwire_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/mention"
	"earshot/shared/web/mentionwire"
)

func write(t interface{ Fatal(...any) }, format mentionwire.Format, mentions ...mentionwire.Mention) string {
	var out bytes.Buffer
	file, err := mentionwire.NewFile(&out, format)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mentions {
		if err := file.Write(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if file.Rows() != len(mentions) {
		t.Fatal("it has", file.Rows(), "rows")
	}
	return out.String()
}

// The contract's columns, and a mention that has everything.
func TestCSV(t *testing.T) {
	verified := false
	followers, score := int64(12), mention.High
	m := mentionwire.FromMention(mention.Mention{
		ID:              42,
		SourceID:        "trustpilot_review_1",
		URL:             "https://posts.example/1",
		Title:           pointer("5, \"stars\""),
		Body:            pointer("two\nlines"),
		Source:          "trustpilot",
		PostedAt:        time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC),
		Author:          pointer("@quietharbor"),
		AuthorFollowers: &followers,
		Relevant:        true,
		RelevanceScore:  &score,
		Sentiment:       mention.Positive,
		Language:        "english",
		Tags:            []mention.Tag{"pricing", "bug_report"},
		Keywords:        []mention.Keyword{{ID: 7, Text: "northwind"}, {ID: 8, Text: "north wind"}},
		Engaged:         true,
		Review: &mention.Review{
			Rating:     4.5,
			RatingMax:  5,
			Verified:   &verified,
			Response:   "-thanks",
			TargetName: "Northwind",
		},
		Engagement:           map[string]int64{"likes": -3, "<b>": 1},
		EngagementObservedAt: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC),
	}, true)
	want := "id,sourceId,timestamp,source,url,title,body,author,authorFollowers,language,keywords,tags,relevance,sentiment,engaged,engagementMetrics," +
		"engagementObservedAt,reviewRating,reviewRatingMax,reviewVerified,reviewResponse,reviewResponseAt,reviewTargetName\r\n" +
		"42,trustpilot_review_1,2026-11-20 09:30:00.000,trustpilot,https://posts.example/1,\"5, \"\"stars\"\"\",\"two\nlines\",'@quietharbor,12,english," +
		"\"northwind; north wind\",\"pricing; bug_report\",relevant,Positive,true,\"{\"\"<b>\"\":1,\"\"likes\"\":-3}\",2026-11-20T10:00:00.000Z,4.5,5,false,'-thanks,,Northwind\r\n"
	if got := write(t, mentionwire.CSV, m); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := write(t, mentionwire.CSV, mentionwire.Mention{ID: 1}); strings.Split(got,
		"\r\n")[1] != "1,,,,,,,,,,,,,,false,,,,,,,," {
		t.Errorf("%q", got)
	}
}

func pointer[T any](value T) *T { return &value }

func TestJSON(t *testing.T) {
	for n := range 3 {
		mentions := make([]mentionwire.Mention, n)
		for i := range mentions {
			mentions[i] = mentionwire.Mention{ID: int64(i + 1), Body: new("</script>\u2028\n")}
		}
		var file struct {
			Data  []mentionwire.Mention
			Total *int
		}
		if err := json.Unmarshal([]byte(write(t, mentionwire.JSON, mentions...)), &file); err != nil || len(file.Data) != n ||
			file.Data == nil {
			t.Errorf("%d: %+v %v", n, file, err)
		}
		if file.Total == nil || *file.Total != n {
			t.Errorf("total of %d mentions = %v", n, file.Total)
		}
	}
	if _, err := mentionwire.NewFile(&bytes.Buffer{}, "xlsx"); err == nil {
		t.Error("there is another format")
	}
}

// What a stranger wrote is never the beginning of a formula, and can be told again from its cell.
func TestFormulas(t *testing.T) {
	for _, text := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t1", "\r1", "\n1", "＝1", "＋1", "－1", "＠x", "  =1",
		"\u00a0=1", "\ufeff=1", "\u200b=1", "\x00=1", "\u202e=1",
		"=cmd|' /C calc'!A0"} {
		checkCell(t, text, "'"+text)
	}
	for text, want := range map[string]string{
		"=\"\";\"\n=1": "'=\"\";\"\n'=1", "a;=1": "a;'=1", "a; =1": "a;' =1", "a\t=1": "a\t'=1",
		"\t=1": "'\t'=1", "a|+1": "a|'+1", "a\n-1": "a\n'-1",
		"a\r=1": "a\r'=1", "a;\"=1\"": "a;'\"=1\"", "a;\u200b＝1": "a;'\u200b＝1",
		"a;;=1": "a;;'=1", "a;\n@b": "a;\n'@b", "a\u2028=1": "a\u2028'=1",
		"list:\n- one\n- two": "list:\n'- one\n'- two",
	} {
		checkCell(t, text, want)
		checkCell(t, want, want)
	}
	for _, text := range []string{"", "plain", "a=b", "'=1", "3-2", "  text", "\u200btext", "€5", "\"=1\"",
		"a,b;c\td\r\ne", "a, =1", "a = b; c", "x;1-2", "a;'=1", "\"", "\"\"\",\r\n"} {
		checkCell(t, text, text)
	}
}

func checkCell(t interface {
	Fatal(...any)
	Errorf(string, ...any)
}, text, want string) {
	m := mentionwire.Mention{
		ID:       1,
		Body:     &text,
		Title:    new("after"),
		Author:   &text,
		Keywords: []mentionwire.MentionKeyword{{ID: 1, Keyword: text}},
	}
	rows, err := csv.NewReader(strings.NewReader(write(t, mentionwire.CSV, m))).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatal("the file is torn:", text, err)
	}
	want = strings.ReplaceAll(want, "\r\n", "\n") // so the reader reads line ends within cells
	for _, column := range []int{6, 7, 10} {
		if got := rows[1][column]; got != want {
			t.Errorf("%q is in its cell as %q, want %q", text, got, want)
		}
	}
}

func TestAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune("=+-@\t\r\n\",;' ＝﹣\u200b\ufeff\x00a1")), rapid.Rune())).
			Draw(t, "text")
		m := mentionwire.Mention{ID: 1, Title: &text, Body: &text}
		rows, err := csv.NewReader(strings.NewReader(write(t, mentionwire.CSV, m))).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[1]) != len(mentionwire.Columns()) {
			t.Fatalf("the file is torn: %v", err)
		}
		cell := rows[1][6]
		plain := strings.NewReplacer("'", "")
		read := strings.ReplaceAll(text, "\r\n", "\n") // so the reader reads line ends within cells
		if plain.Replace(cell) != plain.Replace(read) {
			t.Fatalf("%q became %q", text, cell) // in more than apostrophes
		}
		if cell != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(cell)[0]) {
			t.Fatalf("%q begins a formula", cell)
		}
	})
}

// A query is the same however its filters were written.
func TestQuery(t *testing.T) {
	var one, other mentionwire.Query
	for q, text := range map[*mentionwire.Query]string{&one: `{"source":["a"],"engaged":true}`,
		&other: "{ \"engaged\":true,\n\"source\":[\"\\u0061\"]}"} {
		if err := q.Add("", text); err != nil {
			t.Fatal(err)
		}
	}
	first, _ := json.Marshal(one)
	second, _ := json.Marshal(other)
	if string(first) != string(second) || string(first) != `{"filters":[{"engaged":true,"source":["a"]}]}` {
		t.Errorf("%s and %s", first, second)
	}
	if f, err := one.Filter(); err != nil || f.Conditions() != 2 {
		t.Errorf("%d conditions, %v", f.Conditions(), err)
	}
	if err := one.Add("{"); err == nil {
		t.Error("it reads what is no JSON")
	}
	if err := one.Add(`{"colour":["red"]}`); err != nil {
		t.Fatal(err)
	}
	if _, err := one.Filter(); err == nil {
		t.Error("it takes a filter that there is not")
	}
}
