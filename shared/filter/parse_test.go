package filter_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/shared/filter"
)

// Filters of every wrong shape: each says where and what, all at once. To add one, write it and its faults, "path code", in
// the order of the paths.
func TestFaults(t *testing.T) {
	repeat := func(value string, count int) string {
		return "[" + strings.Repeat(value+",", count-1) + value + "]"
	}
	for _, c := range []struct {
		filter string
		want   []string
	}{
		{``, []string{" syntax"}}, {`{`, []string{" syntax"}}, {`{} {}`, []string{" syntax"}},
		{`null`, []string{" type"}}, {`[]`, []string{" type"}}, {`"x"`, []string{" type"}}, {`1`, []string{" type"}},
		{`true`, []string{" type"}},
		{`{"sources":["x"]}`, []string{"sources unknown"}}, {`{"Source":["x"]}`, []string{"Source unknown"}},
		{`{"!!source":["x"]}`, []string{"!!source unknown"}},
		{`{"!":1,"":1}`, []string{" unknown", "! unknown"}}, {`{"!startDate":"2026-11-01"}`, []string{"!startDate unknown"}},
		{`{"source":"x","!source":null}`, []string{"!source type", "source type"}},
		{`{"source":[]}`, []string{"source min_items"}},
		{`{"source":["x",1,null,[],"",{}]}`,
			[]string{"source[1] type", "source[2] type", "source[3] type", "source[4] min_length", "source[5] type"}},
		{`{"source":` + repeat(`"x"`, 101) + `}`, []string{"source max_items"}},
		{`{"source":["` + strings.Repeat("ü", 64) + `","` + strings.Repeat("ü", 65) + `"]}`,
			[]string{"source[1] max_length"}},
		{`{"!sentiment":["positive","Positive"]}`, []string{"!sentiment[1] enum"}},
		{`{"sentiment":["mixed",0]}`, []string{"sentiment[0] enum", "sentiment[1] type"}},
		{`{"keyword":["7",0,-1,1.5,9007199254740992,1e400,true]}`,
			[]string{"keyword[0] type", "keyword[1] minimum", "keyword[2] minimum", "keyword[3] type",
				"keyword[4] range", "keyword[5] range", "keyword[6] type"}},
		{`{"keyword":7}`, []string{"keyword type"}},
		{`{"language":["klingon","xx","","de"]}`, []string{"language[0] enum", "language[1] enum", "language[2] min_length"}},
		{`{"tag":["nothing"]}`, []string{"tag[0] enum"}},
		{`{"relevance":[0,3,-1,"1"]}`, []string{"relevance[1] maximum", "relevance[2] minimum", "relevance[3] type"}},
		{`{"postType":["top_level"]}`, []string{"postType[0] enum"}},
		{`{"reviewRating":[0,6,4.5]}`,
			[]string{"reviewRating[0] minimum", "reviewRating[1] maximum", "reviewRating[2] type"}},
		{`{"engaged":"true","!engaged":1}`, []string{"!engaged type", "engaged type"}},
		{`{"engaged":[true]}`, []string{"engaged type"}},
		{`{"author":["@"," ","@ ","` + strings.Repeat("a", 201) + `"]}`,
			[]string{"author[0] format", "author[1] format", "author[2] format", "author[3] max_length"}},
		{`{"text":["","  ","` + strings.Repeat("a", 201) + `"]}`,
			[]string{"text[0] min_length", "text[1] format", "text[2] max_length"}},
		{`{"engagement":{}}`, []string{"engagement type"}}, {`{"engagement":[1]}`, []string{"engagement[0] type"}},
		{`{"engagement":[{}]}`, []string{"engagement[0].metric required", "engagement[0].source required",
			"engagement[0].value required"}},
		{`{"!engagement":[{"source":"","metric":1,"value":"5","operator":">","unit":1}]}`,
			[]string{"!engagement[0].metric type", "!engagement[0].operator enum",
				"!engagement[0].source min_length", "!engagement[0].unit unknown", "!engagement[0].value type"}},
		{`{"engagement":[{"source":"x","metric":"m","value":-1,"operator":null}]}`,
			[]string{"engagement[0].operator type", "engagement[0].value minimum"}},
		{`{"minXFollowers":-1,"maxXFollowers":"5","!minXFollowers":[1]}`,
			[]string{"!minXFollowers type", "maxXFollowers type", "minXFollowers minimum"}},
		{`{"startDate":"2026-11-01"}`, nil}, {`{"endDate":"2026-11-01","x":1}`, []string{"x unknown"}},
		{`{"endDate":null}`, []string{"endDate type"}},
		{`{"startDate":"2026-11-31","endDate":20261101}`, []string{"endDate type", "startDate format"}},
		{`{"startDate":"2026-11-02","endDate":"2026-11-02"}`, []string{"endDate range"}},
		{`{"startDate":"2026-11-02","endDate":"2026-11-01"}`, []string{"endDate range"}},
		{`{"startDate":"2026-11-01 10:00:00","endDate":"2026-11-02T10:00:00"}`,
			[]string{"endDate format", "startDate format"}},
		{`{"startDate":"2026-11-01 10:00:00.000","endDate":"2026-11-02 10:00:00.000"}`, nil},
		{`{"startDate":"2026-11-31 10:00:00.000","endDate":"2026-11-02 10:00:00.0000"}`,
			[]string{"endDate format", "startDate format"}},
		{`{"startDate":"2026-11-01 9:00:00.000","endDate":"2026-11-02 10:00:00,000"}`,
			[]string{"endDate format", "startDate format"}},
		{`{"startDate":"2026-11-01T9:00:00Z","endDate":"2026-11-02T10:00:00,5Z"}`,
			[]string{"endDate format", "startDate format"}},
		{`{"startDate":"2026-11-01 10:00:00.000Z","endDate":" 2026-11-02"}`, []string{"endDate format", "startDate format"}},
		{`{"startDate":"2026-11-02 10:00:00.000","endDate":"2026-11-02T10:00:00Z"}`, []string{"endDate range"}},
		{`{"startDate":"0000-01-01","endDate":"9999-12-31T23:59:59-01:00"}`, []string{"endDate range", "startDate range"}},

		{`{"operator":"AND"}`, []string{"groups required"}},
		{`{"groups":[]}`, []string{"groups min_items", "operator required"}},
		{`{"operator":"and","groups":{}}`, []string{"groups type", "operator enum"}},
		{`{"operator":null,"groups":null}`, []string{"groups type", "operator type"}},
		{`{"operator":"AND","groups":[1,{},{"operator":"XOR","conditions":[]}],"source":["x"],"startDate":"2026-11-01"}`,
			[]string{"groups[0] type",
				"groups[1].conditions required", "groups[1].operator required", "groups[2].conditions min_items",
				"groups[2].operator enum", "source unknown"}},
		{`{"operator":"AND","groups":[{"operator":"OR","conditions":[{},1,{"source":["x"],"engaged":1},{"startDate":"2026-11-01"},{"operator":"AND"},{"engagement":[{"source":"x","metric":"m","value":true}]}],"groups":[]}]}`,
			[]string{"groups[0].conditions[0] min_properties", "groups[0].conditions[1] type",
				"groups[0].conditions[2] max_properties", "groups[0].conditions[2].engaged type",
				"groups[0].conditions[3].startDate unknown", "groups[0].conditions[4].operator unknown",
				"groups[0].conditions[5].engagement[0].value type", "groups[0].groups unknown"}},
		{`{"operator":"AND","groups":` + repeat(`{"operator":"AND","conditions":[{"engaged":true}]}`, filter.MaxJoined+1) +
			`}`, []string{"groups max_items"}},
		{`{"operator":"AND","groups":[{"operator":"AND","conditions":` + repeat(`{"engaged":true}`, filter.MaxJoined+1) +
			`}]}`, []string{"groups[0].conditions max_items"}},
	} {
		_, faults := filter.Parse([]byte(c.filter))
		var got []string
		for _, f := range faults {
			got = append(got, f.Path+" "+f.Code)
			if f.Message == "" {
				t.Errorf("%.80s: %s has no message", c.filter, f.Path)
			}
		}
		slices.Sort(got)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%.200s\ngot  %q\nwant %q", c.filter, got, c.want)
		}
	}
	if _, faults := filter.ParseSimple([]byte(`{"operator":"AND","groups":[]}`)); len(faults) != 2 {
		t.Errorf("a simple filter with groups: %v", faults)
	}
	if _, faults := filter.ParseAdvanced([]byte(`{"engaged":true}`)); len(faults) != 3 {
		t.Errorf("an advanced filter with a key: %v", faults)
	}
}

