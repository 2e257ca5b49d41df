package filter_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

func pointer[T any](value T) *T { return &value }

// tweet is what the cases of TestSemantics are asked about.
func tweet() *mention.Mention {
	return &mention.Mention{
		ID:       1,
		SourceID: "twitter_post_1",
		Source:   "twitter",
		PostedAt: time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC),
		Title:    pointer("Moving to Northwind™ Cloud"),
		Body: pointer(
			"It’s at example.com – don't ask why?? I pay 4.50 for Straße/STRASSE, 東京 and Cafe\u0301 🔥. The end"),
		Author:          pointer("QuietHarbor"),
		AuthorFollowers: pointer(int64(1200)),
		RelevanceScore:  pointer(mention.Medium),
		Relevant:        true,
		Sentiment:       mention.Positive,
		Language:        "german",
		Tags:            []mention.Tag{"pricing", "hiring"},
		Keywords:        []mention.Keyword{{ID: 7}, {ID: 9}},
		Review:          &mention.Review{Rating: 3.5},
		Engagement:      map[string]int64{"likes": 10, "retweets": 0},
	}
}

// To add a case, write the filter and whether it takes the tweet; without says what is taken from it first.
func TestSemantics(t *testing.T) {
	plain := func(*mention.Mention) {}
	bare := func(m *mention.Mention) {
		*m = mention.Mention{ID: 1, SourceID: "x", Source: "REDDIT", PostedAt: m.PostedAt}
	}
	reddit := func(m *mention.Mention) { m.Source = "reddit" }
	rated := func(rating float64) func(*mention.Mention) {
		return func(m *mention.Mention) { m.Review = &mention.Review{Rating: rating} }
	}
	many := func(value string) string { return strings.Repeat(value+",", 99) + value }
	for _, c := range []struct {
		filter  string
		without func(*mention.Mention)
		want    bool
	}{
		{`{}`, plain, true}, {`{}`, bare, true},
		{`{"source":["twitter"]}`, plain, true}, {`{"source":["reddit","Twitter"]}`, plain, true},
		{`{"source":["reddit"]}`, plain, false},
		{`{"source":["reddit"]}`, bare, true}, {`{"!source":["reddit"]}`, bare, false},
		{`{"source":["reddit_comment"]}`, reddit, false},
		{`{"source":["twitter"],"!source":["twitter"]}`, plain, false},
		{`{"sentiment":["positive","negative"]}`, plain, true}, {`{"!sentiment":["neutral","negative"]}`, plain, true},
		{`{"sentiment":["positive","neutral","negative"]}`, bare, false}, {`{"!sentiment":["positive"]}`, bare, true},
		{`{"keyword":[9]}`, plain, true}, {`{"!keyword":[1,7]}`, plain, false}, {`{"keyword":[7.0]}`, plain, true},
		{`{"keyword":[71,135]}`, plain, false}, {`{"keyword":[1,2,3,4,5,6,71,73,9]}`, plain, true},
		{`{"keyword":[1,2,3,4,5,6,71,73,74,135]}`, plain, false},
		{`{"language":["de"]}`, plain, true}, {`{"language":["german"]}`, plain, true},
		{`{"language":["en","french"]}`, plain, false},
		{`{"language":["undetermined"]}`, bare, true}, {`{"!language":["german"]}`, bare, true},
		{`{"tag":["hiring","event"]}`, plain, true}, {`{"!tag":["event"]}`, plain, true}, {`{"tag":["event"]}`, plain, false},
		{`{"sentiment":["unknown"]}`, bare, true}, {`{"sentiment":["unknown"]}`, plain, false},
		{`{"!tag":["none"]}`, bare, false},
		{`{"relevance":["none"]}`, bare, true}, {`{"relevance":["none",1]}`, plain, true},
		{`{"keyword":["none"]}`, plain, false},
		{`{"relevance":[1]}`, plain, true}, {`{"relevance":[0,2]}`, plain, false}, {`{"relevance":[0,1,2]}`, bare, false},
		{`{"postType":["top-level"]}`, plain, true}, {`{"postType":["reply"]}`, plain, false},
		{`{"postType":["reply","top-level"]}`, plain, true},
		{`{"!postType":["reply","top-level"]}`, plain, false},
		{`{"engaged":false}`, plain, true}, {`{"!engaged":false}`, plain, false}, {`{"!engaged":true}`, plain, true},
		{`{"author":["@quietharbor"]}`, plain, true}, {`{"author":["QUIETHARBOR"]}`, plain, true},
		{`{"author":["quiet"]}`, plain, false},
		{`{"author":["quietharbor"]}`, bare, false}, {`{"!author":["quietharbor"]}`, bare, true},
		{`{"author":["a1","b2","c3","d4","e5","f6","g7","h8","i9","quietharbor"]}`, plain, true},

		{`{"reviewRating":[4]}`, plain, true}, {`{"reviewRating":[3]}`, plain, false},
		{`{"reviewRating":[4]}`, rated(4.49), true},
		{`{"reviewRating":[5]}`, rated(5.4), true}, {`{"reviewRating":[1,2,3,4,5]}`, rated(0.4), false},
		{`{"reviewRating":[1,2,3,4,5]}`, rated(9), false},
		{`{"reviewRating":[1,2,3,4,5]}`, bare, false}, {`{"!reviewRating":[1]}`, bare, true},

		{`{"minXFollowers":1200,"maxXFollowers":1200}`, plain, true}, {`{"minXFollowers":1201}`, plain, false},
		{`{"maxXFollowers":1199}`, plain, false},
		{`{"minXFollowers":0}`, reddit, false}, {`{"maxXFollowers":9999}`, bare, false},
		{`{"!minXFollowers":0}`, reddit, true},
		{`{"!minXFollowers":1201}`, plain, true},

		{`{"engagement":[{"source":"twitter","metric":"likes","value":10}]}`, plain, true},
		{`{"engagement":[{"source":"Twitter","metric":"likes","value":11}]}`, plain, false},
		{`{"engagement":[{"source":"twitter","metric":"likes","value":10,"operator":"<="}]}`, plain, true},
		{`{"engagement":[{"source":"twitter","metric":"likes","value":9,"operator":"<="}]}`, plain, false},
		{`{"engagement":[{"source":"twitter","metric":"likes","value":10,"operator":"="}]}`, plain, true},
		{`{"engagement":[{"source":"twitter","metric":"likes","value":9,"operator":"equals"}]}`, plain, false},
		{`{"engagement":[{"source":"twitter","metric":"retweets","value":0,"operator":"equals"}]}`, plain, true},
		{`{"engagement":[{"source":"twitter","metric":"replies","value":0,"operator":"<="}]}`, plain, false},
		{`{"engagement":[{"source":"twitter","metric":"replies","value":0}]}`, plain, false},
		{`{"engagement":[{"source":"twitter","metric":"Likes","value":0}]}`, plain, false},
		{`{"engagement":[{"source":"twitter","metric":"likes","value":0}]}`, reddit, false},
		{`{"engagement":[{"source":"reddit","metric":"likes","value":0},{"source":"twitter","metric":"likes","value":5}]}`,
			plain, true},
		{`{"!engagement":[{"source":"twitter","metric":"likes","value":5}]}`, plain, false},
		{`{"!engagement":[{"source":"twitter","metric":"replies","value":5}]}`, plain, true},
		{`{"!engagement":[{"source":"twitter","metric":"likes","value":5,"operator":"<="}]}`, reddit, true},

		{`{"text":["northwind"]}`, plain, true}, {`{"text":["NORTHWIND cloud"]}`, plain, true},
		{`{"text":["north"]}`, plain, false},
		{`{"text":["example.com"]}`, plain, true}, {`{"text":["DON'T"]}`, plain, true}, {`{"text":["strasse"]}`, plain, true},
		{`{"text":["caf\u00e9"]}`, plain, true}, {`{"text":["cafe"]}`, plain, false}, {`{"text":["東京"]}`, plain, true},
		{`{"text":["京東"]}`, plain, false},
		{`{"text":["🔥"]}`, plain, true}, {`{"text":["4.50"]}`, plain, true}, {`{"text":["cloud it’s"]}`, plain, false},
		{`{"text":["ask, why"]}`, plain, true}, {`{"text":["??"]}`, plain, true}, {`{"text":["???"]}`, plain, false},
		{`{"text":["\u00ad"]}`, plain, false},
		{`{"text":["to cloud"]}`, plain, false}, {`{"text":["end"]}`, plain, true}, {`{"text":["the end of"]}`, plain, false},
		{`{"text":["nothing","here","ask"]}`, plain, true},
		{`{"!text":["northwind","x"]}`, plain, false}, {`{"!text":["x","y"]}`, plain, true},
		{`{"!text":["???"]}`, plain, true}, {`{"text":["x"]}`, bare, false},
		{`{"text":[` + many(`"x"`) + `]}`, plain, false},

		{`{"startDate":"2026-11-20","endDate":"2026-11-21"}`, plain, true},
		{`{"startDate":"2026-11-20T09:30:00Z","endDate":"2026-11-21"}`, plain, true},
		{`{"startDate":"2026-11-19","endDate":"2026-11-20T09:30:00Z"}`, plain, false},
		{`{"startDate":"2026-11-20T10:30:00+01:00","endDate":"2026-11-20T10:30:00.001+01:00"}`, plain, true},
		{`{"startDate":"2026-11-20T09:30:00.0001Z","endDate":"2026-11-21"}`, plain, false},
		{`{"startDate":"2026-11-20 09:30:00.000"}`, plain, true},
		{`{"startDate":"2026-11-20 09:30:00.001"}`, plain, false},
		{`{"endDate":"2026-11-20 09:30:00.000"}`, plain, false},
		{`{"endDate":"2026-11-20 09:30:00.001"}`, plain, true},

		{`{"operator":"OR","groups":[{"operator":"AND","conditions":[{"source":["reddit"]},{"engaged":false}]},{"operator":"AND","conditions":[{"!source":["reddit"]},{"relevance":[1]}]}]}`, plain, true},
		{`{"operator":"AND","groups":[{"operator":"AND","conditions":[{"source":["reddit"]}]},{"operator":"AND","conditions":[{"!source":["reddit"]}]}]}`, plain, false},
		{`{"operator":"AND","groups":[{"operator":"OR","conditions":[{"source":["reddit"]},{"text":["ask"]}]},{"operator":"OR","conditions":[{"tag":["event"]},{"keyword":[7]}]}]}`, plain, true},
		{`{"operator":"AND","groups":[{"operator":"OR","conditions":[{"source":["reddit"]},{"text":["x"]}]},{"operator":"OR","conditions":[{"tag":["event"]},{"keyword":[7]}]}]}`, plain, false},
		{`{"operator":"OR","groups":[{"operator":"AND","conditions":[{"engaged":false}]}],"startDate":"2026-11-01","endDate":"2026-11-02"}`, plain, false},
	} {
		f, faults := filter.Parse([]byte(c.filter))
		if len(faults) > 0 {
			t.Errorf("%s: %v", c.filter, faults)
			continue
		}
		m := tweet()
		c.without(m)
		p := filter.Compile(f)
		if got := p.Mention(m); got != c.want {
			t.Errorf("%s: %v for %+v", c.filter, got, m)
		}
		var row filter.Row
		row.Fill(m)
		row.Words = filter.Digest(m.Title, m.Body)
		if got := p.Row(&row); c.want && !got || !p.NeedsText() && got != c.want {
			t.Errorf("%s: the row of %+v is answered %v", c.filter, m, got)
		}
		if p.NeedsText() != strings.Contains(c.filter, `text"`) && !strings.Contains(c.filter, "00ad") {
			t.Errorf("%s: NeedsText is %v", c.filter, p.NeedsText())
		}
	}
}

