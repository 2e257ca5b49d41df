package survey_test

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/survey"
	"earshot/shared/source"
)

// quarters are how many posts there are of each quarter of the last 30 days, the newest first.
func quarters(posts []post.Post) (n [4]int) {
	for _, p := range posts {
		n[min(3, int(now.Sub(p.PostedAt).Hours()/24/7.5))]++
	}
	return n
}

// A sample is spread over the window, whether one page shows all of it or not, and asks for as little as that takes.
func TestPosts(t *testing.T) {
	for _, tt := range []struct {
		name     string
		posts    []post.Post
		want     int
		got      [4]int
		requests int
	}{
		{"none", nil, 30, [4]int{}, 1},
		{"all of a few", posts(10, "Quietharbor", 30, now), 30, [4]int{2, 3, 2, 3}, 1},
		{"some of a page", posts(80, "Quietharbor", 30, now), 20, [4]int{5, 5, 5, 5}, 1},
		{"of many", posts(3000, "Quietharbor", 30, now), 40, [4]int{10, 10, 10, 10}, 4},
		{"of many that are new",
			together(posts(300, "Quietharbor", 5, now), posts(6, "Quietharbor", 15, now.Add(-15*24*time.Hour))),
			40, [4]int{34, 0, 3, 3}, 4},
		{"the page reaches back far enough", posts(120, "Quietharbor", 30, now), 20, [4]int{5, 5, 5, 5}, 1},
		{"more than a sample, of a page that has one", posts(100, "Quietharbor", 30, now), 300, [4]int{25, 25, 25, 25}, 1},
		{"more than a sample, of many", posts(3000, "Quietharbor", 30, now), 300, [4]int{100, 50, 50, 50}, 4},
		{"none wanted", posts(10, "Quietharbor", 30, now), 0, [4]int{}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShelf("hackernews", 100, tt.posts...)
			got, err := surveying(s).Posts(t.Context(), "hackernews", brand("quietharbor"), tt.want)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "quarters", quarters(got), tt.got)
			equal(t, "requests", s.requests(), tt.requests)
		})
	}
}

// After a count a sample costs only what the count did not see; after a sample, nothing; until an hour is over.
func TestCached(t *testing.T) {
	few, many := newShelf("few", 100, posts(20, "Quietharbor", 30, now)...),
		newShelf("many", 100, posts(3000, "Quietharbor", 30, now)...)
	known := counting{newShelf("known", 100, posts(3000, "Quietharbor", 30, now)...), true, nil}
	clock, kept, budget := still(), newCache(), &purse{left: 1000}
	run := func() *survey.Survey {
		return survey.New(survey.Options{
			Sources: []source.Source{few, many, known},
			Cache:   kept,
			Budget:  budget,
			Clock:   clock,
			Log:     slog.New(slog.DiscardHandler),
		})
	}
	step := func(name string, ask func(s *survey.Survey, source string) error, want map[string]int) {
		t.Helper()
		for _, of := range []*shelf{few, many, known.shelf} {
			before, spent := of.requests(), budget.spent
			if err := ask(run(), of.about.Name); err != nil {
				t.Fatalf("%s, %s: %v", name, of.about.Name, err)
			}
			equal(t, name+", "+of.about.Name, of.requests()-before, want[of.about.Name])
			equal(t, name+", "+of.about.Name+": spent", budget.spent-spent, of.requests()-before)
		}
	}
	var counts, again []proposal.Count
	count := func(into *[]proposal.Count, text string) func(s *survey.Survey, source string) error {
		return func(s *survey.Survey, source string) error {
			c, err := s.Count(t.Context(), source, brand(text))
			*into = append(*into, c)
			return err
		}
	}
	sample := func(s *survey.Survey, source string) error {
		_, err := s.Posts(t.Context(), source, brand("quietharbor"), 30)
		return err
	}
	step("counted", count(&counts, "quietharbor"), map[string]int{"few": 1, "many": 3, "known": 2})
	step("sampled", sample, map[string]int{"many": 3, "known": 3})
	step("sampled again", sample, nil)
	clock.Freeze(now.Add(proposal.CachedFor - time.Second))
	step("counted again, written another way", count(&again, "QuietHarbor"), nil)
	if !slices.Equal(counts, again) {
		t.Errorf("kept %v, answered first %v", again, counts)
	}
	step("with another case", func(s *survey.Survey, source string) error {
		c := brand("quietharbor")
		c.Cased = true
		_, err := s.Count(t.Context(), source, c)
		return err
	}, map[string]int{"few": 1, "many": 3, "known": 2})
	clock.Freeze(now.Add(proposal.CachedFor))
	step("an hour later", count(&again, "quietharbor"), map[string]int{"few": 1, "many": 3, "known": 2})
	for key := range kept.entries {
		kept.entries[key] = []byte("damaged")
	}
	step("damaged", count(&again, "quietharbor"), map[string]int{"few": 1, "many": 3, "known": 2})
	kept.err = errors.New("table")
	step("a cache that fails", count(&again, "quietharbor"), map[string]int{"few": 1, "many": 3, "known": 2})
}

