package compose

import (
	"fmt"
	"math"
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/source/catalogue"
)

// totals are what the selected keywords come to. What the samples show to be the same posts counts once, and once is
// how a mention counts against the allowance.
func (r *reading) totals(all []*built) proposal.Totals {
	t := proposal.Totals{Allowance: r.allowance(), NarrowingApplied: []proposal.Narrowing{}}
	var sum adding
	for _, b := range all {
		if b.SelectedByDefault {
			sum = sum.with(b)
		}
	}
	t.ProjectedMonthly = tenths(sum.projected)
	t.DedupedMonthly = min(tenths(sum.deduped), t.ProjectedMonthly)
	t.Band = proposal.BandOf(t.DedupedMonthly, t.Allowance)
	return t
}

// allowance is how many mentions a month the plan has room for.
func (r *reading) allowance() float64 {
	if a := r.Plan.Allowance; a > 0 && !math.IsInf(a, 0) {
		return a
	}
	return proposal.DefaultAllowance
}

// An adding is a total of the keywords so far.
type adding struct {
	projected, deduped float64
	before             []keyword.Keyword
	scopings           []string
}

// with returns the total with one keyword more.
func (a adding) with(b *built) adding {
	middle := b.Volume.Mid()
	return adding{
		projected: a.projected + middle,
		deduped:   a.deduped + middle*b.alone(a.scopings, a.before),
		before:    append(slices.Clip(a.before), asKeyword(b.Candidate, b.decided)),
		scopings:  append(slices.Clip(a.scopings), b.scoping),
	}
}

// platformsOn are the platforms that are listened on, and why the others are not (rule P1).
func (r *reading) platformsOn(all []*built) proposal.Platforms {
	out := proposal.Platforms{On: []string{}, Off: []proposal.PlatformOff{}}
	off := func(platform, reason string) {
		out.Off = append(out.Off, proposal.PlatformOff{Source: platform, Reason: reason})
	}
	noise := r.noise(all, r.open())
	for _, platform := range keyword.Platforms() {
		known, _ := catalogue.Find(platform)
		scored := noise[platform]
		switch {
		case !slices.Contains(r.platforms(), platform):
			off(platform, "Your plan does not include "+known.Title+".")
		case r.closed(platform):
			off(platform, known.Closed)
		case scored.posts > 0:
			off(
				platform,
				fmt.Sprintf(
					"Only %d of %d sampled posts on %s are about what you look for.", scored.relevant, scored.posts,
					known.Title,
				),
			)
		case !listened(all, platform):
			off(
				platform,
				"None of your keywords listens on "+known.Title+
					": it would bring more than your plan has room for, or mostly noise.",
			)
		default:
			out.On = append(out.On, platform)
		}
	}
	if len(out.On) == 0 { // the best that there is: something has to be listened on
		out.On = append(out.On, r.platforms()...)
		out.Off = slices.DeleteFunc(
			out.Off, func(o proposal.PlatformOff) bool { return slices.Contains(out.On, o.Source) },
		)
	}
	return out
}

// alone is the share of the sampled posts that a keyword keeps which none of the keywords before it brings; 1 when it
// keeps none: nothing is known that would take from it. Which sample happens to have a post does not matter (see
// sampling.Alone).
func (b *built) alone(scopings []string, before []keyword.Keyword) float64 {
	all := b.kept.count()
	if all == 0 {
		return 1
	}
	left := b.kept
	for _, others := range b.keepsAs(scopings, before) {
		left = left.minus(others)
	}
	return float64(left.count()) / float64(all)
}

// open are the platforms that the plan allows and that can be listened on.
func (r *Studied) open() []string { return slices.DeleteFunc(r.platforms(), r.closed) }

// closed says whether nobody can search a platform, and it did not answer here all the same (an archive has posts of
// any).
func (r *Studied) closed(platform string) bool {
	known, _ := catalogue.Find(platform)
	return known.Closed != "" && !slices.Contains(r.Measured.Sources, platform)
}

// listened says whether a selected keyword listens on a platform; when none is selected, everything is as it was.
func listened(all []*built, platform string) bool {
	any := false
	for _, b := range all {
		if !b.SelectedByDefault {
			continue
		}
		if any = true; b.Keyword.Platforms == nil || slices.Contains(b.Keyword.Platforms, platform) {
			return true
		}
	}
	return !any
}

// A tally is of the posts of a platform.
type tally struct{ posts, relevant int }

// noise are the platforms where what the selected keywords find is mostly noise, but for the last one.
func (r *reading) noise(all []*built, platforms []string) map[string]tally {
	counted := map[string]tally{}
	for _, b := range all {
		if !b.SelectedByDefault || len(b.posts) == 0 {
			continue
		}
		kept := b.kept
		if b.Keyword.Platforms != nil {
			everywhere := b.Tracked()
			everywhere.Platforms = nil
			kept = b.keeps(everywhere)[0]
		}
		for _, platform := range platforms {
			posts, relevant := b.on(platform, kept)
			counted[platform] = tally{counted[platform].posts + posts, counted[platform].relevant + relevant}
		}
	}
	noise := map[string]tally{}
	for _, platform := range platforms {
		if t := counted[platform]; proposal.MostlyNoise(t.posts, t.relevant) && len(noise) < len(platforms)-1 {
			noise[platform] = t
		}
	}
	r.keepBrand(all, noise, platforms)
	return noise
}

