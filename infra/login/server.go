package login

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/oauth2"

	"earshot/infra/client"
	"earshot/infra/exit"
	"earshot/infra/terminal"
)

// maxRead bounds a response of the authorization server.
const maxRead = 1 << 20

// server is an authorization server's metadata (RFC 8414).
type server struct {
	Issuer       string `json:"issuer"`
	Authorize    string `json:"authorization_endpoint"`
	Token        string `json:"token_endpoint"`
	Registration string `json:"registration_endpoint"`
	Revocation   string `json:"revocation_endpoint"`
}

// discover finds the authorization server of a deployment's resource (RFC 9728).
func discover(ctx context.Context, base, resource string) (found server, err error) {
	var protected struct {
		Resource string   `json:"resource"`
		Servers  []string `json:"authorization_servers"`
	}
	if err := metadata(ctx, base, "/.well-known/oauth-protected-resource"+resource, &protected); err != nil {
		return found, err
	}
	root, isResource := strings.CutSuffix(protected.Resource, resource)
	switch {
	case !isResource || len(protected.Servers) == 0:
		return found, exit.Failing(exit.Nowhere, "%s does not say where people log in: it is no Earshot", terminal.Safe(base))
	case root != base:
		return found, exit.Failing(exit.Nowhere, "the deployment at %s names itself %s. Log in there: %s",
			terminal.Safe(base), terminal.Safe(root), command(terminal.Safe(root), resource))
	}
	issuer := protected.Servers[0]
	if err := metadata(ctx, issuer, "/.well-known/oauth-authorization-server", &found); err != nil {
		return found, err
	}
	if found.Issuer != issuer {
		return found, exit.Failing(exit.Nowhere, "the authorization server at %s has another name",
			terminal.Safe(issuer))
	}
	for _, endpoint := range []string{found.Authorize, found.Token, found.Registration, found.Revocation} {
		if _, err := client.New(client.Target{Base: endpoint}); err != nil {
			return found, exit.Failing(exit.Nowhere, "the authorization server at %s has an endpoint that is not https",
				terminal.Safe(issuer))
		}
	}
	return found, nil
}

func metadata(ctx context.Context, base, path string, into any) error {
	c, err := client.New(client.Target{Base: base})
	if err != nil {
		return err
	}
	answer, err := c.Get(ctx, path)
	if err != nil {
		return err
	}
	if json.Unmarshal(answer.Body, into) != nil {
		return exit.Failing(exit.Nowhere, "%s is no metadata of OAuth: the base URL is not the root of an Earshot API", path)
	}
	return nil
}

// register makes a client of this program (RFC 7591), and returns its id.
func (s *Store) register(ctx context.Context, at server, name string) (id string, err error) {
	body, err := json.Marshal(map[string]any{
		"client_name": name, "redirect_uris": []string{registered}, "token_endpoint_auth_method": "none",
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
	})
	if err != nil {
		return "", err
	}
	var made struct {
		ID string `json:"client_id"`
	}
	if err := s.post(ctx, at.Registration, "application/json", body, &made); err != nil {
		return "", err
	}
	if made.ID == "" {
		return "", exit.Failing(exit.Failed, "the registration got no client_id")
	}
	return made.ID, nil
}

// revoke ends the grant of a login (RFC 7009). To end it twice is no error.
func (s *Store) revoke(ctx context.Context, k kept) error {
	form := url.Values{"token": {k.Refresh}, "client_id": {k.ClientID}}
	return s.post(ctx, k.Revocation, "application/x-www-form-urlencoded", []byte(form.Encode()), nil)
}

// post sends a request of OAuth, and reads its response into a value unless that is nil.
func (s *Store) post(ctx context.Context, to, kind string, body []byte, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return exit.Failing(exit.Nowhere, "an endpoint of the authorization server is no URL")
	}
	request.Header.Set("Content-Type", kind)
	request.Header.Set("Accept", "application/json")
	response, err := s.http.Do(request)
	if err != nil {
		return failure(ctx, err)
	}
	defer response.Body.Close()
	read, err := io.ReadAll(io.LimitReader(response.Body, maxRead))
	if err != nil {
		return failure(ctx, err)
	}
	if response.StatusCode/100 != 2 {
		var refused struct {
			Code        string `json:"error"`
			Description string `json:"error_description"`
		}
		_ = json.Unmarshal(read, &refused) // what is no refusal of OAuth has no code
		return refusal(response.StatusCode, refused.Code, refused.Description)
	}
	if into != nil && json.Unmarshal(read, into) != nil {
		return exit.Failing(exit.Failed, "the authorization server does not answer JSON")
	}
	return nil
}

// failure returns an error of a token request, or of a request that got no response, for the person.
func failure(ctx context.Context, err error) error {
	var refused *oauth2.RetrieveError
	var unreached *url.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &refused):
		return refusal(refused.Response.StatusCode, refused.ErrorCode, refused.ErrorDescription)
	case errors.As(err, &unreached):
		at, parseErr := url.Parse(unreached.URL)
		if parseErr != nil {
			at = &url.URL{}
		}
		return exit.Failing(exit.Nowhere, "the authorization server at %s does not answer: %s. Try again",
			terminal.Safe(at.Host), terminal.Safe(unreached.Err.Error()))
	}
	return exit.Failing(exit.Failed, "the authorization server does not answer as OAuth has it. Try again")
}

// refusal returns the error of a response that is no success.
func refusal(status int, code, description string) error {
	switch {
	case code == "":
		return exit.Failing(exit.Failed, "the authorization server answers %d, and not as OAuth has it. Try again", status)
	case status == http.StatusTooManyRequests || status >= 500:
		return exit.Failing(exit.Failed, "%s (%s)", strings.TrimSuffix(terminal.Safe(description), "."), terminal.Safe(code))
	}
	return exit.Failing(exit.Refused, "the authorization server refused: %s (%s)",
		strings.TrimSuffix(terminal.Safe(description), "."), terminal.Safe(code))
}
