package compose

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/source/catalogue"
)

// maxNamed is how many characters of a name or a term a sentence bears.
const maxNamed = 40

// quoted is a name in quotation marks when a sentence bears it: one that is long, or that has the signs which end sentences, is described.
func quoted(name, else_ string) string {
	if utf8.RuneCountInString(name) > maxNamed || strings.ContainsAny(name, "!?;\"“”\n") || strings.Contains(name, ". ") || strings.HasSuffix(name, ".") {
		return else_
	}
	return "“" + name + "”"
}

// some are a few of the terms, as they are spoken of.
func some(terms []string) string {
	var few []string
	for _, term := range terms {
		if said := quoted(term, ""); said != "" && len(few) < 3 {
			few = append(few, said)
		}
	}
	switch len(few) {
	case 0:
		return ""
	case 1:
		return " such as " + few[0]
	}
	return " such as " + strings.Join(few[:len(few)-1], ", ") + " and " + few[len(few)-1]
}

// figures is a range in whole posts.
func figures(low, high float64) string {
	return fmt.Sprintf("%s to %s posts", whole(math.Floor(low)), whole(math.Ceil(high)))
}

// whole writes a number with its thousands set apart.
func whole(x float64) string {
	digits := fmt.Sprintf("%.0f", x)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// explain says in three sentences at most what a keyword brings, how much of it, and whether it is selected (rule W1).
func (r *reading) explain(p *plan) string {
	sentences := []string{p.what()}
	sentences = append(sentences, r.howMuch(p.built))
	if last := r.choice(p); last != "" {
		sentences = append(sentences, last)
	}
	return strings.Join(sentences, " ")
}

// what says which posts the keyword brings.
func (p *plan) what() string {
	name := quoted(p.Text, "this name")
	switch {
	case p.Route == proposal.Anchored && p.common:
		return fmt.Sprintf("You get posts with %s only when they also say one of %d words%s, since people use it for other things as well.",
			name, len(p.AdditionalTerms), some(p.AdditionalTerms))
	case p.Route == proposal.Anchored:
		return fmt.Sprintf("You get posts with %s only when they also say one of %d words%s, since all of them would be more than you can read.",
			name, len(p.AdditionalTerms), some(p.AdditionalTerms))
	case p.Route == proposal.DomainVariant:
		return "You get posts that link to " + quoted(p.Text, "this domain") + " or write it out."
	case p.Route == proposal.HandleVariant:
		return "You get posts that mention the account " + quoted(p.Text, "with this handle") + "."
	case p.Route == proposal.BrandCopy:
		return "You also get posts that write the name as " + quoted(p.Text, "people often do") + "."
	case p.Tag == keyword.Competitor:
		return "You see what people say of your competitor " + quoted(p.Text, "of this name") + "."
	case p.Tag == keyword.IndustryTerm:
		return "You follow what people say of " + quoted(p.Text, "this subject") + ", where your customers are."
	}
	switch {
	case p.enough() && p.rate() < proposal.ConfirmBelow:
		return "You get every post with " + name + ", since too few were read to say that it means other things."
	case p.enough() && p.rate() < hardlyElse:
		return "You get every post with " + name + ", since at least half of such posts are about you."
	}
	return "You get every post with " + name + ", since the name hardly means anything else."
}

// hardlyElse is the share of a sample that has to be relevant for a name to be said to mean hardly anything else.
const hardlyElse = 0.9

// howMuch says what was measured.
func (r *reading) howMuch(b *built) string {
	monthly := figures(b.Volume.Low, b.Volume.High)
	if b.Volume.Basis == proposal.BasisPrior {
		if b.measured {
			return "How much your settings leave of it could not be measured, so your estimate of " + monthly + " a month comes from the kind of name alone."
		}
		return "Nothing could be counted, so your estimate of " + monthly + " a month comes from the kind of name alone."
	}
	kept, relevant := b.kept.count(), b.kept.both(b.relevant)
	if kept == 0 {
		return "You can expect " + monthly + " a month."
	}
	return fmt.Sprintf("You can expect %s a month, and %d of %d sampled ones %s relevant.", monthly, relevant, kept, verb(relevant, "was", "were"))
}

// choice says why a keyword is not selected, or what else it leaves out.
func (r *reading) choice(p *plan) string {
	switch {
	case p.why == tracked && p.SelectedByDefault:
		return "You track it already: what you have stays as it is."
	case p.why == full && p.SelectedByDefault:
		return "Your plan has no room for it: make room before you apply it."
	}
	switch p.why {
	case unconfirmed:
		return "It is not selected until you confirm that the account is yours, because your site does not link it."
	case tracked:
		if !r.tracked(p.Text) {
			return "It is not selected, because what you track already brings its posts."
		}
		return "It is not selected, because you track it already."
	case noisy:
		return "It is not selected, because most of what you would get is about something else."
	case unsplit:
		return "It is not selected, because it would bring more than you can read and no words narrow it."
	case full:
		if r.Plan.Keywords <= 0 {
			return "It is not selected, because your plan has no room for another keyword."
		}
		return fmt.Sprintf("It is not selected, because your plan has room for %d more and others come first.", r.Plan.Keywords)
	case deaf:
		return "It is not selected, because none of the platforms that it is for is on in your plan."
	case dropped:
		return "It is not selected, so that the total fits your allowance."
	}
	if p.parted {
		return "The busiest sources are left out, because you would get more than you can read."
	}
	var left []string
	if n := len(p.ExcludeWords); n > 0 {
		left = append(left, fmt.Sprintf("%d %s of the noise", n, plural(n, "word")))
	}
	if n := len(p.Decision.ExcludeAuthors); n > 0 {
		left = append(left, fmt.Sprintf("%d %s", n, plural(n, "author")))
	}
	if len(left) == 0 {
		return ""
	}
	said := "Posts with " + strings.Join(left, " and posts by ")
	if len(p.ExcludeWords) == 0 {
		said = "Posts by " + left[0]
	}
	if p.Tag == keyword.OwnBrand {
		return said + " can be left out once you have seen what comes in."
	}
	return said + " are left out for you."
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// verb is the form of a verb for so many.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// ruleReasons are what the rules say of a keyword; at least one.
func (r *reading) ruleReasons(p *plan) []proposal.Reason {
	var reasons []proposal.Reason
	add := func(id, format string, args ...any) {
		reasons = append(reasons, proposal.Reason{Basis: proposal.ByRule, Ref: id, Text: fmt.Sprintf(format, args...)})
	}
	name := quoted(p.Text, "The name")
	switch {
	case p.Route == proposal.Anchored && p.confirmed:
		add("K2", "%s is anchored: only %d of %d sampled posts with it alone %s relevant.", name, p.relevant.count(), len(p.posts), verb(p.relevant.count(), "is", "are"))
	case p.Route == proposal.Anchored && p.common && words(p.Text) == 1 && candidate.Common(p.Text):
		add("K2", "%s is anchored: it is a common word.", name)
	case p.Route == proposal.Anchored && p.common:
		add("K2", "%s is anchored: it is made of common words.", name)
	case p.Route == proposal.Anchored:
		add("V2", "%s is anchored: by itself it brings more than %s posts a month.", name, whole(proposal.TopEnd))
	case p.cleared():
		add("K2", "%s is a word too, and yet tracked by itself: %d of %d sampled posts with it are relevant.", name, p.relevant.count(), len(p.posts))
	}
	switch {
	case p.Tag == keyword.OwnBrand && p.why == selected:
		add("K1", "The company's own brand is always tracked.")
	case p.Tag == keyword.IndustryTerm && words(p.Text) > 1:
		add("K7", "%s is specific: it has %d words.", name, words(p.Text))
	case p.Tag == keyword.IndustryTerm:
		add("K7", "%s is specific: %d of %d sampled posts are relevant.", name, p.relevant.count(), len(p.posts))
	}
	if len(p.ExcludeWords)+len(p.Decision.ExcludeAuthors) > 0 {
		add("X1", "What is excluded takes away noise and no relevant post of the sample.")
	}
	switch {
	case p.parted:
		add("V2", "It is split by its sources: the busiest are left out, since it would bring more than %s posts a month.", whole(proposal.TopEnd))
	case p.Decision.Platforms != nil && p.Candidate.Platforms == nil:
		add("P1", "Platforms where the sample is mostly noise are left out.")
	}
	switch p.why {
	case unconfirmed:
		add("K4", "The site does not link this handle, so it waits to be confirmed.")
	case tracked:
		if !r.tracked(p.Text) {
			add("K3", "A keyword that the workspace tracks brings its posts already.")
			break
		}
		add("K3", "The workspace tracks this text already.")
	case unsplit:
		add("V2", "It brings more than %s posts a month and nothing narrows it.", whole(proposal.TopEnd))
	case noisy, deaf:
		add("P1", "What it would bring is mostly noise, or on platforms that are off.")
	case full:
		add("T1", "The plan has no room for more keywords.")
	case dropped:
		add("T2", "It is left for later so that the total fits the allowance.")
	}
	if len(reasons) == 0 {
		add("K3", "%s brings posts that no other keyword of the proposal brings.", name)
	}
	return reasons
}

// both are the reasons that a candidate came with and those of its decision, each rule once: the candidate's sentence, which is of this
// name, but for K2, of which the decision has the figures. What the candidate said of the route that its name has by itself is left out
// where the sample decided otherwise.
func both(candidate, decided []proposal.Reason, anchored bool) []proposal.Reason {
	candidate = slices.DeleteFunc(slices.Clone(candidate), func(r proposal.Reason) bool {
		return anchored && r.Basis == proposal.ByGuide && r.Ref == guideRoutes || !anchored && r.Basis == proposal.ByRule && r.Ref == "K2"
	})
	names := func(all []proposal.Reason, r proposal.Reason) bool {
		return slices.ContainsFunc(all, func(other proposal.Reason) bool { return other.Basis == r.Basis && other.Ref == r.Ref })
	}
	candidate = slices.DeleteFunc(candidate, func(r proposal.Reason) bool { return r.Ref == "K2" && names(decided, r) })
	decided = slices.DeleteFunc(slices.Clone(decided), func(r proposal.Reason) bool { return names(candidate, r) })
	return append(candidate, decided...)
}

// guideRoutes is what a candidate's reason refers to that says why its name can be tracked by itself.
const guideRoutes = "routes"

// The names of measurements that reasons refer to.
const (
	refCount  = "count"
	refSample = "sample"
	refScope  = "scope"
)

// measuredReasons quote what was counted, what the sample showed, and what the scoping keeps of it.
func (r *reading) measuredReasons(b *built) []proposal.Reason {
	reasons := []proposal.Reason{}
	add := func(ref, format string, args ...any) {
		reasons = append(reasons, proposal.Reason{Basis: proposal.ByMeasurement, Ref: ref, Text: fmt.Sprintf(format, args...)})
	}
	name := quoted(b.Keyword.Keyword, "The name")
	if counted := b.study.volume; b.measured && len(counted.PerSource) > 0 {
		add(refCount, "%s alone: %s, which is %s a month.", name, countsOf(counted.PerSource), figures(counted.Low, counted.High))
	} else if b.measured {
		add(refCount, "%s alone: %s a month.", name, figures(counted.Low, counted.High))
	}
	all, relevant := len(b.posts), b.relevant.count()
	if all == 0 {
		return reasons
	}
	older := ""
	if b.measured && looksBack(b.study.volume, all) {
		older = " of the past year"
	}
	add(refSample, "%s alone: %d of %d sampled posts%s %s relevant (%.0f%%).", name, relevant, all, older, verb(relevant, "is", "are"),
		100*float64(relevant)/float64(all))
	if kept, good := b.kept.count(), b.kept.both(b.relevant); kept < all {
		add(refScope, "As it is scoped it keeps %d of the %d relevant posts and %d of the %d others.", good, relevant, kept-good, all-relevant)
	}
	return reasons
}

// looksBack says whether a sample has more posts than were counted, so that some are from before (proposal.LookBack).
func looksBack(counted proposal.Volume, posts int) bool {
	sum := 0.0
	for _, c := range counted.PerSource {
		if c.Open || c.Window.Days() < 30 {
			return false
		}
		sum += c.Count
	}
	return len(counted.PerSource) > 0 && float64(posts) > sum
}

// countsOf names the counts of the sources that had most.
func countsOf(counts []proposal.SourceCount) string {
	const named = 3
	counted := slices.DeleteFunc(slices.Clone(counts), func(c proposal.SourceCount) bool { return c.Count == 0 })
	if len(counted) == 0 {
		return fmt.Sprintf("nothing in %s on %d %s", span(counts[0].Window), len(counts), plural(len(counts), "source"))
	}
	slices.SortStableFunc(counted, func(a, b proposal.SourceCount) int {
		return cmp.Or(cmp.Compare(b.Count/b.Window.Days(), a.Count/a.Window.Days()), cmp.Compare(a.Source, b.Source))
	})
	var said []string
	for _, c := range counted[:min(len(counted), named)] {
		title := c.Source
		if known, ok := catalogue.Find(c.Source); ok {
			title = known.Title
		}
		more := ""
		if c.Open {
			more = "at least "
		}
		said = append(said, fmt.Sprintf("%s%s in %s on %s", more, whole(c.Count), span(c.Window), title))
	}
	if rest := len(counted) - len(said); rest > 0 {
		said = append(said, fmt.Sprintf("fewer on %d more %s", rest, plural(rest, "source")))
	}
	if silent := len(counts) - len(counted); silent > 0 {
		said = append(said, fmt.Sprintf("nothing on %d %s", silent, plural(silent, "other")))
	}
	return strings.Join(said, ", ")
}

// span is a window in words.
func span(w proposal.Window) string {
	if w.Days() == 1 {
		return "a day"
	}
	return fmt.Sprintf("%.0f days", w.Days())
}
