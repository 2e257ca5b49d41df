package problem_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"earshot/shared/web/problem"
)

var update = flag.Bool("update", false, "write the golden file anew")

// The catalogue is a promise to clients: a change of it is a decision that shows in testdata.
func TestCatalogue(t *testing.T) {
	var b strings.Builder
	seen := map[problem.Code]bool{}
	for _, entry := range problem.Catalogue() {
		if seen[entry.Code] || entry.Status < 400 || entry.Meaning == "" {
			t.Errorf("%+v", entry)
		}
		seen[entry.Code] = true
		fmt.Fprintf(&b, "%d %s %s\n", entry.Status, entry.Code, strings.Join(entry.Fields, ","))
	}
	const golden = "testdata/catalogue.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != b.String() {
		t.Errorf("the catalogue is not %s (%v); go test ./shared/web/problem -update writes it anew:\n%s", golden, err, b.String())
	}
}

func TestEnvelope(t *testing.T) {
	for want, p := range map[string]*problem.Problem{
		`{"error":{"code":"NOT_FOUND","message":"No 100% x.","status":404}}`: problem.New(problem.NotFound, "No %d%% x.", 100),
		`{"error":{"code":"UPGRADE_REQUIRED","message":"m","status":403,"upgradeCommand":"c","upgradeUrl":"u"}}`: problem.New(
			problem.UpgradeRequired, "m").
			With("upgradeUrl", "u").With("upgradeCommand", "c"),
		`{"error":{"code":"VALIDATION_ERROR","details":[{"path":"a[0]","code":"type","message":"Expected string."}],"message":"a[0]: Expected string.","status":400}}`: problem.Invalid(problem.Detail{Path: "a[0]", Code: "type", Message: "Expected string."}),
	} {
		if got, err := json.Marshal(p); err != nil || string(got) != want {
			t.Errorf("got  %s, %v\nwant %s", got, err, want)
		}
	}
	if _, err := json.Marshal(problem.New(problem.NotFound, "m").With("details", 1)); err == nil {
		t.Error("NOT_FOUND took a member that the catalogue does not give it")
	}
}

// What is not a problem is our failure, and its cause is not for the client.
func TestFrom(t *testing.T) {
	cause := errors.New("the table is on fire")
	unknown := problem.From(fmt.Errorf("read: %w", cause))
	text, err := json.Marshal(unknown)
	if err != nil || unknown.Code != problem.InternalError || strings.Contains(string(text), "fire") ||
		!errors.Is(unknown, cause) {
		t.Errorf("%s, %v", text, unknown)
	}
	known := problem.New(problem.ItemExists, "there")
	if problem.From(fmt.Errorf("create: %w", known)) != known {
		t.Error("a problem is not found inside an error")
	}
}
