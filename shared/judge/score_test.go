package judge_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/shared/judge"
	"earshot/shared/judge/relevance"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/workspace"
)

func newJudge(t testing.TB) *judge.Judge {
	t.Helper()
	j, err := judge.New()
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func textPost(text string) *post.Post { return &post.Post{Source: "reddit", Body: &text} }

// java is a company whose name also means an island and a coffee.
var java = workspace.Company{
	Name: "Brew Runtime", Domain: "brew.example",
	Description:         "We make a programming language runtime, compiler and libraries for servers and web applications.",
	Products:            []string{"Percolate", "GraalVM"},
	Audience:            "software developers",
	RelevanceGuidelines: "Show posts by developers about performance. Not about coffee or travel.",
	ExcludeTerms:        []string{"island", "Indonesia", "Jakarta", "volcano"},
}

func javaKeyword(tag keyword.Tag) keyword.Keyword {
	return keyword.Keyword{ID: 7, Text: "java", ExactMatch: true, Tag: tag, Context: "The programming language Java."}
}

// The verdicts to expect, and the words that their comments must have.
func TestVerdicts(t *testing.T) {
	j := newJudge(t)
	distinctive := keyword.Keyword{ID: 8, Text: "zorblatt", ExactMatch: true, Tag: keyword.OwnBrand}
	for _, c := range []struct {
		name    string
		company workspace.Company
		keyword keyword.Keyword
		text    string
		want    mention.Score
		comment string
		tag     mention.Tag // that must be there
		not     mention.Tag // that must not
	}{
		{"the meaning", java, javaKeyword(keyword.OwnBrand),
			"Our Java server compiles the libraries twice, any developer seen that?", mention.High,
			"fits your profile", "own_brand_mention", ""},
		{"another meaning", java, javaKeyword(keyword.OwnBrand),
			"The island of Java has many volcanoes and rice fields near the sea.", mention.Low, "exclude terms", "",
			"own_brand_mention"},
		{"a meaning of the guidelines", java, javaKeyword(keyword.OwnBrand),
			"A cup of hot java with milk and a muffin for breakfast, the best in the morning", mention.Low,
			"another meaning", "", "own_brand_mention"},
		{"a competitor", java, javaKeyword(keyword.Competitor),
			"Our Java server compiles the libraries twice, any developer seen that?", mention.High,
			"fits your profile", "competitor_mention", "own_brand_mention"},
		{"a product", java, javaKeyword(""), "java und GraalVM sind schnell und die Leute mögen das sehr gerne",
			mention.High, "graalvm", "", "own_brand_mention"},
		{"a link", java, javaKeyword(""), "java on holiday https://www.docs.brew.example/start?x=1", mention.High,
			"links to brew.example", "", ""},
		{"another language", java, javaKeyword(""),
			"Gestern habe ich java gelernt und dann sind wir zusammen ins Kino gegangen", mention.Medium,
			"another language", "", ""},
		{"distinctive, no profile", workspace.Company{}, distinctive, "I tried zorblatt yesterday and went home",
			mention.High, "no company profile", "own_brand_mention", ""},
		{"distinctive, another language", java, distinctive,
			"Gestern habe ich zorblatt gelernt und dann sind wir zusammen ins Kino gegangen", mention.High,
			"distinctive name", "", ""},
		{"common, no profile", workspace.Company{}, keyword.Keyword{Text: "apple"}, "An apple fell from the tree",
			mention.Medium, "no company profile", "", ""},
		{"only exclude terms", workspace.Company{ExcludeTerms: []string{"fruit", "tree", "orchard", "pie"}},
			keyword.Keyword{Text: "apple"}, "The apple tree in the orchard has more fruit than ever this autumn",
			mention.Low, "exclude terms", "", ""},
		{"the keyword alone", java, javaKeyword(""), "java", mention.Low, "too few words", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := textPost(c.text)
			v := j.Judge(j.Read(p), p, []*judge.Subject{j.Subject(c.company, c.keyword, nil)})
			if v.Score != c.want || !strings.Contains(v.Comment, c.comment) {
				t.Errorf("%d, %q, %v, want %d, %q", v.Score, v.Comment, v.Tags, c.want, c.comment)
			}
			if c.tag != "" && !has(v.Tags, c.tag) || c.not != "" && has(v.Tags, c.not) {
				t.Errorf("%v", v.Tags)
			}
		})
	}
}

