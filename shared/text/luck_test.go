package text_test

import (
	"math"
	"testing"

	"earshot/shared/text"
)

// The lady tasting tea (R. A. Fisher, The Design of Experiments, 1935), and the edges.
func TestByLuck(t *testing.T) {
	for _, c := range []struct {
		hits, draws, have, total int
		want                     float64
	}{
		{4, 4, 4, 8, 1. / 70}, {3, 4, 4, 8, 17. / 70}, {5, 5, 5, 10, 1. / 252}, {0, 5, 5, 10, 1}, {0, 0, 5, 10, 1},
		{5, 5, 10, 10, 1}, {1, 1, 1, 1, 1}, {20, 20, 20, 4000, 0},
	} {
		if got := text.ByLuck(c.hits, c.draws, c.have, c.total); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
