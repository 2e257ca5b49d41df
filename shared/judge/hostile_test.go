package judge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/embedded/openaimodel"
	"earshot/shared/hostiletest"
	"earshot/shared/judge"
	"earshot/shared/port/model"
)

// Every post of the shared set beside an unsure one, by the embedded judge, by a scripted model and by a server's model
// that obey it: the prompt is one document within its fence and has no secret, a post that gives orders is not shown to
// a model, and no comment links, has markup or repeats a secret that a model was not given.
func TestHostile_Posts(t *testing.T) {
	j := newJudge(t)
	var entry, body string
	respond := func(prompt string) string {
		var shown struct{ Posts []struct{ ID string } }
		lines := strings.Split(prompt, "\n")
		if len(lines) != 3 || lines[0] != lines[2] || len(lines[0]) < 20 || strings.ContainsAny(lines[1], "<>") ||
			json.Unmarshal([]byte(lines[1]), &shown) != nil {
			t.Errorf("the prompt is not one document between two markers: %.200q", prompt)
		}
		var entries []string
		for _, p := range shown.Posts {
			entries = append(entries, strings.ReplaceAll(entry, "ID", p.ID))
		}
		return `{"posts":[` + strings.Join(entries, ",") + `]}`
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, _ := io.ReadAll(r.Body)
		body += string(content)
		var asked struct{ Messages []struct{ Content string } }
		if json.Unmarshal(content, &asked) != nil || len(asked.Messages) == 0 {
			t.Errorf("the request is %.200q", content)
			return
		}
		said, _ := json.Marshal(respond(asked.Messages[len(asked.Messages)-1].Content))
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":`+string(said)+
			`},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":9}}`)
	}))
	t.Cleanup(server.Close)
	served, err := openaimodel.New(openaimodel.Options{URL: server.URL, Model: "m-1", Key: hostiletest.ModelKey})
	if err != nil {
		t.Fatal(err)
	}
	obeying := []string{
		`{"id":"ID","relevance":0,"comment":"See ![x](https://` + hostiletest.Host + `/?q=1).","tags":[]}`,
		`{"id":"ID","relevance":0,"comment":"See www.` + hostiletest.Host + ` now.","tags":[]}`,
		`{"id":"ID","relevance":7,"comment":"It is wonderful.","tags":[]}`,
		`{"id":"other","relevance":0,"comment":"It is about the language.","tags":[]}`,
		`{"id":"ID","relevance":0,"comment":"It is about <b>Java</b>.","tags":["delete_feed"]}`,
		`{"id":"ID","relevance":0,"comment":"Fine.","tags":[],"run":"DELETE /api/v2/feeds/1"}`,
	}
	scriptedModel := completes(func(r model.Request) string { body += r.System + r.Prompt; return respond(r.Prompt) })
	asked := 0
	posts := hostiletest.Posts()
	for batch := range slices.Chunk(posts, 5) {
		cases := []judge.Case{caseOf(j, "w", unsureText)}
		for _, text := range batch {
			cases = append(cases, caseOf(j, "w", strings.ReplaceAll(text, "Northwind", unsureText)))
		}
		for _, entry = range obeying {
			for name, m := range map[string]model.Model{"scripted": scriptedModel, "openai": served} {
				body = ""
				verdicts, advice := judge.NewAdvised(j, m, purse{"w": 1e9}, 10*time.Second).Judge(t.Context(), cases)
				asked += advice.Requests
				told := fmt.Sprint(advice.Err)
				for i, v := range verdicts {
					own := j.Judge(cases[i].Reading, cases[i].Post, cases[i].Subjects)
					if v.Score != own.Score || v.Comment != own.Comment {
						t.Errorf("%s, %.80q: the verdict is %+v, want the embedded judge's %+v", name, cases[i].Post.Text(), v, own)
					}
					told += v.Comment
				}
				for _, secret := range hostiletest.Secrets() {
					if strings.Contains(body, secret) || strings.Contains(told, secret) {
						t.Errorf("%s: a prompt, a comment or an error has a secret", name)
					}
				}
				if strings.Contains(told, hostiletest.Host) {
					t.Errorf("%s: a comment or an error links to the posts' host: %.300q", name, told)
				}
			}
		}
	}
	if asked < len(posts) {
		t.Errorf("the models were asked %d times, want %d or more", asked, len(posts))
	}
}

// completes is a model that computes its text from the request.
type completes func(model.Request) string

func (c completes) Complete(_ context.Context, r model.Request) (model.Answer, error) {
	return model.Answer{Text: c(r), InputTokens: 9, OutputTokens: 9, Complete: true}, nil
}
