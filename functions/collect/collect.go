// Package collect is the function that fetches posts. A schedule calls it every minute. It fetches what is due by then
// and puts it into the queue posts. Each keyword has its own second of the hour in each source that can be searched. A
// source that is read whole has one turn for all keywords.
//
// A fetch that fails affects no other turn. A fetch that is killed midway is due again when its lease ends. Its posts
// may then be queued twice, which ingest tolerates, and none is left out. A window that is too large for one turn
// continues in the next ones.
package collect

import (
	"context"
	"log/slog"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/listening"
	"earshot/shared/parallel"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/source"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/workspacestore"
	"earshot/shared/worker"
	"earshot/shared/workspace"
)

// Group names the function and its folder.
const Group = "collect"

// How it collects.
const (
	lookBack = keyword.LookBack // of a keyword's first fetch
	// of a stream's first read, if it has a cursor: an hour of such a stream is a hundred megabytes
	lookBehind  = 10 * time.Minute
	overlap     = time.Hour        // fetched again each time, because platforms show a post some time after it was written
	streamEvery = 10 * time.Minute // unless the source says otherwise
	lease       = 5 * time.Minute  // of a task; longer than an invocation
	dueAtOnce   = 500              // tasks of a source that are looked at in one invocation
	looksAtOnce = 3                // sources that look for due tasks; each needs a connection, which the start pays for
	maxPosts    = 1_000            // of one keyword in one turn; the rest is left to the next turn
	maxStream   = 20_000           // of one stream
	maxPages    = 50               // of either
	maxFailures = 5                // in a row, after which a source's turn is over
	messageSize = 200 << 10        // bytes of posts in a message
)

// Time limits, by the machine's clock.
const (
	margin   = 15 * time.Second // what must remain of the invocation to begin another fetch, or another page of one
	recorded = 3 * time.Second  // what is kept of it to store the result of a fetch
	patience = 20 * time.Second // how long a source may take to respond
)

// Tasks is the part of the store that the function uses.
type Tasks interface {
	Collection(ctx context.Context) (streams []listenstore.Task, paused map[string]time.Time, err error)
	Tasks(ctx context.Context, orgID string) ([]listenstore.Task, error)
	AddTask(ctx context.Context, t listenstore.Task) error
	RemoveTask(ctx context.Context, t listenstore.Task) error
	Planned(ctx context.Context, orgID, plan string) error
	DueTasks(ctx context.Context, source string, limit int) ([]listenstore.Task, error)
	ClaimTask(ctx context.Context, t listenstore.Task, lease time.Duration) (listenstore.Task, bool, error)
	FinishTask(ctx context.Context, claimed, finished listenstore.Task) error
	PauseSource(ctx context.Context, name string, until time.Time) error
	// Workspace returns store.ErrNotFound if there is none.
	Workspace(ctx context.Context, id string) (workspace.Workspace, error)
	Usage(ctx context.Context, w workspace.Workspace) (workspacestore.Usage, error)
	Mentions(ctx context.Context, q mentionstore.MentionsQuery) (mentionstore.MentionsPage, error)
	StartBackfill(
		ctx context.Context, b listenstore.Backfill, limit int, request string,
	) (started listenstore.Backfill, err error)
	Backfills(ctx context.Context, orgID string) ([]listenstore.Backfill, error)
	DueBackfills(ctx context.Context, limit int) ([]listenstore.Backfill, error)
	Observe(
		ctx context.Context, orgID, sourceID string, counters map[string]int64, at time.Time,
	) (changed bool, err error)
}

// Options configure a Collector.
type Options struct {
	Tasks     Tasks
	Listening *listening.Listening
	Sources   []source.Source // the configured sources
	Queue     queue.Queue
	Clock     clock.Clock
	Log       *slog.Logger
	// Archived says that the deployment has an archive of posts, in which new keywords look back too.
	Archived bool
	Fetched  func(Fetch) // called after each fetch, by several goroutines; may be nil
}

// A Fetch is the result of a task's turn.
type Fetch struct {
	Source string
	Posts  int   // that were queued
	Err    error // a *source.Unavailable, when the source failed
}

// A Collector fetches what is due. It is safe for concurrent use, and several may run at once.
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

// Tick fetches what is due. It returns errors of the store and the queue, which all tasks share. A source's own failure
// is logged and stored with its task. Work that the context's end leaves undone stays due and is no error.
func (c *Collector) Tick(ctx context.Context) error {
	var (
		snapshot *listening.Snapshot
		streams  []listenstore.Task
		paused   map[string]time.Time
	)
	err := parallel.Together(
		func() (err error) { snapshot, err = c.Listening.Now(ctx); return err },
		func() (err error) { streams, paused, err = c.Tasks.Collection(ctx); return err })
	if err != nil {
		return err
	}
	if err := c.plan(ctx, snapshot, streams); err != nil {
		return err
	}
	turns := []func() error{func() error { return c.dispatch(ctx) }}
	quotas, looking := &quotas{tasks: c.Tasks}, make(chan struct{}, looksAtOnce)
	for name, s := range c.sources {
		if _, waits := paused[name]; waits {
			worker.Count(ctx, "paused", 1)
			continue
		}
		about := s.About()
		t := &turn{
			c:        c,
			snapshot: snapshot,
			quotas:   quotas,
			source:   s,
			about:    about,
			period:   period(about, snapshot),
			streams:  streams,
			looking:  looking,
		}
		turns = append(turns, func() error { return t.run(ctx) })
	}
	err = parallel.Together(turns...)
	if ctx.Err() != nil {
		worker.Count(ctx, "unfinished", 1)
		return nil
	}
	return err
}

// enough reports whether the needed time remains of the invocation.
func enough(ctx context.Context, needed time.Duration) bool {
	deadline, bound := ctx.Deadline()
	return ctx.Err() == nil && (!bound || time.Until(deadline) >= needed)
}
