package rows

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/workspace"
)

// A workspace of an agency is made in two transactions, with the directory's group in between, so that a process that
// dies leaves nothing behind. The first transaction reserves a place. The row pk agc_… sk "workspace#org_…" then has
// "making", with "until" and the "request" that asked for it, and the purge row of the future workspace is due at
// "until". The second transaction makes the workspace, removes "making" and deletes the purge row. Without the second,
// the purge removes what there is, the place included.
//
// A reserved place counts against the agency's limit. A reservation raises the agency's "version", so that of two
// requests that count at the same time one counts again.
const AttrMaking = "making"

const (
	SortDismissed = "dismissed#"
)

// Rows of the counters table: pk org_…, sk "tokens#2026-11-20", the tokens that a workspace spent on the model on that
// day of UTC. Tokens for a purpose of their own have its name before the day: "tokens#setup#2026-11-20".
const SortTokens = "tokens#"

// Rows of the counters table: pk org_…, sk "tokensused#2026-11-20", the tokens that the model counted on that day of UTC, in
// and out, by what it was asked for.
const SortTokensUsed = "tokensused#"

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

// ToCompany reads a workspace's company profile from its row; nil is none.
func ToCompany(item table.Item) workspace.Company {
	return workspace.Company{
		Name:                Text(item, "name"),
		Domain:              Text(item, "domain"),
		Description:         Text(item, "description"),
		Products:            Texts(item, "products"),
		Audience:            Text(item, "audience"),
		Handles:             Texts(item, "handles"),
		RelevanceGuidelines: Text(item, "relevanceGuidelines"),
		ExcludeTerms:        Texts(item, "excludeTerms"),
		UpdatedAt:           ToTime(Text(item, "updatedAt")),
		Revision:            Integer(item, "rev"),
	}
}

const (
	SortRate        = "rate#"
	SortExports     = "exports#"
	SortInvitations = "invitations#"
)

// Hits is the attribute that holds a count.
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

// Rows of the core table: pk agc_…, sk "invitee#<email>", the address folded. The row names the lead of an agency for a
// person, the one invitation with a mail: "org" and "invitation" name it, and "goodUntil" is its end. "mailed" is set
// by the claim on its mail, and removed if the mailer did not take the mail. "handing" is set while nobody knows
// whether the mailer took it.
//
// The transaction that makes a lead writes the row, and so does the one that turns a workspace's own invitation into
// the agency's lead. The transaction that accepts or withdraws the lead deletes the row. So a lead always has its row,
// and a row that is no longer good may be overwritten. A queued invitation is counted in the row ("waiting"), so that
// none is made without a lead. It ends when its lead does, so that the agency has no open invitation when its next mail
// goes out. If a lead is revoked, the oldest queued invitation becomes the lead: see peoplestore's RevokeInvitation.
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

// Rows of the counters table for files of days. "rev" is raised by every change of a manifest.
//
//	pk org_…  sk "files"               "since": from when on days may have files
//	pk org_…  sk "dayfile#2026-11-01"  the manifest of a day's file
const (
	SortFiles      = "files"
	SortDayFile    = "dayfile#"
	AttrFileKey    = "key"     // of a complete file
	AttrPendingKey = "pending" // of a file that is being written
	AttrOldFiles   = "old"     // maps with AttrFileKey: files that are to be deleted
)

// FilesKey returns the key of the announcement of a workspace's files.
func FilesKey(orgID string) table.Key { return table.Key{Partition: orgID, Sort: SortFiles} }

// DayFileKey returns the key of the manifest of a day's file.
func DayFileKey(orgID string, day time.Time) table.Key {
	return table.Key{Partition: orgID, Sort: SortDayFile + day.UTC().Format(DayForm)}
}

