// Package mentionwire holds the wire types of mentions: the JSON of a response, the rows of an exported file, and the
// parameters that select them. Texts are returned as their authors wrote them. Only a file for spreadsheets is made
// harmless.
//
// Functions that show or export mentions import it, filterwire, and the local program.
package mentionwire

import (
	"fmt"
	"regexp"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/mention"
	"earshot/shared/web"
)

// Mention is a mention on the wire: the description's record, with the names of the contract (section 1). Its texts are
// returned as their authors wrote them.
type Mention struct {
	ID       int64   `json:"id" minimum:"1" maximum:"9007199254740991" doc:"Numeric id, unique in the workspace. updateMention takes it as postId."`
	SourceID string  `json:"sourceId" minLength:"1" doc:"Stable key of the post on its platform: <platform>_<kind>_<native id>."`
	URL      string  `json:"url" doc:"Canonical URL of the original post."`
	Title    *string `json:"title" doc:"Title. Null if the platform has none."`
	Body     *string `json:"body" doc:"Text. May be empty or null."`
	Source   string  `json:"source" doc:"The platform, in lowercase. Old mentions may have it in uppercase."`
	// Timestamp has no zone suffix: UTC.
	Timestamp        string           `json:"timestamp" doc:"When the post was published, in UTC: YYYY-MM-DD HH:mm:ss.SSS." example:"2026-11-20 09:30:00.000"`
	Author           *string          `json:"author" doc:"The author's handle. Null if not captured."`
	AuthorName       string           `json:"authorName,omitempty" doc:"The author's display name, if it differs from the handle."`
	AuthorAvatar     *string          `json:"authorAvatar" doc:"URL of the author's picture. Null if not captured."`
	AuthorURL        *string          `json:"authorUrl" doc:"URL of the author's profile. Null if not captured."`
	AuthorFollowers  *int64           `json:"authorFollowers" doc:"Number of the author's followers at collection time. Null if unavailable."`
	Relevance        Relevance        `json:"relevance"`
	RelevanceComment string           `json:"relevanceComment,omitempty" doc:"Why the mention has this relevance, if available."`
	Sentiment        *Sentiment       `json:"sentiment" doc:"The tone. Null until the mention is scored."`
	Language         string           `json:"language" doc:"Full lowercase English name of the language. undetermined if detection fails." example:"english"`
	Tags             []Tag            `json:"tags" doc:"The mention's topics. A post can have several."`
	Keywords         []MentionKeyword `json:"keywords" doc:"The keywords that the post matched."`
	Engaged          bool             `json:"engaged" doc:"Whether a member of the workspace marked the mention as engaged with."`
	IsReply          bool             `json:"isReply" doc:"Whether the post is a detected reply or comment on a threaded platform."`
	Review           *MentionReview   `json:"review,omitempty" doc:"Present only for reviews."`
	RelevanceScore   *int64           `json:"relevanceScore,omitempty" minimum:"0" maximum:"2" doc:"0: high. 1: medium. 2: low. relevance derives from it."`
	FeedbackRelevant *int64           `json:"feedbackRelevant,omitempty" minimum:"-1" maximum:"1" doc:"Users' judgement. 1: thumbs up. -1: thumbs down. 0: none."`
	ImageURL         string           `json:"imageUrl,omitempty" doc:"URL of a preview image."`
	KeywordID        int64            `json:"keywordId,omitempty" doc:"Id of the first keyword that the post matched."`
	StoryID          *string          `json:"storyId" required:"false" doc:"Id of the story that the post tells. Posts on all platforms with the same text have the same id. Links, retweet heads and names of sites do not count. A title of five telling words or more stands for its post. Null if the text is so short that people write it by accident, and for a mention from before stories whose post has brought no news since."`
	StoryCount       int64            `json:"storyCount,omitempty" minimum:"1" doc:"Only with collapse: how many mentions of the story the list selects, this one included. Absent if counting would read too much."`

	EngagementMetrics    map[string]int64 `json:"engagementMetrics,omitzero" doc:"Latest public counters by the platform's own names, if requested. Unavailable counters are absent."`
	EngagementObservedAt string           `json:"engagementObservedAt,omitempty" format:"date-time" doc:"When the counters were last observed, if requested."`
}

