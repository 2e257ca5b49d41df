package collect

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/listening"
	"earshot/shared/store/listenstore"
	"earshot/shared/worker"
)

// planShare is the part of the invocation that planning takes at most: a large workspace is planned in several.
const planShare = 3

// plan makes tasks for new keywords and ends those of deleted keywords. It plans the workspaces whose keywords changed
// since the last plan, and all of them if the sources changed. It plans each once a day in any case, which repairs what
// two planners at once may have done. It may be killed anywhere and run again.
func (c *Collector) plan(ctx context.Context, snapshot *listening.Snapshot, streams []listenstore.Task) error {
	names := slices.Sorted(maps.Keys(c.sources))
	if err := c.planStreams(ctx, names, streams); err != nil {
		return err
	}
	needed := margin
	if deadline, bound := ctx.Deadline(); bound {
		needed = time.Until(deadline) / planShare * (planShare - 1)
	}
	for _, listener := range snapshot.Listeners {
		plan := c.planOf(listener, names)
		if listener.Planned == plan {
			continue
		}
		done, err := c.planFor(ctx, listener.WorkspaceID, snapshot.Workspace(listener.WorkspaceID), needed)
		if err != nil {
			return err
		}
		if !done {
			worker.Count(ctx, "unplanned", 1)
			return nil
		}
		if err := c.Tasks.Planned(ctx, listener.WorkspaceID, plan); err != nil {
			return err
		}
	}
	return nil
}

// planOf returns what a workspace is planned for, as text. Workspaces end their day at different times.
func (c *Collector) planOf(listener keyword.Listener, names []string) string {
	own := spread(listenstore.Task{WorkspaceID: listener.WorkspaceID}, day)
	today := c.Clock.Now().Add(own).UTC().Format(time.DateOnly)
	return fmt.Sprintf("%d %s %s", listener.Version, today, strings.Join(names, " "))
}

// planFor plans a workspace as long as the needed time remains of the invocation. done reports whether it finished.
func (c *Collector) planFor(
	ctx context.Context, orgID string, w *listening.Workspace, needed time.Duration,
) (done bool, err error) {
	there, err := c.Tasks.Tasks(ctx, orgID)
	if err != nil {
		return false, err
	}
	type place struct {
		keyword int64
		source  string
	}
	had := map[place]listenstore.Task{}
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
			task, known := had[at]
			delete(had, at)
			if known && !overtaken(task, k, c.Clock.Now()) {
				continue
			}
			if !enough(ctx, needed) {
				return false, nil
			}
			if known {
				due := task
				due.DueAt = c.Clock.Now()
				if err := c.Tasks.FinishTask(ctx, task, due); err != nil {
					return false, err
				}
				continue
			}
			if err := c.Tasks.AddTask(
				ctx, listenstore.Task{WorkspaceID: orgID, KeywordID: k.ID, Source: name, DueAt: c.Clock.Now()},
			); err != nil {
				return false, err
			}
		}
	}
	for _, task := range had {
		if !enough(ctx, needed) {
			return false, nil
		}
		if err := c.Tasks.RemoveTask(ctx, task); err != nil {
			return false, err
		}
	}
	return c.lookBacks(ctx, orgID, w.Keywords, needed)
}

// overtaken reports whether a waiting task was fetched for an earlier version of the keyword. A planner that read the
// keywords before the change can have made the task again after the change ended it. Its next turn would be too late.
func overtaken(task listenstore.Task, k *keyword.Keyword, now time.Time) bool {
	return task.Query != "" && task.Query != asked(k) && task.DueAt.After(now)
}

// planStreams does the same for the sources that are read whole.
func (c *Collector) planStreams(ctx context.Context, names []string, there []listenstore.Task) error {
	had := map[string]listenstore.Task{}
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
		if err := c.Tasks.AddTask(ctx, listenstore.Task{Source: name, DueAt: c.Clock.Now()}); err != nil {
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

// wants reports whether a keyword is fetched from a source.
func wants(k *keyword.Keyword, name string) bool {
	return !k.Paused && (len(k.Platforms) == 0 || slices.Contains(k.Platforms, name))
}
