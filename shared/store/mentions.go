package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"earshot/shared/mention"
	"earshot/shared/port/table"
)

// Rows of the mentions and archive tables:
//
//	pk org_…  sk sourceId
//
// "moment" is the row's place in time, unique in its workspace: the timestamp and the numeric id. "stream" is the
// workspace and whether the mention is relevant, so that a list of relevant mentions reads no others. "idKey" is the
// numeric id, zero-padded.
const (
	streamRelevant = "#relevant"
	streamOther    = "#other"
)

// pageBytes bounds the mentions of one page, so that an answer stays below what a Lambda can send (6 MB).
const pageBytes = 3 << 20

// Mentions of a page at most.
const MaxMentionsPage = table.MaxBatchGet

// ErrIDTaken means that another mention of the workspace has the numeric id.
var ErrIDTaken = errors.New("store: the id belongs to another mention")

func moment(m mention.Mention) string {
	return fmt.Sprintf("%s#%016d", mention.Timestamp(m.PostedAt), m.ID)
}

func idKey(id int64) string { return fmt.Sprintf("%016d", id) }

// PutMention stores a mention as it is, in place of one with its SourceID. Answers ErrIDTaken, as far as an index can
// tell that lags, and table.ErrTooLarge.
func (s *Store) PutMention(ctx context.Context, orgID string, m mention.Mention) error {
	taken, err := s.byID(ctx, MentionsTable, orgID, m.ID)
	if err != nil {
		return err
	}
	if taken != "" && taken != m.SourceID {
		return ErrIDTaken
	}
	if err := s.table.Put(ctx, table.Put{Table: MentionsTable, Item: fromMention(orgID, m)}); err != nil {
		return fmt.Errorf("store a mention: %w", err)
	}
	return nil
}

// Mention reads a mention by its sourceId, recent ones before archived ones. Answers ErrNotFound.
func (s *Store) Mention(ctx context.Context, orgID, sourceID string) (mention.Mention, error) {
	if sourceID == "" || len(sourceID) > mention.MaxSourceID {
		return mention.Mention{}, ErrNotFound
	}
	for _, from := range []string{MentionsTable, ArchiveTable} {
		item, err := s.get(ctx, from, table.Key{Partition: orgID, Sort: sourceID})
		if err != nil {
			return mention.Mention{}, err
		}
		if item != nil {
			return toMention(item), nil
		}
	}
	return mention.Mention{}, ErrNotFound
}

// MentionByID reads a mention by its numeric id, recent ones before archived ones. Answers ErrNotFound.
func (s *Store) MentionByID(ctx context.Context, orgID string, id int64) (mention.Mention, error) {
	for _, from := range []string{MentionsTable, ArchiveTable} {
		sourceID, err := s.byID(ctx, from, orgID, id)
		if err != nil {
			return mention.Mention{}, err
		}
		if sourceID == "" {
			continue
		}
		item, err := s.get(ctx, from, table.Key{Partition: orgID, Sort: sourceID})
		if err != nil {
			return mention.Mention{}, err
		}
		if item != nil && integer(item, "id") == id {
			return toMention(item), nil
		}
	}
	return mention.Mention{}, ErrNotFound
}

func (s *Store) byID(ctx context.Context, from, orgID string, id int64) (sourceID string, err error) {
	page, err := s.table.Query(ctx, table.Query{Table: from, Index: mentionsByID, Partition: orgID, From: idKey(id), To: idKey(id), Limit: 1})
	if err != nil {
		return "", fmt.Errorf("find a mention by its id: %w", err)
	}
	if len(page.Items) == 0 {
		return "", nil
	}
	return table.KeyOf(page.Items[0]).Sort, nil
}

// MentionsQuery selects mentions of a workspace, newest first.
type MentionsQuery struct {
	WorkspaceID string
	All         bool   // also those that are not relevant
	Limit       int    // 1 to MaxMentionsPage
	After       string // a page's Next; empty: from the newest
}

// MentionsPage is a part of a list.
type MentionsPage struct {
	Mentions []mention.Mention
	Next     string // empty at the end
}

