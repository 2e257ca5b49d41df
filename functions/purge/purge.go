// Package purge is the function that deletes what deleted workspaces leave, and the remains of workspaces whose
// creation never finished: rows, files of exports, the connection with Slack and the identity provider's group. A
// schedule calls it every ten minutes. The workspace itself and its keys were deleted at once. A live workspace is never
// touched.
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

// margin is what must remain of the invocation to continue. The rest is left to the next invocation.
const margin = 15 * time.Second

// patience is how many refusals in a row to delete a group are an error, so that the alarm tells somebody. The third
// comes half an hour after the first.
const patience = 3

// most is how many workspaces are listed at once.
const most = 100

// Store is the part of the store that the function uses.
type Store interface {
	// Purges lists workspaces of which something is to be taken away now, the longest overdue first.
	Purges(ctx context.Context, limit int) ([]string, error)
	// Purge does a share of a workspace's purge. A workspace with work left queues behind all others that are due.
	Purge(ctx context.Context, orgID string, beside purgestore.Beside, enough time.Duration) (purgestore.Purged, error)
}

// Deleter deletes files. A missing file is no error.
type Deleter interface {
	Delete(ctx context.Context, key string) error
}

// Slack revokes and deletes workspaces' tokens of Slack. A missing token is no error.
type Slack interface {
	Disconnect(ctx context.Context, orgID string) error
}

// Options configure the function.
type Options struct {
	Store     Store
	Files     blob.Blob
	DayFiles  Deleter // nil if the deployment has no files of days
	Directory identity.Directory
	Slack     Slack
	Log       *slog.Logger
}

// Handler returns the handler of the schedule.
func Handler(w worker.Options, o Options) worker.ScheduleHandler {
	return worker.Schedule(w, func(ctx context.Context, _ worker.Tick) error { return Run(ctx, o) })
}

// Run continues every purge that is due, each for a share of work in its turn, until no work or no time is left. It may
// be killed anywhere, run again, and run concurrently. A workspace that fails or panics does not stop the others. It
// comes again after a pause.
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

// ended returns the failures once all others had their turn. It panics again after a panic.
func ended(fails []error, panicked any) error {
	if panicked != nil {
		panic(panicked)
	}
	return errors.Join(fails...)
}

// purge does a share of one workspace's purge, and reports whether more can be done at once.
func (o Options) purge(ctx context.Context, orgID string) (more bool, panicked any, err error) {
	defer func() { panicked = recover() }()
	done, err := o.Store.Purge(
		ctx, orgID,
		purgestore.Beside{
			File: o.Files.Delete, DayFile: o.deleteDayFile, Group: o.Directory.DeleteGroup, Slack: o.Slack.Disconnect,
		},
		margin,
	)
	if done.Refused != nil {
		o.Log.WarnContext(
			ctx, "could not delete the group of a deleted workspace", slog.String("workspace", orgID),
			slog.Any("cause", done.Refused),
		)
		if err == nil && done.Failures >= patience {
			err = fmt.Errorf("the group still exists: %w", done.Refused)
		}
	}
	for name, n := range map[string]int{"deleted": done.Rows, "files": done.Files, "groups": count(done.Group),
		"refused": count(done.Refused != nil), "workspaces": count(done.Over)} {
		worker.Count(ctx, name, n)
	}
	return done.More, nil, err
}

// deleteDayFile deletes a file of a day.
func (o Options) deleteDayFile(ctx context.Context, key string) error {
	if o.DayFiles == nil {
		return errors.New("purge: a deleted workspace has files of days, but no bucket of them is configured")
	}
	return o.DayFiles.Delete(ctx, key)
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
