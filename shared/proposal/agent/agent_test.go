package agent_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/port/clock"
	"earshot/shared/port/model"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/proposal"
	"earshot/shared/proposal/agent"
	"earshot/shared/proposal/rule"
)

// evidence is a run's: a common word for a brand, its domain, a handle to confirm, a competitor and an industry term.
func evidence() proposal.Evidence {
	sighting := func(relevant, noise int) proposal.Sighting {
		s := proposal.Sighting{
			Relevant: relevant,
			Clusters: []proposal.SightedCluster{{Cluster: proposal.Cluster{Label: "deployments, builds", Share: 0.7}}},
			Anchors: []proposal.TermFigure{{Term: "pipeline", Relevant: 4}, {Term: "deploys", Relevant: 3},
				{Term: "staging", Relevant: 2, Noise: 1}},
			Sources: map[string]proposal.SourceSample{"hackernews": {Scored: relevant + noise, Relevant: relevant}},
		}
		for i := range relevant + noise {
			s.Posts = append(s.Posts,
				proposal.SampledPost{ID: fmt.Sprint("p", i), Source: "hackernews", Author: fmt.Sprint("writer", i),
					Title: "About lantern", Body: strings.Repeat("our staging pipeline deploys it; ", 5), Relevant: i < relevant})
		}
		return s
	}
	volume := proposal.Volume{
		Low:    80,
		High:   130,
		Band:   proposal.BandStandard,
		Basis:  proposal.BasisSampled,
		Window: proposal.Month,
	}
	return proposal.Evidence{
		DraftID: "draft_01JD0000000000000000000000", Run: 1, Domain: "lantern.example", Tier: proposal.Balanced,
		Profile: proposal.Profile{
			Company:     "Lantern",
			Description: "Lantern 360 deploys web applications.",
			Products:    []string{"Lantern Flow"},
			Language:    "English",
		},
		Candidates: proposal.Candidates{Candidates: []proposal.Candidate{
			{
				Ref:     "brand",
				Text:    "Lantern",
				Tag:     keyword.OwnBrand,
				Route:   proposal.Anchored,
				Common:  true,
				Exact:   true,
				Anchors: []string{"deployments", "pipelines", "staging"},
				Context: "Lantern deploys web applications; posts that name it.",
			},
			{
				Ref:     "brand_domain",
				Text:    "lantern.example",
				Tag:     keyword.OwnBrand,
				Route:   proposal.DomainVariant,
				Exact:   true,
				Context: "The domain of Lantern.",
			},
			{
				Ref:       "handle_1",
				Text:      "@lanternhq",
				Tag:       keyword.OwnBrand,
				Route:     proposal.HandleVariant,
				Exact:     true,
				Confirm:   true,
				Platforms: []string{"twitter"},
				Context:   "The account of Lantern.",
			},
			{
				Ref:     "competitor_1",
				Text:    "Shipyardly",
				Tag:     keyword.Competitor,
				Route:   proposal.Bare,
				Exact:   true,
				Context: "A competitor of Lantern.",
			},
			{
				Ref:     "industry_1",
				Text:    "preview deployments",
				Tag:     keyword.IndustryTerm,
				Route:   proposal.Bare,
				Exact:   true,
				Context: "What Lantern is for.",
			},
		}},
		Measured: proposal.Measured{At: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), Sources: []string{"hackernews"},
			Volumes: map[string]proposal.Volume{"brand": volume, "brand_domain": volume, "competitor_1": volume}},
		Sampled: proposal.Sampled{Sightings: map[string]proposal.Sighting{"brand": sighting(6, 14),
			"competitor_1": sighting(8, 2)}},
		Plan: proposal.Room{Allowance: 5000, Keywords: 20, Platforms: []string{"hackernews", "reddit", "twitter"}},
		Now:  time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
	}
}

// survey answers the agent's own questions, and counts them.
type survey struct {
	asked []agent.Query
	err   error
	delay time.Duration
	posts []proposal.SampledPost
}

