package slack

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"earshot/shared/feed"
	"earshot/shared/port/clock"
	"earshot/shared/port/secret"
	"earshot/shared/workspace"
)

// askAgain is how long it stays known which token a workspace has, or that it has none.
const askAgain = time.Minute

// maxTokens is how many workspaces' tokens are remembered.
const maxTokens = 10_000

// errRefused is the feed.ErrSlackNotConnected of a workspace whose token Slack refuses.
var errRefused = fmt.Errorf("%w: Slack refused the token", feed.ErrSlackNotConnected)

// tokens are the workspaces' bot tokens. A token that is replaced or deleted is noticed within askAgain.
type tokens struct {
	secrets secret.Store
	clock   clock.Clock

	mu    sync.Mutex
	known map[string]token // by workspace
}

type token struct {
	value   string    // empty if there is no usable token
	refused string    // the token that Slack refused; it is tried again after until
	until   time.Time // when to read the secret again
}

// SecretName returns the name of the secret with a workspace's bot token.
func SecretName(orgID string) string {
	return "slack/" + strings.ToLower(strings.TrimPrefix(orgID, workspace.PrefixWorkspace))
}

// token returns the token of a workspace. Returns errRefused, feed.ErrSlackNotConnected, and the secrets' errors, which
// hold no token. A token that Slack refused is compared with the secret each time, so that a new one counts at once.
func (t *tokens) token(ctx context.Context, orgID string) (string, error) {
	t.mu.Lock()
	found := t.known[orgID]
	t.mu.Unlock()
	fresh := t.clock.Now().Before(found.until)
	if !fresh || found.refused != "" {
		value, err := t.read(ctx, orgID)
		switch {
		case err != nil:
			return "", err
		case fresh && value == found.refused:
			return "", errRefused
		}
		found = token{value: value, until: t.clock.Now().Add(askAgain)}
		t.keep(orgID, found)
	}
	if found.value == "" {
		return "", feed.ErrSlackNotConnected
	}
	return found.value, nil
}

// read reads a workspace's token; empty if there is none. Spaces around it were pasted with it.
func (t *tokens) read(ctx context.Context, orgID string) (string, error) {
	name := SecretName(orgID)
	secrets, err := t.secrets.Get(ctx, name)
	if err != nil {
		return "", fmt.Errorf("read a workspace's Slack token: %w", err)
	}
	if value := strings.TrimSpace(secrets[name]); isToken(value) {
		return value, nil
	}
	return "", nil
}

// isToken reports whether a header can hold a value.
func isToken(value string) bool {
	return value != "" && !strings.ContainsFunc(value, func(c rune) bool { return c <= ' ' || c > '~' })
}

// forget has a workspace's token read at its next use.
func (t *tokens) forget(orgID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.known, orgID)
}

// refuse records that Slack refused a workspace's token.
func (t *tokens) refuse(orgID, value string) {
	t.keep(orgID, token{refused: value, until: t.clock.Now().Add(askAgain)})
}

func (t *tokens) keep(orgID string, found token) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.known) >= maxTokens {
		clear(t.known)
	}
	t.known[orgID] = found
}
