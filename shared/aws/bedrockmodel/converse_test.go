package bedrockmodel_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"earshot/shared/aws/bedrockmodel"
	"earshot/shared/port/model"
	"earshot/shared/port/model/modeltest"
)

// form is the request of Converse with tools, as the API reference publishes it.
const form = `{
"type":"object","additionalProperties":false,"required":["messages","inferenceConfig"],
"properties":{
 "system":{"type":"array","items":{"$ref":"#/$defs/text"}},
 "inferenceConfig":{"type":"object","additionalProperties":false,"required":["maxTokens"],
  "properties":{"maxTokens":{"type":"integer","minimum":1},"temperature":{"const":0}}},
 "messages":{"type":"array","minItems":1,"items":{"type":"object","additionalProperties":false,"required":["role","content"],
  "properties":{"role":{"enum":["user","assistant"]},
   "content":{"type":"array","minItems":1,"items":{"oneOf":[{"$ref":"#/$defs/text"},{"$ref":"#/$defs/use"},{"$ref":"#/$defs/result"}]}}}}},
 "toolConfig":{"type":"object","additionalProperties":false,"required":["tools"],"properties":{"tools":{"type":"array","minItems":1,"items":{
  "type":"object","additionalProperties":false,"required":["toolSpec"],"properties":{"toolSpec":{"type":"object","additionalProperties":false,
   "required":["name","inputSchema"],"properties":{"name":{"type":"string","pattern":"^[a-zA-Z0-9_-]{1,64}$"},"description":{"type":"string","minLength":1},
    "inputSchema":{"type":"object","additionalProperties":false,"required":["json"],"properties":{"json":{"type":"object","required":["type"]}}}}}}}}}}
},
"$defs":{
 "text":{"type":"object","additionalProperties":false,"required":["text"],"properties":{"text":{"type":"string","pattern":"\\S"}}},
 "use":{"type":"object","additionalProperties":false,"required":["toolUse"],"properties":{"toolUse":{"type":"object","additionalProperties":false,
  "required":["toolUseId","name","input"],"properties":{"toolUseId":{"$ref":"#/$defs/id"},"name":{"type":"string"},"input":{"type":"object"}}}}},
 "result":{"type":"object","additionalProperties":false,"required":["toolResult"],"properties":{"toolResult":{"type":"object","additionalProperties":false,
  "required":["toolUseId","content"],"properties":{"toolUseId":{"$ref":"#/$defs/id"},"status":{"enum":["success","error"]},
   "content":{"type":"array","minItems":1,"items":{"oneOf":[{"$ref":"#/$defs/text"},
    {"type":"object","additionalProperties":false,"required":["json"],"properties":{"json":{"type":"object"}}}]}}}}}},
 "id":{"type":"string","pattern":"^[a-zA-Z0-9_.:-]{1,64}$"}
}}`

// A talker speaks Converse with tools: it refuses what is not of the form, and answers as the test says.
type talker struct {
	t        *testing.T
	schema   *jsonschema.Schema
	status   int
	code     string
	body     string
	wait     chan struct{}
	requests atomic.Int64
	got      atomic.Value // the last body
}

func (k *talker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.requests.Add(1)
	body, err := io.ReadAll(r.Body)
	if err != nil {
		k.t.Error(err)
	}
	k.got.Store(string(body))
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(body)))
	if err != nil {
		k.t.Error(err)
	}
	if err := k.schema.Validate(value); err != nil || r.Method != http.MethodPost || r.URL.Path != "/model/m-1/converse" ||
		r.Header.Get("Content-Type") != "application/json" ||
		!strings.Contains(r.Header.Get("Authorization"), "/bedrock/aws4_request") {
		k.t.Errorf("%s %s %s: %v", r.Method, r.URL, body, err)
	}
	if k.wait != nil {
		select {
		case <-k.wait:
		case <-r.Context().Done():
		}
	}
	w.Header().Set("Content-Type", "application/json")
	if k.code != "" {
		w.Header().Set("X-Amzn-Errortype", k.code)
	}
	w.WriteHeader(k.status)
	_, _ = io.WriteString(w, k.body)
}

func talk(t *testing.T, k *talker) *bedrockmodel.Model {
	t.Helper()
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("converse.json", parsed); err != nil {
		t.Fatal(err)
	}
	if k.schema, err = compiler.Compile("converse.json"); err != nil {
		t.Fatal(err)
	}
	k.t = t
	server := httptest.NewServer(k)
	t.Cleanup(server.Close)
	return opened(t, server.URL, "m-1")
}