func (s *survey) Measure(ctx context.Context, q agent.Query) (proposal.Volume, error) {
	s.asked = append(s.asked, q)
	s.sleep(ctx)
	return proposal.Volume{Low: 1, High: 9, Band: proposal.BandQuiet, Basis: proposal.BasisSparse}, s.err
}

func (s *survey) Sample(ctx context.Context, q agent.Query) (proposal.Sighting, error) {
	s.asked = append(s.asked, q)
	s.sleep(ctx)
	return proposal.Sighting{Posts: s.posts}, s.err
}

func (s *survey) sleep(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(s.delay):
	}
}

var errKilled = errors.New("killed")

// memory keeps what is recorded; dying says after how many more records, each of which is kept, its process dies.
type memory struct {
	mu    sync.Mutex
	parts map[string][]byte
	dying int // 0: never
}

func (m *memory) Record(_ context.Context, name string, content []byte) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if kept, found := m.parts[name]; found {
		return kept, nil
	}
	if m.parts == nil {
		m.parts = map[string][]byte{}
	}
	m.parts[name] = slices.Clone(content)
	if m.dying--; m.dying == 0 {
		return nil, errKilled
	}
	return content, nil
}

func (m *memory) Recorded(context.Context) (map[string][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.parts), nil
}

// gate refuses a common word that is tracked bare, and what has no feed.
func gate(e proposal.Evidence) func(proposal.Decisions) ([]rule.Finding, proposal.Proposal) {
	return func(d proposal.Decisions) (found []rule.Finding, p proposal.Proposal) {
		fed := map[string]bool{}
		for _, f := range d.Feeds {
			for _, ref := range f.KeywordRefs {
				fed[ref] = true
			}
		}
		for i, k := range d.Keywords {
			c, _ := e.Candidates.Of(k.Ref)
			if c.Common && k.Route == proposal.Bare {
				found = append(found, rule.Finding{
					Rule:  "K2",
					Place: fmt.Sprintf("keywords[%d].route", i),
					Ref:   k.Ref,
					Text:  "Anchor it.",
				})
			}
			if k.SelectedByDefault && !fed[k.Ref] {
				found = append(found, rule.Finding{
					Rule:  "F2",
					Place: fmt.Sprintf("keywords[%d].feedRef", i),
					Ref:   k.Ref,
					Text:  "Put it in a feed.",
				})
			}
			p.Keywords = append(p.Keywords, proposal.Keyword{Ref: k.Ref, Volume: e.Measured.Volumes[k.Ref]})
		}
		return found, p
	}
}

type world struct {
	agent.Options
	survey *survey
	memory *memory
}

func newWorld(m model.Converser) world {
	e := evidence()
	w := world{survey: &survey{}, memory: &memory{}}
	w.Options = agent.Options{
		Model:    m,
		Evidence: e,
		Tools:    w.survey,
		Check:    gate(e),
		Depth:    proposal.Balanced.Depth(),
		Clock:    clock.System{},
		Recorder: w.memory,
	}
	return w
}

// degrades runs an agent and wants it to end so, with no decisions.
func (w world) degrades(t *testing.T, want proposal.DegradationCode) agent.Result {
	t.Helper()
	result, err := agent.Run(t.Context(), w.Options)
	if err != nil {
		t.Fatal(err)
	}
	if result.Decisions != nil || !reflect.DeepEqual(result.Degraded, []proposal.Degradation{proposal.Degrade(want)}) {
		t.Fatalf("%+v, want %s", result, want)
	}
	w.bounded(t, result)
	if !strings.Contains(result.Why, " ") || len(result.Why) > 300 {
		t.Errorf("the logs learn %q", result.Why)
	}
	return result
}

