package sampling

import (
	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// Shared is how many posts two samples both have.
func Shared(a, b proposal.Sighting) int {
	of := map[string]bool{}
	for i := range a.Posts {
		of[a.Posts[i].ID] = true
	}
	shared := 0
	for i := range b.Posts {
		if of[b.Posts[i].ID] {
			shared++
		}
	}
	return shared
}

// Unique counts the ids of posts that some keywords keep: those that differ, and all of them.
//
// Samples are parts of what there is: two that are drawn from the same thousand posts have few of them in common. A volume is to be
// counted once by Alone, which does not depend on that.
func Unique(kept [][]string) (distinct, total int) {
	seen := map[string]bool{}
	for _, ids := range kept {
		total += len(ids)
		for _, id := range ids {
			seen[id] = true
		}
	}
	return len(seen), total
}

// Alone says of each keyword which share of what it keeps none of the keywords before it matches, 0 to 1: the sum of volume times share
// counts each post once, in whatever order the keywords stand. samples[i] are the posts of a sample of keywords[i] bare. A keyword that
// keeps none of its sample has share 1: nothing is known that would take from it.
func Alone(keywords []keyword.Keyword, samples [][]proposal.SampledPost) []float64 {
	shares := make([]float64, len(keywords))
	for i := range keywords {
		shares[i] = 1
		if i >= len(samples) || len(samples[i]) == 0 {
			continue
		}
		kept := KeepsEach(keywords[:i+1], samples[i])
		before := map[int]bool{}
		for _, places := range kept[:i] {
			for _, at := range places {
				before[at] = true
			}
		}
		alone := 0
		for _, at := range kept[i] {
			if !before[at] {
				alone++
			}
		}
		if len(kept[i]) > 0 {
			shares[i] = float64(alone) / float64(len(kept[i]))
		}
	}
	return shares
}
