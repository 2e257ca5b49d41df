// Package summaries is the function that writes summaries. The queue summaries calls it. It counts the mentions of a
// period, finds their themes and says what they say ("POST /ai/summaries" in the contract).
//
// A message may come twice, late, and at the same time as its repeat, and the function may die at any point. A summary
// is written again until it has ended, which it does once.
package summaries

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"earshot/events/message/summarize"
	"earshot/shared/analytics"
	"earshot/shared/port/clock"
	"earshot/shared/store"
	"earshot/shared/summary"
	"earshot/shared/summary/compose"
	"earshot/shared/worker"
)

// Group names the function.
const Group = "summaries"

// BudgetFor names the budget of tokens that summaries share with the filter wizard.
const BudgetFor = "ai"

// Store is the part of the store that the function uses.
type Store interface {
	analytics.Sampler
	// Summary returns store.ErrNotFound if there is none.
	Summary(ctx context.Context, orgID, id string) (summary.Summary, error)
	// ClaimModel returns true to one attempt at a summary.
	ClaimModel(ctx context.Context, orgID, id string) (bool, error)
	// CompleteSummary returns false if the summary has ended or is gone.
	CompleteSummary(ctx context.Context, orgID, id string, content summary.Content) (ok bool, err error)
	// FailSummary returns store.ErrNotFound if there is none.
	FailSummary(ctx context.Context, orgID, id, reason string) (summary.Summary, error)
}

// Options configure the function.
type Options struct {
	Store  Store
	Writer *compose.Writer // nil: there is no model, and mentions are quoted
	Clock  clock.Clock
	Log    *slog.Logger
	// Attempts is how often a message arrives before it is a dead letter; 0 is DefaultAttempts. The last attempt asks no
	// model, and ends the summary for good.
	Attempts int
}

// DefaultAttempts is the queue's.
const DefaultAttempts = 3

// errBusy means that the message is a repeat, and that the summary is being written with the model. It comes again.
var errBusy = errors.New("another message's attempt may be asking the model for this summary")

// settleTime is kept of an invocation's time to end the summary.
const settleTime = 5 * time.Second

// Handler writes the summaries of the queue's messages.
func Handler(w worker.Options, o Options) worker.QueueHandler {
	if o.Attempts == 0 {
		o.Attempts = DefaultAttempts
	}
	return worker.Queue(w, o.handle)
}

func (o Options) handle(ctx context.Context, m worker.Message) error {
	asked, err := summarize.Read(m.Body)
	if err != nil {
		return worker.Reject(err)
	}
	s, err := o.Store.Summary(ctx, asked.WorkspaceID, asked.SummaryID)
	if errors.Is(err, store.ErrNotFound) || err == nil && s.Status.Ended() {
		return nil // it has expired, or another attempt has ended it
	}
	if err != nil {
		return err
	}
	last := m.Receives >= o.Attempts
	writing, cancel := worker.Within(ctx, settleTime)
	defer cancel()
	content, err := o.write(writing, s, func(ctx context.Context) (bool, error) {
		if last {
			return false, nil
		}
		mine, err := o.Store.ClaimModel(ctx, s.WorkspaceID, s.ID)
		if err == nil && !mine && m.Receives <= 1 {
			return false, errBusy
		}
		return mine, err
	})
	if err == nil {
		_, err = o.Store.CompleteSummary(ctx, s.WorkspaceID, s.ID, content)
	}
	if errors.Is(err, analytics.ErrBudget) { // which no repeat mends
		return o.fail(ctx, s, fmt.Sprintf(
			"Counting the mentions would read more than %d MiB of them. Ask for a shorter period.", analytics.ScanBudget>>20,
		))
	}
	if err == nil || !last {
		return err
	}
	// The summary has failed for good. The message becomes a dead letter, for people to look at.
	return errors.Join(err, o.fail(ctx, s, "The mentions could not be read. Ask for the summary again."))
}

func (o Options) fail(ctx context.Context, s summary.Summary, reason string) error {
	_, err := o.Store.FailSummary(ctx, s.WorkspaceID, s.ID, reason)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
