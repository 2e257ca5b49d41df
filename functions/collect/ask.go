package collect

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"earshot/shared/lambdalog"
	"earshot/shared/source"
	"earshot/shared/store/listenstore"
	"earshot/shared/worker"
)

// ask asks the source for a page. Any failure of an adapter counts as its source's. An error means the end of the
// invocation.
func (t *turn) ask(ctx context.Context, q source.Query) (page source.Page, failure *source.Unavailable, err error) {
	failure, err = t.call(ctx, func(ctx context.Context) error {
		page, err = t.source.Search(ctx, q)
		return err
	})
	return page, failure, err
}

// call calls an adapter, for as long as the source may take and some of the invocation is left.
func (t *turn) call(ctx context.Context, do func(context.Context) error) (*source.Unavailable, error) {
	limit := patience
	if deadline, bound := ctx.Deadline(); bound {
		limit = min(limit, time.Until(deadline)-recorded)
	}
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := t.recovered(ctx, func() error { return do(bounded) })
	var failure *source.Unavailable
	switch {
	case err == nil:
		return nil, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &failure):
		return failure, nil
	case errors.Is(err, source.ErrNoCredentials):
		return &source.Unavailable{
			Source:  t.about.Name,
			Reason:  "its credentials are not configured",
			Refused: true,
		}, nil
	case bounded.Err() != nil:
		return &source.Unavailable{
			Source:  t.about.Name,
			Reason:  fmt.Sprintf("did not answer within %v", limit.Round(time.Second)),
			Network: true,
		}, nil
	}
	return &source.Unavailable{Source: t.about.Name, Reason: "its adapter failed: " + err.Error()}, nil
}

// recovered makes an adapter's panic its error.
func (t *turn) recovered(ctx context.Context, do func() error) (err error) {
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		t.c.Log.ErrorContext(
			ctx, "adapter panicked", "source", t.about.Name, "panic", lambdalog.PanicText(value), "stack",
			string(debug.Stack()),
		)
		err = errors.New("it panicked")
	}()
	return do()
}

// failed puts a task off: for as long as the platform asked, and longer each time. If the platform asked to wait, or
// refuses everyone, the source is paused for all workers.
func (t *turn) failed(ctx context.Context, task *listenstore.Task, why *source.Unavailable) error {
	const (
		first, longest = time.Minute, time.Hour
		mostAsked      = 24 * time.Hour // a platform may be mistaken, or hostile
	)
	t.failures++
	task.Failures++
	task.LastError = why.Reason
	asked := min(why.RetryAfter, mostAsked)
	now := t.c.Clock.Now()
	task.DueAt = now.Add(max(asked, min(first<<min(task.Failures-1, 10), longest)))
	if task.Failures > 1 && !why.Network && asked == 0 && !why.Refused {
		// the position in the window may be what fails, so the window starts again
		task.Until, task.After = time.Time{}, ""
	}
	worker.Count(ctx, "failures", 1)
	t.c.Log.WarnContext(ctx, "source failed", "source", t.about.Name, "reason", why.Reason, "failures", task.Failures,
		"retryAfter", why.RetryAfter.Seconds(), "network", why.Network)
	t.over = why.Refused || asked > 0 || why.Network || t.failures >= maxFailures
	switch {
	case why.Refused:
		asked = max(asked, longest)
	case asked == 0:
		return nil
	}
	return t.c.Tasks.PauseSource(ctx, t.about.Name, now.Add(asked))
}
