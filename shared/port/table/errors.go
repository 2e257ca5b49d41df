package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

var (
	// ErrThrottled means that the store refused the operation because of load. Nothing was done, and it may be retried.
	ErrThrottled = errors.New("table: throttled")

	// ErrUnavailable means that the store did not respond. A write may or may not have been done, and it may be
	// retried.
	ErrUnavailable = errors.New("table: unavailable")

	// ErrTooLarge means that an item would exceed MaxItemBytes. Nothing was done.
	ErrTooLarge = errors.New("table: item too large")

	// ErrInvalid means that the operation is malformed: a mistake in the program.
	ErrInvalid = errors.New("table: invalid operation")
)

// ConditionFailed is the error of a write whose condition did not hold. Item is the existing item; nil if there is
// none.
type ConditionFailed struct{ Item Item }

func (*ConditionFailed) Error() string { return "table: condition failed" }

// Reason is the outcome of one write of a canceled transaction.
type Reason struct {
	Code ReasonCode
	Item Item // with ReasonCondition: the existing item
}

// ReasonCode is why a write stopped its transaction.
type ReasonCode string

// The reasons.
const (
	ReasonNone      ReasonCode = "None" // this write was not the cause
	ReasonCondition ReasonCode = "ConditionFailed"
	ReasonConflict  ReasonCode = "Conflict" // another transaction was at the same item: may be retried
	ReasonThrottled ReasonCode = "Throttled"
	ReasonTooLarge  ReasonCode = "TooLarge"
)

// Canceled is the error of a transaction that did not happen. Reasons has one entry per write, in their order.
type Canceled struct{ Reasons []Reason }

func (c *Canceled) Error() string {
	codes := make([]string, len(c.Reasons))
	for i, reason := range c.Reasons {
		codes[i] = string(reason.Code)
	}
	return fmt.Sprintf("table: transaction canceled [%s]", strings.Join(codes, ", "))
}

// Has reports whether any write has this outcome.
func (c *Canceled) Has(code ReasonCode) bool {
	return slices.ContainsFunc(c.Reasons, func(r Reason) bool { return r.Code == code })
}

// Failed reports whether the condition of the write at position i failed.
func (c *Canceled) Failed(i int) bool { return c.Reasons[i].Code == ReasonCondition }

// Retryable reports whether the same operation may succeed when it is sent again. A transaction is retryable if only
// conflicts and throttling stopped it.
func Retryable(err error) bool {
	var canceled *Canceled
	if errors.As(err, &canceled) {
		return !canceled.Has(ReasonCondition) && !canceled.Has(ReasonTooLarge)
	}
	return errors.Is(err, ErrThrottled) || errors.Is(err, ErrUnavailable)
}
