package workspacestore_test

import (
	"testing"

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
