package lambdalog_test

import (
	"strings"
	"testing"

	"earshot/shared/lambdalog"
)

func TestPanicText(t *testing.T) {
	defer func() {
		if said := lambdalog.PanicText(recover()); !strings.Contains(said, "index out of range") {
			t.Error(said)
		}
		if said := lambdalog.PanicText("text of a post"); said != "string" {
			t.Error(said)
		}
	}()
	var none []int
	_ = none[len(none)]
}
