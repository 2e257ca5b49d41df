package stage

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program that infra/stage-test plays against a stage on AWS plays the same against this one.
func TestStoriesOfAStage(t *testing.T) {
	s := newStage(t)
	operate := s.newOperator()
	agency := operate.run("agency", "create", "--name", "Harbour")
	workspace := operate.run("workspace", "create", "--name", "Northwind", "--plan", "pro")
	reader := operate.run("key", "create", "--owner", workspace.Workspace, "--scope", "read")
	server := httptest.NewServer(s.gateway)
	t.Cleanup(server.Close)
	for _, name := range []string{"discovery", "authorize"} { // the server stands for the address that the stage has
		s.functions[name].told = append(s.functions[name].told, "OAUTH_ISSUER="+server.URL)
	}

	program := filepath.Join(t.TempDir(), "story")
	if out, err := exec.Command("go", "build", "-o", program, "earshot/infra/story").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	story := func(words ...string) string {
		t.Helper()
		told := exec.CommandContext(t.Context(), program, words...)
		told.Env = append(
			os.Environ(),
			"STORY_URL="+server.URL,
			"STORY_ADMIN="+workspace.Token,
			"STORY_READ="+reader.Token,
			"STORY_MASTER="+agency.Token,
			"SSL_CERT_FILE="+s.authority,
		)
		out, err := told.Output()
		if err != nil {
			failed, _ := err.(*exec.ExitError)
			t.Fatalf("story %s: %v\n%s%s", strings.Join(words, " "), err, out, failed.Stderr)
		}
		return string(out)
	}
	if played := story("play"); strings.Count(played, " ok\n") != 9 {
		t.Errorf("of nine stories these were played:\n%s", played)
	}
	s.client(workspace.Token).Post(t, "/api/v2/keywords", `{"keyword":"quillmark"}`).OK(t, nil)
	s.send("posts", strings.TrimSpace(story("posts", "quillmark")))
	if failed := s.deliver("posts"); failed != 0 {
		t.Errorf("%d messages failed", failed)
	}
	story("found", "quillmark", "--within", "1ms")
}
