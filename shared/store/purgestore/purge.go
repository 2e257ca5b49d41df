package purgestore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// How a purge continues. Work that was under way when the workspace was deleted may write as long as it runs. Nothing
// in a deployment runs longer than a quarter of an hour, the bound of Lambda and of a setup run. Later calls and
// messages read the workspace again and find nothing to write for. So a look that finds nothing, an hour or more after
// the first look, is the last one. A look that finds something is followed by another in an hour.
const (
	purgeAgain = time.Hour
	// purgeLease is how long a workspace belongs to one caller. If the caller dies, the schedule's next call continues.
	purgeLease = 10 * time.Minute
	// After failures the pause grows from purgePause, which each of them doubles, up to purgeLongest.
	purgePause   = 10 * time.Minute
	purgeLongest = 24 * time.Hour
)

// ErrNotPurged means that a purge is scheduled for a workspace that exists. Nothing was deleted: an operator has to
// look.
var ErrNotPurged = errors.New("store: a purge is scheduled for a live workspace")

// Purges lists the workspaces whose purge is due now, the longest overdue first, at most limit.
func (s *Store) Purges(ctx context.Context, limit int) ([]string, error) {
	items, err := s.DueRows(ctx, rows.WorkPurge, limit)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(items))
	for i, row := range items {
		ids[i] = table.KeyOf(row).Partition
	}
	return ids, nil
}

// Beside deletes what a workspace owns outside the tables. Deleting what does not exist is no error.
type Beside struct {
	File func(ctx context.Context, key string) error // of an export
	// DayFile deletes a file of a day. It is called only if days of the workspace have files.
	DayFile func(ctx context.Context, key string) error
	Group   func(ctx context.Context, orgID string) error // the identity provider's
	Slack   func(ctx context.Context, orgID string) error // the token
}

// Purged counts what a call of Purge did.
type Purged struct {
	Rows     int // taken away
	Files    int // taken away
	Group    bool
	Refused  error // why the directory refused to delete the group; the rows are deleted in any case
	Failures int64 // failed looks in a row, this one included
	More     bool  // there is more to be taken away, at once
	Over     bool  // nothing is left, and no look follows
}

// Purge deletes what is left of a workspace that was deleted or never made, in one look. It stops after its share of
// the work, and when the context's deadline is closer than enough: then the workspace queues behind all others that are
// due. Wherever it stops or dies, the next call continues. Of several calls at once, one works. It does nothing if
// nothing is due. Returns ErrNotPurged if the workspace exists.
func (s *Store) Purge(ctx context.Context, orgID string, beside Beside, enough time.Duration) (done Purged, err error) {
	p, mine, err := s.beginPurge(ctx, orgID)
	if err != nil || !mine {
		return done, err
	}
	p.beside, p.enough, p.done = beside, enough, &done
	all, err := p.takeRows(ctx)
	if err == nil && all {
		done.Refused = beside.Group(ctx, orgID)
		done.Group = done.Refused == nil
		err = beside.Slack(ctx, orgID)
	}
	now := s.Instant()
	switch {
	case err != nil || done.Refused != nil:
		done.Failures = p.failures + 1
		if unsettled := p.settle(ctx, now.Add(p.pause()), done.Failures); err == nil {
			err = unsettled
		}
		return done, err
	case !all:
		done.More = true
		return done, p.settle(ctx, now, p.failures)
	case done.Rows > 0 || now.Sub(p.begun) < purgeAgain:
		return done, p.settle(ctx, now.Add(purgeAgain), 0)
	}
	done.Over, err = p.end(ctx)
	return done, err
}

// purge is one call of Purge that has claimed its workspace.
type purge struct {
	*Store
	orgID    string
	row      table.Item // as it was read
	due      string     // when dueAt was written
	begun    time.Time
	failures int64

	beside Beside
	enough time.Duration
	done   *Purged
	width  int // writes at the same time
	share  int // rows that may still be taken away in this call
}

// beginPurge claims a workspace for a while. mine is false if nothing is due for it, or if another caller holds it.
func (s *Store) beginPurge(ctx context.Context, orgID string) (p *purge, mine bool, err error) {
	row, err := s.Get(ctx, rows.CoreTable, rows.PurgeKey(orgID))
	now := s.Instant()
	if err != nil || row == nil || rows.Text(row, rows.AttrDueAt) > rows.FromTime(now) {
		return nil, false, err
	}
	p = &purge{
		Store:    s,
		orgID:    orgID,
		row:      row,
		due:      rows.FromTime(now.Add(purgeLease)),
		begun:    now,
		failures: rows.Integer(row, rows.AttrFailures),
		width:    purgeWidth,
		share:    purgeShare,
	}
	if begun := rows.Text(row, rows.AttrBegun); begun != "" {
		p.begun = rows.ToTime(begun)
	}
	err = s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
		table.Update{
			Table: rows.CoreTable,
			Key:   rows.PurgeKey(orgID),
			If:    table.Equal(rows.AttrDueAt, rows.Text(row, rows.AttrDueAt)),
			Set:   map[string]any{rows.AttrDueAt: p.due, rows.AttrBegun: rows.FromTime(p.begun)},
		},
		table.Check{Table: rows.CoreTable, Key: rows.OwnerKey(orgID), If: table.Absent()},
	}})
	var canceled *table.Canceled
	switch {
	case err == nil:
		return p, true, nil
	case errors.As(err, &canceled) && canceled.Failed(0):
		return nil, false, nil // another has begun, or the workspace has been made meanwhile
	case errors.As(err, &canceled) && canceled.Failed(1):
		return nil, false, fmt.Errorf("%w: %s", ErrNotPurged, orgID)
	}
	return nil, false, fmt.Errorf("begin a purge: %w", err)
}

// pause returns how long to wait after a failure.
func (p *purge) pause() time.Duration {
	return min(purgePause<<min(p.failures, 10), purgeLongest)
}

// settle stores when the purge continues. It changes nothing if another caller holds the workspace by now.
func (p *purge) settle(ctx context.Context, due time.Time, failures int64) error {
	if earlier := rows.ToTime(rows.Text(p.row, rows.AttrDueAt)); !due.After(earlier) {
		due = earlier.Add(time.Millisecond) // always differs from the value before
	}
	err := p.Table.Transact(ctx, table.Transaction{Writes: []table.Write{table.Update{
		Table: rows.CoreTable, Key: rows.PurgeKey(p.orgID), If: table.Equal(rows.AttrDueAt, p.due),
		Set: map[string]any{rows.AttrDueAt: rows.FromTime(due), rows.AttrFailures: failures},
	}}})
	_, err = store.Conditional(err, "schedule the next look of a purge")
	return err
}

// end deletes the purge's own row. Returns false if another caller holds the workspace by now.
func (p *purge) end(ctx context.Context) (bool, error) {
	err := p.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
		table.Delete{Table: rows.CoreTable, Key: rows.PurgeKey(p.orgID), If: table.Equal(rows.AttrDueAt, p.due)}}})
	return store.Conditional(err, "end a purge")
}
