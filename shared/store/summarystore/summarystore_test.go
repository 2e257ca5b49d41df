package summarystore_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/store"
	"earshot/shared/summary"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

func wanted(w *worldtest.World) summary.Summary {
	now := w.Clock.Now()
	return summary.Summary{
		ID:          workspace.NewID("sum_", now),
		WorkspaceID: w.Main.ID,
		Selecting:   []string{`{"source":["reddit"]}`},
		Start:       now.Add(-time.Hour),
		End:         now,
		Status:      summary.Running,
		CreatedAt:   now,
		ExpiresAt:   now.Add(summary.Kept),
	}
}

// A request and its repeat that comes at any step of it make one summary.
func TestBeginSummary_RepeatAtEachStep(t *testing.T) {
	faulttest.EachStep(t, 1, func(t *testing.T, step *faulttest.Step) {
		w := worldtest.NewWorld(t)
		var first, second summary.Summary
		begin := func(into *summary.Summary) func() error {
			return func() (err error) {
				*into, err = w.Store.BeginSummary(t.Context(), wanted(w), "the request")
				return err
			}
		}
		err, otherErr := step.Come(w.Life, begin(&first), begin(&second))
		if err != nil || otherErr != nil || first.ID != second.ID || first.ID == "" {
			t.Errorf("the summaries are %q and %q: %v, %v", first.ID, second.ID, err, otherErr)
		}
		if list, _, err := w.Store.ListSummaries(t.Context(), w.Main.ID, "", 10); err != nil || len(list) != 1 {
			t.Errorf("%d summaries, %v, want 1", len(list), err)
		}
	})
}

func TestSummary_EndsOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	s, err := w.Store.BeginSummary(t.Context(), wanted(w), "")
	worldtest.Must(t, err)
	content := summary.Content{Headline: "1 mention.", Figures: summary.Figures{Mentions: 1}}
	for n, want := range []bool{true, false} {
		if ok, err := w.Store.CompleteSummary(t.Context(), w.Main.ID, s.ID, content); err != nil || ok != want {
			t.Errorf("end %d = %v, %v, want %v", n+1, ok, err, want)
		}
	}
	ended, err := w.Store.FailSummary(t.Context(), w.Main.ID, s.ID, "Too late.")
	if err != nil || ended.Status != summary.Completed || ended.Headline != "1 mention." || ended.Problem != "" {
		t.Errorf("it ended %+v, %v", ended, err)
	}
	if _, err := w.Store.FailSummary(t.Context(), w.Other.ID, s.ID, "Not theirs."); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another workspace's end = %v, want ErrNotFound", err)
	}
}

// Of callers at the same moment one may ask the model, and none afterwards.
func TestClaimModel_AtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	s, err := w.Store.BeginSummary(t.Context(), wanted(w), "")
	worldtest.Must(t, err)
	var mine atomic.Int64
	claim := func(int) {
		ok, err := w.Store.ClaimModel(t.Context(), w.Main.ID, s.ID)
		worldtest.Must(t, err)
		if ok {
			mine.Add(1)
		}
	}
	faulttest.AtOnce(8, claim)
	claim(0)
	if n := mine.Load(); n != 1 {
		t.Errorf("%d callers may ask the model, want 1", n)
	}
}
