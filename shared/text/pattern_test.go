package text_test

import (
	"slices"
	"sync"
	"testing"

	"earshot/shared/text"
)

// A pattern is made by its first use, whoever of many is first.
func TestPattern_FirstUse(t *testing.T) {
	word := text.NewPattern(`[a-z]+`)
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
func TestPattern_Malformed(t *testing.T) {
	bad := text.NewPattern(`(`)
	defer func() {
		if recover() == nil {
			t.Error("it matched")
		}
	}()
	bad.MatchString("(")
}