// What an archive answered before posts were added to it is not good any more, wherever in time they are; what another has is.
func TestCachedOfAnArchiveThatGrows(t *testing.T) {
	grows := archive{newShelf("hackernews", 100, posts(20, "Quietharbor", 30, now)...), nil}
	stays := archive{newShelf("reddit", 100, posts(20, "Quietharbor", 30, now)...), nil}
	kept := newCache()
	ask := func() (counted []int64) {
		for _, name := range []string{"hackernews", "reddit"} {
			c, err := survey.New(survey.Options{
				Sources: []source.Source{grows, stays},
				Cache:   kept,
				Clock:   still(),
			}).Count(t.Context(), name, brand("quietharbor"))
			if err != nil {
				t.Fatal(err)
			}
			counted = append(counted, c.Posts)
		}
		return counted
	}
	equal(t, "at first", fmt.Sprint(ask(), ask()), "[20 20] [20 20]")
	older := grows.posts[len(grows.posts)/2]
	older.SourceID, older.PostedAt = "hackernews_older", older.PostedAt.Add(-time.Minute)
	grows.posts = append(grows.posts, older)
	equal(t, "with one more", fmt.Sprint(ask()), "[21 20]")
	equal(t, "requests", fmt.Sprint(grows.requests(), stays.requests()), "2 1")
}

// A quarter that fails costs its posts and not the others'; only when nothing was found is it an error.
func TestPostsOfAFailingSource(t *testing.T) {
	s := failing(newShelf("hackernews", 100, posts(3000, "Quietharbor", 30, now)...), 3,
		&source.Unavailable{Source: "hackernews", Reason: "answered 503"})
	got, err := surveying(s).Posts(t.Context(), "hackernews", brand("quietharbor"), 40)
	equal(t, "quarters", quarters(got), [4]int{20, 20, 0, 0})
	equal(t, "requests", s.requests(), 3)
	if err != nil {
		t.Error(err)
	}
	s = newShelf("hackernews", 100)
	s.lies = func(q source.Query, _ source.Page) source.Page { return source.Page{Next: "1" + q.After} }
	failing(s, 5, &source.Unavailable{Source: "hackernews", Reason: "answered 503"})
	if got, err := surveying(s).Posts(t.Context(), "hackernews", brand("quietharbor"), 40); err == nil || len(got) > 0 {
		t.Errorf("%d posts, %v", len(got), err)
	}
	if _, err := surveying(s).Posts(t.Context(), "hackernews",
		proposal.Candidate{Text: "a", Platforms: []string{"github"}}, 40); !errors.Is(err, survey.ErrNotThere) {
		t.Errorf("not tracked there: %v", err)
	}
}

