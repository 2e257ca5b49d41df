package notice

import (
	"cmp"

	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/summary"
)

// Content is what a message tells people, whatever carries it: a mail, or a message in a chat. Every text but Says and the
// names of figures may be a stranger's. A renderer escapes and cuts each for its place.
type Content struct {
	Says     string   // the message in a sentence, in Earshot's own words, such as: 3 new mentions in “Launch”
	Headline string   // what a subject adds, a line; empty for nothing
	Figures  []Figure // what is counted, in the order of their weight
	Themes   []Theme  // what the mentions say; none for nothing
	Groups   []Group  // the mentions that are quoted
	More     int      // mentions that Says counts and that no group quotes

	Unsubscribe string // the address that ends a mail's reader's subscription, http or https; empty for none
}

// A Theme is what several mentions speak of. All its texts may be strangers'.
type Theme struct {
	Title     string
	Sentences []string
}

// ThemesOf returns the themes of a summary; none for nil.
func ThemesOf(s *summary.Summary) (themes []Theme) {
	if s == nil {
		return nil
	}
	for _, t := range s.Themes {
		one := Theme{Title: t.Title}
		for _, sentence := range t.Sentences {
			one.Sentences = append(one.Sentences, sentence.Text)
		}
		if len(one.Sentences) > 0 {
			themes = append(themes, one)
		}
	}
	return themes
}

// said returns the themes with clean texts that are cut.
func (c Content) said() (themes []Theme) {
	for _, t := range c.Themes[:min(len(c.Themes), summary.MaxThemes)] {
		one := Theme{Title: cmp.Or(line(t.Title, maxQuotedLine), "Untitled")}
		for _, sentence := range t.Sentences[:min(len(t.Sentences), summary.MaxSentences)] {
			if clean := line(sentence, summary.MaxSentence); clean != "" {
				one.Sentences = append(one.Sentences, clean)
			}
		}
		if len(one.Sentences) > 0 {
			themes = append(themes, one)
		}
	}
	return themes
}

// saidHeading is above the themes.
const saidHeading = "What was said"

// A Figure is a number of a message, ready to be read: {"Mentions", "120", "+14 % against the week before"}.
type Figure struct {
	Name  string
	Value string
	Note  string // a short remark; empty for none
}

// A Group is mentions under one heading.
type Group struct {
	Name     string // a keyword's text, or another heading; empty for none
	Total    int    // mentions of the group with those that are not quoted; 0 is as many as are quoted
	Mentions []mention.Mention
}

// quotedOf returns how many mentions the groups quote.
func (c Content) quotedOf() (n int) {
	for _, g := range c.Groups {
		n += len(g.Mentions)
	}
	return n
}

// quote cuts each mention to its share of most characters.
func (c Content) quote(most int) (groups []quotedGroup) {
	share := most / max(1, c.quotedOf())
	for _, g := range c.Groups {
		q := quotedGroup{Name: line(g.Name, maxQuotedLine), Total: max(g.Total, len(g.Mentions))}
		for _, m := range g.Mentions {
			q.Mentions = append(q.Mentions, quote(feed.Notification{}, m, share))
		}
		groups = append(groups, q)
	}
	return groups
}

// quotedGroup is a group whose texts are cut.
type quotedGroup struct {
	Name     string
	Total    int
	Mentions []quoted
}
