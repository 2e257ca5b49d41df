package measure_test

import (
	"fmt"
	"testing"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/measure"
	"earshot/shared/source"
	"earshot/shared/source/bluesky"
	"earshot/shared/source/catalogue"
	"earshot/shared/source/dev"
	"earshot/shared/source/fetch"
	"earshot/shared/source/firehose"
	"earshot/shared/source/github"
	"earshot/shared/source/hackernews"
	"earshot/shared/source/medium"
	"earshot/shared/source/news"
	"earshot/shared/source/newsletter"
	"earshot/shared/source/podcasts"
	"earshot/shared/source/producthunt"
	"earshot/shared/source/reddit"
	"earshot/shared/source/stackoverflow"
	"earshot/shared/source/twitter"
	"earshot/shared/source/youtube"
)

// The table says of every adapter what the adapter says of itself: a stream cannot be searched, all else can; and of
// every platform that none searches, that it cannot be.
func TestCoverage(t *testing.T) {
	client := fetch.New(fetch.Options{})
	searchable := map[string]bool{}
	for _, each := range []source.Source{
		bluesky.New(client, nil, ""), dev.New(client, ""), firehose.New(firehose.Options{}),
		github.New(client, nil, ""), hackernews.New(client, ""), medium.New(client, ""),
		news.New(client, ""), newsletter.New(client, nil, nil), podcasts.New(client, ""),
		producthunt.New(client, nil, ""), reddit.New(client, nil, ""), stackoverflow.New(client, nil, ""),
		twitter.New(client, nil, "", nil), youtube.New(client, nil, ""),
	} {
		searchable[each.About().Name] = !each.About().Stream
	}
	for _, p := range catalogue.Platforms() {
		factor, got := measure.Coverage(p.Name)
		if factor < 1 || factor > 2 {
			t.Errorf("%s: the factor is %v", p.Name, factor)
		}
		if got != searchable[p.Name] {
			t.Errorf("%s: searchable is %t in the table", p.Name, got)
		}
		delete(searchable, p.Name)
	}
	if len(searchable) > 0 {
		t.Errorf("adapters that are no platform: %v", searchable)
	}
	if factor, got := measure.Coverage("forum"); factor != 1 || !got {
		t.Errorf("of what is no platform: %v, %t", factor, got)
	}
}

// Every platform that the run lists as unmeasured carries a reason that people can read.
func TestUnmeasuredHaveReasons(t *testing.T) {
	got := measure.Join(one(proposal.ClassPhrase), nil, nil, keyword.Platforms(), at)
	for _, name := range append(got.Unmeasured, got.Failed...) {
		if len(got.Reasons[name]) < 15 {
			t.Errorf("%s: %q", name, got.Reasons[name])
		}
	}
	if v := got.Volumes["brand"]; len(v.UnverifiedSources) != 10 || len(v.UnmeasuredSources) != 7 {
		t.Errorf("%d sources of a run that nobody answered are unverified, %d unmeasured: %+v", len(v.UnverifiedSources),
			len(v.UnmeasuredSources), v)
	}
}

func BenchmarkJoin(b *testing.B) {
	var candidates proposal.Candidates
	var counts []proposal.Counts
	for i := range proposal.MaxKeywords {
		candidates.Candidates = append(candidates.Candidates,
			proposal.Candidate{Ref: fmt.Sprintf("candidate_%d", i), Class: proposal.ClassPhrase})
	}
	for s, name := range catalogue.Searched() {
		c := proposal.Counts{
			Source:    name,
			State:     proposal.SourceAnswered,
			Counts:    map[string]proposal.Count{},
			CountedAt: time.Time{},
		}
		for i, candidate := range candidates.Candidates {
			c.Counts[candidate.Ref] = month(int64(7 * i * s))
		}
		counts = append(counts, c)
	}
	b.ReportAllocs()
	for b.Loop() {
		measure.Join(candidates, counts, nil, catalogue.Searched(), at)
	}
}

func BenchmarkScale(b *testing.B) {
	v := measure.Join(one(proposal.ClassPhrase), []proposal.Counts{
		answered("hackernews", month(80)), answered("reddit", month(40)), answered("github", month(3)),
	}, nil, nil, at).Volumes["brand"]
	b.ReportAllocs()
	for b.Loop() {
		measure.Scale(v, 11, 30)
	}
}
