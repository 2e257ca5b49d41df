// Package collect is the function that fetches posts: a schedule calls it every minute, it fetches what is due by then and puts
// it into the queue posts. Each keyword has its own minute of the hour in each source that can be searched; a source that is
// read whole has its turn for all keywords at once.
//
// A fetch that fails costs its own turn and no other's. One that is killed midway is due again when its lease is over: posts
// may then be queued twice, which ingest does not mind, and none is left out.
package collect

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/listening"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/source"
	"earshot/shared/store"
	"earshot/shared/worker"
	"earshot/shared/workspace"
)

// Group names the function and its folder.
const Group = "collect"

// How it collects.
const (
	lookBack    = 7 * 24 * time.Hour // of a keyword's first fetch
	lookBehind  = time.Hour          // of a stream's first
	overlap     = 10 * time.Minute   // fetched again each time: platforms index a post some time after it was written
	streamEvery = 10 * time.Minute   // unless the source says otherwise
	lease       = 5 * time.Minute    // of a task: longer than an invocation
	dueAtOnce   = 500                // tasks looked at in one invocation
	maxPosts    = 1_000              // of one keyword in one turn; of a busier one the newest
	maxStream   = 20_000             // of one stream in one turn; the rest is the next one's
	margin      = 15 * time.Second   // what must remain of the invocation to begin another fetch
	messageSize = 200 << 10          // bytes of posts in a message
)

// Tasks is what the function asks of the store.
type Tasks interface {
	Tasks(ctx context.Context, orgID string) ([]store.Task, error)
	AddTask(ctx context.Context, t store.Task) error
	RemoveTask(ctx context.Context, t store.Task) error
	Planned(ctx context.Context, orgID, plan string) error
	DueTasks(ctx context.Context, limit int) ([]store.Task, error)
	ClaimTask(ctx context.Context, t store.Task, lease time.Duration) (store.Task, bool, error)
	FinishTask(ctx context.Context, claimed, finished store.Task) error
	PauseSource(ctx context.Context, name string, until time.Time) error
	PausedSources(ctx context.Context) (map[string]time.Time, error)
	Workspace(ctx context.Context, id string) (workspace.Workspace, error)
	Collected(ctx context.Context, orgID string) (stored int, resetAt time.Time, err error)
}

// Options are what a Collector works with.
type Options struct {
	Tasks     Tasks
	Listening *listening.Listening
	Sources   []source.Source // those that are configured
	Queue     queue.Queue
	Clock     clock.Clock
	Log       *slog.Logger
	Fetched   func(Fetch) // called after each fetch, by several goroutines; nil: nobody is told
}

// A Fetch is what came of a task's turn.
type Fetch struct {
	Source string
	Posts  int   // that were queued
	Err    error // a *source.Unavailable, when the source failed
}

// A Collector fetches what is due. It is safe for concurrent use, and several of them are.
type Collector struct {
	Options
	sources map[string]source.Source
}

// New makes a collector.
func New(o Options) *Collector {
	c := &Collector{Options: o, sources: map[string]source.Source{}}
	for _, s := range o.Sources {
		c.sources[s.About().Name] = s
	}
	return c
}

// Tick fetches what is due. Its error is of what all tasks share, the store and the queue; a source's own failure is in the log
// and with its task.
func (c *Collector) Tick(ctx context.Context) error {
	snapshot, err := c.Listening.Now(ctx)
	if err != nil {
		return err
	}
	if err := c.plan(ctx, snapshot); err != nil {
		return err
	}
	paused, err := c.Tasks.PausedSources(ctx)
	if err != nil {
		return err
	}
	due, err := c.Tasks.DueTasks(ctx, dueAtOnce)
	if err != nil {
		return err
	}
	bySource := map[string][]store.Task{}
	for _, task := range due {
		bySource[task.Source] = append(bySource[task.Source], task)
	}
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		fails []error
	)
	quotas := &quotas{tasks: c.Tasks}
	for name, tasks := range bySource {
		turn := &turn{c: c, snapshot: snapshot, quotas: quotas, source: c.sources[name], pausedUntil: paused[name]}
		group.Go(func() {
			if err := turn.run(ctx, tasks); err != nil {
				mu.Lock()
				defer mu.Unlock()
				fails = append(fails, err)
			}
		})
	}
	group.Wait()
	return errors.Join(fails...)
}

