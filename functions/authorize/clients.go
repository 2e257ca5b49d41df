package authorize

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"earshot/shared/grant"
	"earshot/shared/store"
	"earshot/shared/text"
	"earshot/shared/web"
	"earshot/shared/workspace"
)

const pathRegister = "/oauth/register"

// Bounds of registration, which is open to anybody. A client that nobody approves lives a day, so there are never many.
const (
	registrationsOfAddress = 20  // an hour
	registrationsOfAll     = 200 // an hour
	unapprovedGood         = 24 * time.Hour
	approvedGood           = 90 * 24 * time.Hour // from the last approval
)

// ClientMetadata is what a client says of itself: in its metadata document, and when it registers (RFC 7591, section 2).
// Members that are not here are ignored.
type ClientMetadata struct {
	ID            string   `json:"client_id,omitempty"`
	Name          string   `json:"client_name,omitempty"`
	RedirectURIs  []string `json:"redirect_uris" maxItems:"20"`
	Method        string   `json:"token_endpoint_auth_method,omitempty"`
	GrantTypes    []string `json:"grant_types,omitempty" maxItems:"20"`
	ResponseTypes []string `json:"response_types,omitempty" maxItems:"20"`
}

// ClientRegistered is the response to a registration (RFC 7591, section 3.2.1).
type ClientRegistered struct {
	ClientMetadata
	IssuedAt int64 `json:"client_id_issued_at" doc:"Unix seconds"`
}

// check returns why no client can be made of the metadata; nil if one can.
func (m ClientMetadata) check() *OAuthError {
	switch {
	case len(m.RedirectURIs) == 0 || len(m.RedirectURIs) > grant.MaxRedirects:
		return failure(invalidRedirectURI, "redirect_uris must have 1 to %d URIs.", grant.MaxRedirects)
	case slices.ContainsFunc(m.RedirectURIs, func(uri string) bool { return !grant.ValidRedirect(uri) }):
		return failure(invalidRedirectURI, "Each redirect URI must be https, http to 127.0.0.1, [::1] or localhost, or "+
			"have a scheme of the program's own. It must have no fragment and at most %d bytes.", grant.MaxURI)
	case len(m.GrantTypes) > 0 && !slices.Contains(m.GrantTypes, grantCode):
		return failure(invalidClientMetadata, "grant_types must have %s.", grantCode)
	case len(m.ResponseTypes) > 0 && !slices.Contains(m.ResponseTypes, "code"):
		return failure(invalidClientMetadata, "response_types must have code.")
	}
	return nil
}

func (m ClientMetadata) client(id string, now time.Time, good time.Duration) grant.Client {
	return grant.Client{
		ID:           id,
		Name:         text.Cut(text.OneLine(m.Name), grant.MaxName),
		RedirectURIs: m.RedirectURIs,
		CreatedAt:    now,
		ExpiresAt:    now.Add(good),
	}
}

// client finds a client by its id. The OAuthError is for the person, and for the client's developer.
func (s *server) client(ctx context.Context, id string) (grant.Client, error) {
	registered := workspace.ValidID(grant.PrefixClient, id)
	if !registered && !grant.ValidDocumentURL(id) {
		return grant.Client{}, failure(invalidClient, "No app has this client_id. It must be an https URL of the app's "+
			"metadata, with a path and no query, or the id from a registration.")
	}
	found, err := s.Store.Client(ctx, id)
	switch {
	case err == nil:
		return found, nil
	case !errors.Is(err, store.ErrNotFound):
		return grant.Client{}, err
	case registered:
		return grant.Client{}, failure(invalidClient, "This registration of the app is unknown or expired. Connect the "+
			"app anew, so that it registers again.")
	}
	return s.fetch(ctx, id)
}

