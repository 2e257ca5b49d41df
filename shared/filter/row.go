package filter

import "earshot/shared/mention"

// A Row is a mention's row in the index by time. It is made for reuse: Reset it, fill it, evaluate.
type Row struct {
	Timestamp  string // as mention.Timestamp writes it
	Source     string
	Language   string // empty: undetermined
	Sentiment  mention.Sentiment
	Score      int // -1: not scored
	Tags       []string
	KeywordIDs []int64
	IsReply    bool
	Engaged    bool
	Author     string  // empty: unknown
	Followers  int64   // -1: unknown
	Rating     float64 // of a review; 0 for none
	Engagement []Counter
	Words      []byte // the Digest of its texts; empty if unknown
}

// A Counter is one of a mention's engagement counters.
type Counter struct {
	Metric string
	Count  int64
}

// Reset empties a row and keeps the room of its lists.
func (r *Row) Reset() {
	*r = Row{Score: -1, Followers: -1, Tags: r.Tags[:0], KeywordIDs: r.KeywordIDs[:0], Engagement: r.Engagement[:0]}
}

// Fill makes a row of a mention, all but Words.
func (r *Row) Fill(m *mention.Mention) {
	r.Reset()
	r.Timestamp, r.Source, r.Language, r.Sentiment = mention.Timestamp(m.PostedAt), m.Source, m.Language, m.Sentiment
	r.IsReply, r.Engaged = m.IsReply, m.Engaged
	if m.RelevanceScore != nil {
		r.Score = int(*m.RelevanceScore)
	}
	for _, tag := range m.Tags {
		r.Tags = append(r.Tags, string(tag))
	}
	for _, keyword := range m.Keywords {
		r.KeywordIDs = append(r.KeywordIDs, keyword.ID)
	}
	if m.Author != nil {
		r.Author = *m.Author
	}
	if m.AuthorFollowers != nil {
		r.Followers = *m.AuthorFollowers
	}
	if m.Review != nil {
		r.Rating = m.Review.Rating
	}
	for metric, count := range m.Engagement {
		r.Engagement = append(r.Engagement, Counter{metric, count})
	}
}
