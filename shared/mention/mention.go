// Package mention is the domain of mentions: posts that matched a workspace's keywords, with their judgements
// ("Mention" in the description). Strangers wrote its texts, which are stored unchanged: treat them as hostile.
//
// Functions, the stores, the judges and the packages below shared/web import it.
package mention

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A Mention is one post, as one workspace sees it. nil stands for what a platform does not have or was not captured.
type Mention struct {
	ID       int64  // unique in its workspace, 1 to MaxID
	SourceID string // <platform>_<kind>_<native id>, at most MaxSourceID bytes
	URL      string
	Title    *string
	Body     *string
	Source   string // the platform, lowercase; rows of old may be uppercase
	StoryID  string // story.OfMention as text; empty for a text of no story and in rows of old
	PostedAt time.Time
	EditedAt time.Time // when the author last changed the texts; zero: never, as far as known

	Author          *string // handle
	AuthorName      string  // when distinct from the handle
	AuthorAvatar    *string
	AuthorURL       *string
	AuthorFollowers *int64 // at collection time

	Relevant         bool   // the public classification; false until scored
	RelevanceScore   *Score // what it derives from, where it is known
	RelevanceComment string
	Sentiment        Sentiment // empty: not scored yet
	SentimentSet     bool      // a user set the sentiment, so that no judge changes it
	Language         string    // full lowercase English name
	Tags             []Tag
	Keywords         []Keyword // those that matched, the first first
	Engaged          bool      // marked by a member of the workspace
	IsReply          bool
	Review           *Review
	FeedbackRelevant *int        // 1 thumbs up, -1 thumbs down, 0 none: what Judgements come to
	Judgements       []Judgement // users', by keyword; at hand to who changes a mention, and to no one else
	JudgedScore      *Score      // what the judge gave, where a user has overruled it
	JudgedComment    string      // and its reason
	Vector           []byte      // what the judge read: kept to learn from users' feedback, at most MaxVector bytes
	ImageURL         string

	StoredAt  time.Time // when it was collected; zero for imported ones and in rows of old
	Announced []int64   // feeds that told their destinations of it

	Engagement           map[string]int64 // counters by the source's own names; what is not known is not there
	EngagementObservedAt time.Time
}

// Bounds of a mention.
const (
	MaxID       = 1<<53 - 1
	MaxSourceID = 1024 // bytes: a sort key's bound
	MaxKeywords = 22   // keywords of one mention: what one transaction can count, when all of them change too
	MaxVector   = 128  // bytes
	MaxLanguage = 64   // bytes
)

// Keyword is a keyword that a mention matched.
type Keyword struct {
	ID   int64
	Text string
}

// Review is what a review has beside a post.
type Review struct {
	Rating     float64
	RatingMax  float64
	Verified   *bool
	Response   string
	ResponseAt time.Time
	TargetName string
}

// Score is the relevance that the judge gives.
type Score int

// The scores.
const (
	High   Score = 0
	Medium Score = 1
	Low    Score = 2
)

// Relevant is the public classification of a score: high and medium are relevant, low is not.
func (s Score) Relevant() bool { return s < Low }

// Sentiment is the tone of a mention.
type Sentiment string

// The sentiments.
const (
	Positive Sentiment = "Positive"
	Neutral  Sentiment = "Neutral"
	Negative Sentiment = "Negative"
)

// Sentiments lists them.
func Sentiments() []Sentiment { return []Sentiment{Positive, Neutral, Negative} }

// Tag is a topic that the judge sees in a mention.
type Tag string

// Tags lists the topics of the description.
func Tags() []Tag {
	return []Tag{"buy_intent", "competitor_mention", "customer_testimonial", "promotional_post", "own_brand_mention",
		"industry_insights", "hiring", "event", "product_question", "pricing", "churn_intent", "launch_announcement",
		"bug_report", "user_feedback", "ai_generated"}
}

// Undetermined is the language of a text whose language could not be detected.
const Undetermined = "undetermined"

// timestampForm is the description's form of the time of a post: UTC, no zone.
const timestampForm = "2006-01-02 15:04:05.000"

// Timestamp writes a time as a mention's timestamp, cut to the millisecond.
func Timestamp(t time.Time) string { return t.UTC().Format(timestampForm) }

