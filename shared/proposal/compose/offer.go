package compose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/measure"
	"earshot/shared/source/catalogue"
)

// A choice is another scoping of a keyword, with what it brings.
type choice struct {
	proposal.OptionDecision
	monthly float64
}

// same reports whether a choice for a keyword has these terms, and listens where these platforms would.
func (c choice) same(k proposal.Decision, terms, platforms []string) bool {
	listened, own := c.Platforms, k.Platforms
	if listened == nil {
		listened = own
	}
	if platforms == nil {
		platforms = own
	}
	return sameTerms(c.AdditionalTerms, terms) && (listened == nil) == (platforms == nil) && sameTerms(listened, platforms)
}

// choices is how many options are offered for one keyword, and largeShare the share of the allowance from which a
// keyword beside the brand is offered in parts.
const (
	choices    = 4
	largeShare = 0.1
)

// offer adds options to a total that no step made fit: for the brand, and for what else of the own brand is large. Each
// says what it costs. A person chooses among them and applies the choice (draft status needs_narrowing).
func (n *narrowing) offer() {
	for i := range n.d.Keywords {
		k := &n.d.Keywords[i]
		s := n.of(k.Ref)
		if s.Tag != keyword.OwnBrand || !k.SelectedByDefault ||
			!s.brand && n.build(*k).Volume.Mid() < largeShare*n.allowance() {
			continue
		}
		offered := n.choices(s, *k)
		n.d.Options = slices.DeleteFunc(n.d.Options, func(o proposal.OptionDecision) bool {
			return slices.ContainsFunc(offered, func(c choice) bool {
				return o.KeywordRef == k.Ref && c.Platforms == nil && sameTerms(o.AdditionalTerms, c.AdditionalTerms)
			})
		})
		for _, c := range offered {
			if len(n.d.Options) < proposal.MaxOptions {
				n.d.Options = append(n.d.Options, c.OptionDecision)
			}
		}
		if len(offered) == 0 {
			continue
		}
		k.OptionGroup = "scope_" + k.Ref
		p := &plan{study: s, Decision: *k}
		p.Decision.Approvals = slices.Clone(k.Approvals)
		p.approveChoice()
		*k = p.Decision
		n.retell(&n.d, k.Ref, "")
	}
	n.withhold()
	n.p = n.assemble(n.d)
}

// withhold takes back the options that the allowance has no room for, unless it has room for none: nobody could choose
// them.
func (n *narrowing) withhold() {
	dear := func(o proposal.OptionDecision) bool {
		at := slices.IndexFunc(n.d.Keywords, func(k proposal.Decision) bool { return k.Ref == o.KeywordRef })
		return at >= 0 && n.optionVolume(n.d.Keywords[at], o).Mid() > n.allowance()
	}
	fitting := slices.DeleteFunc(slices.Clone(n.d.Options), dear)
	if len(fitting) == 0 {
		return
	}
	n.d.Options = fitting
	for i := range n.d.Keywords {
		k := &n.d.Keywords[i]
		if !slices.ContainsFunc(fitting, func(o proposal.OptionDecision) bool { return o.KeywordRef == k.Ref }) {
			k.OptionGroup = ""
		}
	}
}

