package agent

import (
	"fmt"
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
	"earshot/shared/text"
)

// A reader makes decisions of a submission, and keeps the first fault.
type reader struct {
	candidates proposal.Candidates
	fault      string
}

func (r *reader) refuse(place, why string) {
	if r.fault == "" {
		r.fault = place + ": " + why
	}
}

func (r *reader) decisions(s submission) proposal.Decisions {
	d := proposal.Decisions{
		Keywords: []proposal.Decision{},
		Options:  []proposal.OptionDecision{},
		Feeds:    []proposal.FeedDecision{},
	}
	if s.Keywords == nil || s.Feeds == nil {
		r.refuse("the whole", "keywords and feeds are needed")
		return d
	}
	r.bounded("keywords", len(*s.Keywords), proposal.MaxKeywords)
	r.bounded("options", len(s.Options), proposal.MaxOptions)
	r.bounded("feeds", len(*s.Feeds), proposal.MaxFeeds)
	if len(*s.Keywords) == 0 {
		r.refuse("keywords", "at least one is needed")
	}
	seen := map[string]bool{}
	for i, given := range *s.Keywords {
		at := fmt.Sprintf("keywords[%d]", i)
		k := r.keyword(at, given)
		r.once(at+".ref", k.Ref, seen)
		d.Keywords = append(d.Keywords, k)
	}
	clear(seen)
	for i, given := range s.Options {
		at := fmt.Sprintf("options[%d]", i)
		o := r.option(at, given)
		r.once(at+".id", o.ID, seen)
		d.Options = append(d.Options, o)
	}
	clear(seen)
	for i, given := range *s.Feeds {
		at := fmt.Sprintf("feeds[%d]", i)
		f := r.feed(at, given)
		r.once(at+".ref", f.Ref, seen)
		d.Feeds = append(d.Feeds, f)
	}
	return d
}

func (r *reader) keyword(at string, given decision) proposal.Decision {
	c, found := r.candidates.Of(or(given.Ref, ""))
	switch {
	case given.Ref == nil || given.Route == nil || given.Explanation == nil || given.Confidence == nil:
		r.refuse(at, "ref, route, explanation and confidence are needed")
		return proposal.Decision{}
	case !found:
		r.refuse(at+".ref", "it is no candidate's")
		return proposal.Decision{}
	case *given.Confidence < 0 || *given.Confidence > 1:
		r.refuse(at+".confidence", "it is 0 to 1")
	}
	oneOf(r, at+".route", *given.Route, proposal.Routes())
	k := proposal.Decision{
		Ref:                  c.Ref,
		Route:                *given.Route,
		ExactMatch:           or(given.ExactMatch, c.Exact),
		CaseSensitive:        or(given.CaseSensitive, c.Cased),
		AdditionalTerms:      r.terms(at+".additionalTerms", given.AdditionalTerms),
		AdditionalTermsLogic: or(given.AdditionalTermsLogic, keyword.Any),
		ExcludeWords:         r.terms(at+".excludeWords", given.ExcludeWords),
		WildcardExcludeWords: r.terms(at+".wildcardExcludeWords", given.WildcardExcludeWords),
		ExcludeAuthors:       r.terms(at+".excludeAuthors", given.ExcludeAuthors),
		Platforms:            c.Platforms,
		Context:              c.Context,
		Explanation:          r.text(at+".explanation", *given.Explanation, maxSentence),
		Reasons:              []proposal.Reason{},
		Confidence:           *given.Confidence,
		SelectedByDefault:    or(given.SelectedByDefault, !c.Confirm),
		Approvals:            []proposal.Approval{},
	}
	oneOf(r, at+".additionalTermsLogic", k.AdditionalTermsLogic, []proposal.Logic{keyword.Any, keyword.All})
	if given.Context != nil {
		k.Context = r.text(at+".context", *given.Context, maxSentence)
	}
	if given.OptionGroup != nil {
		k.OptionGroup = r.name(at+".optionGroup", given.OptionGroup)
	}
	if given.Platforms.said {
		k.Platforms = r.platforms(at+".platforms", given.Platforms.names)
	}
	r.bounded(at+".reasons", len(given.Reasons), maxReasons)
	for i, reason := range given.Reasons {
		k.Reasons = append(k.Reasons, r.reason(fmt.Sprintf("%s.reasons[%d]", at, i), reason))
	}
	r.bounded(at+".approvals", len(given.Approvals), len(proposal.Settings()))
	for i, approval := range given.Approvals {
		k.Approvals = append(k.Approvals, r.approval(fmt.Sprintf("%s.approvals[%d]", at, i), approval))
	}
	return k
}

// maxReasons of a keyword: more is not read in a wizard.
const maxReasons = 8

func (r *reader) platforms(at string, given []string) []string {
	if len(given) == 0 {
		return nil
	}
	seen := map[string]bool{}
	for i, platform := range given {
		at := fmt.Sprintf("%s[%d]", at, i)
		oneOf(r, at, platform, keyword.Platforms())
		r.once(at, platform, seen)
	}
	return given
}

