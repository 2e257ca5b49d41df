package mention

// Lesson is what a user's judgement of a mention, as one of a keyword, teaches the judge of that keyword.
type Lesson struct {
	KeywordID int64
	Relevant  bool
	Vector    []byte // as Mention's
}