// Digests are of use: rows without the words are refused, but where nothing is certain.
func TestRow_Digest(t *testing.T) {
	for _, c := range []struct {
		filter, text string
		want         bool
	}{
		{`{"text":["alpha"]}`, "beta gamma", false}, {`{"text":["alpha"]}`, "beta Alpha", true},
		{`{"text":["beta alpha"]}`, "alpha beta", true},
		{`{"text":["alpha delta"]}`, "alpha beta", false}, {`{"!text":["alpha"]}`, "alpha", true},
		{`{"!text":["alpha"]}`, "beta", true},
		{`{"text":["??"]}`, "alpha", true}, {`{"text":["alpha"]}`, "", true},
		{`{"text":["alpha"],"engaged":true}`, "alpha", false},
		{`{"operator":"OR","groups":[{"operator":"OR","conditions":[{"text":["alpha"]},{"engaged":false}]}]}`, "beta", true},
	} {
		f, faults := filter.Parse([]byte(c.filter))
		if len(faults) > 0 {
			t.Fatalf("Parse(%s) has the faults %v, want none", c.filter, faults)
		}
		var row filter.Row
		row.Reset()
		row.Words = filter.Digest(nil, &c.text)
		if got := filter.Compile(f).Row(&row); got != c.want {
			t.Errorf("%s of %q: %v", c.filter, c.text, got)
		}
		for _, foreign := range [][]byte{nil, {1}, {0, 1, 2}, {1, 2}} {
			row.Words = foreign
			if got := filter.Compile(f).Row(&row); !got && c.want {
				t.Errorf("%s: a digest of %x decides", c.filter, foreign)
			}
		}
	}
}

