package listening_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/keyword"
	"earshot/shared/listening"
	"earshot/shared/match"
	"earshot/shared/mention"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/post"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

var must = worldtest.Must

// matches are the workspaces that a text is for.
func matches(s *listening.Snapshot, text string) (ids []string) {
	var hits match.Hits
	s.Matcher.Match(&post.Post{Source: "hackernews", SourceID: "hackernews_story_1", Body: &text}, &hits)
	for _, hit := range hits.List {
		ids = append(ids, hit.Workspace.ID)
	}
	return ids
}

// now is a snapshot, and what it cost to read.
func now(t testing.TB, l *listening.Listening) (*listening.Snapshot, int) {
	t.Helper()
	ctx, meter := table.WithMeter(t.Context())
	s, err := l.Now(ctx)
	must(t, err)
	return s, meter.Total().Reads
}

func create(t testing.TB, w *worldtest.World, orgID, text string) keyword.Keyword {
	t.Helper()
	k, err := w.Store.CreateKeyword(t.Context(), orgID, keyword.Keyword{Text: text}, 100)
	must(t, err)
	return k
}

// A look reads the list of workspaces, and of a workspace what has changed: two reads to match, and to judge one more once
// its users have judged.
func TestReadsWhatChanged(t *testing.T) {
	for _, judging := range []bool{false, true} {
		w := worldtest.NewWorld(t)
		l := listening.New(listening.Options{Settings: w.Store, Clock: w.Clock, Judging: judging})
		each := 2
		look := func(step string, reads int) *listening.Snapshot {
			t.Helper()
			s, got := now(t, l)
			if got != reads {
				t.Errorf("judging %v, %s: %d reads, want %d", judging, step, got, reads)
			}
			return s
		}
		if s := look("nobody listens", 1); len(matches(s, "northwind")) != 0 {
			t.Error("somebody listens")
		}
		k := create(t, w, w.Main.ID, "northwind")
		create(t, w, w.Other.ID, "southwind")
		s := look("two workspaces", 1+2*each)
		if !slices.Equal(matches(s, "northwind"), []string{w.Main.ID}) || s.Workspace(w.Agents.ID) != nil {
			t.Error("not what they listen for")
		}
		if again := look("no change", 1); again.Matcher != s.Matcher {
			t.Error("the matcher was made anew")
		}
		must(t, w.Store.PutFilters(t.Context(), w.Other.ID, keyword.Filters{NegativeKeywords: []string{"snow"}}))
		if s := look("filters", 1+each); len(matches(s, "southwind and snow")) != 0 || len(matches(s, "southwind")) != 1 {
			t.Error("the filters do not hold")
		}
		must(t, w.Store.PutCompany(t.Context(), w.Main.ID, workspace.Company{Name: "Northwind"}))
		if s := look("company", 1+each); judging && s.Workspace(w.Main.ID).Company.Name != "Northwind" {
			t.Error("no company")
		}
		before := look("no change", 1)
		teach(t, w, k.ID)
		reads := 1
		if judging {
			each = 3
			reads += each
		}
		after := look("lessons", reads)
		if after.Matcher != before.Matcher {
			t.Error("the matcher was made anew for a lesson")
		}
		if judging && (len(after.Workspace(w.Main.ID).Lessons) != 1 || len(before.Workspace(w.Main.ID).Lessons) != 0) {
			t.Error("no lesson, or in a snapshot of before")
		}
		if _, err := w.Store.ChangeKeyword(t.Context(), w.Main.ID, k.ID,
			func(k *keyword.Keyword) error { k.Paused = true; return nil }); err != nil {
			t.Fatal(err)
		}
		if s := look("paused", 1+each); len(matches(s, "northwind")) != 0 || len(matches(after, "northwind")) != 1 {
			t.Error("still matched, or not any more in a snapshot of before")
		}
		must(t, w.Store.DeleteKeyword(t.Context(), w.Main.ID, k.ID))
		if s := look("deleted", 1+each); len(s.Workspace(w.Main.ID).Keywords) != 0 {
			t.Error("still there")
		}
	}
}

