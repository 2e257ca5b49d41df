package delivery

import "time"

// A Digest is what an endpoint is told of an interval.
type Digest struct {
	From, To    time.Time // the interval, without its end
	Part, Parts int       // which event of how many, from 1: a webhook's event lists a bounded number of mentions
	Figures     Figures
	SummaryID   string `json:",omitempty"` // of what its mentions say; empty for none
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
