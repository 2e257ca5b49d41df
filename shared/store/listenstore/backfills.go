package listenstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Kinds of backfills. A keyword has at most one of each.
const (
	LookBack = "lookback" // of a new keyword; free of the quota
	Asked    = "asked"    // by a client
)

// BackfillStatus is the state of a backfill.
type BackfillStatus string

// The states. Only BackfillRunning changes.
const (
	BackfillRunning        BackfillStatus = "running"
	BackfillCompleted      BackfillStatus = "completed"
	BackfillQuotaExhausted BackfillStatus = "quota_exhausted" // the month ended it
)

// Backfill is a keyword's search for posts of the past.
type Backfill struct {
	WorkspaceID string
	KeywordID   int64
	Kind        string
	Run         string // names the run; a new one is drawn on start
	Status      BackfillStatus
	Days        int
	Since       time.Time // the window
	Until       time.Time
	Low, High   int  // estimate of the mentions that it will bill, at the start
	Whole       bool // whether the estimate rests on every post of the archive

	Granted int // mentions of the month that are set aside, if it runs
	Paid    int // of them: those that were stored
	Stored  int // new mentions, also free ones
	Read    int // posts
	Matched int // of them
	month   string

	Source   string            // that is being read: those before it, by name, are done
	After    string            // position in the source
	Skipped  map[string]string // why a source was not read, by its name
	Failures int               // in a row

	DueAt      time.Time // zero unless it runs
	StartedAt  time.Time
	FinishedAt time.Time // zero if it runs
	claim      string
	revision   int64
}

// Key returns the key of the backfill's row.
func (b Backfill) Key() table.Key { return rows.BackfillKey(b.WorkspaceID, b.KeywordID, b.Kind) }

// ErrBackfillQuota means that the month has no room for a backfill.
var ErrBackfillQuota = errors.New("store: the month has no room for the backfill")

// StartBackfill starts a backfill, due at once, and sets High mentions of the month aside for one that was asked for.
// While one of its kind runs, it returns that one, and a repeated request returns what the keyword has. A look back
// starts once for a keyword. request is its name in Repeated of the HTTP kit. Returns ErrNotFound if there is no such
// keyword, and ErrBackfillQuota if limit mentions a month leave no room; both are exact however many calls run at once.
func (s *Store) StartBackfill(
	ctx context.Context, b Backfill, limit int, request string,
) (started Backfill, err error) {
	b.Run, b.Status, b.StartedAt = rand.Text(), BackfillRunning, s.Instant()
	b.DueAt, b.revision = b.StartedAt, 1
	quota := s.QuotaKey(b.WorkspaceID)
	replaces := table.Absent()
	if b.Kind == Asked {
		b.Granted, b.month = b.High, quota.Sort
		replaces = table.Any(table.Absent(), table.Missing(rows.AttrWork))
	}
	writes := []table.Write{
		table.Check{Table: rows.CoreTable, Key: rows.KeywordKey(b.WorkspaceID, b.KeywordID), If: table.Present()},
		table.Put{Table: rows.CoreTable, Item: fromBackfill(b), If: replaces},
	}
	if b.Granted > 0 {
		writes = append(writes, table.Update{
			Table: rows.CountersTable,
			Key:   quota,
			If:    rows.Room("stored", int64(b.Granted), int64(limit)),
			Add:   map[string]int64{"stored": int64(b.Granted)},
		})
	}
	if b.Granted > limit && b.Kind == Asked { // nor does a month without a counter have room
		return Backfill{}, ErrBackfillQuota
	}
	granting := len(writes) - 1
	writes = append(writes, s.Making(b.WorkspaceID, request, b.Run)...)
	err = s.Settle(ctx, "start a backfill", func() error {
		made, err := s.Made(ctx, b.WorkspaceID, request)
		if err != nil {
			return err
		}
		if made != "" {
			started, err = s.Backfill(ctx, b.WorkspaceID, b.KeywordID, b.Kind)
			return err
		}
		err = s.Table.Transact(ctx, table.Transaction{Writes: writes})
		var canceled *table.Canceled
		switch {
		case err == nil:
			started = b
			return nil
		case !errors.As(err, &canceled):
			return err
		case canceled.Failed(0):
			return store.ErrNotFound
		case canceled.Failed(1):
			if started, err = s.Backfill(ctx, b.WorkspaceID, b.KeywordID, b.Kind); !errors.Is(err, store.ErrNotFound) {
				return err
			}
			return canceled // it was deleted meanwhile: the next attempt finds out
		case b.Granted > 0 && canceled.Failed(granting):
			return ErrBackfillQuota
		}
		return err
	})
	return started, err
}

