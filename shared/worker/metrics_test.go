package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"testing"

	"github.com/aws/aws-lambda-go/lambdacontext"

	"earshot/shared/lambdalog"
	"earshot/shared/lambdalog/emftest"
	"earshot/shared/lambdalog/tracetest"
	"earshot/shared/port/table"
	"earshot/shared/worker"
)

// staged is a kit whose records are read in a stage, and the last record as it was written.
func staged(stage string) (worker.Options, func() []byte) {
	options, _ := kit()
	var log bytes.Buffer
	options.Function = "setupstages/measure"
	options.Log = slog.New(lambdalog.Staged(slog.NewJSONHandler(&log, nil), stage))
	return options, func() []byte {
		line := bytes.Clone(log.Bytes())
		log.Reset()
		return line
	}
}

const traced = "1-5759e988-bd862e3fe1be46a994272793"

// Each kind of record has the metrics that tell something, and on a laptop none; and all tell the trace that they are part of.
func TestMetrics(t *testing.T) {
	counted := func(ctx context.Context, fails error) error {
		worker.Count(ctx, "stored", 3)
		worker.Count(ctx, "overQuota", 0)  // nothing to tell
		worker.Count(ctx, "duplicates", 2) // not worth a metric
		worker.Count(ctx, "failed", 7)     // a name that the record has another meaning for
		return fails
	}
	told := func(map[string]any) []slog.Attr { return nil }
	errAway := errors.New("the store is away")
	tick := func(fails error) func(worker.Options, context.Context) {
		return func(o worker.Options, ctx context.Context) {
			_ = worker.Schedule(o, func(ctx context.Context, _ worker.Tick) error { return counted(ctx, fails) })(ctx, nil)
		}
	}
	batch := func(bodies ...string) func(worker.Options, context.Context) {
		return func(o worker.Options, ctx context.Context) { _, _ = worker.Queue(o, one)(ctx, event(bodies...)) }
	}
	reading := func(writes int) func(worker.Options, context.Context) {
		return func(o worker.Options, ctx context.Context) {
			_ = worker.Schedule(o, func(ctx context.Context, _ worker.Tick) error {
				worker.Count(ctx, "stored", 0)
				table.Charge(ctx, table.Usage{Reads: 1, Writes: writes, ReadUnits: 2.5, WriteUnits: float64(writes)})
				return nil
			})(ctx, json.RawMessage(`{}`))
		}
	}
	for name, c := range map[string]struct {
		run  func(worker.Options, context.Context)
		want map[string]float64
	}{
		"a batch":            {batch("a", "b"), nil},
		"a batch that fails": {batch("a", "fail", "reject", "panic"), map[string]float64{"failed": 3, "rejected": 1}},
		"a batch without time": {func(o worker.Options, ctx context.Context) { late(ctx, batch("a", "b"), o) },
			map[string]float64{"failed": 2, "left": 2}},
		"a schedule":                    {tick(nil), map[string]float64{"stored": 3}},
		"a schedule that fails":         {tick(errAway), map[string]float64{"stored": 3, "failed": 1}},
		"a schedule that finds nothing": {reading(0), nil},
		"a schedule that writes":        {reading(1), map[string]float64{"readUnits": 2.5, "writeUnits": 1}},
		"a schedule of no sense": {func(o worker.Options,
			ctx context.Context) {
			_ = worker.Schedule(o, nil)(ctx, json.RawMessage(`[]`))
		},
			map[string]float64{"failed": 1}},
		"a call": {func(o worker.Options, ctx context.Context) {
			_ = worker.Call(o, told, func(ctx context.Context, _ map[string]any) error {
				table.Charge(ctx, table.Usage{Reads: 1, Writes: 1, ReadUnits: 2.5, WriteUnits: 4})
				return nil
			})(ctx, json.RawMessage(`{}`))
		}, map[string]float64{"readUnits": 2.5, "writeUnits": 4}},
		"a call that panics": {func(o worker.Options, ctx context.Context) {
			_ = worker.Call(o, told, func(context.Context, map[string]any) error { panic(1) })(ctx, json.RawMessage(`{}`))
		}, map[string]float64{"failed": 1}},
		"a trigger that fails": {func(o worker.Options, ctx context.Context) {
			_, _ = worker.Trigger(o, told,
				func(ctx context.Context, _ map[string]any) error { return counted(ctx, errAway) })(ctx, json.RawMessage(`{}`))
		}, map[string]float64{"stored": 3, "failed": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := tracetest.With(t.Context(), "Root="+traced+";Sampled=1")
			ctx = lambdacontext.NewContext(ctx, &lambdacontext.LambdaContext{AwsRequestID: "the-request"})
			options, line := staged("prod")
			c.run(options, ctx)
			record := line()
			if c.want == nil {
				emftest.None(t, record)
			} else {
				metrics, dimensions := emftest.Read(t, record, lambdalog.Invocations())
				if !maps.Equal(metrics, c.want) ||
					!maps.Equal(dimensions, map[string]string{"Stage": "prod", "Function": "setupstages/measure"}) {
					t.Errorf("%v of %v, want %v: %s", metrics, dimensions, c.want, record)
				}
			}
			if !bytes.Contains(record, []byte(`"traceId":"`+traced+`"`)) {
				t.Errorf("no trace: %s", record)
			}
			options, line = staged("")
			c.run(options, t.Context())
			record = line()
			emftest.None(t, record)
			if bytes.Contains(record, []byte("traceId")) {
				t.Errorf("a trace of nothing: %s", record)
			}
		})
	}
}

func late(ctx context.Context, run func(worker.Options, context.Context), o worker.Options) {
	ctx, cancel := context.WithTimeout(ctx, 0)
	defer cancel()
	run(o, ctx)
}
