package sampling_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/sampling"
)

var (
	brew = proposal.Profile{
		Company:     "Java",
		Language:    "english",
		Audience:    "Software developers",
		Products:    []string{"OpenJDK"},
		Description: "A programming language and platform: compiler, virtual machine and libraries for servers and web applications.",
		Handles:     []proposal.Handle{{Platform: "twitter", Handle: "javabot"}},
	}
	java = proposal.Candidate{
		Ref:     "brand",
		Text:    "Java",
		Tag:     keyword.OwnBrand,
		Common:  true,
		Exact:   true,
		Anchors: []string{"OpenJDK", "compiler"},
		Context: "The programming language Java.",
	}
	zorblatt = proposal.Candidate{Ref: "brand", Text: "Zorblatt", Tag: keyword.OwnBrand, Exact: true}
)

// island and language are posts of two meanings of a name.
func island(n int) post.Post {
	return at(float64(n), "reddit", fmt.Sprintf("traveller%d", n),
		fmt.Sprintf("The island of Java has volcanoes and rice fields near village %d, a ferry from Sumatra goes there.", n))
}

func code(n int) post.Post {
	return at(float64(n)+0.5, "hackernews", fmt.Sprintf("coder%d", n),
		fmt.Sprintf("Our Java server compiles with the compiler of release %d, a developer wrote libraries and web applications.", n))
}

func mixed(of int) (posts []post.Post) {
	for n := range of {
		posts = append(posts, island(n), code(n))
	}
	return posts
}

func find(figures []proposal.TermFigure, term string) (proposal.TermFigure, bool) {
	for _, f := range figures {
		if f.Term == term {
			return f, true
		}
	}
	return proposal.TermFigure{}, false
}

// Two meanings of a name are told apart, with the terms that do so.
func TestLook(t *testing.T) {
	seen := sampling.New(newJudge(t), brew, "java.example").Look(java, mixed(10), 60)
	if len(seen.Posts) != 20 || seen.Relevant != 10 || seen.Rate() != 0.5 {
		t.Fatalf("%d posts, %d relevant", len(seen.Posts), seen.Relevant)
	}
	if want := map[string]proposal.SourceSample{"reddit": {Scored: 10},
		"hackernews": {Scored: 10, Relevant: 10}}; !reflect.DeepEqual(seen.Sources, want) {
		t.Errorf("%v", seen.Sources)
	}
	if !reflect.DeepEqual(seen.Languages, map[string]int{"english": 20}) || seen.Foreign != 0 || seen.JobShare != 0 {
		t.Errorf("%v, foreign %v, jobs %v", seen.Languages, seen.Foreign, seen.JobShare)
	}
	if f, ok := find(seen.Anchors, "compiler"); !ok || f.Relevant != 10 || f.Noise != 0 {
		t.Errorf("anchors %v", seen.Anchors)
	}
	if f, ok := find(seen.Anchors, "OpenJDK"); !ok || f.Relevant+f.Noise != 0 {
		t.Errorf("the profile's anchor is not there with what the sample has of it: %v", seen.Anchors)
	}
	if f, ok := find(seen.Excludes, "sumatra"); !ok || f.Noise != 10 || f.Relevant != 0 {
		t.Errorf("excludes %v", seen.Excludes)
	}
	if len(seen.Clusters) != 2 || seen.Clusters[0].Share != 0.5 || seen.Clusters[1].Share != 0.5 ||
		strings.Contains(seen.Clusters[0].Label, "java") {
		t.Errorf("clusters %v", seen.Clusters)
	}
	if len(seen.Authors) != 0 {
		t.Errorf("authors %v", seen.Authors)
	}
}