func (r *reader) reason(at string, given proposal.Reason) proposal.Reason {
	switch given.Basis {
	case proposal.ByRule:
		if !slices.ContainsFunc(rule.Catalogue(), func(known rule.Rule) bool { return known.ID == given.Ref }) {
			r.refuse(at+".ref", "there is no such rule")
		}
	case proposal.ByGuide, proposal.ByJudgement:
		given.Ref = r.name(at+".ref", &given.Ref)
	case proposal.ByMeasurement:
		r.refuse(at+".basis", "what was measured is said by who measured it, not by you")
	default:
		r.refuse(at+".basis", "there is no such value")
	}
	given.Text = r.text(at+".text", given.Text, maxSentence)
	return given
}

func (r *reader) approval(at string, given proposal.Approval) proposal.Approval {
	oneOf(r, at+".setting", given.Setting, proposal.Settings())
	oneOf(r, at+".approval", given.Approval, []proposal.Approves{proposal.Quietly, proposal.InCleanup})
	given.Terms = r.terms(at+".terms", given.Terms)
	if given.Reason != "" {
		given.Reason = r.text(at+".reason", given.Reason, maxSentence)
	}
	return given
}

func (r *reader) option(at string, given option) proposal.OptionDecision {
	if given.ID == nil || given.KeywordRef == nil || given.Label == nil || given.Description == nil ||
		given.Explanation == nil {
		r.refuse(at, "id, keywordRef, label, description and explanation are needed")
		return proposal.OptionDecision{}
	}
	return proposal.OptionDecision{
		ID:                r.name(at+".id", given.ID),
		KeywordRef:        r.ref(at+".keywordRef", *given.KeywordRef),
		Label:             r.text(at+".label", *given.Label, maxName),
		Description:       r.text(at+".description", *given.Description, maxSentence),
		Explanation:       r.text(at+".explanation", *given.Explanation, maxSentence),
		AdditionalTerms:   r.terms(at+".additionalTerms", given.AdditionalTerms),
		SelectedByDefault: given.SelectedByDefault,
	}
}

func (r *reader) feed(at string, given feed) proposal.FeedDecision {
	if given.Ref == nil || given.Name == nil || given.Purpose == nil || given.KeywordRefs == nil {
		r.refuse(at, "ref, name, purpose and keywordRefs are needed")
		return proposal.FeedDecision{}
	}
	// The purposes that are not offered exist: rule F1 tells the model why not.
	oneOf(r, at+".purpose", *given.Purpose, append(purposes(), proposal.Merged, proposal.ByTag))
	f := proposal.FeedDecision{
		Ref:         r.name(at+".ref", given.Ref),
		Name:        r.text(at+".name", *given.Name, maxName),
		Purpose:     *given.Purpose,
		KeywordRefs: []string{},
	}
	seen := map[string]bool{}
	r.bounded(at+".keywordRefs", len(given.KeywordRefs), proposal.MaxKeywords)
	for i, ref := range given.KeywordRefs {
		at := fmt.Sprintf("%s.keywordRefs[%d]", at, i)
		f.KeywordRefs = append(f.KeywordRefs, r.ref(at, ref))
		r.once(at, ref, seen)
	}
	return f
}

func (r *reader) ref(at, ref string) string {
	if _, found := r.candidates.Of(ref); !found {
		r.refuse(at, "it is no candidate's")
	}
	return ref
}

// made is the form of what a model names: refs of feeds, ids of options and groups, what a judgement is about.
var made = text.NewPattern(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

func (r *reader) name(at string, name *string) string {
	if !made.MatchString(*name) {
		r.refuse(at, "it is 1 to 64 letters, digits, dots, underscores and hyphens")
	}
	return *name
}

func (r *reader) text(at, text string, most int) string {
	plain, ok := toPlain(text, most)
	if !ok {
		r.refuse(at, fmt.Sprintf("it is one line of 1 to %d characters", most))
	}
	return plain
}

func (r *reader) terms(at string, given []string) []string {
	terms := []string{}
	r.bounded(at, len(given), keyword.MaxTerms)
	for i, term := range given {
		terms = append(terms, r.text(fmt.Sprintf("%s[%d]", at, i), term, keyword.MaxText))
	}
	return terms
}

func (r *reader) bounded(at string, n, most int) {
	if n > most {
		r.refuse(at, fmt.Sprintf("at most %d are allowed", most))
	}
}

func (r *reader) once(at, value string, seen map[string]bool) {
	if seen[value] {
		r.refuse(at, "it is given twice")
	}
	seen[value] = true
}

func oneOf[T comparable](r *reader, at string, value T, values []T) {
	if !slices.Contains(values, value) {
		r.refuse(at, "there is no such value")
	}
}

func or[T any](given *T, otherwise T) T {
	if given == nil {
		return otherwise
	}
	return *given
}