// MentionKeyword is a keyword that a mention matched.
type MentionKeyword struct {
	ID      int64  `json:"id" minimum:"1" maximum:"9007199254740991"`
	Keyword string `json:"keyword"`
}

// MentionReview holds the fields of a review that other posts lack.
type MentionReview struct {
	Rating     float64 `json:"rating"`
	RatingMax  float64 `json:"ratingMax"`
	Verified   *bool   `json:"verified,omitempty"`
	Response   string  `json:"response,omitempty" doc:"The reviewed company's reply."`
	ResponseAt string  `json:"responseAt,omitempty" format:"date-time"`
	TargetName string  `json:"targetName,omitempty" doc:"Name of the reviewed product, place or company."`
}

// TransformSchema says what may be null. The fields are pointers and not web.Null, whose encoding takes a tenth of the
// time of a list.
func (Mention) TransformSchema(registry huma.Registry, s *huma.Schema) *huma.Schema {
	for _, text := range []string{"title", "body", "author", "authorAvatar", "authorUrl", "storyId"} {
		web.OrNull[string](registry, s, text)
	}
	web.OrNull[int64](registry, s, "authorFollowers")
	web.OrNull[Sentiment](registry, s, "sentiment")
	return s
}

// Timestamp is a mention's timestamp in a request: in the mention's own form or in RFC 3339.
type Timestamp string

// Schema describes both forms. It cannot reject 30 February.
func (Timestamp) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:               huma.TypeString,
		Description:        "The mention's timestamp, in its own form or in RFC 3339.",
		Examples:           []any{"2026-11-20 09:30:00.000"},
		Pattern:            timestampPattern,
		PatternDescription: "YYYY-MM-DD HH:mm:ss.SSS or RFC 3339",
	}
}

const (
	dayPattern   = `[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])`
	clockPattern = `([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]`

	// TimestampPattern matches the form of the timestamps that the service writes. It cannot reject 30 February.
	TimestampPattern = `^` + dayPattern + ` ` + clockPattern + `[.][0-9]{3}$`
	timestampPattern = `^` + dayPattern + `( ` + clockPattern + `[.][0-9]{3}|T` + clockPattern +
		`([.][0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))$`
)

// LooksRight reports whether the text has one of the two forms.
func (t Timestamp) LooksRight() bool {
	return timestamps().MatchString(string(t))
}

var timestamps = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(timestampPattern) })

// Relevance is the public classification.
type Relevance string

// Schema lists its values.
func (Relevance) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{"relevant", "not_relevant"},
		Description: "The public classification. Posts that are not scored are not_relevant."}
}

// Sentiment is the tone.
type Sentiment string

// Schema lists its values.
func (Sentiment) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: anys(mention.Sentiments())}
}

// Tag is a topic.
type Tag string

// Schema lists its values.
func (Tag) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: anys(mention.Tags())}
}

func anys[T ~string](texts []T) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = string(text)
	}
	return list
}

