package organization

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/port/clock"
	"earshot/shared/store"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/web/workspacewire"
	"earshot/shared/workspace"
)

// Keys keeps API keys.
type Keys interface {
	// Keys lists a workspace's keys, newest first. Returns store.ErrNotFound if there is no such workspace.
	Keys(ctx context.Context, ownerID string) ([]workspace.Key, error)
	// CreateKeyOnce stores a key, unless a request of this name made one before, and returns the stored key. Returns
	// store.ErrNotFound if there is no such workspace, store.ErrTooManyKeys and store.ErrKeyRevoked.
	CreateKeyOnce(ctx context.Context, key workspace.Key, request string) (workspace.Key, error)
	// RevokeKeyOnce revokes a key of the workspace. Returns store.ErrNotFound if the workspace has no such key, unless
	// a request of this name revoked it.
	RevokeKeyOnce(ctx context.Context, ownerID, id, request string) error
}

type keys struct {
	keys  Keys
	clock clock.Clock
}

func registerKeys(api *web.API, k keys) {
	example := APIKey{
		ID:        "key_01KAGT3E5Z7N0Q4W8R2M6Y9XJC",
		Name:      "Dashboard",
		Scope:     "read",
		CreatedAt: "2026-11-20T09:30:00.000Z",
		ExpiresAt: web.Some(Moment("2027-02-18T09:30:00.000Z")),
	}
	web.Register(api, web.Operation{
		ID: "listKeys", Method: http.MethodGet, Path: "/api/v2/org/keys", Group: Group, Scope: workspace.Admin,
		Summary:     "List the workspace's API keys, newest first",
		Description: "Expired keys are listed until they are revoked. An agency's master keys are not listed.",
		Codes:       []problem.Code{problem.OrgNotFound}, Example: APIKeyList{Data: []APIKey{example}},
	}, k.list)
	web.Register(api, web.Operation{
		ID:      "createKey",
		Method:  http.MethodPost,
		Path:    "/api/v2/org/keys",
		Group:   Group,
		Scope:   workspace.Admin,
		Secret:  true,
		Summary: "Create an API key",
		Description: "`key` is the token to send. It is shown once, because only a digest of its secret is stored. With an Idempotency-Key, " +
			"a request whose response was lost can be repeated and returns the same token.\n\n" +
			fmt.Sprintf(
				"A workspace can have %d keys, including expired ones. One more is INVALID_INPUT.",
				workspacestore.MaxKeys,
			),
		Codes:   []problem.Code{problem.InvalidInput, problem.OrgNotFound},
		Example: CreatedAPIKey{example, "es_key_01KAGT3E5Z7N0Q4W8R2M6Y9XJC_" + strings.Repeat("a", 52)},
	}, k.create)
	web.Register(api, web.Operation{
		ID: "revokeKey", Method: http.MethodDelete, Path: "/api/v2/org/keys/{id}", Group: Group, Scope: workspace.Admin,
		Summary:     "Revoke an API key",
		Description: "Every request with the revoked key gets a 401 from then on. A key may revoke itself.",
		Codes:       []problem.Code{problem.NotFound}, Example: RevokedAPIKey{OK: true},
	}, k.revoke)
}

// APIKey is a key without its secret.
type APIKey struct {
	ID        string           `json:"id"`
	Name      string           `json:"name"`
	Scope     ScopeName        `json:"scope"`
	CreatedAt Moment           `json:"createdAt"`
	ExpiresAt web.Null[Moment] `json:"expiresAt" doc:"When the key expires. null: never."`
	Expired   bool             `json:"expired"`
}

// APIKeyList is the response of the list.
type APIKeyList struct {
	Data []APIKey `json:"data"`
}

// CreatedAPIKey is a new key with its token.
type CreatedAPIKey struct {
	APIKey
	Token string `json:"key" doc:"The bearer token to send. It is not shown again."`
}

// RevokedAPIKey is the response to a revocation.
type RevokedAPIKey struct {
	OK bool `json:"ok"`
}

