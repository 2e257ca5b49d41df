package table

import (
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"time"
)

// How Retrying repeats: full jitter over an exponential bound ("Exponential Backoff And Jitter", AWS Architecture
// Blog).
const (
	retryAttempts    = 4
	conflictAttempts = 16                    // of a transaction that others are in the way of: they end
	retryFirst       = 50 * time.Millisecond // bound of the first delay; it doubles with each further one
	retryLongest     = time.Second           // upper end of the bound
)

// Retrying repeats operations whose error is Retryable: at most four attempts, and never past the context's deadline.
// If the next delay would pass the deadline, it returns the last error at once. A transaction that only conflicts with
// others makes sixteen attempts, because transactions that count in the same rows come one after the other. BatchGet
// repeats unprocessed reads and never returns any. Only Retrying retries; adapters do not.
//
// A repeated Put, Update or Delete may meet its own first attempt if ErrUnavailable hid that it was done. A condition
// may then fail on the writer's own item, and Add may count twice. A Transaction is safe: it is sent as Once, with one
// token and one frozen request, until its outcome is known. After a cancellation it gets a new token and is built
// again.
func Retrying(inner Table) Table { return retrying{inner} }

type retrying struct{ inner Table }

// repeat runs the attempt until its error is not to be retried.
func repeat(ctx context.Context, attempt func() error) error {
	for n := 0; ; n++ {
		err := attempt()
		if err == nil || !Retryable(err) || n+1 >= attempts(err) || !pause(ctx, n) {
			return err
		}
	}
}

// attempts returns the number of attempts for an error.
func attempts(err error) int {
	var canceled *Canceled
	if errors.As(err, &canceled) && !canceled.Has(ReasonThrottled) {
		return conflictAttempts
	}
	return retryAttempts
}

// pause waits before attempt n+1. It returns false, early, if the context ends or would end meanwhile.
func pause(ctx context.Context, n int) bool {
	delay := mathrand.N(min(retryFirst<<min(n, 10), retryLongest))
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= delay {
		return false
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func (r retrying) Get(ctx context.Context, get Get) (item Item, err error) {
	err = repeat(ctx, func() error {
		item, err = r.inner.Get(ctx, get)
		return err
	})
	return item, err
}

// BatchGet counts only attempts that read nothing, so that reads of many megabytes succeed.
func (r retrying) BatchGet(ctx context.Context, gets []Get) (Batch, error) {
	items := make([]Item, len(gets))
	open := make([]int, len(gets)) // positions still to be read
	for i := range open {
		open[i] = i
	}
	ask := gets
	for n := 0; ; n++ {
		var batch Batch
		err := repeat(ctx, func() (err error) {
			batch, err = r.inner.BatchGet(ctx, ask)
			return err
		})
		if err != nil {
			return Batch{}, err
		}
		for i, item := range batch.Items {
			if item != nil {
				items[open[i]] = item
			}
		}
		if len(batch.Unprocessed) == 0 {
			return Batch{Items: items}, nil
		}
		if len(batch.Unprocessed) < len(open) {
			n = 0
		}
		left := make([]int, len(batch.Unprocessed))
		ask = make([]Get, len(left))
		for i, at := range batch.Unprocessed {
			left[i] = open[at]
			ask[i] = gets[left[i]]
		}
		open = left
		if n+1 >= retryAttempts || !pause(ctx, n) {
			return Batch{}, fmt.Errorf("%w: %d of %d reads unprocessed", ErrThrottled, len(open), len(gets))
		}
	}
}

func (r retrying) Query(ctx context.Context, query Query) (page Page, err error) {
	err = repeat(ctx, func() error {
		page, err = r.inner.Query(ctx, query)
		return err
	})
	return page, err
}

func (r retrying) Put(ctx context.Context, put Put) error {
	return repeat(ctx, func() error { return r.inner.Put(ctx, put) })
}

func (r retrying) Update(ctx context.Context, update Update) (item Item, err error) {
	err = repeat(ctx, func() error {
		item, err = r.inner.Update(ctx, update)
		return err
	})
	return item, err
}

func (r retrying) Delete(ctx context.Context, del Delete) error {
	return repeat(ctx, func() error { return r.inner.Delete(ctx, del) })
}

func (r retrying) Transact(ctx context.Context, tx Transaction) error {
	given := tx.Token() != ""
	if !given {
		tx = tx.Once()
	}
	return repeat(ctx, func() error {
		err := r.inner.Transact(ctx, tx)
		var canceled *Canceled
		if !given && errors.As(err, &canceled) {
			tx = tx.Once() // nothing was done under the old token, and time has passed
		}
		return err
	})
}

// GetAll reads any number of items, in the order of the reads; nil for a missing item. It reads MaxBatchGet at a time.
// The table should be Retrying, because a read that stays unprocessed is ErrThrottled.
func GetAll(ctx context.Context, t Table, gets []Get) ([]Item, error) {
	items := make([]Item, 0, len(gets))
	for len(gets) > 0 {
		chunk := gets[:min(len(gets), MaxBatchGet)]
		gets = gets[len(chunk):]
		batch, err := t.BatchGet(ctx, chunk)
		if err != nil {
			return nil, err
		}
		if len(batch.Unprocessed) > 0 {
			return nil, fmt.Errorf("%w: %d of %d reads unprocessed", ErrThrottled, len(batch.Unprocessed), len(chunk))
		}
		items = append(items, batch.Items...)
	}
	return items, nil
}
