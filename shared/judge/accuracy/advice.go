package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"earshot/shared/judge"
	"earshot/shared/mention"
	"earshot/shared/port/model"
)

// A rightModel is a scripted model that answers from the labels, through the real prompt and parser.
type rightModel struct {
	relevant map[string]bool // by text
}

// bytesPerToken is about what models count for English text and JSON.
const bytesPerToken = 4

func (m rightModel) Complete(_ context.Context, r model.Request) (model.Answer, error) {
	var asked struct {
		Posts []struct{ ID, Text string }
	}
	if err := json.Unmarshal([]byte(strings.Split(r.Prompt, "\n")[1]), &asked); err != nil {
		return model.Answer{}, err
	}
	type entry struct {
		ID        string   `json:"id"`
		Relevance int      `json:"relevance"`
		Comment   string   `json:"comment"`
		Tags      []string `json:"tags"`
	}
	var entries []entry
	for _, p := range asked.Posts {
		e := entry{p.ID, int(mention.Low), "The post uses the name in another sense than the workspace does.", []string{}}
		if m.relevant[p.Text] {
			e.Relevance, e.Comment = int(mention.High), "The post is about what the workspace listens for."
		}
		entries = append(entries, e)
	}
	text, err := json.Marshal(map[string]any{"posts": entries})
	return model.Answer{
		Text:         string(text),
		InputTokens:  (len(r.System) + len(r.Prompt)) / bytesPerToken,
		OutputTokens: len(text) / bytesPerToken,
		Complete:     true,
	}, err
}

// unlimited is a budget without a bound.
type unlimited struct{}

func (unlimited) Spend(context.Context, string, int) (bool, error) { return true, nil }

func (unlimited) Count(context.Context, string, int, int) error { return nil }

// measureAdvice measures what a model's second opinion on unsure posts would change if the model were always right, and
// what it costs. It asks about unsure posts only, whereas a deployment also asks for the tags of relevant posts.
func measureAdvice(j *judge.Judge, folder string) ([]figure, error) {
	var before, after float64
	posts, asked, advised, tokens := 0, 0, 0, 0
	for _, a := range names {
		test, err := sentences(j, folder, a, "test")
		if err != nil {
			return nil, err
		}
		company := a.company
		company.ExcludeTerms = nil
		subjects := []*judge.Subject{j.Subject(company, a.keyword(), nil)}
		right := rightModel{map[string]bool{}}
		was, is, all := map[string]int{}, map[string]int{}, map[string]int{}
		var cases []judge.Case
		var relevant []bool
		for i := range test {
			s := &test[i]
			class := fmt.Sprint(s.relevant)
			all[class]++
			verdict := j.Judge(s.reading, &s.post, subjects)
			if verdict.Score.Relevant() == s.relevant {
				was[class]++
			}
			if verdict.Unsure {
				right.relevant[*s.post.Body] = s.relevant
				cases = append(cases, judge.Case{
					WorkspaceID: a.name,
					Post:        &s.post,
					Reading:     s.reading,
					Subjects:    subjects,
				})
				relevant = append(relevant, s.relevant)
			} else if verdict.Score.Relevant() == s.relevant {
				is[class]++
			}
		}
		verdicts, advice := judge.NewAdvised(j, right, unlimited{}, time.Minute).Judge(context.Background(), cases)
		if advice.Err != nil {
			return nil, advice.Err
		}
		for i, verdict := range verdicts {
			if verdict.Score.Relevant() == relevant[i] {
				is[fmt.Sprint(relevant[i])]++
			}
		}
		share, _ := recall(was, all)
		before += share / float64(len(names))
		share, _ = recall(is, all)
		after += share / float64(len(names))
		posts, asked, advised, tokens = posts+len(test), asked+len(cases), advised+advice.Advised, tokens+advice.Tokens
	}
	return []figure{
		{
			name:   "advice: share of posts asked, of a profile alone",
			value:  float64(asked) / float64(posts),
			format: accuracy,
			note:   fmt.Sprintf("%d of %d, %d with a usable answer", asked, posts, advised),
		},
		{name: "advice: mean balanced accuracy without a model", value: before, format: accuracy},
		{
			name:   "advice: mean balanced accuracy with a model that is right",
			value:  after,
			format: accuracy,
		},
		{
			name:   "advice: tokens a post that is asked",
			value:  float64(tokens) / float64(asked),
			format: "%.0f",
			note:   fmt.Sprintf("estimated, %d bytes a token; ten posts a request", bytesPerToken),
		},
		{
			name:   "advice: tokens for 1,000 posts",
			value:  1000 * float64(tokens) / float64(posts),
			format: "%.0f",
		},
	}, nil
}
