package mentionstore

import (
	"errors"
	"maps"
	"strings"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// A Bill says who pays for new mentions.
type Bill struct {
	Limit int             // of what the workspace stores in a month of UTC
	Free  map[string]bool // by SourceID: mentions that do not count against the month, up to Limit of them a month
	// Backfill is the row whose work the mentions are; nil: none. It counts them as stored. What was set aside for it
	// pays before the month does.
	Backfill *BackfillRow
	// Shows returns the feeds with destinations that show a mention. The transaction that stores the mention announces
	// it to them. nil: no feed has a destination.
	Shows func(m *mention.Mention) []int64
}

// A BackfillRow names a run of a backfill (listenstore).
type BackfillRow struct {
	Key     table.Key
	Run     string
	Granted int // mentions of the month that are set aside
}

// ErrBackfillGone means that a backfill's row is deleted, or is another run's.
var ErrBackfillGone = errors.New("store: the backfill is gone")

// split divides mentions into those that are free and the others.
func (b Bill) split(found []mention.Mention) (free, charged []mention.Mention) {
	for _, m := range found {
		if b.Free[m.SourceID] {
			free = append(free, m)
		} else {
			charged = append(charged, m)
		}
	}
	return free, charged
}

// A payment is a way to pay for mentions: a counter with a bound.
type payment struct {
	counted   table.Update // without its condition
	attribute string
	most      int
	run       string        // the condition of a backfill's row; empty: counted is not such a row
	also      *table.Update // the backfill's row, if it is another one
}

// payments returns the ways to pay, the first first. A bound that is met leads to the next.
func (s *Store) payments(orgID string, bill Bill, free bool) (ways []payment) {
	quota := table.Update{Table: rows.CountersTable, Key: s.QuotaKey(orgID)}
	month := payment{counted: quota, attribute: "stored", most: bill.Limit}
	if bill.Backfill != nil {
		row := table.Update{Table: rows.CoreTable, Key: bill.Backfill.Key}
		month.also, month.run = &row, bill.Backfill.Run
		if !free && bill.Backfill.Granted > 0 {
			ways = append(
				ways, payment{counted: row, attribute: rows.AttrPaid, most: bill.Backfill.Granted, run: bill.Backfill.Run},
			)
		}
	}
	if free {
		look := month
		look.attribute = rows.AttrLookedBack
		ways = append(ways, look)
	}
	return append(ways, month)
}

// writes returns how many writes pay returns.
func (p payment) writes() int {
	if p.also != nil {
		return 2
	}
	return 1
}

// month returns the month in whose quota row pay writes; empty: it writes in none.
func (p payment) month() string {
	month, ok := strings.CutPrefix(p.counted.Key.Sort, rows.SortQuota)
	if !ok {
		return ""
	}
	return month
}

// pay returns the writes that pay for n mentions. The first has the bound, and adds the versions of days of month.
func (p payment) pay(n int, versions map[string]int64) []table.Write {
	bounded := p.counted
	bounded.If = rows.Room(p.attribute, int64(n), int64(p.most))
	bounded.Add = map[string]int64{p.attribute: int64(n)}
	maps.Copy(bounded.Add, versions)
	if p.also != nil {
		progress := *p.also
		progress.If = table.Equal(rows.AttrRun, p.run)
		progress.Add = map[string]int64{rows.AttrStored: int64(n), rows.AttrRevision: 1}
		return []table.Write{bounded, progress}
	}
	if p.run != "" {
		bounded.If = table.All(table.Equal(rows.AttrRun, p.run), bounded.If)
		bounded.Add[rows.AttrStored], bounded.Add[rows.AttrRevision] = int64(n), 1
	}
	return []table.Write{bounded}
}

// refused reports whether the bound stopped a transaction, whose writes of pay begin at from. It then returns how many
// mentions there is room for. gone reports whether the backfill's row is gone.
func (p payment) refused(canceled *table.Canceled, from int) (spent bool, room int, gone bool) {
	if p.also != nil && canceled.Failed(from+1) {
		return false, 0, true
	}
	if !canceled.Failed(from) {
		return false, 0, false
	}
	item := canceled.Reasons[from].Item
	if p.also == nil && p.run != "" && rows.Text(item, rows.AttrRun) != p.run {
		return false, 0, true
	}
	return true, max(0, p.most-int(rows.Integer(item, p.attribute))), false
}
