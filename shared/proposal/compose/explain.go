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
	"earshot/shared/source/catalogue"
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
		return fmt.Sprintf(
			"You get posts with %s only when they also say one of %d words%s, since people use it for other things as well.",
			name, len(p.AdditionalTerms), some(p.AdditionalTerms),
		)
	case p.Route == proposal.Anchored:
		return fmt.Sprintf(
			"You get posts with %s only when they also say one of %d words%s, since all of them would be more than you can read.",
			name, len(p.AdditionalTerms), some(p.AdditionalTerms),
		)
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
	return fmt.Sprintf(
		"You can expect %s a month, and %d of %d sampled ones %s relevant.", monthly, relevant, kept,
		verb(relevant, "was", "were"),
	)
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
		return fmt.Sprintf(
			"It is not selected, because your plan has room for %d more and others come first.", r.Plan.Keywords,
		)
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
