package setupstages_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"earshot/functions/discovery"
	"earshot/functions/setup"
	"earshot/functions/setupstages/setuptest"
	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/source"
	"earshot/shared/web"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A brand that is more than the plan has room for: the draft needs narrowing and shows its choices. Nothing is applied
// by itself, nor a choice that is too much; one that fits is taken, and the keyword listens as the choice says.
func TestNeedsNarrowing_ChoiceIsTaken(t *testing.T) {
	bubble(t, "a choice", func(t *testing.T, w *setuptest.World) {
		draft := w.Draft(t)
		w.Sources = []source.Source{
			setuptest.NewShelf("hackernews", setuptest.Flood("hackernews", 2_000, "quietharbor")...),
			setuptest.NewShelf("reddit", setuptest.Flood("reddit", 900, "quietharbor")...),
		}
		w.Room = func(r *proposal.Room) { r.Allowance = 100 }
		err := w.Store.ChangeWorkspace(t.Context(), w.Main.ID, func(o *workspace.Workspace) error {
			o.Plan, o.Flags = workspace.FreeTrial, []string{workspace.FlagSetupOnboarding}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		w.Run(t, w.Begin(t, draft))
		w.Settled(t, draft)
		client := worldtest.Serve(t, w.World, discovery.OpenAPI(), func(api *web.API) {
			setup.Register(api, setup.Options{Store: w.Store})
		})
		var shown struct {
			Status   proposal.Status
			Proposal proposal.Proposal
		}
		path := "/api/v2/setup/proposals/" + draft
		client.Get(t, path).OK(t, &shown)
		p := shown.Proposal
		if shown.Status != proposal.NeedsNarrowing {
			t.Fatalf("it is %s: %+v", shown.Status, p.Totals)
		}
		var fits, over []proposal.Option
		for _, o := range p.Options {
			switch {
			case o.KeywordRef != candidate.RefBrand:
			case o.ProjectedMonthly <= p.Totals.Allowance:
				fits = append(fits, o)
			default:
				over = append(over, o)
			}
		}
		if len(fits) == 0 {
			t.Fatalf("no option fits: %+v", p.Options)
		}
		for _, o := range fits {
			if cost := fmt.Sprintf("about %.0f post", math.Round(o.ProjectedMonthly)); !strings.Contains(o.Description, cost) {
				t.Errorf("%q does not say %q", o.Description, cost)
			}
		}
		refused := client.Post(t, path+"/apply", `{}`).Is(t, 400, "INVALID_INPUT")
		if !strings.Contains(refused.Message, "needs narrowing") || !strings.Contains(refused.Message, fits[0].ID) {
			t.Errorf("the refusal says %q", refused.Message)
		}
		client.Post(t, path+"/apply", `{"keywordRefs":["brand"],"optionIds":[]}`).Is(t, 400, "INVALID_INPUT")
		for _, o := range over {
			client.Post(t, path+"/apply", choiceOf(o)).Is(t, 400, "INVALID_INPUT")
		}
		if tracked := tracks(t, w); len(tracked) != 0 {
			t.Fatalf("a refused choice left %+v", tracked)
		}
		run, err := w.Store.SetupRun(t.Context(), proposal.Key{WorkspaceID: w.Main.ID, DraftID: draft, Number: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range slices.Backward(fits) { // each in place of the one before
			var done setup.SetupApplied
			client.Post(t, path+"/apply", choiceOf(o)).OK(t, &done)
			if len(done.Keywords) != 1 || len(done.Options) != 1 || done.Options[0].ID != o.ID {
				t.Fatalf("applied: %+v", done)
			}
			at := slices.IndexFunc(run.Proposal.Options, func(other proposal.Option) bool { return other.ID == o.ID })
			brand := tracks(t, w)[0]
			want := run.Proposal.Keywords[0].With(run.Proposal.Options[at])
			if !slices.Equal(brand.Platforms, want.Platforms) || !slices.Equal(brand.AdditionalTerms, want.AdditionalTerms) {
				t.Errorf("with %s it listens on %q beside %q, want %q beside %q", o.ID, brand.Platforms, brand.AdditionalTerms,
					want.Platforms, want.AdditionalTerms)
			}
		}
		d, _, err := w.Store.Setup(t.Context(), w.Main.ID, draft)
		if err != nil || d.Status != proposal.Applied {
			t.Errorf("the draft is %s, %v", d.Status, err)
		}
		client.Post(t, path+"/apply", `{}`).Is(t, 400, "INVALID_INPUT")
	})
}

// choiceOf is the body that takes one option.
func choiceOf(o proposal.Option) string {
	body, _ := json.Marshal(setup.ApplySetup{KeywordRefs: []string{o.KeywordRef}, OptionIDs: []string{o.ID}})
	return string(body)
}

// tracks are the workspace's keywords.
func tracks(t *testing.T, w *setuptest.World) []keyword.Keyword {
	t.Helper()
	all, err := w.Store.Keywords(t.Context(), w.Main.ID)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
