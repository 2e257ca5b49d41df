package bluesky

import (
	"context"
	"encoding/json"
	"net/http"

	"earshot/shared/source/fetch"
)

// A session signs in when it first needs a token, and once more when its token is rejected. Access tokens live for
// about two hours ("Get Started", docs.bsky.app). An account may sign in 30 times in 5 minutes.
type session struct {
	api                  *fetch.Caller
	identifier, password string

	turn  chan struct{} // holds one value while a caller reads the token or signs in
	token string
}

func newSession(api *fetch.Caller, identifier, password string) *session {
	return &session{api: api, identifier: identifier, password: password, turn: make(chan struct{}, 1)}
}

func (s *session) do(ctx context.Context, request fetch.Request, out any) error {
	token, err := s.signIn(ctx, "")
	if err != nil {
		return err
	}
	err = s.with(ctx, request, token, out)
	if !refused(err) {
		return err
	}
	if token, err = s.signIn(ctx, token); err != nil {
		return err
	}
	return s.with(ctx, request, token, out)
}

func (s *session) with(ctx context.Context, request fetch.Request, token string, out any) error {
	request.Header = http.Header{"Authorization": {"Bearer " + token}}
	_, err := s.api.JSON(ctx, request, out)
	return err
}

// signIn returns a token other than the stale one. A caller that comes while another signs in waits for that token.
func (s *session) signIn(ctx context.Context, stale string) (string, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if s.token != "" && s.token != stale {
		return s.token, nil
	}
	body, err := json.Marshal(map[string]string{"identifier": s.identifier, "password": s.password})
	if err != nil {
		return "", err
	}
	var got struct {
		AccessJwt string `json:"accessJwt"`
	}
	if _, err := s.api.JSON(ctx, fetch.Request{
		Method: http.MethodPost, Path: "/xrpc/com.atproto.server.createSession",
		Header: http.Header{"Content-Type": {"application/json"}}, Body: body,
	}, &got); err != nil {
		return "", err
	}
	if got.AccessJwt == "" {
		return "", s.api.Unexpected("answered without a session")
	}
	s.token = got.AccessJwt
	return s.token, nil
}
