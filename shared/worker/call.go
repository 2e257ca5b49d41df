package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"
)

// A CallHandler answers the invocations of whoever calls a function with a value, such as a state machine. An error makes the caller
// repeat the call, or go on without.
type CallHandler func(context.Context, json.RawMessage) error

// Call is a handler of invocations whose payload is a T and nothing besides. told is what the record tells of it: ids, no texts. A panic
// is an error. The function's context ends before the invocation's time does.
func Call[T any](o Options, told func(T) []slog.Attr, run func(context.Context, T) error) CallHandler {
	return func(ctx context.Context, payload json.RawMessage) error {
		ctx, r := begin(named(ctx), o)
		var value T
		decoder := json.NewDecoder(bytes.NewReader(payload))
		decoder.DisallowUnknownFields()
		err := decoder.Decode(&value)
		if err != nil {
			err = fmt.Errorf("the payload is no call of this function: %w", unread(err))
		} else {
			err = r.run(ctx, func(ctx context.Context) error { return run(ctx, value) })
		}
		attrs := told(value)
		if err != nil {
			attrs = append(attrs, slog.String("cause", err.Error()))
		}
		r.end(ctx, o, "call", failures(err), attrs)
		if err != nil {
			return fmt.Errorf("%s: %w", o.Function, err)
		}
		return nil
	}
}

// unread is why a payload could not be read, without what stands in it: encoding/json repeats the name of a member that it does not know.
func unread(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	if errors.As(err, &kind) || errors.As(err, &syntax) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return errors.New("it has members of others, or values that are none of theirs")
}

// Within is a context that ends so long before the invocation's time does that what was begun can still be noted.
func Within(ctx context.Context, reserved time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-reserved))
}