// Only a company's own name, a product and a competitor's name are names. A term is a word that texts write in lowercase.
func TestJudge_NamesAndTerms(t *testing.T) {
	j := newJudge(t)
	const text = "The %s is what we talked about with them last night"
	for _, c := range []struct {
		company workspace.Company
		keyword keyword.Keyword
		want    bool
	}{
		{workspace.Company{Name: "Square, Inc."}, keyword.Keyword{Text: "square", Tag: keyword.OwnBrand}, false},
		{workspace.Company{Name: "Zorb", Domain: "www.stand.example"}, keyword.Keyword{Text: "stand"}, false},
		{workspace.Company{Name: "Zorb", Products: []string{"Field"}}, keyword.Keyword{Text: "field"}, false},
		{workspace.Company{Name: "Zorb"}, keyword.Keyword{Text: "box", Tag: keyword.Competitor}, false},
		{workspace.Company{Name: "Zorb"}, keyword.Keyword{Text: "box", Tag: keyword.IndustryTerm}, true},
		{workspace.Company{Name: "Zorb"}, keyword.Keyword{Text: "box", Tag: keyword.OwnBrand}, true},
		{workspace.Company{}, keyword.Keyword{Text: "field", Tag: keyword.OwnBrand}, false},
		{workspace.Company{}, keyword.Keyword{Text: "field"}, true},
	} {
		p := textPost(fmt.Sprintf(text, c.keyword.Text))
		v := j.Judge(j.Read(p), p, []*judge.Subject{j.Subject(c.company, c.keyword, nil)})
		if v.Score.Relevant() != c.want || !c.want && !strings.Contains(v.Comment, "as an ordinary word") {
			t.Errorf("Judge() of %q, %q = %d (%s), want relevant %v", c.keyword.Text, c.keyword.Tag, v.Score, v.Comment, c.want)
		}
	}
}

// A post to the company's account is about the company. Its handle comes from the profile, the name, the domain or the
// keyword.
func TestJudge_CompanysAccount(t *testing.T) {
	j := newJudge(t)
	airline := workspace.Company{
		Name:        "Delta Air Lines",
		Domain:      "delta.com",
		Description: "We fly passengers to cities and countries all over the world.",
		Handles:     []string{"DALHelp"},
	}
	const text = " my lawyer filed a payday contract in court, and gave chase"
	for _, c := range []struct {
		keyword keyword.Keyword
		handle  string
		want    bool
	}{
		{keyword.Keyword{Text: "Delta", Tag: keyword.OwnBrand}, "@delta", true},
		{keyword.Keyword{Text: "Delta", Tag: keyword.OwnBrand}, "@DALHelp", true},
		{keyword.Keyword{Text: "Delta", Tag: keyword.OwnBrand}, "@deltaairlines", true},
		{keyword.Keyword{Text: "Delta", Tag: keyword.OwnBrand}, "@deltaair", true},
		{keyword.Keyword{Text: "@delta", Tag: keyword.OwnBrand}, "@delta", true},
		{keyword.Keyword{Text: "Delta", Tag: keyword.OwnBrand}, "@other", false},
		{keyword.Keyword{Text: "chase", Tag: keyword.Competitor}, "@DALHelp", false},
		{keyword.Keyword{Text: "chase", Tag: keyword.Competitor}, "@chase", true},
	} {
		p := textPost(c.handle + text)
		v := j.Judge(j.Read(p), p, []*judge.Subject{j.Subject(airline, c.keyword, nil)})
		if v.Score.Relevant() != c.want {
			t.Errorf("Judge(%q) for %q = %d (%s), want relevant %v", c.handle+text, c.keyword.Text, v.Score, v.Comment, c.want)
		}
	}
}

// A name of no dictionary in the same list or choice speaks for a name. Words of the keyword's other meaning do not.
func TestJudge_NamesInAList(t *testing.T) {
	j := newJudge(t)
	rides := workspace.Company{
		Name:        "Bolt",
		Description: "An app to hail a ride, with drivers in European cities.",
	}
	subject := j.Subject(rides, keyword.Keyword{Text: "Bolt", Tag: keyword.OwnBrand}, nil)
	for text, want := range map[string]bool{
		"bolt or lyft tonight?":                         true,
		"Rather Bolt, Lyft or something else in winter": true,
		"steel nut, bolt or screw?":                     false,
		"Use a bolt, Gronkowitz said":                   false,
	} {
		p := textPost(text)
		if v := j.Judge(j.Read(p), p, []*judge.Subject{subject}); v.Score.Relevant() != want {
			t.Errorf("Judge(%q) = %d (%s), want relevant %v", text, v.Score, v.Comment, want)
		}
	}
}

