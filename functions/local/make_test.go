package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"earshot/functions/local/demo"
)

// All commands that are words of the program run one program, which is compiled by one command: by another one it would
// be compiled again, for a minute.
func TestMake_OneProgram(t *testing.T) {
	need(t, "make")
	// What would be done, if the documentation page were up to date.
	planned := func(args ...string) []string {
		t.Helper()
		out, err := exec.Command("make",
			append([]string{"--no-print-directory", "-C", "../..", "-n", "-o", "docs"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("make %v: %v\n%s", args, err, out)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	built := ""
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run"}, "serve"},
		{[]string{"propose", "DOMAIN=" + demo.Domain, "ARGS=--json"}, "propose " + demo.Domain + " --json"},
		{[]string{"analytics", "ARGS=--json"}, "analytics --json"},
		{[]string{"operate", "ARGS=workspace list"}, "operate workspace list"},
	} {
		plan := planned(c.args...)
		if len(plan) != 2 || !strings.HasPrefix(plan[0], "go build ") || built != "" && plan[0] != built {
			t.Fatalf("make %q does %q, want one build and one call", c.args, plan)
		}
		if built = plan[0]; plan[1] != "dist/earshot "+c.want {
			t.Errorf("make %q runs %q, want dist/earshot %s", c.args, plan[1], c.want)
		}
	}
}

// The program is installed where the person says, or where go install puts programs, and make says where.
func TestMake_Install(t *testing.T) {
	need(t, "make", "install")
	at := t.TempDir()
	for _, c := range []struct {
		env, args []string
		want      string
		noted     bool
	}{
		{nil, []string{"PREFIX=" + at + "/a b"}, at + "/a b/bin/earshot", true},
		{[]string{"GOBIN=" + at + "/gobin"}, nil, at + "/gobin/earshot", true},
		{[]string{"GOBIN=", "GOPATH=" + at + "/gopath:" + at + "/other"}, nil, at + "/gopath/bin/earshot", true},
		{[]string{"PATH=" + at + "/on/bin:" + os.Getenv("PATH")}, []string{"PREFIX=" + at + "/on"}, at + "/on/bin/earshot",
			false},
	} {
		// What is installed is this file, so that nothing is compiled.
		program := filepath.Join(at, "built")
		if err := os.WriteFile(program, []byte("#!/bin/sh\necho it runs\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		command := exec.Command("make",
			append([]string{"--no-print-directory", "-C", "../..", "-o", program, "LOCAL=" + program, "install"}, c.args...)...)
		command.Env = append(os.Environ(), c.env...)
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("make install %q: %v\n%s", c.args, err, out)
		}
		if !strings.Contains(string(out), "installed "+c.want+"\n") ||
			strings.Contains(string(out), "not in your PATH") != c.noted {
			t.Errorf("make install %q says %q, want %s", c.args, out, c.want)
		}
		if ran, err := exec.Command(c.want).CombinedOutput(); err != nil || string(ran) != "it runs\n" {
			t.Errorf("%s: %v %s", c.want, err, ran)
		}
	}
}
