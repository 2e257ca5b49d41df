package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/worker"
)

// kit is the options of a handler, and the records that it logs.
func kit() (worker.Options, func(t *testing.T) map[string]any) {
	var log bytes.Buffer
	now := &clock.Adjustable{}
	now.Freeze(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	options := worker.Options{Function: "ingest", Log: slog.New(slog.NewJSONHandler(&log, nil)), Clock: now}
	return options, func(t *testing.T) map[string]any {
		t.Helper()
		var record map[string]any
		if err := json.Unmarshal(log.Bytes(), &record); err != nil {
			t.Fatalf("not one record: %v\n%s", err, &log)
		}
		log.Reset()
		return record
	}
}

func event(bodies ...string) (event events.SQSEvent) {
	for i, body := range bodies {
		event.Records = append(event.Records, events.SQSMessage{
			MessageId: "m" + strconv.Itoa(i), Body: body, Attributes: map[string]string{"ApproximateReceiveCount": "2"}})
	}
	return event
}

func failed(t *testing.T, answer events.SQSEventResponse, err error) (ids []string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	// Lambda takes an answer without the list for a failure of all.
	if text, err := json.Marshal(answer); err != nil || !strings.HasPrefix(string(text), `{"batchItemFailures":[`) {
		t.Fatalf("%s %v", text, err)
	}
	for _, failure := range answer.BatchItemFailures {
		ids = append(ids, failure.ItemIdentifier)
	}
	return ids
}

func wantsFailed(t *testing.T, handle worker.QueueHandler, ctx context.Context, e events.SQSEvent, want ...string) {
	t.Helper()
	answer, err := handle(ctx, e)
	if got := failed(t, answer, err); !slices.Equal(got, want) {
		t.Fatalf("failed %q, want %q", got, want)
	}
}

// one is a message's way: its body says what becomes of it.
func one(_ context.Context, m worker.Message) error {
	switch string(m.Body) {
	case "fail":
		return errors.New("the store is away")
	case "reject":
		return fmt.Errorf("read: %w", worker.Reject(errors.New("no JSON")))
	case "panic":
		panic("a mistake")
	}
	if m.Receives != 2 {
		return fmt.Errorf("it came %d times", m.Receives)
	}
	return nil
}

func TestQueue(t *testing.T) {
	for _, c := range []struct {
		bodies []string
		failed []string
		record map[string]any // what it must hold
	}{
		{nil, nil, map[string]any{"messages": 0.0, "failed": 0.0, "level": "INFO"}},
		{[]string{"a", "b"}, nil,
			map[string]any{"messages": 2.0, "failed": 0.0, "level": "INFO", "msg": "batch", "function": "ingest"}},
		{[]string{"a", "fail", "b"}, []string{"m1"}, map[string]any{"messages": 3.0, "failed": 1.0, "level": "ERROR",
			"causes": []any{"m1: the store is away"}}},
		{[]string{"reject", "b"}, []string{"m0"},
			map[string]any{"failed": 1.0, "rejected": 1.0, "causes": []any{"m0: read: rejected: no JSON"}}},
		{[]string{"a", "panic", "b", "fail"}, []string{"m1", "m3"}, map[string]any{"failed": 2.0, "level": "ERROR",
			"causes": []any{"m1: it panicked", "m3: the store is away"}}},
	} {
		options, record := kit()
		ctx := lambdacontext.NewContext(t.Context(), &lambdacontext.LambdaContext{AwsRequestID: "the-request"})
		wantsFailed(t, worker.Queue(options, one), ctx, event(c.bodies...), c.failed...)
		got := record(t)
		for name, want := range c.record {
			if !reflect.DeepEqual(got[name], want) {
				t.Errorf("%q: %s is %v, want %v", c.bodies, name, got[name], want)
			}
		}
		// The stack tells where it was; what was panicked with may be a message's text.
		stack, _ := got["panic"].(string)
		if slices.Contains(c.bodies, "panic") != strings.Contains(stack, "worker_test.one") ||
			strings.Contains(stack, "a mistake") {
			t.Errorf("%q: panic %q", c.bodies, stack)
		}
		if got["requestId"] != "the-request" {
			t.Error("request id:", got["requestId"])
		}
	}
}

func TestBatch(t *testing.T) {
	for name, c := range map[string]struct {
		handle func(context.Context, []worker.Message) []worker.Failure
		failed []string
		cause  string // of the first failure
	}{
		"well": {func(context.Context, []worker.Message) []worker.Failure { return nil }, nil, ""},
		"some": {func(_ context.Context, batch []worker.Message) []worker.Failure {
			return []worker.Failure{{ID: batch[2].ID, Err: errors.New("why")}, {ID: batch[0].ID, Err: errors.New("else")}}
		}, []string{"m2", "m0"}, "m2: why"},
		"twice": {func(_ context.Context, batch []worker.Message) []worker.Failure {
			return []worker.Failure{{ID: batch[1].ID, Err: errors.New("why")}, {ID: batch[1].ID, Err: errors.New("again")}}
		}, []string{"m1"}, "m1: why"},
		"panic": {func(context.Context, []worker.Message) []worker.Failure { panic("a mistake") }, []string{"m0", "m1", "m2"},
			"m0: it panicked"},
		"a stranger": {func(context.Context, []worker.Message) []worker.Failure { return []worker.Failure{{ID: "m3"}} },
			[]string{"m0", "m1", "m2"}, "m0: a message was failed that is not in the batch"},
		"its own slice": {func(_ context.Context, batch []worker.Message) []worker.Failure {
			batch[0].ID = "changed"
			panic("a mistake")
		}, []string{"m0", "m1", "m2"}, "m0: it panicked"},
	} {
		t.Run(name, func(t *testing.T) {
			options, record := kit()
			wantsFailed(t, worker.Batch(options, c.handle), t.Context(), event("a", "b", "c"), c.failed...)
			got := record(t)
			if causes, _ := got["causes"].([]any); (c.cause == "") != (len(causes) == 0) ||
				c.cause != "" && causes[0] != c.cause {
				t.Errorf("causes: %v, want %q first", causes, c.cause)
			}
			if got["failed"] != float64(len(c.failed)) || got["messages"] != 3.0 {
				t.Errorf("record = %v, want %d failed of 3 messages", got, len(c.failed))
			}
		})
	}
}

// No body reaches the log, and of very many failures only some causes do.
func TestRecord_Bounded(t *testing.T) {
	options, record := kit()
	bodies := slices.Repeat([]string{`{"text": "somebody's own words`}, 500)
	handle := worker.Queue(options, func(_ context.Context, m worker.Message) error {
		var v struct{ Text string }
		return worker.Reject(json.Unmarshal(m.Body, &v))
	})
	answer, err := handle(t.Context(), event(bodies...))
	if got := failed(t, answer, err); len(got) != 500 {
		t.Fatalf("%d messages failed, want 500", len(got))
	}
	got := record(t)
	if got["rejected"] != 500.0 || len(got["causes"].([]any)) != 10 || strings.Contains(fmt.Sprint(got), "words") {
		t.Fatalf("record = %v, want 500 rejected with 10 causes", got)
	}
}

func TestCounts(t *testing.T) {
	options, record := kit()
	handle := worker.Batch(options, func(ctx context.Context, _ []worker.Message) []worker.Failure {
		faulttest.AtOnce(50, func(int) {
			worker.Count(ctx, "stored", 3)
			worker.Count(ctx, "failed", 1) // a group of their own: no other field is hidden
			table.Charge(ctx, table.Usage{Reads: 1, Writes: 2, ReadUnits: 0.5, WriteUnits: 4})
		})
		return nil
	})
	wantsFailed(t, handle, t.Context(), event("a"))
	got := record(t)
	if !reflect.DeepEqual(got["counts"], map[string]any{"stored": 150.0, "failed": 50.0}) || got["failed"] != 0.0 {
		t.Errorf("record has counts %v and failed %v, want 150 stored, 50 failed, and 0", got["counts"], got["failed"])
	}
	for name, want := range map[string]float64{"reads": 50, "writes": 100, "readUnits": 25, "writeUnits": 200} {
		if got[name] != want {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	worker.Count(t.Context(), "stored", 1) // outside an invocation it is of no effect
}

// The rest of a batch is left when time runs short, and a call's context ends before the invocation does.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		options, record := kit()
		options.Margin = 4 * time.Second
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		calls := 0
		handle := worker.Queue(options, func(ctx context.Context, m worker.Message) error {
			calls++
			time.Sleep(3 * time.Second)
			return ctx.Err()
		})
		wantsFailed(t, handle, ctx, event("a", "b", "c", "d"), "m2", "m3") // begun at 0 s and 3 s, not at 6 s
		if got := record(t); calls != 2 || got["left"] != 2.0 || got["failed"] != 2.0 || got["milliseconds"] != 6000.0 {
			t.Fatalf("%d calls, record %v, want 2 calls and 2 messages left", calls, got)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		options, record := kit()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second) // less than the margin, and yet one is begun
		defer cancel()
		handle := worker.Queue(options, func(ctx context.Context, m worker.Message) error {
			<-ctx.Done()
			return ctx.Err()
		})
		wantsFailed(t, handle, ctx, event("a", "b"), "m0", "m1")
		if ctx.Err() != nil {
			t.Fatal("no time was left for the answer")
		}
		if got := record(t); !reflect.DeepEqual(got["causes"], []any{"m0: context deadline exceeded", "m1: no time was left"}) {
			t.Fatalf("record = %v, want the causes of both messages", got)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		options, record := kit()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		called := false
		handle := worker.Batch(options, func(context.Context, []worker.Message) []worker.Failure {
			called = true
			return nil
		})
		wantsFailed(t, handle, ctx, event("a", "b"), "m0", "m1")
		if got := record(t); called || got["left"] != 2.0 {
			t.Fatalf("called %v, record %v, want no call and 2 messages left", called, got)
		}
	})
}

func TestSchedule(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		payload string
		want    time.Time // zero: refused
	}{
		{`{}`, now}, {``, now}, {` `, now}, {`null`, now}, {`{"time": null}`, now}, {`{"other": 1}`, now},
		{`{"time": "2025-12-31T23:00:00Z"}`, time.Date(2025, 12, 31, 23, 0, 0, 0, time.UTC)},
		{`{"time": "2026-01-01T00:00:00+01:00", "x": []}`, time.Date(2025, 12, 31, 23, 0, 0, 0, time.UTC)},
		{`{"time": "yesterday"}`, time.Time{}}, {`{"time": 5}`, time.Time{}}, {`[]`, time.Time{}}, {`{`, time.Time{}},
	} {
		options, record := kit()
		var got time.Time
		err := worker.Schedule(options, func(ctx context.Context, tick worker.Tick) error {
			got = tick.Time
			worker.Count(ctx, "expired", 2)
			return nil
		})(t.Context(), json.RawMessage(c.payload))
		if (err != nil) != c.want.IsZero() || !got.Equal(c.want) || got.Location() != time.UTC {
			t.Errorf("%q: %v, %v", c.payload, got, err)
		}
		line := record(t)
		if line["msg"] != "schedule" || (line["level"] == "ERROR") != (err != nil) ||
			err == nil && fmt.Sprint(line["counts"]) != "map[expired:2]" {
			t.Errorf("%q: %v", c.payload, line)
		}
	}
}

