package apigateway

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/google/uuid"

	"earshot/shared/web"
)

// outcome is how a function ended.
type outcome struct {
	response events.APIGatewayProxyResponse
	err      error
	stack    []byte // where it panicked
}

// call asks the route's function. It returns the function's answer, or the occasion for an answer of the gateway's
// own.
//
// As on AWS the function does not learn that its client has gone: its context ends with the time limit only. A
// function that goes on after that is left alone, and its result is lost.
func (a *api) call(route Route, event events.APIGatewayProxyRequest) (answer, string) {
	ctx, cancel := context.WithTimeout(context.Background(), a.timeout)
	defer cancel()
	// Lambda numbers its invocations itself, so this id differs from API Gateway's.
	ctx = lambdacontext.NewContext(ctx, &lambdacontext.LambdaContext{
		AwsRequestID:       uuid.NewString(),
		InvokedFunctionArn: "arn:aws:lambda:" + region + ":" + accountID + ":function:" + route.Function,
	})
	failed := func(message string, cause ...any) {
		a.log.With("function", route.Function, "requestId", event.RequestContext.RequestID).Error(message, cause...)
	}

	done := make(chan outcome, 1)
	a.crew.do(func() { run(ctx, route.Handler, event, done) })
	var ended outcome
	select {
	case ended = <-done:
	case <-ctx.Done():
	}
	if ctx.Err() != nil { // also when the function ended in the same moment: it was too late
		failed("the function took too long", slog.Duration("limit", a.timeout))
		return answer{}, web.IntegrationTimeout
	}
	if ended.err != nil {
		failed("the function failed", slog.Any("error", ended.err), slog.String("stack", string(ended.stack)))
		return answer{}, web.IntegrationFailure
	}
	checked, err := newAnswer(ended.response)
	if err != nil {
		failed("the function's response is malformed", slog.Any("error", err))
		return answer{}, web.IntegrationFailure
	}
	return checked, ""
}

// run calls the handler and sends how it ended, also if it panicked or ended its goroutine.
func run(ctx context.Context, handler Handler, event events.APIGatewayProxyRequest, done chan<- outcome) {
	ended := outcome{err: errors.New("the function ended its goroutine")}
	defer func() {
		if cause := recover(); cause != nil {
			ended = outcome{err: fmt.Errorf("panic: %v", cause), stack: debug.Stack()}
		}
		done <- ended
	}()
	response, err := handler(ctx, event)
	ended = outcome{response: response, err: err}
}
