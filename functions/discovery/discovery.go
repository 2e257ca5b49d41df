// Package discovery is the function that describes the API: the OpenAPI document, the page that shows it, the metadata
// of RFC 9728, and llms.txt. All of it is public, cacheable and built in advance. Only the service root comes from the
// request.
//
// The program in generate writes the document from the registrations of every function. Run "make generate" after
// changing an operation.
package discovery

import (
	"bytes"
	"cmp"
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
	return bytes.Clone(compact.Bytes()) // without the buffer's spare room, which may be as large again
})

// OpenAPI returns the document, with web.ServerPlaceholder for the service root.
func OpenAPI() []byte { return bytes.Clone(openAPI) }

// Options describe a deployment.
type Options struct {
	// Issuer is the service root as the function authorize names itself; empty: the root of each request.
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

	const wellKnown = web.ProtectedResource
	for _, resource := range []struct{ id, path, of, name string }{
		{"getApiMetadata", wellKnown + "/api/v2", "/api/v2", "REST API"},
		{"getMcpMetadata", wellKnown, "/api/mcp/v2", "MCP server"},
		{"getMcpResourceMetadata", wellKnown + "/api/mcp/v2", "/api/mcp/v2", "MCP server"}, // where clients look first
	} {
		op := public(resource.id, resource.path, "Read metadata of the "+resource.name+" (RFC 9728)")
		op.Example = metadata(web.ServerPlaceholder, resource.of, "Earshot "+resource.name)
		web.Register(api, op, func(ctx context.Context, _ *struct{}) (*ResourceMetadata, error) {
			m := metadata(cmp.Or(options.Issuer, web.BaseURL(ctx)), resource.of, "Earshot "+resource.name)
			return &m, nil
		})
	}
}

// ResourceMetadata describes a protected resource (RFC 9728, section 2).
type ResourceMetadata struct {
	Resource             string   `json:"resource" format:"uri"`
	Name                 string   `json:"resource_name"`
	Documentation        string   `json:"resource_documentation" format:"uri"`
	Scopes               []string `json:"scopes_supported"`
	BearerMethods        []string `json:"bearer_methods_supported"`
	AuthorizationServers []string `json:"authorization_servers"`
}

func metadata(root, resource, name string) ResourceMetadata {
	return ResourceMetadata{
		Resource: root + resource, Name: name, Documentation: root + "/api/v2/docs",
		Scopes: []string{"read", "write", "admin"}, BearerMethods: []string{"header"},
		AuthorizationServers: []string{root},
	}
}

// rooted puts the service root that the client sees in the place of the placeholder.
func rooted(ctx context.Context, text []byte) []byte {
	return bytes.ReplaceAll(text, []byte(web.ServerPlaceholder), []byte(web.BaseURL(ctx)))
}
