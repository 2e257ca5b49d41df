package stage

import (
	"fmt"
	"strings"
	"testing"

	"earshot/shared/port/flow"
	"earshot/shared/proposal"
)

// A standing is what is told of a draft's run, of which this package looks at some members.
type standing struct {
	Status   string
	Degraded []struct{ Code string }
	Proposal *struct {
		Keywords []struct {
			Ref, Text, Explanation string
			Reasons                []struct{ Text string }
		}
	}
}

// Somebody sets a workspace up: the site cannot be read, the platforms are not asked, and a proposal comes of it all
// the same, by a state machine that calls a process for each stage, with reasons; applied, its keywords are there.
//
// Nothing asks the internet. The site's name is one of those that a resolver refuses by itself (RFC 7686, section 2),
// and what the run may ask of platforms is spent before it begins.
func TestSetupStory(t *testing.T) {
	const domain = "northwind.onion"
	s := newStage(t)
	operate := s.newOperator()
	workspace := operate.run("workspace", "create", "--name", "Northwind", "--plan", "pro")
	client := s.client(workspace.Token)
	client.Post(t, "/api/v2/setup/drafts", fmt.Sprintf(`{"domain":%q}`, domain)).Is(t, 404, "FEATURE_DISABLED")
	operate.run("workspace", "flag", workspace.Workspace, "setup_onboarding", "on")

	var draft struct {
		DraftID, Status string
		Message         *string
	}
	for range 2 { // a request that is sent again makes no second draft
		client.Post(t, "/api/v2/setup/drafts", fmt.Sprintf(`{"domain":%q}`, domain), "Idempotency-Key", "draft").
			JSON(t, &draft)
	}
	if draft.DraftID == "" || draft.Status != "scanning" {
		t.Fatalf("%+v", draft)
	}
	at := "/api/v2/setup/drafts/" + draft.DraftID
	if failed := s.deliver("scans"); failed != 0 {
		t.Errorf("the scan failed %d times", failed)
	}
	if client.Get(t, at).OK(t, &draft); draft.Status != "failed" || draft.Message == nil ||
		!strings.Contains(*draft.Message, domain) {
		t.Errorf("%+v", draft)
	}
	client.Patch(t, at, `{"profile":{"company":"Northwind","description":"Escalations for teams on call.","competitors":["Quayside"],`+
		`"industryTerms":["incident response"]}}`).OK(t, &draft)

	key := proposal.Key{WorkspaceID: workspace.Workspace, DraftID: draft.DraftID, Number: 1}
	if ok, err := s.store.SpendSurvey(t.Context(), key, proposal.SourceBudget, proposal.SourceBudget); err != nil || !ok {
		t.Fatalf("%v %v", ok, err)
	}
	proposed := client.Post(t, "/api/v2/setup/proposals", fmt.Sprintf(`{"draftId":%q}`, draft.DraftID))
	if proposed.Status != 202 {
		t.Fatalf("%d %s", proposed.Status, proposed.Body)
	}
	executions, err := s.machine.Executions(t.Context())
	if err != nil || len(executions) != 1 {
		t.Fatalf("%q %v", executions, err)
	}
	if status, err := s.machine.Wait(t.Context(), executions[0]); status != flow.Succeeded || err != nil {
		t.Fatalf("the execution ends %s, %v", status, err)
	}
	for _, stage := range proposal.Stages() {
		if s.functions["setupstages-"+string(stage)].invoked == 0 {
			t.Errorf("the stage %s was not called", stage)
		}
	}
	var run standing
	client.Get(t, "/api/v2/setup/proposals/"+draft.DraftID).OK(t, &run)
	t.Logf("%s, degraded by %v", run.Status, run.Degraded)
	if run.Status != "ready" || run.Proposal == nil || len(run.Proposal.Keywords) == 0 {
		t.Fatalf("%+v", run)
	}
	for _, k := range run.Proposal.Keywords {
		if k.Explanation == "" || len(k.Reasons) == 0 || k.Reasons[0].Text == "" {
			t.Errorf("%+v", k)
		}
	}
	var applied struct{ Keywords []struct{ Keyword string } }
	for range 2 {
		client.Post(t, "/api/v2/setup/proposals/"+draft.DraftID+"/apply", `{}`, "Idempotency-Key", "apply").OK(t, &applied)
	}
	var list struct{ Data []struct{ Keyword string } }
	if client.Get(t, "/api/v2/keywords").OK(t, &list); len(list.Data) == 0 || len(list.Data) != len(applied.Keywords) {
		t.Errorf("applied %+v, and there are %+v", applied, list)
	}
	client.Get(t, "/api/v2/setup/cleanup").OK(t, nil)
	s.tick("sweep")
}
