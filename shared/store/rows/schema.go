// Package rows is the layout of the tables: their schemas, the keys and attribute names of rows, and the encoding of
// values in attributes. No other package knows the layout.
//
// The stores import it. Mains import it for the schemas, and infra, the local tables and tests import it because they
// make or inspect tables.
package rows

import "earshot/shared/port/table"

// Tables of a deployment. The layout of their keys is described with the repository that owns them.
const (
	CoreTable     = "core"     // what people configure: workspaces, agencies, API keys, settings
	MentionsTable = "mentions" // partition: workspace, sort: sourceId
	ArchiveTable  = "archive"  // the same items once they are old
	CountersTable = "counters" // rate windows, quotas, sequences, stored responses
)

// Indexes of the tables of mentions.
const (
	MentionsByTime   = "byTime"   // partition: workspace and relevance, sort: timestamp and id
	MentionsByID     = "byId"     // partition: workspace, sort: numeric id
	MentionsByAuthor = "byAuthor" // partition: workspace, platform and handle, sort: timestamp and id
	MentionsByStory  = "byStory"  // partition: workspace and story, sort: timestamp and id; mentions of no story are not in it
)

// Index of the core table by due work: its kind, and the time from which it is due. Only rows with work are in it.
const CoreByDue = "byDue" // partition: kind of work, sort: time

// Index of the core table by tracked text. Only the rows that reserve a keyword's text in a workspace are in it.
const CoreByText = "byText" // partition: the text as texts match, sort: workspace

// Schemas returns the description of every table. The embedded adapter, the peers' tests and the CDK app create tables
// by it.
func Schemas() []table.Schema {
	indexes := []table.Index{
		{Name: MentionsByTime, Partition: AttrStream, Sort: AttrMoment, Project: []string{
			// The attributes that a list's filters read: in rows of old all of them, now AttrWords. The rest of a mention is
			// read for the rows of one page only. A projection cannot be changed in place.
			"source", "relevanceScore", "sentiment", "language", "tags", "keywordIds", "isReply", "engaged",
			"author", "authorFollowers", "reviewRating", "engagementMetrics", AttrWords, AttrBytes,
		}},
		{Name: MentionsByAuthor, Partition: AttrAuthorKey, Sort: AttrMoment, Project: []string{AttrBytes}},
		{Name: MentionsByID, Partition: table.PartitionAttribute, Sort: AttrNumericID},
		// Changed counters do not write this index again: it holds none of them.
		{Name: MentionsByStory, Partition: AttrStory, Sort: AttrMoment, Project: []string{AttrStream}},
	}
	return []table.Schema{
		{Name: CoreTable, Indexes: []table.Index{
			{Name: CoreByDue, Partition: AttrWork, Sort: AttrDueAt, Project: []string{"org", "keywordId", "source"}},
			{Name: CoreByText, Partition: AttrForm, Sort: table.PartitionAttribute, Project: []string{"id"}},
		}},
		{Name: MentionsTable, Indexes: indexes},
		{Name: ArchiveTable, Indexes: indexes, InfrequentAccess: true},
		{Name: CountersTable},
	}
}

const (
	AttrStream    = "stream"
	AttrMoment    = "moment"
	AttrNumericID = "idKey"
	AttrAuthorKey = "authorKey"
	AttrStory     = "story" // workspace and story.Fingerprint
	AttrWords     = "words" // what filters read of a mention, packed; in rows of old filter.Digest of title and body alone
	AttrDetails   = "more"  // what no index reads of a mention, packed
	AttrBytes     = "bytes" // of a whole row of over 4 KiB, so that a page knows before it reads it
	AttrForm      = "form"  // fold.Form of a keyword's text
	AttrWork      = "work"
	AttrDueAt     = "dueAt"
)
