package compose

import (
	"cmp"
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
	"earshot/shared/proposal/sampling"
)

// A plan is a candidate with what is decided of it.
type plan struct {
	*study
	proposal.Decision
	built *built  // what the decision comes to, once it is made
	kept  set     // of its sample
	there bool    // the workspace tracks its text bare
	why   outcome // of its not being selected
}

// An outcome says why a candidate is not selected, or not proposed at all.
type outcome string

const (
	selected    outcome = ""
	unanchored  outcome = "unanchored"  // a common word without enough anchors: not proposed
	unspecific  outcome = "unspecific"  // an industry term of one word that its sample does not bear out: not proposed
	unconfirmed outcome = "unconfirmed" // a handle that nobody linked
	tracked     outcome = "tracked"     // the workspace has it
	noisy       outcome = "noisy"       // most of what it would bring is noise
	unsplit     outcome = "unsplit"     // too much in one keyword
	full        outcome = "full"        // the workspace has no room for more
	deaf        outcome = "deaf"        // none of its platforms is on
	dear        outcome = "dear"        // with it the total would be over the allowance
	dropped     outcome = "dropped"     // for the total to fit
)

func (r *reading) decide() proposal.Decisions {
	var plans []*plan
	for i := range r.studies {
		s := &r.studies[i]
		if s.omission() != selected {
			continue
		}
		plans = append(plans, r.scope(s))
	}
	r.judge(plans)
	plans = withoutCovered(plans)
	if len(plans) > proposal.MaxKeywords {
		plans = plans[:proposal.MaxKeywords]
	}
	plans = r.settle(plans)
	d := proposal.Decisions{
		Keywords: []proposal.Decision{},
		Options:  []proposal.OptionDecision{},
		Feeds:    []proposal.FeedDecision{},
		ByCode:   true,
	}
	for _, p := range plans {
		p.built = r.build(p.Decision)
		options := p.options()
		if len(d.Options)+len(options) <= proposal.MaxOptions && len(options) > 0 {
			p.Decision.OptionGroup = "scope_" + p.Decision.Ref
			d.Options = append(d.Options, options...)
			if p.Route == proposal.Bare {
				p.approveChoice()
			}
		}
		r.say(p)
		p.Decision.Dear = p.why == dear
		d.Keywords = append(d.Keywords, p.Decision)
	}
	d.Feeds = r.feeds(plans)
	return d
}

// settle selects, and turns noisy platforms off. A keyword that was narrowed to platforms of its own covers nothing
// that listens everywhere; once all are narrowed alike it may (rule K3), so that it is looked again what is covered,
// and who else has room then. Others may have room too once noisy platforms are off.
func (r *reading) settle(plans []*plan) []*plan {
	for {
		r.fill(plans)
		quieter := r.quieten(plans)
		left := withoutCovered(plans)
		if len(left) == len(plans) && !quieter {
			return plans
		}
		plans = left
		for _, p := range plans {
			if p.why == full || p.why == dear {
				p.why = selected
			}
		}
	}
}

// say gives a decision its explanation, its reasons and its confidence.
func (r *reading) say(p *plan) {
	p.built = r.build(p.Decision)
	p.Decision.Explanation = r.explain(p)
	p.Decision.Reasons = r.reasons(p)
	p.Decision.Confidence = r.confidence(p.built)
}

// quieten turns off for all keywords the platforms where what they find together is mostly noise, and takes back the
// selection of those that are left with none (rule P1). It reports whether it changed any.
func (r *reading) quieten(plans []*plan) (quieter bool) {
	for range plans {
		var all []*built
		for _, p := range plans {
			all = append(all, r.build(p.Decision))
		}
		on := r.platformsOn(all).On
		changed := false
		for _, p := range plans {
			if p.Decision.Platforms == nil && len(on) == len(r.open()) {
				continue
			}
			var left []string
			for _, platform := range on {
				if p.Decision.Platforms == nil || slices.Contains(p.Decision.Platforms, platform) {
					left = append(left, platform)
				}
			}
			if len(left) > 0 {
				quieter = quieter || len(left) != len(p.Decision.Platforms)
				p.Decision.Platforms = left
				continue
			}
			if p.SelectedByDefault {
				p.why, p.SelectedByDefault, changed = deaf, false, true
			}
		}
		if !changed {
			return quieter
		}
		quieter = true
	}
	return quieter
}

// omission says why a candidate is not proposed by itself.
func (s *study) omission() outcome {
	switch {
	case !s.specific():
		return unspecific
	case s.common && s.fit == nil: // of the brand: see lead
		return unanchored
	}
	return selected
}

