package reddit

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
)

// A session signs the application in when it first needs a token, and once more when its token is rejected. A token
// lives for a day ("OAuth2", github.com/reddit-archive/reddit/wiki).
type session struct {
	signIn, api *fetch.Caller
	id, secret  string

	turn  chan struct{} // holds one value while a caller reads or renews the token
	token string
}

func (s *session) do(ctx context.Context, request fetch.Request, out any) (fetch.Response, error) {
	token, fresh, err := s.fetch(ctx, "")
	if err != nil {
		return fetch.Response{}, err
	}
	response, err := s.with(ctx, request, token, out)
	if fresh || !refused(err) {
		return response, err
	}
	if token, _, err = s.fetch(ctx, token); err != nil {
		return fetch.Response{}, err
	}
	return s.with(ctx, request, token, out)
}

func (s *session) with(ctx context.Context, request fetch.Request, token string, out any) (fetch.Response, error) {
	request.Header = http.Header{"Authorization": {"Bearer " + token}}
	return s.api.JSON(ctx, request, out)
}

// fetch returns a token other than the stale one, and whether it is new. A caller that comes while another signs in
// waits for that token, as long as its context lasts.
func (s *session) fetch(ctx context.Context, stale string) (token string, fresh bool, err error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return "", false, ctx.Err()
	}
	if s.token != "" && s.token != stale {
		return s.token, false, nil
	}
	var got struct {
		Token string `json:"access_token"`
	}
	basic := base64.StdEncoding.EncodeToString([]byte(s.id + ":" + s.secret))
	if _, err := s.signIn.JSON(ctx, fetch.Request{
		Method: http.MethodPost, Path: "/api/v1/access_token", Body: []byte("grant_type=client_credentials"),
		Header: http.Header{"Authorization": {"Basic " + basic}, "Content-Type": {"application/x-www-form-urlencoded"}},
	}, &got); err != nil {
		return "", false, err
	}
	if got.Token == "" {
		return "", false, s.signIn.Unexpected("answered without a token")
	}
	s.token = got.Token
	return s.token, true, nil
}

func refused(err error) bool {
	var unavailable *source.Unavailable
	return errors.As(err, &unavailable) && unavailable.Refused
}
