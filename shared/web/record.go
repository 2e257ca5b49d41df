package web

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"earshot/shared/lambdalog"
	"earshot/shared/port/table"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// record is one request from start to end: what the kit finds out about it, and in the end its one log line.
type record struct {
	id      string
	base    string // the service root as the client sees it
	started time.Time
	// settleBy is when what follows an answer, such as keeping it, must be done; zero: no hurry.
	settleBy time.Time
	route    *route
	caller   Caller
	meter    *table.Meter

	allowance *allowance       // once the request is counted
	faults    []problem.Detail // of the input, until huma has found its own
	problem   *problem.Problem // what the answer says, when it is not 2xx
	panicked  string           // with its stack
	entered   time.Time        // when the endpoint's work began: every check before it, input included, had passed
	replayed  bool
	auth      time.Duration
	handler   time.Duration
	metrics   []metric
	status    int         // that the handler asked for; 0: 200
	header    http.Header // that the handler asked for
	repeated  string      // what Repeated answers

	ifNoneMatch string
	ifMatch     string          // "", "*" or entity tags
	revision    int64           // of what the answer shows; 0: it has none
	token       workspace.Token // the caller's
}

type metric struct {
	name     string
	duration time.Duration
}

type recordKey struct{}

// recordOf is the record of the request that runs under the context; nil outside one.
func recordOf(ctx context.Context) *record {
	found, _ := ctx.Value(recordKey{}).(*record)
	return found
}

// faulty is the error for faults that only the kit has found; huma, which found none, has called the operation.
func (r *record) faulty() error {
	if len(r.faults) == 0 {
		return nil
	}
	r.problem = invalid(r.faults)
	return failure{r.problem}
}

// Timing adds a metric of the endpoint's own to Server-Timing. The name is a token of RFC 9110.
func Timing(ctx context.Context, name string, duration time.Duration) {
	if record := recordOf(ctx); record != nil {
		record.metrics = append(record.metrics, metric{name, duration})
	}
}

// SetHeader sets a header of the answer, from within an operation.
func SetHeader(ctx context.Context, name, value string) {
	if record := recordOf(ctx); record != nil {
		record.setHeader(name, value)
	}
}

// SetStatus makes the answer another of the operation's than 200, when the operation does not fail: 202, for one.
func SetStatus(ctx context.Context, status int) {
	if record := recordOf(ctx); record != nil {
		record.status = status
	}
}

// Repeated names what a request with an Idempotency-Key asks for: the same name whenever the same client asks for the same with the
// same key. Empty without one. Most operations need it not, for a repeat is given the first answer; it is for those that begin
// something, when the first request died before it could answer.
func Repeated(ctx context.Context) string {
	if record := recordOf(ctx); record != nil {
		return record.repeated
	}
	return ""
}

// Derive makes 32 bytes that only the caller of the request can make again, by the same token and for the same purpose.
func Derive(ctx context.Context, purpose string) []byte {
	if record := recordOf(ctx); record != nil {
		return record.token.Derive(purpose)
	}
	return nil
}

func (r *record) setHeader(name, value string) {
	if r.header == nil {
		r.header = http.Header{}
	}
	r.header.Set(name, value)
}

// BaseURL is the service root as the client of the request sees it, without a slash at its end.
func BaseURL(ctx context.Context) string {
	if record := recordOf(ctx); record != nil {
		return record.base
	}
	return ""
}

// timing is the value of Server-Timing, in milliseconds. A request that was turned away before its endpoint has auth and
// total only.
func (r *record) timing(total time.Duration) string {
	var b strings.Builder
	add := func(name string, d time.Duration) {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name + ";dur=" + strconv.FormatFloat(milliseconds(d), 'f', -1, 64))
	}
	add("auth", r.auth)
	if !r.entered.IsZero() {
		add("handler", r.handler)
		for _, m := range r.metrics {
			add(m.name, m.duration)
		}
	}
	add("total", total)
	return b.String()
}

// log writes the one line of a request. It holds no personal data: the route and not the path, no query, no text of a
// client's; and no secret.
func (r *record) log(ctx context.Context, log *slog.Logger, metrics metering, method string, status int, total time.Duration) {
	level := slog.LevelInfo
	if status >= 500 {
		level = slog.LevelError
	}
	if !log.Enabled(ctx, level) {
		return
	}
	used := r.meter.Total()
	attrs := append(make([]slog.Attr, 0, 24),
		slog.String("requestId", r.id),
		slog.String("method", methodName(method)),
		slog.Int("status", status),
		slog.Int64("authMicros", r.auth.Microseconds()),
		slog.Int64("handlerMicros", r.handler.Microseconds()),
		slog.Int64("totalMicros", total.Microseconds()),
		slog.Int("reads", used.Reads),
		slog.Int("writes", used.Writes),
		units("readUnits", used.ReadUnits),
		units("writeUnits", used.WriteUnits),
	)
	if id := lambdalog.TraceID(ctx); id != "" {
		attrs = append(attrs, slog.String("traceId", id))
	}
	if r.route != nil {
		attrs = append(attrs, slog.String("operation", r.route.ID), slog.String("route", r.route.Path))
	}
	if r.caller.Workspace.ID != "" {
		attrs = append(attrs, slog.String("workspace", r.caller.Workspace.ID), slog.String("key", r.caller.Key.ID))
	}
	if r.replayed {
		attrs = append(attrs, slog.Bool("replayed", true))
	}
	if r.problem != nil {
		attrs = append(attrs, slog.String("code", string(r.problem.Code)))
		if cause := r.problem.Unwrap(); cause != nil {
			attrs = append(attrs, slog.String("cause", cause.Error()))
		}
	}
	if r.panicked != "" {
		attrs = append(attrs, slog.String("panic", r.panicked))
	}
	log.LogAttrs(ctx, level, "request", metrics.append(attrs, r, status)...)
}

// units is a number of capacity units. Most are whole, and slog is ten times as fast with those.
func units(name string, count float64) slog.Attr {
	if whole := int64(count); float64(whole) == count {
		return slog.Int64(name, whole)
	}
	return slog.Float64(name, count)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// buffer is an answer while it is made. It is held back until the kit has seen the whole of it.
type buffer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (b *buffer) Header() http.Header {
	if b.header == nil {
		b.header = http.Header{}
	}
	return b.header
}

func (b *buffer) Write(p []byte) (int, error) { return b.body.Write(p) }
func (b *buffer) WriteHeader(status int)      { b.status = status }

// put replaces what is there by a problem.
func (b *buffer) put(problem *problem.Problem) {
	body, err := problem.MarshalJSON()
	if err != nil {
		panic(fmt.Sprintf("web: %v", err)) // an extra field that the catalogue does not list: a mistake in the program
	}
	b.set(problem.Status(), body)
}

func (b *buffer) set(status int, body []byte) {
	clear(b.header)
	b.Header().Set("Content-Type", "application/json")
	b.status = status
	b.body.Reset()
	b.body.Write(body)
}
