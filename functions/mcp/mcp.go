// Package mcp is the function of the MCP server at /api/mcp/v2: the Model Context Protocol over streamable HTTP,
// without sessions and streams. A tool calls operations of the REST API in the same process. Scopes, plans, quotas,
// rate limits, errors, idempotency and logs are therefore those of REST.
//
// The program in generate writes the tools' schemas from the OpenAPI document. Run "make generate" after changing an
// operation or a tool.
package mcp

import (
	"context"
	"net/http"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"earshot/shared/web"
	"earshot/shared/web/problem"
)

// Group names the function, its tag and its folder.
const Group = "mcp"

// Path is the path of the server.
const Path = "/api/mcp/v2"

// Groups are the functions whose operations the tools call.
var Groups = []string{
	"mentions", "keywords", "suggestions", "feeds", "organization", "filters", "analytics", "search", "setup",
}

// Revisions are the revisions of the protocol that the server speaks, newest first.
var Revisions = []string{newestRevision, "2025-11-25", "2025-06-18"}

// newestRevision is the first revision without initialize. It asks for headers that repeat the body.
const newestRevision = "2026-07-28"

// Options configure the function. A document-only API needs none of them.
type Options struct {
	// Operations returns the API that the tools call. The first call of a tool asks for it.
	Operations func() *web.API
	// Verify finds out who sent a request. Returns UNAUTHORIZED for a token that is not good here. Nil verifies API
	// keys, as REST does, and access tokens for the resource of the API that has the endpoint.
	Verify func(*http.Request) (web.Verified, error)
	// Host is the host that requests must name, with its port if it has one. Empty is the gateway's own domain name.
	Host string
	// Extra adds tools that call no operation. The conformance suite wants some: see infra/peers/fixture.
	Extra func(*sdk.Server)
}

// server serves the MCP endpoint.
type server struct {
	Options
	// The SDK's servers, each made for the first message that needs it: for calls of tools, and for other messages. To
	// add the tools takes 0.6 ms of a process that has just started, and only calls need them.
	calls, others func() http.Handler
}

// Register adds the endpoint.
func Register(api *web.API, o Options) {
	s := &server{Options: o}
	if o.Operations != nil {
		if s.Verify == nil {
			s.Verify = api.Verify // of the tokens' resource, which is not that of the operations
		}
		s.calls = sync.OnceValue(func() http.Handler { return newProtocol(o.Extra, tools) })
		s.others = sync.OnceValue(func() http.Handler { return newProtocol(o.Extra, nil) })
	}
	web.HandleRaw[request, refusal](api, web.Operation{
		ID:      "callMcp",
		Method:  http.MethodPost,
		Path:    Path,
		Group:   Group,
		Summary: "Send a message to the MCP server",
		Description: "The Model Context Protocol, revisions 2026-07-28, 2025-11-25 and 2025-06-18, over streamable HTTP: " +
			"one JSON-RPC message in a body, one JSON response, no session, no stream and no batch. Tools have the " +
			"scopes of their operations. A call that needs a larger scope is a 403 whose WWW-Authenticate names it. " +
			"Messages that are not valid in the protocol get a JSON-RPC error.",
		Agents: true,
		Reads:  true,
		// A message that calls no tool is free.
		Uncounted: true,
		Codes:     []problem.Code{problem.MethodNotAllowed},
		Answers: []web.Answer{
			{
				Status:      http.StatusOK,
				ContentType: "application/json",
				Meaning:     "The response to a request, which may be a JSON-RPC error.",
				Body:        map[string]any{"jsonrpc": "2.0", "id": 1, "result": map[string]any{"tools": []any{}}},
			},
			{Status: http.StatusAccepted, Meaning: "A notification was taken."},
		},
	}, s.serve)
}

func about() *sdk.Implementation {
	return &sdk.Implementation{Name: "earshot", Title: "Earshot", Version: web.Version}
}

// newProtocol makes a server of the SDK that calls the given tools, and those that extra adds. It lists all.
func newProtocol(extra func(*sdk.Server), called []tool) http.Handler {
	protocol := sdk.NewServer(about(), &sdk.ServerOptions{
		Instructions: instructions,
		PageSize:     4 * maxTools, // one page, also with extra tools
		// Without these, the SDK announces logs and notifications that a server without sessions cannot send.
		Capabilities:              &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		SupportedProtocolVersions: Revisions,
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) {
			c.TTLMs, c.CacheScope = listTTL, listScope
		},
	})
	protocol.AddReceivingMiddleware(onlyTools, described)
	if extra == nil {
		protocol.AddReceivingMiddleware(knownTool)
	}
	for _, t := range called {
		protocol.AddTool(t.named(), t.handle)
	}
	if extra != nil {
		extra(protocol)
	}
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return protocol },
		&sdk.StreamableHTTPOptions{
			Stateless:                  true,
			JSONResponse:               true,
			DisableLocalhostProtection: true, // the server's own check is stricter
		})
}

// listTTL is how many milliseconds a client may keep the list of tools, which changes with a deployment, and listScope
// who may keep it.
const (
	listTTL   = 300_000
	listScope = "public"
)