// Mentions reads a page. A page is shorter than its limit when its mentions are long. Walking by Next, a mention that was
// there at the start comes once, whatever is stored meanwhile.
func (s *Store) Mentions(ctx context.Context, q MentionsQuery) (MentionsPage, error) {
	rows, err := s.timeline(ctx, q)
	if err != nil {
		return MentionsPage{}, err
	}
	more := len(rows) > q.Limit
	rows = rows[:min(len(rows), q.Limit)]
	if len(rows) == 0 {
		return MentionsPage{}, nil
	}
	listed := func(item table.Item) bool {
		return item != nil && (q.All || str(item, attrStream) == q.WorkspaceID+streamRelevant)
	}
	items, err := s.rowsOf(ctx, rows, listed)
	if err != nil {
		return MentionsPage{}, err
	}
	page, size := MentionsPage{Mentions: []mention.Mention{}}, 0
	for i, item := range items {
		if size += table.Size(item); size > pageBytes && len(page.Mentions) > 0 {
			more = true
			break
		}
		page.Next = str(rows[i], attrMoment)
		// The index may lag: a row that is gone, or no longer of this list, is left out.
		if !listed(item) {
			continue
		}
		page.Mentions = append(page.Mentions, toMention(item))
	}
	if !more {
		page.Next = ""
	}
	return page, nil
}

// rowsOf reads the mentions that rows of an index name, nil for what is gone. It reads at half the price, which may be
// behind the index; what does not look as the index promised is read again, consistently, before it counts as changed.
func (s *Store) rowsOf(ctx context.Context, rows []table.Item, promised func(table.Item) bool) ([]table.Item, error) {
	read := func(consistent bool, places []int) ([]table.Item, error) {
		gets := make([]table.Get, len(places))
		for i, place := range places {
			gets[i] = table.Get{Table: MentionsTable, Key: table.KeyOf(rows[place]), Consistent: consistent}
		}
		batch, err := s.table.BatchGet(ctx, gets)
		if err != nil {
			return nil, fmt.Errorf("read a page of mentions: %w", err)
		}
		return batch.Items, nil
	}
	places := make([]int, len(rows))
	for i := range rows {
		places[i] = i
	}
	items, err := read(false, places)
	if err != nil {
		return nil, err
	}
	doubtful := slices.DeleteFunc(places, func(place int) bool { return promised(items[place]) })
	if len(doubtful) == 0 {
		return items, nil
	}
	again, err := read(true, doubtful)
	if err != nil {
		return nil, err
	}
	for i, place := range doubtful {
		items[place] = again[i]
	}
	return items, nil
}

// timeline reads up to Limit+1 rows of the index by time: of one stream, or of both merged.
func (s *Store) timeline(ctx context.Context, q MentionsQuery) ([]table.Item, error) {
	if !q.All {
		return s.stream(ctx, q, streamRelevant)
	}
	var relevant, other []table.Item
	err := together(
		func() (err error) { relevant, err = s.stream(ctx, q, streamRelevant); return err },
		func() (err error) { other, err = s.stream(ctx, q, streamOther); return err },
	)
	if err != nil {
		return nil, err
	}
	merged := append(relevant, other...)
	slices.SortFunc(merged, func(a, b table.Item) int { return strings.Compare(str(b, attrMoment), str(a, attrMoment)) })
	// A mention that has just changed its stream may stand in both.
	merged = slices.CompactFunc(merged, func(a, b table.Item) bool { return str(a, attrMoment) == str(b, attrMoment) })
	return merged[:min(len(merged), q.Limit+1)], nil
}

// stream reads up to Limit+1 rows behind q.After. A moment is unique, so it alone is a position, in either stream.
func (s *Store) stream(ctx context.Context, q MentionsQuery, stream string) ([]table.Item, error) {
	query := table.Query{
		Table: MentionsTable, Index: mentionsByTime, Partition: q.WorkspaceID + stream,
		To: q.After, Descending: true, Limit: q.Limit + 1,
	}
	if q.After != "" {
		query.Limit++ // the row at the position itself, which is not wanted
	}
	var rows []table.Item
	for {
		page, err := s.table.Query(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("list mentions by time: %w", err)
		}
		for _, row := range page.Items {
			if str(row, attrMoment) != q.After {
				rows = append(rows, row)
			}
		}
		if page.Next == nil || len(rows) > q.Limit {
			return rows[:min(len(rows), q.Limit+1)], nil
		}
		query.After = page.Next
	}
}

