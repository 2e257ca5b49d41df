package rows

import (
	"fmt"
	"strings"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/workspace"
)

// A workspace of an agency is made in two transactions, with the identity provider's group in between, so that nothing of it is left when
// the process dies. The first keeps a place: the row pk agc_… sk "workspace#org_…" has "making" then, with "until" and the "request" that
// asked for it, and the purge row of the workspace that is to be (purge.go) is due at "until". The second makes the workspace, takes
// "making" off and the purge row away. Unless it comes, the purge takes away what there is, the place included.
//
// A place that is kept counts against the agency's limit. Whoever keeps one raises the agency's "version", so that of those who count at
// the same time one counts anew.
const AttrMaking = "making"

const (
	SortDismissed = "dismissed#"
)

// Rows of the counters table: pk org_…, sk "tokens#2026-11-20", what a workspace spent on the model on that day of UTC; what it spent for a
// purpose of its own has that before the day, "tokens#setup#2026-11-20".
const SortTokens = "tokens#"

const (
	SortCollect = "collect#"
	SortStream  = "stream#"
	SortSource  = "source#"
	Collection  = "collection"
	WorkCollect = "collect#"
)

// Row of the core table: pk org_…, sk "company"; "rev" is raised by every change.
const SortCompany = "company"

// CompanyKey returns the key of a workspace's company.
func CompanyKey(orgID string) table.Key { return table.Key{Partition: orgID, Sort: SortCompany} }

const (
	SortRate        = "rate#"
	SortExports     = "exports#"
	SortInvitations = "invitations#"
)

// Hits is the attribute that counts.
const Hits = "hits"

const (
	DirectoryOfWorkspaces = "workspaces"
	DirectoryOfAgencies   = "agencies"
)

const (
	SortDraft  = "draft#"
	SortDrafts = "drafts"
	WorkSetup  = "setup"
)

// DraftKey returns the key of a setup draft.
func DraftKey(orgID, id string) table.Key {
	return table.Key{Partition: orgID, Sort: SortDraft + id}
}

const (
	SortExport     = "export#"
	SortExportSlot = "exportslot#"
)

// Rows of the core table: pk agc_…, sk "invitee#<email>", the address folded: by which invitation an agency tells a person, its lead. "org"
// and "invitation" name it, "goodUntil" is its end, and "mailed" is there from the claim on its mail on, unless that came to nothing.
//
// The row is written in the transaction that makes the lead or, of one that a workspace has sent by itself, takes it for the agency's; it
// goes in the one that makes the lead a membership or takes it back. So a lead that is there has its row, and a row that is not good any
// more may be written over. Whoever makes a queued invitation counts it in the row: none is made without a lead. A queued one ends when
// the lead does, so that nothing of the agency is open when the next mail goes out. When a lead is revoked, the oldest of those that are
// queued leads from then on: see revocations.go.
const SortInvitee = "invitee#"

const (
	SortFeedback = "feedback#"
	SortJudged   = "feedback"
)

// FeedbackKey returns the key of the judgements of a mention.
func FeedbackKey(orgID string, mentionID int64) table.Key {
	return table.Key{Partition: orgID, Sort: SortFeedback + IDKey(mentionID)}
}

const (
	SortFeed        = "feed#"
	SortFeeds       = "feeds"
	SequenceOfFeeds = "ids#feeds" // see sequences.go
)

// FeedKey returns the key of a feed.
func FeedKey(orgID string, id int64) table.Key {
	return table.Key{Partition: orgID, Sort: SortFeed + IDKey(id)}
}

// FeedsKey returns the key of the row that counts a workspace's feeds.
func FeedsKey(orgID string) table.Key { return table.Key{Partition: orgID, Sort: SortFeeds} }

// Row of the core table: pk org_…, sk "filters". "rev" counts its changes.
const SortFilters = "filters"

// OwnerKey is the row of who owns keys: a workspace or, by its prefix, an agency.
func OwnerKey(ownerID string) table.Key {
	if strings.HasPrefix(ownerID, workspace.PrefixAgency) {
		return table.Key{Partition: ownerID, Sort: SortAgency}
	}
	return table.Key{Partition: ownerID, Sort: SortWorkspace}
}

// FromMoment keeps a time exactly, as nanoseconds; 0 for the zero time.
func FromMoment(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// ToMoment undoes FromMoment.
func ToMoment(nanoseconds int64) time.Time {
	if nanoseconds == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanoseconds).UTC()
}

const (
	SortKeyword     = "keyword#"
	SortKeywordText = "keywordtext#"
	Listeners       = "listeners"
)

// KeywordKey returns the key of a keyword.
func KeywordKey(orgID string, id int64) table.Key {
	return table.Key{Partition: orgID, Sort: SortKeyword + IDKey(id)}
}

