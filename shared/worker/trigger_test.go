package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"earshot/shared/worker"
)

// a sign-up is an event that says what becomes of it.
type signUp struct {
	Name string `json:"name"`
	Fate string `json:"fate"`
}

// Whatever becomes of the work, the answer is the event, and the record tells.
func TestTrigger(t *testing.T) {
	for payload, want := range map[string]struct{ level, cause string }{
		`{"name":"n1","fate":"","more":[1]}`: {"INFO", ""},
		`{"name":"n1","fate":"fail"}`:        {"ERROR", "the store is away"},
		`{"name":"n1","fate":"panic"}`:       {"ERROR", "it panicked"},
		`{"name":"n1","fate":7}`: {"ERROR",
			"the payload is not an event of this function: json: cannot unmarshal number"},
		`[]`: {"ERROR", "the payload is not an event of this function"},
		`x`:  {"ERROR", "the payload is not an event of this function"},
	} {
		options, record := kit()
		handle := worker.Trigger(options, func(s signUp) []slog.Attr { return []slog.Attr{slog.String("of", s.Name)} },
			func(ctx context.Context, s signUp) error {
				worker.Count(ctx, "seen", 1)
				switch s.Fate {
				case "fail":
					return errors.New("the store is away")
				case "panic":
					panic(s.Fate)
				}
				return nil
			})
		answer, err := handle(t.Context(), json.RawMessage(payload))
		if err != nil || string(answer) != payload {
			t.Errorf("%s: %s, %v", payload, answer, err)
		}
		got := record(t)
		cause, _ := got["cause"].(string)
		if got["msg"] != "trigger" || got["function"] != "ingest" || got["requestId"] == "" || got["level"] != want.level ||
			!strings.HasPrefix(cause, want.cause) || (want.cause == "") != (cause == "") {
			t.Errorf("%s: %v", payload, got)
		}
		if want.level == "INFO" && (got["of"] != "n1" || got["counts"].(map[string]any)["seen"] != 1.0) {
			t.Errorf("%s: %v", payload, got)
		}
	}
}

// It is over before the invocation is, and does not begin when it could not be.
func TestTrigger_TimeLeft(t *testing.T) {
	options, record := kit()
	told := func(signUp) []slog.Attr { return nil }
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	end, _ := ctx.Deadline()
	within := func(ctx context.Context, _ signUp) error {
		if its, bound := ctx.Deadline(); !bound || !its.Before(end) {
			t.Errorf("it may last until %v, the invocation ends at %v", its, end)
		}
		return nil
	}
	if _, err := worker.Trigger(options, told, within)(ctx, json.RawMessage(`{}`)); err != nil ||
		record(t)["level"] != "INFO" {
		t.Error(err)
	}
	late, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	never := func(context.Context, signUp) error { t.Error("it began"); return nil }
	answer, err := worker.Trigger(options, told, never)(late, json.RawMessage(`{}`))
	if err != nil || string(answer) != `{}` || record(t)["cause"] != "no time was left" {
		t.Errorf("Trigger() = %s, %v, want the event back and the cause in the log", answer, err)
	}
}
