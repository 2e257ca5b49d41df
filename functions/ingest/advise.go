package ingest

import (
	"context"
	"iter"
	"slices"
	"time"

	"earshot/shared/judge"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worker"
)

// storing is what a model leaves of the invocation's time to store what was judged.
const storing = 15 * time.Second

// advise has a model judge what was found for a workspace, as far as it will be stored. A post that comes again is
// judged once for each edit, and a post beyond the month's quota not at all. If the model fails, the embedded verdicts
// stand.
func (i *Intake) advise(ctx context.Context, f *finds, looked mentionstore.Lookup) {
	usage, err := i.Mentions.Usage(ctx, looked.Workspace)
	if err != nil {
		i.unadvised(ctx, err)
		return
	}
	if usage.Stopped {
		return
	}
	having, err := i.Mentions.HavingLooked(ctx, f.orgID, f.mentions, looked)
	if err != nil {
		i.unadvised(ctx, err)
		return
	}
	var asked []int // the places of cases
	var cases []judge.Case
	for n := range f.stored() {
		c := f.cases[n]
		if m, known := having[c.Post.SourceID]; !known || c.Post.EditedAt.After(m.EditedAt) {
			asked, cases = append(asked, n), append(cases, c)
		}
	}
	if deadline, bound := ctx.Deadline(); bound {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-storing))
		defer cancel()
	}
	verdicts, advice := i.Advised.Judge(ctx, cases)
	for at, n := range asked {
		judged(&f.mentions[n], verdicts[at])
	}
	worker.Count(ctx, "modelRequests", advice.Requests)
	worker.Count(ctx, "modelFailures", advice.Failures)
	worker.Count(ctx, "modelTokens", advice.Tokens)
	worker.Count(ctx, "advised", advice.Advised)
	if advice.Err != nil {
		i.unadvised(ctx, advice.Err)
	}
}

// stored returns the places of the mentions that are stored: of a post that came twice its latest edit, or the last.
func (f *finds) stored() iter.Seq[int] {
	latest := map[string]int{}
	for n, m := range f.mentions {
		if other, twice := latest[m.SourceID]; !twice || !f.mentions[other].EditedAt.After(m.EditedAt) {
			latest[m.SourceID] = n
		}
	}
	return func(yield func(int) bool) {
		for n, m := range slices.Backward(f.mentions) {
			if latest[m.SourceID] == n && !yield(n) {
				return
			}
		}
	}
}

func (i *Intake) unadvised(ctx context.Context, cause error) {
	worker.Count(ctx, "unadvised", 1)
	if i.Unadvised != nil {
		i.Unadvised(cause)
	}
}
