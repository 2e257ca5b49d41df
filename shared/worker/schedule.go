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
	Time time.Time // when it was due, in UTC: the same when the call is repeated, if the schedule says it; else now
}

// A ScheduleHandler answers the invocations of EventBridge Scheduler. An error makes Lambda repeat an asynchronous invocation.
type ScheduleHandler func(context.Context, json.RawMessage) error

// Schedule is a handler of invocations whose payload is {} or {"time": "2026-01-02T03:04:05Z"}, which a schedule's input writes as
// {"time": "<aws.scheduler.scheduled-time>"}. A panic is an error. The function's context ends before the invocation's time does.
func Schedule(o Options, run func(context.Context, Tick) error) ScheduleHandler {
	return func(ctx context.Context, payload json.RawMessage) error {
		ctx, r := begin(named(ctx), o)
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

// toTick reads a payload. What a schedule says besides the time is not looked at.
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
