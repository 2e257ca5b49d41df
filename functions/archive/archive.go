// Package archive is the function that moves what is older than 180 days to the infrequent-access table: a schedule calls it once
// an hour. Readers find a mention at every moment, wherever it is.
package archive

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/listening"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worker"
)

// Group names the function and its folder.
const Group = "archive"

// margin is what must remain of the invocation to look at further mentions; what is left is the next one's.
const margin = 15 * time.Second

// Store is what the function asks of the store.
type Store interface {
	Listeners(ctx context.Context) ([]listening.Listener, error)
	Archive(ctx context.Context, orgID string, enough time.Duration) (done mentionstore.Archived, finished bool, err error)
}

// Run moves what is old, of all workspaces. It may be killed anywhere and run again. Each hour another workspace is the first, so
// that one with more than an invocation's work keeps none of the others waiting for long; and one that fails keeps none at all.
func Run(ctx context.Context, stored Store, due time.Time) error {
	listeners, err := stored.Listeners(ctx)
	if err != nil {
		return err
	}
	var fails []error
	for i := range listeners {
		listener := listeners[(i+int(due.Unix()/3600))%len(listeners)]
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
	return errors.Join(fails...)
}