func teach(t *testing.T, w *worldtest.World, keywordID int64) {
	t.Helper()
	m := worldtest.Mention(1, "taught", worldtest.Now)
	m.Keywords, m.Vector = []mention.Keyword{{ID: keywordID, Text: "northwind"}}, []byte{1}
	w.Put(t, w.Main.ID, m)
	_, err := w.Store.ChangeMention(t.Context(), w.Main.ID, "taught",
		func(m *mention.Mention) (bool, error) { return m.Overrule(mention.Low), nil })
	must(t, err)
}

// A snapshot is good for as long as Fresh, and not when the clock has been turned back behind it.
func TestFresh(t *testing.T) {
	w := worldtest.NewWorld(t)
	l := listening.New(listening.Options{Settings: w.Store, Clock: w.Clock, Fresh: 15 * time.Second})
	now(t, l)
	for _, step := range []struct {
		at    time.Duration
		reads int
	}{{0, 0}, {14 * time.Second, 0}, {15 * time.Second, 1}, {29 * time.Second, 0}, {30 * time.Second, 1}, {29 * time.Second, 1}} {
		w.Clock.Freeze(worldtest.Now.Add(step.at))
		if _, reads := now(t, l); reads != step.reads {
			t.Errorf("after %v: %d reads", step.at, reads)
		}
	}
}

// settings are kept in memory, for what a store does not do by itself.
type settings struct {
	mu        sync.Mutex
	listeners []keyword.Listener
	keywords  map[string][]keyword.Keyword
	bad       map[string]error // of workspaces' keywords
	reads     map[string]int
	crash     bool
}

func (s *settings) Listeners(context.Context) ([]keyword.Listener, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.listeners), nil
}

func (s *settings) Keywords(_ context.Context, id string) ([]keyword.Keyword, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.crash {
		panic(fault.Crashed{Port: "table"})
	}
	if s.reads == nil {
		s.reads = map[string]int{}
	}
	s.reads[id]++
	return s.keywords[id], s.bad[id]
}

func (s *settings) Filters(context.Context, string) (keyword.Filters, error) {
	return keyword.Filters{}, nil
}

func (s *settings) FiltersAndCompany(context.Context, string) (keyword.Filters, workspace.Company, error) {
	return keyword.Filters{}, workspace.Company{}, nil
}

func (s *settings) Lessons(context.Context, string, int) ([]mention.Lesson, error) { return nil, nil }

func (s *settings) put(id string, version int64, texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keywords == nil {
		s.keywords = map[string][]keyword.Keyword{}
	}
	s.keywords[id] = nil
	for i, text := range texts {
		s.keywords[id] = append(s.keywords[id], keyword.Keyword{ID: int64(i + 1), Text: text})
	}
	s.listeners = slices.DeleteFunc(s.listeners, func(l keyword.Listener) bool { return l.WorkspaceID == id })
	s.listeners = append(s.listeners, keyword.Listener{WorkspaceID: id, Version: version})
}

func open(s *settings, report func(error)) *listening.Listening {
	return listening.New(listening.Options{Settings: s, Clock: clock.System{}, Report: report})
}

func TestDeletedWorkspace(t *testing.T) {
	s := &settings{}
	s.put("a", 1, "northwind")
	s.put("b", 1, "northwind")
	l := open(s, nil)
	before, _ := now(t, l)
	s.listeners = s.listeners[:1]
	after, _ := now(t, l)
	if len(matches(before, "northwind")) != 2 || !slices.Equal(matches(after, "northwind"), []string{"a"}) ||
		after.Workspace("b") != nil {
		t.Errorf("%v, then %v", matches(before, "northwind"), matches(after, "northwind"))
	}
	s.put("c", 1, "northwind")
	s.listeners = s.listeners[1:] // one goes as another comes
	if got, _ := now(t, l); !slices.Equal(matches(got, "northwind"), []string{"c"}) {
		t.Errorf("%v", matches(got, "northwind"))
	}
	s.put("c", 1, "southwind") // deleted, and there again with the same version
	s.listeners = nil
	now(t, l)
	s.listeners = []keyword.Listener{{WorkspaceID: "c", Version: 1}}
	if got, _ := now(t, l); len(matches(got, "southwind")) != 1 {
		t.Error("what was before a deletion is still known")
	}
}

