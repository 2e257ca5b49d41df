package rule_test

import (
	"fmt"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
)

// A proposal as large as they come, with the samples of the thorough tier: 24 keywords with 60 posts each.
func BenchmarkCheck(b *testing.B) {
	p, e := valid()
	sample := e.Sampled.Sightings["rival"].Posts
	for n := len(p.Keywords); n < proposal.MaxKeywords; n++ {
		ref := fmt.Sprintf("more_%d", n)
		k := validKeyword(ref, fmt.Sprintf("kubernautix%d", n), keyword.Competitor, proposal.Anchored, "feed_rivals")
		k.AdditionalTerms = []string{"deploy", "registry", "kubernetes"}
		k.ExcludeWords = []string{"boat", "sails", "marina"}
		k.Volume.UnmeasuredSources = []string{"twitter"}
		p.Keywords = append(p.Keywords, k)
		p.Feeds[rivalFeed].KeywordRefs = append(p.Feeds[rivalFeed].KeywordRefs, ref)
		s := proposal.Sighting{}
		for i := range 60 {
			post := sample[i%len(sample)]
			post.Body = fmt.Sprintf("kubernautix%d %s and more of what people write when they have something to say", n, post.Body)
			s.Posts = append(s.Posts, post)
			if post.Relevant {
				s.Relevant++
			}
		}
		e.Sampled.Sightings[ref] = s
	}
	p.Totals.ProjectedMonthly = float64(proposal.MaxKeywords-1) * 100
	if found := rule.Check(p, e); len(found) != 0 {
		b.Fatal(found)
	}
	for b.Loop() {
		rule.Check(p, e)
	}
}