// The noise has names: work, another language, one author.
func TestNoise(t *testing.T) {
	sampler := sampling.New(newJudge(t), brew, "java.example")
	var posts []post.Post
	for n := range 6 {
		posts = append(posts, code(n))
	}
	for n := range 15 {
		own := island(n)
		author := []string{"Tour_Bot", "javabot", "ferry_fan"}[n/7]
		own.Author = &author
		posts = append(posts, own)
	}
	for n, text := range []string{
		"Java (m/w/d) in Berlin gesucht, wir suchen dich für unser Team und freuen uns auf deine Bewerbung",
		"Acme | Java engineer | Berlin | REMOTE | Full-time", "We're hiring a Java developer, apply here"} {
		posts = append(posts, at(float64(50+n), "news", fmt.Sprintf("work%d", n), text))
	}
	for n := range 3 {
		posts = append(posts, at(float64(60+n), "news", fmt.Sprintf("leute%d", n),
			fmt.Sprintf("Gestern habe ich Java getrunken und dann sind wir %d Leute zusammen ins Kino gegangen", n+2)))
	}
	seen := sampler.Look(java, posts, 60)
	if want := 3.0 / 27; seen.JobShare != want {
		t.Errorf("jobs %v, want %v", seen.JobShare, want)
	}
	if seen.Languages["german"] != 4 || seen.Foreign != 4.0/27 {
		t.Errorf("%v, foreign %v", seen.Languages, seen.Foreign)
	}
	if len(seen.Authors) != 1 || seen.Authors[0] != (proposal.TermFigure{Term: "tour_bot", Noise: 7}) {
		t.Errorf("authors %v: the company's own account is none", seen.Authors)
	}
	if !slices.ContainsFunc(seen.Clusters, func(c proposal.SightedCluster) bool { return c.Label == "in German" }) {
		t.Errorf("clusters %v", seen.Clusters)
	}
	for _, f := range slices.Concat(seen.Excludes, seen.Anchors) {
		if strings.Contains("gestern habe getrunken zusammen kino gegangen dann", f.Term) {
			t.Errorf("%v: a word of a language, not of a subject", f)
		}
	}
	unknown := brew
	unknown.Language = "undetermined"
	if seen := sampling.New(newJudge(t), unknown, "java.example").Look(java, posts, 60); seen.Foreign != 0 {
		t.Errorf("foreign %v to nobody's language", seen.Foreign)
	}
}

// What may not be proposed is not, however well it tells the posts apart.
func TestTerms(t *testing.T) {
	var posts []post.Post
	for n := range 9 {
		no, yes := island(n), code(n)
		away, near := *no.Body+" Beaches there, and an orchard.", *yes.Body+" What a java app, what a software tool."
		if n < 4 {
			away += " The lagoon is quiet."
		}
		if n == 0 {
			near += " I wrote it on a ferry."
		}
		if no.Body, yes.Body = &away, &near; n < 4 {
			author := "lagoon_lover"
			no.Author = &author
		}
		posts = append(posts, no, yes)
	}
	profile := brew
	profile.OtherNames = []string{"Orchard VM"}
	seen := sampling.New(newJudge(t), profile, "java.example").Look(java, posts, 60)
	if _, found := find(seen.Excludes, "beaches"); !found || seen.Relevant != 9 {
		t.Fatalf("%d relevant, excludes %v", seen.Relevant, seen.Excludes)
	}
	for term, why := range map[string]string{"ferry": "a tenth of what it takes away is relevant",
		"lagoon": "one author says it", "orchard": "a name of the company's",
		"beaches there": "a word of it does as well"} {
		if _, found := find(seen.Excludes, term); found {
			t.Errorf("exclusion %q: %s", term, why)
		}
	}
	for _, f := range seen.Anchors {
		if strings.Contains(f.Term, "java") || strings.Contains(f.Term, "tool") || f.Term == "what" {
			t.Errorf("anchor %q: the keyword's own, or generic", f.Term)
		}
	}
}