var tools = []model.Tool{{
	Name:        "look",
	Description: "Looks.",
	Schema:      `{"type":"object","properties":{"n":{"type":"integer","maximum":9007199254740993}}}`,
}}

func user(blocks ...model.Block) model.Message {
	return model.Message{Role: model.User, Blocks: blocks}
}

func assistant(blocks ...model.Block) model.Message {
	return model.Message{Role: model.Assistant, Blocks: blocks}
}

func text(s string) model.Block { return model.Block{Text: s} }
func use(id, input string) model.Block {
	return model.Block{Use: &model.ToolUse{ID: id, Name: "look", Input: input}}
}
func result(id, told string) model.Block {
	return model.Block{Result: &model.ToolResult{ID: id, Text: told}}
}
func asked(m ...model.Message) model.Conversation {
	return model.Conversation{System: "Look.", Messages: m, Tools: tools, MaxTokens: 300}
}

// Every part of a conversation is sent as the reference has it, numbers as they were written.
func TestConverse_Request(t *testing.T) {
	k := &talker{status: 200, body: good}
	_, err := talk(t, k).Converse(t.Context(), asked(
		user(text("A \"<b>é")),
		assistant(text("I look."), use("t.1:a", `{"n":12345678901234567890,"deep":{"a":[1.50,null,true,"x"]}}`), use("t2", `{}`)),
		user(result("t.1:a", "seen"), model.Block{Result: &model.ToolResult{ID: "t2", JSON: `{"a":1}`, Failed: true}},
			text("And now?")),
	))
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	decode := func(s string, into *any) {
		decoder := json.NewDecoder(strings.NewReader(s))
		decoder.UseNumber()
		if err := decoder.Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	decode(k.got.Load().(string), &got)
	decode(`{"system":[{"text":"Look."}],"inferenceConfig":{"maxTokens":300,"temperature":0},
		"toolConfig":{"tools":[{"toolSpec":{"name":"look","description":"Looks.","inputSchema":{"json":{"type":"object","properties":{"n":{"type":"integer","maximum":9007199254740993}}}}}}]},
		"messages":[{"role":"user","content":[{"text":"A \"<b>é"}]},
		{"role":"assistant","content":[{"text":"I look."},{"toolUse":{"toolUseId":"t.1:a","name":"look","input":{"n":12345678901234567890,"deep":{"a":[1.50,null,true,"x"]}}}},
			{"toolUse":{"toolUseId":"t2","name":"look","input":{}}}]},
		{"role":"user","content":[{"toolResult":{"toolUseId":"t.1:a","content":[{"text":"seen"}],"status":"success"}},
			{"toolResult":{"toolUseId":"t2","content":[{"json":{"a":1}}],"status":"error"}},{"text":"And now?"}]}]}`, &want)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("sent\n%v\nwant\n%v", got, want)
	}
}

func TestConverse_Responses(t *testing.T) {
	answer := func(content, stop string) string {
		return `{"output":{"message":{"role":"assistant","content":[` + content + `]}},"stopReason":"` + stop +
			`","usage":{"inputTokens":31,"outputTokens":7,"totalTokens":38,"cacheReadInputTokens":100,"cacheWriteInputTokens":10}}`
	}
	called := `{"toolUse":{"toolUseId":"t1","name":"look","input":{"n":12345678901234567890,"a":[1,2.50,"<"]}}}`
	want := func(stop model.Stop, blocks ...model.Block) model.Reply {
		return model.Reply{Blocks: blocks, Stop: stop, InputTokens: 141, OutputTokens: 7}
	}
	for name, c := range map[string]struct {
		body string
		want model.Reply
	}{
		"text": {answer(`{"text":"yes"}`, "end_turn"), want(model.StopEnd, text("yes"))},
		"calls": {answer(`{"text":"hm"},`+called, "tool_use"),
			want(model.StopTools, text("hm"), use("t1", `{"a":[1,2.50,"\u003c"],"n":12345678901234567890}`))},
		"no input": {answer(`{"toolUse":{"toolUseId":"t1","name":"look","input":{}}}`, "tool_use"),
			want(model.StopTools, use("t1", `{}`))},
		"reasoning": {answer(`{"reasoningContent":{"reasoningText":{"text":"hm"}}},{"text":" "},{"text":"yes"}`,
			"stop_sequence"), want(model.StopEnd, text("yes"))},
		"cut off":   {answer(``, "max_tokens"), want(model.StopLength)},
		"full":      {answer(``, "model_context_window_exceeded"), want(model.StopLength)},
		"filtered":  {answer(``, "content_filtered"), want(model.StopFiltered)},
		"guardrail": {answer(``, "guardrail_intervened"), want(model.StopFiltered)},
		"malformed": {answer(``, "malformed_tool_use"), want(model.StopMalformed)},
		"of later":  {answer(``, "a_reason_of_later"), want(model.StopMalformed)},
		"input array": {answer(`{"toolUse":{"toolUseId":"t1","name":"look","input":[1]}}`, "tool_use"),
			want(model.StopTools, use("t1", `[1]`))},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := talk(t, &talker{status: 200, body: c.body}).Converse(t.Context(), asked(user(text("Go."))))
			if err != nil || !reflect.DeepEqual(got, c.want) {
				gotten, _ := json.Marshal(got)
				t.Errorf("%s, %v", gotten, err)
			}
		})
	}
}

