package grant

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"earshot/shared/workspace"
)

// PrefixGrant begins the ids of grants.
const PrefixGrant = "grt_"

const prefixMember = "mem_"

// NewID makes the id of a grant.
func NewID(now time.Time) string { return workspace.NewID(PrefixGrant, now) }

// A Kind is what a token is for. It is the token's prefix, so that scanners for leaked secrets know it.
type Kind string

// The kinds.
const (
	AuthorizationCode Kind = "eac_"
	AccessToken       Kind = "eat_"
	RefreshToken      Kind = "ert_"
)

// A Token is a code or a token as a client sends it. It names its workspace, member and grant, so that one read of
// known rows checks it. Clients must treat it as opaque.
type Token struct {
	Kind        Kind
	WorkspaceID string
	MemberID    string
	GrantID     string
	family      [workspace.SecretBytes]byte // of a refresh token: the same in all of its family
	secret      [workspace.SecretBytes]byte
}

// encoding is that of API keys' secrets: no padding, and no character that a shell, a URL or a double click stops at.
var encoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

const idBytes = 16

// NewToken draws a token of a grant. The ids of g must be valid.
func NewToken(kind Kind, g Grant) Token {
	t := Token{Kind: kind, WorkspaceID: g.WorkspaceID, MemberID: g.MemberID, GrantID: g.ID}
	rand.Read(t.secret[:]) // never fails: it ends the program instead
	if kind == RefreshToken {
		rand.Read(t.family[:])
	}
	return t
}

// Next draws the refresh token that takes this one's place.
func (t Token) Next() Token {
	rand.Read(t.secret[:])
	return t
}

// Reveal returns the complete token, for the client that it is made for and nobody else.
func (t Token) Reveal() string {
	written := make([]byte, 0, 3*idBytes+2*workspace.SecretBytes)
	for _, id := range []string{t.WorkspaceID, t.MemberID, t.GrantID} {
		parsed := ulid.MustParseStrict(id[len(PrefixGrant):]) // all prefixes have four characters
		written = append(written, parsed[:]...)
	}
	if t.Kind == RefreshToken {
		written = append(written, t.family[:]...)
	}
	return string(t.Kind) + encoding.EncodeToString(append(written, t.secret[:]...))
}

// String hides the secret, so that a token that is printed by mistake gives nothing away.
func (t Token) String() string { return string(t.Kind) + t.GrantID + "_…" }

// ParseToken reads what a client sent. Only the exact form that Reveal writes is a token.
func ParseToken(text string) (t Token, ok bool) {
	if len(text) < len(AccessToken) {
		return Token{}, false
	}
	t.Kind = Kind(text[:len(AccessToken)])
	secrets := workspace.SecretBytes
	switch t.Kind {
	case AuthorizationCode, AccessToken:
	case RefreshToken:
		secrets *= 2
	default:
		return Token{}, false
	}
	text = strings.TrimPrefix(text, string(t.Kind))
	written, err := encoding.DecodeString(text)
	// The last character may have spare bits. Of the spellings of the same token, only one is valid.
	if err != nil || len(written) != 3*idBytes+secrets || encoding.EncodeToString(written) != text {
		return Token{}, false
	}
	for i, id := range []*string{&t.WorkspaceID, &t.MemberID, &t.GrantID} {
		prefix := []string{workspace.PrefixWorkspace, prefixMember, PrefixGrant}[i]
		*id = prefix + ulid.ULID(written[i*idBytes:(i+1)*idBytes]).String()
	}
	written = written[3*idBytes:]
	if t.Kind == RefreshToken {
		copy(t.family[:], written)
		written = written[workspace.SecretBytes:]
	}
	copy(t.secret[:], written)
	return t, true
}

// Digest returns what is stored of the secret. The secret is 256 random bits, so a plain hash cannot be searched.
func (t Token) Digest() [sha256.Size]byte { return sha256.Sum256(t.secret[:]) }

// FamilyDigest returns what is stored of the secret that all refresh tokens of a family share.
func (t Token) FamilyDigest() [sha256.Size]byte { return sha256.Sum256(t.family[:]) }

// AsKey returns an access token as the kit treats the tokens of API keys.
func (t Token) AsKey() workspace.Token { return workspace.TokenOf(t.GrantID, t.secret) }
