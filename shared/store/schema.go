// Package store holds the repositories: workspaces, agencies, keys, mentions, counters. They are written once, over
// port/table; the layout of keys, indexes and cursors lives here and nowhere else.
package store

import "earshot/shared/port/table"

// Tables of a deployment. The layout of their keys is described with the repository that owns them.
const (
	CoreTable     = "core"     // what people configure: workspaces, agencies, API keys, settings
	MentionsTable = "mentions" // partition: workspace, sort: sourceId
	ArchiveTable  = "archive"  // the same items once they are old
	CountersTable = "counters" // rate windows, quotas, sequences, answers kept for replay
)

// Indexes of the tables of mentions.
const (
	mentionsByTime   = "byTime"   // partition: workspace and relevance, sort: timestamp and id
	mentionsByID     = "byId"     // partition: workspace, sort: numeric id
	mentionsByAuthor = "byAuthor" // partition: workspace, platform and handle, sort: timestamp and id
)

// Index of the core table: what is to be done, and from when on. Rows with nothing to do are not in it.
const coreByDue = "byDue" // partition: kind of work, sort: time

// Index of the core table: who tracks a text. Only the rows that keep a keyword's text from being another's are in it.
const coreByText = "byText" // partition: the text as texts match, sort: workspace

// Schemas describes every table, for whoever creates them: the embedded adapter, the peers' tests and the CDK app.
func Schemas() []table.Schema {
	indexes := []table.Index{
		{Name: mentionsByTime, Partition: attrStream, Sort: attrMoment, Project: []string{
			// What the filters of a list read; the rest of a mention is fetched for the rows of one page.
			"source", "relevanceScore", "sentiment", "language", "tags", "keywordIds", "isReply", "engaged",
			"author", "authorFollowers", "reviewRating", "engagementMetrics", attrWords, attrBytes,
		}},
		{Name: mentionsByAuthor, Partition: attrAuthorKey, Sort: attrMoment, Project: []string{attrBytes}},
		{Name: mentionsByID, Partition: table.PartitionAttribute, Sort: attrNumericID},
	}
	return []table.Schema{
		{Name: CoreTable, Indexes: []table.Index{
			{Name: coreByDue, Partition: attrWork, Sort: attrDueAt, Project: []string{"org", "keywordId", "source"}},
			{Name: coreByText, Partition: attrForm, Sort: table.PartitionAttribute, Project: []string{"id"}},
		}},
		{Name: MentionsTable, Indexes: indexes},
		{Name: ArchiveTable, Indexes: indexes, InfrequentAccess: true},
		{Name: CountersTable},
	}
}

const (
	attrStream    = "stream"
	attrMoment    = "moment"
	attrNumericID = "idKey"
	attrAuthorKey = "authorKey"
	attrWords     = "words" // filter.Digest of title and body
	attrBytes     = "bytes" // of the whole row, so that a page knows before it reads it
	attrForm      = "form"  // match.Form of a keyword's text
	attrWork      = "work"
	attrDueAt     = "dueAt"
)
