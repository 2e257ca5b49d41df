package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/port/table"
)

// Row of the core table: pk org_…, sk "purge", of a workspace of which nothing is to be left: one that was deleted, or one whose
// creation has not come to its end in time. It is the last row of the workspace to go. In the index byDue it is work "purge" from the
// moment when somebody is to begin, or go on.
//
// "agency" is there for a workspace that is being created: the agency that keeps a place for it (agencyworkspaces.go), and whose row
// sk "workspace#org_…" goes with the purge. Who creates the workspace takes this row away when it is made, on the condition that dueAt is
// what it wrote. So whoever purges moves dueAt before anything is taken away, on the conditions that it is what the purge has read and
// that there is no such workspace; and never writes a dueAt that was there before.
//
// "begun" is when somebody first did so. "failures" counts the looks in a row that the provider of the group refused, or that went wrong.
// "run#<draft>#<number>" is there for each run that was under way when its row was taken away: what it has written since is looked for.
//
// These rows name a workspace. A new kind of row is taken away with its partition where it is in one of the workspace's own; else it is to
// be added here, to Purge, and to what storetest.Fill makes.
//
//	core      pk org_…                all that the workspace has: settings, keywords, feeds, notifications, filters, company, feedback, what
//	                                  is collected, what waits for the clean-up, drafts and their runs, members, invitations, moves, counts
//	core      pk listeners   sk org_… what is listened for
//	core      pk workspaces  sk org_… the directory's entry; it goes with the workspace
//	core      pk upgrades    sk org_… a wish for another plan; it goes with the workspace
//	core      pk key_…                API keys; they go with the workspace, and only so: nothing here could find them
//	core      pk agc_…  sk workspace#org_…  its place with its agency; it goes with the workspace, or is still kept for one that was not made
//	core      pk person#…    sk org_… found by the row of the member or the invitation that it names, and taken away before that
//	mentions  pk org_…                mentions
//	archive   pk org_…                old mentions
//	counters  pk org_…                rate windows, quotas, sequences, volumes, exports, suggestions, tokens, requests and their answers, …
//	counters  pk setup#org_…#…        what the stages of runs hand on: found by the draft and the runs, and taken away before those
//	files     org_…/…                 files of exports: found by the row of the export, and taken away before that
//
// Left to their expiry are rows that nothing of the workspace leads to, and that nobody can do anything with any more:
//
//	counters  pk upgrade#<digest>     links to the upgrade page, for a quarter of an hour: only who has the secret finds the row, and a wish
//	                                  is noted for a workspace that is there
//	counters  pk org_… or agc_…       of the agency and its anchor: requests that made or deleted the workspace, and their answers, for a day
//	core      pk agc_…  sk invitee#…  that a person had the agency's one mail, while the invitation that it was of would have been open; who
//	                                  reads it looks whether that is there
//	counters  pk setup#org_…#…        of drafts that had given way to others, for a month
//
// The rows of an agency and of its master keys name its anchor, which is not deleted while the agency is there.
//
// A file whose export has expired goes by the bucket's own rule, in a week. The answers of sources (pk survey#…) name no workspace.
const (
	sortPurge     = "purge"
	workPurge     = "purge"
	attrBegun     = "begun"
	attrFailures  = "failures"
	attrForAgency = "agency"
)

// How a purge goes on. What was under way when the workspace was deleted may write for as long as it runs, and nothing that runs in a
// deployment does so for longer than a quarter of an hour, which is Lambda's bound and that of a run of the setup engine; a call or a
// message that comes later reads anew what there is, and finds nothing to write for. So an hour after the first look, which is after the
// deletion, a look that finds nothing is the last one. One that finds something is followed by another in an hour.
const (
	purgeAgain = time.Hour
	// purgeLease is for how long a workspace is one caller's: whoever died with it is followed by the next call of the schedule.
	purgeLease = 10 * time.Minute
	// After failures the pause grows from purgePause, which each of them doubles, up to purgeLongest.
	purgePause   = 10 * time.Minute
	purgeLongest = 24 * time.Hour
)

// ErrNotPurged means that a workspace is there of which nothing is to be left. Nothing of it was taken away: somebody has to look.
var ErrNotPurged = errors.New("store: a workspace that is there is to be purged")

func purgeKey(orgID string) table.Key { return table.Key{Partition: orgID, Sort: sortPurge} }

