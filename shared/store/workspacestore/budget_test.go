package workspacestore_test

import (
	"context"
	"testing"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/store/workspacestore"
	"earshot/shared/worldtest"
)

// A day's budget is spent to the last token, and not beyond.
func TestModelBudget_Edge(t *testing.T) {
	w := worldtest.NewWorld(t)
	budget := workspacestore.ModelBudget{Store: w.Store.Kernel, Daily: 10}
	for _, spend := range []struct {
		tokens int
		want   bool
	}{
		{11, false},
		{6, true},
		{5, false},
		{4, true},
		{1, false},
	} {
		got, err := budget.Spend(t.Context(), w.Main.ID, spend.tokens)
		worldtest.Must(t, err)
		if got != spend.want {
			t.Errorf("Spend(%d) = %v, want %v", spend.tokens, got, spend.want)
		}
	}
}

// Each response counts once, for its kind and its day, also of callers at the same moment and of one whose time is over.
func TestModelBudget_Count(t *testing.T) {
	w := worldtest.NewWorld(t)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	faulttest.AtOnce(8, func(n int) {
		kind, ctx := workspacestore.Wizard, t.Context()
		if n%2 == 1 {
			kind, ctx = workspacestore.Agent, over
		}
		budget := workspacestore.ModelBudget{Store: w.Store.Kernel, Kind: kind}
		worldtest.Must(t, budget.Count(ctx, w.Main.ID, 10, n))
	})
	use := func(orgID string) workspacestore.ModelUse {
		t.Helper()
		got, err := w.Store.ModelUse(t.Context(), orgID)
		worldtest.Must(t, err)
		return got
	}
	got := use(w.Main.ID)
	if wizard := got.ByKind[workspacestore.Wizard]; wizard != (workspacestore.Tokens{Input: 40, Output: 12}) {
		t.Errorf("the wizard used %+v, want 40 and 12", wizard)
	}
	if agent := got.ByKind[workspacestore.Agent]; agent != (workspacestore.Tokens{Input: 40, Output: 16}) {
		t.Errorf("the agent used %+v, want 40 and 16", agent)
	}
	if theirs := use(w.Other.ID).ByKind[workspacestore.Wizard]; theirs != (workspacestore.Tokens{}) {
		t.Errorf("another workspace used %+v, want nothing", theirs)
	}
	w.Clock.Freeze(w.Clock.Now().Add(24 * time.Hour))
	if next := use(w.Main.ID); next.Day == got.Day || next.ByKind[workspacestore.Wizard] != (workspacestore.Tokens{}) {
		t.Errorf("on the next day the use is %+v, want nothing", next)
	}
}
