// Package web is the HTTP kit, which does what the contract asks of every operation alike, so that an operation is only
// one typed function. It checks a caller in a fixed order: key, scope, workspace, plan, rate, flag, input. It responds
// to every failure with the envelope of package problem, stores responses for Idempotency-Key, adds validators, timing
// and request ids, and turns API Gateway's events into requests. The OpenAPI document comes from the same
// registrations.
//
// Function packages register operations on an API. A main makes one API for each Lambda and passes it to lambda.Start.
package web

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/workspace"
)

// HourlyLimit is how many requests a workspace has in each hour of the UTC clock, over all its keys ("Limits").
const HourlyLimit = 500

// Credentials is the store of API keys and grants. One call is one round trip.
type Credentials interface {
	// Credentials reads a key and, if orgID is not empty, that workspace. Either is nil if it does not exist. Both are
	// as the last write left them: a revoked key is revoked at once.
	Credentials(ctx context.Context, keyID, orgID string) (*workspace.Key, *workspace.Workspace, error)
	// Granted returns the grant of an access token as the key that it stands for. Returns nil if the token is not good at
	// the resource. It is as the last write left it: an ended grant is ended at once.
	Granted(ctx context.Context, token workspace.GrantToken, resource string) (*workspace.Key, error)
}

// Windows is the store of the hourly counters. One call is one round trip.
type Windows interface {
	// Take counts a request in the window that began at start. If limit is reached, it returns false and counts
	// nothing. taken is the number of requests in the window, including this one. It is exact however many run at once.
	Take(ctx context.Context, orgID string, start time.Time, limit int) (taken int, ok bool, err error)
}

// Options are what an API needs. A document-only API needs none of the stores.
type Options struct {
	Credentials Credentials
	Windows     Windows
	Replays     Replays
	Clock       clock.Clock
	Log         *slog.Logger

	// Resource is what access tokens must be for, ResourceAPI or ResourceMCP of package workspace; default the REST API.
	Resource string

	// Document makes the API keep what the OpenAPI document is built from. Without it the API starts faster and
	// prepares each operation at its first request.
	Document bool
}

// API is a set of operations behind the kit. It is built at start, and then safe for concurrent use.
type API struct {
	all         *operations // nil without Options.Document
	described   []func(huma.Registry)
	mux         *http.ServeMux
	routes      []*route
	document    bool
	credentials Credentials
	limiter     limiter
	replays     Replays
	clock       clock.Clock
	log         *slog.Logger
	metering    metering
	resource    string
}

var humaPrepared sync.Once

// New makes an API without operations.
func New(options Options) *API {
	humaPrepared.Do(prepareHuma)
	api := &API{
		mux:         http.NewServeMux(),
		document:    options.Document,
		credentials: options.Credentials,
		limiter:     limiter{windows: options.Windows, seen: map[string]*window{}},
		replays:     options.Replays,
		clock:       options.Clock,
		log:         options.Log,
		resource:    cmp.Or(options.Resource, workspace.ResourceAPI),
	}
	if api.clock == nil {
		api.clock = clock.System{}
	}
	if api.log == nil {
		api.log = slog.New(slog.DiscardHandler)
	}
	api.metering = newMetering(lambdalog.StageOf(api.log))
	if api.document {
		api.all = newOperations(nil)
	}
	return api
}

// Version is that of the description which the API implements.
const Version = "2.0.0"

// operations holds the operations of one document: of all routes, or a single one, which can be prepared while others
// are served.
type operations struct {
	huma    huma.API
	adapter *adapter
}

func newOperations(described []func(huma.Registry)) *operations {
	config := huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info:    &huma.Info{Title: "Earshot", Version: Version},
			Components: &huma.Components{
				Schemas: huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer),
			},
		},
		Formats:       map[string]huma.Format{"application/json": jsonFormat()},
		DefaultFormat: "application/json",
	}
	kept := &adapter{}
	made := &operations{huma.NewAPI(config, kept), kept}
	// Huma describes the type of our errors with each operation; the document has them from the catalogue.
	config.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[failure](), reflect.TypeFor[struct{}]())
	for _, describe := range described {
		describe(config.Components.Schemas)
	}
	return made
}

// adapter keeps what huma makes of an operation, for the route to call: huma's own adapters would put it into a mux
// that redirects.
type adapter struct {
	last   http.Handler
	lastOp *huma.Operation
}

// Handle keeps the handler of the operation that is being registered.
func (a *adapter) Handle(op *huma.Operation, handle func(huma.Context)) {
	a.lastOp = op
	a.last = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handle(humago.NewContext(op, r, w)) })
}

// ServeHTTP is never called; huma's interface wants it.
func (a *adapter) ServeHTTP(http.ResponseWriter, *http.Request) {}