// topEnd reports whether the text without any other words brings more posts than one keyword may (rule V2).
func (r *reading) topEnd(s *study) bool { return r.bare(s).Band == proposal.BandTopEnd }

// bare is what the text brings by itself, sources that failed allowed for.
func (r *reading) bare(s *study) proposal.Volume {
	return tidied(r.widened(r.named(s.volume, s.Platforms), s))
}

// takesAll reports whether every post with the brand's name is taken, however many there are. It is if the name hardly
// means anything else, if other words beside it would lose posts about the company, and if the plan has room for all of
// them with some to spare. A source that shows only a part of each day may have any number of posts, so that its brand
// is not taken whole.
func (r *reading) takesAll(s *study) bool {
	v := r.bare(s)
	if !s.brand || v.Open || proposal.BandOf(v.Mid(), r.allowance()) != proposal.Pass ||
		s.enough() && s.rate() < hardlyElse {
		return false
	}
	anchored := sampling.Bare(s.Candidate)
	anchored.AdditionalTerms = s.fit
	all := s.relevant.count()
	return all == 0 || s.keeps(anchored)[0].both(s.relevant) < all
}

// scope decides how a candidate is tracked.
func (r *reading) scope(s *study) *plan {
	p := &plan{study: s, Decision: proposal.Decision{
		Ref:                  s.Candidate.Ref,
		Route:                s.Candidate.Route,
		ExactMatch:           s.Exact,
		CaseSensitive:        s.Cased,
		AdditionalTerms:      []string{},
		AdditionalTermsLogic: keyword.Any,
		ExcludeWords:         []string{},
		WildcardExcludeWords: []string{},
		ExcludeAuthors:       []string{},
		Platforms:            slices.Clone(s.Candidate.Platforms),
		Context:              s.Context,
		Reasons:              []proposal.Reason{},
		Approvals:            []proposal.Approval{},
	}}
	if (s.common || r.topEnd(s) && !r.takesAll(s)) && s.fit != nil {
		p.Route, p.AdditionalTerms = proposal.Anchored, slices.Clone(s.fit)
	}
	if s.brand && s.common && !r.topEnd(s) {
		r.byCase(p)
	}
	p.rescan()
	p.Decision.Platforms = r.platformsOf(p)
	p.rescan()
	p.ExcludeWords = r.excludes(p)
	p.rescan()
	p.Decision.ExcludeAuthors = r.authors(p)
	p.rescan()
	p.approve()
	return p
}

// byCase has the brand listen for its capital alone, without anchors, if its sample proves that the capital tells it
// from the common word, or hardly means anything else (rule K2), and the plan has room for what that brings. Anchors
// stay if they keep proposal.AnchoredShare of the relevant posts that the capital keeps, of proposal.ClearedFrom or
// more. They were chosen by the same posts, so that fewer prove nothing.
func (r *reading) byCase(p *plan) {
	d := p.Decision
	d.Route, d.CaseSensitive, d.AdditionalTerms = proposal.Bare, true, []string{}
	cased := asKeyword(p.Candidate, d)
	both := p.keeps(cased, asKeyword(p.Candidate, p.Decision))
	meant := both[0].and(p.relevant)
	if n := meant.count(); n >= proposal.ClearedFrom && float64(meant.both(both[1])) >= proposal.AnchoredShare*float64(n) {
		return
	}
	told := rule.ToldByCase(cased, p.posts) || rule.MeantByCase(cased, p.posts)
	if told && r.fits(r.scopedVolume(p.study, d, both[0])) {
		p.Decision = d
	}
}

// cased reports whether a keyword listens for the capital of a common word.
func (p *plan) cased() bool { return p.common && p.Route == proposal.Bare && p.Decision.CaseSensitive }

// rescan looks again at what the keyword keeps.
func (p *plan) rescan() { p.kept = p.keeps(asKeyword(p.Candidate, p.Decision))[0] }

// keptRate is the relevance of what the keyword keeps of its sample, and of how many posts.
func (p *plan) keptRate() (rate float64, of int) {
	of = p.kept.count()
	if of == 0 {
		return 0, 0
	}
	return float64(p.kept.both(p.relevant)) / float64(of), of
}

// platformsOf narrows a keyword to the platforms where what it keeps is not mostly noise (rule P1), as long as some are
// left.
func (r *reading) platformsOf(p *plan) []string {
	allowed := p.Decision.Platforms
	if allowed == nil {
		allowed = r.platforms()
	}
	off := false
	var on []string
	for _, platform := range allowed {
		if proposal.MostlyNoise(p.on(platform, p.kept)) {
			off = true
			continue
		}
		on = append(on, platform)
	}
	if !off || len(on) == 0 || p.brand && !r.speaks(p.study, on) {
		return p.Decision.Platforms
	}
	return on
}

