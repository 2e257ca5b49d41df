package mention

import "time"

// A Volume counts mentions that share a day, a source, a sentiment, a score, a language and tags.
type Volume struct {
	Day       time.Time // its start, in UTC
	Source    string    // lowercase
	Sentiment Sentiment
	Score     *Score
	Language  string
	Tags      []Tag
	Mentions  int64
	Hours     [24]int64 // by hours of UTC
}
