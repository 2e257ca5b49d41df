// Package parquetfile writes and reads Parquet files of mentions, with the columns that package files names.
//
// It is apart from package files because it links the Parquet library, which links net/http. Import it in functions
// that write or read files, and in no others.
package parquetfile

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"earshot/shared/mention"
)

// row is what the rows of all files have. A nil pointer is a null.
type row struct {
	ID                   int64            `parquet:"id,delta"`
	SourceID             string           `parquet:"source_id"`
	PostedAt             int64            `parquet:"posted_at,delta,timestamp(millisecond)"`
	Source               string           `parquet:"source,dict"`
	URL                  string           `parquet:"url"`
	Title                *string          `parquet:"title"`
	Body                 *string          `parquet:"body"`
	Language             string           `parquet:"language,dict"`
	Author               *string          `parquet:"author,dict"`
	AuthorHandle         *string          `parquet:"author_handle,dict"`
	AuthorName           *string          `parquet:"author_name,dict"`
	AuthorURL            *string          `parquet:"author_url,dict"`
	AuthorFollowers      *int64           `parquet:"author_followers"`
	Sentiment            *string          `parquet:"sentiment,dict"`
	Relevance            *int32           `parquet:"relevance,dict"`
	Relevant             bool             `parquet:"relevant"`
	RelevanceComment     *string          `parquet:"relevance_comment"`
	Feedback             *int32           `parquet:"feedback,dict"`
	Tags                 []string         `parquet:"tags,list" parquet-element:",dict"`
	KeywordIDs           []int64          `parquet:"keyword_ids,list" parquet-element:",dict"`
	Keywords             []string         `parquet:"keywords,list" parquet-element:",dict"`
	Engaged              bool             `parquet:"engaged"`
	IsReply              bool             `parquet:"is_reply"`
	Engagement           int64            `parquet:"engagement"`
	EngagementMetrics    map[string]int64 `parquet:"engagement_metrics" parquet-key:",dict"`
	EngagementObservedAt *int64           `parquet:"engagement_observed_at,timestamp(millisecond)"`
	ReviewRating         *float64         `parquet:"review_rating"`
	ReviewRatingMax      *float64         `parquet:"review_rating_max"`
	ReviewTarget         *string          `parquet:"review_target"`
	ImageURL             *string          `parquet:"image_url"`
}

// dayRow is a row of a day file.
type dayRow struct {
	row
	Words *string `parquet:"words"`
}

// exportRow is a row of an export.
type exportRow struct {
	row
	AuthorAvatar     *string `parquet:"author_avatar"`
	ReviewVerified   *bool   `parquet:"review_verified"`
	ReviewResponse   *string `parquet:"review_response"`
	ReviewResponseAt *int64  `parquet:"review_response_at,timestamp(millisecond)"`
	StoryID          *string `parquet:"story_id"`
}

// exported returns the row of an export for a mention that has a row.
func exported(r row, m *mention.Mention) exportRow {
	e := exportRow{row: r, AuthorAvatar: m.AuthorAvatar, StoryID: given(m.StoryID)}
	if m.Review != nil {
		e.ReviewVerified, e.ReviewResponse = m.Review.Verified, given(m.Review.Response)
		if !m.Review.ResponseAt.IsZero() {
			at := m.Review.ResponseAt.UnixMilli()
			e.ReviewResponseAt = &at
		}
	}
	return e
}

// fromMention returns the row of a mention.
func fromMention(m *mention.Mention) row {
	r := row{
		ID:                m.ID,
		SourceID:          m.SourceID,
		PostedAt:          m.PostedAt.UnixMilli(),
		Source:            strings.ToLower(m.Source),
		URL:               m.URL,
		Title:             m.Title,
		Body:              m.Body,
		Language:          cmp.Or(m.Language, mention.Undetermined),
		Author:            m.Author,
		AuthorName:        given(m.AuthorName),
		AuthorURL:         m.AuthorURL,
		AuthorFollowers:   m.AuthorFollowers,
		Sentiment:         given(string(m.Sentiment)),
		Relevant:          m.Relevant,
		RelevanceComment:  given(m.RelevanceComment),
		Engaged:           m.Engaged,
		IsReply:           m.IsReply,
		EngagementMetrics: m.Engagement,
		ImageURL:          given(m.ImageURL),
	}
	if m.Author != nil {
		r.AuthorHandle = given(mention.Handle(*m.Author))
	}
	if m.RelevanceScore != nil {
		score := int32(*m.RelevanceScore)
		r.Relevance = &score
	}
	if m.FeedbackRelevant != nil {
		feedback := int32(*m.FeedbackRelevant)
		r.Feedback = &feedback
	}
	for _, tag := range m.Tags {
		r.Tags = append(r.Tags, string(tag))
	}
	slices.Sort(r.Tags)
	r.Tags = slices.Compact(r.Tags)
	for _, keyword := range m.Keywords {
		if !slices.Contains(r.KeywordIDs, keyword.ID) {
			r.KeywordIDs, r.Keywords = append(r.KeywordIDs, keyword.ID), append(r.Keywords, keyword.Text)
		}
	}
	for _, metric := range slices.Sorted(maps.Keys(m.Engagement)) {
		if metric != "views" {
			r.Engagement += m.Engagement[metric]
		}
	}
	if !m.EngagementObservedAt.IsZero() {
		observed := m.EngagementObservedAt.UnixMilli()
		r.EngagementObservedAt = &observed
	}
	if m.Review != nil {
		r.ReviewRating, r.ReviewTarget = &m.Review.Rating, given(m.Review.TargetName)
		if m.Review.RatingMax != 0 {
			r.ReviewRatingMax = &m.Review.RatingMax
		}
	}
	return r
}

// given returns nil for an empty text.
func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// size returns about how many bytes the rows of a mention have, so that groups of rows are bounded.
func (r *dayRow) size(m *mention.Mention) int {
	n := 200 + len(r.SourceID) + len(r.URL)
	for _, text := range []*string{
		r.Title, r.Body, r.Author, r.AuthorHandle, r.AuthorName, r.AuthorURL, r.RelevanceComment, r.ReviewTarget, r.ImageURL,
		r.Words,
	} {
		if text != nil {
			n += len(*text)
		}
	}
	if m.AuthorAvatar != nil {
		n += len(*m.AuthorAvatar)
	}
	if m.Review != nil {
		n += len(m.Review.Response)
	}
	for _, text := range r.Keywords {
		n += len(text) + 8
	}
	for metric := range r.EngagementMetrics {
		n += len(metric) + 8
	}
	return n
}
