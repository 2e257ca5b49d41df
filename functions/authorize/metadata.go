package authorize

import (
	"context"
	"net/http"

	"earshot/shared/grant"
	"earshot/shared/web"
	"earshot/shared/workspace"
)

// ServerMetadata describes the authorization server (RFC 8414, section 2).
type ServerMetadata struct {
	Issuer             string   `json:"issuer" format:"uri"`
	Authorization      string   `json:"authorization_endpoint" format:"uri"`
	Token              string   `json:"token_endpoint" format:"uri"`
	Registration       string   `json:"registration_endpoint" format:"uri"`
	Revocation         string   `json:"revocation_endpoint" format:"uri"`
	Documentation      string   `json:"service_documentation" format:"uri"`
	Scopes             []string `json:"scopes_supported"`
	ResponseTypes      []string `json:"response_types_supported"`
	ResponseModes      []string `json:"response_modes_supported"`
	GrantTypes         []string `json:"grant_types_supported"`
	ChallengeMethods   []string `json:"code_challenge_methods_supported"`
	TokenMethods       []string `json:"token_endpoint_auth_methods_supported"`
	RevocationMethods  []string `json:"revocation_endpoint_auth_methods_supported"`
	IssuerInResponse   bool     `json:"authorization_response_iss_parameter_supported" doc:"RFC 9207"`
	ClientDocuments    bool     `json:"client_id_metadata_document_supported" doc:"A client's id may be the URL of its metadata."`
	ProtectedResources []string `json:"protected_resources" doc:"The resources that a token can be for (RFC 9728, section 4)."`
}

func metadata(issuer string) *ServerMetadata {
	m := &ServerMetadata{
		Issuer:            issuer,
		Authorization:     issuer + pathAuthorize,
		Token:             issuer + pathToken,
		Registration:      issuer + pathRegister,
		Revocation:        issuer + pathRevoke,
		Documentation:     issuer + "/api/v2/docs",
		ResponseTypes:     []string{"code"},
		ResponseModes:     []string{"query"},
		GrantTypes:        []string{grantCode, grantRefresh},
		ChallengeMethods:  []string{"S256"},
		TokenMethods:      []string{"none"},
		RevocationMethods: []string{"none"},
		IssuerInResponse:  true,
		ClientDocuments:   true,
		Scopes:            scopeNames(workspace.Admin),
	}
	for _, resource := range grant.Resources() {
		m.ProtectedResources = append(m.ProtectedResources, issuer+resource)
	}
	return m
}

func (s *server) registerMetadata(api *web.API) {
	web.Register(api, web.Operation{
		ID:           "getAuthorizationServer",
		Method:       http.MethodGet,
		Path:         "/.well-known/oauth-authorization-server",
		Group:        Group,
		Public:       true,
		ETag:         true,
		CacheControl: "public, max-age=300",
		Summary:      "Read metadata of the authorization server (RFC 8414)",
		Example:      metadata(web.ServerPlaceholder),
	}, func(ctx context.Context, _ *struct{}) (*ServerMetadata, error) { return metadata(s.issuer(ctx)), nil })
}
