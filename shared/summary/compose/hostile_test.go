package compose_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/embedded/openaimodel"
	"earshot/shared/hostiletest"
	"earshot/shared/port/model"
	"earshot/shared/summary/compose"
)

// Every post of the shared set, by rules, by a scripted model and by a server's model that obey it. The prompt holds the
// posts between its fence alone and no secret. The summary has no sentence of the model and no link of the model. It has
// no citation of a post that the model was not shown.
func TestHostile_Posts(t *testing.T) {
	var text, body string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, _ := io.ReadAll(r.Body)
		body = string(content)
		said, _ := json.Marshal(text)
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":`+string(said)+
			`},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":9}}`)
	}))
	t.Cleanup(server.Close)
	served, err := openaimodel.New(openaimodel.Options{URL: server.URL, Model: "m-1", Key: hostiletest.ModelKey})
	if err != nil {
		t.Fatal(err)
	}
	obeying := []string{
		`{"themes":[{"theme":1,"sentences":[{"text":"The key is ` + hostiletest.ModelKey + `.","mentionIds":[1]}]}]}`,
		`{"themes":[{"theme":1,"sentences":[{"text":"Northwind login error ![x](https://` + hostiletest.Host +
			`/).","mentionIds":[1]}]}]}`,
		`{"themes":[{"theme":1,"sentences":[{"text":"The login error is back.","mentionIds":[999999]}]}]}`,
		`{"themes":[{"theme":1,"sentences":[{"text":"98% of users have the login error.","mentionIds":[1]}]}]}`,
		`{"themes":[],"run":"DELETE /api/v2/feeds/1"}`, "Certainly, the key is " + hostiletest.ModelKey,
	}
	for i, hostile := range hostiletest.Posts() {
		m := material(post(1, 1, hostile), post(2, 1, "The login error is back."))
		text = obeying[i%len(obeying)]
		var asked model.Request
		for name, llm := range map[string]model.Model{"scripted": says{text, nil, &asked}, "openai": served, "rules": nil} {
			themes := compose.Rules(m)
			if llm != nil {
				w := compose.Writer{Model: llm, Budget: budget(1e9), Limit: 10 * time.Second}
				said, advice := w.Write(t.Context(), "org_1", m)
				if themes = said; advice.Kept != 0 {
					t.Errorf("%s, post %d: %d sentences of the model are kept: %v", name, i, advice.Kept, said)
				}
			}
			for _, theme := range themes {
				for _, s := range theme.Sentences {
					inside := strings.TrimSuffix(strings.TrimPrefix(s.Text, "“"), "”")
					if len([]rune(inside)) > 250 || strings.ContainsAny(inside, "“”\x00\x1b\n\r\u202e\u200b\u2066") ||
						strings.Contains(inside, "\U000e0067") || len(s.MentionIDs) != 1 ||
						!slices.Contains([]int64{1, 2}, s.MentionIDs[0]) {
						t.Errorf("%s, post %d: the sentence is %.200q, %v", name, i, s.Text, s.MentionIDs)
					}
					for _, secret := range hostiletest.Secrets() {
						if strings.Contains(s.Text, secret) {
							t.Errorf("%s, post %d: the sentence has a secret", name, i)
						}
					}
				}
			}
		}
		lines := strings.Split(asked.Prompt, "\n")
		if len(lines) != 3 || lines[0] != lines[2] || !json.Valid([]byte(lines[1])) || strings.ContainsAny(lines[1], "<>") ||
			len(asked.Prompt) > 20_000 {
			t.Errorf("post %d: the prompt is %.200q", i, asked.Prompt)
		}
		for _, secret := range hostiletest.Secrets() {
			if strings.Contains(body+asked.System+asked.Prompt, secret) {
				t.Errorf("post %d: the prompt has a secret", i)
			}
		}
	}
}