// Rows of the counters table: pk org_…, sk "days#<month>#<keyword>", whose "d01" to "d31" count the mentions of a keyword that were
// posted on those days of UTC. All keywords' volumes are one range; a change of a mention's tone, score or tags leaves it alone.
const SortDays = "days#"

const MonthForm = "2006-01"

const (
	VolumeWeek  = 7  // days
	VolumeMonth = 30 // days
)

// DaysKey returns the sort key of a keyword's counts in a month, which is as MonthForm has it.
func DaysKey(month string, keywordID int64) string { return SortDays + month + "#" + IDKey(keywordID) }

// DayAttribute returns the attribute that counts a day of a month.
func DayAttribute(day time.Time) string { return day.Format("d02") }

const (
	StreamRelevant = "#relevant"
	StreamOther    = "#other"
)

// IDKey returns a numeric id as sort keys hold it: 16 digits, so that ids sort as numbers.
func IDKey(id int64) string { return fmt.Sprintf("%016d", id) }

const (
	SortMove = "membermove#"
)

// MoveKey returns the key of a change of an account's groups that is due.
func MoveKey(orgID, accountID string) table.Key {
	return table.Key{Partition: orgID, Sort: SortMove + accountID}
}

const (
	SortNotification        = "notification#"
	SortNotifications       = "notifications"
	SequenceOfNotifications = "ids#notifications"
)

// NotificationKey returns the key of a notification.
func NotificationKey(orgID string, id int64) table.Key {
	return table.Key{Partition: orgID, Sort: SortNotification + IDKey(id)}
}

const (
	SortMade = "made#"
)

const (
	SetupPartition = "setup#"
	SortPart       = "part#"
	SortChunk      = "chunk#"
	SortSurvey     = "survey"
)

const (
	SortRoster      = "member" // members and moves: what a list reads
	SortMembership  = "member#"
	SortInvitation  = "invitation#"
	SortPeople      = "people"
	Persons         = "person#"
	WorkInvitations = "invitations"
	WorkMoves       = "moves"
)

// MemberKey returns the key of a membership.
func MemberKey(orgID, id string) table.Key {
	return table.Key{Partition: orgID, Sort: SortMembership + id}
}

// InvitationKey returns the key of an invitation.
func InvitationKey(orgID, id string) table.Key {
	return table.Key{Partition: orgID, Sort: SortInvitation + id}
}

const (
	SortPurge     = "purge"
	WorkPurge     = "purge"
	AttrBegun     = "begun"
	AttrFailures  = "failures"
	AttrForAgency = "agency"
)

// PurgeKey returns the key of the purge of a workspace.
func PurgeKey(orgID string) table.Key { return table.Key{Partition: orgID, Sort: SortPurge} }

// Purging is the part of a transaction that has everything of a workspace taken away, from a moment on.
func Purging(orgID string, from time.Time) table.Put {
	key := PurgeKey(orgID)
	return table.Put{Table: CoreTable, Item: table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort,
		AttrWork: WorkPurge, AttrDueAt: FromTime(from)}}
}

// Unpurged holds while nothing of a workspace is to be taken away: part of a transaction that makes one.
func Unpurged(orgID string) table.Check {
	return table.Check{Table: CoreTable, Key: PurgeKey(orgID), If: table.Absent()}
}

// Rows of the counters table: pk org_…, sk "quota#2026-11", whose "stored" counts the mentions that were collected and stored in that
// month of UTC, by when they were stored. What is imported as it is does not count.
const SortQuota = "quota#"

const (
	SortAnswer = "answer#"
)

const (
	SortRun      = "run#"
	NumberDigits = "%010d"
)

const (
	SequenceOfKeywords = "ids#keywords"
	SequenceOfMentions = "ids#mentions"
)

// Rows of the core table, of what waits for the clean-up:
//
//	pk org_…  sk "cleanup#<keyword>"  the settings of a keyword that its proposal has and apply did not write
//
// Such a row is made with its keyword, and goes in the transaction that writes the last of it. One whose keyword was deleted says nothing.
const SortCleanup = "cleanup#"

const (
	SortSuggestion  = "suggestion#"
	SortSuggestions = "suggestions"
	SuggestionRows  = "suggestion" // what both begin with
)

const (
	SurveyPartition = "survey#"
	SortKept        = "kept"
)

const (
	PartitionLink = "upgrade#"
	SortLink      = "link"
	Upgrades      = "upgrades"
)

// Row of the counters table: pk org_…, sk "searches", whose "used" counts the searches of the workspace's life.
const SortSearches = "searches"

const (
	SortVolume   = "volume#"
	SortVolumeOf = "volumeof#"
)

const DayForm = "2006-01-02"

// HourAttribute returns the attribute that counts an hour of a day.
func HourAttribute(hour int) string { return fmt.Sprintf("h%02d", hour) }

const (
	SortWorkspace = "workspace"
	SortAgency    = "agency"
	SortKey       = "key"
	SortMember    = "workspace#"
)