// A keyword that cannot be compiled is left out and reported once; nobody else is deaf for it.
func TestUncompilableKeyword(t *testing.T) {
	s := &settings{}
	s.put("a", 1, "northwind", "\xff", "southwind")
	s.put("b", 1, "northwind", " \u200b ")
	var reported []string
	l := open(s, func(err error) {
		var fault *match.Fault
		if !errors.As(err, &fault) {
			t.Errorf("%T", err)
		}
		reported = append(reported, fmt.Sprintf("%s %d", fault.Workspace, fault.Keyword))
	})
	for range 3 {
		got, _ := now(t, l)
		if len(matches(got, "northwind")) != 2 || len(matches(got, "southwind")) != 1 {
			t.Error("somebody is deaf")
		}
	}
	if got := strings.Join(reported, ", "); got != "a 2, b 2" {
		t.Errorf("reported %s", got)
	}
	s.put("c", 1, "eastwind")
	now(t, l)
	if len(reported) != 2 {
		t.Errorf("reported again: %v", reported)
	}
	s.put("a", 2, "northwind")
	now(t, l)
	s.put("a", 3, "northwind", "\xff")
	now(t, l)
	if got := strings.Join(reported, ", "); got != "a 2, b 2, a 2" {
		t.Errorf("reported %s", got)
	}
}

// What could be read when something else could not is not read again.
func TestFailedRead(t *testing.T) {
	s := &settings{bad: map[string]error{}}
	for n := range 40 {
		s.put(fmt.Sprint("w", n), 1, "northwind")
	}
	s.bad["w7"] = errors.New("no answer")
	l := open(s, nil)
	if _, err := l.Now(t.Context()); !errors.Is(err, s.bad["w7"]) || !strings.Contains(err.Error(), "w7") {
		t.Fatal(err)
	}
	delete(s.bad, "w7")
	got, _ := now(t, l)
	if len(matches(got, "northwind")) != 40 {
		t.Errorf("%v", matches(got, "northwind"))
	}
	for id, n := range s.reads {
		if want := map[bool]int{true: 2, false: 1}[id == "w7"]; n != want {
			t.Errorf("%s was read %d times", id, n)
		}
	}
}

// A store that dies takes its caller with it, where that can be recovered, and leaves nothing locked.
func TestCrash(t *testing.T) {
	s := &settings{crash: true}
	s.put("a", 1, "northwind")
	l := open(s, nil)
	func() {
		defer func() {
			if value := recover(); value != (fault.Crashed{Port: "table"}) {
				t.Errorf("recovered %v", value)
			}
		}()
		l.Now(t.Context())
	}()
	s.crash = false
	if got, _ := now(t, l); len(matches(got, "northwind")) != 1 {
		t.Error("deaf after a crash")
	}
}

// Many ask at once while workspaces change; each sees a whole of some moment.
func TestAtOnce(t *testing.T) {
	s := &settings{}
	for n := range 20 {
		s.put(fmt.Sprint("w", n), 1, "northwind")
	}
	l := open(s, nil)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 50 {
				got, err := l.Now(context.Background())
				if err != nil || len(matches(got, "northwind")) != 20 {
					t.Error(err)
					return
				}
				for _, listener := range got.Listeners {
					if got.Workspace(listener.WorkspaceID) == nil {
						t.Error("a listener without its workspace")
					}
				}
			}
		})
	}
	group.Go(func() {
		for version := range int64(50) {
			s.put("w3", version+2, "northwind", fmt.Sprint("other", version))
		}
	})
	group.Wait()
}

// A look at a thousand workspaces of which none changed is one query.
func TestThousandWorkspaces(t *testing.T) {
	w := worldtest.NewWorld(t)
	for n := range 1_000 {
		create(t, w, fmt.Sprintf("org_%04d", n), "northwind")
	}
	l := listening.New(listening.Options{Settings: w.Store, Clock: w.Clock, Judging: true})
	if s, reads := now(t, l); len(matches(s, "northwind")) != 1_000 || reads != 1+2*1_000 {
		t.Errorf("%d match, by %d reads", len(matches(s, "northwind")), reads)
	}
	if _, reads := now(t, l); reads != 1 {
		t.Errorf("%d reads for no change", reads)
	}
	create(t, w, "org_0500", "southwind")
	if _, reads := now(t, l); reads != 3 {
		t.Errorf("%d reads for one change", reads)
	}
}
