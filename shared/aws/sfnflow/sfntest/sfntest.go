// Package sfntest runs a state machine on moto, an interpreter that others wrote, with the machine's functions in the
// test. infra/peers/stepfunctions.py starts moto and forwards each call of a function to its address.
//
// Only tests import it.
package sfntest

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"

	"earshot/shared/aws/account"
	"earshot/shared/aws/sfnflow"
	"earshot/shared/port/flow"
	"earshot/shared/proposal"
)

// Endpoint returns the interpreter's address. It skips the test if there is none.
func Endpoint(t *testing.T) string {
	t.Helper()
	endpoint := os.Getenv("FLOW_ENDPOINT")
	if endpoint == "" {
		t.Skip("FLOW_ENDPOINT is not set: no interpreter of state machines to test against (see make peers)")
	}
	return endpoint
}

// Invoke handles a call of a stage's function and returns JSON; nil is null. The context ends at the stage's limit, as
// Lambda's does. An error or a panic becomes a function error, as in Lambda's runtime for Go.
type Invoke func(ctx context.Context, stage string, payload []byte) ([]byte, error)

// A Machine is a state machine of the interpreter's.
type Machine struct {
	flow.Flow
	client *sfn.Client
	arn    string
}

// function finds where a definition has a function's ARN filled in.
var function = regexp.MustCompile(`\$\{(\w+)\}`)

// New makes a machine of a definition in the Amazon States Language. Where the definition has ${Stage}, it calls invoke
// with the stage's name in lowercase. The machine lasts as long as the test.
func New(t *testing.T, endpoint, definition string, invoke Invoke) *Machine {
	t.Helper()
	functions := httptest.NewUnstartedServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(w, r, invoke) }),
	)
	running, stop := context.WithCancel(context.Background())
	functions.Config.BaseContext = func(net.Listener) context.Context { return running }
	functions.Start()
	t.Cleanup(func() {
		stop() // a task that was given up leaves its call behind
		functions.Close()
	})
	at, err := url.Parse(functions.URL)
	if err != nil {
		t.Fatal(err)
	}
	definition = function.ReplaceAllStringFunc(definition, func(name string) string {
		return "arn:aws:lambda:us-east-1:123456789012:function:at-" + at.Port() + "-" + strings.ToLower(
			strings.Trim(name, "${}"),
		)
	})
	asker, err := account.From(func(string) string { return "" }, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	m := &Machine{client: sfnflow.NewClient(asker)}
	name, role := "test-"+rand.Text(), "arn:aws:iam::123456789012:role/setup"
	made, err := m.client.CreateStateMachine(t.Context(), &sfn.CreateStateMachineInput{
		Name: &name, Definition: &definition, RoleArn: &role, Type: types.StateMachineTypeStandard})
	if err != nil {
		t.Fatal(err)
	}
	m.arn = *made.StateMachineArn
	if m.Flow, err = sfnflow.New(m.client, m.arn); err != nil {
		t.Fatal(err)
	}
	return m
}

// ARN returns the machine's ARN, by which others start its executions.
func (m *Machine) ARN() string { return m.arn }

func answer(w http.ResponseWriter, r *http.Request, invoke Invoke) {
	payload, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	answered, err := called(r.Context(), strings.TrimPrefix(r.URL.Path, "/"), payload, invoke)
	if err != nil {
		w.Header().Set("X-Amz-Function-Error", "Unhandled")
		answered, _ = json.Marshal(map[string]string{"errorMessage": err.Error(), "errorType": "errorString"})
	}
	if answered == nil {
		answered = []byte("null")
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answered)
}

// called calls invoke and turns a panic into an error, because a function's process dies of one.
func called(ctx context.Context, stage string, payload []byte, invoke Invoke) (answered []byte, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("it panicked: %v", value)
		}
	}()
	if known, ok := proposal.FindStage(proposal.Stage(stage)); ok {
		limited, cancel := context.WithTimeout(ctx, known.Limit)
		defer cancel()
		ctx = limited
	}
	return invoke(ctx, stage, payload)
}

// Wait waits until an execution has ended, and returns its status by the port's name.
func (m *Machine) Wait(ctx context.Context, name string) (status string, err error) {
	for {
		described, err := m.describe(ctx, name)
		if err != nil {
			return "", err
		}
		if described.Status != types.ExecutionStatusRunning {
			return string(described.Status), nil
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Began reports whether there is an execution of the name.
func (m *Machine) Began(ctx context.Context, name string) (bool, error) {
	_, err := m.describe(ctx, name)
	var missing *types.ExecutionDoesNotExist
	if errors.As(err, &missing) {
		return false, nil
	}
	return err == nil, err
}

// Executions returns the names of all executions of the machine.
func (m *Machine) Executions(ctx context.Context) (names []string, err error) {
	pages := sfn.NewListExecutionsPaginator(m.client, &sfn.ListExecutionsInput{StateMachineArn: &m.arn})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, execution := range page.Executions {
			names = append(names, *execution.Name)
		}
	}
	return names, nil
}

// Stop aborts an execution.
func (m *Machine) Stop(ctx context.Context, name string) error {
	arn := m.execution(name)
	_, err := m.client.StopExecution(ctx, &sfn.StopExecutionInput{ExecutionArn: &arn})
	return err
}

// Entered counts the states that an execution has entered, by their names: of these Step Functions makes its bill.
func (m *Machine) Entered(ctx context.Context, name string) (map[string]int, error) {
	arn := m.execution(name)
	entered := map[string]int{}
	pages := sfn.NewGetExecutionHistoryPaginator(m.client, &sfn.GetExecutionHistoryInput{ExecutionArn: &arn})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, event := range page.Events {
			if event.StateEnteredEventDetails != nil {
				entered[*event.StateEnteredEventDetails.Name]++
			}
		}
	}
	return entered, nil
}

func (m *Machine) describe(ctx context.Context, name string) (*sfn.DescribeExecutionOutput, error) {
	arn := m.execution(name)
	return m.client.DescribeExecution(ctx, &sfn.DescribeExecutionInput{ExecutionArn: &arn})
}

func (m *Machine) execution(name string) string {
	return strings.Replace(m.arn, ":stateMachine:", ":execution:", 1) + ":" + name
}
