package compose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
	"earshot/shared/proposal/sampling"
)

// A narrowing is a proposal that is being made smaller.
type narrowing struct {
	*reading
	start proposal.Decisions // before the first step
	d     proposal.Decisions
	p     proposal.Proposal
	taken []step // of steps
	steps []proposal.Narrowing
	words map[string]string // by ref: what the last step said of a keyword's words
}

// A step makes a proposal smaller. Its change returns the refs of the keywords that it changes.
type step struct {
	kind           proposal.NarrowingStep
	target, reason string
	change         func(n *narrowing, d *proposal.Decisions) []string
}

func (r *reading) narrowing(d proposal.Decisions) *narrowing {
	return &narrowing{
		reading: r, start: d, d: d, p: r.assemble(d), steps: []proposal.Narrowing{}, words: map[string]string{},
	}
}

func (r *reading) narrow(d proposal.Decisions) (proposal.Decisions, proposal.Proposal) {
	n := r.narrowing(r.known(d))
	for _, step := range []func(){n.dropIndustry, n.tighten, n.sourcesOff, n.split} {
		if !Blocked(n.p) {
			break
		}
		step()
	}
	if Blocked(n.p) {
		n.offer()
	} else if len(n.taken) > 0 {
		n = n.relent()
	}
	n.p.Totals.NarrowingApplied = n.steps
	return n.d, n.p
}

// known is what is decided of candidates, each once: as assemble reads it.
func (r *reading) known(d proposal.Decisions) proposal.Decisions {
	d = clone(d)
	seen := map[string]bool{}
	d.Keywords = slices.DeleteFunc(d.Keywords, func(k proposal.Decision) bool {
		twice := seen[k.Ref]
		seen[k.Ref] = true
		return twice || r.of(k.Ref) == nil
	})
	return d
}

// clone is a copy of what steps change.
func clone(d proposal.Decisions) proposal.Decisions {
	d.Keywords, d.Options = slices.Clone(d.Keywords), slices.Clone(d.Options)
	return d
}

// try takes a step when it saves something, no keyword is then covered by another, and each hears something.
func (n *narrowing) try(s step) bool {
	d := clone(n.d)
	changed := s.change(n, &d)
	if len(changed) == 0 {
		return false
	}
	var all []*built
	for _, k := range d.Keywords {
		all = append(all, n.build(k))
	}
	saved := tenths(n.p.Totals.DedupedMonthly - n.totals(all).DedupedMonthly)
	if saved <= 0 || n.collides(all, changed) {
		return false
	}
	applied, reason := proposal.Narrowing{Step: s.kind, Target: s.target}, s.reason
	if !n.Measured.At.IsZero() && !n.Interrupted {
		applied.SavedMonthly = &saved
		reason = fmt.Sprintf("%s: that saves about %s a month.", strings.TrimSuffix(reason, "."), posts(saved))
	}
	applied.Reason = reason
	for _, ref := range changed {
		if s.kind == proposal.TightenAnchors || s.kind == proposal.Split {
			n.forget(&d, ref, n.words[ref])
			n.words[ref] = reason
		}
		n.retell(&d, ref, reason)
	}
	p := n.assemble(d)
	if silenced(p) {
		return false // what the others find on its only platform is noise now
	}
	n.d, n.p = d, p
	n.taken, n.steps = append(n.taken, s), append(n.steps, applied)
	return true
}

// silenced reports whether a selected keyword listens on platforms of which none is on (rule P1).
func silenced(p proposal.Proposal) bool {
	return slices.ContainsFunc(p.Keywords, func(k proposal.Keyword) bool {
		return k.SelectedByDefault && k.Platforms != nil &&
			!slices.ContainsFunc(k.Platforms, func(on string) bool { return slices.Contains(p.Platforms.On, on) })
	})
}