// ParseTimestamp reads a mention's timestamp, cut to the millisecond: the form that Timestamp writes, or RFC 3339.
func ParseTimestamp(text string) (time.Time, error) {
	t, err := ParseMoment(text)
	return t.Truncate(time.Millisecond), err
}

// ParseMoment reads the forms of ParseTimestamp in UTC, to the nanosecond. RFC 3339 allows its T and Z in small letters.
func ParseMoment(text string) (time.Time, error) {
	if t, err := time.Parse(timestampForm, text); err == nil && strict(text) {
		return t, nil
	}
	t, err := time.Parse(time.RFC3339Nano, capitals.Replace(text))
	if err != nil || !strict(text) {
		return time.Time{}, fmt.Errorf("mention: %q is neither YYYY-MM-DD HH:mm:ss.SSS nor RFC 3339", text)
	}
	return t.UTC(), nil
}

var capitals = strings.NewReplacer("t", "T", "z", "Z")

// strict reports whether a moment that time.Parse took is of a form to the letter. time.Parse also takes an hour of one
// digit, a comma before a fraction and a zone of 24 hours or 60 minutes (go.dev/issue/54580).
func strict(text string) bool {
	const seconds, zone = len("2006-01-02T15:04:05"), len("+07:00")
	if text[len("2006-01-02T15")] != ':' || text[seconds] == ',' {
		return false
	}
	offset := text[len(text)-zone:]
	return offset[0] != '+' && offset[0] != '-' || offset[1:3] < "24" && offset[4:] < "60"
}

// Check says what is wrong with a mention that is to be stored, naming the field as the wire does; nil when nothing is.
func (m Mention) Check() error {
	year := m.PostedAt.Year()
	switch {
	case m.ID < 1 || m.ID > MaxID:
		return fmt.Errorf("id: must be 1 to %d", int64(MaxID))
	case m.SourceID == "" || len(m.SourceID) > MaxSourceID:
		return fmt.Errorf("sourceId: must have 1 to %d bytes", MaxSourceID)
	case m.Source == "":
		return fmt.Errorf("source: is required")
	case year < 1970 || year > 9999:
		return fmt.Errorf("timestamp: must be in the years 1970 to 9999")
	case m.RelevanceScore != nil && (*m.RelevanceScore < High || *m.RelevanceScore > Low):
		return fmt.Errorf("relevanceScore: must be 0, 1 or 2")
	case m.RelevanceScore != nil && m.RelevanceScore.Relevant() != m.Relevant:
		return fmt.Errorf("relevance: must be relevant for the scores 0 and 1, and not_relevant for 2")
	case len(m.Keywords) > MaxKeywords:
		return fmt.Errorf("keywords: at most %d", MaxKeywords)
	case len(m.Language) > MaxLanguage:
		return fmt.Errorf("language: at most %d bytes", MaxLanguage)
	case m.Sentiment != "" && !slices.Contains(Sentiments(), m.Sentiment):
		return fmt.Errorf("sentiment: must be one of Positive, Neutral, Negative")
	}
	for _, tag := range m.Tags {
		if !slices.Contains(Tags(), tag) {
			return fmt.Errorf("tags: there is no tag %q", tag)
		}
	}
	for _, text := range []*string{&m.SourceID, &m.URL, m.Title, m.Body, m.Author, &m.AuthorName, &m.RelevanceComment} {
		if text != nil && !utf8.ValidString(*text) {
			return fmt.Errorf("the text is not valid UTF-8")
		}
	}
	return nil
}

// Announce notes feeds that tell their destinations of the mention. Each tells once.
func (m *Mention) Announce(feeds []int64) {
	told := slices.Clone(m.Announced)
	for _, id := range feeds {
		if !slices.Contains(told, id) {
			told = append(told, id)
		}
	}
	m.Announced = told
}

// freshFor is how long after its collection a mention that a feed begins to show is still news.
const freshFor = 24 * time.Hour

// Fresh reports whether a mention that a feed begins to show by a correction is news: for a day after its collection.
func (m *Mention) Fresh(now time.Time) bool {
	return !m.StoredAt.IsZero() && now.Sub(m.StoredAt) < freshFor
}
