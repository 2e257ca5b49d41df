package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambdacontext"

	"earshot/shared/lambdalog"
	"earshot/shared/port/table"
)

// record is one invocation from start to end: what the kit and the function learn about it, and its one log line.
type record struct {
	id      string // of the request
	started time.Time
	meter   *table.Meter

	mu     sync.Mutex
	counts map[string]int
	panics []string // with their stacks
	left   int      // messages that were not begun for lack of time

	rejections int // messages that were rejected
}

type recordKey struct{}

// begin opens the record of an invocation.
func begin(ctx context.Context) (context.Context, *record) {
	r := &record{started: time.Now(), counts: map[string]int{}}
	if lambda, ok := lambdacontext.FromContext(ctx); ok {
		r.id = lambda.AwsRequestID
	}
	ctx, r.meter = table.WithMeter(ctx)
	return context.WithValue(ctx, recordKey{}, r), r
}

// Count adds n to a count of the invocation's record, such as "stored". It is safe for concurrent use and does nothing
// outside an invocation.
func Count(ctx context.Context, name string, n int) {
	r, ok := ctx.Value(recordKey{}).(*record)
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[name] += n
}

var (
	errPanicked = errors.New("it panicked")
	errNoTime   = errors.New("no time was left")
)

// panicked keeps a panic for the log and returns the error for the work that it ended.
func (r *record) panicked(value any) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.panics = append(r.panics, fmt.Sprintf("%s\n%s", lambdalog.PanicText(value), debug.Stack()))
	return errPanicked
}

// run calls do in a context that ends before the invocation's time does. A panic becomes an error. run returns
// errNoTime if there is no time to begin.
func (r *record) run(ctx context.Context, do func(context.Context) error) (err error) {
	call, cancel, enough := within(ctx, reserve)
	defer cancel()
	if !enough {
		return errNoTime
	}
	defer func() {
		if value := recover(); value != nil {
			err = r.panicked(value)
		}
	}()
	return do(call)
}

// leave fails messages that are not begun for lack of time.
func (r *record) leave(messages []Message) []Failure {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = len(messages)
	return all(messages, errNoTime)
}

// maxCauses bounds the causes in the record of a batch. The record always has the number of failures.
const maxCauses = 10

func (r *record) endBatch(ctx context.Context, o Options, messages int, failures []Failure) {
	attrs := []slog.Attr{slog.Int("messages", messages), slog.Int("failed", len(failures))}
	var causes []string
	for _, failure := range failures {
		if isRejected(failure.Err) {
			r.rejections++
		}
		if len(causes) < maxCauses {
			causes = append(causes, fmt.Sprintf("%s: %v", failure.ID, failure.Err))
		}
	}
	if r.rejections > 0 {
		attrs = append(attrs, slog.Int("rejected", r.rejections))
	}
	if r.left > 0 {
		attrs = append(attrs, slog.Int("left", r.left))
	}
	if len(causes) > 0 {
		attrs = append(attrs, slog.Any("causes", causes))
	}
	r.end(ctx, o, "batch", len(failures), attrs)
}

func (r *record) endTick(ctx context.Context, o Options, tick Tick, err error) {
	attrs := []slog.Attr{slog.Time("due", tick.Time)}
	if err != nil {
		attrs = append(attrs, slog.String("cause", err.Error()))
	}
	r.end(ctx, o, schedule, failures(err), attrs)
}

// schedule names the record of a scheduled call.
const schedule = "schedule"

// isWork reports whether a count says that something was done.
func isWork(count int) bool { return count != 0 }

// failures returns the number of failures of an invocation with a single piece of work.
func failures(err error) int {
	if err != nil {
		return 1
	}
	return 0
}

// end writes the one line of an invocation.
func (r *record) end(ctx context.Context, o Options, kind string, failures int, attrs []slog.Attr) {
	level := slog.LevelInfo
	if failures > 0 {
		level = slog.LevelError
	}
	used := r.meter.Total()
	attrs = append([]slog.Attr{slog.String("requestId", r.id), slog.String("function", o.Function)}, attrs...)
	attrs = append(attrs,
		slog.Int64("milliseconds", time.Since(r.started).Milliseconds()),
		slog.Int("reads", used.Reads),
		slog.Int("writes", used.Writes),
		slog.Float64("readUnits", used.ReadUnits),
		slog.Float64("writeUnits", used.WriteUnits),
	)
	if id := lambdalog.TraceID(ctx); id != "" {
		attrs = append(attrs, slog.String("traceId", id))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	values := map[string]float64{}
	counts := make([]slog.Attr, 0, len(r.counts))
	for _, name := range slices.SortedFunc(maps.Keys(r.counts), cmp.Compare[string]) {
		counts = append(counts, slog.Int(name, r.counts[name]))
		values[name] = float64(r.counts[name])
	}
	if len(counts) > 0 {
		attrs = append(attrs, slog.GroupAttrs("counts", counts...))
	}
	for _, panicked := range r.panics[:min(1, len(r.panics))] { // one stack is enough
		attrs = append(attrs, slog.String("panic", panicked))
	}
	for name, n := range map[string]int{"failed": failures, "rejected": r.rejections, "left": r.left} {
		values[name] = float64(n) // the count of messages wins over a function's count of the same name
	}
	// A scheduled call that found nothing to do reports no metric: each would be paid for while nobody uses the stage.
	if kind != schedule || failures > 0 || used.Writes > 0 ||
		slices.ContainsFunc(slices.Collect(maps.Values(r.counts)), isWork) {
		values["readUnits"], values["writeUnits"] = used.ReadUnits, used.WriteUnits
	}
	o.Log.LogAttrs(ctx, level, kind, append(attrs, measured(o, r.started, values, attrs)...)...)
}
