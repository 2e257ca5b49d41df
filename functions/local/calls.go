package main

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"earshot/functions/local/apigateway"
)

// callPatience is how long the end of the program waits for functions that outlive the server: those still running
// when their client's time was up.
const callPatience = 2 * time.Second

// calls counts what is running, so that the tables are not closed under it. After its end nothing begins.
type calls struct {
	mu      sync.Mutex
	running int
	ended   bool
	idle    chan struct{} // closed when the last one ends, once ended
}

func (c *calls) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return false
	}
	c.running++
	return true
}

func (c *calls) done() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running--; c.ended && c.running == 0 {
		close(c.idle)
	}
}

// end lets nothing begin any more. It reports whether all calls ended within the patience.
func (c *calls) end(patience time.Duration) bool {
	c.mu.Lock()
	c.ended, c.idle = true, make(chan struct{})
	if c.running == 0 {
		close(c.idle)
	}
	c.mu.Unlock()
	select {
	case <-c.idle:
		return true
	case <-time.After(patience):
		return false
	}
}

// handler counts the requests of a handler. A request after the end gets no answer.
func (c *calls) handler(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !c.begin() {
			panic(http.ErrAbortHandler)
		}
		defer c.done()
		inner.ServeHTTP(w, r)
	})
}

var errEnded = errors.New("the workbench is stopping")

// functions counts the calls of functions, which may outlive their requests.
func (c *calls) functions(inner map[string]apigateway.Handler) map[string]apigateway.Handler {
	counted := make(map[string]apigateway.Handler, len(inner))
	for name, function := range inner {
		counted[name] = func(ctx context.Context, event events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
			if !c.begin() {
				return events.APIGatewayProxyResponse{}, errEnded
			}
			defer c.done()
			return function(ctx, event)
		}
	}
	return counted
}
