package setup

import (
	"cmp"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/proposal"
	"earshot/shared/web"
)

// SetupProposalStatus is how the making of a proposal stands ("Setup proposal status" in the description).
type SetupProposalStatus struct {
	DraftID       string                  `json:"draftId"`
	Domain        string                  `json:"domain"`
	Status        SetupDraftStatus        `json:"status"`
	Stale         bool                    `json:"stale" doc:"Whether the profile was edited since. If so, propose again."`
	Tier          web.Null[ProposalTier]  `json:"tier"`
	Model         web.Null[string]        `json:"model" doc:"The model that composes the proposal. Null if none is configured."`
	GuideVersion  string                  `json:"guideVersion" doc:"Version of the rules."`
	AgentFallback bool                    `json:"agentFallback" doc:"Whether code composed the proposal instead of a model."`
	StartedAt     web.Null[string]        `json:"startedAt" doc:"When the run began, in RFC 3339."`
	FinishedAt    web.Null[string]        `json:"finishedAt" doc:"When the run ended, in RFC 3339. Null while it runs."`
	Steps         []SetupStep             `json:"steps" doc:"The stages that began, in order."`
	Degraded      []proposal.Degradation  `json:"degraded" doc:"What the proposal was made without. The proposal is complete all the same."`
	Timeline      []SetupTimelineEntry    `json:"timeline" doc:"Stages and tool calls with their timings."`
	Proposal      web.Null[SetupProposal] `json:"proposal" doc:"The proposal. Present if status is ready or needs_narrowing."`
}

// SetupStep is a stage of a run.
type SetupStep struct {
	Stage     proposal.Stage         `json:"stage"`
	Status    proposal.StepStatus    `json:"status"`
	Line      string                 `json:"line" doc:"A line on the stage's progress, for people to read."`
	StartedAt string                 `json:"startedAt" format:"date-time"`
	MS        web.Null[Milliseconds] `json:"ms" doc:"Duration in milliseconds. Null while the stage runs."`
}

// SetupTimelineEntry is a stage or a tool call.
type SetupTimelineEntry struct {
	Kind   string                 `json:"kind" enum:"stage,tool"`
	Name   string                 `json:"name"`
	Status string                 `json:"status"`
	MS     web.Null[Milliseconds] `json:"ms"`
}

// fromSetup is the status of a draft's last run. Beside every run there is what the draft says: whether the profile is
// another by now.
func fromSetup(d proposal.Draft, run proposal.Run) SetupProposalStatus {
	wire := SetupProposalStatus{
		DraftID:       d.ID,
		Domain:        d.Domain,
		Status:        SetupDraftStatus(d.Status),
		Stale:         run.ProfileRevision != d.ProfileRevision,
		Tier:          web.NullIfEmpty(ProposalTier(run.Tier)),
		Model:         web.NullIfEmpty(run.Model),
		GuideVersion:  cmp.Or(run.Guide, proposal.GuideVersion),
		AgentFallback: run.AgentFallback,
		StartedAt:     web.NullIfEmpty(web.FormatTime(run.StartedAt)),
		FinishedAt:    web.NullIfEmpty(web.FormatTime(run.FinishedAt)),
		Steps:         each(run.Steps, fromStep),
		Degraded:      run.Degraded(),
		Timeline:      timeline(run.Steps),
	}
	if d.Status.Shown() && run.Proposal != nil {
		wire.Proposal = web.Some(fromProposal(*run.Proposal))
	}
	return wire
}

func fromStep(s proposal.Step) SetupStep {
	wire := SetupStep{Stage: s.Stage, Status: s.Status, Line: s.Line, StartedAt: web.FormatTime(s.StartedAt)}
	if s.Status != proposal.StepRunning {
		wire.MS = milliseconds(s.Took)
	}
	return wire
}

// timeline is what the steps did, each stage that still runs at its end.
func timeline(steps []proposal.Step) []SetupTimelineEntry {
	entries := []SetupTimelineEntry{}
	for _, step := range steps {
		for _, entry := range step.Timeline {
			wire := SetupTimelineEntry{Kind: entry.Kind, Name: entry.Name, Status: entry.Status}
			if entry.Took != nil {
				wire.MS = milliseconds(*entry.Took)
			}
			entries = append(entries, wire)
		}
		stage := func(e proposal.Entry) bool { return e.Kind == proposal.EntryStage }
		if step.Status == proposal.StepRunning && !slices.ContainsFunc(step.Timeline, stage) {
			entries = append(
				entries,
				SetupTimelineEntry{Kind: proposal.EntryStage, Name: string(step.Stage), Status: string(step.Status)},
			)
		}
	}
	return entries
}

// Milliseconds is how long something took.
type Milliseconds int64

// Schema describes it.
func (Milliseconds) Schema(huma.Registry) *huma.Schema {
	least := 0.0
	return &huma.Schema{Type: huma.TypeInteger, Minimum: &least}
}

func milliseconds(took time.Duration) web.Null[Milliseconds] {
	return web.Some(Milliseconds(max(took.Milliseconds(), 0)))
}

func exampleStatus() SetupProposalStatus {
	began := time.Date(2026, 11, 2, 9, 31, 0, 0, time.UTC)
	took := 214 * time.Millisecond
	return fromSetup(
		proposal.Draft{
			ID:              exampleDraft,
			Domain:          "northwind.example",
			Status:          proposal.Measuring,
			ProfileRevision: 1,
			Run:             1,
		},
		proposal.Run{
			DraftID:         exampleDraft,
			Number:          1,
			Tier:            proposal.Balanced,
			ProfileRevision: 1,
			StartedAt:       began,
			Steps: []proposal.Step{
				{
					Stage:     proposal.StageCandidates,
					Status:    proposal.StepOK,
					Line:      "Found 6 candidates to look into",
					StartedAt: began,
					Took:      took,
					Timeline: []proposal.Entry{
						{
							Kind:   proposal.EntryStage,
							Name:   string(proposal.StageCandidates),
							Status: string(proposal.StepOK),
							Took:   &took,
						},
					},
				},
				{
					Stage:     proposal.StageMeasure,
					Status:    proposal.StepRunning,
					Line:      "Counting posts in every source",
					StartedAt: began.Add(took),
				},
			},
		},
	)
}
