// Package attention holds the rules that decide what needs the attention of a workspace's people: a plan that is used
// up, keywords that find nothing, sources that fail. They are pure: facts of the workspace go in, items come out, and
// the same fact always gives the same item.
//
// The function organization imports it, reads its input and shows its items.
package attention

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"earshot/shared/alert"
	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/workspace"
)

// Facts are the known facts of a workspace.
type Facts struct {
	Workspace    workspace.Workspace
	Now          time.Time
	Stored       int // mentions of this month
	Limit        int // of the plan
	ResetAt      time.Time
	Keywords     []keyword.Keyword
	KeywordsMade int64               // the last keyword id that the workspace drew; read only if there are no keywords
	Mentioned    map[int64]time.Time // the day of each keyword's last mention; keywords without one are missing
	Tasks        []Task
	Judged       map[int64]Judged // by keyword
	Company      workspace.Company
	Keys         []workspace.Key
	Disabled     []Endpoint
	Paused       []PausedAlert
	Feeds        []feed.Feed
	Told         bool         // whether a feed, a notification that is enabled or an alert has a destination
	Series       alert.Series // relevant mentions by hour, and the negative ones, of the last SeriesDays days
	Loud         []Loud       // the latest mentions of many followers that nobody marked as engaged
}

// SeriesDays is how many days Facts.Series covers: what the rules compare with, and the week in which something may have
// begun.
const SeriesDays = 36

// Loud is a mention by somebody whom many follow.
type Loud struct {
	SourceID  string
	Author    string // handle; a stranger chose it
	Source    string
	Followers int64
	PostedAt  time.Time
}

// Endpoint is where deliveries went until it was given up.
type Endpoint struct {
	Name  string    // "feed/7/WEBHOOK"
	Owner string    // the name of the feed, the notification or the alert
	Kind  string    // of the destination, in words: "webhook"
	Why   string    // it was given up, a sentence
	Since time.Time // when it was given up
}

// PausedAlert is an alert that the service disabled, because the feed that it watched was deleted, or a keyword that its
// filters named.
type PausedAlert struct {
	ID    int64
	Name  string
	Feed  bool      // whether its feed was deleted, not a keyword
	Since time.Time // when it was disabled
}

// Task is something that is fetched again and again.
type Task struct {
	KeywordID int64 // 0 for a source that is read whole, for all workspaces
	Source    string
	Failures  int       // in a row
	Since     time.Time // when it was last fetched; zero if never
}

// Judged counts users' judgements.
type Judged struct{ Relevant, NotRelevant int64 }

// Item is one thing that needs attention.
type Item struct {
	ID        string // constant for one occurrence, and unique across workspaces
	Kind      Kind
	Severity  Severity
	Title     string
	Message   string // the fact and the remedy
	Action    Action
	CreatedAt time.Time // since when the fact holds, as far as known
}

// Kind is the subject of an item.
type Kind string

// The kinds.
const (
	QuotaUsed          Kind = "quota_used"
	QuotaNearlyUsed    Kind = "quota_nearly_used"
	NoKeywords         Kind = "no_keywords"
	KeywordsPaused     Kind = "keywords_paused"
	KeywordSilent      Kind = "keyword_silent"
	SourceFailing      Kind = "source_failing"
	ManyFalsePositives Kind = "many_false_positives"
	NoCompany          Kind = "no_company"
	KeyExpires         Kind = "key_expires"
	DeliveryBroken     Kind = "delivery_broken"
	AlertPaused        Kind = "alert_paused"
	NoDestination      Kind = "no_destination"
	MentionSpike       Kind = "mention_spike"
	NegativeRising     Kind = "negative_rising"
	HighReach          Kind = "high_reach_unanswered"
)

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{
		QuotaUsed, QuotaNearlyUsed, NoKeywords, KeywordsPaused, KeywordSilent, SourceFailing, ManyFalsePositives,
		NoCompany, KeyExpires, DeliveryBroken, AlertPaused, NoDestination, MentionSpike, NegativeRising, HighReach,
	}
}

// Severity is how urgent an item is.
type Severity string

// The severities, most urgent first.
const (
	Critical Severity = "critical" // nothing is collected
	Warning  Severity = "warning"  // something is wrong, or soon will be
	Info     Severity = "info"     // it could be better
)

// Severities returns all severities, most urgent first.
func Severities() []Severity { return []Severity{Critical, Warning, Info} }

// Action is the remedy. Open names the path of the operation to call next, and Apply that of the one which does what the
// item proposes. None has no path.
type Action struct {
	Type     ActionType
	Path     string // empty for None
	Endpoint string // of Apply: the endpoint that it enables
}

// ActionType is the kind of an action.
type ActionType string

// The types.
const (
	Open  ActionType = "open"
	Apply ActionType = "apply"
	None  ActionType = "none"
)

// The constants of the rules.
const (
	nearly       = 0.8                // of the plan's mentions: time to act, before collection stops
	silence      = 30                 // days without a mention
	young        = 7 * 24 * time.Hour // a new keyword may find nothing at first
	manyFailures = 5                  // in a row; more than a bad hour, because each doubles the wait
	enoughJudged = 10                 // judgements; fewer say nothing about a rate
	tooManyFalse = 0.5                // share of the judgements
	expiresSoon  = 7 * 24 * time.Hour // of an API key
	lately       = 7 * 24 * time.Hour // in which a spike or a rise began
	manyFollow   = 10_000             // followers
	mostLoud     = 3                  // mentions that are named
	day          = 24 * time.Hour
)

// Items returns what needs attention, most urgent first.
func Items(f Facts) []Item {
	var items []Item
	for _, rule := range []func(Facts) []Item{quota, keywords, silent, failing, falsePositives, company, keys, broken,
		paused, destinations, rising, loud} {
		items = append(items, rule(f)...)
	}
	slices.SortStableFunc(items, func(a, b Item) int {
		urgency := func(i Item) int { return slices.Index(Severities(), i.Severity) }
		return cmp.Or(cmp.Compare(urgency(a), urgency(b)), a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return items
}

const idPrefix = "att_"

// idOf returns the id of an occurrence: of its subject, and of which time it happens.
func (f Facts) idOf(kind Kind, subject, occurrence string) string {
	digest := sha256.Sum256([]byte(strings.Join([]string{f.Workspace.ID, string(kind), subject, occurrence}, "\x00")))
	return idPrefix + hex.EncodeToString(digest[:16])
}

// ValidID reports whether a text has the form of an item's id.
func ValidID(id string) bool {
	digest, err := hex.DecodeString(strings.TrimPrefix(id, idPrefix))
	return err == nil && len(digest) == 16 && strings.HasPrefix(id, idPrefix) && strings.ToLower(id) == id
}