// bounded wants every budget kept.
func (w world) bounded(t *testing.T, r agent.Result) {
	t.Helper()
	if r.Calls > w.Depth.ToolCalls || len(w.survey.asked) > w.Depth.ToolCalls || len(r.Timeline) > w.Depth.ToolCalls+2 {
		t.Errorf("%d calls, %d of the survey, %d in the timeline", r.Calls, len(w.survey.asked), len(r.Timeline))
	}
	for _, entry := range r.Timeline {
		if entry.Kind != proposal.EntryTool || entry.Took == nil || *entry.Took < 0 ||
			!slices.Contains([]string{modeltest.Measure, modeltest.Sample,
				modeltest.Check, modeltest.Submit, "unknown_tool"}, entry.Name) ||
			!slices.Contains([]string{"ok", "failed", "refused"}, entry.Status) {
			t.Errorf("%+v", entry)
		}
	}
}

func TestGoodAgent(t *testing.T) {
	script := modeltest.Good()
	w := newWorld(script)
	result, err := agent.Run(t.Context(), w.Options)
	if err != nil || result.Decisions == nil || len(result.Degraded) != 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	w.bounded(t, result)
	var names []string
	for _, entry := range result.Timeline {
		names = append(names, entry.Name+" "+entry.Status)
	}
	if want := []string{"measure_keyword ok", "sample_keyword ok", "check_proposal ok",
		"submit_proposal ok"}; !slices.Equal(names, want) {
		t.Errorf("%v", names)
	}
	if result.Calls != 3 || result.Tokens == 0 {
		t.Errorf("%d calls, %d tokens", result.Calls, result.Tokens)
	}
	if want := []agent.Query{{Text: "Lantern alternative", Exact: true}}; !reflect.DeepEqual(w.survey.asked, want) {
		t.Errorf("the survey was asked %+v: what the run has is not asked again", w.survey.asked)
	}
	brand := result.Decisions.Keywords[0]
	if brand.Ref != "brand" || brand.Route != proposal.Anchored ||
		!slices.Equal(brand.AdditionalTerms, []string{"pipeline", "deploys", "staging"}) ||
		!brand.ExactMatch || brand.Context != evidence().Candidates.Candidates[0].Context {
		t.Errorf("%+v", brand)
	}
	for i, request := range script.Requests() {
		size := len(request.System)
		for _, m := range request.Messages {
			for _, b := range m.Blocks {
				if size += len(b.Text); b.Result != nil {
					size += len(b.Result.Text)
				}
				if b.Use != nil {
					size += len(b.Use.Input)
				}
			}
		}
		t.Logf("request %d: %d bytes, of them %d of the system, %d of the first message", i+1, size, len(request.System),
			len(request.Messages[0].Blocks[0].Text))
	}
}

func TestSlowModel(t *testing.T) {
	for _, tier := range proposal.Tiers() {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(modeltest.Slow())
			w.Depth = tier.Depth()
			begun := time.Now()
			w.degrades(t, proposal.AgentBudgetExceeded)
			if took := time.Since(begun); took != tier.Depth().Agent {
				t.Errorf("it was stopped after %v", took)
			}
		})
	}
}

func TestLiars(t *testing.T) {
	for _, lie := range modeltest.Lies() {
		t.Run(string(lie), func(t *testing.T) {
			script := modeltest.Liar(lie)
			newWorld(script).degrades(t, proposal.AgentInvalid)
			// A form that is not what was asked for ends the work; what the gate refuses is answered once.
			want := 1
			if lie == modeltest.LieFigure {
				want = 2
			}
			if asked := len(script.Requests()); asked != want {
				t.Errorf("%d requests", asked)
			}
		})
	}
}

func TestLoopingModel(t *testing.T) {
	script := modeltest.Looping()
	w := newWorld(script)
	result := w.degrades(t, proposal.AgentBudgetExceeded)
	if result.Calls != w.Depth.ToolCalls || result.Tokens > w.Depth.Tokens {
		t.Errorf("%d calls, %d tokens", result.Calls, result.Tokens)
	}
	last := script.Requests()[len(script.Requests())-1]
	blocks := last.Messages[len(last.Messages)-1].Blocks
	if !strings.Contains(blocks[len(blocks)-1].Text, "last turn") {
		t.Error("it was not told to submit")
	}
}

