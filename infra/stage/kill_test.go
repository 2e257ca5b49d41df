package stage

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
)

// A gate stands before the tables, for one function alone, and ends the function's processes at a moment.
type gate struct {
	of *function

	mu     sync.Mutex
	left   int // requests until it strikes; 0: it does not
	after  bool
	struck bool
}

// newGate puts a gate before a function that has no process yet.
func (s *stage) newGate(of *function) *gate {
	g := &gate{of: of}
	server := httptest.NewServer(g)
	s.t.Cleanup(server.Close)
	of.told = append(of.told, "TABLE_ENDPOINT="+server.URL)
	return g
}

// strike has the processes die at a request to the tables, the so-manieth from now on: before it is done, or after,
// when the answer is under way.
func (g *gate) strike(at int, after bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left, g.after, g.struck = at, after, false
}

// spare lets the processes live, and answers whether they were struck.
func (g *gate) spare() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left = 0
	return g.struck
}

// now says whether this request is the one.
func (g *gate) now() (strikes, after bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.left == 0 {
		return false, false
	}
	g.left--
	g.struck = g.left == 0
	return g.struck, g.after
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // its process has gone
	}
	strikes, after := g.now()
	if strikes && !after {
		g.of.kill()
		return
	}
	// Whoever asked may die meanwhile: the tables do what they were asked for all the same.
	request, err := http.NewRequest(r.Method, os.Getenv("TABLE_ENDPOINT")+r.URL.Path, bytes.NewReader(body))
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	request.Header = r.Header.Clone()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	if strikes {
		g.of.kill()
		return
	}
	for name, values := range response.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(response.StatusCode)
	_, _ = w.Write(answer)
}

// A batch whose process dies in its middle comes again: each post is a mention once, has a number of its own, and is
// counted once.
func TestBatchThatIsKilled(t *testing.T) {
	const posts = 24
	s := newStage(t)
	workspace := s.newOperator().run("workspace", "create", "--name", "Northwind", "--plan", "pro")
	client := s.client(workspace.Token)
	client.Post(t, "/api/v2/keywords", `{"keyword":"northwind","tag":"own_brand"}`).OK(t, nil)
	gate := s.newGate(s.functions["ingest"])
	for first := 0; first < posts; first += 6 {
		s.send("posts", posted(t, "Escalations reach the right person with Northwind.", first+1, first+2, first+3, first+4,
			first+5, first+6))
	}
	for _, strike := range []struct {
		at    int
		after bool
	}{{3, true}, {5, false}, {6, true}, {9, true}} { // a message comes five times at most
		gate.strike(strike.at, strike.after)
		if taken, failed := s.deliverBatch("posts"); !gate.spare() || taken != posts/6 || failed != taken {
			t.Fatalf("of a batch of %d messages %d failed when it was struck at its request %d", taken, failed, strike.at)
		}
	}
	if failed := s.deliver("posts"); failed != 0 || len(s.deadLetters("posts")) != 0 {
		t.Errorf("%d messages failed at last", failed)
	}
	var page struct{ Data []listed }
	client.Post(t, "/api/v2/mentions", `{"includeAll":true,"limit":100}`).OK(t, &page)
	ids, numbers := map[string]bool{}, map[int64]bool{}
	for _, m := range page.Data {
		ids[m.SourceID], numbers[m.ID] = true, true
	}
	if len(page.Data) != posts || len(ids) != posts || len(numbers) != posts {
		t.Errorf("%d mentions with %d ids and %d numbers of %d posts", len(page.Data), len(ids), len(numbers), posts)
	}
	var usage struct{ Mentions struct{ Count int } }
	if client.Get(t, "/api/v2/org/usage").OK(t, &usage); usage.Mentions.Count != posts {
		t.Errorf("%d mentions are counted, of %d", usage.Mentions.Count, posts)
	}
	if died := s.functions["ingest"].killed; died != 4 {
		t.Errorf("%d processes were killed", died)
	}
}