// purging is the part of a transaction that has everything of a workspace taken away, from a moment on.
func purging(orgID string, from time.Time) table.Put {
	key := purgeKey(orgID)
	return table.Put{Table: CoreTable, Item: table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort,
		attrWork: workPurge, attrDueAt: fromTime(from)}}
}

// unpurged holds while nothing of a workspace is to be taken away: part of a transaction that makes one.
func unpurged(orgID string) table.Check {
	return table.Check{Table: CoreTable, Key: purgeKey(orgID), If: table.Absent()}
}

// Purges lists the workspaces of which something is to be taken away now, the longest overdue first, at most limit.
func (s *Store) Purges(ctx context.Context, limit int) ([]string, error) {
	rows, err := s.dueRows(ctx, workPurge, limit)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = table.KeyOf(row).Partition
	}
	return ids, nil
}

// Beside is who takes away what a workspace has beside its rows. What is not there is no error.
type Beside struct {
	File  func(ctx context.Context, key string) error   // of an export
	Group func(ctx context.Context, orgID string) error // the identity provider's
}

// Purged says what a call of Purge did.
type Purged struct {
	Rows     int // taken away
	Files    int // taken away
	Group    bool
	Refused  error // by which the group was refused to be taken away; the rows are gone all the same
	Failures int64 // looks in a row that were refused or went wrong, this one among them
	More     bool  // there is more to be taken away, at once
	Over     bool  // nothing is left, and nobody looks again
}

// Purge takes away what there is of a workspace that was deleted, or never made: one look. It stops after its share of the work, and when
// the context's deadline is closer than enough: then the workspace comes after all others that are due. Wherever it stops or dies, the
// next call goes on; of several at once one does something. When nothing is due it does nothing. Answers ErrNotPurged.
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
	}
	now := s.instant()
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

// A purge is one call of Purge for a workspace that is its own.
type purge struct {
	*Store
	orgID    string
	row      table.Item // as it was read
	due      string     // what dueAt is since
	begun    time.Time
	failures int64

	beside Beside
	enough time.Duration
	done   *Purged
	width  int // writes at the same time
	share  int // rows that may still be taken away in this call
}

// beginPurge makes a workspace the caller's for a while; false when nothing is due of it, or another has it.
func (s *Store) beginPurge(ctx context.Context, orgID string) (p *purge, mine bool, err error) {
	row, err := s.get(ctx, CoreTable, purgeKey(orgID))
	now := s.instant()
	if err != nil || row == nil || str(row, attrDueAt) > fromTime(now) {
		return nil, false, err
	}
	p = &purge{Store: s, orgID: orgID, row: row, due: fromTime(now.Add(purgeLease)), begun: now, failures: integer(row, attrFailures),
		width: purgeWidth, share: purgeShare}
	if begun := str(row, attrBegun); begun != "" {
		p.begun = toTime(begun)
	}
	err = s.table.Transact(ctx, table.Transaction{Writes: []table.Write{
		table.Update{Table: CoreTable, Key: purgeKey(orgID), If: table.Equal(attrDueAt, str(row, attrDueAt)),
			Set: map[string]any{attrDueAt: p.due, attrBegun: fromTime(p.begun)}},
		table.Check{Table: CoreTable, Key: ownerKey(orgID), If: table.Absent()},
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

// pause is how long to wait after a failure.
func (p *purge) pause() time.Duration {
	return min(purgePause<<min(p.failures, 10), purgeLongest)
}

// settle says when somebody is to go on. Of a workspace that is another's by now it changes nothing.
func (p *purge) settle(ctx context.Context, due time.Time, failures int64) error {
	if earlier := toTime(str(p.row, attrDueAt)); !due.After(earlier) {
		due = earlier.Add(time.Millisecond) // never what was there before
	}
	err := p.table.Transact(ctx, table.Transaction{Writes: []table.Write{table.Update{
		Table: CoreTable, Key: purgeKey(p.orgID), If: table.Equal(attrDueAt, p.due),
		Set: map[string]any{attrDueAt: fromTime(due), attrFailures: failures},
	}}})
	_, err = conditional(err, "say when a purge goes on")
	return err
}

// end takes the purge's own row away; false when the workspace is another's by now.
func (p *purge) end(ctx context.Context) (bool, error) {
	err := p.table.Transact(ctx, table.Transaction{Writes: []table.Write{
		table.Delete{Table: CoreTable, Key: purgeKey(p.orgID), If: table.Equal(attrDueAt, p.due)}}})
	return conditional(err, "end a purge")
}
