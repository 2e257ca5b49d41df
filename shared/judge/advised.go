package judge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/mention"
	"earshot/shared/port/model"
	"earshot/shared/post"
)

// A Budget bounds what a workspace spends on the model.
type Budget interface {
	// Spend takes tokens from the workspace's budget. It reports false, and takes none, if the budget has fewer.
	Spend(ctx context.Context, workspaceID string, tokens int) (ok bool, err error)
	// Count adds the tokens of a response, by the model's own count, to what the workspace has used.
	Count(ctx context.Context, workspaceID string, input, output int) error
}

// Advised asks a model about posts of which the embedded judge is unsure, and for the tags of relevant posts. After any
// failure the embedded verdict stands. It is safe for concurrent use.
type Advised struct {
	judge  *Judge
	model  model.Model
	budget Budget
	limit  time.Duration
}

// NewAdvised returns an Advised. limit bounds one request to the model.
func NewAdvised(judge *Judge, model model.Model, budget Budget, limit time.Duration) *Advised {
	return &Advised{judge: judge, model: model, budget: budget, limit: limit}
}

// A Case is a post to judge for one workspace.
type Case struct {
	WorkspaceID string
	Post        *post.Post
	Reading     Reading
	Subjects    []*Subject // for the workspace's keywords that the post matched
}

// Advice reports what the model was asked and what came of it.
type Advice struct {
	Requests int   // requests sent
	Failures int   // requests that the model failed
	Advised  int   // cases whose verdict the model changed or confirmed
	Tokens   int   // tokens that the model counted
	Err      error // why cases went without advice: the model, the budget or the response's form; never contains a post's text
}

// Bounds of a request.
const (
	maxBatch        = 10 // posts
	tokensPerAnswer = 120
	bytesPerToken   = 3 // a lower bound, so that the reservation exceeds the use
)

var errBudget = errors.New("judge: the workspace's budget for the model is spent")

// Judge returns a verdict for each case, in the order of cases. It sends a workspace's cases to the model together, the
// unsure ones first, at most ten posts a request. It takes a request's estimated tokens from the budget first. It stops
// asking after any failure, except of a response's form or of one workspace's budget.
func (a *Advised) Judge(ctx context.Context, cases []Case) ([]Verdict, Advice) {
	verdicts, advice := make([]Verdict, len(cases)), Advice{}
	for i, c := range cases {
		verdicts[i] = a.judge.Judge(c.Reading, c.Post, c.Subjects)
	}
	for _, batch := range batches(cases, verdicts) {
		stop, err := a.ask(ctx, cases, batch, verdicts, &advice)
		if err != nil {
			advice.Err = errors.Join(advice.Err, err)
		}
		if stop {
			break
		}
	}
	return verdicts, advice
}

// batches returns the indexes of the cases to ask about. A batch holds cases of one workspace.
func batches(cases []Case, verdicts []Verdict) (out [][]int) {
	open := map[string]int{} // a workspace's batch with room, as its index plus 1
	for _, unsure := range []bool{true, false} {
		for i, c := range cases {
			if verdicts[i].Unsure != unsure || !unsure && !verdicts[i].Score.Relevant() || len(c.Subjects) == 0 ||
				instructs(c.Post.Text()) {
				continue
			}
			at := open[c.WorkspaceID]
			if at == 0 || len(out[at-1]) == maxBatch {
				out = append(out, nil)
				at = len(out)
				open[c.WorkspaceID] = at
			}
			out[at-1] = append(out[at-1], i)
		}
	}
	return out
}

// ask sends one request and applies the response. stop reports that further requests are useless.
func (a *Advised) ask(
	ctx context.Context, cases []Case, batch []int, verdicts []Verdict, advice *Advice,
) (stop bool, err error) {
	request, ids, err := compose(cases, batch)
	if err != nil {
		return true, err
	}
	reserved := (len(request.System)+len(request.Prompt))/bytesPerToken + request.MaxTokens
	ok, err := a.budget.Spend(ctx, cases[batch[0]].WorkspaceID, reserved)
	if err != nil {
		return true, fmt.Errorf("judge: spend on the model: %w", err)
	}
	if !ok {
		return false, errBudget // another workspace may have some left
	}
	within, cancel := context.WithTimeout(ctx, a.limit)
	defer cancel()
	advice.Requests++
	answer, err := a.model.Complete(within, request)
	failed := a.budget.Count(ctx, cases[batch[0]].WorkspaceID, answer.InputTokens, answer.OutputTokens)
	if failed != nil { // the response counts all the same
		advice.Err = errors.Join(advice.Err, fmt.Errorf("judge: count the model's tokens: %w", failed))
	}
	advice.Tokens += answer.InputTokens + answer.OutputTokens
	if err != nil {
		advice.Failures++
		return true, fmt.Errorf("judge: ask the model: %w", err)
	}
	if !answer.Complete {
		return false, fmt.Errorf("judge: the model's response is cut off")
	}
	opinions, err := readAdvice(answer.Text, ids)
	for at, opinion := range opinions {
		i := batch[at]
		verdicts[i] = advisedVerdict(verdicts[i], opinion)
		advice.Advised++
	}
	return false, err
}

// advisedVerdict takes the model's tags. If the embedded judge was unsure, it takes the model's score and comment too.
// Brand tags come from keywords alone, and stay if the post is relevant.
func advisedVerdict(embedded Verdict, o opinion) Verdict {
	out := embedded
	if embedded.Unsure {
		out.Score, out.Comment, out.Unsure = o.score, o.comment, false
	}
	var kept []mention.Tag
	for _, tag := range embedded.Tags {
		if isBrandTag(tag) && out.Score.Relevant() {
			kept = append(kept, tag)
		}
	}
	for _, tag := range o.tags {
		if !isBrandTag(tag) {
			kept = append(kept, tag)
		}
	}
	out.Tags = inOrder(kept)
	return out
}

func isBrandTag(tag mention.Tag) bool {
	for _, brand := range brandTags {
		if tag == brand {
			return true
		}
	}
	return false
}
