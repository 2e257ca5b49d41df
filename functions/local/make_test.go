package main

import (
	"os/exec"
	"strings"
	"testing"

	"earshot/functions/local/demo"
)

// make run and make propose run one program, which is compiled by one command: by another one it would be compiled
// again, for a minute.
func TestMake_OneProgram(t *testing.T) {
	need(t, "make")
	// What would be done, if the documentation page were up to date.
	planned := func(args ...string) []string {
		t.Helper()
		out, err := exec.Command("make", append([]string{"--no-print-directory", "-C", "../..", "-n", "-o", "docs"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("make %v: %v\n%s", args, err, out)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	run := planned("run")
	propose := planned("propose", "DOMAIN="+demo.Domain, "ARGS=--json")
	if len(run) != 2 || len(propose) != 2 || run[0] != propose[0] || !strings.HasPrefix(run[0], "go build ") {
		t.Fatalf("they do\n%q\n%q", run, propose)
	}
	if want := run[1] + " propose " + demo.Domain + " --json"; propose[1] != want {
		t.Errorf("make propose runs %q, want %q", propose[1], want)
	}
}
