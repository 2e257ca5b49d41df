package workspace_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/workspace"
)

func TestMentionLimit(t *testing.T) {
	for _, c := range []struct {
		flex workspace.Flex
		want int // beyond the plan's
	}{
		{workspace.Flex{}, 0},
		{workspace.Flex{Cap: 10_000, Budget: 5_000}, 0}, // nobody agreed a price
		{workspace.Flex{Cap: 10_000, Budget: 5_000, Price: 200}, 10_000},
		{workspace.Flex{Cap: 10_000, Budget: 1_000, Price: 200}, 5_000},
		{workspace.Flex{Cap: 10_000, Budget: 1, Price: 200}, 5},
		{workspace.Flex{Cap: 10_000, Budget: 1, Price: 3}, 333}, // a third of a mention is none
		{workspace.Flex{Cap: 1, Budget: 1, Price: workspace.MaxFlex}, 0},
		{workspace.Flex{Cap: workspace.MaxFlex, Budget: workspace.MaxFlex, Price: 1}, workspace.MaxFlex},
		{workspace.Flex{Cap: workspace.MaxFlex, Budget: workspace.MaxFlex, Price: workspace.MaxFlex}, 1_000},
	} {
		w := workspace.Workspace{Plan: workspace.Pro, Flex: c.flex}
		if got := w.MentionLimit() - 25_000; got != c.want || c.flex.Mentions() != c.want {
			t.Errorf("%+v: %d, want %d", c.flex, got, c.want)
		}
	}
}

// Within its bounds the sum is the exact one, whatever the numbers.
func TestFlexMentions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := rapid.OneOf(rapid.IntRange(1, 5_000), rapid.IntRange(1, workspace.MaxFlex))
		flex := workspace.Flex{Cap: drawn.Draw(t, "cap"), Budget: drawn.Draw(t, "budget"), Price: drawn.Draw(t, "price")}
		want := big.NewInt(1000)
		want.Mul(want, big.NewInt(int64(flex.Budget)))
		want.Div(want, big.NewInt(int64(flex.Price)))
		if most := big.NewInt(int64(flex.Cap)); want.Cmp(most) > 0 {
			want = most
		}
		if got := flex.Mentions(); got < 0 || want.Cmp(big.NewInt(int64(got))) != 0 {
			t.Fatalf("%+v: %d, want %s", flex, got, want)
		}
	})
}
