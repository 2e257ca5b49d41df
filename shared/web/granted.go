package web

import (
	"context"
	"fmt"
	"strings"

	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// ProtectedResource begins the paths of resources' metadata (RFC 9728).
const ProtectedResource = "/.well-known/oauth-protected-resource"

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

// challenge returns the header by which a client of OAuth learns what is wrong with its token, if there is one, and which
// scopes the operation needs (RFC 6750, section 3; RFC 9728, section 5.1). fault is "", "invalid_token" or
// "insufficient_scope".
func (api *API) challenge(record *record, fault string) string {
	needed := workspace.Read
	if record.route != nil {
		needed = record.route.needs()
	}
	scopes := make([]string, 0, needed)
	for _, scope := range needed.Implied() {
		scopes = append(scopes, scope.String())
	}
	if fault != "" {
		fault = fmt.Sprintf("error=%q, ", fault)
	}
	metadata := record.base + ProtectedResource + api.resource
	return fmt.Sprintf(`Bearer %sresource_metadata="%s", scope="%s"`, fault, metadata, strings.Join(scopes, " "))
}

// expired refuses an access token.
func (api *API) expired(record *record) error {
	record.setHeader("WWW-Authenticate", api.challenge(record, "invalid_token"))
	return problem.New(problem.Unauthorized, "The access token is unknown, revoked, expired or for another resource. "+
		"Refresh it, or ask the person again.")
}

// short refuses an access token whose scope is too small for the record's operation, which needs a scope.
func (api *API) short(record *record, needed workspace.Scope) error {
	record.setHeader("WWW-Authenticate", api.challenge(record, "insufficient_scope"))
	return problem.New(problem.Forbidden,
		"This operation needs the scope %s, and this token has less. Ask the person for that scope.", needed)
}
