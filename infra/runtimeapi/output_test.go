package runtimeapi

import (
	"fmt"
	"strings"
	"testing"
)

func TestOutputKeepsItsEnd(t *testing.T) {
	var kept output
	for i := range 60_000 {
		fmt.Fprintf(&kept, "line %060d\n", i)
	}
	text := kept.String()
	if len(text) < keptOutput || len(text) > 2*keptOutput {
		t.Errorf("%d bytes are kept", len(text))
	}
	if !strings.HasSuffix(text, fmt.Sprintf("line %060d\n", 59_999)) {
		t.Errorf("it ends with %q", text[len(text)-80:])
	}
	tail := kept.tail()
	if len(tail) > tailOutput || len(tail) < tailOutput-100 || !strings.HasPrefix(tail, "line ") {
		t.Errorf("the tail has %d bytes and begins with %q", len(tail), tail[:10])
	}
}

func TestOutputWithoutLines(t *testing.T) {
	var kept output
	if got := kept.quote(); got != " (it wrote nothing)" {
		t.Errorf("got %q", got)
	}
	fmt.Fprint(&kept, strings.Repeat("a", 2*tailOutput))
	if got := kept.tail(); len(got) != tailOutput {
		t.Errorf("the tail has %d bytes", len(got))
	}
}
