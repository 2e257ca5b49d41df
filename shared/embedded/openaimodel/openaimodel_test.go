package openaimodel_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"earshot/shared/embedded/environmentsecret"
	"earshot/shared/embedded/openaimodel"
	"earshot/shared/port/clock"
	"earshot/shared/port/model"
	"earshot/shared/port/model/modeltest"
)

// key is one that must appear nowhere.
const key = "sk-canary-4711"

// A server stands in for a server of the API. It responds as its function says.
type server struct {
	respond  func(w http.ResponseWriter, r *http.Request)
	requests atomic.Int64
	body     atomic.Value // of the last request
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	body, _ := io.ReadAll(r.Body)
	s.body.Store(string(body))
	s.respond(w, r)
}

// serve opens an adapter at a server.
func (s *server) serve(t *testing.T, o openaimodel.Options) *openaimodel.Model {
	t.Helper()
	listening := httptest.NewServer(s)
	t.Cleanup(listening.Close)
	o.URL, o.Model = listening.URL+"/v1/", "m-1"
	m, err := openaimodel.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// completion is a response with a message and a reason to stop.
func completion(message, reason string) string {
	return `{"id":"chatcmpl-1","object":"chat.completion","choices":[{"index":0,"message":` + message +
		`,"finish_reason":"` + reason + `"}],"usage":{"prompt_tokens":31,"completion_tokens":7,"total_tokens":38}}`
}

func says(body string) *server {
	return &server{respond: func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }}
}

func fails(status int, body string, header ...string) *server {
	return &server{respond: func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}}
}

const yes = `{"role":"assistant","content":"yes"}`

var behaviours = map[modeltest.Behaviour]*server{
	modeltest.Answers: says(completion(yes, "stop")),
	modeltest.CallsLook: says(completion(`{"role":"assistant","content":"yes","tool_calls":[{"id":"t1","type":"function",`+
		`"function":{"name":"look","arguments":"{\"n\":1}"}}]}`, "tool_calls")),
	modeltest.CutOff:    says(completion(yes, "length")),
	modeltest.Filters:   says(completion(yes, "content_filter")),
	modeltest.Strange:   says(completion(yes, "a_reason_of_later")),
	modeltest.Throttles: fails(429, `{"error":{"message":"slow down"}}`),
	modeltest.Fails:     fails(503, ""),
	modeltest.Refuses:   fails(401, `{"error":{"message":"no"}}`),
	modeltest.Garbles:   says("data: {\"choices\":[]}\n\ndata: [DONE]\n\n"),
	modeltest.Empties:   says("{}"),
	modeltest.BreaksOff: {respond: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "500")
		_, _ = io.WriteString(w, completion(yes, "stop")[:80])
	}},
	modeltest.Hangs: {respond: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
}

func TestSuite(t *testing.T) {
	modeltest.RunAdapter(t, func(t *testing.T, b modeltest.Behaviour) modeltest.Served {
		s := &server{respond: behaviours[b].respond}
		m := s.serve(t, openaimodel.Options{})
		return modeltest.Served{Adapter: m, Requests: func() int { return int(s.requests.Load()) }}
	})
}

