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
	Sum       int64     // of filter.Row.Sum of its mentions, those that are in Summed
	Summed    int64     // mentions in Sum: fewer than Mentions if some were counted before cells had sums
	Changed   bool      // whether it changed since cells have sums
}

// A Summary is a stored list of a day's mentions, without their texts. Its content is as package analytics has it.
type Summary struct {
	Day     time.Time // its start, in UTC
	Stamp   []byte    // says which state of the day's cells the content is of
	Content []byte
}

// DayVersions tells states of days' cells apart.
type DayVersions struct {
	Of      map[time.Time]int64 // by the start of the day in UTC; it grows with each change of a cell of the day, from 0
	Kept    map[time.Time]int64 // by day: how many of these changes kept the texts of mentions that were there
	Settled time.Time           // days before it are worth a digest
}

// Texts numbers the changes of the texts of a day: mentions that came, and texts that changed.
func (v DayVersions) Texts(day time.Time) int64 { return v.Of[day] - v.Kept[day] }

// A Digest holds the cells of a workspace or of one keyword on a few days. Its content is as package analytics has it.
type Digest struct {
	Day     time.Time // the start of its first day, in UTC
	Content []byte
}
