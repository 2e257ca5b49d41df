package rule

import (
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// Beside compares how a model's proposal tracks the brand with how code's own proposal of the same evidence does. It
// returns a finding of K1 if the model's brand tells the posts of the brand's sample apart clearly worse: its F1 is
// below proposal.ModelsBrand of code's, where a post that it finds and that is relevant is right. If code's brand finds
// no relevant post, the sample proves nothing. Then there is a finding if the model's brand leaves out a platform, or a
// spelling, that code's has. There is none if either proposal does not track the brand: K1 itself is about that.
func Beside(model, code proposal.Proposal, e proposal.Evidence) (found []Finding) {
	ref := brandRef(code, e)
	track := func(p proposal.Proposal) (keyword.Keyword, int) {
		i := slices.IndexFunc(p.Keywords, func(k proposal.Keyword) bool { return k.Ref == ref && k.SelectedByDefault })
		if ref == "" || i < 0 {
			return keyword.Keyword{}, -1
		}
		return p.Keywords[i].Tracked(), i
	}
	its, n := track(model)
	codes, m := track(code)
	if n < 0 || m < 0 {
		return nil
	}
	r := (*report)(&found)
	l := listen(its, codes)
	relevant := 0
	var hits, right [2]int
	for _, p := range e.Sampled.Sightings[ref].Posts {
		if p.Relevant {
			relevant++
		}
		for i, heard := range l.hears(sampled(p)) {
			if !heard {
				continue
			}
			hits[i]++
			if p.Relevant {
				right[i]++
			}
		}
	}
	f1 := func(i int) float64 { return 2 * float64(right[i]) / float64(max(1, relevant+hits[i])) }
	switch {
	case right[1] > 0 && f1(0) < proposal.ModelsBrand*f1(1):
		r.add("K1", at(n, "additionalTerms"), ref,
			"As you scope it, the brand finds %d relevant posts of its sample's %d and %d of noise. Rules find %d and %d: "+
				"scope it as they do, or better.", right[0], relevant, hits[0]-right[0], right[1], hits[1]-right[1])
	case right[1] == 0 && !keyword.TakesAll(its.Platforms, codes.Platforms):
		r.add("K1", at(n, "platforms"), ref,
			"No sample proves that the brand should be narrowed to these platforms: leave platforms out.")
	case right[1] == 0 && its.CaseSensitive && !codes.CaseSensitive:
		r.add("K1", at(n, "caseSensitive"), ref,
			"No sample proves that case tells the brand's posts apart: leave caseSensitive out.")
	}
	return found
}
