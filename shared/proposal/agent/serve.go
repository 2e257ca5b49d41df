package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"earshot/shared/port/model"
	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
	"earshot/shared/text"
)

// unknownTool stands in the timeline for whatever a model made up.
const unknownTool = "unknown_tool"

// serve makes the calls of a turn in their order. It answers their results, or the decisions that the gate accepted.
func (s *session) serve(
	ctx, limited context.Context, uses []model.ToolUse, last bool,
) ([]model.Block, *proposal.Decisions, error) {
	submits := slices.ContainsFunc(uses, func(use model.ToolUse) bool { return use.Name == submitTool })
	if last && !submits {
		return nil, nil, exceededBy("the last turn went by without a submission")
	}
	var results []model.Block
	for i, id := range useIDs(uses) {
		use := uses[i]
		result := &model.ToolResult{ID: id, Text: "No tool calls are left: submit.", Failed: true}
		results = append(results, model.Block{Result: result})
		if use.Name != submitTool {
			if s.calls >= s.Depth.ToolCalls {
				continue
			}
			s.calls++
		}
		c, err := once(ctx, s.log, toolName(len(s.made)+1), func() (call, error) { return s.perform(limited, use) })
		if err != nil {
			return nil, nil, err
		}
		s.made = append(s.made, c)
		s.spent += time.Duration(c.Took) * time.Millisecond
		if err := s.overspent(); err != nil {
			return nil, nil, err
		}
		result.Text, result.Failed = c.Text, c.Status != statusOK
		switch c.Verdict {
		case accepted:
			decisions, err := Parse(use.Input, s.Evidence.Candidates)
			if err != nil {
				return nil, nil, fmt.Errorf("agent: a submission that was accepted: %w", err)
			}
			return nil, &decisions, nil
		case unread:
			return nil, nil, invalidFor("the submission is not of the form: " + c.Text)
		case refused:
			if s.refusals++; s.refusals == 2 {
				return nil, nil, invalidFor("the gate refused it twice")
			}
		}
	}
	return results, nil, nil
}

// perform makes one call. Its errors end the run.
func (s *session) perform(limited context.Context, use model.ToolUse) (call, error) {
	begun := s.Clock.Now()
	c := call{Name: known(use.Name)}
	var err error
	switch use.Name {
	case measureTool:
		c.Text, c.Status, err = s.measured(limited, use.Input)
	case sampleTool:
		c.Text, c.Status, err = s.sampled(limited, use.Input)
	case checkTool:
		c.Text, c.Status = s.checked(use.Input)
	case submitTool:
		c.Text, c.Status, c.Verdict = s.submitted(use.Input)
	default:
		c.Text, c.Status = "There is no such tool.", statusRefused
	}
	switch {
	case errors.Is(err, proposal.ErrOver):
		return call{}, err
	case limited.Err() != nil:
		return call{}, exceededBy("the time for the model is over")
	case err != nil:
		c.Text, c.Status = "There is no answer: the sources failed, or their budget is used up. Go by what you have.",
			statusFailed
	}
	c.Took = s.since(begun)
	return c, nil
}

func (s *session) measured(ctx context.Context, input string) (text, status string, err error) {
	q, fault := s.query(input)
	if fault != "" {
		return fault, statusRefused, nil
	}
	volume, found := s.Evidence.Measured.Volumes[q.Ref]
	if q.Ref == "" || !found {
		if volume, err = s.Tools.Measure(ctx, q); err != nil {
			return "", "", err
		}
	}
	text, err = encode(toldVolume(volume))
	return text, statusOK, err
}

func (s *session) sampled(ctx context.Context, input string) (text, status string, err error) {
	q, fault := s.query(input)
	if fault != "" {
		return fault, statusRefused, nil
	}
	sighting, found := s.Evidence.Sampled.Sightings[q.Ref]
	if q.Ref == "" || !found {
		if sighting, err = s.Tools.Sample(ctx, q); err != nil {
			return "", "", err
		}
	}
	text, err = s.fence.sample(sighting, postsShown(s.Depth))
	return text, statusOK, err
}

func (s *session) checked(input string) (text, status string) {
	decisions, err := Parse(input, s.Evidence.Candidates)
	if err != nil {
		return formFault(err), statusRefused
	}
	findings, p := s.judge(decisions)
	text, err = s.fence.checked(findings, p)
	if err != nil {
		return "The check failed.", statusFailed
	}
	return text, statusOK
}

func (s *session) submitted(input string) (text, status string, v verdict) {
	decisions, err := Parse(input, s.Evidence.Candidates)
	if err != nil {
		return formFault(err), statusRefused, unread
	}
	findings, p := s.judge(decisions)
	if len(rule.Refused(findings)) == 0 {
		return "Accepted.", statusOK, accepted
	}
	text, err = s.fence.checked(findings, p)
	if err != nil {
		text = "The gate refused it."
	}
	return "Refused. Correct every finding and submit once more; a second refusal ends the work.\n" + text, statusRefused,
		refused
}

// judge is the gate, and before it what only holds for a model's sentences.
func (s *session) judge(d proposal.Decisions) ([]rule.Finding, proposal.Proposal) {
	findings, p := s.Check(d)
	return append(spoken(d, s.Evidence), findings...), p
}

// known is the name of a tool, or unknownTool.
func known(name string) string {
	switch name {
	case measureTool, sampleTool, checkTool, submitTool:
		return name
	}
	return unknownTool
}

var useID = text.NewPattern(`^[a-zA-Z0-9_-]{1,64}$`)

// useIDs are the ids of calls; a turn with one that a provider would not take again, or one twice, gets others.
func useIDs(uses []model.ToolUse) []string {
	ids := make([]string, len(uses))
	seen := map[string]bool{}
	for i, use := range uses {
		if ids[i] = use.ID; seen[use.ID] || !useID.MatchString(use.ID) {
			for i := range ids {
				ids[i] = fmt.Sprintf("call_%d", i+1)
			}
			return ids
		}
		seen[use.ID] = true
	}
	return ids
}

// isObject says whether a text is one JSON object.
func isObject(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "{") && json.Valid([]byte(text))
}
