package member

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// The first few begin at once, and the others so far apart; nobody waits when the time is over.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPace(100 * time.Millisecond)
		defer p.end()
		began := time.Now()
		for n := range peopleAtOnce + 5 {
			if err := p.wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took != time.Duration(max(0, n+1-peopleAtOnce))*100*time.Millisecond {
				t.Errorf("turn %d after %v", n, took)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if err := p.wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}
