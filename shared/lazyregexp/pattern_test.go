package lazyregexp_test

import (
	"slices"
	"sync"
	"testing"

	"earshot/shared/lazyregexp"
)

// A pattern is made by its first use, whoever of many is first.
func TestFirstUse(t *testing.T) {
	word := lazyregexp.New(`[a-z]+`)
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			if got := word.FindAllString("one, two", -1); !slices.Equal(got, []string{"one", "two"}) {
				t.Errorf("%q", got)
			}
		})
	}
	done.Wait()
}

// An expression that cannot be read does no harm before it is used, and then is no silent mismatch.
func TestUnreadable(t *testing.T) {
	bad := lazyregexp.New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("it matched")
		}
	}()
	bad.MatchString("(")
}
