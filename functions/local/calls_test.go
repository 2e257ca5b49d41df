package main

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"earshot/functions/local/apigateway"
)

func TestCalls(t *testing.T) {
	running, release := &calls{}, make(chan struct{})
	entered := make(chan struct{})
	functions := running.functions(map[string]apigateway.Handler{
		"f": func(context.Context, events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
			close(entered)
			<-release
			return events.APIGatewayProxyResponse{}, nil
		},
	})
	go functions["f"](t.Context(), events.APIGatewayProxyRequest{})
	<-entered
	if running.end(time.Millisecond) {
		t.Error("it does not wait for a function")
	}
	if _, err := functions["f"](t.Context(), events.APIGatewayProxyRequest{}); !errors.Is(err, errEnded) {
		t.Errorf("a function begins after the end: %v", err)
	}
	func() {
		defer func() {
			if recover() != http.ErrAbortHandler {
				t.Error("a request begins after the end")
			}
		}()
		running.handler(http.NotFoundHandler()).ServeHTTP(nil, nil)
	}()
	close(release)
	if !running.end(patience) {
		t.Error("it has not ended")
	}
}
