package sampling_test

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/shared/proposal"
	"earshot/shared/proposal/sampling"
)

var vocabulary = []string{"java", "Java", "java", "compiler", "server", "developer", "island", "sumatra", "volcano",
	"rice", "the", "and", "hiring", "apply",
	"OpenJDK", "gestern", "habe", "https://java.example/x", "@javabot", "sea-side", "don't", "C++", "語"}

// Whatever is posted, the figures hold together, count again, and do not depend on the order of the posts.
func TestLookProperties(t *testing.T) {
	judge := newJudge(t)
	rapid.Check(t, func(t *rapid.T) {
		profile := brew
		profile.Language = rapid.SampledFrom([]string{"english", "german", "undetermined", "", "klingon"}).Draw(t, "language")
		sampler := sampling.New(judge, profile, "java.example")
		c := java
		c.Exact, c.Cased = rapid.Bool().Draw(t, "exact"), rapid.IntRange(0, 4).Draw(t, "cased") == 0
		c.Text = rapid.SampledFrom([]string{"java", "Java", "java compiler", "java.example", "island"}).Draw(t, "text")
		posts := drawPosts(t, vocabulary)
		for n := range rapid.IntRange(0, 12).Draw(t, "meant") {
			posts = append(posts, code(n))
		}
		for n := range rapid.IntRange(0, 12).Draw(t, "not meant") {
			p := island(n)
			if rapid.IntRange(0, 2).Draw(t, "loud") == 0 {
				loud := rapid.SampledFrom([]string{"Loud", "javabot", "with blanks"}).Draw(t, "name")
				p.Author = &loud
			}
			posts = append(posts, p)
		}
		limit := rapid.SampledFrom([]int{0, 1, 30, 60}).Draw(t, "limit")
		seen := sampler.Look(c, posts, limit)
		if again := sampler.Look(c, shuffled(posts, 5), limit); !reflect.DeepEqual(seen, again) {
			t.Fatalf("%+v\nin another order\n%+v", seen, again)
		}
		if len(seen.Posts) > limit {
			t.Fatalf("%d posts of at most %d", len(seen.Posts), limit)
		}
		hold(t, c, profile, seen, limit)
	})
}

// hold says what is to be so of every sighting.
func hold(t *rapid.T, c proposal.Candidate, profile proposal.Profile, seen proposal.Sighting, limit int) {
	relevant, bySource, byLanguage, jobs := 0, 0, 0, 0
	for _, p := range seen.Posts {
		if p.Relevant {
			relevant++
		}
		if p.Job {
			jobs++
		}
		if !utf8.ValidString(p.Body+p.Title+p.ID+p.Author) || utf8.RuneCountInString(p.Body) > sampling.MaxBody {
			t.Fatalf("%+v", p)
		}
	}
	for _, s := range seen.Sources {
		bySource += s.Scored
	}
	for _, n := range seen.Languages {
		byLanguage += n
	}
	n := len(seen.Posts)
	if seen.Relevant != relevant || bySource != n || byLanguage != n ||
		math.Abs(seen.JobShare*float64(n)-float64(jobs)) > 1e-9 {
		t.Fatalf("%+v", seen)
	}
	if all := sampling.Keeps(sampling.Bare(c), seen.Posts); len(all) != n {
		t.Fatalf("the bare text keeps %d of %d", len(all), n)
	}
	total, clustered := 0.0, map[int]bool{}
	for _, cluster := range seen.Clusters {
		total += cluster.Share
		if math.Abs(cluster.Share*float64(n)-float64(len(cluster.Posts))) > 1e-9 {
			t.Fatalf("a share of %v is of %d posts of %d", cluster.Share, len(cluster.Posts), n)
		}
		for _, at := range cluster.Posts {
			if at < 0 || at >= n || clustered[at] {
				t.Fatalf("post %d of %d is in %+v, and in another: %t", at, n, cluster, clustered[at])
			}
			clustered[at] = true
		}
		label := cluster.Label
		if label == "" || utf8.RuneCountInString(label) > sampling.MaxLabel || cluster.Share <= 0 ||
			strings.ContainsFunc(label, func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != ' ' && r != ','
			}) {
			t.Fatalf("%+v", cluster)
		}
		for word := range strings.FieldsFuncSeq(label, func(r rune) bool { return r == ' ' || r == ',' }) {
			if strings.EqualFold(word, c.Text) {
				t.Fatalf("%q is the keyword", word)
			}
		}
	}
	if total > 1+1e-9 || seen.Foreign < 0 || seen.Foreign > 1 || seen.JobShare < 0 || seen.JobShare > 1 {
		t.Fatalf("clusters of %v, %+v", total, seen)
	}
	tally := func(of []int) (f proposal.TermFigure) {
		for _, at := range of {
			if seen.Posts[at].Relevant {
				f.Relevant++
			} else {
				f.Noise++
			}
		}
		return f
	}
	// Beside an ambiguous name terms are counted over all posts that were read, of which the sample may be a part.
	counted := func(f, got proposal.TermFigure) bool {
		if n < limit {
			return f.Relevant == got.Relevant && f.Noise == got.Noise
		}
		return f.Relevant >= got.Relevant && f.Noise >= got.Noise
	}
	for _, f := range seen.Anchors {
		k := sampling.Bare(c)
		k.AdditionalTerms = []string{f.Term}
		if got := tally(sampling.Keeps(k, seen.Posts)); !counted(f, got) {
			t.Fatalf("anchor %+v, counted %+v", f, got)
		}
		if !slices.Contains(c.Anchors, f.Term) && f.Relevant == 0 {
			t.Fatalf("anchor %+v of no relevant post", f)
		}
	}
	for _, f := range seen.Excludes {
		k := sampling.Bare(c)
		k.ExcludeWords = []string{f.Term}
		kept := tally(sampling.Keeps(k, seen.Posts))
		lost := proposal.TermFigure{Relevant: relevant - kept.Relevant, Noise: n - relevant - kept.Noise}
		if !counted(f, lost) || f.Relevant >= f.Noise {
			t.Fatalf("exclusion %+v, keeps %+v of %d", f, kept, n)
		}
		if strings.Contains(f.Term, "java") || strings.EqualFold(f.Term, profile.Products[0]) {
			t.Fatalf("exclusion %+v of the company's own", f)
		}
	}
	for _, f := range seen.Authors {
		if f.Relevant != 0 || f.Noise < proposal.LeastByAuthor ||
			float64(f.Noise) < proposal.AuthorWall*float64(n-relevant) || f.Term == "javabot" {
			t.Fatalf("author %+v", f)
		}
	}
}