// keepBrand takes a platform out of the noise where without it none would speak of the brand: the one with the largest
// share of relevant posts.
func (r *reading) keepBrand(all []*built, noise map[string]tally, platforms []string) {
	at := slices.IndexFunc(all, func(b *built) bool { return b.brand && b.SelectedByDefault })
	if at < 0 || len(noise) == 0 {
		return
	}
	counted, on := r.Measured.Volumes[all[at].study.Ref], all[at].Keyword.Platforms
	best := ""
	rate := func(t tally) float64 { return float64(t.relevant) / float64(max(t.posts, 1)) }
	for _, platform := range platforms {
		if on != nil && !slices.Contains(on, platform) || !counted.Spoken(platform) {
			continue
		}
		t, off := noise[platform]
		if !off {
			return
		}
		if best == "" || rate(t) > rate(noise[best]) {
			best = platform
		}
	}
	delete(noise, best)
}

// archetype is the kind of workspace: by the own brand's name and how much is said of it.
func (r *reading) archetype(all []*built) (proposal.Archetype, string) {
	s := r.brand()
	if s == nil {
		return proposal.Quiet, "Nothing of your own brand could be turned into a keyword, so little is expected to come in."
	}
	volume := s.volume
	for _, b := range all {
		if b.study == s && b.Route != proposal.Anchored && b.Keyword.Platforms == nil {
			volume = b.Volume // the figures that its keyword shows
		}
	}
	middle := volume.Mid()
	monthly := "about " + figures(volume) + " a month"
	if !s.measured {
		monthly = "an estimated " + figures(volume) + " a month, since nothing could be counted"
	}
	name := "Your name is distinctive"
	if s.cleared() {
		name = "Your name is a word too, but mostly means you"
	}
	switch {
	case s.common && s.enough() && s.measured && middle*s.rate() > proposal.TopEnd:
		return proposal.HardCase, fmt.Sprintf(
			"Your name is a common word, and even of the posts that mean you there are more than %s a month.",
			whole(proposal.TopEnd),
		)
	case s.common && s.confirmed:
		return proposal.CommonWord, fmt.Sprintf(
			"Your name is a common word: only %d of %d sampled posts with it mean you.", s.relevant.count(),
			len(s.posts),
		)
	case s.common && s.madeOfWords():
		return proposal.CommonWord, "Your name is made of common words."
	case s.common:
		return proposal.CommonWord, "Your name is a word that people use for other things as well."
	case middle > proposal.StandardMost:
		return proposal.HighVolume, name + ", and much is said of it: " + monthly + "."
	case middle > proposal.QuietMost:
		return proposal.Standard, name + ", and it is regularly spoken of: " + monthly + "."
	}
	return proposal.Quiet, name + ", and it is seldom spoken of: " + monthly + "."
}

// brand is the candidate that is the own brand's name, or else what stands for it.
func (r *Studied) brand() (found *study) {
	for i := range r.studies {
		s := &r.studies[i]
		if s.Tag != keyword.OwnBrand {
			continue
		}
		if s.Route == proposal.Bare || s.Route == proposal.Anchored {
			return s
		}
		if found == nil {
			found = s
		}
	}
	return found
}

// confidence of a keyword is 0.2, and of what is left a third for a volume that was counted and two thirds for what its
// sample shows: the share of relevant posts that it would keep if one more post of each kind had been read (Laplace),
// so that a small sample promises little. A sparse volume counts half, an unverified one nothing. Of a handle that
// nobody linked it is halved.
func (r *reading) confidence(b *built) float64 {
	const base, counted, shown = 0.2, 0.25, 0.55
	c := base
	switch {
	case r.unverified(b.Volume):
	case b.Volume.Basis == proposal.BasisSparse:
		c += counted / 2
	default:
		c += counted
	}
	if kept := b.kept.count(); len(b.posts) > 0 {
		c += shown * float64(b.kept.both(b.relevant)+1) / float64(kept+2)
	}
	if b.Confirm {
		c /= 2
	}
	return share(c)
}

// overall confidence is the mean of that of the selected keywords; with none, of all.
func overall(all []*built) float64 {
	sum, n := 0.0, 0
	for _, onlySelected := range []bool{true, false} {
		for _, b := range all {
			if b.SelectedByDefault || !onlySelected {
				sum, n = sum+b.Keyword.Confidence, n+1
			}
		}
		if n > 0 {
			return share(sum / float64(n))
		}
	}
	return 0
}
