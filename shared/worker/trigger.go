package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
)

// A TriggerHandler answers the invocations of a service that calls a function in passing, and goes on with the event that it answers, such
// as Cognito's.
type TriggerHandler func(context.Context, json.RawMessage) (json.RawMessage, error)

// Trigger is a handler of events that the function looks at and leaves as they are. What the service is at must not fail with the
// function: the answer is the event as it came, and never an error, whatever becomes of the work; that an event cannot be read, an error
// and a panic are the record's alone. told is what the record tells of the event: ids, no texts. Members that T does not have are passed
// over. The function's context ends before the invocation's time does.
func Trigger[T any](o Options, told func(T) []slog.Attr, run func(context.Context, T) error) TriggerHandler {
	return func(ctx context.Context, payload json.RawMessage) (json.RawMessage, error) {
		ctx, r := begin(named(ctx), o)
		var event T
		err := json.Unmarshal(payload, &event)
		if err != nil {
			err = fmt.Errorf("the payload is no event of this function: %w", unread(err))
		} else {
			err = r.run(ctx, func(ctx context.Context) error { return run(ctx, event) })
		}
		attrs := told(event)
		if err != nil {
			attrs = append(attrs, slog.String("cause", err.Error()))
		}
		r.end(ctx, o, "trigger", failures(err), attrs)
		return payload, nil
	}
}
