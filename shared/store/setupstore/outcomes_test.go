package setupstore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/setupstore"
	"earshot/shared/worldtest"
)

// What stages hand on is kept for a month, and what a source answered for as long as it is good.
func TestWhatExpires(t *testing.T) {
	w := worldtest.NewWorld(t)
	key := begun(t, w)
	if err := w.Store.EndStep(t.Context(), key, stageStep(proposal.StageMeasure, proposal.StepOK), []byte("{}")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"measure.a", "measure.b", "agent.1"} {
		if _, err := w.Store.KeepPart(t.Context(), key, name, []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	parts, err := w.Store.Parts(t.Context(), key, "measure.")
	if err != nil || !reflect.DeepEqual(parts,
		map[string][]byte{"measure.a": []byte("measure.a"), "measure.b": []byte("measure.b")}) {
		t.Errorf("%q %v", parts, err)
	}
	if err := w.Store.Cache(t.Context(), "k", []byte("x"), time.Hour); err != nil {
		t.Fatal(err)
	}
	w.Clock.Freeze(worldtest.Now.Add(time.Hour - time.Second))
	if kept, err := w.Store.Cached(t.Context(), "k"); err != nil || string(kept) != "x" {
		t.Errorf("%q %v", kept, err)
	}
	if kept, err := w.Store.Cached(t.Context(), "l"); err != nil || kept != nil {
		t.Errorf("%q %v", kept, err)
	}
	w.Clock.Freeze(worldtest.Now.Add(time.Hour))
	if kept, err := w.Store.Cached(t.Context(), "k"); err != nil || kept != nil {
		t.Errorf("%q %v", kept, err)
	}
	w.Clock.Freeze(worldtest.Now.Add(30 * 24 * time.Hour))
	if _, err := w.Store.Outcome(t.Context(), key, proposal.StageMeasure); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if parts, err := w.Store.Parts(t.Context(), key, ""); err != nil || len(parts) != 0 {
		t.Errorf("%q %v", parts, err)
	}
}

// Several outcomes are read at once, whether they have a row, several or none.
func TestOutcomesOfSeveralStages(t *testing.T) {
	w := worldtest.NewWorld(t)
	key := begun(t, w)
	large := make([]byte, 1<<20)
	rand.NewChaCha8([32]byte{}).Read(large) // does not compress
	for stage, outcome := range map[proposal.Stage][]byte{
		proposal.StageCandidates: nil, proposal.StageMeasure: large, proposal.StageAgent: []byte("decided"),
	} {
		if err := w.Store.EndStep(t.Context(), key, stageStep(stage, proposal.StepOK), outcome); err != nil {
			t.Fatal(err)
		}
	}
	run, err := w.Store.SetupRun(t.Context(), key)
	worldtest.Must(t, err)
	got, err := w.Store.Outcomes(t.Context(), key, run, proposal.StageAgent, proposal.StageCandidates,
		proposal.StageMeasure, proposal.StageSample)
	if want := [][]byte{[]byte("decided"), nil, large, nil}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%d outcomes that are not as they were kept: %v", len(got), err)
	}
	if _, err := w.Store.Outcomes(t.Context(), key, run, proposal.StageAgent, "no stage"); err == nil {
		t.Error("a stage that there is none of has an outcome")
	}
	w.Clock.Freeze(worldtest.Now.Add(30 * 24 * time.Hour))
	if _, err := w.Store.Outcomes(t.Context(), key, run, proposal.StageCandidates, proposal.StageAgent); !errors.Is(err,
		store.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

func TestSurveyBudget(t *testing.T) {
	w := worldtest.NewWorld(t)
	key := begun(t, w)
	var taken atomic.Int64
	faulttest.AtOnce(30, func(int) {
		ok, err := w.Store.SpendSurvey(t.Context(), key, 7, 100)
		if err != nil {
			t.Error(err)
		}
		if ok {
			taken.Add(7)
		}
	})
	if taken.Load() != 98 {
		t.Errorf("%d of 100 taken, 7 at a time", taken.Load())
	}
	for n, want := range map[int]bool{3: false, 101: false} {
		if ok, err := w.Store.SpendSurvey(t.Context(), key, n, 100); err != nil || ok != want {
			t.Errorf("%d: %v %v", n, ok, err)
		}
	}
	if ok, err := w.Store.SpendSurvey(t.Context(), key, 2, 100); err != nil || !ok {
		t.Errorf("%v %v", ok, err)
	}
	next := key
	next.Number = 2
	if ok, err := w.Store.SpendSurvey(t.Context(), next, 100, 100); err != nil || !ok {
		t.Errorf("another run: %v %v", ok, err)
	}
}

func TestProposalTooLarge(t *testing.T) {
	w := worldtest.NewWorld(t)
	key := begun(t, w)
	large := proposal.Proposal{ID: fmt.Sprintf("%x", noise(1, 400_000))}
	if err := w.Store.FinishRun(t.Context(), key, proposal.End{Status: proposal.Ready, Proposal: &large}); !errors.Is(err,
		setupstore.ErrProposalTooLarge) {
		t.Errorf("%v", err)
	}
	large.ID = fmt.Sprintf("%x", noise(1, 350_000)) // a hexadecimal digit is half a byte in gzip, and some
	if err := w.Store.FinishRun(t.Context(), key, proposal.End{Status: proposal.Ready, Proposal: &large}); err != nil {
		t.Error(err)
	}
	if run, err := w.Store.SetupRun(t.Context(), key); err != nil || run.Proposal.ID != large.ID {
		t.Error(err)
	}
}
