package setupstages_test

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"earshot/functions/setupstages"
	"earshot/functions/setupstages/setuptest"
	"earshot/shared/keyword"
	"earshot/shared/parallel"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/proposal/compose"
)

// evidencesVariable is how many evidences TestCompose_DrawnEvidence draws. One of them alone is its seed: FIRST=17 EVIDENCES=1.
const evidencesVariable, firstVariable = "EVIDENCES", "FIRST"

// someEvidences is how many are drawn unless the environment says so. make peers draws 1,000.
const someEvidences = 250

// numberOf reads a number from the environment.
func numberOf(t *testing.T, variable string, otherwise, least int) int {
	t.Helper()
	said := os.Getenv(variable)
	if said == "" {
		return otherwise
	}
	n, err := strconv.Atoi(said)
	if err != nil || n < least {
		t.Fatalf("%s must be a number from %d on, and is %q", variable, least, said)
	}
	return n
}

// A proposal for every drawn evidence keeps what a customer is promised, whoever decides: code, or a model of which some
// is refused.
func TestCompose_DrawnEvidence(t *testing.T) {
	count := numberOf(t, evidencesVariable, someEvidences, 1)
	came := composeDrawn(t, count, drawEvidence)
	if count >= someEvidences && (came[string(proposal.NeedsNarrowing)] == 0 || came[string(proposal.Ready)] < count/2) {
		t.Errorf("the draws came to %v", came)
	}
}

// The same holds where the allowance is ten posts a month, and a plan has a platform or two, which may have failed.
func TestCompose_SmallAllowance(t *testing.T) {
	count := numberOf(t, evidencesVariable, someEvidences, 1)
	came := composeDrawn(t, count, func(c chance) proposal.Evidence {
		e := drawEvidence(c)
		e.Plan.Allowance = 10
		if !c.once(3) {
			e.Plan.Platforms = some(c, 2, searched)
		}
		return e
	})
	if count >= someEvidences && came[string(proposal.NeedsNarrowing)] < count/4 {
		t.Errorf("the draws came to %v", came)
	}
}

// What is promised holds for evidence for which it once did not.
func TestCompose_EvidenceThatFailed(t *testing.T) {
	for seed, what := range map[uint64]string{
		1259: "the plan's only platform failed, and estimates were more than the allowance",
		2197: "sources that failed widened a keyword that does not listen on them",
		3658: "a narrowing step made the only platform of a handle mostly noise",
		5250: "a platform less let the sources that failed bring more",
	} {
		c := newChance(seed)
		e := drawEvidence(c)
		end, _ := setupstages.Compose(e, drawModel(c, e), setuptest.ModelID)
		for _, f := range faults(end, e) {
			t.Errorf("seed %d, %s: %s", seed, what, f)
		}
	}
}

// composeDrawn composes for count drawn evidences, reports what is wrong, and returns how often each status came.
func composeDrawn(t *testing.T, count int, draw func(chance) proposal.Evidence) map[string]int {
	t.Helper()
	from := numberOf(t, firstVariable, 0, 0)
	ends, found := make([]string, count), make([][]string, count)
	parallel.Few(runtime.GOMAXPROCS(0), count, func(i int) {
		c := newChance(uint64(from + i))
		e := draw(c)
		end, _ := setupstages.Compose(e, drawModel(c, e), setuptest.ModelID)
		ends[i], found[i] = string(end.Status), faults(end, e)
	})
	broken, first, came := map[string]int{}, map[string]string{}, map[string]int{}
	for i := range count {
		came[ends[i]]++
		seen := map[string]bool{}
		for _, f := range found[i] {
			property, _, _ := strings.Cut(f, ": ")
			if broken[property] == 0 {
				first[property] = fmt.Sprintf("seed %d: %s", from+i, f)
			}
			if !seen[property] {
				seen[property] = true
				broken[property]++
			}
		}
	}
	t.Logf("of %d: %v", count, came)
	for _, property := range slices.Sorted(maps.Keys(broken)) {
		t.Errorf("%d of %d break %q, the first is %s", broken[property], count, property, first[property])
	}
	return came
}

// drawModel decides nothing, as code would, without the brand, or nonsense.
func drawModel(c chance, e proposal.Evidence) *proposal.Decisions {
	how := c.IntN(5)
	if how > 2 {
		return nil
	}
	d := compose.Study(e).Decide()
	d.ByCode = false
	switch how {
	case 1:
		for i := range d.Keywords {
			if d.Keywords[i].Ref == candidate.RefBrand {
				d.Keywords[i].SelectedByDefault = false
			}
		}
	case 2:
		d = proposal.Decisions{Keywords: []proposal.Decision{{Ref: "nobody", Route: "telepathy"}}}
	}
	return &d
}

