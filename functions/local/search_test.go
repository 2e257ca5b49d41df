package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"earshot/infra/exit"
)

// A query reaches the API as it was typed, also one with a term that begins with a dash.
func TestSearch(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, r.Header.Get("Authorization")+" "+r.Header.Get("x-earshot-organization-id")+" "+string(body))
		if r.Header.Get("Idempotency-Key") == "" {
			t.Error("the request has no Idempotency-Key")
		}
		fmt.Fprint(w, `{"searchId":"srch_1","status":"completed","query":"x","timeWindow":"7d","mentions":[]}`)
	}))
	t.Cleanup(server.Close)
	env := []string{"EARSHOT_BASE_URL=" + server.URL, "EARSHOT_API_KEY=key"}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"northwind", "OR", "lanternpage"}, `Bearer key  {"query":"northwind OR lanternpage"}`},
		{[]string{`"wave barn" -surf`, "--window", "30d", "--source", "reddit", "--source", "dev", "--limit", "5",
			"--relevance", "low", "--workspace", "org_1"},
			`Bearer key org_1 {"query":"\"wave barn\" -surf","timeWindow":"30d","sources":["reddit","dev"],"maxResults":5,"minRelevance":"low"}`},
		{[]string{"--api-key", "other", "--", "-surf", "wave"}, `Bearer other  {"query":"-surf wave"}`},
	} {
		got := commanded(t, env, append([]string{"search"}, c.args...)...)
		if got.err != nil || asked[len(asked)-1] != c.want {
			t.Errorf("search %q asks %s, %v, want %s", c.args, asked[len(asked)-1], got.err, c.want)
		}
	}
}

// Who interrupts a search gets a status of its own, and learns how to read the search later.
func TestSearch_Interrupted(t *testing.T) {
	begun := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "50")
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprint(w, `{"searchId":"srch_1","status":"running","pollUrl":"/api/v2/search/srch_1"}`)
		begun <- struct{}{}
	}))
	t.Cleanup(server.Close)
	command := exec.Command(self(t), "search", "northwind")
	command.Env = []string{childVariable + "=1", "EARSHOT_BASE_URL=" + server.URL, "EARSHOT_API_KEY=key"}
	stderr := &output{}
	command.Stderr = stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	<-begun
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait()
	if status := command.ProcessState.ExitCode(); status != exit.Interrupted ||
		command.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
		t.Errorf("an interrupted search ends with status %d, want %d\n%s", status, exit.Interrupted, stderr)
	}
	if !strings.HasSuffix(stderr.String(), "earshot: interrupted.\n") {
		t.Errorf("an interrupted search says %s", stderr)
	}
}
