package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// matchesGolden holds a text to a file of testdata, which is there to be read: a change of it is one that a reviewer
// sees. what is said to have changed when it is another.
func matchesGolden(t *testing.T, what, file, got string) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s changed; if that is meant, run go test ./infra -update and read the difference.\ngot:\n%s\nwant:\n%s",
			what, got, want)
	}
}