// OwnerKey returns the key of an owner of API keys: of an agency if the id has its prefix, else of a workspace.
func OwnerKey(ownerID string) table.Key {
	if strings.HasPrefix(ownerID, workspace.PrefixAgency) {
		return table.Key{Partition: ownerID, Sort: SortAgency}
	}
	return table.Key{Partition: ownerID, Sort: SortWorkspace}
}

// ToWorkspace reads a workspace from its row.
func ToWorkspace(item table.Item) workspace.Workspace {
	return workspace.Workspace{
		ID:       Text(item, "id"),
		Name:     Text(item, "name"),
		AgencyID: Text(item, "agencyId"),
		Plan:     workspace.Plan(Text(item, "plan")),
		Flex: workspace.Flex{
			Cap:    int(Integer(item, "flexCap")),
			Budget: int(Integer(item, "flexBudget")),
			Price:  int(Integer(item, "flexPrice")),
		},
		Flags:     Texts(item, "flags"),
		Secret:    Bytes(item, "secret"),
		CreatedAt: ToTime(Text(item, "createdAt")),
	}
}

// FromMoment returns a time as nanoseconds, without loss; 0 for the zero time.
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

// FromMillis returns a time as Unix milliseconds, which are shorter in a row than TextTime; 0 for the zero time.
func FromMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// ToMillis undoes FromMillis.
func ToMillis(milliseconds int64) time.Time {
	if milliseconds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milliseconds).UTC()
}

// Rows of the core table for deliveries, in a partition of their own, so that a flood of them does not slow what people
// configure:
//
//	pk deliveries#org_…  sk "outbox#<ulid>"                     mentions that feeds began to show (mentionstore)
//	                     sk "delivery#evt_…"                    a delivery, for 30 days (deliverystore)
//	                     sk "due#<endpoint>#<time>#evt_…"       names a delivery that waits, by when it is due
//	                     sk "endpoint#<endpoint>"               the health of an endpoint, and who works on it
//	                     sk "digests#<endpoint>"                the interval of which mentions are gathered now
//	                     sk "gathered#<endpoint>#<n>#<ulid>"    mentions of the endpoint's nth interval, of an announcement
//	                     sk "sealed#<endpoint>#<n>"             the nth interval is over, and its digest is to be made
//	                     sk "digestpart#<endpoint>#<n>#<batch>#<i>"  mentions of an event of the nth interval's digest
//	                     sk "silenced#<owner>#<address>"        an address that unsubscribed from an owner's mails
//	                     sk "bounced#<address>"                 an address that mail cannot be sent to
//	                     sk "disabled#<hour>"                   an endpoint was disabled in this hour, for a day
//
// An endpoint is as delivery.Endpoint writes it: "feed/7/WEBHOOK". An owner is "feed/7".
const (
	deliveriesPartition = "deliveries#"
	SortOutbox          = "outbox#"
	SortDelivery        = "delivery#"
	SortDue             = "due#"
	SortEndpoint        = "endpoint#"
	SortDigests         = "digests#"
	SortGathered        = "gathered#"
	SortSealed          = "sealed#"
	WorkDigests         = "digests"
	WorkAlerts          = "alerts"
	SortSilenced        = "silenced#"
	SortBounced         = "bounced#"
	SortDisabled        = "disabled#"
	SortDigestPart      = "digestpart#"
	WorkAnnouncements   = "announcements"
	WorkEndpoints       = "endpoints"
)

// Deliveries returns the partition of a workspace's deliveries.
func Deliveries(orgID string) string { return deliveriesPartition + orgID }

// SequenceOfEvents names the sequence that numbers the mentions that a feed delivers.
func SequenceOfEvents(feedID int64) string { return "ids#events#" + IDKey(feedID) }

const (
	SortKeyword     = "keyword#"
	SortKeywordText = "keywordtext#"
	Listeners       = "listeners"
)

// KeywordKey returns the key of a keyword.
func KeywordKey(orgID string, id int64) table.Key {
	return table.Key{Partition: orgID, Sort: SortKeyword + IDKey(id)}
}

