package ingest_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"earshot/functions/ingest"
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/listening"
	"earshot/shared/port/table"
	"earshot/shared/post"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// everyday are words of posts that no keyword has.
var everyday = strings.Fields(`the a of to and in is for on that with this was are it as be at by from have or an they we you not but can all
	will their has more when if about out what so said one up would been people them some new time than other into its only could our over also
	after first two work year day make even because most down how where good little world still own see men long here between both life being
	under never same another know while last might us great old off come since against go came right used take three`)

// batchOf are posts as they come: of a hundred words each, one in ten names a keyword.
func batchOf(r *rand.Rand, n, keywords, from int) []post.Post {
	posts := make([]post.Post, n)
	for i := range posts {
		words := make([]string, 100)
		for w := range words {
			words[w] = everyday[r.IntN(len(everyday))]
		}
		if i%10 == 0 {
			words[r.IntN(len(words))] = brand(r.IntN(keywords))
		}
		text := strings.Join(words, " ")
		posts[i] = post.Post{
			Source:   "hackernews",
			SourceID: fmt.Sprint("hackernews_story_", from+i),
			URL:      fmt.Sprint("https://posts.example/", from+i),
			PostedAt: worldtest.Now.Add(-time.Duration(r.IntN(3600)) * time.Second),
			Body:     &text,
			Author:   new("quietharbor"),
		}
	}
	return posts
}

func brand(n int) string { return fmt.Sprintf("brand%dq", n) }

// withKeywords has so many keywords, a hundred in each workspace.
func withKeywords(b *testing.B, j *judge.Judge, keywords int) *ingest.Intake {
	w := &world{World: worldtest.NewWorld(b), judge: j}
	for n := 0; n < keywords; n += 100 {
		org := workspace.Workspace{ID: workspace.NewID(workspace.PrefixWorkspace,
			worldtest.Now.Add(time.Duration(n)*time.Millisecond)), Plan: workspace.Enterprise}
		must(b, w.Store.CreateWorkspace(b.Context(), org))
		for i := range 100 {
			must(b, w.Store.RestoreKeyword(b.Context(), org.ID,
				keyword.Keyword{ID: int64(i + 1), Text: brand(n + i), ExactMatch: true}))
		}
	}
	options := w.options(w.Store)
	options.Listening = listening.New(listening.Options{
		Settings: w.Store,
		Clock:    w.Clock,
		Judging:  true,
		Fresh:    15 * time.Second,
	})
	i := ingest.New(options)
	if _, err := i.Take(b.Context(), nil); err != nil { // reads and compiles the keywords
		b.Fatal(err)
	}
	return i
}

// BenchmarkIngest takes posts in on one core, into the embedded table, 500 at once. of-100 is the rate in terms of that at 100
// keywords: beside 100 workspaces a batch's mentions need as many transactions as there are workspaces that they are for.
func BenchmarkIngest(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	j, err := judge.New()
	must(b, err)
	rates := map[int]float64{}
	for _, keywords := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprint(keywords, "keywords"), func(b *testing.B) {
			const batch = 500
			i := withKeywords(b, j, keywords)
			r, posts, stored := rand.New(rand.NewPCG(1, 2)), 0, 0
			var elapsed time.Duration
			ctx, meter := table.WithMeter(b.Context())
			for b.Loop() {
				fresh := batchOf(r, batch, keywords, posts)
				began := time.Now()
				outcome, err := i.Take(ctx, fresh)
				elapsed += time.Since(began)
				must(b, err)
				posts, stored = posts+batch, stored+outcome.Mentions.Stored
			}
			if stored != posts/10 {
				b.Fatalf("%d of %d posts were stored", stored, posts)
			}
			rates[keywords] = float64(posts) / elapsed.Seconds()
			used := meter.Total()
			b.ReportMetric(rates[keywords], "posts/s")
			b.ReportMetric(used.WriteUnits/float64(stored), "WCU/mention")
			b.ReportMetric(used.ReadUnits/float64(stored), "RCU/mention")
			if rates[100] > 0 {
				b.ReportMetric(rates[keywords]/rates[100], "of-100")
			}
		})
	}
}
