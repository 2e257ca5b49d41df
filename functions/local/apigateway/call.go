package apigateway

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
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

// call asks the route's function and sends its answer, or one of the gateway's own.
//
// The function runs on the connection's goroutine: to hand a request to another one and back takes a tenth of its
// processor time. If the function takes too long, another goroutine sends the answer, and the connection ends when the
// function does. The result of such a function is lost. As on AWS a function does not learn that its client has gone:
// its context ends with the time limit only.
func (a *api) call(w http.ResponseWriter, r *http.Request, route Route, event events.APIGatewayProxyRequest) {
	ctx, cancel := context.WithTimeout(context.Background(), a.timeout)
	defer cancel()
	// Lambda numbers its invocations itself, so this id differs from API Gateway's.
	ctx = lambdacontext.NewContext(ctx, &lambdacontext.LambdaContext{
		AwsRequestID:       uuid.NewString(),
		InvokedFunctionArn: "arn:aws:lambda:" + region + ":" + accountID + ":function:" + route.Function,
	})
	id := event.RequestContext.RequestID
	refused := func(occasion, message string, cause ...any) {
		a.log.With("function", route.Function, "requestId", id).Error(message, cause...)
		refuse(w, occasion, id)
	}
	tooLong := func() {
		w.Header().Set("Connection", "close")
		refused(web.IntegrationTimeout, "the function took too long", slog.Duration("limit", a.timeout))
		flush(w)
	}
	late := make(chan struct{}) // closed once w is free again
	stop := context.AfterFunc(ctx, func() {
		defer close(late)
		tooLong()
	})
	send := func(ended outcome) {
		if !stop() {
			<-late
			return
		}
		if ctx.Err() != nil { // a context ends before it starts what comes after it: the function was quicker
			tooLong()
			return
		}
		if ended.err != nil {
			refused(web.IntegrationFailure, "the function failed",
				slog.Any("error", ended.err), slog.String("stack", string(ended.stack)))
			return
		}
		answer, err := newAnswer(ended.response)
		if err != nil {
			refused(web.IntegrationFailure, "the function's response is malformed", slog.Any("error", err))
			return
		}
		answer.compress(r)
		answer.write(w, r.Method)
	}
	returned := false
	defer func() {
		if !returned {
			send(outcome{err: errors.New("the function ended its goroutine")})
			flush(w) // net/http closes the connection of such a goroutine
		}
	}()
	ended := run(ctx, route.Handler, event)
	returned = true
	send(ended)
}

// flush sends what is written. A client that has gone is nobody's error.
func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }

// run calls the handler and returns how it ended, also if it panicked.
func run(ctx context.Context, handler Handler, event events.APIGatewayProxyRequest) (ended outcome) {
	defer func() {
		if cause := recover(); cause != nil {
			ended = outcome{err: fmt.Errorf("panic: %v", cause), stack: debug.Stack()}
		}
	}()
	response, err := handler(ctx, event)
	return outcome{response: response, err: err}
}
