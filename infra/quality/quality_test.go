package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/post"
	"earshot/shared/proposal"
)

// madeUp is a bench of made-up companies, with their posts: one every twelve days, so that they fill more than a year.
func madeUp(t *testing.T) (bench, []post.Post) {
	t.Helper()
	b, err := newBench([]split{dev, test})
	must(t, err)
	content, err := os.ReadFile(filepath.Join("testdata", "companies.json"))
	must(t, err)
	b.companies, err = readCompanies(content)
	must(t, err)
	table, err := os.ReadFile(filepath.Join("testdata", "posts.tsv"))
	must(t, err)
	var posts []post.Post
	var labelled bytes.Buffer
	for i, line := range strings.Split(strings.TrimSpace(string(table)), "\n") {
		columns := strings.Split(line, "\t") // company, source, id, relevant, text
		if columns[0] != "" {
			labelled.WriteString(strings.Join(columns[:4], "\t") + "\n")
		}
		if i == 0 {
			continue
		}
		p := post.Post{Source: hackerNews, SourceID: sourceID(columns[1], columns[2]),
			PostedAt: time.Date(2016, 9, 26, 0, 0, 0, 0, time.UTC).AddDate(0, 0, -12*i)}
		if columns[1] == hackerNews {
			p.Title = &columns[4]
		} else {
			p.Source, p.Body, p.IsReply = "reddit", &columns[4], true
		}
		posts = append(posts, p)
	}
	b.labels, err = readLabels(labelled.Bytes())
	must(t, err)
	return b, posts
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The whole program on made-up posts: what it writes has every part, and what it finds is what anybody would expect of them.
func TestMadeUpPosts(t *testing.T) {
	b, posts := madeUp(t)
	var out strings.Builder
	must(t, b.run(t.Context(), &out, corpora{collected: posts}))
	for _, part := range []string{"Anchor", "Quillbase", "common words", "distinctive names", "pages of 20", "as of 2016-",
		"processor time, sample", "stored bytes", "write capacity units", "propose to ready within 3s",
		"with 10 relevant or more", "common, mostly meant", "common, english", "common words, english",
		"Proposals that drop the brand: none", "is this name a common word"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("the report lacks %q:\n%s", part, out.String())
		}
	}
	busy := corpora{collected: compressed(posts, yearInMonth)}
	shown, err := openArchives(t.Context(), busy)
	must(t, err)
	defer shown.close()
	rows, err := b.rated(t.Context(), shown, busy, 2)
	must(t, err)
	anchor, quill := rows[0], rows[1]
	if anchor.name() != "Anchor" || anchor.baseline.tally != (tally{relevant: 12, matched: 24, caught: 12}) {
		t.Errorf("the bare name of %s: %+v", anchor.name(), anchor.baseline)
	}
	if catch, _ := anchor.engine.catch(); catch < 0.8 {
		t.Errorf("of posts that all say podcast, the proposal for Anchor keeps %.2f: %+v", catch, anchor.brand())
	}
	if precision, _ := anchor.engine.precision(); precision < 0.95 {
		t.Errorf("the proposal for Anchor takes sailors for listeners: precision %.2f, %+v", precision, anchor.brand())
	}
	if quill.engine.tally != quill.baseline.tally || quill.engine.relevant != 8 {
		t.Errorf("a distinctive name is not tracked bare: %+v, bare %+v", quill.engine, quill.baseline)
	}
	for _, r := range rows {
		c := r.cost
		if c.bytes == 0 || c.rows == 0 || c.usage.Reads == 0 || c.usage.WriteUnits == 0 || c.calls == 0 ||
			len(r.measured.Volumes) == 0 {
			t.Errorf("%s: it costs nothing: %+v", r.name(), c)
		}
	}
	groups := kinds(rows)
	for _, v := range verdicts(groups, nil, nil)[:3] {
		if strings.Contains(v.target, "distinctive") && !v.reached {
			t.Errorf("%s: %s", v.target, v.figures)
		}
	}
}

// One company's posts are shown with what is known of each: here every podcast is relevant, matched and let through.
func TestShow(t *testing.T) {
	b, posts := madeUp(t)
	a, err := openArchive(t.Context(), compressed(posts, yearInMonth))
	must(t, err)
	defer a.close()
	m, err := propose(t.Context(), b.judge, a.sources(view{}), b.companies[0], nil)
	must(t, err)
	var out strings.Builder
	must(t, b.show(&out, m, a))
	for _, part := range []string{"Anchor: ready", `own_brand "Anchor" anchored selected=true`,
		"\n+++ Moved my podcast to Anchor", "\n-"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("it lacks %q:\n%s", part, out.String())
		}
	}
}

// A range of what shrank is counted as such, and what is outside of it is not contained.
func TestContained(t *testing.T) {
	var c contained
	v := proposal.Volume{Low: 3, High: 7}
	for _, n := range []int{2, 3, 7, 8} {
		c.add(v, n, n-1, n > 2)
	}
	if want := (contained{ranges: 4, now: 2, later: 3, next: 2}); c != want {
		t.Errorf("%+v, want %+v", c, want)
	}
}