// Backfill reads a keyword's last backfill of a kind. Returns ErrNotFound if it had none.
func (s *Store) Backfill(ctx context.Context, orgID string, keywordID int64, kind string) (Backfill, error) {
	return store.One(ctx, s.Kernel, rows.BackfillKey(orgID, keywordID, kind), toBackfill)
}

// Backfills lists the backfills of a workspace.
func (s *Store) Backfills(ctx context.Context, orgID string) ([]Backfill, error) {
	query := table.Query{Partition: orgID, Prefix: rows.SortBackfill, Consistent: true}
	return store.AllOf(ctx, s.Kernel, "backfills", query, toBackfill)
}

// DueBackfills lists backfills that may be worked on now, the longest overdue first, at most limit.
func (s *Store) DueBackfills(ctx context.Context, limit int) ([]Backfill, error) {
	items, err := s.DueRows(ctx, rows.WorkBackfills, limit)
	due := make([]Backfill, len(items))
	for i, item := range items {
		due[i] = toBackfill(item)
	}
	return due, err
}

// ClaimBackfill claims a due backfill for the time lease and returns it as it is now. It is due again after that, unless
// it is saved or ended. Returns false if it is not due, has ended, is another run, or is gone.
func (s *Store) ClaimBackfill(ctx context.Context, b Backfill, lease time.Duration) (Backfill, bool, error) {
	now, claim := s.Clock.Now(), rand.Text()
	item, err := s.Table.Update(ctx, table.Update{
		Table: rows.CoreTable,
		Key:   b.Key(),
		If: table.All(
			table.Equal(rows.AttrRun, b.Run),
			table.Any(
				table.Equal("claim", claim), // a repeat may meet its own claim
				table.Less(rows.AttrDueAt, rows.FromTime(now.Add(time.Millisecond))),
			),
		),
		Set: map[string]any{rows.AttrDueAt: rows.FromTime(now.Add(lease)), "claim": claim},
		Add: map[string]int64{rows.AttrRevision: 1},
	})
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return Backfill{}, false, nil
	case err != nil:
		return Backfill{}, false, fmt.Errorf("claim a backfill: %w", err)
	}
	return toBackfill(item), true, nil
}

// SaveBackfill stores how far a claimed backfill came, and when it is due again. With a zero DueAt the claim goes on.
// Returns false if it is another caller's by now, or gone.
func (s *Store) SaveBackfill(ctx context.Context, b Backfill) (ok bool, err error) {
	set := map[string]any{
		"source": b.Source, "after": b.After, "read": int64(b.Read), "matched": int64(b.Matched),
		"failures": int64(b.Failures), "skipped": fromSkipped(b.Skipped),
	}
	if !b.DueAt.IsZero() {
		set[rows.AttrDueAt] = rows.FromTime(b.DueAt)
	}
	_, err = s.Table.Update(ctx, table.Update{
		Table: rows.CoreTable,
		Key:   b.Key(),
		If:    table.All(table.Equal(rows.AttrRun, b.Run), table.Equal("claim", b.claim)),
		Set:   set,
		Add:   map[string]int64{rows.AttrRevision: 1},
	})
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("save a backfill: %w", err)
	}
	return true, nil
}

// EndBackfill ends a run, and returns to the month what was set aside and not used. An ended or deleted run stays as it
// is.
func (s *Store) EndBackfill(ctx context.Context, b Backfill, status BackfillStatus) error {
	return s.Settle(ctx, "end a backfill", func() error {
		item, err := s.Get(ctx, rows.CoreTable, b.Key())
		if err != nil {
			return err
		}
		now := toBackfill(item)
		if item == nil || now.Run != b.Run || now.Status != BackfillRunning {
			return nil
		}
		writes := []table.Write{table.Update{
			Table: rows.CoreTable,
			Key:   b.Key(),
			If:    table.Equal(rows.AttrRevision, now.revision),
			Set: map[string]any{
				"status": string(status), "finishedAt": rows.FromTime(s.Instant()), "granted": int64(now.Paid),
				"read": int64(b.Read), "matched": int64(b.Matched), "skipped": fromSkipped(b.Skipped),
			},
			Remove: []string{rows.AttrWork, rows.AttrDueAt, "claim", "source", "after"},
			Add:    map[string]int64{rows.AttrRevision: 1},
		}}
		return s.Table.Transact(ctx, table.Transaction{Writes: append(writes, now.returned()...)})
	})
}

