package survey_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/survey"
	"earshot/shared/source"
)

func candidates(texts ...string) proposal.Candidates {
	var all proposal.Candidates
	for i, text := range texts {
		all.Candidates = append(all.Candidates, proposal.Candidate{Ref: fmt.Sprintf("c%d", i), Text: text, Exact: true})
	}
	return all
}

func refs(c proposal.Counts) string { return strings.Join(slices.Sorted(maps.Keys(c.Counts)), " ") }

func failing(s *shelf, at int, err error) *shelf {
	s.deny = func(n int, _ source.Query) error {
		if n >= at {
			return err
		}
		return nil
	}
	return s
}

// What a branch asks, and in which order: the own brand first, each text once, and nothing for who is not tracked there.
func TestBranch(t *testing.T) {
	s := newShelf("hackernews", 100, together(posts(3, "harbor", 9, now), posts(4, "anchor", 9, now))...)
	asked := candidates("anchor", "harbor", "ANCHOR", "harbor", "bollard", " ")
	asked.Candidates[1].Tag = keyword.OwnBrand
	asked.Candidates[3].Cased = true
	asked.Candidates[4].Platforms = []string{"twitter"}
	got := surveying(s).Branch(t.Context(), "hackernews", asked)
	if got.State != proposal.SourceAnswered || got.Reason != "" || got.Source != "hackernews" ||
		!got.CountedAt.Equal(now) {
		t.Errorf("%+v", got)
	}
	equal(t, "answered", refs(got), "c0 c1 c2 c3")
	for ref, want := range map[string]int64{"c0": 4, "c1": 3, "c2": 4, "c3": 3} {
		equal(t, ref, got.Counts[ref].Posts, want)
	}
	equal(t, "requests", s.requests(), 3)
	equal(t, "requests told", got.Requests, 3)
	equal(t, "asked first", s.queries[0].Text, "harbor")
}

// A source that fails says so, keeps what it answered and is not pressed.
func TestBranchOfAFailingSource(t *testing.T) {
	unavailable := func(u source.Unavailable) error { u.Source = "hackernews"; u.Reason = "answered 503"; return &u }
	for _, tt := range []struct {
		name     string
		source   *shelf
		state    proposal.SourceState
		answered string
		requests int
		reason   string
	}{
		{"from the start", failing(newShelf("hackernews", 100), 1, unavailable(source.Unavailable{})), proposal.SourceFailed,
			"", 2, "answered 503"},
		{"down", failing(newShelf("hackernews", 100), 2, unavailable(source.Unavailable{Network: true})),
			proposal.SourceFailed, "c0", 2, "answered 503"},
		{"refused", failing(newShelf("hackernews", 100), 1, unavailable(source.Unavailable{Refused: true})),
			proposal.SourceFailed, "", 1, "answered 503"},
		{"asks to wait an hour",
			failing(newShelf("hackernews", 100), 3, unavailable(source.Unavailable{RetryAfter: time.Hour})),
			proposal.SourceFailed, "c0 c1", 3, "answered 503"},
		{"no credentials", failing(newShelf("hackernews", 100), 1, source.ErrNoCredentials), proposal.SourceUnmeasured, "", 1,
			"credentials"},
		{"an error with a secret in it", failing(newShelf("hackernews", 100), 1, errors.New("token=abc")),
			proposal.SourceFailed, "", 1, "could not be asked"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := surveying(tt.source).Branch(t.Context(), "hackernews", candidates("a", "b", "c", "d"))
			equal(t, "state", got.State, tt.state)
			equal(t, "answered", refs(got), tt.answered)
			equal(t, "requests", tt.source.requests(), tt.requests)
			equal(t, "requests told", got.Requests, tt.requests)
			if !strings.Contains(got.Reason, tt.reason) || strings.Contains(got.Reason, "abc") {
				t.Errorf("says %q", got.Reason)
			}
		})
	}
	once := newShelf("hackernews", 100)
	once.deny = func(n int, _ source.Query) error {
		if n == 2 {
			return unavailable(source.Unavailable{})
		}
		return nil
	}
	got := surveying(once).Branch(t.Context(), "hackernews", candidates("a", "b", "c", "d"))
	equal(t, "answered but for one", refs(got), "c0 c2 c3")
	equal(t, "state", got.State, proposal.SourceFailed)
	got = surveying().Branch(t.Context(), "myspace", candidates("a"))
	equal(t, "state of nobody", got.State, proposal.SourceUnmeasured)
	if got.Counts == nil || got.Reason == "" {
		t.Errorf("%+v", got)
	}
}

