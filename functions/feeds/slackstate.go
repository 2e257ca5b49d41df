package feeds

import (
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"earshot/shared/store"
	"earshot/shared/workspace"
)

// Connections stores what connecting Slack needs.
type Connections interface {
	// Workspace returns store.ErrNotFound if there is none.
	Workspace(ctx context.Context, id string) (workspace.Workspace, error)
	// First records a name in a workspace, and reports whether nobody had recorded it.
	First(ctx context.Context, orgID, name string) (bool, error)
}

// stateGood is how long a state is good.
const stateGood = 10 * time.Minute

// errState means that a state is forged, expired or used.
var errState = errors.New("the state is not good")

// sealState returns a state, which only the workspace's secret can make: its id, when it ends, a nonce and the signature.
func sealState(w workspace.Workspace, ends time.Time) (string, error) {
	said := fmt.Sprintf("%s.%d.%s", w.ID, ends.Unix(), rand.Text())
	signature, err := signState(w, said)
	return said + "." + signature, err
}

// signState signs what a state says, with a key that is derived for this alone (HKDF, RFC 5869).
func signState(w workspace.Workspace, said string) (string, error) {
	key, err := hkdf.Key(sha256.New, w.Secret, nil, "earshot slack state", sha256.Size)
	if err != nil {
		return "", fmt.Errorf("derive the key of a state: %w", err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(said))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)), nil
}

// spendState returns the workspace of a state, and spends the state. Returns errState if it is forged, expired or spent.
func (s slack) spendState(ctx context.Context, state string) (workspace.Workspace, error) {
	parts := strings.Split(state, ".")
	if len(parts) != 4 || !workspace.ValidID(workspace.PrefixWorkspace, parts[0]) {
		return workspace.Workspace{}, errState
	}
	w, err := s.store.Workspace(ctx, parts[0])
	switch {
	case errors.Is(err, store.ErrNotFound):
		return workspace.Workspace{}, errState
	case err != nil:
		return workspace.Workspace{}, err
	}
	signature, err := signState(w, strings.Join(parts[:3], "."))
	if err != nil {
		return workspace.Workspace{}, err
	}
	ends, malformed := strconv.ParseInt(parts[1], 10, 64)
	if !hmac.Equal([]byte(signature), []byte(parts[3])) || malformed != nil || !s.clock.Now().Before(time.Unix(ends, 0)) {
		return workspace.Workspace{}, errState
	}
	first, err := s.store.First(ctx, w.ID, "slack state "+parts[2])
	if err == nil && !first {
		err = errState
	}
	return w, err
}
