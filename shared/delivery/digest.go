package delivery

import (
	"cmp"
	"slices"
	"time"

	"earshot/shared/mention"
)

// A Digest is what an endpoint is told of an interval.
type Digest struct {
	From, To    time.Time // the interval, without its end
	Part, Parts int       // which event of how many, from 1: a webhook's event lists a bounded number of mentions
	Figures     Figures
}

// Figures count the mentions of an interval.
type Figures struct {
	Mentions                    int
	Before                      *int // mentions of the interval before; nil if nothing is known of it
	Positive, Neutral, Negative int
	Keywords                    []KeywordFigure // by their mentions, the most first
}

// A KeywordFigure counts an interval's mentions of a keyword.
type KeywordFigure struct {
	ID       int64
	Text     string
	Mentions int
}

// MaxKeywordFigures is how many keywords figures name: those with the most mentions.
const MaxKeywordFigures = 20

// FiguresOf counts mentions. A mention of several keywords counts for each.
func FiguresOf(all []mention.Mention) Figures {
	f := Figures{Mentions: len(all)}
	byID := map[int64]*KeywordFigure{}
	for _, m := range all {
		switch m.Sentiment {
		case mention.Positive:
			f.Positive++
		case mention.Negative:
			f.Negative++
		case mention.Neutral:
			f.Neutral++
		}
		for _, k := range m.Keywords {
			if byID[k.ID] == nil {
				byID[k.ID] = &KeywordFigure{ID: k.ID, Text: k.Text}
			}
			byID[k.ID].Mentions++
		}
	}
	for _, k := range byID {
		f.Keywords = append(f.Keywords, *k)
	}
	slices.SortFunc(f.Keywords, func(a, b KeywordFigure) int {
		return cmp.Or(cmp.Compare(b.Mentions, a.Mentions), cmp.Compare(a.ID, b.ID))
	})
	f.Keywords = f.Keywords[:min(len(f.Keywords), MaxKeywordFigures)]
	return f
}
