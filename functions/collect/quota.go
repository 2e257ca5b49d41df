package collect

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"earshot/shared/store"
)

// quotas remembers, for one invocation, which workspaces have had their mentions of the month.
type quotas struct {
	tasks Tasks
	mu    sync.Mutex
	known map[string]bool
}

func (q *quotas) spent(ctx context.Context, orgID string) (bool, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if spent, known := q.known[orgID]; known {
		return spent, nil
	}
	spent, err := q.read(ctx, orgID)
	if err != nil {
		return false, err
	}
	if q.known == nil {
		q.known = map[string]bool{}
	}
	q.known[orgID] = spent
	return spent, nil
}

func (q *quotas) read(ctx context.Context, orgID string) (spent bool, err error) {
	w, err := q.tasks.Workspace(ctx, orgID)
	if errors.Is(err, store.ErrNotFound) {
		return true, nil // deleted since its keywords were read
	}
	if err != nil {
		return false, fmt.Errorf("read the plan of %s: %w", orgID, err)
	}
	usage, err := q.tasks.Usage(ctx, w)
	return usage.Stopped, err
}
