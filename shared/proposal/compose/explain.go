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
)

// maxNamed is how many characters of a name or a term a sentence bears.
const maxNamed = 40

// quoted is a name in quotation marks when a sentence bears it: one that is long, or that has the signs which end
// sentences, is described.
func quoted(name, else_ string) string {
	if utf8.RuneCountInString(name) > maxNamed || strings.ContainsAny(name, "!?;\"“”\n") ||
		strings.Contains(name, ". ") ||
		strings.HasSuffix(name, ".") {
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

// figures is a range of posts, with the ends that the proposal has (tidied).
func figures(v proposal.Volume) string { return whole(v.Low) + " to " + whole(v.High) + " posts" }

// posts is a number of posts.
func posts(n float64) string {
	said := whole(n)
	return said + " " + plural(map[bool]int{true: 1}[said == "1"], "post")
}

// whole writes a number, rounded, with its thousands set apart.
func whole(x float64) string {
	digits := fmt.Sprintf("%.0f", math.Round(x))
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

// what says which posts the keyword brings, and on which platforms where those are not all. It never says that it brings
// every post: sources are off, cannot be searched or fail.
func (p *plan) what() string {
	name, where := quoted(p.Text, "this name"), p.where()
	switch {
	case p.Route == proposal.Anchored && p.common:
		since := "people use it for other things as well"
		if !p.confirmed && p.madeOfWords() {
			since = "it is made of common words"
		}
		return fmt.Sprintf(
			"You get posts with %s%s only when they also say one of %d words%s, since %s.",
			name, where, len(p.AdditionalTerms), some(p.AdditionalTerms), since,
		)
	case p.Route == proposal.Anchored:
		return fmt.Sprintf(
			"You get posts with %s%s only when they also say one of %d words%s, since all of them would be more than you can read.",
			name,
			where,
			len(p.AdditionalTerms),
			some(p.AdditionalTerms),
		)
	case p.Route == proposal.DomainVariant:
		return "You get posts" + where + " that link to " + quoted(p.Text, "this domain") + " or write it out."
	case p.Route == proposal.HandleVariant:
		return "You get posts" + where + " that mention the account " + quoted(p.Text, "with this handle") + "."
	case p.Route == proposal.BrandCopy:
		return "You also get posts" + where + " that write the name as " + quoted(p.Text, "people often do") + "."
	case p.Tag == keyword.Competitor:
		return "You see what people say" + where + " of your competitor " + quoted(p.Text, "of this name") + "."
	case p.Tag == keyword.IndustryTerm:
		return "You follow what people say" + where + " of " + quoted(p.Text, "this subject") + ", where your customers are."
	}
	switch {
	case p.cased():
		return "You get posts that write " + name + where +
			" with its capital, since people use the word for other things as well."
	case p.enough() && p.rate() < proposal.ConfirmBelow:
		return "You get posts with " + name + where + ", since too few were read to say that it means other things."
	case p.enough() && (p.rate() < hardlyElse || p.cleared()):
		return "You get posts with " + name + where + ", since at least half of such posts are about you."
	case len(p.posts) == 0:
		return "You get posts with " + name + where + ", since no list of words has the name."
	}
	if small := p.small(); small >= proposal.SampleEnough && float64(small) >= asWord*float64(len(p.posts)) {
		return fmt.Sprintf(
			"You get posts with %s%s, of which %d of %d sampled ones write it small, as a word: check what you get.",
			name, where, small, len(p.posts),
		)
	}
	return "You get posts with " + name + where + ", since the name hardly means anything else."
}

// where names the platforms that a keyword is narrowed to.
func (p *plan) where() string {
	const named = 3
	switch n := len(p.Decision.Platforms); {
	case n == 0:
		return ""
	case n <= named:
		return " on " + titlesOf(p.Decision.Platforms, named)
	default:
		return fmt.Sprintf(" on %d platforms", n)
	}
}

// hardlyElse is the share of a sample that has to be relevant for a name to be said to mean hardly anything else.
const hardlyElse = 0.9

// asWord is the share of a sample that writes a name small from which the name may be a word that no list has.
const asWord = 0.25

// small counts the sampled posts that have capitals and write a name without its own. It is 0 for a name that has none.
func (s *study) small() (n int) {
	name := strings.TrimSpace(s.Text)
	lower := strings.ToLower(name)
	if lower == name {
		return 0
	}
	for _, p := range s.posts {
		said := p.Title + " " + p.Body
		if strings.ToLower(said) != said && strings.Contains(said, lower) && !strings.Contains(said, name) {
			n++
		}
	}
	return n
}

// howMuch says what was measured, and names the sources that failed: what they bring is not known, not nothing.
func (r *reading) howMuch(b *built) string {
	const named = 3
	monthly, unmeasured := figures(b.Volume), ""
	if failed := b.Volume.UnverifiedSources; len(failed) > 0 {
		unmeasured = "; " + titlesOf(failed, named) + " could not be measured"
	}
	if b.Volume.Basis == proposal.BasisPrior {
		if b.measured {
			return "How much your settings leave of it could not be measured, so your estimate of " + monthly +
				" a month comes from the kind of name alone" + unmeasured + "."
		}
		return "Nothing could be counted, so your estimate of " + monthly +
			" a month comes from the kind of name alone" + unmeasured + "."
	}
	kept, relevant := b.kept.count(), b.kept.both(b.relevant)
	if kept == 0 {
		return "You can expect " + monthly + " a month" + unmeasured + "."
	}
	older := ""
	if b.measured && looksBack(b.study.volume, b.posts) { // so that there may be more of them than posts a month
		older = " from the past year"
	}
	return fmt.Sprintf(
		"You can expect %s a month, and %d of %d sampled ones%s %s relevant%s.", monthly, relevant, kept, older,
		verb(relevant, "was", "were"), unmeasured,
	)
}

// choice says why a keyword is not selected, or what else it leaves out.
func (r *reading) choice(p *plan) string {
	switch {
	case p.why == tracked && p.SelectedByDefault:
		return "You track it already: what you have stays as it is."
	case p.brand && p.SelectedByDefault && !r.fits(p.built.Volume):
		return fmt.Sprintf(
			"Choose how to narrow it before you apply it, since your plan has room for %s a month.", posts(r.allowance()),
		)
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
		return fmt.Sprintf(
			"It is not selected, because your plan has room for %d more and others come first.", r.Plan.Keywords,
		)
	case deaf:
		return "It is not selected, because none of the platforms that it is for is on in your plan."
	case dear:
		return fmt.Sprintf(
			"It is not selected, because with it you would get more than your plan's %s a month.", posts(r.allowance()),
		)
	case dropped:
		return "It is not selected, so that the total fits your allowance."
	}
	switch {
	case p.unproven && len(p.AdditionalTerms) > 0:
		return "No sampled post of yours proves these words yet, so check what you get."
	case p.brand && p.SelectedByDefault && p.built.Volume.Band == proposal.BandTopEnd && p.Route != proposal.Anchored:
		return "That is a lot to read, and your plan has room for all of it."
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

// looksBack reports whether some sampled posts are older than the counted period (proposal.LookBack): the sources that
// were counted gave the sample more posts than they counted. A source that failed to count may still give posts.
func looksBack(counted proposal.Volume, sampled []proposal.SampledPost) bool {
	sum, posts := 0.0, 0
	for _, c := range counted.PerSource {
		if c.Open || c.Window.Days() < 30 {
			return false
		}
		sum += c.Count
		for _, p := range sampled {
			if p.Source == c.Source {
				posts++
			}
		}
	}
	return float64(posts) > sum
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
		title := titleOf(c.Source)
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
		said = append(said, fmt.Sprintf("nothing on %d other %s", silent, plural(silent, "source")))
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
