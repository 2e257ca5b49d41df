package mentionstore

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// A row has what filters read of its mention in one attribute, AttrWords, because the index by time has that attribute
// too, and names of attributes take more room than most values. Rows of old have an attribute for each fact, and only
// the digest in AttrWords. Its first byte tells the forms apart.
//
// The form, with numbers as varints and texts behind their lengths:
//
//	packedFacts, the flags, source, language, sentiment, as appendName writes them
//	score, author, followers, rating     where the flags say so
//	the number of tags, and their names; the number of keywords, and their ids
//	where the flags say so: the number of counters, and their names and counts, by name
//	filter.Digest
const packedFacts = 0xff // no digest begins with it

// Flags of facts.
const (
	isReply = 1 << iota
	engaged
	hasScore
	hasAuthor
	hasFollowers
	hasRating
	hasEngagement
)

// names are texts that many rows have, by their numbers in rows. Stored rows need them: append, and never change one.
// The first 64 take one byte.
var names = [...]string{
	"Positive", "Neutral", "Negative", "english", "undetermined",
	"hackernews", "reddit", "bluesky", "twitter", "github", "stackoverflow", "dev", "medium", "news", "newsletter",
	"podcasts", "producthunt", "youtube", "linkedin", "quora", "instagram", "tiktok",
	"buy_intent", "competitor_mention", "customer_testimonial", "promotional_post", "own_brand_mention",
	"industry_insights", "hiring", "event", "product_question", "pricing", "churn_intent", "launch_announcement",
	"bug_report", "user_feedback", "ai_generated",
	"comments", "likes", "points", "score", "upvotePercent", "replies", "reposts", "quotes", "views", "reactions",
	"answers", "votes", "retweets", "upvotes",
	"spanish", "german", "french", "portuguese", "japanese", "italian", "dutch", "russian", "chinese", "korean",
	"turkish", "polish", "arabic",
}

// appendName appends a name's number, doubled and one more, or twice the length of another text and the text.
func appendName(to []byte, text string) []byte {
	if at := slices.Index(names[:], text); at >= 0 {
		return binary.AppendUvarint(to, uint64(at)<<1|1)
	}
	return append(binary.AppendUvarint(to, uint64(len(text))<<1), text...)
}

func appendText(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// factsOf returns the facts of a mention, as a row has them.
func factsOf(m *mention.Mention) []byte {
	flags := byte(0)
	for at, has := range [...]bool{ // in the order of the flags
		m.IsReply, m.Engaged, m.RelevanceScore != nil, m.Author != nil, m.AuthorFollowers != nil, m.Review != nil,
		m.Engagement != nil,
	} {
		if has {
			flags |= 1 << at
		}
	}
	to := []byte{packedFacts, flags}
	to = appendName(appendName(appendName(to, m.Source), m.Language), string(m.Sentiment))
	if m.RelevanceScore != nil {
		to = binary.AppendVarint(to, int64(*m.RelevanceScore))
	}
	if m.Author != nil {
		to = appendText(to, *m.Author)
	}
	if m.AuthorFollowers != nil {
		to = binary.AppendVarint(to, *m.AuthorFollowers)
	}
	if m.Review != nil {
		to = binary.BigEndian.AppendUint64(to, math.Float64bits(m.Review.Rating))
	}
	to = binary.AppendUvarint(to, uint64(len(m.Tags)))
	for _, tag := range m.Tags {
		to = appendName(to, string(tag))
	}
	to = binary.AppendUvarint(to, uint64(len(m.Keywords)))
	for _, keyword := range m.Keywords {
		to = binary.AppendVarint(to, keyword.ID)
	}
	if m.Engagement != nil {
		to = binary.AppendUvarint(to, uint64(len(m.Engagement)))
		for _, metric := range slices.Sorted(maps.Keys(m.Engagement)) { // the same facts are the same bytes
			to = binary.AppendVarint(appendName(to, metric), m.Engagement[metric])
		}
	}
	return append(to, filter.Digest(m.Title, m.Body)...)
}

// packed reports whether a row, or its row in the index by time, has its facts in one attribute.
func packed(item table.Item) bool {
	facts := rows.Bytes(item, rows.AttrWords)
	return len(facts) > 0 && facts[0] == packedFacts
}

// digestIn returns the filter.Digest in a row of either form.
func digestIn(item table.Item) []byte {
	if !packed(item) {
		return rows.Bytes(item, rows.AttrWords)
	}
	var row filter.Row
	unpackFacts(rows.Bytes(item, rows.AttrWords), &row)
	return row.Words
}

// unpackFacts fills a row with what factsOf packed, all but the timestamp. What the mention lacks stays as Reset leaves
// it. The row keeps a part of facts.
func unpackFacts(facts []byte, row *filter.Row) (flags byte) {
	r := reader{rest: facts}
	r.bytes(1)
	if head := r.bytes(1); len(head) > 0 {
		flags = head[0]
	}
	row.IsReply, row.Engaged = flags&isReply != 0, flags&engaged != 0
	row.Source, row.Language, row.Sentiment = r.name(), r.name(), mention.Sentiment(r.name())
	if flags&hasScore != 0 {
		row.Score = int(r.integer())
	}
	if flags&hasAuthor != 0 {
		row.Author = string(r.bytes(r.number()))
	}
	if flags&hasFollowers != 0 {
		row.Followers = r.integer()
	}
	if flags&hasRating != 0 {
		row.Rating = r.float()
	}
	for range r.count() {
		row.Tags = append(row.Tags, r.name())
	}
	for range r.count() {
		row.KeywordIDs = append(row.KeywordIDs, r.integer())
	}
	if flags&hasEngagement != 0 {
		for range r.count() {
			row.Engagement = append(row.Engagement, filter.Counter{Metric: r.name(), Count: r.integer()})
		}
	}
	row.Words = r.rest
	return flags
}

// A reader reads packed values. Behind the end all values are zero and empty.
type reader struct{ rest []byte }

func (r *reader) bytes(n uint64) []byte {
	n = min(n, uint64(len(r.rest)))
	part := r.rest[:n:n]
	r.rest = r.rest[n:]
	return part
}

func (r *reader) number() uint64 {
	value, n := binary.Uvarint(r.rest)
	r.bytes(uint64(max(n, 0)))
	if n <= 0 {
		r.rest, value = nil, 0
	}
	return value
}

// count returns a number of values that follow, each of at least a byte.
func (r *reader) count() uint64 { return min(r.number(), uint64(len(r.rest))) }

func (r *reader) integer() int64 {
	value, n := binary.Varint(r.rest)
	r.bytes(uint64(max(n, 0)))
	if n <= 0 {
		r.rest, value = nil, 0
	}
	return value
}

func (r *reader) float() float64 {
	part := r.bytes(8)
	if len(part) < 8 {
		return 0
	}
	return math.Float64frombits(binary.BigEndian.Uint64(part))
}

func (r *reader) name() string {
	head := r.number()
	if at := head >> 1; head&1 != 0 {
		if at < uint64(len(names)) {
			return names[at]
		}
		return ""
	}
	return string(r.bytes(head >> 1))
}