// The companies and their labels are of one another. There are eighty or more, with common words in three languages.
func TestCompanies(t *testing.T) {
	b, err := newBench([]split{dev, test})
	must(t, err)
	if len(b.companies) < 80 {
		t.Errorf("there are %d companies, want 80 or more", len(b.companies))
	}
	common := map[string]int{}
	for _, c := range b.companies {
		if c.Common {
			common[c.Profile.Language]++
		}
	}
	for language, least := range map[string]int{"english": 40, "portuguese": 3, "german": 3} {
		if common[language] < least {
			t.Errorf("there are %d common words in %s, want %d or more", common[language], language, least)
		}
	}
	domains := map[string]bool{}
	for _, c := range b.companies {
		if domains[c.Domain] || len(b.labels[c.Domain]) == 0 || c.Profile.Description == "" ||
			len(c.Profile.IndustryTerms) == 0 {
			t.Errorf("%s is there twice, or lacks labels or a profile", c.name())
		}
		domains[c.Domain] = true
	}
	for domain := range b.labels {
		if !domains[domain] {
			t.Errorf("labels of %s, which is no company here", domain)
		}
	}
}

// The written posts mean companies of theirs, each of which has posts of both kinds.
func TestWritten(t *testing.T) {
	b, err := newBench([]split{dev, test})
	must(t, err)
	domains := map[string]bool{"-": true}
	for _, c := range b.companies {
		if c.Posts != written {
			continue
		}
		domains[c.Domain] = true
		found, err := named(c, spread(b.texts, []post.Post{{PostedAt: time.Unix(0, 0)}, {PostedAt: time.Unix(1e6, 0)}}))
		must(t, err)
		meant := 0
		for _, p := range found {
			if relevant, _ := b.labels.of(c, p.SourceID); relevant {
				meant++
			}
		}
		if meant < 10 || len(found)-meant < 10 {
			t.Errorf("%s: %d of %d posts mean it, want ten of each kind", c.name(), meant, len(found))
		}
	}
	for line := range strings.Lines(string(writtenFile)) {
		for domain := range strings.SplitSeq(strings.SplitN(line, "\t", 2)[0], ",") {
			if !domains[domain] {
				t.Errorf("%q means %q, which is no company with written posts", line, domain)
			}
		}
	}
}

// Where the archive is, every post that has a company's name is labelled, and every label is of such a post.
func TestLabels(t *testing.T) {
	folder := os.Getenv("DATA_DIR")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skip("there is no archive: name its folder by DATA_DIR")
	}
	posts, err := readArchive(folder)
	must(t, err)
	b, err := newBench([]split{dev, test})
	must(t, err)
	for _, c := range b.companies {
		if c.Posts != collected {
			continue
		}
		found, err := named(c, posts)
		must(t, err)
		var unlabelled []string
		held := 0
		for _, p := range found {
			if _, known := b.labels.of(c, p.SourceID); known {
				held++
			}
		}
		needed := found
		if len(b.labels[c.Domain]) == mostLabelled {
			needed = c.sampled(found)
		}
		for _, p := range needed {
			if _, known := b.labels.of(c, p.SourceID); !known {
				unlabelled = append(unlabelled, p.SourceID)
			}
		}
		if len(unlabelled) > 0 {
			t.Errorf("%s: posts without a label: %v", c.name(), unlabelled)
		}
		// The matcher takes a name within another ("Meteor.js") for another.
		if extra := len(b.labels[c.Domain]) - held; extra > 2 {
			t.Errorf("%s: %d labels are of posts that lack the name", c.name(), extra)
		}
	}
}

func TestSplit_AllCompanies(t *testing.T) {
	both, err := newBench([]split{dev, test})
	must(t, err)
	parts := 0
	for _, s := range []split{dev, test} {
		part, err := newBench([]split{s})
		must(t, err)
		if n := len(part.companies); n < len(both.companies)/3 {
			t.Errorf("%s has %d of %d companies", s, n, len(both.companies))
		}
		for _, c := range part.companies {
			if c.split() != s {
				t.Errorf("%s is of %s, want %s", c.name(), c.split(), s)
			}
		}
		parts += len(part.companies)
	}
	if parts != len(both.companies) {
		t.Errorf("the splits have %d companies together, want %d", parts, len(both.companies))
	}
}

func TestReadSplits(t *testing.T) {
	for text, want := range map[string][]split{"": {dev, test}, "dev": {dev}, "test": {test}} {
		if got, err := readSplits(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("readSplits(%q) = %v %v, want %v", text, got, err, want)
		}
	}
	if got, err := readSplits("Dev"); err == nil {
		t.Errorf("readSplits(%q) = %v, want an error", "Dev", got)
	}
}