func FuzzLook(f *testing.F) {
	judge := newJudge(f)
	for _, text := range []string{"", "Zorblatt", "\xff\x00Zorblatt", "https://zorblatt.com/jobs |||",
		strings.Repeat("語", 700) + "Zorblatt", "RT @a: Zorblatt #hiring"} {
		f.Add(text, text, "Zorblatt")
	}
	f.Fuzz(func(t *testing.T, title, body, text string) {
		profile := proposal.Profile{Company: text, Products: []string{title}, Language: title}
		c := proposal.Candidate{Text: text, Anchors: []string{title}, Context: title}
		posts := mixed(3)
		for i := range posts {
			posts[i].Title = &title
			whole := *posts[i].Body + body
			posts[i].Body = &whole
		}
		seen := sampling.New(judge, profile, text).Look(c, posts, 5)
		if all := sampling.Keeps(sampling.Bare(c), seen.Posts); len(all) != len(seen.Posts) || len(seen.Posts) > 5 {
			t.Fatalf("%d of %d", len(all), len(seen.Posts))
		}
		if data, err := json.Marshal(seen); err != nil || !utf8.Valid(data) {
			t.Fatalf("%q, %v", data, err)
		}
	})
}

func BenchmarkLook(b *testing.B) {
	sampler := sampling.New(newJudge(b), brew, "java.example")
	long := strings.Repeat(" We moved the services last month; has anybody tuned the collector for small containers or seen what the build needs?", 4)
	posts := mixed(200)
	for i := range posts {
		body := *posts[i].Body + long
		posts[i].Body = &body
	}
	b.ReportAllocs()
	for b.Loop() {
		if seen := sampler.Look(java, posts, 60); len(seen.Posts) != 60 {
			b.Fatal(len(seen.Posts))
		}
	}
}

func BenchmarkKeeps(b *testing.B) {
	posts := sampling.New(newJudge(b), brew, "java.example").Look(java, mixed(30), 60).Posts
	k := sampling.Bare(java)
	k.AdditionalTerms, k.ExcludeWords = []string{"compiler", "server", "libraries"}, []string{"sumatra", "island"}
	b.ReportAllocs()
	for b.Loop() {
		sampling.Keeps(k, posts)
	}
}
