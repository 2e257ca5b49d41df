package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
)

// A TriggerHandler handles the invocations of a service that calls a function with an event in passing and goes on with
// the returned event. Cognito is one.
type TriggerHandler func(context.Context, json.RawMessage) (json.RawMessage, error)

// Trigger returns a handler that looks at events and returns them unchanged. The calling service must not fail with the
// function, so the handler returns the event whatever happens, and never an error. Unreadable events, errors and panics
// are only logged.
//
// told returns what the log record says of the event: ids, no texts. Members that T lacks are ignored. The context of
// run ends before the invocation's time does.
func Trigger[T any](o Options, told func(T) []slog.Attr, run func(context.Context, T) error) TriggerHandler {
	return func(ctx context.Context, payload json.RawMessage) (json.RawMessage, error) {
		ctx, r := begin(named(ctx))
		var event T
		err := json.Unmarshal(payload, &event)
		if err != nil {
			err = fmt.Errorf("the payload is not an event of this function: %w", unread(err))
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
