package bedrockmodel_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"earshot/shared/aws/account"
	"earshot/shared/aws/bedrockmodel"
	"earshot/shared/port/model"
)

// A bedrock speaks the Converse API as it is published (API reference, "Converse"): POST /model/{modelId}/converse. It refuses
// what is not of that form, and answers as the test says.
type bedrock struct {
	t        *testing.T
	model    string
	want     converse
	without  converse // a temperature
	status   int
	code     string // X-Amzn-ErrorType
	body     string
	wait     chan struct{} // nil: answers at once
	requests atomic.Int64
}

type converse struct {
	Messages []struct {
		Role    string
		Content []struct{ Text string }
	}
	System          []struct{ Text string }
	InferenceConfig struct {
		MaxTokens   int
		Temperature *float64
	}
}

func (b *bedrock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.requests.Add(1)
	body, err := io.ReadAll(r.Body)
	if err != nil {
		b.t.Error(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.DisallowUnknownFields()
	var got converse
	if err := decoder.Decode(&got); err != nil {
		b.t.Errorf("the body is not a request of Converse: %v: %s", err, body)
	}
	for what, ok := range map[string]bool{
		"method":  r.Method == http.MethodPost,
		"path":    r.URL.Path == "/model/"+b.model+"/converse",
		"escaped": !strings.Contains(strings.TrimSuffix(strings.TrimPrefix(r.URL.EscapedPath(), "/model/"), "/converse"), "/"),
		"type":    r.Header.Get("Content-Type") == "application/json",
		"length":  r.Header.Get("Content-Length") == strconv.Itoa(len(body)),
		"signed": strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=local/") &&
			strings.Contains(r.Header.Get("Authorization"), "/us-east-1/bedrock/aws4_request"),
		"body": reflect.DeepEqual(got, b.want) || b.code == "ValidationException" && reflect.DeepEqual(got, b.without),
	} {
		if !ok {
			b.t.Errorf("%s: %s %s %v %s", what, r.Method, r.URL, r.Header, body)
		}
	}
	if b.wait != nil {
		select {
		case <-b.wait:
		case <-r.Context().Done():
		}
	}
	w.Header().Set("Content-Type", "application/json")
	if b.code != "" {
		w.Header().Set("X-Amzn-Errortype", b.code+":http://internal.amazon.com/coral/com.amazon.bedrock/")
	}
	w.WriteHeader(b.status)
	_, _ = io.WriteString(w, b.body)
}

// question is what every test asks.
var (
	question = model.Request{System: "Judge.", Prompt: "A post: \"<b>é\u2028\"", MaxTokens: 300}
)

const good = `{"output":{"message":{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm"}}},{"text":"{\"a\":"},{"text":"1}"}]}},` +
	`"stopReason":"end_turn","usage":{"inputTokens":31,"outputTokens":7,"totalTokens":38},"metrics":{"latencyMs":420}}`

func serve(t *testing.T, b *bedrock) *bedrockmodel.Model {
	t.Helper()
	if err := json.Unmarshal(
		[]byte(`{"messages":[{"role":"user","content":[{"text":"A post: \"<b>é\u2028\""}]}],"system":[{"text":"Judge."}],`+
			`"inferenceConfig":{"maxTokens":300,"temperature":0}}`), &b.want); err != nil {
		t.Fatal(err)
	}
	b.t, b.without = t, b.want
	b.without.InferenceConfig.Temperature = nil
	if b.model == "" {
		b.model = "eu.anthropic.claude-haiku-4-5-20251001-v1:0"
	}
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	return opened(t, server.URL, b.model)
}

func opened(t *testing.T, endpoint, id string) *bedrockmodel.Model {
	t.Helper()
	asker, err := account.From(func(string) string { return "" }, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bedrockmodel.New(asker, id)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAnswers(t *testing.T) {
	withStop := func(reason string) string { return strings.Replace(good, "end_turn", reason, 1) }
	for name, c := range map[string]struct {
		model, body string
		want        model.Answer
	}{
		"good": {"", good, model.Answer{Text: `{"a":1}`, InputTokens: 31, OutputTokens: 7, Complete: true}},
		"arn": {"arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.model-v1:0", good,
			model.Answer{Text: `{"a":1}`, InputTokens: 31, OutputTokens: 7, Complete: true}},
		"stopped": {"", withStop("stop_sequence"),
			model.Answer{Text: `{"a":1}`, InputTokens: 31, OutputTokens: 7, Complete: true}},
		"too long":  {"", withStop("max_tokens"), model.Answer{Text: `{"a":1}`, InputTokens: 31, OutputTokens: 7}},
		"filtered":  {"", withStop("content_filtered"), model.Answer{Text: `{"a":1}`, InputTokens: 31, OutputTokens: 7}},
		"guardrail": {"", withStop("guardrail_intervened"), model.Answer{Text: `{"a":1}`, InputTokens: 31, OutputTokens: 7}},
		"of later":  {"", withStop("a_reason_of_later"), model.Answer{Text: `{"a":1}`, InputTokens: 31, OutputTokens: 7}},
		"no text": {"", `{"output":{"message":{"role":"assistant","content":[]}},"stopReason":"end_turn"}`,
			model.Answer{Complete: true}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := serve(t, &bedrock{model: c.model, status: 200, body: c.body}).Complete(t.Context(), question)
			if err != nil || got != c.want {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	const message = `{"message":"because"}`
	for name, c := range map[string]struct {
		status     int
		code, body string
		want       error
		cause      string
	}{
		"throttled":     {429, "ThrottlingException", message, model.ErrThrottled, "ThrottlingException: because"},
		"quota":         {400, "ServiceQuotaExceededException", message, model.ErrThrottled, "ServiceQuotaExceededException"},
		"too many":      {429, "", `{}`, model.ErrThrottled, ""},
		"invalid":       {400, "ValidationException", message, model.ErrRefused, "ValidationException: because"},
		"denied":        {403, "AccessDeniedException", message, model.ErrRefused, "AccessDeniedException"},
		"expired":       {403, "ExpiredTokenException", message, model.ErrRefused, "ExpiredTokenException"},
		"no such model": {404, "ResourceNotFoundException", message, model.ErrRefused, "ResourceNotFoundException"},
		"not ready":     {429, "ModelNotReadyException", message, model.ErrThrottled, "ModelNotReadyException"},
		"timed out":     {408, "ModelTimeoutException", message, model.ErrUnavailable, "ModelTimeoutException"},
		"failed":        {424, "ModelErrorException", message, model.ErrUnavailable, "ModelErrorException"},
		"internal":      {500, "InternalServerException", message, model.ErrUnavailable, "InternalServerException"},
		"down":          {503, "ServiceUnavailableException", message, model.ErrUnavailable, "ServiceUnavailableException"},
		"gateway":       {502, "", "<html>Bad gateway</html>", model.ErrUnavailable, ""},
		"garbage":       {200, "", `it is fine`, model.ErrUnavailable, ""},
		"cut off":       {200, "", good[:len(good)/2], model.ErrUnavailable, ""},
		"no message":    {200, "", `{"stopReason":"end_turn"}`, model.ErrUnavailable, ""},
		"nothing":       {200, "", `{}`, model.ErrUnavailable, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := &bedrock{status: c.status, code: c.code, body: c.body}
			got, err := serve(t, b).Complete(t.Context(), question)
			if !errors.Is(err, c.want) || got != (model.Answer{}) {
				t.Fatalf("%+v, %v, want %v", got, err, c.want)
			}
			for _, other := range []error{model.ErrThrottled, model.ErrUnavailable, model.ErrRefused, context.Canceled,
				context.DeadlineExceeded} {
				if other != c.want && errors.Is(err, other) {
					t.Errorf("%v is %v too", err, other)
				}
			}
			if !strings.Contains(err.Error(), c.cause) || len(err.Error()) > 500 {
				t.Errorf("the logs learn %v", err)
			}
			want := int64(1)
			if c.code == "ValidationException" {
				want = 2 // the second without a temperature
			}
			if n := b.requests.Load(); n != want {
				t.Errorf("%d requests, want %d", n, want)
			}
		})
	}
}

// A long message of the service, and one with line breaks, stay one short line.
func TestErrors_OneLine(t *testing.T) {
	b := &bedrock{status: 400, code: "ValidationException", body: `{"message":"` + strings.Repeat(`bad\n`, 500) + `"}`}
	_, err := serve(t, b).Complete(t.Context(), question)
	if !errors.Is(err, model.ErrRefused) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
		t.Error(err)
	}
}

func TestContext(t *testing.T) {
	wait := make(chan struct{})
	defer close(wait)
	m := serve(t, &bedrock{status: 200, body: good, wait: wait})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := m.Complete(ctx, question); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := m.Complete(ended, question); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestComplete_NoServer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	if _, err := opened(t, server.URL, "m").Complete(t.Context(), question); !errors.Is(err, model.ErrUnavailable) {
		t.Error(err)
	}
}

func TestNew_NoID(t *testing.T) {
	if _, err := bedrockmodel.New(account.Account{}, " "); err == nil {
		t.Error("New(no id) = nil, want an error")
	}
}
