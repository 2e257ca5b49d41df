// Package sfnflow implements the port flow on AWS Step Functions, as executions of one standard state machine.
//
// Step Functions keeps a name for 90 days after its execution ends. Until then it refuses the name, even with the same
// input, so the adapter looks up whether the input was the same. It needs states:StartExecution on the machine and
// states:DescribeExecution on its executions.
//
// Only mains and tests import it.
package sfnflow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"
	"github.com/aws/smithy-go"

	"earshot/shared/aws/account"
	"earshot/shared/lambdalog"
	"earshot/shared/port/flow"
	"earshot/shared/text"
)

// A Flow starts executions of one state machine.
type Flow struct {
	client  *sfn.Client
	machine string // its ARN
	prefix  string // of its executions' ARNs; the name follows
}

var _ flow.Flow = (*Flow)(nil)

// machines are the ARNs that a state machine can have.
var machines = text.NewPattern(`^(arn:[a-z-]+:states:[a-z0-9-]+:[0-9]{12}):stateMachine:([^:]+)$`)

// New makes the adapter for the machine of an ARN.
func New(client *sfn.Client, machine string) (*Flow, error) {
	parts := machines.FindStringSubmatch(machine)
	if parts == nil {
		return nil, fmt.Errorf("sfnflow: %q is no state machine's ARN", machine)
	}
	return &Flow{client, machine, parts[1] + ":execution:" + parts[2] + ":"}, nil
}

// FromEnvironment returns the adapter for the machine in the deployment's variable STATE_MACHINE_ARN. FLOW_ENDPOINT,
// for tests, names another server than AWS's. env is os.Getenv or a stand-in.
func FromEnvironment(env func(string) string) (*Flow, error) {
	asker, err := account.From(env, env("FLOW_ENDPOINT"))
	if err != nil {
		return nil, fmt.Errorf("sfnflow: %w", err)
	}
	machine := env("STATE_MACHINE_ARN")
	if machine == "" {
		return nil, errors.New("sfnflow: STATE_MACHINE_ARN is not set")
	}
	return New(NewClient(asker), machine)
}

// timeouts of one attempt. Step Functions responds within some tens of milliseconds.
var timeouts = account.Timeouts{Connect: time.Second, Response: 3 * time.Second, Attempt: 5 * time.Second}

// NewClient makes a client with up to three attempts at a request. It sends nothing before the first operation.
func NewClient(asker account.Account) *sfn.Client {
	return sfn.New(sfn.Options{
		Region:       asker.Region,
		BaseEndpoint: asker.BaseEndpoint(),
		Credentials:  asker.Credentials(),
		HTTPClient:   account.NewHTTPClient(timeouts),
		Retryer:      account.NewRetryer(),
	})
}

// Start begins an execution, as a part of the context's trace. If an attempt began an execution and its response was
// lost, the next attempt finds it running or ended.
func (f *Flow) Start(ctx context.Context, name string, input []byte) error {
	if err := flow.Check(name, input); err != nil {
		return fmt.Errorf("sfnflow: start %q: %w", name, err)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("sfnflow: start %s: %w", name, err)
	}
	text := string(input)
	request := &sfn.StartExecutionInput{StateMachineArn: &f.machine, Name: &name, Input: &text}
	if header := lambdalog.TraceHeader(ctx); header != "" {
		request.TraceHeader = &header
	}
	_, err := f.client.StartExecution(ctx, request)
	var exists *types.ExecutionAlreadyExists
	if errors.As(err, &exists) {
		return f.same(ctx, name, text)
	}
	if err != nil {
		return fmt.Errorf("sfnflow: start %s: %w", name, failed(ctx, err))
	}
	return nil
}

// same returns nil if the execution of this name was started with this input.
func (f *Flow) same(ctx context.Context, name, input string) error {
	arn := f.prefix + name
	execution, err := f.client.DescribeExecution(ctx, &sfn.DescribeExecutionInput{ExecutionArn: &arn})
	var missing *types.ExecutionDoesNotExist
	switch {
	case errors.As(err, &missing): // descriptions come a moment later
		return fmt.Errorf("sfnflow: start %s: it exists and cannot be described: %w", name, flow.ErrUnavailable)
	case err != nil:
		return fmt.Errorf("sfnflow: look up %s: %w", name, failed(ctx, err))
	case execution.Input == nil:
		return fmt.Errorf("sfnflow: look up %s: its input was left out: %w", name, flow.ErrUnavailable)
	case *execution.Input != input:
		return fmt.Errorf("sfnflow: start %s: %w", name, flow.ErrTaken)
	}
	return nil
}

// failed returns the port's error for an error of the SDK. It carries Step Functions' code for the logs, and no part of
// an input.
func failed(ctx context.Context, err error) error {
	var api smithy.APIError
	code := "no answer"
	if errors.As(err, &api) {
		code = api.ErrorCode()
	}
	var open *types.ExecutionLimitExceeded // a million and more are open
	var kms *types.KmsThrottlingException
	if errors.As(err, &open) || errors.As(err, &kms) {
		return fmt.Errorf("%s: %w", code, flow.ErrThrottled)
	}
	switch account.FailureOf(ctx, err) {
	case account.Throttled:
		return fmt.Errorf("%s: %w", code, flow.ErrThrottled)
	case account.Unavailable:
		return fmt.Errorf("%s: %w", code, flow.ErrUnavailable)
	case account.Ended:
		return ctx.Err()
	}
	return fmt.Errorf("refused: %s", code)
}
