package deployment_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"

	"earshot/functions/discovery"
	"earshot/shared/worldtest"
)

// runsVariable is how many runs TestInvitations_AtTheirWorst makes. One of them alone, which is the same each time, is
// -run 'TestInvitations_AtTheirWorst/run/seed=17$'.
const runsVariable = "INVITATION_RUNS"

// How many runs there are unless the environment says so.
const (
	someRuns = 250 // make peers makes 1,000
	fewRuns  = 50  // of -short
)

// mostFailed is how many runs fail before the others are left out: they would tell nothing new.
const mostFailed = 10

// Agencies and workspaces invite, people sign up, messages come twice and in any order, and the processes that do it
// die at any of their operations or fail in them: nobody is let in who was not invited, nobody is lost or let in twice,
// and nobody is sent a second mail.
func TestInvitations_AtTheirWorst(t *testing.T) {
	runs := someRuns
	if testing.Short() {
		runs = fewRuns
	}
	if said := os.Getenv(runsVariable); said != "" {
		n, err := strconv.Atoi(said)
		if err != nil || n < 1 {
			t.Fatalf("%s must be a number of runs, and is %q", runsVariable, said)
		}
		runs = n
	}
	document, err := worldtest.NewDocument(discovery.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	countRandomness(t)
	var mu sync.Mutex
	sum := tally{struck: map[string]int{}}
	failed := 0
	t.Run("run", func(t *testing.T) {
		for seed := range uint64(runs) {
			t.Run(fmt.Sprintf("seed=%d", seed+1), func(t *testing.T) {
				t.Parallel()
				mu.Lock()
				enough := failed >= mostFailed
				mu.Unlock()
				if enough {
					t.Skip("enough runs have failed")
				}
				synctest.Test(t, func(t *testing.T) {
					w := newWorld(t, seed+1, document)
					defer func() {
						mu.Lock()
						defer mu.Unlock()
						sum.add(w.sum())
						if t.Failed() {
							failed++
						}
					}()
					w.storm(seed%3 > 0)
					w.end()
				})
			})
		}
	})
	t.Log(sum)
	for _, what := range slices.Sorted(maps.Keys(sum.struck)) {
		t.Log(what, sum.struck[what])
	}
}

// A run of a seed makes the same operations in the same order each time, however the scheduler runs its goroutines.
func TestInvitations_SameSeedAgain(t *testing.T) {
	document, err := worldtest.NewDocument(discovery.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	countRandomness(t)
	for seed := range uint64(12) {
		var runs [2][]string
		for i := range runs {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, seed+1, document)
				w.storm(seed%3 > 0)
				w.end()
				runs[i] = w.turns.given
			})
		}
		if len(runs[0]) != len(runs[1]) {
			t.Errorf("seed %d: %d operations, and then %d", seed+1, len(runs[0]), len(runs[1]))
		}
		for n := range min(len(runs[0]), len(runs[1])) {
			if runs[0][n] != runs[1][n] {
				t.Fatalf("seed %d: operation %d is %q, and then %q", seed+1, n, runs[0][n], runs[1][n])
			}
		}
	}
}
