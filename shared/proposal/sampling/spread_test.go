package sampling_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/sampling"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// at is a post some hours after noon.
func at(hours float64, source, author, text string) post.Post {
	p := post.Post{
		Source:   source,
		SourceID: fmt.Sprintf("%s_%s_%v_%d", source, author, hours, len(text)),
		URL:      "https://" + source + ".example/" + author,
		PostedAt: noon.Add(time.Duration(hours * float64(time.Hour))),
		Body:     &text,
	}
	if author != "" {
		p.Author = &author
	}
	return p
}

func ids(posts []post.Post) (list []string) {
	for i := range posts {
		list = append(list, posts[i].SourceID)
	}
	return list
}

func shuffled[T any](list []T, seed uint64) []T {
	list = slices.Clone(list)
	rand.New(rand.NewPCG(seed, 3)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// A burst of one day does not take the places of the month around it, nor one source those of the others.
func TestSpreadIsEven(t *testing.T) {
	var posts []post.Post
	for day := range 30 {
		posts = append(posts, at(float64(24*day), "reddit", fmt.Sprintf("writer%d", day),
			fmt.Sprintf("a post of day %d", day)))
	}
	for n := range 300 {
		posts = append(posts, at(24*15+float64(n)/100, "reddit", fmt.Sprintf("burst%d", n),
			fmt.Sprintf("a post of the burst, number %d", n)))
	}
	for n := range 5 {
		posts = append(posts, at(float64(100*n), "hackernews", fmt.Sprintf("hacker%d", n),
			fmt.Sprintf("a comment, number %d", n)))
	}
	got := sampling.Spread(posts, 20)
	sources, burst, days := map[string]int{}, 0, map[int]bool{}
	for _, p := range got {
		sources[p.Source]++
		if strings.HasPrefix(*p.Author, "burst") {
			burst++
		}
		days[int(p.PostedAt.Sub(noon).Hours())/24] = true
	}
	if len(got) != 20 || sources["hackernews"] != 5 || sources["reddit"] != 15 || burst > 2 || len(days) < 14 {
		t.Errorf("%d posts, %v, %d of the burst, %d days", len(got), sources, burst, len(days))
	}
	if !slices.IsSortedFunc(got, func(a, b post.Post) int { return b.PostedAt.Compare(a.PostedAt) }) {
		t.Error("not the newest first")
	}
}

// What is the same text is there once, by the oldest post of it.
func TestSpreadTakesATextOnce(t *testing.T) {
	titled := func(hours float64, source, title, body string) post.Post {
		p := at(hours, source, "", title+body)
		p.Title, p.Body = &title, nil
		if body != "" {
			p.Body = &body
		}
		return p
	}
	empty := post.Post{Source: "reddit", SourceID: "reddit_empty", PostedAt: noon}
	for _, c := range []struct {
		name  string
		posts []post.Post
		want  int
	}{
		{"the same post twice", []post.Post{at(1, "reddit", "a", "Acme is down"), at(1, "reddit", "a", "Acme is down")}, 1},
		{"signs, case and blanks",
			[]post.Post{at(1, "reddit", "a", "Acme is DOWN!!"), at(2, "bluesky", "b", "acme  is\ndown")}, 1},
		{"links", []post.Post{at(1, "reddit", "a", "Acme is down https://a.example/1"),
			at(2, "bluesky", "b", "Acme is down https://b.example/2")}, 1},
		{"a repost", []post.Post{at(1, "twitter", "a", "Acme is down"), at(2, "twitter", "b", "RT @a: Acme is down")}, 1},
		{"links alone", []post.Post{at(1, "reddit", "a", "https://acme.example/1"),
			at(2, "bluesky", "b", "https://acme.example/2")}, 2},
		{"another text", []post.Post{at(1, "reddit", "a", "Acme is down"), at(2, "reddit", "a", "Acme is up")}, 2},
		{"a title with a text and without", []post.Post{titled(1, "dev", "How we left Acme for good", "It began in May."),
			titled(2, "hackernews", "How we left Acme for good", "")}, 1},
		{"a title that many have",
			[]post.Post{titled(1, "dev", "Acme", "It began in May."), titled(2, "hackernews", "Acme", "")}, 2},
		{"no text", []post.Post{empty}, 0},
		{"other scripts", []post.Post{at(1, "reddit", "a", "アクメ"), at(2, "reddit", "b", "акме")}, 2},
		{"hostile", []post.Post{at(1, "reddit", "a", "\xff\xfe"), at(2, "reddit", "b", strings.Repeat("\u0301", 5000))}, 2},
	} {
		got := sampling.Spread(c.posts, 10)
		if len(got) != c.want {
			t.Errorf("%s: %d, want %d", c.name, len(got), c.want)
		}
		if c.want == 1 && !got[0].PostedAt.Equal(noon.Add(time.Hour)) {
			t.Errorf("%s: not the oldest", c.name)
		}
	}
}

// One who writes most has a part of the sample that is large enough to be seen, unless there is nobody else.
func TestSpreadOfAuthors(t *testing.T) {
	var loud, posts []post.Post
	for n := range 100 {
		loud = append(loud, at(float64(n), "reddit", "loud", fmt.Sprintf("number %d of many", n)))
	}
	for n := range 40 {
		posts = append(posts, at(float64(2*n), "reddit", fmt.Sprintf("w%d", n), fmt.Sprintf("one of my own %d", n)))
	}
	count := func(posts []post.Post) (n int) {
		for _, p := range posts {
			if *p.Author == "loud" {
				n++
			}
		}
		return n
	}
	if got := sampling.Spread(slices.Concat(loud, posts), 30); len(got) != 30 ||
		count(got) > int(proposal.AuthorMost*30) || count(got) < 9 {
		t.Errorf("%d of %d", count(got), len(got))
	}
	if got := sampling.Spread(slices.Concat(loud, posts[:5]), 30); len(got) != 30 || count(got) != 25 {
		t.Errorf("%d of %d", count(got), len(got))
	}
	if got := sampling.Spread(loud, 30); len(got) != 30 {
		t.Errorf("%d", len(got))
	}
	for i := range loud {
		gone := "[deleted]"
		loud[i].Author = &gone
	}
	if got := sampling.Spread(slices.Concat(loud, posts), 30); len(got) != 30 {
		t.Errorf("%d", len(got))
	}
}

func drawPosts(t *rapid.T, words []string) []post.Post {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) post.Post {
		text := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(words), rapid.StringN(0, 12, -1)), 0, 30).Draw(t,
			"words"), " ")
		author := rapid.SampledFrom([]string{"", "ann", "bob", "Cy", "[deleted]", "loud", "loud"}).Draw(t, "author")
		p := at(rapid.SampledFrom([]float64{0, 0, 1, 5, 24, 700}).Draw(t, "hours"),
			rapid.SampledFrom([]string{"reddit", "hackernews", "news"}).Draw(t, "source"),
			author, text)
		p.SourceID = fmt.Sprintf("%s_%d", p.Source, rapid.IntRange(0, 60).Draw(t, "id"))
		p.IsReply = rapid.Bool().Draw(t, "reply")
		if rapid.IntRange(0, 3).Draw(t, "titled") == 0 {
			title := rapid.OneOf(rapid.SampledFrom(words), rapid.String()).Draw(t, "title")
			if p.Title = &title; rapid.Bool().Draw(t, "untold") {
				p.Body = nil
			}
		}
		return p
	}), 0, 80).Draw(t, "posts")
}

func TestSpreadProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		posts := drawPosts(t, []string{"acme", "is", "down"})
		n := rapid.IntRange(-1, 40).Draw(t, "n")
		got := sampling.Spread(posts, n)
		if len(got) > max(n, 0) || got == nil {
			t.Fatalf("%d posts of at most %d", len(got), n)
		}
		if again := sampling.Spread(shuffled(posts, 1), n); !slices.Equal(ids(got), ids(again)) {
			t.Fatalf("%v, in another order %v", ids(got), ids(again))
		}
		if again := sampling.Spread(got, n); !slices.Equal(ids(got), ids(again)) {
			t.Fatalf("%v, of itself %v", ids(got), ids(again))
		}
		all := sampling.Spread(posts, len(posts))
		if want := min(max(n, 0), len(all)); len(got) != want {
			t.Fatalf("%d posts, want %d", len(got), want)
		}
		seen := map[string]bool{}
		for _, id := range ids(all) {
			if seen[id] {
				t.Fatalf("%s twice", id)
			}
			seen[id] = true
		}
	})
}
