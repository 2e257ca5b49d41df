// Package postshards is the function that builds the archive's shards: indexes of the posts that came in. A schedule
// calls it. A post can be found before that, because searches read the posts of batches that no shard has yet.
//
// It may be killed anywhere, be repeated, and meet another caller: see shards.Builder.
package postshards

import (
	"context"
	"time"

	"earshot/shared/archive"
	"earshot/shared/archive/shards"
	"earshot/shared/port/clock"
	"earshot/shared/worker"
)

// Group names the function and its folder.
const Group = "postshards"

const (
	// margin is what must remain of the invocation to begin another shard or merge.
	margin = 5 * time.Minute
	// least is a batch that is large: a search that no shard answers reads so many documents.
	least = 5_000
	// longest is how long fewer posts wait for more, so that a day has few small shards. A call comes up to a minute early.
	longest = time.Hour - time.Minute
)

// Options configure the function.
type Options struct {
	Store archive.Store
	Files shards.Files
	Cache *shards.Cache // reads the shards that are merged
	Clock clock.Clock
	// Folder holds shards while they are written; empty for the system's temporary folder.
	Folder string
	// Language returns the full name of the language of a text; empty if it is unknown.
	Language func(text string) string
	// Quiet is how long a batch rests before it is built; 0 is shards.DefaultQuiet.
	Quiet time.Duration
	// Margin is what must remain of the invocation to begin another shard or merge; 0 is five minutes.
	Margin time.Duration
}

// Handler returns the handler of the schedule. A call builds posts once 5,000 of them rest, or once an hour if fewer do.
func Handler(w worker.Options, o Options) worker.ScheduleHandler {
	return worker.Schedule(w, func(ctx context.Context, _ worker.Tick) error {
		return run(ctx, o, shards.Builder{Least: least, Longest: longest})
	})
}

// Run makes shards of the posts that rest long enough, and merges and rebuilds shards that are due. What no time is
// left for waits for the next call.
func Run(ctx context.Context, o Options) error { return run(ctx, o, shards.Builder{}) }

func run(ctx context.Context, o Options, b shards.Builder) error {
	if o.Margin == 0 {
		o.Margin = margin
	}
	b.Store, b.Files, b.Cache, b.Clock = o.Store, o.Files, o.Cache, o.Clock
	b.Folder, b.Language, b.Quiet = o.Folder, o.Language, o.Quiet
	b.Late = func() bool {
		deadline, bound := ctx.Deadline()
		return bound && time.Until(deadline) < o.Margin
	}
	done, err := b.Build(ctx)
	for name, n := range map[string]int{
		"posts": int(done.Posts), "shards": done.Shards, "merged": done.Merged, "deletedFiles": done.Deleted,
	} {
		if n > 0 {
			worker.Count(ctx, name, n)
		}
	}
	if done.Late {
		worker.Count(ctx, "unfinished", 1)
	}
	return err
}
