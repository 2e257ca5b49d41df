package slack

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"earshot/shared/feed"
)

// Names of the app's secrets, in Options.App.
const (
	ClientIDName     = "slack/client-id"
	ClientSecretName = "slack/client-secret"
)

// authorizeURL is the page of Slack on which a person installs the app (OAuth v2).
const authorizeURL = "https://slack.com/oauth/v2/authorize"

// scopes are what the bot is allowed: to list channels, and to write in those that it is in.
const scopes = "channels:read,groups:read,chat:write"

// revokePatience is how long a deletion waits for Slack to revoke the token.
const revokePatience = 5 * time.Second

// app returns the deployment's id and secret at Slack. They are read each time, so that new ones count at once. Returns
// feed.ErrNoSlackApp, and the secrets' errors.
func (s *Slack) app(ctx context.Context) (id, key string, err error) {
	if s.appSecrets == nil {
		return "", "", feed.ErrNoSlackApp
	}
	found, err := s.appSecrets.Get(ctx, ClientIDName, ClientSecretName)
	if err != nil {
		return "", "", fmt.Errorf("read Slack's app: %w", err)
	}
	id, key = strings.TrimSpace(found[ClientIDName]), strings.TrimSpace(found[ClientSecretName])
	if id == "" || key == "" {
		return "", "", feed.ErrNoSlackApp
	}
	return id, key, nil
}

// Authorize returns the page of Slack that asks a person to connect, and sends them to redirect with the state. Returns
// feed.ErrNoSlackApp, the context's own error, and the secrets' errors.
func (s *Slack) Authorize(ctx context.Context, redirect, state string) (string, error) {
	id, _, err := s.app(ctx)
	if err != nil {
		return "", err
	}
	asked := url.Values{"client_id": {id}, "scope": {scopes}, "redirect_uri": {redirect}, "state": {state}}
	return authorizeURL + "?" + asked.Encode(), nil
}

// explained holds sentences for those errors of oauth.v2.access that people can mend.
var explained = map[string]string{
	"invalid_code":      "Slack does not accept this answer any more. Start again.",
	"code_expired":      "Slack does not accept this answer any more. Start again.",
	"code_already_used": "Slack does not accept this answer any more. Start again.",

	"bad_client_secret": "Slack does not accept the app's secret of this Earshot. Its operator corrects it.",
	"invalid_client_id": "Slack does not accept the app's id of this Earshot. Its operator corrects it.",
	"bad_redirect_uri":  "Slack's app of this Earshot does not name this address. Its operator adds the redirect URL.",
}

// Connect exchanges the code that Slack sent to redirect for a bot token, and stores the token as the workspace's. Until
// then an earlier token stays. Returns *feed.SlackRefusal if Slack hands no usable token over, feed.ErrNoSlackApp, the
// context's own error, and the secrets' errors.
func (s *Slack) Connect(ctx context.Context, orgID, redirect, code string) (feed.Team, error) {
	id, key, err := s.app(ctx)
	if err != nil {
		return feed.Team{}, err
	}
	var granted struct {
		Token   string `json:"access_token"`
		Type    string `json:"token_type"`
		Expires int    `json:"expires_in"`
		Team    *struct {
			ID   string `json:"id"`
			Name string `json:"name"`
		} `json:"team"`
	}
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(id)+":"+url.QueryEscape(key)))
	asked := form(url.Values{"code": {code}, "redirect_uri": {redirect}})
	err = s.post(ctx, basic, "oauth.v2.access", asked, &granted)
	var failed *failure
	switch {
	case errors.As(err, &failed):
		if reason, known := explained[failed.code]; known {
			return feed.Team{}, &feed.SlackRefusal{Reason: reason}
		}
		return feed.Team{}, &feed.SlackRefusal{Reason: fmt.Sprintf("Slack %s. Start again.", failed.reason)}
	case err != nil:
		return feed.Team{}, err
	case granted.Expires != 0:
		return feed.Team{}, &feed.SlackRefusal{
			Reason: "Slack's app of this Earshot rotates its tokens. Its operator makes an app without token rotation.",
		}
	case granted.Team == nil:
		return feed.Team{}, &feed.SlackRefusal{
			Reason: "The app was installed for a whole organization. Start again, and choose one workspace of Slack.",
		}
	case granted.Type != "bot" || !isToken(granted.Token):
		return feed.Team{}, &feed.SlackRefusal{Reason: "Slack handed over no token of a bot. Start again."}
	}
	if err := s.writer.Put(ctx, SecretName(orgID), granted.Token); err != nil {
		return feed.Team{}, fmt.Errorf("store a workspace's Slack token: %w", err)
	}
	s.tokens.forget(orgID)
	return feed.Team{ID: granted.Team.ID, Name: granted.Team.Name}, nil
}

// Disconnect revokes a workspace's token at Slack, if Slack can be reached, and deletes it. A workspace without a token is
// no error. Returns the context's own error, and the secrets' errors.
func (s *Slack) Disconnect(ctx context.Context, orgID string) error {
	s.tokens.forget(orgID)
	s.revoke(ctx, orgID)
	err := s.writer.Delete(ctx, SecretName(orgID))
	s.tokens.forget(orgID) // another request may have read it meanwhile
	if err != nil {
		return fmt.Errorf("delete a workspace's Slack token: %w", err)
	}
	return nil
}

// revoke has Slack take a workspace's token no more (auth.revoke). It ignores failures: nobody has the token then.
func (s *Slack) revoke(ctx context.Context, orgID string) {
	ctx, cancel := context.WithTimeout(ctx, revokePatience)
	defer cancel()
	var answer struct{}
	_ = s.call(ctx, orgID, "auth.revoke", form(nil), &answer)
}
