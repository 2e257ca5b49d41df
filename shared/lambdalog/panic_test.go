package lambdalog_test

import (
	"strings"
	"testing"

	"earshot/shared/lambdalog"
)

func TestPanicText(t *testing.T) {
	defer func() {
		if said := lambdalog.PanicText(recover()); !strings.Contains(said, "index out of range") {
			t.Errorf("PanicText(index out of range) = %q", said)
		}
		if said := lambdalog.PanicText("text of a post"); said != "string" {
			t.Errorf("PanicText(text of a post) = %q, want string", said)
		}
	}()
	var none []int
	_ = none[len(none)]
}
