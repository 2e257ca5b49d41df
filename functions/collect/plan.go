package collect

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/listening"
	"earshot/shared/source"
	"earshot/shared/store"
)

// plan makes tasks of the keywords that are new, and ends those of keywords that are gone: for the workspaces whose keywords
// changed since they were planned, or for all when the sources did. It may be killed anywhere and run again.
func (c *Collector) plan(ctx context.Context, snapshot *listening.Snapshot) error {
	names := slices.Sorted(maps.Keys(c.sources))
	if err := c.planStreams(ctx, names); err != nil {
		return err
	}
	for _, listener := range snapshot.Listeners {
		plan := fmt.Sprintf("%d %s", listener.Version, strings.Join(names, " "))
		if listener.Planned == plan {
			continue
		}
		if err := c.planFor(ctx, listener.WorkspaceID, snapshot.Workspace(listener.WorkspaceID)); err != nil {
			return err
		}
		if err := c.Tasks.Planned(ctx, listener.WorkspaceID, plan); err != nil {
			return err
		}
	}
	return nil
}

func (c *Collector) planFor(ctx context.Context, orgID string, w *listening.Workspace) error {
	there, err := c.Tasks.Tasks(ctx, orgID)
	if err != nil {
		return err
	}
	type place struct {
		keyword int64
		source  string
	}
	had := map[place]store.Task{}
	for _, task := range there {
		had[place{task.KeywordID, task.Source}] = task
	}
	for i := range w.Keywords {
		k := &w.Keywords[i]
		for name, s := range c.sources {
			if s.About().Stream || !wants(k, name) {
				continue
			}
			at := place{k.ID, name}
			if _, known := had[at]; known {
				delete(had, at)
				continue
			}
			if err := c.Tasks.AddTask(ctx, store.Task{WorkspaceID: orgID, KeywordID: k.ID, Source: name, DueAt: c.Clock.Now()}); err != nil {
				return err
			}
		}
	}
	for _, task := range had {
		if err := c.Tasks.RemoveTask(ctx, task); err != nil {
			return err
		}
	}
	return nil
}

// planStreams does the same for the sources that are read whole.
func (c *Collector) planStreams(ctx context.Context, names []string) error {
	there, err := c.Tasks.Tasks(ctx, "")
	if err != nil {
		return err
	}
	had := map[string]store.Task{}
	for _, task := range there {
		had[task.Source] = task
	}
	for _, name := range names {
		if !c.sources[name].About().Stream {
			continue
		}
		if _, known := had[name]; known {
			delete(had, name)
			continue
		}
		if err := c.Tasks.AddTask(ctx, store.Task{Source: name, DueAt: c.Clock.Now()}); err != nil {
			return err
		}
	}
	for _, task := range had {
		if err := c.Tasks.RemoveTask(ctx, task); err != nil {
			return err
		}
	}
	return nil
}

// wants says whether a keyword is fetched from a source.
func wants(k *keyword.Keyword, name string) bool {
	return !k.Paused && (k.Platforms == nil || slices.Contains(k.Platforms, name))
}

// every is how long a stream rests between two turns.
func every(s source.Source) time.Duration {
	if rest := s.About().Every; rest > 0 {
		return rest
	}
	return streamEvery
}

// nextSlot is when a task is due next: in its own second of the hour, so that the tasks of all keywords spread over it.
func nextSlot(task store.Task, now time.Time) time.Time {
	next := now.Truncate(time.Hour).Add(spread(task, time.Hour))
	if !next.After(now) {
		next = next.Add(time.Hour)
	}
	return next
}

// spread is a task's own place in a span of time, the same each time, in whole seconds.
func spread(task store.Task, span time.Duration) time.Duration {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d %s", task.WorkspaceID, task.KeywordID, task.Source)
	return time.Duration(h.Sum64()%uint64(span/time.Second)) * time.Second
}

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
	w, err := q.tasks.Workspace(ctx, orgID)
	if errors.Is(err, store.ErrNotFound) {
		return true, nil // deleted since its keywords were read
	}
	if err != nil {
		return false, fmt.Errorf("read the plan of %s: %w", orgID, err)
	}
	stored, _, err := q.tasks.Collected(ctx, orgID)
	if err != nil {
		return false, err
	}
	if q.known == nil {
		q.known = map[string]bool{}
	}
	q.known[orgID] = stored >= w.Plan.Limits().Mentions
	return q.known[orgID], nil
}