// A short wait is waited for, once; a long one is not.
func TestWaits(t *testing.T) {
	for _, tt := range []struct {
		name     string
		wait     time.Duration
		until    int // requests that are told to wait
		limit    time.Duration
		took     time.Duration
		requests int
		answered string
	}{
		{"three seconds", 3 * time.Second, 1, 0, 3 * time.Second, 2, "c0"},
		{"three seconds, twice", 3 * time.Second, 2, 0, 3 * time.Second, 2, ""},
		{"five seconds", 5 * time.Second, 1, 0, 5 * time.Second, 2, "c0"},
		{"longer", 6 * time.Second, 1, 0, 0, 1, ""},
		{"longer than there is time", 3 * time.Second, 1, 5 * time.Second, 0, 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newShelf("hackernews", 100)
				s.deny = func(n int, _ source.Query) error {
					if n <= tt.until {
						return &source.Unavailable{Source: "hackernews", Reason: "answered 429", RetryAfter: tt.wait}
					}
					return nil
				}
				ctx := t.Context()
				if tt.limit > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, tt.limit)
					defer cancel()
				}
				budget := &purse{left: 9}
				started := time.Now()
				got := survey.New(survey.Options{Sources: []source.Source{s}, Budget: budget}).
					Branch(ctx, "hackernews", candidates("a"))
				equal(t, "took", time.Since(started), tt.took)
				equal(t, "requests", s.requests(), tt.requests)
				equal(t, "spent", budget.spent, tt.requests)
				equal(t, "answered", refs(got), tt.answered)
			})
		})
	}
}

// When time runs out, a branch answers what it has, before the context is over.
func TestDeadline(t *testing.T) {
	for _, tt := range []struct {
		name     string
		takes    time.Duration
		limit    time.Duration
		answered string
		requests int
	}{
		{"a slow source", 3 * time.Second, 10 * time.Second, "c0 c1", 3},
		{"one that does not answer", time.Hour, 10 * time.Second, "", 1},
		{"hardly any time", time.Second, time.Second, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newShelf("hackernews", 100)
				s.takes = tt.takes
				ctx, cancel := context.WithTimeout(t.Context(), tt.limit)
				defer cancel()
				got := survey.New(survey.Options{Sources: []source.Source{s}}).
					Branch(ctx, "hackernews", candidates("a", "b", "c", "d"))
				if ctx.Err() != nil {
					t.Error("it answers when its time is over")
				}
				equal(t, "answered", refs(got), tt.answered)
				equal(t, "requests", s.requests(), tt.requests)
				equal(t, "state", got.State, proposal.SourceFailed)
				if !strings.Contains(got.Reason, "time") {
					t.Errorf("says %q", got.Reason)
				}
			})
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := newShelf("hackernews", 100)
	if _, err := surveying(s).Count(ctx, "hackernews", brand("a")); !errors.Is(err, context.Canceled) || s.requests() > 0 {
		t.Errorf("asked when nobody waits: %v", err)
	}
}

// All branches of a run share one budget, to the request; and the first candidates are served.
func TestBudget(t *testing.T) {
	var sources []source.Source
	shelves := map[string]*shelf{}
	for i := range 8 {
		s := newShelf(fmt.Sprintf("s%d", i), 100)
		shelves[s.about.Name] = s
		sources = append(sources, s)
	}
	budget := &purse{left: 41}
	s := survey.New(survey.Options{Sources: sources, Cache: newCache(), Budget: budget, Clock: still()})
	answers := make([]proposal.Counts, len(sources))
	var all sync.WaitGroup
	for i, name := range s.Names() {
		all.Go(func() {
			answers[i] = s.Branch(t.Context(), name, candidates("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"))
		})
	}
	all.Wait()
	asked, spent := 0, 0
	for _, answer := range answers {
		asked += shelves[answer.Source].requests()
		equal(t, "requests told", answer.Requests, shelves[answer.Source].requests())
		equal(t, "answered", len(answer.Counts), answer.Requests)
		if answer.State == proposal.SourceSpent {
			spent++
		}
		for i := range answer.Requests {
			if _, ok := answer.Counts[fmt.Sprintf("c%d", i)]; !ok {
				t.Errorf("%s: c%d was passed over", answer.Source, i)
			}
		}
	}
	equal(t, "requests", asked, 41)
	equal(t, "spent", budget.spent, 41)
	equal(t, "requests of the survey", s.Requests(), 41)
	if spent < 4 {
		t.Errorf("%d branches say that the budget is used up", spent)
	}
	again := s.Branch(t.Context(), answers[0].Source, candidates("a"))
	if answers[0].Requests > 0 && (again.State != proposal.SourceAnswered || again.Requests != 0) {
		t.Errorf("what is kept costs nothing: %+v", again)
	}
	broken := survey.New(survey.Options{Sources: sources, Budget: &purse{err: errors.New("table")}})
	if got := broken.Branch(t.Context(), "s0", candidates("a")); got.State != proposal.SourceFailed || got.Requests != 0 {
		t.Errorf("asked without leave: %+v", got)
	}
}
