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

// A CallHandler handles the invocations of a caller that passes a value, such as a state machine. An error makes the
// caller repeat the call or go on without it.
type CallHandler func(context.Context, json.RawMessage) error

// Call returns a handler of invocations whose payload is a T and nothing else. told returns what the log record says of
// the value: ids, no texts. A panic counts as an error. The context of run ends before the invocation's time does.
func Call[T any](o Options, told func(T) []slog.Attr, run func(context.Context, T) error) CallHandler {
	return func(ctx context.Context, payload json.RawMessage) error {
		ctx, r := begin(named(ctx))
		var value T
		decoder := json.NewDecoder(bytes.NewReader(payload))
		decoder.DisallowUnknownFields()
		err := decoder.Decode(&value)
		if err != nil {
			err = fmt.Errorf("the payload is not a call of this function: %w", unread(err))
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

// unread returns why a payload could not be read, without its contents. encoding/json would repeat the name of an
// unknown member.
func unread(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	if errors.As(err, &kind) || errors.As(err, &syntax) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return errors.New("it has unknown members or invalid values")
}

// Within returns a context that ends reserved before the invocation's time does. That leaves time to record work that
// was begun.
func Within(ctx context.Context, reserved time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-reserved))
}
