// Package slack posts to the Slacks of workspaces by Slack's Web API (https://docs.slack.dev/apis/web-api). A workspace
// connects by Slack's OAuth v2 with the deployment's app, or its operator stores a bot token. The token is the secret
// "slack/<the workspace's id in lowercase, without org_>". The bot needs the scopes channels:read, groups:read and
// chat:write.
//
// No error holds a token, nor any words of Slack beyond the names of its errors. It never repeats a request. Mains
// import it.
package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"earshot/shared/feed"
	"earshot/shared/outbound"
	"earshot/shared/port/clock"
	"earshot/shared/port/secret"
	"earshot/shared/text"
)

// Options configure a Slack.
type Options struct {
	Client  *outbound.Client
	Secrets secret.Store  // of the workspaces' tokens
	Writer  secret.Writer // of the same secrets, for Connect and Disconnect alone
	App     secret.Store  // of the app's id and secret; nil: the deployment has no app
	Clock   clock.Clock
	BaseURL string // without a slash at its end; empty for Slack's own
}

// A Slack is the Slacks of all workspaces. It is safe for concurrent use.
type Slack struct {
	client *outbound.Client
	base   string
	tokens tokens

	writer     secret.Writer
	appSecrets secret.Store
}

// New makes it.
func New(o Options) *Slack {
	return &Slack{
		client: o.Client, base: cmp.Or(o.BaseURL, "https://slack.com/api"),
		tokens: tokens{secrets: o.Secrets, clock: o.Clock, known: map[string]token{}},
		writer: o.Writer, appSecrets: o.App,
	}
}

// Bounds of a response, and of concurrent calls.
const (
	maxAnswer = 4 << 20
	patience  = 20 * time.Second // for the channels, page by page
)

// A failure is an error that Slack returned, or a missing response.
type failure struct {
	code   string        // Slack's name of the error: "channel_not_found"; empty if the response is missing or malformed
	reason string        // what Slack did, as the end of a sentence
	after  time.Duration // how long Slack asks to wait; 0 for nothing
}

func (f *failure) Error() string { return "slack: Slack " + f.reason }

// undelivered returns a failure for people, as *feed.Undelivered. Another error stays.
func undelivered(err error) error {
	var failed *failure
	if errors.As(err, &failed) {
		return &feed.Undelivered{Reason: fmt.Sprintf("Slack %s.", failed.reason), After: failed.after}
	}
	return err
}

// refused are Slack's names for a token that it does not take any more.
var refused = []string{"invalid_auth", "account_inactive", "token_revoked", "not_authed", "token_expired"}

var codePattern = text.NewPattern(`^[a-z][a-z0-9_]{0,63}$`)

// A request is the body of a call.
type request struct {
	contentType string
	body        []byte
}

func form(arguments url.Values) request {
	return request{"application/x-www-form-urlencoded", []byte(arguments.Encode())}
}

// call calls a method with a workspace's token and decodes its response into out. Returns errRefused,
// feed.ErrSlackNotConnected, *failure, the context's own error, or the error of the secrets.
func (s *Slack) call(ctx context.Context, orgID, method string, asked request, out any) error {
	bearer, err := s.tokens.token(ctx, orgID)
	if err != nil {
		return err
	}
	err = s.post(ctx, "Bearer "+bearer, method, asked, out)
	var failed *failure
	if errors.As(err, &failed) && slices.Contains(refused, failed.code) {
		s.tokens.refuse(orgID, bearer)
		return errRefused
	}
	return err
}

// post calls a method. Returns *failure and the context's own error.
func (s *Slack) post(ctx context.Context, authorization, method string, asked request, out any) error {
	header := http.Header{"Authorization": {authorization}, "Content-Type": {asked.contentType}}
	answer, err := s.client.Post(ctx, s.base+"/"+method, header, asked.body, maxAnswer)
	var unreached *outbound.Failure
	switch {
	case errors.As(err, &unreached):
		return &failure{reason: unreached.Reason}
	case err != nil:
		return fmt.Errorf("slack: %w", err)
	case answer.Status == http.StatusTooManyRequests:
		after := wait(answer.Header)
		reason := "asks to wait"
		if after > 0 {
			reason = fmt.Sprintf("asks to wait %d seconds", int(after.Seconds()))
		}
		return &failure{"ratelimited", reason, after}
	case answer.Status != http.StatusOK:
		return &failure{reason: fmt.Sprintf("answered %d", answer.Status)}
	case !answer.Whole:
		return &failure{reason: "did not send a complete answer, or sent too much"}
	}
	var said struct {
		OK    bool   `json:"ok"`
		Error string `json:"error"`
	}
	if json.Unmarshal(answer.Body, &said) != nil || said.OK && json.Unmarshal(answer.Body, out) != nil {
		return &failure{reason: "sent an answer that its documentation does not have"}
	}
	switch {
	case said.OK:
		return nil
	case !codePattern.MatchString(said.Error):
		return &failure{reason: "answered an error without a name"}
	}
	return &failure{said.Error, "answered the error " + said.Error, wait(answer.Header)}
}

// wait returns how long a response asks the caller to wait; 0 if it does not say.
func wait(header http.Header) time.Duration {
	seconds, err := strconv.Atoi(header.Get("Retry-After"))
	if err != nil || seconds <= 0 || seconds > 86_400 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
