package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Tick is one call of a schedule.
type Tick struct {
	Time time.Time // when it was due, in UTC; a repeated call has the same time. Now if the payload has no time.
}

// A ScheduleHandler handles the invocations of EventBridge Scheduler. An error makes Lambda repeat an asynchronous
// invocation.
type ScheduleHandler func(context.Context, json.RawMessage) error

// Schedule returns a handler of invocations with the payload {} or {"time": "2026-01-02T03:04:05Z"}. A schedule's input
// writes the latter as {"time": "<aws.scheduler.scheduled-time>"}. A panic counts as an error. The context of run ends
// before the invocation's time does.
func Schedule(o Options, run func(context.Context, Tick) error) ScheduleHandler {
	return func(ctx context.Context, payload json.RawMessage) error {
		ctx, r := begin(named(ctx))
		tick, err := toTick(payload, o.Clock.Now())
		if err == nil {
			err = r.run(ctx, func(ctx context.Context) error { return run(ctx, tick) })
		}
		r.endTick(ctx, o, tick, err)
		if err != nil {
			return fmt.Errorf("%s: %w", o.Function, err)
		}
		return nil
	}
}

// toTick reads a payload and ignores all members but the time.
func toTick(payload json.RawMessage, now time.Time) (Tick, error) {
	if len(bytes.TrimSpace(payload)) == 0 {
		return Tick{now}, nil
	}
	var said struct {
		Time *time.Time `json:"time"`
	}
	if err := json.Unmarshal(payload, &said); err != nil {
		return Tick{}, errors.New(`the payload is not {} or {"time": an RFC 3339 time}`)
	}
	if said.Time == nil {
		return Tick{now}, nil
	}
	return Tick{said.Time.UTC()}, nil
}