// faults says what is wrong with how a run ended, each beginning with the property that is broken.
func faults(end proposal.End, e proposal.Evidence) (found []string) {
	add := func(property, format string, args ...any) {
		found = append(found, property+": "+fmt.Sprintf(format, args...))
	}
	if end.Status == proposal.Failed || end.Proposal == nil {
		add("a proposal is made", "%s", end.Message)
		return found
	}
	p := *end.Proposal
	brand := brandOf(p)
	selected := brand != nil && brand.SelectedByDefault
	fitting := false
	for _, o := range p.Options {
		fitting = fitting || brand != nil && o.KeywordRef == brand.Ref && o.ProjectedMonthly <= p.Totals.Allowance
	}
	narrows := end.Status == proposal.NeedsNarrowing
	if !selected && !(narrows && fitting) {
		add("the brand is selected", "%s %s %s", end.Status, e.Profile.Company, p.Totals.Band)
	}
	if !selected && p.Totals.Band == proposal.Pass {
		add("no band passes without the brand", "%s", e.Profile.Company)
	}
	for _, o := range p.Options {
		if narrows && fitting && o.ProjectedMonthly > p.Totals.Allowance {
			add("what needs narrowing has no option that cannot be chosen", "%s: %s, %.0f of %.0f", e.Profile.Company, o.ID,
				o.ProjectedMonthly,
				p.Totals.Allowance)
		}
	}
	for i, o := range p.Options {
		for _, other := range p.Options[:i] {
			if o.KeywordRef == other.KeywordRef &&
				reflect.DeepEqual(proposal.Keyword{}.With(o), proposal.Keyword{}.With(other)) {
				add("no two options are the same", "%s: %s and %s", e.Profile.Company, other.ID, o.ID)
			}
		}
	}
	if narrows && !fitting {
		add("what needs narrowing has an option that fits", "%s: %.0f of %.0f, %d options", e.Profile.Company,
			p.Totals.DedupedMonthly, p.Totals.Allowance, len(p.Options))
	}
	if over := p.Totals.DedupedMonthly > p.Totals.Allowance; over != narrows {
		add("the total fits, or the draft needs narrowing", "%.0f of %.0f, %s", p.Totals.DedupedMonthly, p.Totals.Allowance, end.Status)
	}
	if selected && silenced(*brand, p, e) {
		add("the brand listens where it is spoken of", "%s on %q of %+v", brand.Keyword, brand.Platforms,
			e.Measured.Volumes[brand.Ref].PerSource)
	}
	for _, k := range p.Keywords {
		for _, source := range slices.Concat(k.Volume.UnverifiedSources, k.Volume.UnmeasuredSources) {
			if !keyword.TakesSome(k.Platforms, source) {
				add("a volume names no source that the keyword does not listen on", "%s on %q: %s", k.Keyword, k.Platforms, source)
			}
		}
		if v := k.Volume; !agrees(v) {
			add("a volume agrees with its sources", "%s: %.0f to %.0f of %+v", k.Keyword, v.Low, v.High, v.PerSource)
		}
	}
	visible := func(f proposal.Feed) bool { return f.Visible }
	if !slices.ContainsFunc(p.Feeds, visible) {
		add("a feed is visible", "%+v", p.Feeds)
	}
	for _, f := range p.Feeds {
		if f.Purpose != proposal.ForBrand || f.Visible || f.MergedIntoRef != "" {
			continue
		}
		scored, meant, listens := 0.0, 0.0, false
		for _, k := range p.Keywords {
			if !k.SelectedByDefault || !slices.Contains(f.KeywordRefs, k.Ref) {
				continue
			}
			listens = true
			if k.Sample != nil {
				scored, meant = scored+float64(k.Sample.Scored), meant+k.Sample.RelevanceRate*float64(k.Sample.Scored)
			}
		}
		if listens && (scored < proposal.SampleEnough || f.Gate.RelevanceRate >= proposal.FeedRelevance) {
			add("the brand's feed is visible unless it is noise", "%+v", f.Gate)
		}
	}
	return append(found, textFaults(p, e)...)
}

// brandOf is the keyword of the company's name.
func brandOf(p proposal.Proposal) *proposal.Keyword {
	for i, k := range p.Keywords {
		if k.Tag == keyword.OwnBrand && k.Ref == candidate.RefBrand &&
			(k.Route == proposal.Bare || k.Route == proposal.Anchored) {
			return &p.Keywords[i]
		}
	}
	return nil
}

// agrees reports whether a volume is what its sources bring: within the sum of their ranges, and no surer than the least
// sure of them.
func agrees(v proposal.Volume) bool {
	const ends = 1.1 // of whole posts, outwards, and of tenths
	low, high, widest := 0.0, 0.0, 0.0
	for _, c := range v.PerSource {
		low, high, widest = low+c.Low, high+c.High, max(widest, c.High-c.Low)
	}
	return len(v.PerSource) == 0 || len(v.UnverifiedSources) > 0 ||
		v.Low > low-ends && v.High < high+ends && v.High-v.Low > widest-ends
}

// silenced reports whether the brand was counted somewhere, and listens on none of those sources.
func silenced(k proposal.Keyword, p proposal.Proposal, e proposal.Evidence) bool {
	spoken := false
	for _, c := range e.Measured.Volumes[k.Ref].PerSource {
		if c.Count == 0 || len(e.Plan.Platforms) > 0 && !keyword.TakesSome(e.Plan.Platforms, c.Source) {
			continue
		}
		if keyword.TakesSome(p.Platforms.On, c.Source) && keyword.TakesSome(k.Platforms, c.Source) {
			return false
		}
		spoken = true
	}
	return spoken
}
