package text_test

import (
	"slices"
	"testing"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/text"
)

// A pattern is made by its first use, whoever of many is first.
func TestPattern_FirstUse(t *testing.T) {
	word := text.NewPattern(`[a-z]+`)
	faulttest.AtOnce(8, func(int) {
		if got := word.FindAllString("one, two", -1); !slices.Equal(got, []string{"one", "two"}) {
			t.Errorf("%q", got)
		}
	})
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
