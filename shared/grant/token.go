package grant

import (
	"time"

	"earshot/shared/workspace"
)

// PrefixGrant begins the ids of grants.
const PrefixGrant = workspace.PrefixGrant

// NewID makes the id of a grant.
func NewID(now time.Time) string { return workspace.NewID(PrefixGrant, now) }

// Token is a code or a token. It is in package workspace, beside the tokens of API keys, for the kit that checks both.
type Token = workspace.GrantToken

// The kinds of tokens.
const (
	AuthorizationCode = workspace.AuthorizationCode
	AccessToken       = workspace.AccessToken
	RefreshToken      = workspace.RefreshToken
)

// NewToken draws a token of a grant. The ids of g must be valid.
func NewToken(kind workspace.GrantKind, g Grant) Token {
	return workspace.NewGrantToken(kind, g.WorkspaceID, g.MemberID, g.ID)
}

// ParseToken reads what a client sent. Only the exact form that Reveal writes is a token.
func ParseToken(text string) (Token, bool) { return workspace.ParseGrantToken(text) }
