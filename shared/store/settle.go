package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"earshot/shared/port/table"
)

// How settle repeats. Of the writers that change one row at once each round lets at least one through, and each draws its next
// round by itself: fifty of them end well before a request does.
const (
	settleAttempts = 40
	settleFirst    = 2 * time.Millisecond // bound of the first pause; each further one doubles it
	settleLongest  = 250 * time.Millisecond
)

// Settle repeats a read and the transaction that depends on it while others get in between. Answers ErrConflict when they do so to
// the end, or to that of the context. What no repeat helps is answered at once: table.ErrTooLarge, and that the table throttles, which
// is nobody's change.
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

// overtaken says whether a transaction was canceled since the rows are not as it expects, or others write to them.
func overtaken(err error) bool {
	var canceled *table.Canceled
	return errors.As(err, &canceled) && !canceled.Has(table.ReasonTooLarge) &&
		(canceled.Has(table.ReasonCondition) || !canceled.Has(table.ReasonThrottled))
}

// WriteOnce makes a single write that must not be done twice, and does not recognize itself: by a transaction, whose
// repeat after a lost response does nothing. It costs twice the capacity of the write. It returns false if the
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

// SettleUnread is settle where it is written by what is expected first, without a read, and only when that is not so reading and writing
// take turns: what mostly is as expected takes one round trip.
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

// pause waits. It answers false, early, when the context ends or would end meanwhile.
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
