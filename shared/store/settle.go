package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"earshot/shared/port/table"
)

// How Settle repeats. Of the writers that change one row at once, each round lets at least one through. Each writer
// draws its next pause at random. Fifty writers finish well within the time of a request.
const (
	settleAttempts = 40
	settleFirst    = 2 * time.Millisecond // bound of the first pause; each further one doubles it
	settleLongest  = 250 * time.Millisecond
)

// Settle repeats a read and the transaction that depends on it while other writers get in between. Returns ErrConflict
// if they do so until the attempts or the context's time run out. It does not repeat errors that a repeat cannot mend:
// table.ErrTooLarge, and a table that throttles.
func (s *Kernel) Settle(ctx context.Context, doing string, attempt func() error) error {
	for n := range settleAttempts {
		if n > 0 && !pause(ctx, rand.N(min(settleFirst<<min(n-1, 10), settleLongest))) {
			break
		}
		err := attempt()
		switch {
		case err == nil:
			return nil
		case tooLarge(err):
			return fmt.Errorf("%s: %w", doing, table.ErrTooLarge)
		case overtaken(err):
			continue
		case errors.Is(err, ErrNotFound):
			return err
		default:
			return fmt.Errorf("%s: %w", doing, err)
		}
	}
	return fmt.Errorf("%s: %w", doing, ErrConflict)
}

func tooLarge(err error) bool {
	var canceled *table.Canceled
	return errors.As(err, &canceled) && canceled.Has(table.ReasonTooLarge)
}

// overtaken reports whether a transaction was canceled because its conditions do not hold, or because others write to
// its rows.
func overtaken(err error) bool {
	var canceled *table.Canceled
	return errors.As(err, &canceled) && !canceled.Has(table.ReasonTooLarge) &&
		(canceled.Has(table.ReasonCondition) || !canceled.Has(table.ReasonThrottled))
}

// WriteOnce makes one write that must not happen twice and that cannot recognize its own repeat. It uses a transaction,
// whose repeat after a lost response does nothing. That costs twice the capacity of a plain write. Returns false if the
// condition does not hold.
func (s *Kernel) WriteOnce(ctx context.Context, doing string, write table.Write) (ok bool, err error) {
	err = s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{write}})
	var canceled *table.Canceled
	switch {
	case errors.As(err, &canceled) && canceled.Failed(0):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("%s: %w", doing, err)
	}
	return true, nil
}

// SettleUnread is Settle for a change whose rows are mostly as expected. The first attempt writes without a read, in
// one round trip. If its conditions do not hold, later attempts read first.
func (s *Kernel) SettleUnread(ctx context.Context, doing string, attempt func(read bool) error) error {
	tried := false
	return s.Settle(ctx, doing, func() error {
		if !tried {
			tried = true
			if err := attempt(false); !overtaken(err) {
				return err
			}
		}
		return attempt(true)
	})
}

// pause waits for delay. Returns false at once if the context would end before, and false if it ends meanwhile.
func pause(ctx context.Context, delay time.Duration) bool {
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

// Conditional reports whether a transaction was done. A condition that does not hold is no error.
func Conditional(err error, doing string) (done bool, failure error) {
	var canceled *table.Canceled
	switch {
	case err == nil:
		return true, nil
	case errors.As(err, &canceled) && canceled.Has(table.ReasonCondition):
		return false, nil
	}
	return false, fmt.Errorf("%s: %w", doing, err)
}