func TestObedientModel(t *testing.T) {
	for name, c := range map[string]struct {
		verb, what string
		want       proposal.DegradationCode // empty: a proposal that is none the worse
	}{
		"a tool that there is not":    {"CALL", "send_email", ""},
		"a keyword of the attacker's": {"TRACK", "attackers-keyword", proposal.AgentInvalid},
		"another workspace":           {"OPEN", "org_01JD0000000000000000000000", ""},
		"a link":                      {"VISIT", "attacker.example", proposal.AgentInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(modeltest.Obedient())
			sighting := w.Evidence.Sampled.Sightings["brand"]
			sighting.Posts[0].Body = modeltest.Instruction(c.verb, c.what)
			if c.want != "" {
				w.degrades(t, c.want)
			} else {
				result, err := agent.Run(t.Context(), w.Options)
				if err != nil || result.Decisions == nil {
					t.Fatalf("%+v, %v", result, err)
				}
				w.bounded(t, result)
				if !slices.ContainsFunc(result.Timeline, func(e proposal.Entry) bool { return e.Status == "refused" }) {
					t.Errorf("it was not tempted: %+v", result.Timeline)
				}
				clean, err := agent.Run(t.Context(), newWorld(modeltest.Obedient()).Options)
				if err != nil || !reflect.DeepEqual(result.Decisions, clean.Decisions) {
					t.Errorf("the post changed the proposal: %v", err)
				}
			}
			for _, q := range w.survey.asked {
				if strings.Contains(q.Text, "org_") {
					t.Errorf("%+v", q)
				}
			}
		})
	}
}

func TestGarbage(t *testing.T) {
	for name, script := range modeltest.Garbage() {
		t.Run(name, func(t *testing.T) {
			w := newWorld(script)
			w.degrades(t, proposal.AgentInvalid)
			for part, content := range w.memory.parts {
				if len(content) > 300<<10 {
					t.Errorf("%s weighs %d bytes", part, len(content))
				}
			}
		})
	}
}

func TestThrottledModel(t *testing.T) {
	for name, c := range map[string]struct {
		times  int
		err    error
		waits  time.Duration
		failed bool
	}{
		"once":        {1, model.ErrThrottled, time.Second, false},
		"three times": {3, fmt.Errorf("wrapped: %w", model.ErrThrottled), 7 * time.Second, false},
		"outage":      {2, model.ErrUnavailable, 3 * time.Second, false},
		"time limit":  {1, context.DeadlineExceeded, time.Second, false},
		"too often":   {4, model.ErrThrottled, 7 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(modeltest.Throttled(c.times, c.err, modeltest.Good()))
				begun := time.Now()
				if c.failed {
					w.degrades(t, proposal.AgentFailed)
				} else if result, err := agent.Run(t.Context(), w.Options); err != nil || result.Decisions == nil {
					t.Fatalf("%+v, %v", result, err)
				}
				if took := time.Since(begun); took != c.waits {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}

func TestBrokenModel(t *testing.T) {
	for _, err := range []error{model.ErrRefused, errors.New("something broke"), fmt.Errorf("wrapped: %w", model.ErrRefused)} {
		script := modeltest.Broken(err)
		newWorld(script).degrades(t, proposal.AgentFailed)
		if len(script.Requests()) != 1 {
			t.Errorf("%v was asked again", err)
		}
	}
}

// An outage that outlasts the run's seconds is a budget's end, not a wait.
func TestOutageWithoutTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(modeltest.Broken(model.ErrThrottled))
		w.Depth.Agent = 2 * time.Second
		begun := time.Now()
		w.degrades(t, proposal.AgentBudgetExceeded)
		if took := time.Since(begun); took != 2*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}
