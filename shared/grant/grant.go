// Package grant is the domain of OAuth: what a person lets a program do in a workspace, the program (a Client), and the
// tokens that the program gets. It holds rules and values only; shared/store/authstore stores them.
//
// A Grant is also the family of its refresh tokens: to delete it ends all its tokens at the next request.
//
// The functions authorize and organization import it, and authstore. What the kit needs of tokens is in package workspace.
package grant

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"time"

	"earshot/shared/workspace"
)

// How long things are good.
const (
	CodeGood    = time.Minute         // a code, from consent to the token request
	AccessGood  = time.Hour           // an access token
	RefreshGood = 30 * 24 * time.Hour // a refresh token, and its grant, which each refresh renews
	RequestGood = 10 * time.Minute    // an authorization request, from the client's link to consent
)

// The resources that a token can be for.
const (
	ResourceAPI = workspace.ResourceAPI
	ResourceMCP = workspace.ResourceMCP
)

// Resources returns all resources.
func Resources() []string { return []string{ResourceMCP, ResourceAPI} }

// A Grant is what a member of a workspace lets a client do.
type Grant struct {
	ID          string // grt_…
	WorkspaceID string
	MemberID    string // mem_…
	AccountID   string // the directory's
	Email       string // the member's, for admins who look at grants
	ClientID    string
	ClientName  string
	Scope       workspace.Scope
	Resource    string // one of Resources
	CreatedAt   time.Time
	UsedAt      time.Time // when it last got tokens
	ExpiresAt   time.Time // unless it gets tokens before
}

// A Code is what a client exchanges for the first tokens of a grant.
type Code struct {
	RedirectURI string
	Challenge   string // PKCE, S256
	ExpiresAt   time.Time
	// Sealed is the code itself, enciphered for the browser in which the person approved; nil: nobody can read it again.
	Sealed []byte
}

// ValidVerifier reports whether a text has the form of a PKCE verifier (RFC 7636, section 4.1).
func ValidVerifier(text string) bool {
	if len(text) < 43 || len(text) > 128 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && c != '-' && c != '.' && c != '_' && c != '~' {
			return false
		}
	}
	return true
}

// ValidChallenge reports whether a text has the form of an S256 challenge (RFC 7636, section 4.2).
func ValidChallenge(text string) bool {
	decoded, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return err == nil && len(decoded) == sha256.Size
}

// Challenge returns the S256 challenge of a verifier.
func Challenge(verifier string) string {
	digest := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(digest[:])
}

// Proves reports, in constant time, whether a verifier is a challenge's.
func Proves(verifier, challenge string) bool {
	return ValidVerifier(verifier) && subtle.ConstantTimeCompare([]byte(Challenge(verifier)), []byte(challenge)) == 1
}