// fetch reads a client's metadata document, and stores a copy.
func (s *server) fetch(ctx context.Context, id string) (grant.Client, error) {
	document, good, err := s.Documents.Read(ctx, id)
	switch {
	case ctx.Err() != nil:
		return grant.Client{}, ctx.Err()
	case err != nil:
		return grant.Client{}, failure(invalidClient, "The app's metadata document cannot be read (%v).", err)
	}
	var m ClientMetadata
	if web.StrictJSON(document, &m) != nil {
		return grant.Client{}, failure(invalidClient, "The app's metadata document is not JSON with the members of RFC 7591.")
	}
	refused := m.check()
	switch {
	case m.ID != id:
		return grant.Client{}, failure(invalidClient,
			"The client_id in the app's metadata document is not the document's URL.")
	case m.Method != "" && m.Method != "none":
		return grant.Client{}, failure(invalidClient, "The app's metadata document asks for a token_endpoint_auth_method "+
			"other than none, which this server does not have.")
	case refused != nil:
		return grant.Client{}, failure(invalidClient, "The app's metadata document is refused: %s", refused.Description)
	}
	made := m.client(id, s.Clock.Now().UTC(), good)
	return made, s.Store.PutClient(ctx, made)
}

func (s *server) registerClients(api *web.API) {
	web.RegisterForm(api, web.Operation{
		ID:      "registerClient",
		Method:  http.MethodPost,
		Path:    pathRegister,
		Group:   Group,
		Public:  true,
		Summary: "Register an OAuth client (RFC 7591)",
		Description: "For programs without a metadata document. A client has no secret, whatever it asks for. It expires " +
			"after a day unless a person approves it, and 90 days after the last approval.",
		Takes: ClientMetadata{},
		Answers: refusals(web.Answer{
			Status: http.StatusCreated, ContentType: "application/json", Meaning: "The client, with its new id.",
			Body: ClientRegistered{ClientMetadata{
				ID: "clt_01KAGT3E5Z7N0Q4W8R2M6Y9XJC", Name: "Notebook", RedirectURIs: []string{"http://127.0.0.1/callback"},
				Method: "none", GrantTypes: []string{grantCode, grantRefresh}, ResponseTypes: []string{"code"},
			}, 1795170900},
		}, web.Answer{
			Status: http.StatusTooManyRequests, ContentType: "application/json",
			Meaning: "Too many clients registered this hour.",
			Body:    OAuthError{Code: temporarilyUnavailable, Description: "Too many clients registered this hour. Try later."},
		}),
	}, nil, s.registerClient)
}

func (s *server) registerClient(ctx context.Context, in *web.FormRequest) (*web.Bytes, error) {
	var m ClientMetadata
	if in.JSON == nil || web.StrictJSON(in.JSON, &m) != nil {
		return refuse(ctx, failure(invalidClientMetadata,
			"The body is not a JSON object with the members of RFC 7591, each once."))
	}
	if refused := m.check(); refused != nil {
		return refuse(ctx, refused)
	}
	now := s.Clock.Now().UTC()
	hour := now.Truncate(time.Hour)
	for _, window := range []struct {
		of    string
		limit int
	}{{"oauth-register#" + network(in.SourceIP), registrationsOfAddress}, {"oauth-register", registrationsOfAll}} {
		_, ok, err := s.Store.Take(ctx, window.of, hour, window.limit)
		if err != nil {
			return nil, err
		}
		if !ok {
			full := failure(temporarilyUnavailable, "Too many clients registered this hour. Try later.")
			full.status = http.StatusTooManyRequests
			return refuse(ctx, full)
		}
	}
	made := m.client(workspace.NewID(grant.PrefixClient, now), now, unapprovedGood)
	if err := s.Store.PutClient(ctx, made); err != nil {
		return nil, err
	}
	web.SetStatus(ctx, http.StatusCreated)
	return web.JSON(ClientRegistered{ClientMetadata{
		ID: made.ID, Name: made.Name, RedirectURIs: made.RedirectURIs, Method: "none",
		GrantTypes: []string{grantCode, grantRefresh}, ResponseTypes: []string{"code"},
	}, now.Unix()})
}

// network returns a name for the network that an address is in. One customer has a whole network of IPv6. The address
// itself is not stored.
func network(address string) string {
	if ip, err := netip.ParseAddr(address); err == nil {
		bits := 32
		if ip = ip.Unmap(); ip.Is6() {
			bits = 64
		}
		if prefix, err := ip.WithZone("").Prefix(bits); err == nil {
			address = prefix.String()
		}
	}
	digest := sha256.Sum256([]byte(address))
	return hex.EncodeToString(digest[:8])
}
