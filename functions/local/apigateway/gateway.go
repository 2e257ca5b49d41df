// Package apigateway is a small API Gateway for the laptop. It is an http.Handler that routes like a REST API, gives
// the functions the same proxy events (payload format 1.0), and writes their answers as API Gateway does. It also
// gives API Gateway's own answers, from web.GatewayResponses, so that a client meets one envelope here and in a
// deployment.
//
// Guarantees:
//
// A path is compared and handed on as the client wrote it (a percent sign that begins no escape as "%25"). Nothing is
// cleaned, decoded or redirected. A value of the query is never split. Every request gets an event of its own. An
// answer of this package's own is always the JSON envelope. A function that crashes, hangs or answers nonsense costs
// its own request only.
//
// It serves plain HTTP to developers and tests, and never runs in a Lambda.
package apigateway

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"

	"earshot/shared/port/clock"
	"earshot/shared/web"
)

// A Handler is a function behind the gateway, as aws-lambda-go's lambda.Start takes it. It is called concurrently.
type Handler func(context.Context, events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error)

// A Route sends every method of a path to a function.
type Route struct {
	Path     string // as API Gateway writes resources: "/api/v2/mentions/{sourceId}", "/api/mcp/{proxy+}"
	Function string // its name, for the log and the function's ARN
	Handler  Handler
}

// Options are the gateway's surroundings.
type Options struct {
	Clock   clock.Clock   // what a request's time is told by
	Log     *slog.Logger  // learns of functions that failed; their causes never reach a client
	Timeout time.Duration // how long a function may take; 29 seconds, API Gateway's own limit, when zero
}

// defaultTimeout is API Gateway's integration timeout where the account has no raised quota.
const defaultTimeout = 29 * time.Second

// New makes a gateway. It panics on a table that API Gateway would refuse to deploy, because the table is written in
// code.
//
// Serve serves it. A caller with more paths must not use http.ServeMux for them, which cleans paths and redirects in
// HTML.
func New(routes []Route, options Options) http.Handler {
	if options.Clock == nil || options.Log == nil {
		panic("apigateway: Clock and Log must be given")
	}
	if options.Timeout == 0 {
		options.Timeout = defaultTimeout
	}
	return &api{table: newTable(routes), clock: options.Clock, log: options.Log, timeout: options.Timeout}
}

type api struct {
	table   table
	clock   clock.Clock
	log     *slog.Logger
	timeout time.Duration
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := uuid.NewString()
	path := rawPath(r)
	if path == "/api/v1" || strings.HasPrefix(path, "/api/v1/") {
		refuseLegacy(w, id)
		return
	}
	route, parameters, found := a.table.find(path)
	if !found {
		refuse(w, web.UnknownRoute, id)
		return
	}
	body, err := readBody(w, r)
	if err != nil {
		refuse(w, unreadable(err), id)
		return
	}
	a.call(w, r, route, newEvent(r, origin{
		id: id, route: route, path: path, parameters: parameters, body: body, at: a.clock.Now(),
	}))
}

// unreadable returns the occasion of a body that readBody does not take.
func unreadable(err error) string {
	switch {
	case errors.Is(err, errTooLarge):
		return web.TooLarge
	case errors.Is(err, errCoding):
		return web.UnsupportedType
	}
	return badRequest
}