// Rows of the counters table: pk org_…, sk "days#<month>#<keyword>". "d01" to "d31" count the mentions of a keyword
// that were posted on those days of UTC. The volumes of all keywords are one range. A change of a mention's tone, score
// or tags does not change them.
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

// IDKey returns a numeric id as sort keys hold it: 16 digits, so that text order is number order.
func IDKey(id int64) string { return fmt.Sprintf("%016d", id) }

const (
	SortMove = "membermove#"
)

// MoveKey returns the key of a change of an account's groups that is due.
func MoveKey(orgID, accountID string) table.Key {
	return table.Key{Partition: orgID, Sort: SortMove + accountID}
}

// Rows of the core table for alerts:
//
//	pk org_…  sk "alert#<id>"       an alert
//	          sk "alertstate#<id>"  what its evaluations have come to; missing for a new state
//	          sk "alertended#<id>#<rev>"  an episode that a change of that revision, or its deletion, ended
//	          sk "alerts"           the number of alerts ("alerts")
//
// The state has a row of its own, so that an evaluation and a change of the alert do not overwrite each other.
const (
	AlertRows        = "alert" // what all of them begin with
	SortAlert        = "alert#"
	SortAlertState   = "alertstate#"
	SortAlertEnded   = "alertended#"
	SortAlerts       = "alerts"
	SequenceOfAlerts = "ids#alerts"
	AttrPaused       = "paused" // alert.Pause
	AttrWatchesSince = "watchesSince"
	AttrEvaluatedAt  = "evaluatedAt" // of a state
)

// AlertKey returns the key of an alert.
func AlertKey(orgID string, id int64) table.Key {
	return table.Key{Partition: orgID, Sort: SortAlert + IDKey(id)}
}

// AlertStateKey returns the key of an alert's state.
func AlertStateKey(orgID string, id int64) table.Key {
	return table.Key{Partition: orgID, Sort: SortAlertState + IDKey(id)}
}

// AlertEndedRows begins the sort keys of the episodes of an alert that a change or its deletion ended.
func AlertEndedRows(id int64) string { return SortAlertEnded + IDKey(id) + "#" }

// EndAlertState returns the writes that delete an alert's state, because the alert is changed or deleted. a is the
// alert's row before that. state is its state's, nil if there is none. They are on the condition that no evaluation
// stored another state. If the alert is firing, they store that its episode has ended, which is due at once.
func EndAlertState(a, state table.Item, because string, now time.Time) []table.Write {
	key := AlertStateKey(table.KeyOf(a).Partition, Integer(a, "id"))
	return append(
		[]table.Write{table.Delete{Table: CoreTable, Key: key, If: unseen(state)}}, endEpisode(a, state, because, now)...,
	)
}

// LeaveAlertState is EndAlertState for destinations that are removed from an alert, whose state stays. a has these
// destinations alone. It writes the state as it is, because the functions that change alerts may not check rows.
func LeaveAlertState(a, state table.Item, because string, now time.Time) []table.Write {
	if state == nil {
		return EndAlertState(a, nil, because, now) // there is none to delete
	}
	return append(
		[]table.Write{table.Put{Table: CoreTable, Item: state, If: unseen(state)}}, endEpisode(a, state, because, now)...,
	)
}

// unseen is the condition that no evaluation stored another state than this one.
func unseen(state table.Item) table.Condition {
	if at := Text(state, AttrEvaluatedAt); at != "" {
		return table.Equal(AttrEvaluatedAt, at)
	}
	return table.Missing(AttrEvaluatedAt)
}