// One story that everybody tells is one cluster, whoever tells it.
func TestOneStory(t *testing.T) {
	own := strings.Fields("yesterday honestly gladly sadly maybe friends colleagues neighbours weekend morning evening holiday")
	var posts []post.Post
	for n := range 24 {
		posts = append(posts, at(float64(n), "reddit", fmt.Sprintf("teller%d", n),
			fmt.Sprintf("%s, Zorblatt recalls all washing machines after fires in %d kitchens, says the regulator, %s",
				own[n%12], n, own[(n*5+n/12)%12])))
	}
	seen := sampling.New(newJudge(t), proposal.Profile{Company: "Zorblatt"}, "").Look(zorblatt, posts, 60)
	if len(seen.Clusters) == 0 || seen.Clusters[0].Share <= proposal.FeedDominant ||
		!strings.Contains(seen.Clusters[0].Label, "washing") {
		t.Errorf("%v", seen.Clusters)
	}
}

func TestJobs(t *testing.T) {
	sampler := sampling.New(newJudge(t), proposal.Profile{}, "zorblatt.example")
	for _, c := range []struct {
		text, url string
		job       bool
	}{
		{"Zorblatt is hiring a senior engineer, apply here", "", true},
		{"Zorblatt | Backend engineer | Oslo | ONSITE, VISA", "", true},
		{"SEEKING WORK | Remote | Zorblatt, Go", "", true},
		{"Zorblatt sucht Verstärkung (m/w/d)", "", true},
		{"Zorblatt: offre d'emploi à Lyon", "", true},
		{"Zorblatt at #hiring week", "", true},
		{"Zorblatt engineer", "https://www.reddit.com/r/forhire/comments/1/x/", true},
		{"Zorblatt engineer", "https://jobs.zorblatt.example/12", true},
		{"Zorblatt did its job and my day was good", "https://news.example/steve-jobs", false},
		{"Zorblatt | the best | of all", "", false},
		{"Zorblatt hiring freeze: they have stopped hiring", "", false},
	} {
		p := at(1, "reddit", "a", c.text)
		p.URL = c.url
		if seen := sampler.Look(zorblatt, []post.Post{p}, 5); len(seen.Posts) != 1 || seen.Posts[0].Job != c.job {
			t.Errorf("%q, %s: %v", c.text, c.url, !c.job)
		}
	}
}

// What there is nothing to see in is empty and never null.
func TestNothing(t *testing.T) {
	sampler := sampling.New(newJudge(t), proposal.Profile{}, "")
	for _, posts := range [][]post.Post{nil, {island(1)}, {{Source: "reddit", SourceID: "reddit_1"}}} {
		for _, c := range []proposal.Candidate{zorblatt, {}, {Text: "\xff"}} {
			got, err := json.Marshal(sampler.Look(c, posts, 30))
			want := `{"posts":[],"relevant":0,"clusters":[],"anchors":[],"excludes":[],"authors":[],"jobShare":0,"foreign":0,"languages":{},"sources":{}}`
			if err != nil || string(got) != want {
				t.Errorf("%s, %v", got, err)
			}
		}
	}
}

// What the keyword's text does not find would not come in; a link to a domain is found by it.
func TestLookTakesWhatMatches(t *testing.T) {
	sampler := sampling.New(newJudge(t), proposal.Profile{Company: "Zorblatt"}, "zorblatt.com")
	title := "Zorblatt in a title"
	posts := []post.Post{at(1, "reddit", "a", "zorblatty things"),
		at(2, "reddit", "b", "docs: https://docs.zorblatt.com/start"),
		{Source: "hackernews", SourceID: "hackernews_1", PostedAt: noon, Title: &title}}
	if got := sampler.Look(zorblatt, posts, 30); len(got.Posts) != 2 || got.Relevant != 2 {
		t.Errorf("%+v", got.Posts)
	}
	domain := proposal.Candidate{
		Ref:   "brand_domain",
		Text:  "zorblatt.com",
		Tag:   keyword.OwnBrand,
		Exact: true,
		Class: proposal.ClassDomain,
	}
	if got := sampler.Look(domain, posts, 30); len(got.Posts) != 1 || got.Relevant != 1 ||
		got.Posts[0].Body != *posts[1].Body {
		t.Errorf("%+v", got.Posts)
	}
}