// A turn is what one source has to do in an invocation, one task after the other: a platform is never asked twice at once.
type turn struct {
	c           *Collector
	snapshot    *listening.Snapshot
	quotas      *quotas
	source      source.Source // nil: not configured any more
	pausedUntil time.Time
	sent        int  // posts of the fetch in hand that were queued
	down        bool // it cannot be reached: the rest waits
}

func (t *turn) run(ctx context.Context, tasks []store.Task) error {
	for _, due := range tasks {
		if deadline, bound := ctx.Deadline(); bound && time.Until(deadline) < margin || t.down || ctx.Err() != nil {
			return nil // what is left stays due
		}
		claimed, ok, err := t.c.Tasks.ClaimTask(ctx, due, lease)
		if err != nil {
			return err
		}
		if !ok {
			continue // another has it
		}
		finished, err := t.do(ctx, claimed)
		switch {
		case err != nil:
			return err
		case finished == nil:
			err = t.c.Tasks.RemoveTask(ctx, claimed)
		default:
			err = t.c.Tasks.FinishTask(ctx, claimed, *finished)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// do fetches what a task is for, and answers it with its next turn; nil when there is nothing to fetch for it any more. An error is
// the store's or the queue's: the task is due again when its lease is over.
func (t *turn) do(ctx context.Context, task store.Task) (*store.Task, error) {
	now := t.c.Clock.Now()
	if t.source == nil {
		return nil, nil
	}
	if now.Before(t.pausedUntil) {
		task.DueAt = t.pausedUntil.Add(spread(task, 5*time.Minute))
		return &task, nil
	}
	fetch, next := t.stream, now.Add(every(t.source))
	if !t.source.About().Stream {
		wanted := t.keyword(task)
		if wanted == nil {
			return nil, nil
		}
		next = nextSlot(task, now)
		spent, err := t.quotas.spent(ctx, task.WorkspaceID)
		if err != nil {
			return nil, err
		}
		if spent {
			worker.Count(ctx, "overQuota", 1)
			task.DueAt = next
			return &task, nil
		}
		fetch = func(ctx context.Context, task *store.Task) error { return t.search(ctx, task, wanted) }
	}
	worker.Count(ctx, "fetches", 1)
	t.sent = 0
	err := fetch(ctx, &task)
	if t.c.Fetched != nil {
		t.c.Fetched(Fetch{task.Source, t.sent, err})
	}
	var unavailable *source.Unavailable
	switch {
	case err == nil:
		task.Failures, task.LastError, task.DueAt = 0, "", next
	case errors.As(err, &unavailable):
		return &task, t.failed(ctx, &task, unavailable)
	case errors.Is(err, source.ErrNoCredentials):
		return nil, nil
	default:
		return nil, err
	}
	return &task, nil
}

// keyword is the one that a task is for; nil when it is gone, paused or does not want this source.
func (t *turn) keyword(task store.Task) *keyword.Keyword {
	w := t.snapshot.Workspace(task.WorkspaceID)
	if w == nil {
		return nil
	}
	for i := range w.Keywords {
		if k := &w.Keywords[i]; k.ID == task.KeywordID && wants(k, task.Source) {
			return k
		}
	}
	return nil
}

// failed puts a task off: for as long as the platform asked, and longer each time. When the platform asked to wait, or refuses
// everyone, all its tasks do.
func (t *turn) failed(ctx context.Context, task *store.Task, why *source.Unavailable) error {
	const first, longest = time.Minute, time.Hour
	task.Failures++
	task.LastError = why.Reason
	wait := max(why.RetryAfter, min(first<<min(task.Failures-1, 10), longest))
	now := t.c.Clock.Now()
	task.DueAt = now.Add(wait)
	worker.Count(ctx, "failures", 1)
	t.c.Log.WarnContext(ctx, "source failed", "source", why.Source, "reason", why.Reason, "failures", task.Failures,
		"retryAfter", why.RetryAfter.Seconds(), "network", why.Network)
	switch {
	case why.Refused:
		wait = longest
	case why.RetryAfter > 0:
	case why.Network:
		t.down = true // its other tasks would fail alike; they stay due
		return nil
	default:
		return nil
	}
	t.pausedUntil = now.Add(wait)
	return t.c.Tasks.PauseSource(ctx, why.Source, t.pausedUntil)
}