// returned returns the write that returns to the month what is set aside and not used, or none.
func (b Backfill) returned() []table.Write {
	left := b.Granted - b.Paid
	if left <= 0 {
		return nil
	}
	return []table.Write{table.Update{
		Table: rows.CountersTable,
		Key:   table.Key{Partition: b.WorkspaceID, Sort: b.month},
		Add:   map[string]int64{"stored": -int64(left)},
	}}
}

// withoutBackfills returns the writes that delete a keyword's backfills in the transaction that deletes the keyword.
func (s *Store) withoutBackfills(ctx context.Context, orgID string, keywordID int64) (writes []table.Write, err error) {
	keys := []table.Key{rows.BackfillKey(orgID, keywordID, LookBack), rows.BackfillKey(orgID, keywordID, Asked)}
	items, err := s.All(ctx, keys)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		deletion := table.Delete{Table: rows.CoreTable, Key: keys[i], If: table.Absent()}
		if item != nil {
			b := toBackfill(item)
			deletion.If = table.Equal(rows.AttrRevision, b.revision)
			writes = append(writes, b.returned()...)
		}
		writes = append(writes, deletion)
	}
	return writes, nil
}

func fromSkipped(skipped map[string]string) map[string]any {
	written := make(map[string]any, len(skipped))
	for name, reason := range skipped {
		written[name] = reason
	}
	return written
}

func fromBackfill(b Backfill) table.Item {
	key := b.Key()
	item := table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		rows.AttrWork:            rows.WorkBackfills,
		rows.AttrDueAt:           rows.FromTime(b.DueAt),
		rows.AttrRun:             b.Run,
		rows.AttrRevision:        b.revision,
		"org":                    b.WorkspaceID,
		"keywordId":              b.KeywordID,
		"kind":                   b.Kind,
		"status":                 string(b.Status),
		"days":                   int64(b.Days),
		"since":                  rows.FromTime(b.Since),
		"until":                  rows.FromTime(b.Until),
		"startedAt":              rows.FromTime(b.StartedAt),
		"skipped":                fromSkipped(b.Skipped),
		rows.AttrPaid:            int64(0), // a missing counter has room for any number
	}
	rows.Set(item, "low", int64(b.Low))
	rows.Set(item, "high", int64(b.High))
	rows.Set(item, "whole", b.Whole)
	rows.Set(item, "granted", int64(b.Granted))
	rows.Set(item, "month", b.month)
	return item
}

func toBackfill(item table.Item) Backfill {
	b := Backfill{
		WorkspaceID: rows.Text(item, "org"),
		KeywordID:   rows.Integer(item, "keywordId"),
		Kind:        rows.Text(item, "kind"),
		Run:         rows.Text(item, rows.AttrRun),
		Status:      BackfillStatus(rows.Text(item, "status")),
		Days:        int(rows.Integer(item, "days")),
		Since:       rows.ToTime(rows.Text(item, "since")),
		Until:       rows.ToTime(rows.Text(item, "until")),
		Low:         int(rows.Integer(item, "low")),
		High:        int(rows.Integer(item, "high")),
		Whole:       rows.Boolean(item, "whole"),
		Granted:     int(rows.Integer(item, "granted")),
		Paid:        int(rows.Integer(item, rows.AttrPaid)),
		Stored:      int(rows.Integer(item, rows.AttrStored)),
		Read:        int(rows.Integer(item, "read")),
		Matched:     int(rows.Integer(item, "matched")),
		month:       rows.Text(item, "month"),
		Source:      rows.Text(item, "source"),
		After:       rows.Text(item, "after"),
		Skipped:     map[string]string{},
		Failures:    int(rows.Integer(item, "failures")),
		DueAt:       rows.ToTime(rows.Text(item, rows.AttrDueAt)),
		StartedAt:   rows.ToTime(rows.Text(item, "startedAt")),
		FinishedAt:  rows.ToTime(rows.Text(item, "finishedAt")),
		claim:       rows.Text(item, "claim"),
		revision:    rows.Integer(item, rows.AttrRevision),
	}
	skipped, _ := item["skipped"].(map[string]any)
	for name, reason := range skipped {
		b.Skipped[name], _ = reason.(string)
	}
	return b
}