// judge marks what cannot be selected whatever the room.
func (r *reading) judge(plans []*plan) {
	for _, p := range plans {
		rate, of := p.keptRate()
		p.there = slices.ContainsFunc(r.Plan.Bare, func(text string) bool { return fold(text) == fold(p.Text) })
		switch {
		case p.Confirm:
			p.why = unconfirmed
		case r.tracked(p.Text), r.brought(p):
			p.why = tracked
		case p.Decision.Platforms != nil &&
			!slices.ContainsFunc(p.Decision.Platforms, func(on string) bool { return slices.Contains(r.open(), on) }):
			p.why = deaf
		case !p.brand && r.tooMuch(p): // the brand is narrowed with the total
			p.why = unsplit
		case p.Tag != keyword.OwnBrand && of >= proposal.SampleEnough && rate < proposal.ConfirmBelow:
			p.why = noisy
		}
	}
}

// tooMuch says whether a keyword brings more than can be read, and nothing narrows it (rule V2).
func (r *reading) tooMuch(p *plan) bool {
	return r.topEnd(p.study) && p.Route != proposal.Anchored &&
		r.scopedVolume(p.study, p.Decision, p.kept).Band == proposal.BandTopEnd
}

// rank orders candidates by how much a workspace needs them.
func rank(p *plan) int {
	switch {
	case p.brand:
		return rankBrand
	case p.Tag == keyword.OwnBrand && (p.Route == proposal.Bare || p.Route == proposal.Anchored):
		return rankNames
	case p.Tag == keyword.OwnBrand:
		return rankVariants
	case p.Tag == keyword.Competitor:
		return rankCompetitor
	}
	return rankField
}

// unsaid reports whether posts with a keyword's text were looked for, and none was found on any platform.
func (s *study) unsaid() bool {
	return !s.brand && len(s.volume.PerSource) > 0 && !slices.ContainsFunc(
		s.volume.PerSource, func(c proposal.SourceCount) bool { return c.Count > 0 },
	)
}

// The ranks of candidates: the brand, other names of the company's and its products, its domain and accounts, others.
const (
	rankBrand = iota
	rankNames
	rankVariants
	rankCompetitor
	rankField
)

// fill selects as many as the workspace has room for: the brand and its other keywords first, then competitors, then the
// field, of each those that are surest to bring what is relevant. What nobody wrote comes behind all that somebody did:
// a plan has few keywords, and a name has many ways to write it. A competitor with which the total would be over the
// allowance is not selected: the steps of narrowing would take from the brand what it costs.
func (r *reading) fill(plans []*plan) {
	ordered := slices.Clone(plans)
	slices.SortStableFunc(ordered, func(a, b *plan) int {
		if a.unsaid() != b.unsaid() {
			if a.unsaid() {
				return 1
			}
			return -1
		}
		if by := cmp.Compare(rank(a), rank(b)); by != 0 || rank(a) < rankCompetitor {
			return by
		}
		rateA, _ := a.keptRate()
		rateB, _ := b.keptRate()
		return cmp.Compare(rateB, rateA)
	})
	room, total := r.Plan.Keywords, adding{}
	for _, p := range ordered {
		if p.why == selected && room <= 0 {
			p.why = full
		}
		if p.why == selected && p.Tag == keyword.Competitor && total.with(r.build(p.Decision)).deduped > r.allowance() {
			p.why = dear
		}
		p.SelectedByDefault = p.why == selected
		if p.SelectedByDefault {
			room--
		}
		if p.SelectedByDefault || p.brand { // which selectBrand selects
			total = total.with(r.build(p.Decision))
		}
	}
	r.selectBrand(ordered)
}

// selectBrand selects the brand where it is not but for want of room, because it is tracked already, or because nothing
// is left on that it listens on (rule K1): who applies it is told of the first, and keeps what there is in the second.
// Without a brand among the candidates, what comes first of the own brand stands for it.
func (r *reading) selectBrand(ordered []*plan) {
	own := slices.DeleteFunc(slices.Clone(ordered), func(p *plan) bool { return p.Tag != keyword.OwnBrand })
	for _, p := range own {
		if p.brand {
			p.SelectedByDefault = true
			return
		}
	}
	if slices.ContainsFunc(own, func(p *plan) bool { return p.SelectedByDefault }) {
		return
	}
	for _, why := range []outcome{tracked, full, unsplit} {
		for _, p := range own {
			if p.why == why {
				p.SelectedByDefault = true
				return
			}
		}
	}
}
