package measure

import (
	"maps"
	"slices"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// An Analog is what the store has of a string that is tracked bare already.
type Analog struct {
	Posts   map[string]int64 // by source, of the last days
	Window  proposal.Window  // the longest within which it was tracked all the time; empty: Month
	Sources []string         // that were listened to; those without posts count as none
}

// Join makes of what the sources answered a volume for every candidate. Counts are in any order, and may lack sources
// that were asked: those failed. Analogs are by ref, and go before what was counted. asked names all sources that are
// listened to here, streams too: what cannot be searched of them is unmeasured.
//
// A volume's range is of the sources that answered for the candidate, all together (rangeOf). Its basis is analog; or
// sparse, when fewer than proposal.SparseBelow posts were counted in all; or sampled; or prior, when no source
// answered. A source is in UnverifiedSources when it was asked and did not answer for the candidate, and in neither
// list when the candidate is not tracked there.
func Join(
	candidates proposal.Candidates, counts []proposal.Counts, analogs map[string]Analog, asked []string, at time.Time,
) proposal.Measured {
	bySource := map[string]proposal.Counts{}
	for _, c := range counts {
		if _, twice := bySource[c.Source]; !twice {
			bySource[c.Source] = c
		}
	}
	names := slices.Concat(asked, slices.Collect(maps.Keys(bySource)))
	slices.Sort(names)
	names = slices.Compact(names)

	out := proposal.Measured{
		At:         at,
		Sources:    []string{},
		Failed:     []string{},
		Unmeasured: []string{},
		Reasons:    map[string]string{},
		Volumes:    map[string]proposal.Volume{},
	}
	for _, name := range names {
		answer, branched := bySource[name]
		out.Requests += answer.Requests
		state, reason := stateOf(name, answer, branched)
		if state == proposal.SourceUnmeasured && slices.Contains(names, twins[name]) {
			continue
		}
		switch {
		case state == proposal.SourceUnmeasured:
			out.Unmeasured = append(out.Unmeasured, name)
			out.Reasons[name] = reason
		case state == proposal.SourceAnswered:
			out.Sources = append(out.Sources, name)
		default:
			if len(answer.Counts) > 0 {
				out.Sources = append(out.Sources, name)
			}
			out.Failed = append(out.Failed, name)
			out.Reasons[name] = reason
		}
	}
	for _, c := range candidates.Candidates {
		if analog, tracked := analogs[c.Ref]; tracked {
			out.Volumes[c.Ref] = analog.volume()
			continue
		}
		out.Volumes[c.Ref] = volume(c, bySource, slices.Concat(out.Sources, out.Failed), out.Unmeasured)
	}
	return out
}

// stateOf is what became of a source, with a reason for people when it did not answer all.
func stateOf(name string, answer proposal.Counts, branched bool) (proposal.SourceState, string) {
	if _, searchable := Coverage(name); !branched {
		if !searchable {
			return proposal.SourceUnmeasured, coverages[name].why
		}
		return proposal.SourceFailed, "it did not answer in time"
	}
	reason := answer.Reason
	switch {
	case answer.State == proposal.SourceAnswered:
		return answer.State, ""
	case answer.State == proposal.SourceUnmeasured && len(answer.Counts) > 0:
		return proposal.SourceAnswered, ""
	case reason != "":
	case answer.State == proposal.SourceSpent:
		reason = "the run's requests were used up"
	case answer.State == proposal.SourceUnmeasured:
		reason = "it cannot be searched here"
	default:
		reason = "it did not answer"
	}
	return answer.State, reason
}

// volume is a candidate's, of the sources by their names; a name may be there twice.
func volume(c proposal.Candidate, answers map[string]proposal.Counts, searched, unmeasured []string) proposal.Volume {
	slices.Sort(searched)
	v := empty(proposal.BasisSampled)
	var terms []term
	var raw int64
	for _, name := range slices.Compact(searched) {
		if !keyword.TakesSome(c.Platforms, name) {
			continue
		}
		found, ok := answers[name].Counts[c.Ref]
		if !ok {
			v.UnverifiedSources = append(v.UnverifiedSources, name)
			continue
		}
		found.Posts = max(0, found.Posts)
		raw += min(found.Posts, proposal.SparseBelow)
		terms = v.add(terms, name, found)
	}
	for _, name := range unmeasured {
		if keyword.TakesSome(c.Platforms, name) {
			v.UnmeasuredSources = append(v.UnmeasuredSources, name)
		}
	}
	if len(terms) == 0 {
		prior := Prior(c.Class)
		prior.UnverifiedSources, prior.UnmeasuredSources = v.UnverifiedSources, v.UnmeasuredSources
		return prior
	}
	if raw < proposal.SparseBelow {
		v.Basis = proposal.BasisSparse
	}
	return v.closed(terms)
}

// volume is that of what came in of late, with the same interval: no factor, for it is what was collected.
func (a Analog) volume() proposal.Volume {
	v := empty(proposal.BasisAnalog)
	window := a.Window
	if !slices.Contains(proposal.Windows(), window) {
		window = proposal.Month
	}
	names := slices.Concat(a.Sources, slices.Collect(maps.Keys(a.Posts)))
	slices.Sort(names)
	var terms []term
	for _, name := range slices.Compact(names) {
		terms = v.addWeighted(terms, name, proposal.Count{Posts: max(0, a.Posts[name]), Window: window}, 1)
	}
	if len(terms) == 0 {
		terms = []term{
			count{Count: proposal.Count{Window: window}, weight: proposal.Month.Days() / window.Days()}.term(),
		}
		v.Window = window
	}
	return v.closed(terms)
}

// A building is a volume that is being made.
type building struct{ proposal.Volume }

func empty(basis proposal.Basis) building {
	return building{
		proposal.Volume{
			Basis:             basis,
			Window:            proposal.Month,
			PerSource:         []proposal.SourceCount{},
			UnverifiedSources: []string{},
			UnmeasuredSources: []string{},
		},
	}
}

func (v *building) add(terms []term, source string, found proposal.Count) []term {
	factor, _ := Coverage(source)
	return v.addWeighted(terms, source, found, factor)
}

func (v *building) addWeighted(terms []term, source string, found proposal.Count, factor float64) []term {
	if !slices.Contains(proposal.Windows(), found.Window) {
		found.Window = proposal.Day // as proposal.Window.Days has it
	}
	t := count{Count: found, weight: proposal.Month.Days() / found.Window.Days() * factor}.term()
	low, high := rangeOf([]term{t})
	v.PerSource = append(v.PerSource, proposal.SourceCount{
		Source: source,
		Count:  float64(found.Posts),
		Window: found.Window,
		Factor: factor,
		Low:    low,
		High:   high,
		Open:   found.Capped,
	})
	if found.Window.Days() < v.Window.Days() {
		v.Window = found.Window
	}
	v.Open = v.Open || found.Capped
	return append(terms, t)
}

func (v building) closed(terms []term) proposal.Volume {
	v.Low, v.High = rangeOf(terms)
	v.Band = Band(v.Low, v.High, v.Open)
	return v.Volume
}
