// Package sweep ends setup drafts that would never end by themselves: runs whose execution died, told by the state
// machine's terminal event or found by the schedule, and scans that nobody finished. No draft stays unsettled for
// longer than its time limit and one sweep.
package sweep

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"earshot/events/message"
	"earshot/functions/setupstages"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/worker"
)

// Group is the function's name.
const Group = "sweep"

// Store is what the sweep asks of the store.
type Store interface {
	setupstages.Store
	// DueSetups lists drafts whose time is over, the longest overdue first, at most limit.
	DueSetups(ctx context.Context, limit int) ([]proposal.Due, error)
	// ScanDone ends a scan that still lasts.
	ScanDone(ctx context.Context, workspaceID, draftID string, profile *proposal.Profile, message string) error
}

// most is how many drafts one sweep ends; the next one goes on.
const most = 100

// ScanLost is what the user reads of a scan that nobody finished.
const ScanLost = "The scan did not end in time. Create the draft again, or fill in the profile by hand."

// Handler answers the schedule and the state machine's terminal events.
func Handler(o setupstages.Options, stored Store, on worker.Options) worker.CallHandler {
	tick := worker.Schedule(on, func(ctx context.Context, _ worker.Tick) error { return Sweep(ctx, o, stored) })
	ended := worker.Call(on, told, func(ctx context.Context, e event) error {
		var d detail
		if err := json.Unmarshal(e.Detail, &d); err != nil {
			return fmt.Errorf("the event tells no execution: %w", err)
		}
		return End(ctx, o, d.Input)
	})
	return func(ctx context.Context, payload json.RawMessage) error {
		var kind struct {
			DetailType string `json:"detail-type"`
		}
		if json.Unmarshal(payload, &kind) == nil && kind.DetailType != "" {
			return ended(ctx, payload)
		}
		return tick(ctx, payload)
	}
}

// Sweep ends every draft whose time is over. One that cannot be ended keeps none of the others back, nor does one that
// is given up since nothing can be made of it: both are answered as errors, for people to look at. So is a panic, when
// the others are ended: whose draft it is, is the longest overdue, and would be the first of every sweep.
func Sweep(ctx context.Context, o setupstages.Options, stored Store) error {
	due, err := stored.DueSetups(ctx, most)
	if err != nil {
		return err
	}
	var failures []error
	var panicked any
	for _, d := range due {
		func() {
			defer func() { panicked = cmp.Or(recover(), panicked) }()
			if err := end(ctx, o, stored, d); err != nil {
				failures = append(failures, fmt.Errorf("end %s: %w", d.DraftID, err))
			}
		}()
	}
	worker.Count(ctx, "due", len(due))
	if panicked != nil {
		panic(panicked)
	}
	return errors.Join(failures...)
}

func end(ctx context.Context, o setupstages.Options, stored Store, d proposal.Due) error {
	if d.Status == proposal.Scanning {
		return stored.ScanDone(ctx, d.WorkspaceID, d.DraftID, nil, ScanLost)
	}
	key := proposal.Key{WorkspaceID: d.WorkspaceID, DraftID: d.DraftID, Number: d.Run}
	if err := o.Interrupt(ctx, key); err != nil {
		return o.GiveUp(ctx, key, err)
	}
	return nil
}

// End ends the run of an execution that has ended, by the execution's input. One that succeeded has nothing left to
// end, nor has one whose draft is gone; of a run that cannot be read the schedule takes care.
func End(ctx context.Context, o setupstages.Options, input string) error {
	var call message.SetupStage
	if err := json.Unmarshal([]byte(input), &call); err != nil {
		return fmt.Errorf("the execution's input is no run's: %w", err)
	}
	err := o.Interrupt(ctx, proposal.Key{WorkspaceID: call.WorkspaceID, DraftID: call.DraftID, Number: call.Run})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// An event is what is read of EventBridge's "Step Functions Execution Status Change".
type event struct {
	ID     string          `json:"id"`
	Detail json.RawMessage `json:"detail"`
}

// UnmarshalJSON leaves the other members alone, and those that AWS adds.
func (e *event) UnmarshalJSON(content []byte) error {
	type plain event
	return json.Unmarshal(content, (*plain)(e))
}

type detail struct {
	Input string `json:"input"`
}

func told(e event) []slog.Attr { return []slog.Attr{slog.String("event", e.ID)} }