func TestConverse_Errors(t *testing.T) {
	for name, c := range map[string]struct {
		status     int
		code, body string
		want       error
	}{
		"throttled":  {429, "ThrottlingException", `{"message":"because"}`, model.ErrThrottled},
		"down":       {503, "ServiceUnavailableException", `{"message":"because"}`, model.ErrUnavailable},
		"denied":     {403, "AccessDeniedException", `{"message":"because"}`, model.ErrRefused},
		"garbage":    {200, "", `it is fine`, model.ErrUnavailable},
		"no message": {200, "", `{"stopReason":"end_turn"}`, model.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			k := &talker{status: c.status, code: c.code, body: c.body}
			got, err := talk(t, k).Converse(t.Context(), asked(user(text("Go."))))
			if !errors.Is(err, c.want) || !reflect.DeepEqual(got, model.Reply{}) || k.requests.Load() != 1 {
				t.Errorf("%+v, %v, %d requests", got, err, k.requests.Load())
			}
		})
	}
}

func TestConverse_ContextEnds(t *testing.T) {
	wait := make(chan struct{})
	defer close(wait)
	m := talk(t, &talker{status: 200, body: good, wait: wait})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := m.Converse(ctx, asked(user(text("Go.")))); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

const yes = `{"output":{"message":{"role":"assistant","content":[{"text":"yes"}]}},"stopReason":"end_turn",` +
	`"usage":{"inputTokens":31,"outputTokens":7,"totalTokens":38}}`

// behaviours are the stand-ins of the port's suite.
var behaviours = map[modeltest.Behaviour]*talker{
	modeltest.Answers: {body: yes},
	modeltest.CallsLook: {body: strings.NewReplacer(`{"text":"yes"}`,
		`{"text":"yes"},{"toolUse":{"toolUseId":"t1","name":"look","input":{"n":1}}}`,
		"end_turn", "tool_use").Replace(yes)},
	modeltest.CutOff:    {body: strings.Replace(yes, "end_turn", "max_tokens", 1)},
	modeltest.Filters:   {body: strings.Replace(yes, "end_turn", "content_filtered", 1)},
	modeltest.Strange:   {body: strings.Replace(yes, "end_turn", "a_reason_of_later", 1)},
	modeltest.Throttles: {status: 429, code: "ThrottlingException", body: `{"message":"because"}`},
	modeltest.Fails:     {status: 503, code: "ServiceUnavailableException", body: `{"message":"because"}`},
	modeltest.Refuses:   {status: 403, code: "AccessDeniedException", body: `{"message":"because"}`},
	modeltest.Garbles:   {body: "it is fine"},
	modeltest.Empties:   {body: "{}"},
	modeltest.BreaksOff: {body: yes[:len(yes)/2]},
	modeltest.Hangs:     {wait: make(chan struct{})},
}

func TestSuite(t *testing.T) {
	modeltest.RunAdapter(t, func(t *testing.T, b modeltest.Behaviour) modeltest.Served {
		of := behaviours[b]
		k := &talker{status: max(of.status, 200), code: of.code, body: of.body, wait: of.wait}
		return modeltest.Served{Adapter: talk(t, k), Requests: func() int { return int(k.requests.Load()) }}
	})
}
