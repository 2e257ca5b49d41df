package web

import (
	"context"
	"fmt"
	"strings"

	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// wellKnown begins the paths of resources' metadata (RFC 9728).
const wellKnown = "/.well-known/oauth-protected-resource"

// granted returns the key that an access token stands for, and the token as the kit treats those of keys. ok is false if
// the text is no access token.
func (api *API) granted(ctx context.Context, text string) (key *workspace.Key, token workspace.Token, ok bool, err error) {
	access, ok := workspace.ParseGrantToken(text)
	if !ok || access.Kind != workspace.AccessToken {
		return nil, workspace.Token{}, false, nil
	}
	key, err = api.credentials.Granted(ctx, access, api.resource)
	return key, access.AsKey(), true, err
}

// challenge sets the header by which a client of OAuth learns what is wrong with its token (RFC 6750, section 3).
func (api *API) challenge(record *record, parameters string) {
	metadata := record.base + wellKnown + api.resource
	record.setHeader("WWW-Authenticate", fmt.Sprintf(`Bearer %s, resource_metadata="%s"`, parameters, metadata))
}

// expired refuses an access token.
func (api *API) expired(record *record) error {
	api.challenge(record, `error="invalid_token"`)
	return problem.New(problem.Unauthorized, "The access token is unknown, revoked, expired or for another resource. "+
		"Refresh it, or ask the person again.")
}

// short refuses an access token whose scope is too small. The challenge names the scopes that the operation needs.
func (api *API) short(record *record, needed workspace.Scope) error {
	names := make([]string, 0, needed)
	for _, scope := range needed.Implied() {
		names = append(names, scope.String())
	}
	api.challenge(record, fmt.Sprintf(`error="insufficient_scope", scope="%s"`, strings.Join(names, " ")))
	return problem.New(problem.Forbidden,
		"This operation needs the scope %s, and this token has less. Ask the person for that scope.", needed)
}
