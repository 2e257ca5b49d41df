// Package archive is the function that moves mentions older than 180 days to the infrequent-access table. A schedule
// calls it once an hour. Readers find a mention at every moment, before and after it moves.
//
// Once a day it also gathers the terms of each workspace's days that are over. Lists by a text pass over days by them.
package archive

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worker"
)

// Group names the function and its folder.
const Group = "archive"

// margin is what must remain of the invocation to look at further mentions. The rest is left to the next invocation.
const margin = 15 * time.Second

// Store is the part of the store that the function uses.
type Store interface {
	Listeners(ctx context.Context) ([]keyword.Listener, error)
	Archive(
		ctx context.Context, orgID string, enough time.Duration,
	) (done mentionstore.Archived, finished bool, err error)
	GatherTerms(
		ctx context.Context, orgID string, enough time.Duration,
	) (done mentionstore.GatheredTerms, finished bool, err error)
}

// Run moves the old mentions of all workspaces, and then gathers the terms of those whose hour of the day it is. It
// may be killed anywhere and run again. Each hour another workspace is the first, so a workspace with more than an
// invocation's work does not hold up the others for long. A workspace that fails does not stop the others.
func Run(ctx context.Context, stored Store, due time.Time) error {
	listeners, err := stored.Listeners(ctx)
	if err != nil {
		return err
	}
	var fails []error
	hour := int(due.Unix() / 3600)
	for i := range listeners {
		listener := listeners[(i+hour)%len(listeners)]
		done, finished, err := stored.Archive(ctx, listener.WorkspaceID, margin)
		worker.Count(ctx, "copied", done.Copied)
		worker.Count(ctx, "moved", done.Moved)
		switch {
		case err != nil:
			fails = append(fails, fmt.Errorf("archive the mentions of %s: %w", listener.WorkspaceID, err))
		case !finished:
			worker.Count(ctx, "unfinished", len(listeners)-i)
			return errors.Join(fails...)
		}
	}
	for i := range listeners {
		id := listeners[(i+hour)%len(listeners)].WorkspaceID
		if hour%24 != hourOf(id) {
			continue
		}
		done, finished, err := stored.GatherTerms(ctx, id, margin)
		if done.Days > 0 {
			worker.Count(ctx, "termDays", done.Days)
		}
		if err != nil {
			fails = append(fails, fmt.Errorf("gather the terms of %s: %w", id, err))
		}
		if !finished && err == nil {
			break // the rest waits for the next day
		}
	}
	return errors.Join(fails...)
}

// hourOf returns the hour of the day, in UTC, in which the terms of a workspace are gathered.
func hourOf(workspaceID string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(workspaceID)) // it never fails
	return int(h.Sum32() % 24)
}