// Bounds that exclude each other are found where they must each hold. Parse takes them: stored filters may have them.
func TestContradictions(t *testing.T) {
	likes := func(operator string, value int) string {
		return fmt.Sprintf(`{"engagement":[{"source":"X","metric":"likes","value":%d,"operator":%q}]}`, value, operator)
	}
	group := func(operator string, conditions ...string) string {
		return fmt.Sprintf(`{"operator":%q,"conditions":[%s]}`, operator, strings.Join(conditions, ","))
	}
	groups := func(operator string, groups ...string) string {
		return fmt.Sprintf(`{"operator":%q,"groups":[%s]}`, operator, strings.Join(groups, ","))
	}
	const least, most = `{"minXFollowers":10}`, `{"maxXFollowers":9}`
	for _, c := range []struct {
		filter string
		want   string // the faults, path and the bound that the message names
	}{
		{`{"minXFollowers":10,"maxXFollowers":9}`, "maxXFollowers minXFollowers"},
		{`{"minXFollowers":10,"maxXFollowers":9,"engaged":1}`, "maxXFollowers minXFollowers"},
		{`{"minXFollowers":10,"maxXFollowers":10}`, ""},
		{`{"minXFollowers":10,"!maxXFollowers":9}`, ""},
		{`{"!minXFollowers":10,"maxXFollowers":9}`, ""},
		{`{"minXFollowers":-1,"maxXFollowers":9}`, ""},
		{groups("AND", group("AND", least, most)),
			"groups[0].conditions[1].maxXFollowers groups[0].conditions[0].minXFollowers"},
		{groups("AND", group("OR", most), group("AND", least)),
			"groups[0].conditions[0].maxXFollowers groups[1].conditions[0].minXFollowers"},
		{groups("OR", group("AND", least), group("AND", most)), ""},
		{groups("AND", group("OR", least, most)), ""},
		{groups("AND", group("AND", likes(">=", 5), likes("<=", 4))),
			"groups[0].conditions[1].engagement[0].value groups[0].conditions[0].engagement[0].value"},
		{groups("AND", group("AND", likes("=", 5), likes("equals", 4))),
			"groups[0].conditions[1].engagement[0].value groups[0].conditions[0].engagement[0].value"},
		{groups("AND", group("AND", likes(">=", 5), likes("<=", 5), likes("=", 5), most)), ""},
		{groups("AND", group("AND", likes(">=", 5), strings.Replace(likes("<=", 4), "likes", "views", 1))), ""},
		{`{"engagement":[{"source":"x","metric":"likes","value":5},{"source":"x","metric":"likes","value":4,"operator":"<="}]}`, ""},
	} {
		f, _ := filter.Parse([]byte(c.filter))
		var got []string
		for _, fault := range f.Contradictions() {
			if fault.Code != "range" {
				t.Errorf("%s has the code %s, want range", c.filter, fault.Code)
			}
			_, bound, _ := strings.Cut(fault.Message, "not below ")
			got = append(got, fault.Path+" "+strings.TrimSuffix(bound, "."))
		}
		if joined := strings.Join(got, ", "); joined != c.want {
			t.Errorf("Contradictions(%s) = %s, want %s", c.filter, joined, c.want)
		}
	}
}

