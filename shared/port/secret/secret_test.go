package secret_test

import (
	"errors"
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/port/secret"
)

// Names are those of this expression, which is too slow to compile for a check that each start makes.
var names = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)*$`)

func TestCheckNames_Pattern(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[az09/_A\n-]{0,12}|[a-z0-9]{120,132}`).Draw(t, "name")
		want := len(name) <= secret.MaxName && names.MatchString(name)
		if err := secret.CheckNames("reddit/client-id", name); (err == nil) != want ||
			err != nil && !errors.Is(err, secret.ErrInvalid) {
			t.Fatalf("%q: %v, and by the expression %t", name, err, want)
		}
	})
}