func fromMention(orgID string, m mention.Mention) table.Item {
	stream := orgID + streamOther
	if m.Relevant {
		stream = orgID + streamRelevant
	}
	item := table.Item{
		table.PartitionAttribute: orgID, table.SortAttribute: m.SourceID,
		attrStream: stream, attrMoment: moment(m), attrNumericID: idKey(m.ID),
		"id": m.ID, "source": m.Source, "timestamp": mention.Timestamp(m.PostedAt),
	}
	set(item, "url", m.URL)
	setIf(item, "title", m.Title)
	setIf(item, "body", m.Body)
	setIf(item, "author", m.Author)
	set(item, "authorName", m.AuthorName)
	setIf(item, "authorAvatar", m.AuthorAvatar)
	setIf(item, "authorUrl", m.AuthorURL)
	set(item, "relevant", m.Relevant)
	set(item, "relevanceComment", m.RelevanceComment)
	set(item, "sentiment", string(m.Sentiment))
	set(item, "language", m.Language)
	set(item, "engaged", m.Engaged)
	set(item, "isReply", m.IsReply)
	set(item, "imageUrl", m.ImageURL)
	set(item, "engagementObservedAt", fromTime(m.EngagementObservedAt))
	setIf(item, "authorFollowers", m.AuthorFollowers)
	if m.RelevanceScore != nil {
		item["relevanceScore"] = int64(*m.RelevanceScore)
	}
	if m.FeedbackRelevant != nil {
		item["feedbackRelevant"] = int64(*m.FeedbackRelevant)
	}
	if len(m.Tags) > 0 {
		item["tags"] = fromStrings(m.Tags)
	}
	if len(m.Keywords) > 0 {
		ids, texts := make([]any, len(m.Keywords)), make([]any, len(m.Keywords))
		for i, keyword := range m.Keywords {
			ids[i], texts[i] = keyword.ID, keyword.Text
		}
		item["keywordIds"], item["keywordTexts"] = ids, texts
	}
	if m.Engagement != nil {
		metrics := map[string]any{}
		for name, count := range m.Engagement {
			metrics[name] = count
		}
		item["engagementMetrics"] = metrics
	}
	if r := m.Review; r != nil {
		item["reviewRating"] = r.Rating
		review := table.Item{"ratingMax": r.RatingMax}
		set(review, "response", r.Response)
		set(review, "responseAt", fromTime(r.ResponseAt))
		set(review, "targetName", r.TargetName)
		setIf(review, "verified", r.Verified)
		item["review"] = map[string]any(review)
	}
	return item
}

func toMention(item table.Item) mention.Mention {
	posted, _ := mention.ParseTimestamp(str(item, "timestamp"))
	m := mention.Mention{
		ID: integer(item, "id"), SourceID: str(item, table.SortAttribute), URL: str(item, "url"), Title: pointer[string](item, "title"),
		Body: pointer[string](item, "body"), Source: str(item, "source"), PostedAt: posted,
		Author: pointer[string](item, "author"), AuthorName: str(item, "authorName"), AuthorAvatar: pointer[string](item, "authorAvatar"),
		AuthorURL: pointer[string](item, "authorUrl"), AuthorFollowers: pointer[int64](item, "authorFollowers"),
		Relevant: boolean(item, "relevant"), RelevanceScore: small[mention.Score](item, "relevanceScore"), RelevanceComment: str(item, "relevanceComment"),
		Sentiment: mention.Sentiment(str(item, "sentiment")), Language: str(item, "language"),
		Engaged: boolean(item, "engaged"), IsReply: boolean(item, "isReply"), ImageURL: str(item, "imageUrl"),
		FeedbackRelevant: small[int](item, "feedbackRelevant"), EngagementObservedAt: toTime(str(item, "engagementObservedAt")),
	}
	for _, tag := range strs(item, "tags") {
		m.Tags = append(m.Tags, mention.Tag(tag))
	}
	ids, _ := item["keywordIds"].([]any)
	for i, text := range strs(item, "keywordTexts") {
		if id, ok := ids[i].(int64); ok {
			m.Keywords = append(m.Keywords, mention.Keyword{ID: id, Text: text})
		}
	}
	if metrics, ok := item["engagementMetrics"].(map[string]any); ok {
		m.Engagement = map[string]int64{}
		for name, count := range metrics {
			m.Engagement[name], _ = count.(int64)
		}
	}
	if review, ok := item["review"].(map[string]any); ok {
		m.Review = &mention.Review{
			Rating: number(item, "reviewRating"), RatingMax: number(review, "ratingMax"), Response: str(review, "response"),
			ResponseAt: toTime(str(review, "responseAt")), TargetName: str(review, "targetName"),
			Verified: pointer[bool](review, "verified"),
		}
	}
	return m
}

// small is a number that may be missing, as the domain's type.
func small[T ~int](item table.Item, name string) *T {
	value, ok := item[name].(int64)
	if !ok {
		return nil
	}
	converted := T(value)
	return &converted
}

// number reads an attribute that was written as a float64; a store may answer a whole one as an integer.
func number(item table.Item, name string) float64 {
	switch value := item[name].(type) {
	case float64:
		return value
	case int64:
		return float64(value)
	}
	return 0
}
