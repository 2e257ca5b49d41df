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
	// Spend takes tokens from what the workspace has left; false when it has not that many, and then none are taken.
	Spend(ctx context.Context, workspaceID string, tokens int) (ok bool, err error)
}

// Advised asks a model where the embedded judge is unsure, and for the tags of relevant posts. Whatever goes wrong, the
// embedded verdict stands. Safe for concurrent use.
type Advised struct {
	judge  *Judge
	model  model.Model
	budget Budget
	limit  time.Duration
}

// NewAdvised makes it; one request to the model may take until limit.
func NewAdvised(judge *Judge, model model.Model, budget Budget, limit time.Duration) *Advised {
	return &Advised{judge: judge, model: model, budget: budget, limit: limit}
}

// A Case is a post that one workspace is to see or not.
type Case struct {
	WorkspaceID string
	Post        *post.Post
	Reading     Reading
	Subjects    []*Subject // of the workspace's keywords that the post matched
}

// Advice is what asking came to.
type Advice struct {
	Requests int   // sent
	Failures int   // of those, that the model did not answer
	Advised  int   // cases whose verdict the model had a part in
	Tokens   int   // that the model counted
	Err      error // why cases went without: what the model, the budget or the answer's form said; never holds a post's text
}

// Bounds of a request.
const (
	maxBatch        = 10 // posts
	tokensPerAnswer = 120
	bytesPerToken   = 3 // at least: what is reserved is rather more than what is used
)

var errBudget = errors.New("score: the workspace's budget for the model is spent")

// Judge answers a verdict for each case, in their order. A workspace's cases go to the model together, the unsure ones
// first, in requests of at most ten posts. A request's tokens, as far as they can be told before, are taken from the
// budget first. After a failure other than of an answer's form, no more is asked in this call.
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

// batches are the places of the cases to ask about: of one workspace each.
func batches(cases []Case, verdicts []Verdict) (out [][]int) {
	open := map[string]int{} // workspace to its batch that has room, +1
	for _, unsure := range []bool{true, false} {
		for i, c := range cases {
			if verdicts[i].Unsure != unsure || !unsure && !verdicts[i].Score.Relevant() || len(c.Subjects) == 0 || instructs(c.Post.Text()) {
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

// ask sends one request and takes its answer; stop says that there is no use in another.
func (a *Advised) ask(ctx context.Context, cases []Case, batch []int, verdicts []Verdict, advice *Advice) (stop bool, err error) {
	request, ids, err := compose(cases, batch)
	if err != nil {
		return true, err
	}
	reserved := (len(request.System)+len(request.Prompt))/bytesPerToken + request.MaxTokens
	ok, err := a.budget.Spend(ctx, cases[batch[0]].WorkspaceID, reserved)
	if err != nil {
		return true, fmt.Errorf("score: spend on the model: %w", err)
	}
	if !ok {
		return false, errBudget // another workspace may have some left
	}
	within, cancel := context.WithTimeout(ctx, a.limit)
	defer cancel()
	advice.Requests++
	answer, err := a.model.Complete(within, request)
	advice.Tokens += answer.InputTokens + answer.OutputTokens
	if err != nil {
		advice.Failures++
		return true, fmt.Errorf("score: ask the model: %w", err)
	}
	if !answer.Complete {
		return false, fmt.Errorf("score: the model's answer is cut off")
	}
	opinions, err := readAdvice(answer.Text, ids)
	for at, opinion := range opinions {
		i := batch[at]
		verdicts[i] = advisedVerdict(verdicts[i], opinion)
		advice.Advised++
	}
	return false, err
}

// advisedVerdict takes the model's tags, and its score and comment where the embedded judge was unsure. What keywords
// tell is theirs to tell, as long as the post is relevant.
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