// FromMention returns a mention's wire form, with its counters if engagement is set.
func FromMention(m mention.Mention, engagement bool) Mention {
	wire := Mention{
		ID:               m.ID,
		SourceID:         m.SourceID,
		URL:              m.URL,
		Title:            m.Title,
		Body:             m.Body,
		Source:           m.Source,
		Timestamp:        mention.Timestamp(m.PostedAt),
		Author:           m.Author,
		AuthorName:       m.AuthorName,
		AuthorAvatar:     m.AuthorAvatar,
		AuthorURL:        m.AuthorURL,
		AuthorFollowers:  m.AuthorFollowers,
		Relevance:        "not_relevant",
		RelevanceComment: m.RelevanceComment,
		Sentiment:        web.NullIfEmpty(Sentiment(m.Sentiment)).Value,
		Language:         m.Language,
		Tags:             []Tag{},
		Keywords:         []MentionKeyword{},
		Engaged:          m.Engaged,
		IsReply:          m.IsReply,
		ImageURL:         m.ImageURL,
		StoryID:          web.NullIfEmpty(m.StoryID).Value,
	}
	if m.Relevant {
		wire.Relevance = "relevant"
	}
	if wire.Language == "" {
		wire.Language = mention.Undetermined
	}
	for _, tag := range m.Tags {
		wire.Tags = append(wire.Tags, Tag(tag))
	}
	for _, keyword := range m.Keywords {
		wire.Keywords = append(wire.Keywords, MentionKeyword{keyword.ID, keyword.Text})
	}
	if len(m.Keywords) > 0 {
		wire.KeywordID = m.Keywords[0].ID
	}
	if m.RelevanceScore != nil {
		score := int64(*m.RelevanceScore)
		wire.RelevanceScore = &score
	}
	if m.FeedbackRelevant != nil {
		feedback := int64(*m.FeedbackRelevant)
		wire.FeedbackRelevant = &feedback
	}
	if r := m.Review; r != nil {
		wire.Review = &MentionReview{
			Rating:     r.Rating,
			RatingMax:  r.RatingMax,
			Verified:   r.Verified,
			Response:   r.Response,
			ResponseAt: web.FormatTime(r.ResponseAt),
			TargetName: r.TargetName,
		}
	}
	if engagement {
		wire.EngagementMetrics, wire.EngagementObservedAt = m.Engagement, web.FormatTime(m.EngagementObservedAt)
		if wire.EngagementMetrics == nil {
			wire.EngagementMetrics = map[string]int64{} // the description has it present whenever it is requested
		}
	}
	return wire
}

// ToMention returns the mention of a wire form. Its error names the faulty field.
func (w Mention) ToMention() (mention.Mention, error) {
	posted, err := mention.ParseTimestamp(w.Timestamp)
	if err != nil {
		return mention.Mention{}, fmt.Errorf("timestamp: %w", err)
	}
	observed, err := toTime("engagementObservedAt", w.EngagementObservedAt)
	if err != nil {
		return mention.Mention{}, err
	}
	m := mention.Mention{
		ID:                   w.ID,
		SourceID:             w.SourceID,
		URL:                  w.URL,
		Title:                w.Title,
		Body:                 w.Body,
		Source:               w.Source,
		PostedAt:             posted,
		Author:               w.Author,
		AuthorName:           w.AuthorName,
		AuthorAvatar:         w.AuthorAvatar,
		AuthorURL:            w.AuthorURL,
		AuthorFollowers:      w.AuthorFollowers,
		Relevant:             w.Relevance == "relevant",
		RelevanceComment:     w.RelevanceComment,
		Sentiment:            mention.Sentiment(orZero(w.Sentiment)),
		Language:             w.Language,
		Engaged:              w.Engaged,
		IsReply:              w.IsReply,
		ImageURL:             w.ImageURL,
		Engagement:           w.EngagementMetrics,
		EngagementObservedAt: observed,
	}
	for _, tag := range w.Tags {
		m.Tags = append(m.Tags, mention.Tag(tag))
	}
	for _, keyword := range w.Keywords {
		m.Keywords = append(m.Keywords, mention.Keyword{ID: keyword.ID, Text: keyword.Keyword})
	}
	if w.RelevanceScore != nil {
		score := mention.Score(*w.RelevanceScore)
		m.RelevanceScore = &score
	}
	if w.FeedbackRelevant != nil {
		feedback := int(*w.FeedbackRelevant)
		m.FeedbackRelevant = &feedback
	}
	if r := w.Review; r != nil {
		answered, err := toTime("review.responseAt", r.ResponseAt)
		if err != nil {
			return mention.Mention{}, err
		}
		m.Review = &mention.Review{Rating: r.Rating, RatingMax: r.RatingMax, Verified: r.Verified, Response: r.Response,
			ResponseAt: answered, TargetName: r.TargetName}
	}
	return m, m.Check()
}

func orZero[T any](value *T) (zero T) {
	if value == nil {
		return zero
	}
	return *value
}

func toTime(field, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%s: %q is not RFC 3339", field, text)
	}
	return t.UTC(), nil
}
