package compose_test

import (
	"math"
	"testing"

	"earshot/shared/proposal"
	"earshot/shared/proposal/compose"
	"earshot/shared/proposal/sampling"
)

// onePopulation checks that a keyword's sample describes the posts that the keyword matches, in each of its figures.
func onePopulation(t interface {
	Helper()
	Errorf(string, ...any)
}, k proposal.Keyword, e proposal.Evidence) {
	t.Helper()
	sighted := e.Sampled.Sightings[k.Ref]
	if k.Sample == nil {
		return
	}
	kept, relevant := map[int]bool{}, 0
	for _, at := range sampling.Keeps(k.Tracked(), sighted.Posts) {
		kept[at] = true
		if sighted.Posts[at].Relevant {
			relevant++
		}
	}
	near := func(share float64, n int) bool {
		return math.Abs(share*float64(len(kept))-float64(n)) <= 0.005*float64(len(kept))+1e-9
	}
	if k.Sample.Scored != len(kept) || !near(k.Sample.RelevanceRate, relevant) {
		t.Errorf("%s: %+v, and it keeps %d posts, %d of them relevant", k.Ref, k.Sample, len(kept), relevant)
	}
	for i, cluster := range k.Sample.Clusters {
		members := 0
		for _, whole := range sighted.Clusters {
			for _, at := range whole.Posts {
				if whole.Label == cluster.Label && kept[at] {
					members++
				}
			}
		}
		if members < sampling.LeastCluster || !near(cluster.Share, members) {
			t.Errorf("%s: %+v, and %d of the %d posts that it keeps are in it", k.Ref, cluster, members, len(kept))
		}
		if i > 0 && cluster.Share > k.Sample.Clusters[i-1].Share {
			t.Errorf("%s: the clusters are not ordered: %+v", k.Ref, k.Sample.Clusters)
		}
	}
}

// An anchored keyword brings a part of the posts with the bare name: its clusters are of that part.
func TestSample_Anchored(t *testing.T) {
	w := commonWord(90, 60)
	_, p := made(t, w)
	brand := keywordOf(t, p, "brand")
	onePopulation(t, brand, w.Evidence)
	bare := w.Sampled.Sightings["brand"].Clusters
	if bare[0].Label != "noise" || len(brand.AdditionalTerms) == 0 {
		t.Fatalf("the bare sample has %+v, the anchors are %q", bare, brand.AdditionalTerms)
	}
	if clusters := brand.Sample.Clusters; len(clusters) == 0 || clusters[0].Label != "meant" {
		t.Errorf("of a sample of %.2f relevance the clusters are %+v", brand.Sample.RelevanceRate, clusters)
	}
}

// Clusters that an earlier version kept do not say which posts they are of.
func TestSample_ClustersOfEarlierVersion(t *testing.T) {
	w := commonWord(90, 60)
	s := w.Sampled.Sightings["brand"]
	for i := range s.Clusters {
		s.Clusters[i].Posts = nil
	}
	bare := compose.Study(w.Evidence).Decide()
	for i := range bare.Keywords {
		bare.Keywords[i].AdditionalTerms, bare.Keywords[i].ExcludeWords, bare.Keywords[i].ExcludeAuthors = nil, nil, nil
	}
	if p := compose.Study(w.Evidence).Assemble(bare); len(keywordOf(t, p, "brand").Sample.Clusters) != len(s.Clusters) {
		t.Error("those of all posts are not shown")
	}
	if _, p := made(t, w); len(keywordOf(t, p, "brand").Sample.Clusters) != 0 {
		t.Error("those of other posts are shown")
	}
}