// choices are the scopings of a keyword that the allowance has room for, those that bring most first; where it has room
// for none, the smallest. They leave the busiest sources out one by one, keep a part of the words, or ask for the domain.
func (n *narrowing) choices(s *study, k proposal.Decision) []choice {
	var all []choice
	add := func(id, label, description string, terms, platforms []string) {
		if slices.ContainsFunc(all, func(c choice) bool { return c.ID == id+"_"+k.Ref || c.same(k, terms, platforms) }) {
			return
		}
		d := proposal.OptionDecision{
			ID:          id + "_" + k.Ref,
			KeywordRef:  k.Ref,
			Label:       label,
			Description: description,
			Explanation: "You get fewer posts with " + quoted(s.Text, "this name") +
				", so that your plan has room for them.",
			AdditionalTerms: append([]string{}, terms...),
			Platforms:       slices.Clone(platforms),
		}
		all = append(all, choice{d, n.optionVolume(k, d).Mid()})
	}
	words := k.AdditionalTerms
	if s.brand {
		add("alone", "This keyword alone", "Nothing but this keyword, as it is proposed.", words, nil)
	}
	if len(s.tight) >= proposal.MinAnchors {
		add(narrower, "Narrower", fmt.Sprintf("Only the %d strongest words.", len(s.tight)), s.tight, nil)
		words = s.tight
	}
	domain := n.domainOf(s)
	parted := false // the domain is offered by platform, since all of them are too much
	if domain != "" {
		add("domain", "With your domain", "Only posts that write out your domain too.", []string{domain}, nil)
		parted = !slices.ContainsFunc(all, func(c choice) bool {
			return c.ID == "domain_"+k.Ref && c.monthly <= n.allowance()
		})
	}
	only := func(platform, more string) {
		title := titleOf(platform)
		add(
			"only_"+platform,
			"Only on "+title,
			"Only posts on "+title+strings.TrimSuffix(more, ",")+".",
			words,
			[]string{platform},
		)
		if parted {
			add(
				"domain_"+platform,
				"With your domain, on "+title,
				"Only posts on "+title+more+" which write out your domain too.",
				[]string{domain},
				[]string{platform},
			)
		}
	}
	left, silent := n.sourcesOf(s, k)
	for _, platform := range left {
		only(platform, "")
	}
	var off []string
	for _, platform := range left[:max(len(left)-1, 0)] {
		off = append(off, platform)
		if rest := without(n.listens(k), off); len(rest) > 0 && n.speaks(s, rest) {
			said := titleOf(off[0])
			if len(off) > 1 {
				said = fmt.Sprintf("the %d busiest sources", len(off))
			}
			add(fmt.Sprintf("without_%d", len(off)), "Without "+said, "Posts of all your sources but "+said+".", words, rest)
		}
	}
	if fitting := n.affordable(all); len(fitting) > 0 {
		return fitting
	}
	for _, platform := range silent {
		only(platform, ", where none were counted,")
	}
	for _, platform := range without(n.listens(k), slices.Concat(left, silent)) {
		only(platform, ", where nothing could be counted,")
	}
	if fitting := n.affordable(all); len(fitting) > 0 {
		return fitting[:1]
	}
	if names := s.inFull(); len(names) > 0 {
		such := " which write your name in full, such as “" + names[0] + "”."
		add("full", "With your full name", "Only posts"+such, names, nil)
		for _, platform := range n.listens(k) {
			title := titleOf(platform)
			add("full_"+platform, "With your full name, on "+title, "Only posts on "+title+such, names, []string{platform})
		}
	}
	if fitting := n.affordable(all); len(fitting) > 0 {
		return fitting[:1]
	}
	if len(all) == 0 {
		return nil
	}
	return []choice{slices.MinFunc(all, func(a, b choice) int { return cmp.Compare(a.monthly, b.monthly) })}
}

// affordable are the choices that the allowance has room for, those that bring most first.
func (n *narrowing) affordable(all []choice) []choice {
	fitting := slices.DeleteFunc(slices.Clone(all), func(c choice) bool { return c.monthly > n.allowance() })
	slices.SortStableFunc(fitting, func(a, b choice) int { return cmp.Compare(b.monthly, a.monthly) })
	return fitting[:min(len(fitting), choices)]
}

// listens are the platforms that a keyword listens on, as its proposal has them.
func (n *narrowing) listens(k proposal.Decision) []string {
	on := slices.Clone(n.p.Platforms.On)
	return slices.DeleteFunc(on, func(platform string) bool {
		return k.Platforms != nil && !slices.Contains(k.Platforms, platform)
	})
}

// sourcesOf are the platforms that speak of a keyword, the busiest first, and those where none were counted. Where no
// platform speaks of it, each that it listens on may.
func (n *narrowing) sourcesOf(s *study, k proposal.Decision) (speaking, silent []string) {
	listens := n.listens(k)
	for _, c := range busiest(n.Measured.Volumes[s.Ref].PerSource) {
		for _, platform := range listens {
			if !keyword.TakesSome([]string{platform}, c.Source) || slices.Contains(speaking, platform) ||
				slices.Contains(silent, platform) {
				continue
			}
			if c.Count > 0 {
				speaking = append(speaking, platform)
			} else {
				silent = append(silent, platform)
			}
		}
	}
	if len(speaking) == 0 {
		return listens, nil
	}
	return speaking, silent
}

