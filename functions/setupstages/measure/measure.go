// Package measure is the setup run's second stage: how many posts each candidate brings, source by source and all at
// once, then joined into a volume for each. Called by the state machine, once for each source and once to join.
package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"earshot/events/message"
	"earshot/functions/setupstages"
	"earshot/shared/parallel"
	"earshot/shared/proposal"
	"earshot/shared/proposal/measure"
	"earshot/shared/worker"
)

// Function is the Lambda's name in logs.
const Function = "setupstages/measure"

// Options are what the stage works with.
type Options struct {
	setupstages.Options
	// Survey asks sources, for one run.
	Survey setupstages.MakeSurvey
	// Analogs are what is known of texts that are tracked already, by text.
	Analogs func(ctx context.Context, texts []string) (map[string]proposal.Analog, error)
}

// Handler answers the stage's calls.
func Handler(o Options, on worker.Options) worker.CallHandler {
	return worker.Call(on, setupstages.Told, func(ctx context.Context, call message.SetupStage) error {
		if call.Source != "" {
			return o.DoSource(ctx, call, proposal.StageMeasure, o.source)
		}
		return o.Do(ctx, call, proposal.StageMeasure, o.join)
	})
}

// source asks one source about every candidate, with its part of the requests that are for counting.
func (o Options) source(ctx context.Context, s *setupstages.Session) (setupstages.Work[any], error) {
	e, surveyed, err := s.FoundBeside(ctx, o.Survey)
	return func(ctx context.Context) (any, error) {
		part := max(proposal.CountBudget/max(len(s.Call.Sources), 1), 1)
		counts := surveyed.AtMost(part).Branch(ctx, s.Call.Source, e.Candidates)
		return counts, ctx.Err()
	}, err
}

// join makes volumes of what the sources answered. When none did, the stage has failed.
func (o Options) join(ctx context.Context, s *setupstages.Session) (setupstages.Work[setupstages.Result], error) {
	var e proposal.Evidence
	var parts map[string][]byte
	err := parallel.Together(
		func() (err error) {
			e, err = s.Found(ctx)
			return err
		}, func() (err error) {
			parts, err = s.Store.Parts(ctx, s.Key, setupstages.Part(proposal.StageMeasure, ""))
			return err
		})
	return func(ctx context.Context) (setupstages.Result, error) { return o.measured(ctx, s, e, parts) }, err
}

func (o Options) measured(
	ctx context.Context, s *setupstages.Session, e proposal.Evidence, parts map[string][]byte,
) (setupstages.Result, error) {
	var counts []proposal.Counts
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		var of proposal.Counts
		if err := json.Unmarshal(parts[name], &of); err != nil {
			return setupstages.Result{}, fmt.Errorf("read %s: %w", name, err)
		}
		counts = append(counts, of)
	}
	analogs, err := o.analogs(ctx, e.Candidates)
	if err != nil {
		return setupstages.Result{}, err
	}
	measured := measure.Join(e.Candidates, counts, analogs, s.Call.Sources, s.Clock.Now().UTC())
	result := setupstages.Result{Ending: proposal.Ending{Line: fmt.Sprintf(
		"Counted %s in %s, with %s", setupstages.Counted(len(e.Candidates.Candidates), "candidate"),
		setupstages.Counted(len(measured.Sources), "source"), setupstages.Counted(measured.Requests, "request"),
	)}, Outcome: measured}
	if len(measured.Sources) == 0 && len(analogs) == 0 {
		result.Ending = s.Stage.Failed("No source answered: volumes are estimates")
	}
	return result, nil
}

// analogs are the candidates' that have one, by ref.
func (o Options) analogs(ctx context.Context, candidates proposal.Candidates) (map[string]measure.Analog, error) {
	texts := make([]string, 0, len(candidates.Candidates))
	for _, c := range candidates.Candidates {
		if c.Platforms == nil {
			texts = append(texts, c.Text)
		}
	}
	tracked, err := o.Analogs(ctx, texts)
	if err != nil {
		return nil, err
	}
	analogs := map[string]measure.Analog{}
	for _, c := range candidates.Candidates {
		if found, ok := tracked[c.Text]; ok && c.Platforms == nil {
			analogs[c.Ref] = toAnalog(found)
		}
	}
	return analogs, nil
}

// toAnalog is what the store counted of a text, over all sources together.
func toAnalog(found proposal.Analog) measure.Analog {
	window := proposal.Week
	if found.Days >= int(proposal.Month.Days()) {
		window = proposal.Month
	}
	return measure.Analog{
		Posts:   map[string]int64{everywhere: found.Posts},
		Window:  window,
		Sources: []string{everywhere},
	}
}

// everywhere stands for all sources that somebody listens to.
const everywhere = "all"