// A domain without its scheme speaks for the company as a link does.
func TestJudge_BareDomain(t *testing.T) {
	j := newJudge(t)
	shop := workspace.Company{Name: "Otto", Domain: "otto.de", Description: "Online-Versandhaus für Mode und Möbel."}
	subject := j.Subject(shop, keyword.Keyword{Text: "Otto", Tag: keyword.OwnBrand}, nil)
	for text, want := range map[string]bool{
		"Hat jemand schon mal etwas bei otto.de gekauft?": true,
		"Das sagte Otto. De facto stimmt es nicht.":       false,
	} {
		p := textPost(text)
		if v := j.Judge(j.Read(p), p, []*judge.Subject{subject}); v.Score.Relevant() != want {
			t.Errorf("Judge(%q) = %d (%s), want relevant %v", text, v.Score, v.Comment, want)
		}
	}
}

func has(tags []mention.Tag, tag mention.Tag) bool {
	for _, other := range tags {
		if other == tag {
			return true
		}
	}
	return false
}

// Of several keywords the most relevant one decides, wherever it is in the list.
func TestJudge_BestSubject(t *testing.T) {
	j := newJudge(t)
	p := textPost("The island of Java has many volcanoes; zorblatt flew over it.")
	island := j.Subject(java, javaKeyword(keyword.OwnBrand), nil)
	other := j.Subject(java, keyword.Keyword{Text: "zorblatt", Tag: keyword.Competitor}, nil)
	for _, subjects := range [][]*judge.Subject{{island, other}, {other, island}} {
		v := j.Judge(j.Read(p), p, subjects)
		if !v.Score.Relevant() || !strings.Contains(v.Comment, "zorblatt") || !has(v.Tags, "competitor_mention") ||
			has(v.Tags, "own_brand_mention") {
			t.Errorf("%+v", v)
		}
	}
	if v := j.Judge(j.Read(p), p, nil); v.Score != mention.Low || v.Comment == "" {
		t.Errorf("%+v", v)
	}
}

// Users' feedback on posts moves the judgement of posts like them.
func TestFeedback(t *testing.T) {
	j := newJudge(t)
	k := keyword.Keyword{Text: "mercury", ExactMatch: true}
	var feedback []judge.Feedback
	for _, c := range []struct {
		text     string
		relevant bool
	}{
		{"Mercury orbits the sun closest of all planets", true},
		{"The telescope saw Mercury cross the solar disk", true},
		{"Probe enters orbit around Mercury, its magnetic field and craters", true},
		{"Mercury in fish is a health risk for children", false},
		{"Mercury pollution from coal plants poisons rivers", false},
		{"Thermometers with mercury are banned as toxic waste", false},
	} {
		vector := j.Read(textPost(c.text)).Vector()
		if len(vector) == 0 || len(vector) > 128 {
			t.Fatalf("a vector of %d bytes", len(vector))
		}
		feedback = append(feedback, judge.Feedback{Relevant: c.relevant, Vector: vector})
	}
	feedback = append(feedback, judge.Feedback{Relevant: true}, judge.Feedback{Vector: []byte("not a vector")},
		judge.Feedback{Vector: make([]byte, 105)})
	learned := j.Subject(workspace.Company{}, k, feedback)
	planet, metal := textPost("Astronomers photograph Mercury and the moon"),
		textPost("High levels of mercury and lead in the river water")
	if v := j.Judge(j.Read(planet), planet, []*judge.Subject{learned}); !v.Score.Relevant() ||
		!strings.Contains(v.Comment, "your team") {
		t.Errorf("%+v", v)
	}
	if v := j.Judge(j.Read(metal), metal, []*judge.Subject{learned}); v.Score.Relevant() ||
		!strings.Contains(v.Comment, "your team") {
		t.Errorf("%+v", v)
	}
}

// A keyword late in a long post is judged by the text around it.
func TestJudge_LongPost(t *testing.T) {
	j := newJudge(t)
	long := strings.Repeat("The island has beaches and hotels, a volcano and a harbour. ", 400) +
		strings.Repeat("And so on. ", 25)
	p := textPost(long + "Our java server compiles the libraries and the developer fixed the compiler of the web application. ")
	v := j.Judge(j.Read(p), p, []*judge.Subject{j.Subject(java, javaKeyword(""), nil)})
	if v.Score != mention.High {
		t.Errorf("%+v", v)
	}
}

// hostile are texts that go through every judge.
var hostile = []string{
	"", " ", "\x00", "\xff\xfe", "a\xffb", "\u202e\u202dabc\u2066", strings.Repeat("\u0301", 3000),
	strings.Repeat("a", 200_000), strings.Repeat("a ", 100_000),
	strings.Repeat("java ", 50_000), strings.Repeat("'", 9000), strings.Repeat("1.", 9000),
	strings.Repeat("https://", 3000), "www.", "https://", "http://?",
	"java <script>alert(1)</script> \u202ejava", "java\r\n\r\nSet-Cookie: a=b", "=cmd|' /C calc'!A0 java",
	strings.Repeat("👨‍👩‍👧‍👦", 2000), "$$$ % # @@@ €",
	"İİİ java ẞ", "ａｐｐｌｅ", "java\u2028java\u2029java", strings.Repeat("(", 9000) + "java",
	"can you recommend " + strings.Repeat("can you ", 2000),
}

