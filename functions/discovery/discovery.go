// Package discovery is the function that describes the API: the OpenAPI document, the page that shows it, the metadata
// of RFC 9728, and llms.txt. All of it is public, cacheable and built in advance. Only the service root comes from the
// request.
//
// The program in generate writes the document from the registrations of every function. Run "make generate" after
// changing an operation.
package discovery

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"net/http"
	"sync"

	"earshot/shared/web"
	"earshot/shared/web/problem"
)

// Group names the function, its tag and its folder.
const Group = "discovery"

// cacheControl lets any cache keep a response for five minutes and revalidate it by its ETag.
const cacheControl = "public, max-age=300"

//go:embed openapi.json
var openAPI []byte

//go:embed llms.txt
var llms []byte

// compactOpenAPI returns the document without white space, which is two fifths of it.
var compactOpenAPI = sync.OnceValue(func() []byte {
	var compact bytes.Buffer
	if err := json.Compact(&compact, openAPI); err != nil {
		panic("discovery: openapi.json is not JSON: " + err.Error()) // generated and tested
	}
	return compact.Bytes()
})

// OpenAPI returns the document, with web.ServerPlaceholder for the service root.
func OpenAPI() []byte { return bytes.Clone(openAPI) }

// Options describe a deployment.
type Options struct {
	// Issuer is the OAuth authorization server of the MCP server; empty if there is none.
	Issuer string
	// StaticURL is the origin that serves the page's files, such as https://files.example; empty if this function does.
	StaticURL string
}

// Register adds the function's operations.
func Register(api *web.API, options Options) {
	public := func(id, path, summary string, codes ...problem.Code) web.Operation {
		return web.Operation{ID: id, Method: http.MethodGet, Path: path, Group: Group, Summary: summary,
			Public: true, ETag: true, CacheControl: cacheControl, Codes: codes}
	}
	document := public("getOpenApi", "/api/v2/openapi.json", "Read this document")
	document.ContentType = "application/json"
	web.RegisterBytes(api, document, func(ctx context.Context, _ *struct{}) (*web.Bytes, error) {
		return &web.Bytes{ContentType: "application/json", Body: rooted(ctx, compactOpenAPI())}, nil
	})

	registerPage(api, options, public)

	short := public("getLlmsTxt", "/llms.txt", "Describe the API for a language model")
	short.ContentType = "text/plain"
	web.RegisterBytes(api, short, func(ctx context.Context, _ *struct{}) (*web.Bytes, error) {
		return &web.Bytes{ContentType: "text/plain; charset=utf-8", Body: rooted(ctx, llms)}, nil
	})

	ofAPI := public(
		"getApiMetadata", "/.well-known/oauth-protected-resource/api/v2", "Read metadata of this API (RFC 9728)",
	)
	ofAPI.Example = metadata(web.ServerPlaceholder, "/api/v2", "Earshot REST API", "")
	web.Register(api, ofAPI, func(ctx context.Context, _ *struct{}) (*ResourceMetadata, error) {
		m := metadata(web.BaseURL(ctx), "/api/v2", "Earshot REST API", "")
		return &m, nil
	})
	ofMCP := public(
		"getMcpMetadata", "/.well-known/oauth-protected-resource", "Read metadata of the MCP server (RFC 9728)",
	)
	ofMCP.Example = metadata(web.ServerPlaceholder, "/api/mcp/v2", "Earshot MCP server", "https://issuer.example")
	web.Register(api, ofMCP, func(ctx context.Context, _ *struct{}) (*ResourceMetadata, error) {
		m := metadata(web.BaseURL(ctx), "/api/mcp/v2", "Earshot MCP server", options.Issuer)
		return &m, nil
	})
}

// ResourceMetadata describes a protected resource (RFC 9728, section 2).
type ResourceMetadata struct {
	Resource             string   `json:"resource" format:"uri"`
	Name                 string   `json:"resource_name"`
	Documentation        string   `json:"resource_documentation" format:"uri"`
	Scopes               []string `json:"scopes_supported"`
	BearerMethods        []string `json:"bearer_methods_supported"`
	AuthorizationServers []string `json:"authorization_servers,omitempty"`
}

func metadata(base, resource, name, issuer string) ResourceMetadata {
	m := ResourceMetadata{
		Resource: base + resource, Name: name, Documentation: base + "/api/v2/docs",
		Scopes: []string{"read", "write", "admin"}, BearerMethods: []string{"header"},
	}
	if issuer != "" {
		m.AuthorizationServers = []string{issuer}
	}
	return m
}

// rooted puts the service root that the client sees in the place of the placeholder.
func rooted(ctx context.Context, text []byte) []byte {
	return bytes.ReplaceAll(text, []byte(web.ServerPlaceholder), []byte(web.BaseURL(ctx)))
}
