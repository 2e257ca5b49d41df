// Package files describes day files: the mentions of a workspace that were posted on one day of UTC, as Parquet. It
// names the columns and the keys of the files, and imports no Parquet library. Package parquetfile, below it, writes
// and reads the files.
//
// A day file has one row a mention, relevant or not, the newest first. Files of exports have the same columns, without
// those that only queries read and with those that no query reads.
//
// Functions that write, read or query the files import it.
package files

// Version is the version of the columns. A file of another version is not read: its day is written anew.
const Version = 2

// A Column describes a column of a day file.
type Column struct {
	Name     string
	Type     Type
	Nullable bool
	Meaning  string // for people
}

// A Type is the type of a column, as Glue, Athena and DuckDB name it.
type Type string

// The types. Times have milliseconds and are in UTC. The elements of lists and the values of maps are never null.
const (
	Timestamp   Type = "timestamp"
	BigInt      Type = "bigint"
	Int         Type = "int"
	Double      Type = "double"
	Boolean     Type = "boolean"
	String      Type = "string"
	BigIntList  Type = "array<bigint>"
	StringList  Type = "array<string>"
	CountersMap Type = "map<string,bigint>"
)

// Names of the columns.
const (
	ID                   = "id"
	SourceID             = "source_id"
	PostedAt             = "posted_at"
	Source               = "source"
	URL                  = "url"
	Title                = "title"
	Body                 = "body"
	Language             = "language"
	Author               = "author"
	AuthorHandle         = "author_handle"
	AuthorName           = "author_name"
	AuthorURL            = "author_url"
	AuthorFollowers      = "author_followers"
	Sentiment            = "sentiment"
	Relevance            = "relevance"
	Relevant             = "relevant"
	RelevanceComment     = "relevance_comment"
	Feedback             = "feedback"
	Tags                 = "tags"
	KeywordIDs           = "keyword_ids"
	Keywords             = "keywords"
	Engaged              = "engaged"
	IsReply              = "is_reply"
	Engagement           = "engagement"
	EngagementMetrics    = "engagement_metrics"
	EngagementObservedAt = "engagement_observed_at"
	ReviewRating         = "review_rating"
	ReviewRatingMax      = "review_rating_max"
	ReviewTarget         = "review_target"
	ImageURL             = "image_url"
	Words                = "words" // of day files alone, and those below of exports alone
	AuthorAvatar         = "author_avatar"
	ReviewVerified       = "review_verified"
	ReviewResponse       = "review_response"
	ReviewResponseAt     = "review_response_at"
	StoryID              = "story_id"
)

// Columns lists the columns of a day file in the order of the file.
func Columns() []Column {
	return append(shared(), Column{
		Words,
		String,
		true,
		"The words of title and body in one case, each between two line feeds, which neighbors share. Title and body have " +
			"two line feeds between them. A phrase is found as a part of it. Null if there is no word.",
	})
}

// ExportColumns lists the columns of an export in the order of the file. They hold each property of a mention.
func ExportColumns() []Column {
	return append(
		shared(),
		Column{AuthorAvatar, String, true, "Address of the author's picture."},
		Column{ReviewVerified, Boolean, true, "Whether the platform verified the review. Null if it does not say."},
		Column{ReviewResponse, String, true, "What the reviewed company answered."},
		Column{ReviewResponseAt, Timestamp, true, "When it answered, in UTC."},
		Column{StoryID, String, true, "Id of the story that the post tells. Null if it tells none."},
	)
}

// shared lists the columns that all files have.
func shared() []Column {
	return []Column{
		{ID, BigInt, false, "Numeric id, unique in the workspace."},
		{SourceID, String, false, "Key of the post on its platform."},
		{PostedAt, Timestamp, false,
			"When the post was published, in UTC. Rows are sorted by it and by id, the newest first."},
		{Source, String, false, "The platform, in lowercase."},
		{URL, String, false, "Address of the post. Empty if it has none."},
		{Title, String, true, "Title."},
		{Body, String, true, "Text."},
		{Language, String, false, "Full lowercase English name, or undetermined."},
		{Author, String, true, "The author's handle, as the platform writes it."},
		{
			AuthorHandle,
			String,
			true,
			"The handle as authors are compared: folded, without blanks around it and a leading @. Null if the author is " +
				"not known. With source it names an author.",
		},
		{AuthorName, String, true, "The author's display name, if it differs from the handle."},
		{AuthorURL, String, true, "Address of the author's profile."},
		{AuthorFollowers, BigInt, true, "Followers of the author when the post was collected. Null if not known."},
		{Sentiment, String, true, "Positive, Neutral or Negative. Null until the mention is scored."},
		{Relevance, Int, true, "The score: 0 high, 1 medium, 2 low. Null until the mention is scored."},
		{Relevant, Boolean, false, "Whether the mention is relevant."},
		{RelevanceComment, String, true, "Why the mention has this relevance."},
		{Feedback, Int, true, "Users' judgement: 1 relevant, -1 not relevant, 0 or null none."},
		{Tags, StringList, false, "The topics, sorted, each once."},
		{KeywordIDs, BigIntList, false, "Ids of the keywords that the post matched, each once, the first match first."},
		{Keywords, StringList, false, "Texts of the keywords in keyword_ids, in the same order."},
		{Engaged, Boolean, false, "Whether a member of the workspace marked the mention as engaged with."},
		{IsReply, Boolean, false, "Whether the post is a reply or a comment."},
		{Engagement, BigInt, false, "Sum of the counters in engagement_metrics, except views."},
		{EngagementMetrics, CountersMap, false, "The latest public counters, by the platform's own names."},
		{EngagementObservedAt, Timestamp, true, "When the counters were observed, in UTC."},
		{ReviewRating, Double, true, "Rating of a review, on the platform's scale. Null if the mention is no review."},
		{ReviewRatingMax, Double, true, "The best rating of that scale."},
		{ReviewTarget, String, true, "Name of the reviewed product, place or company."},
		{ImageURL, String, true, "Address of a preview image."},
	}
}
