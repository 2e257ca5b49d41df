package relevance

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxComment bounds a comment, in characters.
const MaxComment = 200

// Comment says in one sentence what decided. It quotes the workspace's own terms and single words that the space has,
// never the post's text.
func (o Opinion) Comment() string {
	subject, name := o.subject, Clean(o.subject.keyword, 40)
	relevant := o.LogOdds > 0
	switch {
	case relevant && o.links:
		return "It links to " + Clean(subject.domain, 60) + "."
	case relevant && o.wanted != nil:
		return quoted(name) + " stands with " + quoted(o.wanted.name()) + ", one of your products."
	case !relevant && o.unwanted != nil:
		return quoted(name) + " stands with " + quoted(o.unwanted.name()) + ", one of your exclude terms."
	case relevant && o.account != "" && !o.decidedByLabels():
		return "It is addressed to " + quoted("@"+Clean(o.account, 40)) + ", an account that you listen for."
	case !o.English:
		return o.byName(name, relevant)
	case o.decidedByLabels():
		if relevant {
			return "Posts like this one were marked as relevant by your team."
		}
		return "Posts like this one were marked as not relevant by your team."
	case !subject.profiled && len(subject.excludes) == 0 && subject.distinctive:
		return quoted(name) + " is a distinctive name; there is no company profile yet to compare the post with."
	case !relevant && o.naming < 0 && o.LogOdds-o.naming > 0:
		return quoted(name) + " is written here as an ordinary word, or as a part of another name."
	case !subject.profiled && len(subject.excludes) == 0 && relevant && o.naming > 0:
		return quoted(name) + " is written as a name; there is no company profile yet to compare the post with."
	case !subject.profiled && len(subject.excludes) == 0:
		return quoted(name) + " is a common word, and there is no company profile yet to tell which meaning is yours."
	}
	return o.byMeaning(name, relevant)
}

// byName returns the comment on a post in another language than English, whose words have no meaning in the space.
func (o Opinion) byName(name string, relevant bool) string {
	switch {
	case o.distinctive:
		return quoted(name) + " is a distinctive name; the post is not in English, so the name alone decided."
	case relevant && o.shared > 0:
		return quoted(name) + " stands near words of your profile; the post is not in English."
	case relevant && o.told > 0:
		return quoted(name) + " stands near words that people use of companies; the post is not in English."
	case relevant && o.naming > 0:
		return quoted(name) + " is written as a name; the post is not in English."
	case !relevant && o.naming < 0:
		return quoted(name) + " is written here as an ordinary word, or as a part of another name."
	case !relevant && o.person:
		return quoted(name) + " is a name of people or places too, and nothing near it speaks of your company."
	case !relevant:
		return quoted(name) + " is a word of the post's language, and nothing near it speaks of your company."
	}
	return quoted(name) + " is taken for a name in a post of another language."
}

// byMeaning returns the comment about the words around the keyword.
func (o Opinion) byMeaning(name string, relevant bool) string {
	wanted, unwanted := o.telling()
	switch {
	case relevant && o.meaning <= 0 && o.shared > 0:
		return quoted(name) + " stands near words of your profile."
	case relevant && o.meaning <= 0 && o.subject.distinctive:
		return quoted(name) + " is a distinctive name, though the post says little of what your profile describes."
	case relevant && o.meaning <= 0 && o.naming > 0:
		return quoted(name) + " is written as a name, though the post says little of what your profile describes."
	case relevant && len(o.context) == 0 && o.subject.distinctive:
		return quoted(name) + " is a distinctive name, with few words around it."
	case relevant && len(wanted) > 0 && o.meaning > 0:
		return quoted(name) + " stands near " + list(wanted) + ", which fits your profile."
	case relevant:
		return "What is said around " + quoted(name) + " does not speak against your profile."
	case len(unwanted) > 0:
		return quoted(name) + " stands near " + list(unwanted) + ", which points to another meaning."
	case len(o.context) == 0:
		return "There are too few words around " + quoted(name) + " to tell what is meant."
	}
	return "What is said around " + quoted(name) + " has little in common with your profile."
}

// decidedByLabels reports whether the labels reversed the opinion or make up most of it.
func (o Opinion) decidedByLabels() bool {
	rest := o.LogOdds - o.learned
	return o.learned != 0 && (rest > 0) != (o.LogOdds > 0) || max(o.learned, -o.learned) > 2*max(rest, -rest)
}

// telling returns up to three words each that spoke most for and most against, weightiest first.
func (o Opinion) telling() (wanted, unwanted []string) {
	const most, looked = 3, 64
	type spoke struct {
		word string
		by   float32
	}
	var all []spoke
	space := o.space
	for _, p := range o.context[:min(len(o.context), looked)] {
		rank := int(o.text.ranks[p.at])
		meaning := space.word(rank)
		meaning.unit()
		by := float32(0)
		if o.subject.profiled {
			by = profileShare*o.subject.profile.dot(&meaning) - background
		}
		other := float32(0)
		for i := range o.subject.excludes {
			other = max(other, o.subject.excludes[i].meaning.dot(&meaning))
		}
		if len(o.subject.excludes) > 0 && other > 0.3 {
			by -= other
		}
		word := space.table.Word(rank)
		if utf8.RuneCountInString(word) > 2 && !slices.ContainsFunc(all, func(s spoke) bool { return s.word == word }) {
			all = append(all, spoke{word, by * p.weight})
		}
	}
	slices.SortStableFunc(all, func(a, b spoke) int {
		switch x, y := max(a.by, -a.by), max(b.by, -b.by); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	const least = 0.04
	for _, s := range all {
		if s.by > least && len(wanted) < most {
			wanted = append(wanted, s.word)
		}
		if s.by < -least && len(unwanted) < most {
			unwanted = append(unwanted, s.word)
		}
	}
	return wanted, unwanted
}

func (l *literal) name() string { return Clean(strings.Join(l.phrase, " "), 40) }

func quoted(text string) string { return "“" + text + "”" }

func list(names []string) string {
	var out strings.Builder
	for i, name := range names {
		switch {
		case i > 0 && i == len(names)-1:
			out.WriteString(" and ")
		case i > 0:
			out.WriteString(", ")
		}
		out.WriteString(quoted(name))
	}
	return out.String()
}

// Clean makes a text fit for one line that people read. Invalid characters, controls, marks of direction and line
// breaks become spaces. Runs of spaces become one. The text is cut after most characters.
func Clean(text string, most int) string {
	var out strings.Builder
	space, count := false, 0
	for _, r := range text {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.IsSpace(r) ||
			unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) {
			space = true
			continue
		}
		if space && out.Len() > 0 {
			out.WriteByte(' ')
			count++
		}
		if space = false; count >= most {
			return strings.TrimRight(out.String(), " ") + "…"
		}
		out.WriteRune(r)
		count++
	}
	return out.String()
}
