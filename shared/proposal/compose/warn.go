package compose

import (
	"fmt"
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/proposal/rule"
	"earshot/shared/proposal/sampling"
)

// The codes of warnings that are made here.
const (
	warnUnanchored = "not_anchored"
	warnUnspecific = "not_specific"
	warnCovered    = "covered"
	warnTracked    = "already_tracked"
	warnFull       = "keyword_limit"
	warnNoBrand    = "brand_not_selected"
	warnSources    = "sources_not_measured"
	warnHidden     = "feed_hidden"
	warnMerged     = "feed_merged"
	warnConfirm    = "volume_confirm"
	warnBlocked    = "volume_blocked"
	warnUnproven   = "anchors_unproven"
)

// warnings are what a person should know beside the keywords: what is not there, and why.
func (r *reading) warnings(all []*built) []proposal.Warning {
	warnings := r.missing(all)
	add := func(code, keyword, format string, args ...any) {
		warnings = append(
			warnings, proposal.Warning{Code: code, Keyword: keyword, Message: fmt.Sprintf(format, args...)},
		)
	}
	brand, chosen, waiting := false, 0, 0
	for _, b := range all {
		switch {
		case b.SelectedByDefault:
			chosen++
			brand = brand || b.Keyword.Tag == keyword.OwnBrand
			if r.paused(b.Keyword.Keyword) {
				add(warnTracked, b.Keyword.Keyword, pausedSaid)
			}
			if b.unproven && len(b.AdditionalTerms) > 0 {
				add(
					warnUnproven, b.Keyword.Keyword,
					"The name means other things too, and neither your site nor the posts say enough to tell yours apart. It "+
						"is tracked beside %d words that no sampled post proves. Add products or terms of your field to the profile.",
					len(b.AdditionalTerms),
				)
			}
		case r.tracked(b.Keyword.Keyword):
			add(warnTracked, b.Keyword.Keyword, "%s", r.there(b.Keyword.Keyword, "selected"))
		case !b.Confirm:
			waiting++
		}
	}
	if waiting > 0 && chosen >= r.Plan.Keywords {
		room := "no more keywords"
		if n := r.Plan.Keywords; n > 0 {
			room = fmt.Sprintf("%d more %s", n, plural(n, "keyword"))
		}
		add(
			warnFull, "", "Your plan has room for %s, so %d %s not selected.", room, waiting,
			verb(waiting, "that is proposed is", "that are proposed are"),
		)
	}
	if !brand {
		add(
			warnNoBrand, "",
			"No keyword of your own brand is selected: select one, unless you track your brand already.",
		)
	}
	var never, partly []string // answered
	for _, source := range slices.Concat(r.Measured.Failed, r.Measured.Unmeasured) {
		if slices.Contains(r.Measured.Sources, source) {
			partly = append(partly, source)
		} else {
			never = append(never, source)
		}
	}
	var said []string
	if len(never) > 0 {
		said = append(said, "These sources were not measured, so they are in no count: "+r.withReasons(never)+".")
	}
	if len(partly) > 0 {
		said = append(said, "These answered for some keywords only: "+r.withReasons(partly)+".")
	}
	if len(said) > 0 && !r.Measured.At.IsZero() {
		add(warnSources, "", "%s", strings.Join(said, " "))
	}
	return warnings
}

// withReasons names sources, those together that were not measured for the same reason.
func (r *reading) withReasons(sources []string) string {
	var reasons, said []string
	of := map[string][]string{}
	for _, source := range sources {
		reason := strings.TrimRight(r.Measured.Reasons[source], ".")
		if !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
		of[reason] = append(of[reason], source)
	}
	for _, reason := range reasons {
		group := titlesOf(of[reason], len(of[reason]))
		if len(of[reason]) > 1 { // it is of none of them alone
			reason = strings.TrimPrefix(strings.TrimPrefix(reason, "its "), "it ")
		}
		if reason != "" {
			group += " (" + reason + ")"
		}
		said = append(said, group)
	}
	return strings.Join(said, "; ")
}

// foreseen are the candidates' warnings, without those that a decision made untrue. A common word that is tracked bare or
// not proposed needs no words beside it. An account that is not proposed needs no confirmation.
func (r *reading) foreseen(all []*built) []proposal.Warning {
	return slices.DeleteFunc(slices.Clone(r.Candidates.Warnings), func(w proposal.Warning) bool {
		at := slices.IndexFunc(all, func(b *built) bool { return b.Keyword.Keyword == w.Keyword })
		switch w.Code {
		case candidate.WarnCommon:
			return at < 0 || len(all[at].AdditionalTerms) == 0
		case candidate.WarnAnchors:
			return at >= 0 && len(all[at].AdditionalTerms) == 0
		case candidate.WarnHandle:
			return at < 0
		}
		return false
	})
}