func TestSchedule_Fails(t *testing.T) {
	cause := errors.New("the store is away")
	for name, run := range map[string]func(context.Context, worker.Tick) error{
		"error": func(context.Context, worker.Tick) error { return cause },
		"panic": func(context.Context, worker.Tick) error { panic("a mistake with hunter2") },
	} {
		options, record := kit()
		err := worker.Schedule(options, run)(t.Context(), nil)
		if err == nil || name == "error" != errors.Is(err, cause) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", name, err)
		}
		if line := record(t); line["level"] != "ERROR" || line["cause"] == nil ||
			(line["panic"] != nil) != (name == "panic") {
			t.Errorf("%s: %v", name, line)
		}
	}
}

// In the workbench a handler sees what it would see of SQS, with a request id of its own.
func TestDeliver(t *testing.T) {
	options, record := kit()
	var seen []worker.Message
	deliver := worker.Deliver(worker.Queue(options, func(_ context.Context, m worker.Message) error {
		seen = append(seen, m)
		return one(t.Context(), m)
	}), "posts")
	batch := []queue.Delivery{{ID: "7", Body: []byte("a"), Receives: 2}, {ID: "8", Body: []byte("fail"), Receives: 3}}
	got, err := deliver(t.Context(), batch)
	if err != nil || !slices.Equal(got, []string{"8"}) || !reflect.DeepEqual(seen, batch) {
		t.Fatalf("deliver() = %v, %v with the batch %v, want 8 failed", got, err, seen)
	}
	first := record(t)["requestId"]
	if _, err := deliver(t.Context(), batch[:1]); err != nil {
		t.Fatal(err)
	}
	if second := record(t)["requestId"]; first == "" || first == second {
		t.Fatalf("the request ids are %v and %v, want two different ones", first, second)
	}
	broken := worker.Deliver(func(context.Context, events.SQSEvent) (events.SQSEventResponse, error) {
		return events.SQSEventResponse{}, errors.New("no")
	}, "posts")
	if _, err := broken(t.Context(), batch); err == nil {
		t.Fatal("no error")
	}
}

// FuzzSchedule: no payload makes it panic, and none is taken for a tick in another zone.
func FuzzSchedule(f *testing.F) {
	for _, payload := range []string{``, `{}`, `{"time":"2026-01-02T03:04:05Z"}`, `{"time":{}}`, `[`, "\x00"} {
		f.Add([]byte(payload))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		options, record := kit()
		called := false
		err := worker.Schedule(options, func(_ context.Context, tick worker.Tick) error {
			called = true
			if tick.Time.Location() != time.UTC {
				t.Errorf("Tick = %+v, want a time in UTC", tick)
			}
			return nil
		})(t.Context(), payload)
		if called != (err == nil) || record(t)["function"] != "ingest" {
			t.Fatalf("Schedule() = %v, called %v", err, called)
		}
	})
}