// endEpisode returns the write that stores the end of an episode; none if the alert is not firing, or tells nobody.
func endEpisode(a, state table.Item, because string, now time.Time) []table.Write {
	if !Boolean(state, "firing") || len(List(a, "destinations")) == 0 {
		return nil
	}
	orgID, id := table.KeyOf(a).Partition, Integer(a, "id")
	ended := maps.Clone(a)
	delete(ended, "filters") // they are large, and nothing is counted any more
	ended[table.SortAttribute] = AlertEndedRows(id) + IDKey(Integer(a, "rev"))
	ended[AttrWork], ended[AttrDueAt], ended["org"] = WorkAlerts, FromTime(now), orgID
	ended["state"], ended["because"] = map[string]any(state), because
	return []table.Write{table.Put{Table: CoreTable, Item: ended}}
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

// Purging returns the write that schedules the purge of a workspace at a time.
func Purging(orgID string, from time.Time) table.Put {
	key := PurgeKey(orgID)
	return table.Put{
		Table: CoreTable,
		Item: table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort,
			AttrWork: WorkPurge, AttrDueAt: FromTime(from)},
	}
}

// Unpurged returns the check that no purge of a workspace is scheduled. Transactions that make a workspace include it.
func Unpurged(orgID string) table.Check {
	return table.Check{Table: CoreTable, Key: PurgeKey(orgID), If: table.Absent()}
}

// Rows of the counters table: pk org_…, sk "quota#2026-11". "stored" counts the mentions that were collected and stored
// in that month of UTC, by the time of storing, those that backfills have set aside, and the new results of searches.
// Imported mentions do not count. "lookedBack" counts the mentions of the days that new keywords look back, which are
// free up to the plan's limit.
//
// "v01" to "v31" number the changes of the cells of mentions that were posted on those days of UTC, whenever they were
// stored. Whoever changes a cell of a day adds one, in the same transaction. The row of the month is written with most
// new mentions in any case, so their days' numbers are here. "k01" to "k31" number those of the changes that kept the
// texts of mentions that were there.
const (
	SortQuota      = "quota#"
	AttrLookedBack = "lookedBack"
)

// Rows of the core table: pk org_…, sk "backfill#<keyword>#lookback" and "backfill#<keyword>#asked", the last look back
// and the last backfill of a keyword. A row under way is in the index byDue, by when it may be worked on.
//
//	"run"               names the run: a later run takes the row over
//	"granted", "paid"   mentions of the month "month" that are set aside, and those of them that were stored
//	"stored"            new mentions of the run
//	"rev"               is raised by every change
const (
	SortBackfill  = "backfill#"
	WorkBackfills = "backfills"
	AttrRun       = "run"
	AttrPaid      = "paid"
	AttrStored    = "stored"
	AttrRevision  = "rev"
)

// BackfillKey returns the key of a backfill of a keyword, by its kind.
func BackfillKey(orgID string, keywordID int64, kind string) table.Key {
	return table.Key{Partition: orgID, Sort: SortBackfill + IDKey(keywordID) + "#" + kind}
}

// VersionAttribute returns the attribute that numbers the changes of a day's cells. day is as DayForm has it.
func VersionAttribute(day string) string { return "v" + day[len(DayForm)-2:] }

// KeptAttribute returns the attribute that numbers those changes of a day that kept its texts. day is as DayForm has it.
func KeptAttribute(day string) string { return "k" + day[len(DayForm)-2:] }

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

// Rows of the core table for settings that wait for the clean-up:
//
//	pk org_…  sk "cleanup#<keyword>"  the settings of a keyword that its proposal has and apply did not write
//
// The row is made with its keyword, and deleted in the transaction that writes the last setting. A row whose keyword
// was deleted has no meaning.
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

// Row of the counters table: pk org_…, sk "searches". "used" counts the searches that the workspace ever made. A search
// that ends without a result does not count.
const SortSearches = "searches"

// Rows of the counters table for searches (package searchstore).
const (
	SortSearch     = "search#"
	SortSearchPart = "searchpart#"
	SortSearched   = "searched#"
)

// Rows of the counters table for what mentions say (package summarystore). "summary#" is of days.
const SortSaid = "said#"

const (
	SortVolume   = "volume#"
	SortVolumeOf = "volumeof#"
)

