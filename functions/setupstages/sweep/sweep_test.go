package sweep_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/events"
	"earshot/functions/setupstages/setuptest"
	"earshot/functions/setupstages/sweep"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

func handler(w *setuptest.World) worker.CallHandler {
	return sweep.Handler(w.Options(), w.Store,
		worker.Options{Function: sweep.Group, Log: slog.New(slog.DiscardHandler), Clock: w.Clock})
}

const tick = `{"time":"2026-11-20T10:15:00Z"}`

// ended is the terminal event of a run, as EventBridge delivers it.
func ended(t *testing.T, input string) json.RawMessage {
	t.Helper()
	sample, err := events.Open(sweep.Group, "ended")
	if err != nil {
		t.Fatal(err)
	}
	var event map[string]any
	if err := json.Unmarshal(sample.Payload, &event); err != nil {
		t.Fatal(err)
	}
	event["detail"].(map[string]any)["input"] = input
	event["replay-name"] = "what EventBridge adds to an event that it delivers again"
	payload, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

// The terminal event of a run ends it at once, as often as it comes, and that run alone.
func TestTerminalEvent(t *testing.T) {
	w := setuptest.NewWorld(t)
	draft, other := w.Draft(t), w.Draft(t)
	key := w.Begin(t, draft)
	w.Begin(t, other)
	for range 2 {
		if err := handler(w)(t.Context(), ended(t, string(w.Payload(t, key)))); err != nil {
			t.Fatal(err)
		}
	}
	d, run := w.Settled(t, draft)
	if d.Status != proposal.Ready ||
		!slices.Equal(setuptest.Degraded(run), []proposal.DegradationCode{proposal.ProposeInterrupted}) {
		t.Errorf("%s %v", d.Status, setuptest.Degraded(run))
	}
	if d, _ := w.Setup(t, other); !d.Status.Running() {
		t.Errorf("another run is %s", d.Status)
	}
}

// The event of a run before the draft's last changes nothing of that.
func TestEventOfAnEarlierRun(t *testing.T) {
	w := setuptest.NewWorld(t)
	draft := w.Draft(t)
	first := w.Begin(t, draft)
	w.Run(t, first)
	w.Begin(t, draft)
	if err := handler(w)(t.Context(), ended(t, string(w.Payload(t, first)))); err != nil {
		t.Error(err)
	}
	if d, run := w.Setup(t, draft); !d.Status.Running() || run.Number != 2 {
		t.Errorf("%s, run %d", d.Status, run.Number)
	}
}

// An event of a run that is not there any more asks for nothing; one that tells no run is an error.
func TestEventsOfNothing(t *testing.T) {
	w := setuptest.NewWorld(t)
	if err := handler(w)(t.Context(), ended(t, `{"workspaceId":"`+w.Main.ID+
		`","draftId":"draft_01KAF3Y3W2V4GZ9M6T8Q5X7B1C","run":1,"sources":[]}`)); err != nil {
		t.Error(err)
	}
	for _, payload := range []string{
		string(ended(t, "")), string(ended(t, "[]")), `{"detail-type":"x"}`, `{"detail-type":"x","detail":7}`, `{"time":7}`,
		`[]`, `nonsense`,
	} {
		if err := handler(w)(t.Context(), json.RawMessage(payload)); err == nil {
			t.Errorf("%.60s is no error", payload)
		}
	}
}

// The schedule ends what is over its time, scans too, and nothing before.
func TestSchedule(t *testing.T) {
	w := setuptest.NewWorld(t)
	draft := w.Draft(t)
	w.Begin(t, draft)
	scanning, err := w.Store.CreateDraftOnce(t.Context(), w.Other.ID, "southwind.example", "")
	if err != nil {
		t.Fatal(err)
	}
	states := func() string {
		theirs, err := w.Store.Draft(t.Context(), w.Other.ID, scanning.ID)
		if err != nil {
			t.Fatal(err)
		}
		ours, _ := w.Setup(t, draft)
		return fmt.Sprint(theirs.Status, " ", ours.Status)
	}
	sweepAt := func(after time.Duration, want string) {
		t.Helper()
		w.Clock.Freeze(worldtest.Now.Add(after))
		if err := handler(w)(t.Context(), json.RawMessage(tick)); err != nil {
			t.Error(err)
		}
		if got := states(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	sweepAt(0, "scanning proposing")
	sweepAt(proposal.ScanLimit, "failed proposing")
	sweepAt(proposal.RunLimit, "failed ready")
	if d, err := w.Store.Draft(t.Context(), w.Other.ID, scanning.ID); err != nil || d.Message != sweep.ScanLost {
		t.Errorf("%q %v", d.Message, err)
	}
	w.Settled(t, draft)
}

// One that cannot be ended keeps none of the others back.
func TestOneFails(t *testing.T) {
	w := setuptest.NewWorld(t)
	var drafts []string
	for range 3 {
		drafts = append(drafts, w.Draft(t))
		w.Begin(t, drafts[len(drafts)-1])
	}
	w.Clock.Freeze(worldtest.Now.Add(proposal.RunLimit))
	stubborn := &failing{Store: w.Store, draft: drafts[1], fails: true}
	o := w.Options()
	o.Store = stubborn
	if err := sweep.Sweep(t.Context(), o, stubborn); err == nil || !strings.Contains(err.Error(), drafts[1]) ||
		strings.Contains(err.Error(), drafts[0]) {
		t.Errorf("%v", err)
	}
	w.Settled(t, drafts[0])
	w.Settled(t, drafts[2])
	if d, _ := w.Setup(t, drafts[1]); !d.Status.Running() {
		t.Errorf("what may pass ended it: %s", d.Status)
	}
	stubborn.fails, stubborn.panics = false, true
	late := w.Draft(t)
	w.Begin(t, late)
	w.Clock.Freeze(worldtest.Now.Add(2 * proposal.RunLimit))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("nobody hears of a panic")
			}
		}()
		_ = sweep.Sweep(t.Context(), o, stubborn)
	}()
	w.Settled(t, late)
	stubborn.panics = false
	if err := sweep.Sweep(t.Context(), o, stubborn); err != nil {
		t.Error(err)
	}
	w.Settled(t, drafts[1])
}

// failing is a store that does not answer for one draft.
type failing struct {
	sweep.Store
	draft         string
	fails, panics bool
}

func (f *failing) SetupRun(ctx context.Context, key proposal.Key) (proposal.Run, error) {
	if f.fails && key.DraftID == f.draft {
		return proposal.Run{}, errors.Join(errors.New("no answer"), table.ErrUnavailable)
	}
	if f.panics && key.DraftID == f.draft {
		panic("a run that cannot be thought of")
	}
	return f.Store.SetupRun(ctx, key)
}
