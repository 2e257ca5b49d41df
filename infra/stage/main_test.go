package stage

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// endpoints are the variables that name the servers: those by which the adapters, too, are told of another server than
// AWS's, and where CloudFormation is, by which the operator's command finds the tables.
var endpoints = []string{"TABLE_ENDPOINT", "QUEUE_ENDPOINT", "BLOB_ENDPOINT", "SECRET_ENDPOINT", "IDENTITY_ENDPOINT",
	"MAIL_ENDPOINT",
	"FLOW_ENDPOINT", "STACK_ENDPOINT"}

// deployed is what all tests run, since building it takes most of their time.
var deployed artefacts

func TestMain(m *testing.M) {
	code, err := testAll(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "stage:", err)
		code = 1
	}
	os.Exit(code)
}

func testAll(m *testing.M) (int, error) {
	if len(unset()) > 0 {
		return m.Run(), nil // each test says why it is skipped
	}
	folder, err := os.MkdirTemp("", "earshot-stage")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(folder)
	begun := time.Now()
	if deployed, err = deploy(folder); err != nil {
		return 1, err
	}
	fmt.Printf("the deployment is built and synthesized after %.1f s\n", time.Since(begun).Seconds())
	return m.Run(), nil
}

// unset lists the endpoints that are not there.
func unset() (names []string) {
	for _, name := range endpoints {
		if os.Getenv(name) == "" {
			names = append(names, name)
		}
	}
	return names
}

// needServers skips a test where there are no servers to run it on. It names none of the variables: a section of `make
// peers` that has some of the servers runs this package with many others, and takes a skipped test that names one for a
// mistake of its own.
func needServers(t *testing.T) {
	t.Helper()
	if names := unset(); len(names) > 0 {
		t.Skipf("of the servers that make peers starts there are none here for %s",
			strings.ToLower(strings.ReplaceAll(strings.Join(names, ", "), "_ENDPOINT", "")))
	}
}
