// Package agent is the setup run's fourth stage: a model composes the proposal with tools, within a budget. With no
// model configured it is skipped, and whatever goes wrong with one, code composes in its place. Called by the state
// machine.
package agent

import (
	"context"
	"fmt"
	"log/slog"

	"earshot/functions/setupstages"
	"earshot/shared/judge"
	"earshot/shared/port/model"
	"earshot/shared/proposal"
	"earshot/shared/proposal/agent"
	"earshot/shared/proposal/compose"
	"earshot/shared/proposal/rule"
	"earshot/shared/worker"
)

// Function is the Lambda's name in logs.
const Function = "setupstages/agent"

// Options are what the stage works with.
type Options struct {
	setupstages.Options
	Model model.Converser // nil: none
	Judge *judge.Judge
	// Survey asks sources, for one run.
	Survey setupstages.MakeSurvey
	// Budget bounds what a workspace spends on the model; nil: nothing does.
	Budget judge.Budget
	Log    *slog.Logger // of why a model did not deliver; nil: nobody is told
}

// Handler answers the stage's calls.
func Handler(o Options, on worker.Options) worker.CallHandler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return setupstages.Handler(o.Options, on, proposal.StageAgent, o.read)
}

func (o Options) read(ctx context.Context, s *setupstages.Session) (setupstages.Work[setupstages.Result], error) {
	if o.Model == nil {
		return func(context.Context) (setupstages.Result, error) {
			return setupstages.Result{Ending: proposal.Ending{
				Status: proposal.StepSkipped, Line: "No model is configured: rules compose the proposal",
			}}, nil
		}, nil
	}
	e, err := s.Evidence(ctx)
	return func(ctx context.Context) (setupstages.Result, error) { return o.compose(ctx, s, e) }, err
}

func (o Options) compose(
	ctx context.Context, s *setupstages.Session, e proposal.Evidence,
) (setupstages.Result, error) {
	within, err := o.within(ctx, s, e.Tier.Depth().Tokens)
	if err != nil {
		return setupstages.Result{}, err
	}
	if !within {
		return setupstages.Result{Ending: proposal.Ending{
			Status:   proposal.StepFailed,
			Line:     "The workspace has used up the model's tokens of the day: rules compose the proposal",
			Degraded: []proposal.Degradation{proposal.Degrade(proposal.AgentBudgetExceeded)},
		}}, nil
	}
	studied := compose.Study(e)
	asked := &counted{Converser: o.Model, options: o, workspaceID: s.Key.WorkspaceID}
	defer asked.count(ctx)
	done, err := agent.Run(ctx, agent.Options{
		Model:    asked,
		Evidence: e,
		Tools:    tools{o, s, e},
		Depth:    e.Tier.Depth(),
		Clock:    s.Clock,
		Recorder: recorder{s},
		Check:    func(d proposal.Decisions) ([]rule.Finding, proposal.Proposal) { return setupstages.Check(d, studied) },
	})
	if err != nil {
		return setupstages.Result{}, err
	}
	result := setupstages.Result{
		Ending: proposal.Ending{
			Line: fmt.Sprintf(
				"%s composed the proposal with %s", s.Run.Model, setupstages.Counted(done.Calls, "tool call"),
			),
			Degraded: done.Degraded,
		},
		Outcome: proposal.Composed{Decisions: done.Decisions, Tokens: done.Tokens, Calls: done.Calls},
		Tools:   done.Timeline,
	}
	if done.Decisions == nil {
		result.Status, result.Line = proposal.StepFailed, "The model did not deliver: rules compose the proposal"
		o.Log.WarnContext(
			ctx, "the model did not deliver", slog.String("draft", s.Key.DraftID), slog.String("cause", done.Why),
		)
	}
	return result, nil
}

// counted counts the requests to a model, and those that it did not answer, in the record of the call. It counts tokens
// for the workspace, those of a reply once the agent has stored what the reply asked for: a stage that is killed while it
// counts need not ask the model again.
type counted struct {
	model.Converser
	options       Options
	workspaceID   string
	input, output int // tokens of the last reply, not counted yet
}

func (c *counted) Converse(ctx context.Context, talk model.Conversation) (model.Reply, error) {
	c.count(ctx)
	reply, err := c.Converser.Converse(ctx, talk)
	worker.Count(ctx, "modelRequests", 1)
	if err != nil {
		worker.Count(ctx, "modelFailures", 1)
	}
	c.input, c.output = reply.InputTokens, reply.OutputTokens
	return reply, err
}

// count adds the tokens of the last reply to those of the workspace.
func (c *counted) count(ctx context.Context) {
	if c.options.Budget == nil {
		return
	}
	if err := c.options.Budget.Count(ctx, c.workspaceID, c.input, c.output); err != nil {
		c.options.Log.WarnContext(ctx, "tokens of the model were not counted", slog.String("cause", err.Error()))
	}
	c.input, c.output = 0, 0
}

// within takes the run's tokens from the workspace's of the day, unless an earlier call of the stage has.
func (o Options) within(ctx context.Context, s *setupstages.Session, tokens int) (bool, error) {
	if o.Budget == nil {
		return true, nil
	}
	begun, err := s.Store.Parts(ctx, s.Key, agent.Prefix)
	if err != nil || len(begun) > 0 {
		return true, err
	}
	return o.Budget.Spend(ctx, s.Key.WorkspaceID, tokens)
}

// A recorder keeps what the agent asked for beside the run's other parts.
type recorder struct{ s *setupstages.Session }

func (r recorder) Record(ctx context.Context, name string, content []byte) ([]byte, error) {
	return r.s.Store.KeepPart(ctx, r.s.Key, name, content)
}

func (r recorder) Recorded(ctx context.Context) (map[string][]byte, error) {
	return r.s.Store.Parts(ctx, r.s.Key, agent.Prefix)
}