func TestDigest(t *testing.T) {
	var long strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&long, "word%d ", i)
	}
	for name, c := range map[string]struct {
		title, body *string
		size        int
	}{
		"nothing": {nil, nil, 1}, "twice one word": {pointer("Alpha"), pointer("alpha ALPHA"), 3},
		"two":      {pointer("a"), pointer("b"), 5},
		"too many": {nil, pointer(long.String()), 1}, "no words": {nil, pointer("... ?!"), 1},
	} {
		if got := filter.Digest(c.title, c.body); len(got) != c.size || got[0] != 1 {
			t.Errorf("%s: %x", name, got)
		}
	}
	// A stored digest must keep its meaning: when this changes, so must its version.
	if got := fmt.Sprintf("%x", filter.Digest(pointer("Straße"), pointer("the Café 🔥"))); got != "0106126293a795f862" {
		t.Errorf("the digest is %s", got)
	}
	if most := filter.Digest(nil, pointer(strings.Join(strings.Fields(long.String())[:500], " "))); len(most) < 900 ||
		len(most) > 1024 {
		t.Errorf("a digest of 500 words has %d bytes", len(most))
	}
}

func TestPredicate_AndWindowCountKeywords(t *testing.T) {
	read := func(raw string) filter.Filter {
		f, faults := filter.Parse([]byte(raw))
		if len(faults) > 0 {
			t.Fatalf("Parse(%s) has the faults %v, want none", raw, faults)
		}
		return f
	}
	view := read(`{"keyword":[3,1],"!tag":["event","hiring"],"startDate":"2026-11-01","endDate":"2026-11-20"}`)
	asked := read(`{"operator":"OR","groups":[{"operator":"AND","conditions":[{"!keyword":[9,3]},{"engaged":true}]}],"startDate":"2026-11-10","endDate":"2026-11-30"}`)
	both := filter.And(view, filter.Filter{}, asked)
	start, end := both.Window()
	if start.Format(time.DateOnly) != "2026-11-10" || end.Format(time.DateOnly) != "2026-11-20" {
		t.Errorf("the window is %v to %v", start, end)
	}
	if both.Conditions() != 4 || view.Conditions() != 2 || (filter.Filter{}).Conditions() != 0 {
		t.Errorf("%d conditions", both.Conditions())
	}
	if got := both.Keywords(); !slices.Equal(got, []int64{1, 3, 9}) {
		t.Errorf("the keywords are %v", got)
	}
	if start, end := filter.And().Window(); !start.IsZero() || !end.IsZero() {
		t.Error("no filter has a window")
	}
	apart := filter.And(read(`{"startDate":"2026-11-01","endDate":"2026-11-02"}`),
		read(`{"startDate":"2026-11-20","endDate":"2026-11-21"}`))
	if filter.Compile(apart).Mention(tweet()) {
		t.Error("windows that do not meet let a mention through")
	}
}

