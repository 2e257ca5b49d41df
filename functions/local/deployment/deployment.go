// Package deployment is every Lambda of the API in one process: each function is composed as its own main composes it for
// AWS, and stands behind the paths that the OpenAPI document gives it.
//
// The programs under functions/local import it, nothing else: it links every function.
package deployment

import (
	"log/slog"

	"earshot/functions/discovery"
	"earshot/functions/local/apigateway"
	"earshot/functions/mentions"
	"earshot/shared/port/clock"
	"earshot/shared/store"
	"earshot/shared/web"
)

// Functions are the Lambdas' handlers by the functions' names.
func Functions(stored *store.Store, c clock.Clock, log *slog.Logger) map[string]apigateway.Handler {
	keyed := web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: c, Log: log}
	return map[string]apigateway.Handler{
		discovery.Group: handler(web.Options{Clock: c, Log: log}, func(api *web.API) { discovery.Register(api, discovery.Options{}) }),
		mentions.Group:  handler(keyed, func(api *web.API) { mentions.Register(api, stored) }),
	}
}

func handler(options web.Options, register func(*web.API)) apigateway.Handler {
	api := web.New(options)
	register(api)
	return apigateway.Handler(api.LambdaHandler())
}
