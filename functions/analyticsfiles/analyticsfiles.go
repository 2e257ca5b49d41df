// Package analyticsfiles is the function that writes files of days: a workspace's mentions of a day of UTC as Parquet.
// A schedule calls it once an hour. It writes the file of a day that is over, and writes the whole file anew after a
// mention of the day has changed.
//
// A file is read only while its manifest says that it is ready and not marked. So a reader never sees half a day or two
// copies of one. The manifest names a file before it is stored, so that no file is left that nothing names.
//
// A day takes three steps, each a conditional write of its manifest: open, writing, ready. From open on, a change marks
// the day. Options.Quiet later no change is under way that did not see the manifest, and the rows can be read. A mark
// takes the day back to open. Any step may be repeated, die midway, and meet another caller.
package analyticsfiles

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"earshot/shared/analytics/files"
	"earshot/shared/mention"
	"earshot/shared/port/blob"
	"earshot/shared/port/clock"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worker"
	"earshot/shared/workspace"
)

// Group names the function and its folder.
const Group = "analyticsfiles"

const (
	// DefaultQuiet is longer than anything in a deployment runs, with the time for which it remembers that no files
	// were announced.
	DefaultQuiet = 20 * time.Minute
	// claim is how long a writer may take for a file. Another writer begins anew after that.
	claim = 20 * time.Minute
	// settled is how long after its end a day is open. It is longer than clocks differ.
	settled = time.Hour
	// oldKept is how long a file is kept after its manifest names another. No reader takes as long, and no writer.
	oldKept = time.Hour
	// recent is how many days are compared with their files at each call.
	recent = 3
	// DefaultCompare is how often all days are compared with their files, for posts of days that had none.
	DefaultCompare = 24 * time.Hour
	// disagreed is how long a day waits whose rows do not count what its cells do.
	disagreed = 24 * time.Hour
	// margin is what must remain of the invocation to begin another day.
	margin = 30 * time.Second
)

// Store is the part of the store that the function uses.
type Store interface {
	Workspaces(ctx context.Context, after string, limit int) ([]workspace.Workspace, error)
	AnnouncedFiles(ctx context.Context, orgID string) (since, compared time.Time, err error)
	AnnounceFiles(ctx context.Context, orgID string, since, compared time.Time) error
	DayFiles(ctx context.Context, orgID string, start, end time.Time) ([]mentionstore.DayFile, error)
	// PutDayFile returns false for a manifest that has changed since it was read.
	PutDayFile(ctx context.Context, orgID string, d *mentionstore.DayFile) (ok bool, err error)
	DaysCounted(ctx context.Context, orgID string, start, end time.Time) ([]time.Time, error)
	EachMention(ctx context.Context, orgID string, start, end time.Time, each func(*mention.Mention) error) error
	Volumes(ctx context.Context, orgID string, keywordID int64, start, end time.Time) ([]mention.Volume, error)
}

// Files keeps the files.
type Files interface {
	Put(ctx context.Context, key string, file blob.File) error
	Delete(ctx context.Context, key string) error
}

// Options configure the function.
type Options struct {
	Store  Store
	Files  Files
	Clock  clock.Clock
	Log    *slog.Logger
	Folder string // where files are written before they are stored; empty for the system's temporary folder
	// Quiet is how long a day is not marked before its rows are read; 0 is DefaultQuiet.
	Quiet time.Duration
	// Compare is how often all days are compared with their files; 0 is DefaultCompare.
	Compare time.Duration
}

// Handler returns the handler of the schedule.
func Handler(w worker.Options, o Options) worker.ScheduleHandler {
	return worker.Schedule(w, func(ctx context.Context, tick worker.Tick) error { return Run(ctx, o, tick.Time) })
}

// pageOfWorkspaces is how many workspaces are listed at once.
const pageOfWorkspaces = 500

// Run takes each day of each workspace one step further, if one is due. Each hour another workspace is the first. A
// workspace that fails does not stop the others. What no time is left for waits for the next call.
func Run(ctx context.Context, o Options, due time.Time) error {
	if o.Quiet == 0 {
		o.Quiet = DefaultQuiet
	}
	if o.Compare == 0 {
		o.Compare = DefaultCompare
	}
	var ids []string
	for after, more := "", true; more; {
		page, err := o.Store.Workspaces(ctx, after, pageOfWorkspaces)
		if err != nil {
			return err
		}
		for _, w := range page {
			ids, after = append(ids, w.ID), w.ID
		}
		more = len(page) == pageOfWorkspaces
	}
	var fails []error
	for i := range ids {
		id := ids[(i+int(due.Unix()/3600))%len(ids)]
		finished, err := o.workspace(ctx, id)
		switch {
		case err != nil:
			fails = append(fails, fmt.Errorf("write the files of %s: %w", id, err))
		case !finished:
			worker.Count(ctx, "unfinished", len(ids)-i)
			return errors.Join(fails...)
		}
	}
	return errors.Join(fails...)
}

// late reports whether too little time is left to begin another day.
func late(ctx context.Context) bool {
	deadline, bound := ctx.Deadline()
	return bound && time.Until(deadline) < margin
}

// workspace takes the days of a workspace one step further, the newest first. Returns false if the time ran out.
func (o Options) workspace(ctx context.Context, orgID string) (finished bool, err error) {
	if _, err := files.Folder(orgID); err != nil {
		o.Log.WarnContext(ctx, "a workspace's id is no name of a folder", slog.String("workspace", orgID))
		return true, nil
	}
	if late(ctx) {
		return false, nil
	}
	since, compared, err := o.Store.AnnouncedFiles(ctx, orgID)
	now := o.Clock.Now()
	switch {
	case err != nil:
		return false, err
	case since.IsZero():
		return true, o.Store.AnnounceFiles(ctx, orgID, now, time.Time{})
	case now.Sub(since) < o.Quiet:
		return true, nil
	}
	over := now.UTC().Add(-settled).Truncate(24 * time.Hour) // the first day that is not over
	manifests, err := o.Store.DayFiles(ctx, orgID, time.Time{}, over)
	if err != nil {
		return false, err
	}
	all := now.Sub(compared) >= o.Compare || now.Before(compared)
	from := over.AddDate(0, 0, -recent)
	if all {
		from = time.Time{}
	}
	days, err := o.Store.DaysCounted(ctx, orgID, from, over)
	if err != nil {
		return false, err
	}
	due := withDays(manifests, days)
	for i := range due {
		if late(ctx) {
			return false, nil
		}
		if err := o.advance(ctx, orgID, &due[len(due)-1-i]); err != nil {
			return false, fmt.Errorf("the day %s: %w", due[len(due)-1-i].Day.Format(files.DayForm), err)
		}
	}
	if all {
		return true, o.Store.AnnounceFiles(ctx, orgID, since, now)
	}
	return true, nil
}

// withDays returns the manifests and an empty one for each day without a manifest, by day.
func withDays(manifests []mentionstore.DayFile, days []time.Time) []mentionstore.DayFile {
	var due []mentionstore.DayFile
	for len(manifests) > 0 || len(days) > 0 {
		switch {
		case len(days) == 0 || len(manifests) > 0 && manifests[0].Day.Before(days[0]):
			due, manifests = append(due, manifests[0]), manifests[1:]
		case len(manifests) > 0 && manifests[0].Day.Equal(days[0]):
			due, manifests, days = append(due, manifests[0]), manifests[1:], days[1:]
		default:
			due, days = append(due, mentionstore.DayFile{Day: days[0]}), days[1:]
		}
	}
	return due
}
