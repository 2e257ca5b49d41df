package compose

import (
	"slices"
	"strings"
	"unicode"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/proposal/rule"
	"earshot/shared/text"
)

// A study is what the evidence says of one candidate, before anything is decided.
type study struct {
	proposal.Candidate
	sighting proposal.Sighting
	sample
	volume   proposal.Volume // of the bare text
	measured bool            // volume rests on a count
	// common: it is never tracked bare. confirmed: its own sample says so.
	common, confirmed bool
	pool              []anchor // that may stand beside it, best first
	tight, fit, wide  []string // choices among pool; nil when it offers too few
}

// An anchor is a term with what it keeps of the sample.
type anchor struct {
	term            string
	keeps           set
	relevant, noise int
}

// A reading is the evidence with the studies of its candidates, in their order.
type reading struct {
	proposal.Evidence
	studies []study
	index   map[string]int
	builds  map[string]*built // the last of each candidate
	byCode  bool              // code decides, or decided: every reason is by rule
}

func read(e proposal.Evidence, byCode bool) *reading {
	r := &reading{Evidence: e, byCode: byCode, index: map[string]int{}, builds: map[string]*built{}}
	for _, c := range e.Candidates.Candidates {
		if _, twice := r.index[c.Ref]; twice {
			continue
		}
		r.index[c.Ref] = len(r.studies)
		r.studies = append(r.studies, r.study(c))
	}
	return r
}

func (r *reading) of(ref string) *study {
	if i, ok := r.index[ref]; ok {
		return &r.studies[i]
	}
	return nil
}

func (r *reading) study(c proposal.Candidate) study {
	s := study{Candidate: c, sighting: r.Sampled.Sightings[c.Ref]}
	s.sample = sampleOf(s.sighting.Posts)
	s.volume, s.measured = r.bareVolume(c)
	account := strings.HasPrefix(match.Form(c.Text), "@") // nothing but an account is written so
	name := !account && c.Route != proposal.DomainVariant && c.Route != proposal.HandleVariant
	if name {
		s.common, s.confirmed = candidate.Ambiguous(c.Text, s.relevant.count(), len(s.posts))
		if listed := candidate.Common(c.Text); listed && !s.common && s.Route == proposal.Anchored {
			s.Route = proposal.Bare
		} else if !listed && (c.Common || c.Route == proposal.Anchored) {
			s.common = true // of words that are joined or parted
		}
	} else {
		s.common = !account && candidate.Common(c.Text)
	}
	s.pool = r.anchors(s)
	s.tight, s.fit, s.wide = s.choose()
	return s
}

// cleared says whether a word of the lists is tracked by itself, since its sample says that it is a known brand's name first of all.
func (s *study) cleared() bool {
	return !s.common && s.Route != proposal.DomainVariant && s.Route != proposal.HandleVariant && candidate.Common(s.Text)
}

// silent says whether nothing was counted in a source.
func (s *study) silent(source string) bool {
	return !slices.ContainsFunc(s.volume.PerSource, func(c proposal.SourceCount) bool { return c.Source == source && c.Count > 0 })
}

// enough says whether the sample is one to decide by.
func (s *study) enough() bool { return len(s.posts) >= proposal.SampleEnough }

// rate is the relevance of the bare sample.
func (s *study) rate() float64 {
	if len(s.posts) == 0 {
		return 0
	}
	return float64(s.relevant.count()) / float64(len(s.posts))
}

// specific says whether an industry term says what it means by itself (rule K7). Other candidates are names.
func (s *study) specific() bool {
	return s.Tag != keyword.IndustryTerm || words(s.Text) > 1 || s.enough() && s.rate() >= proposal.SpecificFrom
}

// brought says whether a keyword that the workspace tracks bare brings every post that a planned one would.
func (r *reading) brought(p *plan) bool {
	planned, letters := asKeyword(p.Candidate, p.Decision), lettersOf(p.Text)
	return slices.ContainsFunc(r.Plan.Bare, func(text string) bool {
		// A workspace may track a thousand: what is not even in the text needs no closer look.
		return strings.Contains(letters, lettersOf(text)) && rule.Covers(keyword.Keyword{ID: 1, Text: text, ExactMatch: true, AdditionalTermsLogic: keyword.Any}, planned)
	})
}

// lettersOf is a text's letters and digits, folded: in a domain or a handle they are the name's.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, fold(text))
}

// tracked says whether the workspace has this text already.
func (r *reading) tracked(text string) bool {
	return slices.ContainsFunc(r.Plan.Tracked, func(other string) bool { return fold(other) == fold(text) })
}

// fold is the form in which texts compare: as the matcher does.
func fold(text string) string { return match.Form(text) }

// words counts what blanks set apart and has a letter or a digit.
func words(phrase string) int { return len(text.Words(fold(phrase))) }

// isNoisy says whether enough posts of a platform are mostly noise (rule P1).
func isNoisy(scored, relevant int) bool {
	return scored >= proposal.SampleEnough && float64(relevant) < proposal.NoisyPlatform*float64(scored)
}

// on counts the sample's posts of a platform, of the set or, when it is nil, of all.
func (s *study) on(platform string, of set) (scored, relevant int) {
	for i, p := range s.posts {
		if !keyword.Admits(platform, p.Source, p.IsReply) || of != nil && !of.has(i) {
			continue
		}
		scored++
		if s.relevant.has(i) {
			relevant++
		}
	}
	return scored, relevant
}

// platforms are those that the plan allows, in the vocabulary's order. A plan that names none is not known, and allows all.
func (r *reading) platforms() (allowed []string) {
	if len(r.Plan.Platforms) == 0 {
		return keyword.Platforms()
	}
	for _, platform := range keyword.Platforms() {
		if slices.Contains(r.Plan.Platforms, platform) {
			allowed = append(allowed, platform)
		}
	}
	return allowed
}
