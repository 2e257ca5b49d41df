package filter

import (
	"slices"

	"earshot/shared/mention"
)

// A Key names the subject of a condition. Its text is the key on the wire, without the ! that negates it.
type Key string

// The keys.
const (
	Source        Key = "source"
	Sentiment     Key = "sentiment"
	Keyword       Key = "keyword"
	Language      Key = "language"
	Tag           Key = "tag"
	Relevance     Key = "relevance"
	PostType      Key = "postType"
	ReviewRating  Key = "reviewRating"
	Engaged       Key = "engaged"
	Author        Key = "author"
	Text          Key = "text"
	Engagement    Key = "engagement"
	MinXFollowers Key = "minXFollowers"
	MaxXFollowers Key = "maxXFollowers"
)

// A Shape is the form of a key's value.
type Shape int

// The shapes.
const (
	Texts    Shape = iota // an array of strings, any of which may hold
	Numbers               // an array of whole numbers, any of which may hold
	Number                // a whole number
	Flag                  // a boolean
	Counters              // an array of {source, metric, value, operator?}, any of which may hold
)

// A Definition is the grammar of a key's value. The parser and the wire schema both derive from it.
type Definition struct {
	Key      Key
	Shape    Shape
	Values   []string // of Texts: the only values; nil for any
	Absent   string   // of Texts and Numbers: the value that stands for none; empty if there is no such value
	Min, Max int64    // of Numbers and Number: inclusive bounds; of Texts: characters of each
	Meaning  string   // for people
}

// Allowed lists the texts that an array of Values may hold, Absent included. It is empty if any text is allowed.
func (d Definition) Allowed() []string {
	if d.Values == nil || d.Absent == "" {
		return d.Values
	}
	return append(slices.Clone(d.Values), d.Absent)
}

// Bounds of values.
const (
	MaxValues = 100 // of an array
	MaxText   = 200 // characters of a text or an author
	MaxName   = 64  // characters of a source, a language, a tag or a metric
	// MaxJoined bounds the groups of a filter and the conditions of a group. It is far above MaxConditions, so that a
	// filter with too many conditions is not reported as malformed.
	MaxJoined = 1_000
)

// Operators lists how a counter is compared, the default first.
func Operators() []string { return []string{">=", "<=", "=", "equals"} }

// Definitions lists the grammar's keys.
func Definitions() []Definition { return slices.Clone(definitions) }

var definitions = []Definition{
	{Key: Source, Shape: Texts, Min: 1, Max: MaxName, Meaning: "The platform is one of these."},
	{
		Key:     Sentiment,
		Shape:   Texts,
		Values:  []string{"positive", "neutral", "negative"},
		Absent:  "unknown",
		Meaning: "The tone is one of these. A mention that was not judged yet has the tone `unknown`.",
	},
	{
		Key:     Keyword,
		Shape:   Numbers,
		Min:     1,
		Max:     mention.MaxID,
		Absent:  "none",
		Meaning: "The mention matched one of the keywords with these ids. `none` stands for a mention without a keyword.",
	},
	{
		Key:     Language,
		Shape:   Texts,
		Min:     1,
		Max:     MaxName,
		Meaning: "The language is one of these. Give full English names or ISO 639-1 codes.",
	},
	{
		Key:     Tag,
		Shape:   Texts,
		Values:  tags(),
		Absent:  "none",
		Meaning: "The mention has one of these topics. `none` stands for a mention without a topic.",
	},
	{
		Key:     Relevance,
		Shape:   Numbers,
		Min:     int64(mention.High),
		Max:     int64(mention.Low),
		Absent:  "none",
		Meaning: "The score is one of these: 0 high, 1 medium, 2 low. `none` stands for a mention without a score.",
	},
	{
		Key:     PostType,
		Shape:   Texts,
		Values:  []string{"top-level", "reply"},
		Meaning: "The mention is a top-level post or a reply.",
	},
	{
		Key:     ReviewRating,
		Shape:   Numbers,
		Min:     1,
		Max:     5,
		Meaning: "The mention is a review whose rating, rounded to whole stars, is one of these.",
	},
	{Key: Engaged, Shape: Flag, Meaning: "Whether a member of the workspace marked the mention as engaged with."},
	{Key: Author, Shape: Texts, Min: 1, Max: MaxText,
		Meaning: "The author has one of these handles. Handles compare without case and without a leading @."},
	{Key: Text, Shape: Texts, Min: 1, Max: MaxText,
		Meaning: "The title or body has one of these whole words or phrases, in any case."},
	{
		Key:     Engagement,
		Shape:   Counters,
		Meaning: "The mention's public counters meet one of these bounds. A missing counter meets none.",
	},
	{
		Key:     MinXFollowers,
		Shape:   Number,
		Min:     0,
		Max:     mention.MaxID,
		Meaning: "The mention is on X, and its author is known to have at least this many followers.",
	},
	{
		Key:     MaxXFollowers,
		Shape:   Number,
		Min:     0,
		Max:     mention.MaxID,
		Meaning: "The mention is on X, and its author is known to have at most this many followers.",
	},
}

func tags() (texts []string) {
	for _, tag := range mention.Tags() {
		texts = append(texts, string(tag))
	}
	return texts
}

// define returns the definition of a key.
func define(name string) (Definition, bool) {
	i := slices.IndexFunc(definitions, func(d Definition) bool { return string(d.Key) == name })
	if i < 0 {
		return Definition{}, false
	}
	return definitions[i], true
}

// A condition is a key with its value in the form of the evaluation: sources and authors folded, languages by their
// full names.
type condition struct {
	path     string // within the filter, as the client wrote it
	key      Key
	negated  bool
	texts    []string
	numbers  []int64 // also the single one of Number
	flag     bool
	absent   bool // also mentions that have no value, by the definition's Absent
	counters []counter
}

// A counter is the bound of an engagement counter.
type counter struct {
	source, metric string
	value          int64
	operator       string // one of ">=", "<=" and "="
}

func (c counter) holds(count int64) bool {
	switch c.operator {
	case ">=":
		return count >= c.value
	case "<=":
		return count <= c.value
	}
	return count == c.value
}
