package login

import (
	"context"
	"errors"
	"time"

	"golang.org/x/oauth2"

	"earshot/infra/exit"
)

// Token returns a good access token of the login at a deployment, and refreshes it if need be. refused is empty, or the
// token that the server has just refused, which is then refreshed whatever its age. base is normalized as client.New
// does. Returns ErrNone if nobody is logged in. If the server has ended the login, its file is removed.
func (s *Store) Token(ctx context.Context, base, resource, refused string) (string, error) {
	k, err := s.read(base, resource)
	if err != nil {
		return "", err
	}
	if k.good(s.now(), refused) {
		return k.Access, nil
	}
	release, err := s.lock(ctx, base, resource)
	if err != nil {
		return "", err
	}
	defer release()
	if k, err = s.read(base, resource); err != nil { // another process may have logged out, or refreshed
		return "", err
	}
	if k.good(s.now(), refused) {
		return k.Access, nil
	}
	return s.refresh(ctx, k)
}

// refresh spends the refresh token. The next one is on the disk before the new access token is used. A signal does not
// end it midway, because the server may have spent the refresh token already. The caller holds the lock.
func (s *Store) refresh(ctx context.Context, k kept) (string, error) {
	next, err := s.draft(k.Base, k.Resource)
	if err != nil {
		return "", err
	}
	if err := ctx.Err(); err != nil {
		next.discard()
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTime)
	defer cancel()
	config := oauth2.Config{
		ClientID: k.ClientID, Endpoint: oauth2.Endpoint{TokenURL: k.Token, AuthStyle: oauth2.AuthStyleInParams},
	}
	old := &oauth2.Token{RefreshToken: k.Refresh, Expiry: time.Unix(1, 0)}
	token, err := config.TokenSource(context.WithValue(ctx, oauth2.HTTPClient, s.http), old).Token()
	if err != nil {
		next.discard()
		var refused *oauth2.RetrieveError
		if errors.As(err, &refused) && refused.ErrorCode == "invalid_grant" {
			return "", errors.Join(ended(k.Base, k.Resource), s.remove(k.Base, k.Resource))
		}
		return "", failure(ctx, err)
	}
	k = k.with(token, s.now())
	if err := next.save(k); err != nil {
		return "", errors.Join(err, s.revoke(ctx, k)) // its next tokens would be known to nobody
	}
	return k.Access, nil
}

// with returns the login with its next tokens.
func (k kept) with(token *oauth2.Token, now time.Time) kept {
	k.Access, k.Refresh = token.AccessToken, token.RefreshToken
	k.ExpiresAt = now.Add(time.Duration(token.ExpiresIn) * time.Second).UTC()
	if scope, ok := token.Extra("scope").(string); ok {
		k.Scope = scope
	}
	return k
}

// Logout ends the login at a deployment and removes its file. Returns ErrNone if there is none. While the server cannot
// be reached, the file stays.
func (s *Store) Logout(ctx context.Context, base, resource string) error {
	if _, err := s.read(base, resource); errors.Is(err, ErrNone) {
		return err
	}
	release, err := s.lock(ctx, base, resource)
	if err != nil {
		return err
	}
	defer release()
	k, err := s.read(base, resource)
	switch {
	case errors.Is(err, ErrNone):
		return err
	case err != nil: // what cannot be read cannot be revoked
		return errors.Join(err, s.remove(base, resource))
	}
	if err := s.revoke(ctx, k); err != nil {
		if ctx.Err() != nil {
			return err
		}
		return exit.Failing(exit.StatusOf(err), "%w. The login stays. To forget it without the server, remove %s: an admin "+
			"can then end its grant by DELETE /api/v2/org/grants/{id}", err, s.path(base, resource))
	}
	return s.remove(base, resource)
}