// Rows of the counters table: pk org_…, sk "summary#2026-11-20", the mentions of that day of UTC without their texts, as
// package analytics packs them. "stamp" says which state of the day's cells "content" is of. A row with another stamp
// is outdated. Rows expire, and any of them may be missing.
const SortSummary = "summary#"

// Rows of the counters table: pk org_…, sk "words#relevant#2026-11-20" and "words#all#2026-11-20", the words of a
// workspace's mentions of that day of UTC, of relevant ones or of all, in blocks of neighbours (mentionstore). "version"
// is the day's in its quota row: a set of another version is outdated. A row with "reached" is unfinished: its words,
// "count" and "sum" are of the mentions down to that moment. Rows expire, and any of them may be missing.
const (
	SortWords   = "words#"
	AttrReached = "reached"
)

// Rows of the counters table for the terms of a workspace's days of UTC (mentionstore). "content" is one of the eight
// parts of a filter.TermSet of texts, by its number. Rows expire, and any of them may be missing.
//
//	pk org_…  sk "terms#3#2026-11-20#"           of all mentions of the day when its texts had "version"
//	pk org_…  sk "terms#3#2026-11-20#<writer>"   of those that a writer stored: "covers" changes of the day's texts
//	pk org_…  sk "termed#2026-11"                "d01" to "d31" (DayAttribute): the version of the day's texts that was
//	                                             gathered last, or -1 if that failed
const (
	SortTerms  = "terms#"
	SortTermed = "termed#"
	AttrCovers = "covers"
)

// Rows of the counters table: pk org_…, sk "digest#<keyword>#2026-11-20", the cells of a keyword, or of the workspace as
// keyword 0, on that day of UTC and the days after it, as package analytics packs them. "content" says which version
// of its cells each day is of. A day of another version is outdated, and so is a row of another "release" than the
// reader's. Rows expire, and any of them may be missing.
//
// pk "release#<id>", sk "release": "seen", when a release of the code that stores digests was first seen.
const (
	SortDigest  = "digest#"
	AttrRelease = "release"
	AttrSeen    = "seen"
)

// ReleaseKey returns the key of a release.
func ReleaseKey(id string) table.Key { return table.Key{Partition: "release#" + id, Sort: "release"} }

const DayForm = "2006-01-02"

// HourAttribute returns the attribute that counts an hour of a day.
func HourAttribute(hour int) string { return hourAttributes[hour] }

// HourOf returns the hour that an attribute counts. ok is false for other attributes.
func HourOf(attribute string) (hour int, ok bool) {
	if len(attribute) != 3 || attribute[0] != 'h' {
		return 0, false
	}
	hour = int(attribute[1]-'0')*10 + int(attribute[2]-'0')
	return hour, hour >= 0 && hour < 24 && hourAttributes[hour] == attribute
}

var hourAttributes = [24]string{
	"h00", "h01", "h02", "h03", "h04", "h05", "h06", "h07", "h08", "h09", "h10", "h11",
	"h12", "h13", "h14", "h15", "h16", "h17", "h18", "h19", "h20", "h21", "h22", "h23",
}

const (
	SortWorkspace = "workspace"
	SortAgency    = "agency"
	SortKey       = "key"
	SortMember    = "workspace#"
)

// RunsKept is how many runs of a draft have rows: its last ones.
const RunsKept = 5

// SetupContent returns the partition of the outcomes of a run.
func SetupContent(orgID, draftID string, number int64) string {
	return SetupPartition + orgID + "#" + draftID + "#" + fmt.Sprintf(NumberDigits, number)
}

// ExportFile returns the key of an export's file, in a folder named by the workspace's id.
func ExportFile(orgID, exportID, format string) string { return orgID + "/" + exportID + "." + format }

// PersonKey returns the key of a person in a workspace, by the address in the directory's form (identity.Fold).
func PersonKey(orgID, folded string) table.Key {
	return table.Key{Partition: Persons + folded, Sort: orgID}
}
