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

// askAgain is how long it stays known that a workspace has no token, or one that Slack refuses.
const askAgain = time.Minute

// maxTokens is how many workspaces' tokens are remembered.
const maxTokens = 10_000

// tokens are the workspaces' bot tokens. A token is read once per process, unless Slack refuses it.
type tokens struct {
	secrets secret.Store
	clock   clock.Clock

	mu    sync.Mutex
	known map[string]token // by workspace
}

type token struct {
	value string    // empty if there is no usable token
	until time.Time // when to read the secret again, if value is empty
}

// SecretName returns the name of the secret with a workspace's bot token.
func SecretName(orgID string) string {
	return "slack/" + strings.ToLower(strings.TrimPrefix(orgID, workspace.PrefixWorkspace))
}

// token returns the token of a workspace. Returns feed.ErrSlackNotConnected, and the secrets' errors, which hold no
// token.
func (t *tokens) token(ctx context.Context, orgID string) (string, error) {
	t.mu.Lock()
	found, asked := t.known[orgID]
	t.mu.Unlock()
	if !asked || found.value == "" && !t.clock.Now().Before(found.until) {
		name := SecretName(orgID)
		secrets, err := t.secrets.Get(ctx, name)
		if err != nil {
			return "", fmt.Errorf("read a workspace's Slack token: %w", err)
		}
		// A value that a header cannot hold is no token. Spaces around it were pasted with it.
		found = token{strings.TrimSpace(secrets[name]), t.clock.Now().Add(askAgain)}
		if strings.ContainsFunc(found.value, func(c rune) bool { return c <= ' ' || c > '~' }) {
			found.value = ""
		}
		t.keep(orgID, found)
	}
	if found.value == "" {
		return "", feed.ErrSlackNotConnected
	}
	return found.value, nil
}

// refuse records that Slack refused a workspace's token. The secret may hold another one when it is read again.
func (t *tokens) refuse(orgID string) { t.keep(orgID, token{until: t.clock.Now().Add(askAgain)}) }

func (t *tokens) keep(orgID string, found token) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.known) >= maxTokens {
		clear(t.known)
	}
	t.known[orgID] = found
}