// However many conditions there are, the last counts too.
func TestPredicate_VeryManyConditions(t *testing.T) {
	for _, count := range []int{1, 63, 64, 65, 256, 257, 2000} {
		var groups []string
		for group := range slices.Chunk(make([]int, count), 100) {
			groups = append(groups, `{"operator":"AND","conditions":[`+strings.Repeat(`{"source":["twitter"]},`, len(group)-1)+
				`{"source":["twitter"]}]}`)
		}
		for i, last := range []string{`twitter`, `reddit`} {
			groups[len(groups)-1] = strings.Replace(groups[len(groups)-1], `"twitter"]}]`, `"`+last+`"]}]`, 1)
			f, faults := filter.ParseAdvanced([]byte(`{"operator":"AND","groups":[` + strings.Join(groups, ",") + `]}`))
			if len(faults) > 0 || f.Conditions() != count {
				t.Fatalf("ParseAdvanced() = %d conditions with the faults %v, want %d with none", f.Conditions(), faults, count)
			}
			p, row := filter.Compile(f), filter.Row{Source: "twitter"}
			if got := p.Row(&row); got != (i == 0) {
				t.Errorf("%d conditions, the last %s: %v", count, last, got)
			}
		}
	}
}

func TestRow_NoAllocation(t *testing.T) {
	raw, _ := json.Marshal(fifty("AND"))
	f, _ := filter.Parse(raw)
	p := filter.Compile(f)
	var row filter.Row
	m := tweet()
	m.Author = pointer("Ünal" + strings.Repeat("A", 100))
	row.Fill(m)
	row.Source, row.Words = "REDDIT", filter.Digest(m.Title, m.Body)
	if allocated := testing.AllocsPerRun(100, func() { p.Row(&row) }); allocated != 0 {
		t.Errorf("%v allocations", allocated)
	}
}