// collides says whether one of the changed keywords brings nothing any more that another selected one does not bring.
func (n *narrowing) collides(all []*built, changed []string) bool {
	for _, b := range all {
		if !b.SelectedByDefault || !slices.Contains(changed, b.Keyword.Ref) {
			continue
		}
		for _, a := range all {
			if a.SelectedByDefault && a != b && !n.tracked(a.Keyword.Keyword) &&
				inTexts([]string{b.says(b.AdditionalTerms)}, sampling.Bare(a.Candidate))[0].has(0) &&
				rule.Covers(a.Tracked(), b.Tracked()) {
				return true
			}
		}
	}
	return false
}

// forget takes a reason of an earlier step from a keyword.
func (n *narrowing) forget(d *proposal.Decisions, ref, reason string) {
	for i := range d.Keywords {
		if k := &d.Keywords[i]; k.Ref == ref && reason != "" {
			k.Reasons = slices.DeleteFunc(
				slices.Clone(k.Reasons), func(r proposal.Reason) bool { return r.Ref == "T2" && r.Text == reason },
			)
		}
	}
}

// retell gives a changed keyword an explanation that fits what it is now.
func (n *narrowing) retell(d *proposal.Decisions, ref, reason string) {
	at := slices.IndexFunc(d.Keywords, func(k proposal.Decision) bool { return k.Ref == ref })
	k := &d.Keywords[at]
	b := n.build(*k)
	p := &plan{study: b.study, Decision: *k, built: b, kept: b.kept}
	switch {
	case !k.SelectedByDefault:
		p.why = dropped
	case n.tracked(p.Text):
		p.why = tracked
	}
	k.Explanation, k.Confidence = n.explain(p), n.reading.confidence(b)
	nowAnchored := k.Route == proposal.Anchored && n.d.Keywords[at].Route != proposal.Anchored
	k.Reasons = slices.DeleteFunc(
		slices.Clone(k.Reasons),
		func(r proposal.Reason) bool { // that it is tracked by itself
			return nowAnchored && r.Basis == proposal.ByRule && r.Ref == "K2"
		},
	)
	if reason != "" {
		k.Reasons = append(k.Reasons, proposal.Reason{Basis: proposal.ByRule, Ref: "T2", Text: reason})
	}
}

// chosen are the selected keywords with the largest volume first.
func (n *narrowing) chosen() []proposal.Keyword {
	all := slices.DeleteFunc(slices.Clone(n.p.Keywords), func(k proposal.Keyword) bool { return !k.SelectedByDefault })
	slices.SortStableFunc(all, func(a, b proposal.Keyword) int { return cmp.Compare(b.Volume.Mid(), a.Volume.Mid()) })
	return all
}

// change makes a change to the decision of one keyword.
func change(ref string, with func(k *proposal.Decision) bool) func(*narrowing, *proposal.Decisions) []string {
	return func(_ *narrowing, d *proposal.Decisions) []string {
		for i := range d.Keywords {
			if d.Keywords[i].Ref == ref && with(&d.Keywords[i]) {
				return []string{ref}
			}
		}
		return nil
	}
}

// dropIndustry takes back the selection of terms of the field, the largest first.
func (n *narrowing) dropIndustry() {
	for _, k := range n.chosen() {
		if !Blocked(n.p) {
			return
		}
		if k.Tag == keyword.IndustryTerm {
			n.try(step{
				proposal.DropIndustryAnchorSet,
				k.Ref,
				fmt.Sprintf(
					"%s is not selected, so that the total comes nearer to the allowance.",
					quoted(k.Keyword, "This term"),
				),
				change(k.Ref, func(k *proposal.Decision) bool { k.SelectedByDefault = false; return true }),
			})
		}
	}
}

// tighten has keywords keep the strongest of their anchors only.
func (n *narrowing) tighten() {
	for _, k := range n.chosen() {
		if !Blocked(n.p) {
			return
		}
		s := n.of(k.Ref)
		if k.Route != proposal.Anchored && k.CaseSensitive == s.Cased || s.tight == nil ||
			sameTerms(s.tight, k.AdditionalTerms) {
			continue
		}
		reason := fmt.Sprintf("%s keeps its %d strongest anchors.", quoted(k.Keyword, "This keyword"), len(s.tight))
		n.try(step{proposal.TightenAnchors, k.Ref, reason, func(n *narrowing, d *proposal.Decisions) []string {
			return n.anchor(d, k.Ref, s.tight)
		}})
	}
}