// CreateAPIKey is the body of a creation.
type CreateAPIKey struct {
	Name   string    `json:"name" minLength:"1" maxLength:"100"`
	Scope  ScopeName `json:"scope"`
	Expiry string    `json:"expiry" enum:"30d,90d,1y,never" doc:"How long the key is valid, from now on."`
}

// Resolve reports faults that the schema cannot express.
func (c *CreateAPIKey) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	return workspacewire.NameFaults(at, "name", c.Name)
}

// CreateAPIKeyInput holds a key to create.
type CreateAPIKeyInput struct{ Body CreateAPIKey }

// RevokeAPIKeyInput names a key.
type RevokeAPIKeyInput struct {
	ID string `path:"id" doc:"The key's id." example:"key_01KAGT3E5Z7N0Q4W8R2M6Y9XJC"`
}

func (k keys) list(ctx context.Context, _ *struct{}) (*APIKeyList, error) {
	found, err := k.keys.Keys(ctx, web.CallerOf(ctx).Workspace.ID)
	if errors.Is(err, store.ErrNotFound) {
		return nil, gone()
	}
	if err != nil {
		return nil, err
	}
	list := &APIKeyList{Data: make([]APIKey, len(found))}
	for i, key := range found {
		list.Data[i] = k.fromKey(key)
	}
	return list, nil
}

func (k keys) create(ctx context.Context, in *CreateAPIKeyInput) (*CreatedAPIKey, error) {
	w, request := web.CallerOf(ctx).Workspace, web.Repeated(ctx)
	scope, err := workspace.ParseScope(string(in.Body.Scope))
	if err != nil {
		return nil, err
	}
	now := k.clock.Now().UTC().Truncate(time.Millisecond)
	token := workspace.NewToken(now)
	if request != "" {
		token = repeatable(ctx, request, token.KeyID)
	}
	created, err := k.keys.CreateKeyOnce(
		ctx,
		workspace.Key{ID: token.KeyID, Name: strings.TrimSpace(in.Body.Name), Digest: token.Digest(), Scope: scope,
			CreatedAt: now, ExpiresAt: workspace.Expiry(in.Body.Expiry).End(now), Workspace: &w},
		request,
	)
	switch {
	case errors.Is(err, workspacestore.ErrTooManyKeys):
		return nil, problem.New(
			problem.InvalidInput, "The workspace has %d API keys, the most it can have. Revoke one that is not needed.",
			workspacestore.MaxKeys,
		)
	case errors.Is(err, workspacestore.ErrKeyRevoked):
		return nil, problem.New(
			problem.InvalidInput,
			"The key that this request created has been revoked since. Send a new Idempotency-Key to create another.",
		)
	case errors.Is(err, store.ErrNotFound):
		return nil, gone()
	case err != nil:
		return nil, err
	}
	if created.ID != token.KeyID { // a repeat of a request that died before it could respond
		token = repeatable(ctx, request, created.ID)
	}
	return &CreatedAPIKey{k.fromKey(created), token.Reveal()}, nil
}

// repeatable returns the token of a key whose secret derives from the caller's own token and the name of the request.
// Nobody without the caller's token can derive it.
func repeatable(ctx context.Context, request, keyID string) workspace.Token {
	return workspace.TokenOf(
		keyID, [workspace.SecretBytes]byte(web.Derive(ctx, "the secret of API key "+keyID+" of request "+request)),
	)
}

func (k keys) revoke(ctx context.Context, in *RevokeAPIKeyInput) (*RevokedAPIKey, error) {
	err := k.keys.RevokeKeyOnce(ctx, web.CallerOf(ctx).Workspace.ID, in.ID, web.Repeated(ctx))
	if errors.Is(err, store.ErrNotFound) {
		return nil, problem.New(
			problem.NotFound, "The workspace has no API key with this id. GET /api/v2/org/keys lists them.",
		)
	}
	if err != nil {
		return nil, err
	}
	return &RevokedAPIKey{OK: true}, nil
}

func (k keys) fromKey(key workspace.Key) APIKey {
	return APIKey{ID: key.ID, Name: key.Name, Scope: ScopeName(key.Scope.String()), CreatedAt: fromTime(key.CreatedAt),
		ExpiresAt: fromEnd(key.ExpiresAt), Expired: key.Expired(k.clock.Now())}
}
