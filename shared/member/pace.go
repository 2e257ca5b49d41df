package member

import (
	"context"
	"sync/atomic"
	"time"
)

// pace starts work on a provider at a bounded rate: as many at once as may run at the same time, and then one after
// another. Call its end when done.
type pace struct {
	begun atomic.Int64
	tick  *time.Ticker
}

// By these paces one call alone does not meet the quotas, which hold for all callers of a region together: Cognito
// looks up 30 accounts a second ("UserList") and changes 25 ("UserUpdate"), SES takes 14 mails. What calls meet
// together the adapters repeat.
const (
	lookPace = time.Second / 25
	movePace = time.Second / 25
	mailPace = time.Second / 12
)

func newPace(every time.Duration) *pace { return &pace{tick: time.NewTicker(every)} }

func (p *pace) end() { p.tick.Stop() }

// wait waits for a turn. Returns the context's error if that ends first.
func (p *pace) wait(ctx context.Context) error {
	if p.begun.Add(1) <= peopleAtOnce {
		return ctx.Err()
	}
	select {
	case <-p.tick.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