// anchor has a keyword listen beside these terms, at apply already.
func (n *narrowing) anchor(d *proposal.Decisions, ref string, terms []string) []string {
	return change(ref, func(k *proposal.Decision) bool {
		p := &plan{study: n.of(ref), Decision: *k}
		p.Decision.Approvals = slices.Clone(k.Approvals)
		p.Decision.Route, p.Decision.AdditionalTerms, p.Decision.AdditionalTermsLogic = proposal.Anchored, slices.Clone(
			terms,
		), keyword.Any
		p.Decision.CaseSensitive = p.Cased // anchors are read in either case
		p.approveAnchors()
		*k = p.Decision
		// What was offered as another scoping and is this one now, or was narrower than the one before alone, is no
		// choice any more.
		d.Options = slices.DeleteFunc(d.Options, func(o proposal.OptionDecision) bool {
			return o.KeywordRef == ref && (sameTerms(o.AdditionalTerms, terms) ||
				o.ID == narrower+"_"+ref && len(o.AdditionalTerms) > len(terms))
		})
		if !slices.ContainsFunc(d.Options, func(o proposal.OptionDecision) bool { return o.KeywordRef == ref }) {
			k.OptionGroup = ""
		}
		return true
	})(n, d)
}

// sourcesOff stops listening on platforms, those first whose sample is the least relevant, as long as every keyword is
// left with one that was counted, and the brand with one that speaks of it.
func (n *narrowing) sourcesOff() {
	for _, platform := range n.leastRelevant() {
		if !Blocked(n.p) {
			return
		}
		twins := n.twins(platform)
		if len(twins) > 0 && n.silentItself(platform) {
			continue // it goes with the platform that was counted
		}
		off := append([]string{platform}, twins...)
		n.try(step{
			proposal.SourceOff,
			platform,
			"You do not listen on " + titlesOf(off, len(off)) + ", so that the total comes nearer to the allowance.",
			func(n *narrowing, d *proposal.Decisions) (changed []string) {
				for i := range d.Keywords {
					k := &d.Keywords[i]
					if !k.SelectedByDefault || !slices.ContainsFunc(off, func(platform string) bool {
						return keyword.Takes(k.Platforms, platform, false)
					}) {
						continue
					}
					left := []string{}
					for _, on := range n.p.Platforms.On {
						if !slices.Contains(off, on) && (k.Platforms == nil || slices.Contains(k.Platforms, on)) {
							left = append(left, on)
						}
					}
					s := n.of(k.Ref)
					volume := s.volume
					if len(left) == 0 || s.brand && !n.speaks(s, left) ||
						len(onlyOn(volume, k.Platforms).PerSource) > 0 && len(onlyOn(volume, left).PerSource) == 0 {
						return nil // it would hear nothing that was ever counted
					}
					k.Platforms = left
					changed = append(changed, k.Ref)
				}
				return changed
			},
		})
	}
}

// twins are the other platforms that are on and hear a source that was counted and that a platform hears as well: while one
// of them is on, its posts are in the total.
func (n *narrowing) twins(platform string) []string {
	return slices.DeleteFunc(slices.Clone(n.p.Platforms.On), func(other string) bool {
		return other == platform || !slices.ContainsFunc(n.p.Keywords, func(k proposal.Keyword) bool {
			return slices.ContainsFunc(n.of(k.Ref).volume.PerSource, func(c proposal.SourceCount) bool {
				return c.Count > 0 && keyword.TakesSome([]string{platform}, c.Source) &&
					keyword.TakesSome([]string{other}, c.Source)
			})
		})
	})
}

