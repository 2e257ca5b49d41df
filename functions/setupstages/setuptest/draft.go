package setuptest

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"earshot/functions/discovery"
	"earshot/functions/setup"
	"earshot/shared/proposal"
	"earshot/shared/proposal/compose"
	"earshot/shared/proposal/rule"
	"earshot/shared/web"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// Profile is that of a company with a name of its own, which the posts of a World speak of.
func Profile() proposal.Profile {
	return proposal.Profile{
		Company:       "Quietharbor",
		Description:   "Quietharbor pages the right engineer when a service fails.",
		Products:      []string{"Harborline"},
		Audience:      "engineers on call",
		Handles:       []proposal.Handle{{Platform: "twitter", Handle: "quietharborhq", Linked: true}},
		Language:      "english",
		Competitors:   []string{"Zendrix"},
		IndustryTerms: []string{"incident response"},
		OtherNames:    []string{},
	}
}

// Draft makes a draft with the profile.
func (w *World) Draft(t testing.TB) string {
	t.Helper()
	d, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, Domain, "")
	if err != nil {
		t.Fatal(err)
	}
	profile := Profile()
	if err := w.Store.ScanDone(t.Context(), w.Main.ID, d.ID, &profile, ""); err != nil {
		t.Fatal(err)
	}
	return d.ID
}

// Begin begins a run of a draft.
func (w *World) Begin(t testing.TB, draft string) proposal.Key {
	t.Helper()
	id := ""
	if w.Model != nil {
		id = ModelID
	}
	key, started, err := w.Store.StartRun(t.Context(), w.Main.ID, draft, proposal.Balanced, id, proposal.RunLimit)
	if err != nil || !started {
		t.Fatal(started, err)
	}
	return key
}

// Setup is a draft with its last run.
func (w *World) Setup(t testing.TB, draft string) (proposal.Draft, proposal.Run) {
	t.Helper()
	d, run, err := w.Store.Setup(context.Background(), w.Main.ID, draft)
	if err != nil {
		t.Fatal(err)
	}
	return d, run
}

// Degraded are a run's degradations by their codes.
func Degraded(run proposal.Run) []proposal.DegradationCode {
	codes := []proposal.DegradationCode{}
	for _, d := range run.Degraded() {
		codes = append(codes, d.Code)
	}
	return codes
}

// Failing is the part of testing.TB, and of rapid's T, that checks use.
type Failing interface {
	Helper()
	Errorf(format string, args ...any)
}

// Settled holds a draft to what every draft comes to: nothing is under way, and what is proposed passes every rule and
// the schema.
func (w *World) Settled(t Failing, draft string) (proposal.Draft, proposal.Run) {
	t.Helper()
	d, run, err := w.Store.Setup(context.Background(), w.Main.ID, draft)
	if err != nil {
		t.Errorf("read the draft: %v", err)
		return d, run
	}
	if !d.Status.Settled() || run.FinishedAt.IsZero() || !d.DueAt.IsZero() {
		t.Errorf("the draft is %s, its run ended at %v", d.Status, run.FinishedAt)
		return d, run
	}
	for _, step := range run.Steps {
		if step.Status == proposal.StepRunning {
			t.Errorf("%s still runs", step.Stage)
		}
	}
	if d.Status.Shown() != (run.Proposal != nil) {
		t.Errorf("the draft is %s, and its proposal is there: %v", d.Status, run.Proposal != nil)
	}
	if d.Status == proposal.Failed && d.Message == "" {
		t.Errorf("the draft failed and does not say why")
	}
	if run.Proposal == nil {
		return d, run
	}
	Holds(t, *run.Proposal, w.Evidence(t, run), d.Status)
	return d, run
}

// Holds holds a proposal to every rule and the schema, and to the status that it is shown with.
func Holds(t Failing, p proposal.Proposal, e proposal.Evidence, status proposal.Status) {
	t.Helper()
	for _, found := range rule.Refused(rule.Check(p, e)) {
		t.Errorf("%s at %s (%s): %s", found.Rule, found.Place, found.Ref, found.Text)
	}
	want := proposal.Ready
	if compose.Blocked(p) {
		want = proposal.NeedsNarrowing
	}
	if status != want {
		t.Errorf("it is %s, and its total is %s", status, p.Totals.Band)
	}
}

// Evidence is what a run knows.
func (w *World) Evidence(t Failing, run proposal.Run) proposal.Evidence {
	t.Helper()
	session := w.Options().Session(proposal.Key{WorkspaceID: w.Main.ID, DraftID: run.DraftID, Number: run.Number}, run)
	e, err := session.Evidence(context.Background())
	if err != nil {
		t.Errorf("read what the run knows: %v", err)
	}
	e.Interrupted = slices.Contains(Degraded(run), proposal.ProposeInterrupted)
	return e
}

// Document is the status that the API answers, without what differs between two runs of the same: ids, times and
// durations.
func (w *World) Document(t testing.TB, draft string) string {
	t.Helper()
	err := w.Store.ChangeWorkspace(t.Context(), w.Main.ID, func(o *workspace.Workspace) error {
		o.Flags = []string{workspace.FlagSetupOnboarding}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	client := worldtest.Serve(t, w.World, discovery.OpenAPI(), func(api *web.API) {
		setup.Register(api, setup.Options{Store: w.Store})
	})
	answer := client.Get(t, "/api/v2/setup/proposals/"+draft)
	if answer.Status != 200 {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(answer.Body), "", " "); err != nil {
		t.Fatal(err)
	}
	text := instant.ReplaceAllString(indented.String(), `"a time"`)
	text = requests.ReplaceAllString(text, "with some requests") // of an attempt that died, the next has the answers
	text = took.ReplaceAllString(text, `"ms": 1`)
	return identifier.ReplaceAllString(text, "an id")
}

var (
	instant    = regexp.MustCompile(`"\d{4}-\d{2}-\d{2}T[^"]*"`)
	took       = regexp.MustCompile(`"ms": \d+`)
	requests   = regexp.MustCompile(`with \d+ requests?`)
	identifier = regexp.MustCompile(`\b(draft|prop|proposal)_[0-9A-Z]{26}(\.\d+)?`)
)
