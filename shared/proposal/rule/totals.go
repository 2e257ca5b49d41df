package rule

import (
	"math"
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// rounding is how far a total may be off, in posts a month: what rounding a sum to whole posts makes.
const rounding = 0.5

// totals (T1). What counts against the allowance is dedupedMonthly: a mention that several keywords match is one
// mention.
func totals(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	sum := 0.0
	for _, k := range p.Keywords {
		if k.SelectedByDefault {
			sum += k.Volume.Mid()
		}
	}
	t := p.Totals
	if !(math.Abs(t.ProjectedMonthly-sum) <= rounding) {
		r.add(
			"T1", "totals.projectedMonthly", "",
			"The middles of the selected keywords' volumes add up to %.1f, not to %.1f.", sum, t.ProjectedMonthly,
		)
	}
	if !(t.DedupedMonthly <= t.ProjectedMonthly) {
		r.add(
			"T1", "totals.dedupedMonthly", "",
			"Without what is counted twice there are no more: dedupedMonthly is at most projectedMonthly.",
		)
	}
	if e.Plan.Allowance > 0 && !math.IsInf(e.Plan.Allowance, 1) && t.Allowance != e.Plan.Allowance {
		r.add(
			"T1", "totals.allowance", "", "The plan allows %.0f mentions a month, not %.0f.", e.Plan.Allowance,
			t.Allowance,
		)
	}
	if band := proposal.BandOf(t.DedupedMonthly, t.Allowance); t.Band != band {
		r.add(
			"T1", "totals.band", "", "The band of %.1f in an allowance of %.0f is %s, not %s.", t.DedupedMonthly,
			t.Allowance, band, quote(string(t.Band)),
		)
	}
	return found
}

// narrowing (T2). savedMonthly may be null only when nothing was measured. A step's target is a keyword's ref, or a
// platform of source_off, which is off then. What is dropped is a set of an industry term, selected no more.
func narrowing(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	last := -1
	for n, step := range p.Totals.NarrowingApplied {
		place := path("totals.narrowingApplied", n, "")
		order := slices.Index(proposal.NarrowingSteps(), step.Step)
		switch {
		case order < 0:
			r.add("T2", place+".step", "", "%s is no step of narrowing.", quote(string(step.Step)))
			continue
		case order < last:
			r.add(
				"T2", place+".step", "", "The step %s comes before %s: take the steps in their order.", step.Step,
				proposal.NarrowingSteps()[last],
			)
		}
		last = max(last, order)
		if blank(step.Target) {
			r.add("T2", place+".target", "", "The step names no target: say what was narrowed.")
		}
		if blank(step.Reason) {
			r.add("T2", place+".reason", "", "The step names no reason: say why it was taken.")
		}
		if step.SavedMonthly == nil && !e.Measured.At.IsZero() && !e.Interrupted {
			r.add("T2", place+".savedMonthly", "", "The step does not say what it saved.")
		}
		k, selected, known := target(p, e, step.Target)
		switch step.Step {
		case proposal.DropIndustryAnchorSet:
			if known && k != keyword.IndustryTerm {
				r.add(
					"T2", place+".target", step.Target,
					"Only industry terms are dropped, and %s is tagged %s: keep it.", quote(step.Target),
					quote(string(k)),
				)
			} else if selected {
				r.add(
					"T2", place+".target", step.Target, "%s was dropped and is selected: do not select it.",
					quote(step.Target),
				)
			}
		case proposal.SourceOff:
			if slices.Contains(p.Platforms.On, step.Target) {
				r.add("T2", place+".target", "", "%s was turned off and is on.", quote(step.Target))
			}
		}
	}
	return found
}

// target is the keyword that a step means, by its ref or its text, proposed or only considered.
func target(p proposal.Proposal, e proposal.Evidence, name string) (tag proposal.Tag, selected, known bool) {
	for _, k := range p.Keywords {
		if k.Ref == name || k.Keyword == name {
			return k.Tag, k.SelectedByDefault, true
		}
	}
	for _, c := range e.Candidates.Candidates {
		if c.Ref == name || c.Text == name {
			return c.Tag, false, true
		}
	}
	return "", false, false
}

// blocked (T3) refuses nothing: whoever validates takes it for the status needs_narrowing. See Refused.
func blocked(p proposal.Proposal, _ proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	if p.Totals.Band == proposal.Blocked {
		r.add(
			"T3", "totals.band", "",
			"%.0f mentions a month are more than the allowance of %.0f: the proposal needs narrowing.",
			p.Totals.DedupedMonthly, p.Totals.Allowance,
		)
	}
	return found
}
