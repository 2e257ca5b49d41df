// Package purge is the function that takes away what deleted workspaces have left, and what there is of those whose creation never came to
// its end: rows, files of exports and the identity provider's group. A schedule calls it every ten minutes. What must be gone at once, the
// workspace with its keys, went when it was deleted; nothing of a workspace that is there is ever taken.
package purge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"earshot/shared/port/blob"
	"earshot/shared/port/identity"
	"earshot/shared/store/purgestore"
	"earshot/shared/worker"
)

// Group names the function and its folder.
const Group = "purge"

// margin is what must remain of the invocation to go on; what is left is the next one's.
const margin = 15 * time.Second

// patience is after how many refusals in a row it is an error that a group is not taken away, so that somebody is told: the third comes half
// an hour after the first.
const patience = 3

// most is how many workspaces are listed at once.
const most = 100

// Store is what the function asks of the store.
type Store interface {
	// Purges lists workspaces of which something is to be taken away now, the longest overdue first.
	Purges(ctx context.Context, limit int) ([]string, error)
	// Purge does a share of it. One with more to be done comes after all others that are due.
	Purge(ctx context.Context, orgID string, beside purgestore.Beside, enough time.Duration) (purgestore.Purged, error)
}

// Options are what the function works with.
type Options struct {
	Store     Store
	Files     blob.Blob
	Directory identity.Directory
	Log       *slog.Logger
}

// Handler answers the schedule.
func Handler(w worker.Options, o Options) worker.ScheduleHandler {
	return worker.Schedule(w, func(ctx context.Context, _ worker.Tick) error { return Run(ctx, o) })
}

// Run goes on with every purge that is due, each for a share of work in its turn, until there is no more to do now or no time. It may be
// killed anywhere and run again, and beside itself. A workspace that fails keeps none of the others, nor does one that makes it panic: both
// come again after a pause.
func Run(ctx context.Context, o Options) error {
	var fails []error
	var panicked any
	failed := map[string]bool{}
	for again := true; again; {
		due, err := o.Store.Purges(ctx, most)
		if err != nil {
			fails = append(fails, err)
			break
		}
		worked, more := 0, 0
		for i, orgID := range due {
			if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < margin {
				worker.Count(ctx, "unfinished", len(due)-i+more)
				return ended(fails, panicked)
			}
			if failed[orgID] {
				continue
			}
			worked++
			unfinished, caught, err := o.purge(ctx, orgID)
			switch {
			case caught != nil:
				panicked, failed[orgID] = caught, true
			case err != nil:
				fails, failed[orgID] = append(fails, fmt.Errorf("purge %s: %w", orgID, err)), true
			case unfinished:
				more++
			}
		}
		again = more > 0 || worked > 0 && len(due) == most
	}
	return ended(fails, panicked)
}

// ended tells of what failed when all others had their turn: a panic by a panic.
func ended(fails []error, panicked any) error {
	if panicked != nil {
		panic(panicked)
	}
	return errors.Join(fails...)
}

// purge does a share of one workspace's purge, and says whether there is more to be done at once.
func (o Options) purge(ctx context.Context, orgID string) (more bool, panicked any, err error) {
	defer func() { panicked = recover() }()
	done, err := o.Store.Purge(ctx, orgID, purgestore.Beside{File: o.Files.Delete, Group: o.Directory.DeleteGroup}, margin)
	if done.Refused != nil {
		o.Log.WarnContext(ctx, "the group of a deleted workspace is not gone", slog.String("workspace", orgID), slog.Any("cause", done.Refused))
		if err == nil && done.Failures >= patience {
			err = fmt.Errorf("the group is still there: %w", done.Refused)
		}
	}
	for name, n := range map[string]int{"deleted": done.Rows, "files": done.Files, "groups": count(done.Group),
		"refused": count(done.Refused != nil), "workspaces": count(done.Over)} {
		worker.Count(ctx, name, n)
	}
	return done.More, nil, err
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
