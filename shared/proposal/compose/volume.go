package compose

import (
	"math"
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/measure"
)

// bareVolume is a candidate's volume by its text alone, and whether it rests on a count. An interrupted run has
// estimates only, whatever it counted.
func (r *Studied) bareVolume(c proposal.Candidate) (v proposal.Volume, measured bool) {
	v, known := r.Measured.Volumes[c.Ref]
	if r.Interrupted || r.Measured.At.IsZero() || !known {
		v = measure.Prior(c.Class)
	}
	return tidied(v), v.Basis != proposal.BasisPrior
}

// tidied is a volume that can be written: nothing nil, and a range (rule V1) of whole posts, so that whoever shows it
// shows the same figures. What sources brought is in tenths.
func tidied(v proposal.Volume) proposal.Volume {
	v.PerSource = append([]proposal.SourceCount{}, v.PerSource...)
	v.UnverifiedSources = append([]string{}, v.UnverifiedSources...)
	v.UnmeasuredSources = append([]string{}, v.UnmeasuredSources...)
	const noise = 1e-6 // of the arithmetic
	v.Low, v.High = math.Floor(max(0, v.Low)+noise), math.Ceil(v.High-noise)
	if v.High <= v.Low {
		v.High = v.Low + 1
	}
	for i := range v.PerSource {
		each := &v.PerSource[i]
		each.Count, each.Low, each.High = tenths(each.Count), tenths(each.Low), tenths(each.High)
	}
	v.Band = measure.Band(v.Low, v.High, v.Open)
	return v
}

func tenths(x float64) float64 { return math.Round(x*10) / 10 }

// scopedVolume is what a decision leaves of a candidate's volume: the sources that it listens on, times the share of
// their sampled posts that it keeps. Of a scoping that no sample was drawn for nothing says what it keeps: anything up
// to what was counted, and no more than words of its kind bring.
func (r *reading) scopedVolume(s *study, d proposal.Decision, kept set) proposal.Volume {
	v := onlyOn(s.volume, d.Platforms)
	read := newSet(len(s.posts))
	for i, p := range s.posts {
		if keyword.Takes(d.Platforms, p.Source, p.IsReply) {
			read.add(i)
		}
	}
	prior := func(class proposal.Class) {
		p := measure.Prior(class)
		v.Low, v.High, v.Basis, v.Window, v.PerSource, v.Open = p.Low, p.High, p.Basis, p.Window, nil, false
	}
	switch low, high := v.Low, v.High; {
	case v.Basis == proposal.BasisPrior: // it is that of the name as it is tracked
	case len(v.PerSource) == 0 && v.Basis != proposal.BasisAnalog: // no source that it listens on was counted
		prior(s.Class)
	case !narrowed(d) && d.CaseSensitive == s.Cased:
	case read.count() > 0:
		v = measure.Scale(v, kept.both(read), read.count())
	case len(d.AdditionalTerms) > 0:
		if !v.Open &&
			high <= measure.Prior(proposal.ClassCommon).High { // what was counted says more than the kind of name
			v.Low, v.PerSource = 0, slices.Clone(v.PerSource)
			for i := range v.PerSource {
				v.PerSource[i].Low = 0
			}
			break
		}
		prior(proposal.ClassCommon)
		v.Low, v.High = min(v.Low, low), min(v.High, high)
	}
	return tidied(r.widened(r.named(v, d.Platforms), s))
}

// named is a volume that names every source that it lacks (rule V3).
func (r *reading) named(v proposal.Volume, platforms []string) proposal.Volume {
	add := func(to []string, sources []string) []string {
		to = slices.Clone(to)
		for _, source := range sources {
			counted := slices.ContainsFunc(v.PerSource, func(c proposal.SourceCount) bool { return c.Source == source })
			if !counted && keyword.TakesSome(platforms, source) && !slices.Contains(v.UnverifiedSources, source) &&
				!slices.Contains(v.UnmeasuredSources, source) && !slices.Contains(to, source) {
				to = append(to, source)
			}
		}
		return to
	}
	v.UnverifiedSources = add(v.UnverifiedSources, r.Measured.Failed)
	v.UnmeasuredSources = add(v.UnmeasuredSources, r.Measured.Unmeasured)
	return v
}

// widened is a volume of a candidate that allows for the sources that failed: not measured is not zero. Each may bring
// as much as the sources that were counted do in the mean, and no less than its part of what the kind of name brings on
// all sources. The mean is no higher than that of all sources, so that a platform less never makes it more. That goes to
// the upper end alone. An estimate allows for all sources already, and an analog asked none.
func (r *reading) widened(v proposal.Volume, s *study) proposal.Volume {
	failed, counted := float64(len(v.UnverifiedSources)), float64(len(v.PerSource))
	if failed == 0 || counted == 0 || v.Basis == proposal.BasisPrior || v.Basis == proposal.BasisAnalog {
		return v
	}
	whole := r.named(s.volume, s.Platforms)
	all := float64(max(len(whole.PerSource), len(v.PerSource)))
	mean := min(v.Mid()/counted, whole.Mid()/all)
	kind := min(measure.Prior(s.Class).High, measure.Prior(proposal.ClassPhrase).High)
	v.High += failed * max(mean, kind/(all+max(failed, float64(len(whole.UnverifiedSources)))))
	return v
}

// narrowed says whether a decision cuts anything from the text's own posts but platforms.
func narrowed(d proposal.Decision) bool {
	return len(d.AdditionalTerms)+len(d.ExcludeWords)+len(d.WildcardExcludeWords)+len(d.ExcludeAuthors) > 0
}

// onlyOn is a volume without the sources that a keyword does not listen on, counted or not. Its ends are in tenths.
func onlyOn(v proposal.Volume, platforms []string) proposal.Volume {
	if platforms == nil {
		return v
	}
	taken := func(source string) bool { return keyword.TakesSome(platforms, source) }
	heard := func(sources []string) []string {
		return slices.DeleteFunc(slices.Clone(sources), func(source string) bool { return !taken(source) })
	}
	v.UnverifiedSources, v.UnmeasuredSources = heard(v.UnverifiedSources), heard(v.UnmeasuredSources)
	if len(v.PerSource) == 0 {
		return v
	}
	return measure.Part(v, taken)
}
