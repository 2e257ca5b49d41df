package survey

import (
	"context"
	"errors"
	"time"

	"earshot/shared/source"
)

const (
	// longestWait is for how long a source is waited for that asked for it: longer, and the others' answers are worth
	// more than its.
	longestWait = 5 * time.Second
	// margin is what is left of the context's time when nothing is asked any more: enough to keep and hand on what
	// there is.
	margin = 2 * time.Second
)

// ErrTime means that too little of the context's time is left to ask.
var ErrTime = errors.New("survey: the time that there was is used up")

// ask makes one request, and a second when the source said to wait and that is short. Each takes one of the budget. A
// request does not outlast the context's time less the margin: one that was cut so answers ErrTime.
func ask[T any](ctx context.Context, a *asking, request func(context.Context) (T, error)) (T, error) {
	within, cancel := a.within(ctx)
	defer cancel()
	for again := false; ; again = true {
		answer, err := once(ctx, within, a, request)
		var unavailable *source.Unavailable
		if again || !errors.As(err, &unavailable) || unavailable.RetryAfter <= 0 ||
			unavailable.RetryAfter > longestWait {
			return answer, err
		}
		if end, bounded := within.Deadline(); bounded && time.Until(end) <= unavailable.RetryAfter {
			return answer, err
		}
		timer := time.NewTimer(unavailable.RetryAfter)
		select {
		case <-timer.C:
		case <-within.Done():
			timer.Stop()
			return answer, ended(ctx, err)
		}
	}
}

func once[T any](
	ctx, within context.Context, a *asking, request func(context.Context) (T, error),
) (answer T, err error) {
	if within.Err() != nil {
		return answer, ended(ctx, ErrTime)
	}
	if a.s.o.Most > 0 && a.requests >= a.s.o.Most {
		return answer, ErrBudget
	}
	if a.s.o.Budget != nil {
		ok, err := a.s.o.Budget.Spend(within, 1)
		if err != nil {
			return answer, err
		}
		if !ok {
			return answer, ErrBudget
		}
	}
	a.requests++
	a.s.requests.Add(1)
	answer, err = request(within)
	if err != nil && within.Err() != nil {
		return answer, ended(ctx, ErrTime)
	}
	return answer, err
}

// within is the context with the margin taken off its time.
func (a *asking) within(ctx context.Context) (context.Context, context.CancelFunc) {
	end, bounded := ctx.Deadline()
	if !bounded {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-margin))
}

// ended is the context's own error once it is over, and else another.
func ended(ctx context.Context, otherwise error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return otherwise
}
