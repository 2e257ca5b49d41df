package web

import (
	"net/http"
	"time"

	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Verified is a caller whose token is known to be good.
type Verified struct {
	key   workspace.Key
	named *workspace.Workspace // that the request's header names; nil if there is none
	token workspace.Token

	granted bool // by a person, with an access token of OAuth
}

// Allows reports whether the caller has a scope.
func (v Verified) Allows(scope workspace.Scope) bool { return v.key.Scope.Allows(scope) }

// Verify finds out by its bearer token who sent a request. It costs one read. Returns UNAUTHORIZED for a token that is
// missing, unknown, revoked or expired. No other code tells kinds of tokens apart.
func (api *API) Verify(r *http.Request) (Verified, error) {
	ctx := r.Context()
	text, ok := bearer(r.Header)
	if !ok {
		return Verified{}, problem.New(problem.Unauthorized, problem.MessageNoKey)
	}
	id, _ := organization(r.Header)
	if !workspace.ValidID(workspace.PrefixWorkspace, id) {
		id = ""
	}
	var org *workspace.Workspace
	key, token, granted, err := api.granted(ctx, text)
	if err == nil && !granted {
		if token, ok = workspace.ParseToken(text); !ok {
			return Verified{}, problem.New(
				problem.Unauthorized,
				"This is not a whole API key or access token. Copy the key again: it begins with es_key_.",
			)
		}
		key, org, err = api.credentials.Credentials(ctx, token.KeyID, id)
	}
	if err != nil {
		return Verified{}, err
	}
	if key == nil {
		key = &workspace.Key{} // compared as well, so that an unknown key takes as long as a wrong token
	}
	if !token.Opens(*key) || key.Expired(api.clock.Now()) {
		if granted {
			return Verified{}, api.expired(recordOf(ctx))
		}
		return Verified{}, problem.New(
			problem.Unauthorized,
			"The API key is unknown, revoked or expired. Create another or ask who gave it to you.",
		)
	}
	return Verified{*key, org, token, granted}, nil
}

// verified returns the caller for whom Perform calls the operation, or verifies the request.
func (api *API) verified(r *http.Request, op *Operation, record *record) (Verified, error) {
	if record.verified != nil && !op.Agency {
		return *record.verified, nil
	}
	return api.Verify(r)
}

// Enter notes for the log line of a request who sent it, when that was known, and in which workspace they act. Returns why
// they may not act in the workspace that the request names, or what is wrong with its Idempotency-Key. It serves operations
// with a protocol of their own: the kit admits no caller to them.
func Enter(r *http.Request, caller Verified) error {
	_, header := organization(r.Header)
	acting, refused := actingIn(caller.key, caller.named, &Operation{}, header)
	if record := recordOf(r.Context()); record != nil {
		record.caller.Key, record.token = caller.key, caller.token
		record.auth = time.Since(record.started)
		if refused == nil {
			record.caller.Workspace = acting
		}
	}
	if faults := inspectKey(r.Header.Values("Idempotency-Key")); refused == nil && len(faults) > 0 {
		return problem.Invalid(faults...)
	}
	return refused
}
