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
	speech   []string        // what is spoken on the site and in the sample besides English
	// common: it is never tracked bare. confirmed: its own sample says so.
	common, confirmed bool
	// brand: it is the brand itself. unproven: no three of its anchors keep a relevant post of its sample.
	brand, unproven  bool
	pool             []anchor // that may stand beside it, best first
	tight, fit, wide []string // choices among pool; nil when it offers too few
}

// An anchor is a term with what it keeps of the sample.
type anchor struct {
	term            string
	keeps           set
	relevant, noise int
}

// Studied is the evidence of a run with the studies of its candidates, in their order. Decide, Assemble and Narrow
// share it, and what they find out of it: each candidate's posts are looked through once. It is not safe for concurrent
// use.
type Studied struct {
	proposal.Evidence
	studies []study
	index   map[string]int
	byRule  map[string]*built // the last of each candidate, of code's decisions
	byModel map[string]*built // and of a model's
}

// Study studies the evidence of a run.
func Study(e proposal.Evidence) *Studied {
	r := &Studied{Evidence: e, index: map[string]int{}, byRule: map[string]*built{}, byModel: map[string]*built{}}
	for _, c := range e.Candidates.Candidates {
		if _, twice := r.index[c.Ref]; twice {
			continue
		}
		r.index[c.Ref] = len(r.studies)
		r.studies = append(r.studies, r.study(c))
	}
	r.leading()
	return r
}

// A reading is what is studied as code or as a model decides of it.
type reading struct {
	*Studied
	builds map[string]*built // the last of each candidate
	byCode bool              // code decides, or decided: every reason is by rule
}

func (r *Studied) read(byCode bool) *reading {
	if byCode {
		return &reading{r, r.byRule, true}
	}
	return &reading{r, r.byModel, false}
}

func (r *Studied) of(ref string) *study {
	if i, ok := r.index[ref]; ok {
		return &r.studies[i]
	}
	return nil
}

func (r *Studied) study(c proposal.Candidate) study {
	s := study{Candidate: c, sighting: r.Sampled.Sightings[c.Ref]}
	s.sample = sampleOf(s.sighting.Posts)
	s.volume, s.measured = r.bareVolume(c)
	s.speech = candidate.Spoken(r.Profile.Language, s.sighting.Languages)
	account := strings.HasPrefix(match.Form(c.Text), "@") // nothing but an account is written so
	name := !account && c.Route != proposal.DomainVariant && c.Route != proposal.HandleVariant
	if name {
		meant, read := s.sighting.Meant()
		s.common, s.confirmed = candidate.Ambiguous(c.Text, meant, read, s.speech...)
		if listed := candidate.CommonIn(c.Text, s.speech...); listed && !s.common && s.Route == proposal.Anchored {
			s.Route = proposal.Bare
		} else if !listed && (c.Common || c.Route == proposal.Anchored) {
			s.common = true // of words that are joined or parted
		}
	} else {
		s.common = !account && candidate.CommonIn(c.Text, s.speech...)
	}
	s.pool = r.anchors(s)
	s.tight, s.fit, s.wide = s.choose()
	return s
}

// cleared says whether a word of the lists is tracked by itself, since its sample says that it is a known brand's name
// first of all.
func (s *study) cleared() bool {
	return !s.common && s.Route != proposal.DomainVariant && s.Route != proposal.HandleVariant &&
		candidate.CommonIn(s.Text, s.speech...)
}

// silent says whether nothing was counted in a source.
func (s *study) silent(source string) bool {
	return !slices.ContainsFunc(
		s.volume.PerSource, func(c proposal.SourceCount) bool { return c.Source == source && c.Count > 0 },
	)
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
func (r *Studied) brought(p *plan) bool {
	planned, letters := asKeyword(p.Candidate, p.Decision), lettersOf(p.Text)
	return slices.ContainsFunc(r.Plan.Bare, func(text string) bool {
		// A workspace may track a thousand: what is not even in the text needs no closer look.
		return strings.Contains(letters, lettersOf(text)) &&
			rule.Covers(
				keyword.Keyword{ID: 1, Text: text, ExactMatch: true, AdditionalTermsLogic: keyword.Any}, planned,
			)
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
func (r *Studied) tracked(text string) bool {
	return slices.ContainsFunc(r.Plan.Tracked, func(other string) bool { return fold(other) == fold(text) })
}

// paused reports whether the workspace has a paused keyword with this text.
func (r *Studied) paused(text string) bool {
	return slices.ContainsFunc(r.Plan.Paused, func(other string) bool { return fold(other) == fold(text) })
}

// fold is the form in which texts compare: as the matcher does.
func fold(text string) string { return match.Form(text) }

// words counts what blanks set apart and has a letter or a digit.
func words(phrase string) int { return len(text.Words(fold(phrase))) }

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

// platforms are those that the plan allows, in the vocabulary's order. A plan that names none is not known, and allows
// all.
func (r *Studied) platforms() (allowed []string) {
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
