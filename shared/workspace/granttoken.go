package workspace

import (
	"crypto/rand"
	"crypto/sha256"
	"strings"

	"github.com/oklog/ulid/v2"
)

// PrefixGrant begins the ids of grants: see package grant.
const PrefixGrant = "grt_"

const prefixMember = "mem_"

// The resources that an access token can be for, as paths below the service root. A token is good at one of them.
const (
	ResourceAPI = "/api/v2"
	ResourceMCP = "/api/mcp/v2"
)

// MostScope returns the widest scope that a member's role allows a grant.
func MostScope(admin bool) Scope {
	if admin {
		return Admin
	}
	return Write
}

// A GrantKind is what a token of a grant is for. It is the token's prefix, so that scanners for leaked secrets know it.
type GrantKind string

// The kinds.
const (
	AuthorizationCode GrantKind = "eac_"
	AccessToken       GrantKind = "eat_"
	RefreshToken      GrantKind = "ert_"
)

// A GrantToken is a code or a token as a client sends it. It names its workspace, member and grant, so that one read of
// known rows checks it. Clients must treat it as opaque.
type GrantToken struct {
	Kind        GrantKind
	WorkspaceID string
	MemberID    string
	GrantID     string
	family      [SecretBytes]byte // of a refresh token: the same in all of its family
	secret      [SecretBytes]byte
}

const idBytes = 16

// NewGrantToken draws a token of a grant, by valid ids.
func NewGrantToken(kind GrantKind, orgID, memberID, grantID string) GrantToken {
	t := GrantToken{Kind: kind, WorkspaceID: orgID, MemberID: memberID, GrantID: grantID}
	rand.Read(t.secret[:]) // never fails: it ends the program instead
	if kind == RefreshToken {
		rand.Read(t.family[:])
	}
	return t
}

// Next draws the refresh token that takes this one's place.
func (t GrantToken) Next() GrantToken {
	rand.Read(t.secret[:])
	return t
}

// Reveal returns the complete token, for the client that it is made for and nobody else.
func (t GrantToken) Reveal() string {
	written := make([]byte, 0, 3*idBytes+2*SecretBytes)
	for _, id := range []string{t.WorkspaceID, t.MemberID, t.GrantID} {
		parsed := ulid.MustParseStrict(id[len(PrefixGrant):]) // all prefixes have four characters
		written = append(written, parsed[:]...)
	}
	if t.Kind == RefreshToken {
		written = append(written, t.family[:]...)
	}
	return string(t.Kind) + secretEncoding.EncodeToString(append(written, t.secret[:]...))
}

// String hides the secret, so that a token that is printed by mistake gives nothing away.
func (t GrantToken) String() string { return string(t.Kind) + t.GrantID + "_…" }

// ParseGrantToken reads what a client sent. Only the exact form that Reveal writes is a token.
func ParseGrantToken(text string) (t GrantToken, ok bool) {
	if len(text) < len(AccessToken) {
		return GrantToken{}, false
	}
	t.Kind = GrantKind(text[:len(AccessToken)])
	secrets := SecretBytes
	switch t.Kind {
	case AuthorizationCode, AccessToken:
	case RefreshToken:
		secrets *= 2
	default:
		return GrantToken{}, false
	}
	text = strings.TrimPrefix(text, string(t.Kind))
	written, err := secretEncoding.DecodeString(text)
	// The last character may have spare bits. Of the spellings of the same token, only one is valid.
	if err != nil || len(written) != 3*idBytes+secrets || secretEncoding.EncodeToString(written) != text {
		return GrantToken{}, false
	}
	for i, id := range []*string{&t.WorkspaceID, &t.MemberID, &t.GrantID} {
		prefix := []string{PrefixWorkspace, prefixMember, PrefixGrant}[i]
		*id = prefix + ulid.ULID(written[i*idBytes:(i+1)*idBytes]).String()
	}
	written = written[3*idBytes:]
	if t.Kind == RefreshToken {
		copy(t.family[:], written)
		written = written[SecretBytes:]
	}
	copy(t.secret[:], written)
	return t, true
}

// Digest returns what is stored of the secret. The secret is 256 random bits, so a plain hash cannot be searched.
func (t GrantToken) Digest() [sha256.Size]byte { return sha256.Sum256(t.secret[:]) }

// FamilyDigest returns what is stored of the secret that all refresh tokens of a family share.
func (t GrantToken) FamilyDigest() [sha256.Size]byte { return sha256.Sum256(t.family[:]) }

// AsKey returns an access token as the kit treats the tokens of API keys.
func (t GrantToken) AsKey() Token { return TokenOf(t.GrantID, t.secret) }
