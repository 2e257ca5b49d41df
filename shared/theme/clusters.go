package theme

import (
	"math/rand/v2"
	"slices"
)

// rounds bounds how often k-means moves points. It ends earlier if none moves.
const rounds = 12

// trained is the most points that k-means reads. More change little, and the time would grow.
const trained = 1_500

// middles returns the middles of the clusters that points make.
func middles(points []vector) []vector {
	if len(points) < LeastSize {
		return nil
	}
	if n := len(points); n > trained { // evenly over all
		some := make([]vector, trained)
		for i := range some {
			some[i] = points[i*n/trained]
		}
		points = some
	}
	seeds := seeded(points, min(most, max(1, len(points)/postsEach)))
	at := make([]int, len(points))
	for round := range rounds {
		moved := false
		for i, p := range points {
			best, near := at[i], -2.0
			for c, seed := range seeds {
				if each := p.dot(seed); each > near {
					best, near = c, each
				}
			}
			moved = moved || best != at[i]
			at[i] = best
		}
		if !moved && round > 0 {
			break
		}
		seeds = means(points, at, len(seeds))
	}
	groups := Linked(len(seeds), joined, func(i, j int) float64 { return seeds[i].dot(seeds[j]) })
	group := make([]int, len(seeds))
	for g, members := range groups {
		for _, seed := range members {
			group[seed] = g
		}
	}
	for i := range at {
		at[i] = group[at[i]]
	}
	return means(points, at, len(groups))
}

// seeded chooses k points that are far from each other (k-means++: Arthur and Vassilvitskii 2007). Its draws are the
// same each time.
func seeded(points []vector, k int) []vector {
	random := rand.New(rand.NewPCG(3, 4))
	far := make([]float64, len(points))
	for i := range far {
		far[i] = 1
	}
	seeds := make([]vector, 0, k)
	for len(seeds) < k {
		sum := 0.0
		for _, f := range far {
			sum += f
		}
		at, left := 0, random.Float64()*sum
		for at = range far {
			if left -= far[at]; left <= 0 {
				break
			}
		}
		seed := slices.Clone(points[at])
		seeds = append(seeds, seed)
		for i, p := range points {
			far[i] = min(far[i], max(0, 1-p.dot(seed)))
		}
	}
	return seeds
}

// means returns the mean direction of the points of each of n clusters.
func means(points []vector, at []int, n int) []vector {
	out := make([]vector, n)
	for c := range out {
		out[c] = make(vector, len(points[0]))
	}
	for i, p := range points {
		out[at[i]].add(1, p)
	}
	for _, mean := range out {
		mean.unit()
	}
	return out
}
