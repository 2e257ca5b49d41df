package theme

import "slices"

// Linked joins the two groups of n things that are nearest on average until none are nearer than together (average
// linkage: Sokal and Michener 1958). It returns the groups with their things in order. Its time grows with the cube of
// n.
func Linked(n int, together float64, near func(i, j int) float64) [][]int {
	groups := make([][]int, n)
	sums := make([][]float64, n) // of how near the things of two groups are
	for i := range n {
		groups[i] = []int{i}
		sums[i] = make([]float64, n)
		for j := range i {
			each := near(i, j)
			sums[i][j], sums[j][i] = each, each
		}
	}
	for {
		first, second, best := -1, -1, together
		for i := range groups {
			for j := range i {
				if groups[i] == nil || groups[j] == nil {
					continue
				}
				if mean := sums[i][j] / float64(len(groups[i])*len(groups[j])); mean > best {
					first, second, best = j, i, mean
				}
			}
		}
		if first < 0 {
			break
		}
		groups[first] = append(groups[first], groups[second]...)
		groups[second] = nil
		for k := range groups {
			sums[first][k] += sums[second][k]
			sums[k][first] = sums[first][k]
		}
	}
	groups = slices.DeleteFunc(groups, func(g []int) bool { return g == nil })
	for _, g := range groups {
		slices.Sort(g)
	}
	return groups
}
