package sfnflow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"earshot/shared/aws/sfnflow"
	"earshot/shared/lambdalog/tracetest"
	"earshot/shared/port/flow"
)

const (
	machine   = "arn:aws:states:eu-north-1:123456789012:stateMachine:Setup-x1"
	execution = "arn:aws:states:eu-north-1:123456789012:execution:Setup-x1:one"
)

// An answer is what the service says to one operation.
type answer struct {
	status int
	body   any
}

func refusal(status int, code string) answer {
	return answer{status, map[string]string{"__type": code, "message": "about hunter2"}}
}

// A service answers as it is told, and keeps what it was asked.
type service struct {
	start, describe answer
	asked           []string
	sent            []map[string]string
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	operation := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "AWSStepFunctions.")
	var body map[string]string
	_ = json.NewDecoder(r.Body).Decode(&body)
	s.asked, s.sent = append(s.asked, operation), append(s.sent, body)
	given := s.start
	if operation == "DescribeExecution" {
		given = s.describe
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(given.status)
	_ = json.NewEncoder(w).Encode(given.body)
}

func against(t *testing.T, s *service) flow.Flow {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	env := map[string]string{"FLOW_ENDPOINT": server.URL, "STATE_MACHINE_ARN": machine}
	f, err := sfnflow.FromEnvironment(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestStart(t *testing.T) {
	const input = `{"password":"hunter2"}`
	began := answer{200, map[string]any{"executionArn": execution, "startDate": 1.7e9}}
	with := func(input string) answer {
		return answer{200, map[string]any{"executionArn": execution, "stateMachineArn": machine, "status": "SUCCEEDED",
			"startDate": 1.7e9, "input": input}}
	}
	exists := refusal(400, "ExecutionAlreadyExists")
	errOther := errors.New("none of the port's")
	start, startAndLook := []string{"StartExecution"}, []string{"StartExecution", "DescribeExecution"}
	again := []string{"StartExecution", "StartExecution", "StartExecution"}
	for _, c := range []struct {
		name            string
		start, describe answer
		want            error // nil: none
		asked           []string
	}{
		{"began", began, answer{}, nil, start},
		{"ended, with the same input", exists, with(input), nil, startAndLook},
		{"another input", exists, with(`{}`), flow.ErrTaken, startAndLook},
		{"the namespace of JSON 1.0", refusal(400, "com.amazonaws.states#ExecutionAlreadyExists"), with(`{}`), flow.ErrTaken,
			startAndLook},
		{"not yet described", exists, refusal(400, "ExecutionDoesNotExist"), flow.ErrUnavailable, startAndLook},
		{"without its input", exists, answer{200, map[string]any{"executionArn": execution}}, flow.ErrUnavailable,
			startAndLook},
		{"not to be looked at", exists, refusal(400, "AccessDeniedException"), errOther, startAndLook},
		{"looked up too often", exists, refusal(400, "ThrottlingException"), flow.ErrThrottled,
			append(start, "DescribeExecution", "DescribeExecution", "DescribeExecution")},
		{"throttled", refusal(400, "ThrottlingException"), answer{}, flow.ErrThrottled, again},
		{"too many are open", refusal(400, "ExecutionLimitExceeded"), answer{}, flow.ErrThrottled, start},
		{"KMS is throttled", refusal(400, "KmsThrottlingException"), answer{}, flow.ErrThrottled, start},
		{"broken", refusal(500, "InternalFailure"), answer{}, flow.ErrUnavailable, again},
		{"no machine", refusal(400, "StateMachineDoesNotExist"), answer{}, errOther, start},
		{"not allowed", refusal(400, "AccessDeniedException"), answer{}, errOther, start},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &service{start: c.start, describe: c.describe}
			err := against(t, s).Start(t.Context(), "one", []byte(input))
			switch {
			case (err != nil) != (c.want != nil), c.want != nil && c.want != errOther && !errors.Is(err, c.want):
				t.Errorf("%v, want %v", err, c.want)
			case err != nil && strings.Contains(err.Error(), "hunter2"):
				t.Error("it tells the input:", err)
			}
			for _, kind := range []error{flow.ErrInvalid, flow.ErrTaken, flow.ErrThrottled, flow.ErrUnavailable,
				context.Canceled, context.DeadlineExceeded} {
				if kind != c.want && errors.Is(err, kind) {
					t.Errorf("it is %v too: %v", kind, err)
				}
			}
			if !slices.Equal(s.asked, c.asked) {
				t.Errorf("asked %q, want %q", s.asked, c.asked)
			}
			for i, body := range s.sent {
				want := map[string]string{"stateMachineArn": machine, "name": "one", "input": input}
				if s.asked[i] == "DescribeExecution" {
					want = map[string]string{"executionArn": execution}
				}
				if fmt.Sprint(body) != fmt.Sprint(want) {
					t.Errorf("sent %v, want %v", body, want)
				}
			}
		})
	}
}

// An execution is part of the trace of who starts it, whatever became of the first attempt; without one it begins its own.
func TestTrace(t *testing.T) {
	const header = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1"
	for _, c := range []struct {
		header string
		want   map[string]string
	}{
		{header, map[string]string{"stateMachineArn": machine, "name": "one", "input": "{}", "traceHeader": header}},
		{"", map[string]string{"stateMachineArn": machine, "name": "one", "input": "{}"}},
	} {
		s := &service{start: refusal(500, "InternalFailure")}
		err := against(t, s).Start(tracetest.With(t.Context(), c.header), "one", []byte(`{}`))
		if !errors.Is(err, flow.ErrUnavailable) || len(s.sent) != 3 {
			t.Fatalf("Start() = %v after %d requests, want ErrUnavailable after 3", err, len(s.sent))
		}
		for _, body := range s.sent {
			if !maps.Equal(body, c.want) {
				t.Errorf("sent %v, want %v", body, c.want)
			}
		}
	}
}

func TestFromEnvironment(t *testing.T) {
	env := map[string]string{"FLOW_ENDPOINT": "http://127.0.0.1:1"}
	get := func(name string) string { return env[name] }
	for _, arn := range []string{
		"", "Setup", "arn:aws:states:eu-north-1:123456789012:stateMachine:",
		"arn:aws:states:eu-north-1:123456789012:execution:a:b",
		"arn:aws:states:eu-north-1:123456789012:stateMachine:a:1", "arn:aws:sqs:eu-north-1:123456789012:stateMachine:a",
	} {
		env["STATE_MACHINE_ARN"] = arn
		if _, err := sfnflow.FromEnvironment(get); err == nil {
			t.Errorf("%q is taken for a machine", arn)
		}
	}
	for _, arn := range []string{machine, strings.Replace(machine, "aws", "aws-us-gov", 1)} {
		env["STATE_MACHINE_ARN"] = arn
		f, err := sfnflow.FromEnvironment(get)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Start(t.Context(), "one", []byte(`{}`)); !errors.Is(err, flow.ErrUnavailable) {
			t.Errorf("nobody listens: %v", err)
		}
	}
	delete(env, "FLOW_ENDPOINT")
	if _, err := sfnflow.FromEnvironment(get); err == nil {
		t.Error("no account, no error")
	}
}
