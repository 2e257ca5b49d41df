package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// protected are the packages whose tests the page of threats names.
var protected = []string{"functions/authorize", "shared/grant", "shared/store/authstore",
	"shared/outbound/clientdocument",
	"shared/aws/cognitosignin", "functions/organization", "functions/mcp", "functions/local", "infra/login"}

// Each threat of the guide names tests that exist.
func TestThreats_NameTests(t *testing.T) {
	exists := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, folder := range protected {
		files, err := filepath.Glob(filepath.Join("..", folder, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no tests: %v", folder, err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, test := range declared.FindAllStringSubmatch(string(content), -1) {
				exists[test[1]] = true
			}
		}
	}
	rows, named := 0, regexp.MustCompile("`(Test\\w+)`")
	for line := range strings.Lines(guidePage(t, "THREATS.md")) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| Threat") {
			continue
		}
		rows++
		tests := named.FindAllStringSubmatch(cells[3], -1)
		if len(tests) == 0 {
			t.Errorf("no test shows what holds %q", strings.TrimSpace(cells[1]))
		}
		for _, test := range tests {
			if !exists[test[1]] {
				t.Errorf("there is no test %s, which THREATS.md names", test[1])
			}
		}
	}
	if rows < 20 {
		t.Errorf("THREATS.md has %d threats that can be read, want 20 or more", rows)
	}
}