func TestConverse_Request(t *testing.T) {
	s := says(completion(yes, "stop"))
	var authorized string
	respond := s.respond
	s.respond = func(w http.ResponseWriter, r *http.Request) {
		authorized = r.Header.Get("Authorization") + " " + r.Method + " " + r.URL.Path
		respond(w, r)
	}
	use := func(id, input string) model.Block {
		return model.Block{Use: &model.ToolUse{ID: id, Name: "look", Input: input}}
	}
	_, err := s.serve(t, openaimodel.Options{Key: key}).Converse(t.Context(), model.Conversation{
		System:    "Look.",
		MaxTokens: 300,
		Tools:     []model.Tool{{Name: "look", Description: "Looks.", Schema: `{"type":"object"}`}},
		Messages: []model.Message{
			{Role: model.User, Blocks: []model.Block{{Text: "A \"<b>é"}, {Text: "B"}}},
			{Role: model.Assistant, Blocks: []model.Block{use("t.1:a", `{"n": 12345678901234567890}`), use("t2", `{}`)}},
			{Role: model.User, Blocks: []model.Block{
				{Result: &model.ToolResult{ID: "t.1:a", Text: "seen"}},
				{Result: &model.ToolResult{ID: "t2", JSON: `{"a":1}`, Failed: true}}, {Text: "And now?"},
			}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	_ = json.Unmarshal([]byte(s.body.Load().(string)), &got)
	_ = json.Unmarshal([]byte(`{"model":"m-1","max_tokens":300,"temperature":0,"stream":false,
		"tools":[{"type":"function","function":{"name":"look","description":"Looks.","parameters":{"type":"object"}}}],
		"messages":[
		{"role":"system","content":"Look."},{"role":"user","content":"A \"<b>é\n\nB"},
		{"role":"assistant","content":null,"tool_calls":[
			{"id":"t.1:a","type":"function","function":{"name":"look","arguments":"{\"n\": 12345678901234567890}"}},
			{"id":"t2","type":"function","function":{"name":"look","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"t.1:a","content":"seen"},
		{"role":"tool","tool_call_id":"t2","content":"The call failed: {\"a\":1}"},
		{"role":"user","content":"And now?"}]}`), &want)
	if !reflect.DeepEqual(got, want) || authorized != "Bearer "+key+" POST /v1/chat/completions" {
		t.Errorf("%s sent\n%v\nwant\n%v", authorized, got, want)
	}
}

// Servers differ in how they write a turn.
func TestConverse_Forms(t *testing.T) {
	called := func(calls string) string { return `{"role":"assistant","content":null,"tool_calls":[` + calls + `]}` }
	look := func(id, arguments string) string {
		return `{"id":"` + id + `","function":{"name":"look","arguments":` + arguments + `}}`
	}
	for name, c := range map[string]struct{ message, reason, want string }{
		"stop with calls":  {called(look("a", `"{}"`)), "stop", "tool_use a:{}"},
		"no arguments":     {called(look("a", `""`)), "tool_calls", "tool_use a:{}"},
		"null arguments":   {called(look("a", `null`)), "tool_calls", "tool_use a:{}"},
		"an object":        {called(look("a", `{"n":1}`)), "tool_calls", `tool_use a:{"n":1}`},
		"an array":         {called(look("a", `"[1]"`)), "tool_calls", `tool_use a:[1]`},
		"no JSON":          {called(look("a", `"{n"`) + "," + look("b", `"{}"`)), "tool_calls", "malformed b:{}"},
		"cut in arguments": {called(look("a", `"{\"n"`)), "length", "max_tokens"},
		"a number":         {called(look("a", `7`)), "tool_calls", "tool_use a:7"},
		"no ids":           {called(look("", `"{}"`) + "," + look("", `"{}"`)), "tool_calls", "tool_use call:1:{} call:2:{}"},
		"equal ids":        {called(look("a", `"{}"`) + "," + look("a", `"{}"`)), "tool_calls", "tool_use a:{} call:2:{}"},
		"calls that lack":  {called(""), "tool_calls", "malformed"},
		"no reason":        {yes, "", "malformed yes"},
		"parts": {
			`{"content":[{"type":"text","text":"y"},{"type":"image"},{"type":"text","text":"es"}]}`, "stop", "end_turn yes",
		},
		"reasoning":         {`{"content":"<think>hm</think>\nyes","reasoning_content":"hm"}`, "stop", "end_turn yes"},
		"reasoning cut off": {`{"content":"<think>hm"}`, "length", "max_tokens <think>hm"},
	} {
		t.Run(name, func(t *testing.T) {
			reply, err := says(completion(c.message, c.reason)).serve(t, openaimodel.Options{}).Converse(t.Context(), short)
			got := []string{string(reply.Stop)}
			for _, b := range reply.Blocks {
				if b.Use != nil {
					got = append(got, b.Use.ID+":"+b.Use.Input)
				} else {
					got = append(got, b.Text)
				}
			}
			if err != nil || strings.Join(got, " ") != c.want {
				t.Errorf("Converse = %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

var short = model.Conversation{
	MaxTokens: 9,
	Messages:  []model.Message{{Role: model.User, Blocks: []model.Block{{Text: "Go."}}}},
}

// A body without an end is read to a bound, and a server that repeats the key is not quoted.
func TestComplete_Hostile(t *testing.T) {
	endless := func(w http.ResponseWriter, beginning string) {
		_, _ = io.WriteString(w, beginning)
		for chunk := strings.Repeat(" ", 1<<16); ; {
			if _, err := io.WriteString(w, chunk); err != nil {
				return
			}
		}
	}
	repeats := `{"error":{"message":"bad key ` + key + `","code":"` + key + `"}}`
	for name, c := range map[string]struct {
		server *server
		want   error
	}{
		"endless": {&server{respond: func(w http.ResponseWriter, _ *http.Request) {
			endless(w, `{"choices":`)
		}}, model.ErrUnavailable},
		"endless refusal": {&server{respond: func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(400)
			endless(w, `{"error":`)
		}}, model.ErrRefused},
		"repeats the key":       {fails(401, repeats), model.ErrRefused},
		"repeats it, throttled": {fails(429, repeats), model.ErrThrottled},
		"repeats it, no JSON":   {says(key), model.ErrUnavailable},
		"redirects":             {fails(307, "", "Location", "http://"+key+".example/"), model.ErrRefused},
		"deep":                  {says(strings.Repeat("[", 1<<20)), model.ErrUnavailable},
		"tokens too many":       {says(strings.Replace(completion(yes, "stop"), ":31", ":1e99", 1)), model.ErrUnavailable},
		"cuts the connection": {&server{respond: func(w http.ResponseWriter, _ *http.Request) {
			panic(http.ErrAbortHandler)
		}}, model.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			m := c.server.serve(t, openaimodel.Options{Key: key})
			_, err := m.Complete(t.Context(), model.Request{Prompt: "a", MaxTokens: 5})
			if !errors.Is(err, c.want) || strings.Contains(err.Error(), key) || len(err.Error()) > 400 {
				t.Errorf("Complete = %v, want %v without the key", err, c.want)
			}
		})
	}
	missing := fails(404, `{"error":{"message":"model 'm-1' not found"}}`)
	_, err := missing.serve(t, openaimodel.Options{}).Converse(t.Context(), short)
	if err == nil || !strings.Contains(err.Error(), `model 'm-1' not found`) {
		t.Errorf("Converse = %v, want the server's message where there is no key", err)
	}
}

// Until a Retry-After is over nothing is sent. A request waits for a short one.
func TestConverse_RetryAfter(t *testing.T) {
	now := &clock.Adjustable{}
	s := fails(429, "", "Retry-After", "3600")
	m := s.serve(t, openaimodel.Options{Clock: now})
	for range 3 {
		if _, err := m.Converse(t.Context(), short); !errors.Is(err, model.ErrThrottled) {
			t.Errorf("Converse = %v, want %v", err, model.ErrThrottled)
		}
	}
	if n := s.requests.Load(); n != 1 {
		t.Errorf("%d requests were sent, want 1", n)
	}
	// However long a server asks to be left alone, it is asked again after an hour.
	for _, after := range []string{"86400", "2147483647", "Sun, 01 Jan 2300 00:00:00 GMT"} {
		now := &clock.Adjustable{}
		now.Freeze(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
		s := fails(503, "", "Retry-After", after)
		m := s.serve(t, openaimodel.Options{Clock: now})
		for n, step := range []time.Duration{0, 59 * time.Minute, time.Minute} {
			now.Freeze(now.Now().Add(step))
			begun := time.Now()
			if _, err := m.Converse(t.Context(), short); err == nil || time.Since(begun) > 5*time.Second {
				t.Errorf("Retry-After %s: Converse = %v after %s, want an error at once", after, err, time.Since(begun))
			}
			if got, want := s.requests.Load(), []int64{1, 1, 2}[n]; int64(got) != want {
				t.Errorf("Retry-After %s: %d requests after %d calls, want %d", after, got, n+1, want)
			}
		}
	}
	begun := time.Now()
	turns := fails(503, "", "Retry-After", "1")
	m = turns.serve(t, openaimodel.Options{})
	_, _ = m.Converse(t.Context(), short)
	turns.respond = says(completion(yes, "stop")).respond
	if _, err := m.Converse(t.Context(), short); err != nil || time.Since(begun) < 900*time.Millisecond {
		t.Errorf("Converse = %v after %s, want a reply after a second", err, time.Since(begun))
	}
}

func TestFromEnvironment(t *testing.T) {
	for _, c := range []struct{ url, model, key, want string }{
		{"", "", "", "none"},
		{"http://127.0.0.1:11434/v1", "llama3.1", "", "llama3.1"},
		{"http://localhost:1", "m", "", "m"}, {"http://[::1]:1/v1", "m", "", "m"},
		{"https://models.example/v1", "m", key, "m"},
		{"http://127.0.0.1:11434/v1", "", "", "MODEL_URL is set and MODEL is not"},
		{"", "m", "", "MODEL is set and MODEL_URL is not"},
		{"http://models.example/v1", "m", key, "in clear"}, {"http://10.0.0.1/v1", "m", "", "in clear"},
		{"http://127.0.0.1.example/v1", "m", "", "in clear"}, {"http://0.0.0.0/v1", "m", "", "in clear"},
		{"ftp://127.0.0.1", "m", "", "is not the URL"}, {"127.0.0.1:11434", "m", "", "is not the URL"},
		{"http://u:" + key + "@127.0.0.1:x", "m", "", "is not the URL"},
		{"http://u:" + key + "@127.0.0.1", "m", "", "has a user"},
		{"https://a.example/v1?key=" + key, "m", "", "has a user"}, {"http://127.0.0.1", " ", "", "names no model"},
		{"http://127.0.0.1", "m", key + "\n", "MODEL_KEY has"},
	} {
		env := map[string]string{"MODEL_URL": c.url, "MODEL": c.model, "MODEL_KEY": c.key}
		get := func(name string) string { return env[name] }
		m, err := openaimodel.FromEnvironment(context.Background(), get, environmentsecret.New(get))
		got := "none"
		switch {
		case err != nil:
			got = err.Error()
		case m != nil:
			got = m.ID()
		}
		if !strings.Contains(got, c.want) || strings.Contains(got, key) || strings.Contains(fmt.Sprint(err), key) {
			t.Errorf("FromEnvironment(%q, %q) = %q, want %q", c.url, c.model, got, c.want)
		}
	}
}
