package runtimeapi_test

import (
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// What the packages of a process may allocate before main begins: with what a Lambda's own of hello world is (40 KB), a
// function that has tables comes to half a megabyte. One package that makes tables of all that a service can do takes
// as much again.
const (
	mostAtInit  = 1 << 20
	mostPackage = 160 << 10
)

// inits is a line of GODEBUG=inittrace=1: the package and the bytes that its initialisation allocated.
var inits = regexp.MustCompile(`(?m)^init (\S+) @.* clock, (\d+) bytes,`)

// What a process does before main is the start of every function that links it, whatever is asked of it: patterns and
// tables are made when they are first needed. Bytes are counted, which are nearly the same each time, and no clock is
// read. Between them these functions link every adapter.
func TestInitialisationIsSmall(t *testing.T) {
	for _, function := range []string{"agency", "feeds", "collect", "setupstages/agent"} {
		command := exec.Command(build(t, lambdaOf(t, function)))
		command.Env = []string{"GODEBUG=inittrace=1"} // and nothing that it needs to start
		out, err := command.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "cannot start") {
			t.Errorf("%s: %v, %s", function, err, out)
		}
		total, packages := 0, inits.FindAllStringSubmatch(string(out), -1)
		for _, each := range packages {
			bytes, err := strconv.Atoi(each[2])
			if err != nil {
				t.Fatal(err)
			}
			if total += bytes; bytes > mostPackage {
				t.Errorf("%s: %s allocates %d bytes before main, more than %d", function, each[1], bytes, mostPackage)
			}
		}
		t.Logf("%s: %d packages allocate %d bytes", function, len(packages), total)
		if len(packages) < 50 || total > mostAtInit {
			t.Errorf("%s: %d packages allocate %d bytes before main, more than %d", function, len(packages), total, mostAtInit)
		}
	}
}