func TestSplitKeyword(t *testing.T) {
	for raw, want := range map[string]string{
		`{"source":["reddit"]}`:                   "[] 1 true",
		`{"keyword":[7,3,7],"source":["reddit"]}`: "[3 7] 1 true",
		`{"!keyword":[7]}`:                        "[] 1 false",
		`{"keyword":[7,"none"]}`:                  "[] 1 false",
		`{"keyword":[7],"!keyword":[8]}`:          "[] 2 false",
		`{"operator":"AND","groups":[{"operator":"OR","conditions":[{"keyword":[7]}]},{"operator":"AND","conditions":[{"tag":["none"]}]}]}`: "[7] 1 true",
		`{"operator":"OR","groups":[{"operator":"AND","conditions":[{"keyword":[7]},{"tag":["none"]}]}]}`:                                   "[7] 1 true",
		`{"operator":"OR","groups":[{"operator":"AND","conditions":[{"keyword":[7]}]},{"operator":"AND","conditions":[{"tag":["none"]}]}]}`: "[] 2 false",
	} {
		f, faults := filter.Parse([]byte(raw))
		if len(faults) > 0 {
			t.Fatalf("Parse(%s) = %v", raw, faults)
		}
		ids, rest, ok := f.SplitKeyword()
		if got := fmt.Sprint(ids, " ", rest.Conditions(), " ", ok); got != want {
			t.Errorf("SplitKeyword(%s) = %s, want %s", raw, got, want)
		}
	}
}
