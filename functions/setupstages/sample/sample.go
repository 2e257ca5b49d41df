// Package sample is the setup run's third stage: posts of every candidate, spread over time and sources, judged by the
// scorer that judges live mentions. Called by the state machine.
package sample

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/functions/setupstages"
	"earshot/shared/judge"
	"earshot/shared/parallel"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/sampling"
	"earshot/shared/proposal/survey"
	"earshot/shared/worker"
)

// Function is the Lambda's name in logs.
const Function = "setupstages/sample"

// Options are what the stage works with.
type Options struct {
	setupstages.Options
	Judge *judge.Judge
	// Survey asks sources, for one run.
	Survey setupstages.MakeSurvey
}

// reserved is how long before the stage's time is over no more is asked: what was read is to be judged and kept.
const reserved = 15 * time.Second

// Handler answers the stage's calls.
func Handler(o Options, on worker.Options) worker.CallHandler {
	return setupstages.Handler(o.Options, on, proposal.StageSample, o.sample)
}

func (o Options) sample(ctx context.Context, s *setupstages.Session) (setupstages.Work[setupstages.Result], error) {
	e, surveyed, err := s.FoundBeside(ctx, o.Survey)
	return func(ctx context.Context) (setupstages.Result, error) { return o.work(ctx, s, surveyed, e) }, err
}

func (o Options) work(
	ctx context.Context, s *setupstages.Session, surveyed *survey.Survey, e proposal.Evidence,
) (setupstages.Result, error) {
	found := ask(ctx, surveyed, e)
	if err := ctx.Err(); err != nil {
		return setupstages.Result{}, err
	}
	sampler := sampling.New(o.Judge, e.Profile, e.Domain)
	sampled := proposal.Sampled{Sightings: map[string]proposal.Sighting{}, Requests: found.asked}
	posts, relevant := 0, 0
	for _, c := range e.Candidates.Candidates {
		sighting := sampler.Look(c, found.posts[c.Ref], e.Tier.Depth().Posts)
		sampled.Sightings[c.Ref] = sighting
		posts, relevant = posts+len(sighting.Posts), relevant+sighting.Relevant
	}
	if found.answered == 0 {
		return setupstages.Result{Ending: s.Stage.Failed("No post could be read")}, nil
	}
	return setupstages.Result{Ending: proposal.Ending{Line: lineOf(posts, relevant)}, Outcome: sampled}, nil
}

// lineOf says what the sample came to.
func lineOf(posts, relevant int) string {
	if posts == 0 {
		return "Found no posts to read"
	}
	are := "are"
	if relevant == 1 {
		are = "is"
	}
	return fmt.Sprintf("Read and judged %s: %d %s about you or your market", setupstages.Counted(posts, "post"), relevant, are)
}

// what asking for posts came to.
type asked struct {
	posts    map[string][]post.Post // by ref, by source in the order of their names
	asked    int
	answered int // questions
}

// ask asks every source that can be searched for posts of every candidate that has any there: the sources at once, each
// for one candidate after the other. A candidate that the month has few posts of is looked for further back.
func ask(ctx context.Context, surveyed *survey.Survey, e proposal.Evidence) asked {
	ctx, cancel := worker.Within(ctx, reserved)
	defer cancel()
	names := surveyed.Names()
	bySource := make([]map[string][]post.Post, len(names))
	counts := make([]int, len(names))
	asking := make([]func() error, len(names))
	for i, name := range names {
		asking[i] = func() error { bySource[i], counts[i] = askSource(ctx, surveyed, name, e); return nil }
	}
	_ = parallel.Together(asking...) // none errs; a panic of one is the stage's
	all := asked{posts: map[string][]post.Post{}}
	had := map[string]int{} // posts by source
	for i, name := range names {
		for ref, posts := range bySource[i] {
			all.posts[ref] = append(all.posts[ref], posts...)
			had[name] += len(posts)
		}
		all.answered += counts[i]
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Or(had[b]-had[a], deepest(a)-deepest(b)) })
	lookBack(ctx, surveyed, names[:min(len(names), proposal.LookBackSources)], e, all.posts)
	all.asked = surveyed.Requests()
	return all
}

// deepest orders sources that had as many posts: those first whose search goes back over everything that was said
// there.
func deepest(name string) int {
	order := []string{"hackernews", "reddit", "reddit_comment", "github", "stackoverflow"}
	if at := slices.Index(order, name); at >= 0 {
		return at
	}
	return len(order)
}

// lookBack adds older posts to those of candidates that have few. What a source does not answer is not missed.
func lookBack(
	ctx context.Context, surveyed *survey.Survey, names []string, e proposal.Evidence, posts map[string][]post.Post,
) {
	want := e.Tier.Depth().Posts
	for _, c := range e.Candidates.Candidates {
		if len(posts[c.Ref]) >= proposal.LookBackBelow {
			continue
		}
		for _, name := range names {
			if older, err := surveyed.Earlier(ctx, name, c, want); err == nil {
				posts[c.Ref] = append(posts[c.Ref], older...)
			}
		}
	}
}

// askSource answers the posts by ref, and how many questions were answered. A source that fails is not asked again.
func askSource(
	ctx context.Context, surveyed *survey.Survey, name string, e proposal.Evidence,
) (posts map[string][]post.Post, answered int) {
	posts = map[string][]post.Post{}
	for _, c := range e.Candidates.Candidates {
		if empty(e.Measured, c.Ref, name) {
			answered++
			continue
		}
		found, err := surveyed.Posts(ctx, name, c, sampling.Wanted(c, e.Tier.Depth().Posts))
		switch {
		case err == nil:
			posts[c.Ref], answered = found, answered+1
		case errors.Is(err, survey.ErrNotThere):
		default:
			return posts, answered
		}
	}
	return posts, answered
}

// empty says whether a source was counted for a candidate, and had nothing.
func empty(m proposal.Measured, ref, source string) bool {
	volume, measured := m.Volumes[ref]
	return measured &&
		slices.ContainsFunc(
			volume.PerSource, func(c proposal.SourceCount) bool { return c.Source == source && c.Count == 0 },
		)
}
