package compose

import (
	"cmp"
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// relent returns the narrowing without what its last steps made needless. A competitor that was too much beside the
// whole brand may have room beside the narrowed one. A term of the field or a platform that was taken off first may
// have room since larger things were.
func (n *narrowing) relent() *narrowing {
	for _, p := range n.dear() {
		if !n.hasRoom(p.Decision.Ref) {
			continue
		}
		if more := n.again(n.with(p), n.taken); more.stands() {
			n = more
		}
	}
	for i := 0; i < len(n.taken)-1; {
		s := n.taken[i]
		if s.kind == proposal.DropIndustryAnchorSet && n.hasRoom(s.target) || s.kind == proposal.SourceOff {
			fewer := slices.Delete(slices.Clone(n.taken), i, i+1)
			if more := n.again(n.start, fewer); more.stands() {
				n = more
				continue
			}
		}
		i++
	}
	return n
}

// hasRoom reports whether the total fits with one keyword more, on the platforms that are on.
func (n *narrowing) hasRoom(ref string) bool {
	var all []*built
	for _, k := range n.d.Keywords {
		if k.Ref == ref {
			k.SelectedByDefault, k.Platforms = true, n.listens(k)
		}
		all = append(all, n.build(k))
	}
	return n.totals(all).DedupedMonthly <= n.allowance()
}

// again narrows from the start by those of the steps that can be taken.
func (n *narrowing) again(start proposal.Decisions, steps []step) *narrowing {
	again := n.narrowing(start)
	for _, s := range steps {
		again.try(s)
	}
	return again
}

// stands reports whether the total fits, and each selected keyword hears something that no other brings.
func (n *narrowing) stands() bool {
	if Blocked(n.p) || silenced(n.p) {
		return false
	}
	var all []*built
	var refs []string
	for _, k := range n.d.Keywords {
		all, refs = append(all, n.build(k)), append(refs, k.Ref)
	}
	return !n.collides(all, refs)
}

// dear returns the keywords that code did not select for the total, those first that are surest to bring what is
// relevant.
func (n *narrowing) dear() []*plan {
	return n.surest(func(k proposal.Decision) bool { return k.Dear })
}

// surest returns plans of some of the keywords of the start, as fill orders those of one rank.
func (n *narrowing) surest(of func(proposal.Decision) bool) (plans []*plan) {
	for _, k := range n.start.Keywords {
		if of(k) {
			p := &plan{study: n.of(k.Ref), Decision: k}
			p.rescan()
			plans = append(plans, p)
		}
	}
	slices.SortStableFunc(plans, func(a, b *plan) int {
		rateA, _ := a.keptRate()
		rateB, _ := b.keptRate()
		return cmp.Compare(rateB, rateA)
	})
	return plans
}

// with returns the decisions of the start with one keyword selected. Where the workspace has no room for another, a term
// of the field gives way: without any, the room is why the keyword is not selected.
func (n *narrowing) with(p *plan) proposal.Decisions {
	fresh := func(k proposal.Decision) bool { return k.SelectedByDefault && !n.tracked(n.of(k.Ref).Text) }
	chosen := n.surest(fresh)
	fields := slices.DeleteFunc(slices.Clone(chosen), func(p *plan) bool { return p.Tag != keyword.IndustryTerm })
	d := clone(n.start)
	settle := func(p *plan, why outcome) {
		p.why, p.Dear, p.SelectedByDefault = why, false, why == selected
		n.say(p)
		change(p.Decision.Ref, func(k *proposal.Decision) bool { *k = p.Decision; return true })(n, &d)
	}
	switch room := len(chosen) < n.Plan.Keywords; {
	case room:
		settle(p, selected)
	case len(fields) > 0:
		settle(fields[len(fields)-1], full)
		settle(p, selected)
	default:
		settle(p, full)
	}
	return d
}