// silentItself reports whether nothing was counted on the source of a platform's own name.
func (n *narrowing) silentItself(platform string) bool {
	return !slices.ContainsFunc(n.p.Keywords, func(k proposal.Keyword) bool {
		return slices.ContainsFunc(n.of(k.Ref).volume.PerSource, func(c proposal.SourceCount) bool {
			return c.Source == platform && c.Count > 0
		})
	})
}

// leastRelevant are the platforms that are on, by the share of relevant posts that the selected keywords find there; of
// equals, the one that brings the most first. One without a sample counts as half relevant: nothing speaks for it or
// against it. Those where nothing was counted come last: being off, they would save next to nothing.
func (n *narrowing) leastRelevant() []string {
	type figure struct {
		platform     string
		rate, volume float64
		silent       bool
	}
	var figures []figure
	for _, platform := range n.p.Platforms.On {
		f := figure{platform: platform, rate: 0.5, silent: true}
		posts, relevant := 0, 0
		for _, k := range n.p.Keywords {
			if !k.SelectedByDefault {
				continue
			}
			s := n.of(k.Ref)
			all, good := s.on(platform, s.keeps(k.Tracked())[0])
			posts, relevant = posts+all, relevant+good
			for _, c := range k.Volume.PerSource {
				if keyword.TakesSome([]string{platform}, c.Source) {
					f.volume += (c.Low + c.High) / 2
					f.silent = f.silent && n.of(k.Ref).silent(c.Source)
				}
			}
		}
		if posts > 0 {
			f.rate = float64(relevant) / float64(posts)
		}
		figures = append(figures, f)
	}
	slices.SortStableFunc(figures, func(a, b figure) int {
		switch {
		case a.silent && !b.silent:
			return 1
		case b.silent && !a.silent:
			return -1
		}
		return cmp.Or(cmp.Compare(a.rate, b.rate), cmp.Compare(b.volume, a.volume))
	})
	platforms := make([]string, len(figures))
	for i, f := range figures {
		platforms[i] = f.platform
	}
	return platforms
}

// split has a keyword listen for a part of what it would bring, and offers the rest as another scoping: of its anchors,
// the stronger half; of one that was tracked bare, what stands beside its strongest anchors.
func (n *narrowing) split() {
	for changed := true; changed && Blocked(n.p); {
		changed = false
		for _, k := range n.chosen() {
			if !Blocked(n.p) {
				return
			}
			changed = n.splitOne(k) || changed
		}
	}
}

func (n *narrowing) splitOne(k proposal.Keyword) bool {
	s := n.of(k.Ref)
	part, rest := s.tight, []string(nil)
	if k.Route == proposal.Anchored {
		half := max(proposal.MinAnchors, len(k.AdditionalTerms)/2)
		if half >= len(k.AdditionalTerms) {
			return false
		}
		part, rest = k.AdditionalTerms[:half], k.AdditionalTerms[half:]
	}
	if len(part) < proposal.MinAnchors || k.Route == proposal.HandleVariant {
		return false
	}
	reason := fmt.Sprintf("%s is split and listens for %d of its words.", quoted(k.Keyword, "This keyword"), len(part))
	return n.try(step{proposal.Split, k.Ref, reason, func(n *narrowing, d *proposal.Decisions) []string {
		changed := n.anchor(d, k.Ref, part)
		id := fmt.Sprintf("part_%d_%s", len(n.steps)+1, k.Ref)
		if len(changed) > 0 && len(rest) >= proposal.MinAnchors && len(d.Options) < proposal.MaxOptions {
			d.Options = append(d.Options, proposal.OptionDecision{
				ID:              id,
				KeywordRef:      k.Ref,
				Label:           "The other part",
				Description:     fmt.Sprintf("The other %d words.", len(rest)),
				Explanation:     "You get the part that was left out so that the total fits.",
				AdditionalTerms: slices.Clone(rest),
			})
			change(k.Ref, func(k *proposal.Decision) bool { k.OptionGroup = "scope_" + k.Ref; return true })(n, d)
		}
		return changed
	}})
}
