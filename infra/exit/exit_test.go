package exit_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"earshot/infra/exit"
)

// Scripts rely on the numbers: a status keeps its meaning.
func TestStatusOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("x"), 1},
		{exit.Misused("x"), 2},
		{exit.Failing(exit.Nowhere, "x"), 3},
		{exit.Failing(exit.Key, "x"), 4},
		{exit.Failing(exit.Refused, "x"), 5},
		{fmt.Errorf("more: %w", exit.Failing(exit.Failed, "x")), 6},
		{errors.Join(errors.New("x"), exit.Misused("y")), 2},
		{fmt.Errorf("more: %w", context.Canceled), 130},
	} {
		if got := exit.StatusOf(c.err); got != c.want {
			t.Errorf("StatusOf(%v) = %d, want %d", c.err, got, c.want)
		}
	}
}
