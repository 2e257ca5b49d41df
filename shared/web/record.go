package web

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"earshot/shared/lambdalog"
	"earshot/shared/port/table"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// record is one request from start to end: what the kit learns about it, and its one log line.
type record struct {
	id      string
	base    string // the service root as the client sees it
	started time.Time
	// settleBy is the deadline for the work after a response, such as storing it. Zero means no deadline.
	settleBy time.Time
	route    *route
	caller   Caller
	meter    *table.Meter

	allowance *allowance       // set once the request is counted
	faults    []problem.Detail // of the input, until huma has found its own
	problem   *problem.Problem // the response's problem, if it is not 2xx
	panicked  string           // the panic and its stack
	entered   time.Time        // when the endpoint's work began, after every check
	replayed  bool
	auth      time.Duration
	handler   time.Duration
	metrics   []metric
	status    int          // that the handler set; 0 is 200
	header    http.Header  // that the handler set
	repeated  string       // the result of Repeated
	code      string       // that SetCode set
	verified  *Verified    // for whom Perform calls the operation; nil for a request from outside
	performed []string     // ids of the operations that Perform has called for it
	failed    bool         // one of them gave a 5xx
	limited   bool         // a limit refused one of them
	stopped   atomic.Int32 // mails that a fault of the sender stopped

	acceptsGzip bool
	ifNoneMatch string
	ifMatch     string          // "", "*" or entity tags
	revision    int64           // of the resource in the response; 0 if it has none
	token       workspace.Token // the caller's
}

type metric struct {
	name     string
	duration time.Duration
}

type recordKey struct{}

// recordOf returns the record of the context's request; nil outside a request.
func recordOf(ctx context.Context) *record {
	found, _ := ctx.Value(recordKey{}).(*record)
	return found
}

// faulty returns the faults that only the kit has found, as an error. Huma found none and has called the operation.
func (r *record) faulty() error {
	if len(r.faults) == 0 {
		return nil
	}
	r.problem = invalid(r.faults)
	return failure{r.problem}
}

// Timing adds a metric of the endpoint to Server-Timing. name is a token (RFC 9110).
func Timing(ctx context.Context, name string, duration time.Duration) {
	if record := recordOf(ctx); record != nil {
		record.metrics = append(record.metrics, metric{name, duration})
	}
}

// SetHeader sets a header of the response from within an operation.
func SetHeader(ctx context.Context, name, value string) {
	if record := recordOf(ctx); record != nil {
		record.setHeader(name, value)
	}
}

// SetStatus replaces the status 200 of an operation that succeeds, for example by 202.
func SetStatus(ctx context.Context, status int) {
	if record := recordOf(ctx); record != nil {
		record.status = status
	}
}

// Repeated returns a name for a request with an Idempotency-Key: the same name whenever the same client repeats the
// same request with the same key. It returns "" without a key.
//
// Most operations do not need it, because a repeat gets the stored response. It serves operations that begin something,
// in case the first request died before it could respond.
func Repeated(ctx context.Context) string {
	if record := recordOf(ctx); record != nil {
		return record.repeated
	}
	return ""
}

// Derive returns 32 bytes for a purpose. Only the caller of the request can derive them again, with the same token.
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

// BaseURL returns the service root as the client sees it, without a slash at its end.
func BaseURL(ctx context.Context) string {
	if record := recordOf(ctx); record != nil {
		return record.base
	}
	return ""
}

// timing returns the value of Server-Timing, in milliseconds. A request that was refused before its endpoint has auth
// and total only.
func (r *record) timing(total time.Duration) string {
	line := make([]byte, 0, 96)
	add := func(name string, d time.Duration) {
		if len(line) > 0 {
			line = append(line, ", "...)
		}
		line = append(append(line, name...), ";dur="...)
		line = strconv.AppendFloat(line, milliseconds(d), 'f', -1, 64)
	}
	add("auth", r.auth)
	if !r.entered.IsZero() {
		add("handler", r.handler)
		for _, m := range r.metrics {
			add(m.name, m.duration)
		}
	}
	add("total", total)
	return string(line)
}

// log writes the one line of a request. The line holds no secret and no personal data: the route instead of the path,
// no query, and no text that a client sent.
func (r *record) log(
	ctx context.Context, log *slog.Logger, metrics metering, method string, status int, total time.Duration,
) {
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
	if len(r.performed) > 0 {
		attrs = append(attrs, slog.String("performed", strings.Join(r.performed, " ")))
	}
	if r.replayed {
		attrs = append(attrs, slog.Bool("replayed", true))
	}
	if r.problem == nil && r.code != "" {
		attrs = append(attrs, slog.String("code", r.code))
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
	// A Logger would look up which line of code calls it, for a tenth of the cost.
	line := slog.NewRecord(time.Now(), level, "request", 0)
	line.AddAttrs(metrics.append(attrs, r, status)...)
	_ = log.Handler().Handle(ctx, line)
}

// units returns a number of capacity units. Most numbers are whole, and slog writes integers ten times as fast.
func units(name string, count float64) slog.Attr {
	if whole := int64(count); float64(whole) == count {
		return slog.Int64(name, whole)
	}
	return slog.Float64(name, count)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// buffer holds a response back until the kit has seen all of it.
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

// put replaces the response by a problem.
func (b *buffer) put(problem *problem.Problem) {
	body, err := problem.MarshalJSON()
	if err != nil {
		panic(fmt.Sprintf("web: %v", err)) // a programming mistake: the catalogue does not list an extra field
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
