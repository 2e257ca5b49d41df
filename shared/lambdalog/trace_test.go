package lambdalog_test

import (
	"strings"
	"testing"

	"earshot/shared/lambdalog"
	"earshot/shared/lambdalog/tracetest"
)

func TestTrace(t *testing.T) {
	const root = "1-5759e988-bd862e3fe1be46a994272793"
	for _, c := range []struct{ came, header, id string }{
		{"", "", ""},
		{"Root=" + root, "Root=" + root, root},
		{"Root=" + root + ";Parent=53995c3f42cd8ad8;Sampled=1;Lineage=a87bd80c:0",
			"Root=" + root + ";Parent=53995c3f42cd8ad8;Sampled=1;Lineage=a87bd80c:0", root},
		{"Self=1-5759e988-000000000000000000000000;Root=" + root, "Self=1-5759e988-000000000000000000000000;Root=" + root,
			root},
		{"Parent=53995c3f42cd8ad8", "Parent=53995c3f42cd8ad8", ""},
		{"Root=first@northwind.example", "Root=first@northwind.example", ""}, // no id: it is in no record
		{"Root=" + strings.ToUpper(root), "Root=" + strings.ToUpper(root), ""},
		{"Root=" + root[:34], "Root=" + root[:34], ""},
		{"Root=1-5759e9880bd862e3fe1be46a994272793", "Root=1-5759e9880bd862e3fe1be46a994272793", ""},
		{"Root=1-5759e988-bd862e3fe1be@6a994272793", "Root=1-5759e988-bd862e3fe1be@6a994272793", ""},
		{"Root=2" + root[1:], "Root=2" + root[1:], ""},
		{"Root=" + root + "\nX: y", "", ""},
		{"Root=" + root + ";Näme=1", "", ""},
		{"Root=" + root + ";" + strings.Repeat("x", 256), "", ""},
	} {
		ctx := tracetest.With(t.Context(), c.came)
		if header, id := lambdalog.TraceHeader(ctx), lambdalog.TraceID(ctx); header != c.header || id != c.id {
			t.Errorf("%q: %q and %q, want %q and %q", c.came, header, id, c.header, c.id)
		}
	}
	if lambdalog.TraceHeader(t.Context()) != "" || lambdalog.TraceID(t.Context()) != "" {
		t.Error("a context of no invocation has a trace")
	}
}