// Texts are cut to their bounds, around the keyword when it stands late, and hostile ones stay as they are where they are text.
func TestClip(t *testing.T) {
	sampler := sampling.New(newJudge(t), proposal.Profile{}, "")
	long := strings.Repeat("wort für wort ", 400)
	for _, c := range []struct{ name, body, has string }{
		{"early", "Zorblatt " + long, "Zorblatt wort"},
		{"late", long + "Zorblatt " + long, "wort Zorblatt"},
		{"at the end", long + "Zorblatt", "Zorblatt"},
		{"without blanks", strings.Repeat("語", 3000) + " Zorblatt", "Zorblatt"},
		{"heavy", strings.Repeat("<\x01", 3000) + " Zorblatt", "Zorblatt"},
		{"not UTF-8", "Zorblatt \xff<script>", "Zorblatt \uFFFD<script>"},
		{"marks", "Zorblatt \u202e" + strings.Repeat("\u0301", 5000), "Zorblatt"},
		{"blanks", strings.Repeat("\u2003", 2000) + "Zorblatt", "Zorblatt"},
	} {
		got := sampler.Look(zorblatt, []post.Post{at(1, "reddit", "a", c.body)}, 5)
		if len(got.Posts) != 1 || !strings.Contains(got.Posts[0].Body, c.has) {
			t.Errorf("%s: %+v", c.name, got.Posts)
		}
	}
	p := at(1, "reddit", strings.Repeat("a", 500), "x")
	title := "Zorblatt " + long
	p.Title, p.URL = &title, "https://a.example/"+strings.Repeat("p", 500)
	got := sampler.Look(zorblatt, []post.Post{p}, 5).Posts[0]
	if utf8.RuneCountInString(got.Title) > sampling.MaxTitle ||
		!strings.HasSuffix(got.Title, "wort") && !strings.HasSuffix(got.Title, "für") || len(got.Author) > 100 ||
		got.URL != "" {
		t.Errorf("%+v", got)
	}
}

// Samples of the largest run, of the heaviest texts, stay what a store and a Lambda can take.
func TestSize(t *testing.T) {
	sampler := sampling.New(newJudge(t), proposal.Profile{}, "")
	for _, heavy := range []string{"<\x01\"\\", "語語 ", "ж ", "a b "} {
		var posts []post.Post
		for n := range 60 {
			p := at(float64(n), "reddit", strings.Repeat("<", 300)+fmt.Sprint(n),
				fmt.Sprintf("Zorblatt %d %s", n, strings.Repeat(heavy, 5000)))
			title := strings.Repeat(heavy, 500)
			p.Title, p.URL, p.SourceID = &title, "https://a.example/"+strings.Repeat("\"", 300),
				fmt.Sprintf("reddit_comment_%d", n)
			posts = append(posts, p)
		}
		seen := sampler.Look(zorblatt, posts, 60)
		data, err := json.Marshal(seen)
		t.Logf("%q: %d bytes", heavy, 24*len(data))
		if together := 24 * len(data); err != nil || len(seen.Posts) != 60 || together > 2_100_000 {
			t.Errorf("%q: %d bytes of 24 candidates, %d posts, %v", heavy, together, len(seen.Posts), err)
		}
	}
}

// The judge knows a company's accounts as soon as the site links them.
func TestLook_CompanysAccount(t *testing.T) {
	for linked, want := range map[bool]int{true: 1, false: 0} {
		profile := brew
		profile.Handles = []proposal.Handle{{Platform: "twitter", Handle: "brewrt", Linked: linked}}
		posts := []post.Post{at(1, "twitter", "somebody", "@brewrt is java an island with a volcano and rice fields?")}
		if seen := sampling.New(newJudge(t), profile, "brew.example").Look(java, posts, 60); seen.Relevant != want {
			t.Errorf("Look() of a post to an account that is linked %v: %d relevant, want %d", linked, seen.Relevant, want)
		}
	}
}

