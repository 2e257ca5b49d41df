package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// The short form of the soak: everything that the long one does, in seconds, so that it cannot rot. SEED draws another.
func TestShortSoak(t *testing.T) {
	drawn, err := optionsFrom(os.Getenv, 3)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	binary := filepath.Join(folder, "earshot")
	if out, err := exec.Command("go", "build", "-o", binary, "earshot/functions/local").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var said bytes.Buffer
	s := newSoak(options{
		length:    8 * time.Second,
		rate:      20,
		seed:      drawn.seed,
		killEvery: leastLife,
		calmEvery: 4 * time.Second,
		calm:      time.Second,
		tellEvery: 5 * time.Second,
		clients:   8,
		folder:    folder,
		binary:    binary,
		to:        &said,
	})
	if err := s.run(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	s.summarize()
	if testing.Verbose() {
		t.Log(said.String())
	}
	if !s.findings.none() {
		t.Errorf("not all of it holds:\n%s", said.String())
	}
	heard := map[string]int{}
	for _, c := range s.clients {
		for kind, n := range c.heard {
			heard[kind] += n
		}
	}
	for _, kind := range []string{"mention.created", "mentions.digest", "alert.fired", "alert.resolved"} {
		if heard[kind] == 0 {
			t.Errorf("no %s was delivered: %v", kind, heard)
		}
	}
	fired := 0
	for _, n := range s.faults.counted() {
		fired += n
	}
	if s.kills == 0 || fired < 20 || s.tally.operations < 100 || s.tally.classes["2xx"] < 100 ||
		s.tally.classes["5xx"] == 0 {
		t.Errorf("it was no soak: %d kills, %d faults, %d operations, %v", s.kills, fired, s.tally.operations, s.tally.classes)
	}
}