// A report on one split has no figure of the other's companies.
func TestRun_OneSplit(t *testing.T) {
	b, posts := madeUp(t)
	b.companies[1].Domain = "quillbase3.example"
	if b.companies[0].split() == b.companies[1].split() {
		t.Fatal("both companies are of one split")
	}
	b.labels["quillbase3.example"] = b.labels["quillbase.example"]
	m, err := b.measure(t.Context(), corpora{collected: posts})
	must(t, err)
	part := m.in(b.companies[0].split())
	if len(part.rows) != 1 || len(part.crossed) != 1 || len(part.dated) != 1 || part.rows[0].name() != "Anchor" {
		t.Errorf("the split has %d, %d and %d rows, want the one company", len(part.rows), len(part.crossed), len(part.dated))
	}
	fewer := 0
	for i, c := range part.coverages {
		all, other := m.coverages[i].sum(), m.coverages[i].in(b.companies[1].split()).sum()
		if c.sum().plus(other) != all {
			t.Errorf("%s: %+v and %+v of %+v", c.view, c.sum(), other, all)
		}
		fewer += all.bare.ranges - c.sum().bare.ranges
	}
	if fewer == 0 {
		t.Error("one company has as many ranges as both")
	}
}

func TestHalves(t *testing.T) {
	_, posts := madeUp(t)
	one, other := halves(posts)
	if len(one)+len(other) != len(posts) || min(len(one), len(other)) < len(posts)/4 {
		t.Errorf("%d and %d of %d posts", len(one), len(other), len(posts))
	}
	if slices.ContainsFunc(one, func(p post.Post) bool {
		return slices.ContainsFunc(other, func(q post.Post) bool { return p.SourceID == q.SourceID })
	}) {
		t.Error("a post is in both halves")
	}
}

// madeOf returns a row whose proposal has a keyword of the name.
func madeOf(status proposal.Status, k proposal.Keyword, options ...proposal.Option) row {
	r := row{made: made{status: status}}
	r.Profile.Company, r.Profile.Products = "Acme!", []string{"Rocket", "Anvil Pro"}
	k.Ref, k.Tag = "brand", keyword.OwnBrand
	r.proposal.Keywords = []proposal.Keyword{k, {Ref: "product_1", Keyword: "anvil  pro"}}
	r.proposal.Options = options
	return r
}

func TestDrops(t *testing.T) {
	selected := proposal.Keyword{Keyword: "Acme", Route: proposal.Anchored, SelectedByDefault: true}
	domain := proposal.Keyword{Keyword: "acme.com", Route: proposal.DomainVariant, SelectedByDefault: true}
	offered := proposal.Keyword{Keyword: "Acme", Route: proposal.Bare}
	for what, c := range map[string]struct {
		row
		want bool
	}{
		"the name is selected":         {madeOf(proposal.Ready, selected), false},
		"the domain alone is selected": {madeOf(proposal.Ready, domain), true},
		"the name is not selected":     {madeOf(proposal.Ready, offered), true},
		"narrowing without an option":  {madeOf(proposal.NeedsNarrowing, offered), true},
		"narrowing with the name's option": {madeOf(proposal.NeedsNarrowing, offered, proposal.Option{KeywordRef: "brand"}),
			false},
	} {
		if got := len(drops([]row{c.row})) == 1; got != c.want {
			t.Errorf("%s: drops is %v, want %v", what, got, c.want)
		}
	}
	r := madeOf(proposal.Ready, selected)
	r.proposal.Feeds = []proposal.Feed{{KeywordRefs: []string{"product_1"}, Visible: true},
		{KeywordRefs: []string{"brand"}}}
	if got := r.shown(); got != "hidden" {
		t.Errorf("shown() = %s, want hidden", got)
	}
	if found, chosen := r.tracksProducts(); found != 1 || chosen != 0 {
		t.Errorf("tracksProducts() = %d %d, want 1 0", found, chosen)
	}
}

// The jackknife of companies of one size is the usual error of a mean.
func TestPooled(t *testing.T) {
	var rows []row
	for _, caught := range []int{6, 8, 10} {
		rows = append(rows, row{engine: outcome{judged: tally{relevant: 10, matched: 20, caught: caught}}})
	}
	got := pooled(rows, judgedCatch)
	if want := 1.96 * 0.2 / math.Sqrt(3); math.Abs(got.share-0.8) > 1e-9 || math.Abs(got.half-want) > 1e-9 {
		t.Errorf("pooled = %+v, want 0.8 and %.4f", got, want)
	}
	if got := pooled(rows[:1], judgedCatch); got != (estimate{0.6, 1}) {
		t.Errorf("pooled of one company = %+v, want no more than its share", got)
	}
}

func TestConfusions(t *testing.T) {
	var rows []row
	for _, c := range []struct {
		common, said bool
		route        proposal.Route
	}{{true, true, proposal.Anchored}, {true, false, proposal.Anchored}, {false, true, proposal.Bare}, {false, false,
		proposal.Bare}} {
		r := madeOf(proposal.Ready, proposal.Keyword{Keyword: "Acme", Route: c.route, SelectedByDefault: true})
		r.Common = c.common
		r.candidates.Candidates = []proposal.Candidate{{Ref: "brand", Common: c.said}}
		rows = append(rows, r)
	}
	byName, byProposal := confusions(rows)
	if byName != (confusion{1, 1, 1}) || byName.f1() != 0.5 || byProposal != (confusion{2, 0, 0}) || byProposal.f1() != 1 {
		t.Errorf("%v and %v", byName, byProposal)
	}
}