// A sample of few relevant posts proves no word. All that was read of an ambiguous name does.
func TestLook_ReadsOn(t *testing.T) {
	var posts []post.Post
	for n := range 100 {
		posts = append(posts, island(n))
	}
	for n := range 12 {
		posts = append(posts, code(8*n))
	}
	seen := sampling.New(newJudge(t), brew, "java.example").Look(java, posts, 20)
	if len(seen.Posts) != 20 || seen.Relevant == 12 {
		t.Fatalf("%d posts, %d relevant", len(seen.Posts), seen.Relevant)
	}
	if f, ok := find(seen.Anchors, "server"); !ok || f.Relevant != 12 || f.Noise != 0 {
		t.Errorf("anchors %v, want server in all 12 relevant posts", seen.Anchors)
	}
	if f, ok := find(seen.Excludes, "sumatra"); !ok || f.Noise != 100 {
		t.Errorf("excludes %v, want sumatra in all 100 posts of noise", seen.Excludes)
	}
}

// A word far from the profile that two of many relevant posts have stands there by luck, as some word always does.
func TestAnchors_Luck(t *testing.T) {
	posts := mixed(12)
	for n, word := range []string{"pancakes", "pancakes", "trousers"} {
		body := *posts[2*n+1].Body + " I had " + word + "."
		posts[2*n+1].Body = &body
	}
	for n := 12; n < 30; n++ {
		posts = append(posts, island(n))
	}
	seen := sampling.New(newJudge(t), brew, "java.example").Look(java, posts, 60)
	for _, word := range []string{"pancakes", "trousers"} {
		if f, found := find(seen.Anchors, word); found {
			t.Errorf("anchor %v", f)
		}
	}
}

// Words of the noise are no anchors, even those of the profile: they come last, for whoever chooses to pass over.
func TestAnchors_OfNoise(t *testing.T) {
	c := java
	c.Anchors = []string{"ferry", "OpenJDK", "compiler"}
	seen := sampling.New(newJudge(t), brew, "java.example").Look(c, mixed(10), 60)
	if last := seen.Anchors[len(seen.Anchors)-1]; last.Term != "ferry" || last.Relevant != 0 {
		t.Errorf("anchors %v, want ferry last", seen.Anchors)
	}
	if seen.Anchors[0].Relevant != 10 {
		t.Errorf("anchors %v, want one of all relevant posts first", seen.Anchors)
	}
}

// Small words beside a name tell it from the word that it is, where a language has them: "da Vivo" and "ao vivo". The
// small words alone stand in every post.
func TestAnchors_Frames(t *testing.T) {
	profile := proposal.Profile{
		Company:     "Vivo",
		Language:    "portuguese",
		Description: "Operadora brasileira de celular e televisão.",
	}
	brand := proposal.Candidate{Ref: "brand", Text: "Vivo", Tag: keyword.OwnBrand, Common: true, Exact: true}
	var posts []post.Post
	for n, place := range []string{"Campinas", "Recife", "Santos", "Manaus", "Curitiba", "Goiânia", "Natal", "Belém"} {
		posts = append(posts,
			at(float64(n), "reddit", fmt.Sprint("cliente", n),
				"Ontem a conta da Vivo em "+place+" veio errada e ninguém resolveu"),
			at(float64(n)+.5, "twitter", fmt.Sprint("fã", n),
				"Hoje tem música ao vivo na praça de "+place+" com entrada gratuita"))
	}
	seen := sampling.New(newJudge(t), profile, "vivo.example").Look(brand, posts, 60)
	if f, ok := find(seen.Anchors, "da vivo"); !ok || f.Relevant != 8 || f.Noise != 0 {
		t.Errorf("anchors %v, want da vivo in all 8 relevant posts", seen.Anchors)
	}
	for _, word := range []string{"da", "em", "ao vivo"} {
		if f, found := find(seen.Anchors, word); found {
			t.Errorf("anchor %v", f)
		}
	}
}