func TestJudge_HostileText(t *testing.T) {
	j := newJudge(t)
	for _, company := range []workspace.Company{{}, java} {
		for _, text := range append(hostile, "java") {
			for _, title := range []*string{nil, &text} {
				for _, k := range []keyword.Keyword{{}, {Text: text}, javaKeyword(keyword.OwnBrand),
					{Text: "java", Context: text, AdditionalTerms: []string{text, ""}}} {
					c := company
					if title != nil {
						c.Description, c.RelevanceGuidelines, c.ExcludeTerms, c.Products, c.Domain = text, text, []string{text, ""},
							[]string{text}, text
					}
					p := &post.Post{Title: title, Body: &text}
					check(t, j, p, c, k)
				}
			}
		}
	}
	r := j.Read(&post.Post{})
	if r.Language != mention.Undetermined || r.Sentiment != mention.Neutral || r.Vector() != nil {
		t.Errorf("%+v", r)
	}
}

type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// check checks a judgement against the package's promises.
func check(t failer, j *judge.Judge, p *post.Post, c workspace.Company, k keyword.Keyword) {
	t.Helper()
	r := j.Read(p)
	if len(r.Vector()) > 128 || r.Language == "" {
		t.Errorf("%d bytes, %q", len(r.Vector()), r.Language)
	}
	v := j.Judge(r, p, []*judge.Subject{j.Subject(c, k, []judge.Feedback{{Relevant: true, Vector: r.Vector()}})})
	m := mention.Mention{
		ID:               1,
		SourceID:         "a_b_c",
		Source:           "reddit",
		PostedAt:         post.Earliest,
		RelevanceScore:   &v.Score,
		Relevant:         v.Score.Relevant(),
		RelevanceComment: v.Comment,
		Sentiment:        r.Sentiment,
		Language:         r.Language,
		Tags:             v.Tags,
	}
	if err := m.Check(); err != nil {
		t.Errorf("%v: %+v", err, v)
	}
	if v.Comment == "" || utf8.RuneCountInString(v.Comment) > relevance.MaxComment ||
		strings.ContainsAny(v.Comment, "\n\r\x00\u202e\u2028") {
		t.Errorf("comment %q", v.Comment)
	}
	for i, tag := range v.Tags {
		if has(v.Tags[:i], tag) {
			t.Errorf("%v", v.Tags)
		}
	}
}

func TestJudge_AnyText(t *testing.T) {
	j := newJudge(t)
	rapid.Check(t, func(t *rapid.T) {
		text, title := rapid.String().Draw(t, "body"), rapid.String().Draw(t, "title")
		k := keyword.Keyword{
			Text:       rapid.String().Draw(t, "keyword"),
			ExactMatch: rapid.Bool().Draw(t, "exact"),
			Tag:        keyword.OwnBrand,
		}
		c := workspace.Company{
			Description:         rapid.String().Draw(t, "about"),
			RelevanceGuidelines: rapid.String().Draw(t, "guidelines"),
			ExcludeTerms:        rapid.SliceOf(rapid.String()).Draw(t, "exclude"),
			Domain:              rapid.String().Draw(t, "domain"),
		}
		check(t, j, &post.Post{Title: &title, Body: &text}, c, k)
	})
}

func FuzzReadAndJudge(f *testing.F) {
	j := newJudge(f)
	for _, text := range hostile {
		f.Add(text[:min(len(text), 500)], "java", "island, volcano")
	}
	f.Fuzz(func(t *testing.T, text, word, terms string) {
		c := java
		c.ExcludeTerms, c.RelevanceGuidelines = append(c.ExcludeTerms, terms), terms
		check(t, j, textPost(text), c, keyword.Keyword{Text: word, Tag: keyword.OwnBrand})
	})
}

// Any number of goroutines get the same judgement of a post.
func TestConcurrently(t *testing.T) {
	j := newJudge(t)
	p := textPost("Our Java server compiles the libraries twice, any developer seen that?")
	subjects := []*judge.Subject{j.Subject(java, javaKeyword(keyword.OwnBrand), nil)}
	want := j.Judge(j.Read(p), p, subjects)
	done := make(chan judge.Verdict)
	for range 8 {
		go func() { done <- j.Judge(j.Read(p), p, subjects) }()
	}
	for range 8 {
		if got := <-done; got.Comment != want.Comment || got.Score != want.Score {
			t.Errorf("%+v", got)
		}
	}
}