// What is kept is small however much a source answers, and a post keeps the part of it that matched.
func TestPostsAreClipped(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	noise := func(n int) string {
		letters := make([]rune, n)
		for i := range letters {
			letters[i] = rune('α' + random.IntN(24))
			if i%9 == 0 {
				letters[i] = ' '
			}
		}
		return string(letters)
	}
	made := posts(100, "", 30, now)
	for i := range made {
		body, title := noise(20_000)+" Quietharbor "+noise(20_000), noise(3_000)
		made[i].Body, made[i].Title = &body, &title
		made[i].AuthorName, made[i].URL = noise(900), noise(900)
	}
	kept := newCache()
	s := newShelf("hackernews", 100, made...)
	survey := survey.New(survey.Options{Sources: []source.Source{s}, Cache: kept, Clock: still()})
	count, err := survey.Count(t.Context(), "hackernews", brand("quietharbor"))
	if err != nil || count.Posts != 100 {
		t.Fatalf("counts %+v, %v", count, err)
	}
	got, err := survey.Posts(t.Context(), "hackernews", brand("quietharbor"), 60)
	if err != nil || len(got) < 20 {
		t.Fatalf("%d posts, %v", len(got), err)
	}
	equal(t, "requests", s.requests(), 1)
	for _, p := range got {
		if !strings.Contains(*p.Body, "Quietharbor") || len(*p.Body) > 4<<10 || len(*p.Title) > 4<<10 {
			t.Fatalf("has %d bytes and the text %t", len(*p.Body), strings.Contains(*p.Body, "Quietharbor"))
		}
	}
	if *made[0].Body == *got[0].Body || len(*made[0].Body) < 40_000 {
		t.Error("clipping changed the source's own posts")
	}
}

// Whatever there is: at most as many as wanted, each once, newest first, of the window, matching; the same when asked again.
func TestPostsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lists [][]post.Post
		for i := range rapid.IntRange(1, 4).Draw(t, "bursts") {
			text := rapid.SampledFrom([]string{"Quietharbor", "quietharborage", "of quietharbor, again"}).Draw(t, "text")
			back := time.Duration(rapid.IntRange(0, 40*24).Draw(t, "hours back")) * time.Hour
			lists = append(lists, posts(rapid.IntRange(0, 150).Draw(t, fmt.Sprint("posts", i)), text,
				rapid.Float64Range(0.1, 20).Draw(t, "days"), now.Add(-back)))
		}
		most, want := rapid.IntRange(1, 120).Draw(t, "page"), rapid.IntRange(0, 70).Draw(t, "want")
		s := newShelf("hackernews", most, together(lists...)...)
		got, err := surveying(s).Posts(t.Context(), "hackernews", brand("quietharbor"), want)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > want || s.requests() > 4*3 {
			t.Fatalf("%d posts in %d requests", len(got), s.requests())
		}
		seen := map[string]bool{}
		for i, p := range got {
			age := now.Sub(p.PostedAt)
			if seen[p.SourceID] || age <= 0 || age > 30*24*time.Hour || *p.Body == "quietharborage" ||
				i > 0 && p.PostedAt.After(got[i-1].PostedAt) {
				t.Fatalf("post %d of %d: %s, %v old: %q", i, len(got), p.SourceID, age, *p.Body)
			}
			seen[p.SourceID] = true
		}
		again, err := surveying(s).Posts(t.Context(), "hackernews", brand("quietharbor"), want)
		if err != nil || len(again) != len(got) {
			t.Fatalf("asked again: %d posts, %v", len(again), err)
		}
		for i := range again {
			if again[i].SourceID != got[i].SourceID {
				t.Fatalf("asked again, another post %d", i)
			}
		}
	})
}

func BenchmarkBranch(b *testing.B) {
	var texts []string
	for i := range 20 {
		texts = append(texts, fmt.Sprintf("quietharbor%d", i))
	}
	body := strings.Repeat("A comment of usual length that says this and that. ", 8) + strings.Join(texts, " ")
	s := newShelf("hackernews", 100, posts(300, body, 30, now)...)
	kept := newCache()
	for name, o := range map[string]survey.Options{"asked": {}, "kept": {Cache: kept}} {
		o.Sources, o.Clock = []source.Source{s}, still()
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if got := survey.New(o).Branch(b.Context(), "hackernews", candidates(texts...)); len(got.Counts) != 20 {
					b.Fatal(got)
				}
			}
		})
	}
}