// More than 50 conditions are well-formed: the caller has a code of its own for them.
func TestParse_TooManyConditions(t *testing.T) {
	f, faults := filter.Parse([]byte(`{"operator":"AND","groups":[{"operator":"AND","conditions":[` +
		strings.Repeat(`{"engaged":true},`, 50) + `{"engaged":true}]}]}`))
	if len(faults) > 0 || f.Conditions() != filter.MaxConditions+1 {
		t.Errorf("%v, %d conditions", faults, f.Conditions())
	}
}

// Whatever comes, it is refused with a reason or it can be evaluated, and a row never refuses what the mention satisfies.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"!source":["x"],"text":["a b","??"],"engagement":[{"source":"twitter","metric":"likes","value":1e1,"operator":"="}]}`), "a b", "c")
	f.Add([]byte(`{"operator":"OR","groups":[{"operator":"AND","conditions":[{"!text":["ß\u0301"]},{"author":["@İ"]}]}],"startDate":"2026-11-01","endDate":"2026-12-01"}`), "SS\u0301", "İ")
	f.Add([]byte(`{"startDate":"9999-12-31T23:59:59.9999Z","endDate":"0001-01-01"}`), "", "@")
	f.Add([]byte(`{"text":["\u0345\u200d","e\u0323\u0301","ﬁ"]}`), "\xff\u00ad", "\x00")
	f.Fuzz(func(t *testing.T, raw []byte, text, author string) {
		parsed, faults := filter.Parse(raw)
		if len(faults) > 0 {
			return
		}
		if !json.Valid(raw) {
			t.Fatalf("%q is taken", raw)
		}
		p := filter.Compile(filter.And(parsed, parsed))
		m := tweet()
		m.Body, m.Author = &text, &author
		matches := p.Mention(m)
		if matches != filter.Compile(parsed).Mention(m) {
			t.Errorf("%q and itself differ from itself", raw)
		}
		var row filter.Row
		row.Fill(m)
		row.Words = filter.Digest(m.Title, m.Body)
		if matches && !p.Row(&row) {
			t.Errorf("%q: the row is refused, the mention %q by %q is not", raw, text, author)
		}
	})
}