func without(platforms, off []string) []string {
	return slices.DeleteFunc(slices.Clone(platforms), func(p string) bool { return slices.Contains(off, p) })
}

// domainOf is the company's domain where it can stand beside a keyword; else it is empty.
func (r *Studied) domainOf(s *study) string {
	if terms := s.anchoring([]string{r.Domain}); s.brand && len(terms) == 1 && s.Text != r.Domain {
		return terms[0]
	}
	return ""
}

// optionVolume is what a keyword brings with an option in place of its own scoping. Posts that have to write out the
// domain are no more than those that were counted of the domain. The name in full is written by those who mean the
// company, as a distinctive name is.
func (r *reading) optionVolume(k proposal.Decision, o proposal.OptionDecision) proposal.Volume {
	s, other := r.of(k.Ref), k
	other.AdditionalTerms = o.AdditionalTerms
	if len(o.AdditionalTerms) > 0 && other.Route == proposal.Bare {
		other.Route = proposal.Anchored
	}
	if o.Platforms != nil {
		other.Platforms = o.Platforms
	}
	v := r.scopedVolume(s, other, s.keeps(asKeyword(s.Candidate, other))[0])
	if o.Platforms == nil && sameTerms(o.AdditionalTerms, k.AdditionalTerms) {
		return v // the keyword as it is proposed
	}
	v = r.spread(v, other.Platforms)
	bounded := func(by proposal.Volume) {
		by = r.spread(by, other.Platforms)
		v.Low, v.High = min(v.Low, by.Low), min(v.High, by.High)
	}
	if len(o.AdditionalTerms) == 1 && o.AdditionalTerms[0] == r.domainOf(s) {
		bound := measure.Prior(proposal.ClassDomain)
		if d := r.domain(); d != nil {
			bound = r.scopedVolume(d, proposal.Decision{Platforms: other.Platforms}, newSet(len(d.posts)))
		}
		bounded(bound)
	}
	if len(o.AdditionalTerms) > 0 && slices.Equal(o.AdditionalTerms, s.inFull()) {
		bounded(measure.Prior(proposal.ClassDistinctive))
	}
	return v
}

// spread is a volume on some platforms. An estimate is of all platforms that can be searched, whatever the plan allows,
// and is spread over them alike. What was counted is of these platforms already.
func (r *Studied) spread(v proposal.Volume, platforms []string) proposal.Volume {
	if v.Basis != proposal.BasisPrior || platforms == nil {
		return v
	}
	searched := slices.DeleteFunc(slices.Clone(keyword.Platforms()), r.closed)
	part := min(1, float64(len(platforms))/float64(max(len(searched), 1)))
	v.Low, v.High = v.Low*part, v.High*part
	return v
}

// domain is the candidate that is the company's domain.
func (r *Studied) domain() *study {
	for i := range r.studies {
		if s := &r.studies[i]; s.Tag == keyword.OwnBrand && s.Route == proposal.DomainVariant &&
			fold(s.Text) == fold(r.Domain) {
			return s
		}
	}
	return nil
}

// titleOf is a platform as people call it.
func titleOf(platform string) string {
	if known, ok := catalogue.Find(platform); ok {
		return known.Title
	}
	return platform
}

// titlesOf are sources as people call them, at most so many by name.
func titlesOf(sources []string, most int) string {
	var said []string
	for _, source := range sources {
		if title := titleOf(source); !slices.Contains(said, title) {
			said = append(said, title)
		}
	}
	if more := len(said) - most; more > 0 {
		said = append(said[:most], fmt.Sprintf("%d more", more))
	}
	if len(said) < 2 {
		return strings.Join(said, "")
	}
	return strings.Join(said[:len(said)-1], ", ") + " and " + said[len(said)-1]
}