// totalWarnings say how the total stands to the allowance, and name the choice that fits and brings the most.
func totalWarnings(p proposal.Proposal) []proposal.Warning {
	t := p.Totals
	monthly := fmt.Sprintf(
		"About %s posts a month are expected, and your allowance is %s", whole(t.DedupedMonthly), whole(t.Allowance),
	)
	switch t.Band {
	case proposal.Confirm:
		return []proposal.Warning{{Code: warnConfirm, Message: monthly + ": confirm that you want them all."}}
	case proposal.Blocked:
		said := monthly + ": choose fewer keywords, narrower ones or a larger plan."
		if best, found := p.BestFit(); found {
			said += fmt.Sprintf(" The option “%s” by itself is about %s a month.", best.Label, posts(best.ProjectedMonthly))
		} else {
			said += " No option fits the plan."
		}
		return []proposal.Warning{{Code: warnBlocked, Message: said}}
	}
	return nil
}

// pausedSaid is what is said of a keyword of the workspace that brings nothing.
const pausedSaid = "You have this keyword already, and it is paused. Resume it to get its posts."

// there says why a keyword that the workspace has is not selected or not proposed.
func (r *reading) there(text, done string) string {
	if r.paused(text) {
		return pausedSaid
	}
	return "You track this keyword already, so it is not " + done + "."
}

// missing says of each candidate that is not proposed why, as far as the rules are why.
func (r *reading) missing(all []*built) (warnings []proposal.Warning) {
	for i := range r.studies {
		s := &r.studies[i]
		if slices.ContainsFunc(all, func(b *built) bool { return b.Keyword.Ref == s.Ref }) {
			continue
		}
		w := proposal.Warning{Keyword: s.Text}
		switch omitted := s.omission(); {
		case r.tracked(s.Text):
			w.Code, w.Message = warnTracked, r.there(s.Text, "proposed")
		case omitted == unanchored:
			w.Code = warnUnanchored
			w.Message = fmt.Sprintf(
				"People use this name for other things. It takes %d words to tell your posts apart, and %d could be found: it is not proposed.",
				proposal.MinAnchors,
				len(s.pool),
			)
		case omitted == unspecific:
			w.Code, w.Message = warnUnspecific,
				"This is one word and its sample does not show that it means your field: it is not proposed."
		default:
			bare := sampling.Bare(s.Candidate)
			at := slices.IndexFunc(all, func(b *built) bool {
				bare.Platforms = s.Platforms
				if bare.Platforms == nil { // it would be narrowed as all are
					bare.Platforms = b.Platforms
				}
				return inTexts([]string{s.Text}, sampling.Bare(b.Candidate))[0].has(0) && rule.Covers(b.Tracked(), bare)
			})
			if at < 0 {
				at = bringsSample(r.scope(s), all)
			}
			if at < 0 {
				continue
			}
			w.Code, w.Message = warnCovered, "Another keyword brings its posts already: "+all[at].Keyword.Keyword
			if !all[at].SelectedByDefault && !r.tracked(all[at].Keyword.Keyword) {
				w.Message = "Another keyword, which is not selected, would bring its posts: " + all[at].Keyword.Keyword
			}
		}
		warnings = append(warnings, w)
	}
	return warnings
}

// bringsSample is the place of the keyword that brings every sampled post that a candidate would bring as it would be
// tracked, if these are enough to tell; -1: there is none. withoutCovered leaves candidates out by the same.
func bringsSample(p *plan, all []*built) int {
	return slices.IndexFunc(all, func(b *built) bool {
		d := p.Decision
		if d.Platforms == nil { // it would be narrowed as all are
			d.Platforms = b.Platforms
		}
		kept := p.keeps(asKeyword(p.Candidate, d), b.Tracked())
		of := kept[0].count()
		return of >= proposal.SampleEnough && kept[0].both(kept[1]) == of
	})
}

// hiddenFeed says why a feed is not shown.
func hiddenFeed(f proposal.Feed, feeds []proposal.Feed, listening, tracked, judged, blind bool) proposal.Warning {
	why := ""
	switch {
	case !listening && tracked:
		why = "you track its keywords already"
	case !listening:
		why = "none of its keywords is selected"
	case blind:
		why = "nothing is known of what its posts look like"
	case f.Gate.DuplicateOf != "":
		why = "it would show the same as another"
	case !judged:
		why = "no post of it could be read yet"
	case f.Gate.RelevanceRate < proposal.FeedRelevance:
		why = fmt.Sprintf("only %.0f%% of its sample is relevant", 100*f.Gate.RelevanceRate)
	case f.Gate.WeeklySample < proposal.FeedWeekly:
		why = fmt.Sprintf("it would show about %.1f posts a week", f.Gate.WeeklySample)
	default:
		why = fmt.Sprintf("one subject is %.0f%% of it", 100*f.Gate.DominantClusterShare)
	}
	name := quoted(f.Name, f.Ref)
	for _, other := range feeds {
		if other.Ref == f.MergedIntoRef {
			return proposal.Warning{
				Code:    warnMerged,
				Message: fmt.Sprintf("The feed %s is merged into %s: %s.", name, quoted(other.Name, other.Ref), why),
			}
		}
	}
	return proposal.Warning{Code: warnHidden, Message: fmt.Sprintf("The feed %s is hidden: %s.", name, why)}
}
