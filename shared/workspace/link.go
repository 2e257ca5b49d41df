package workspace

import (
	"crypto/rand"
	"crypto/sha256"
)

// LinkSecret authorizes anybody who has the link. It has 256 random bits, of which only the digest is stored.
type LinkSecret struct{ secret [SecretBytes]byte }

// NewLinkSecret draws a LinkSecret.
func NewLinkSecret() (link LinkSecret) {
	rand.Read(link.secret[:]) // never fails: it ends the program instead
	return link
}

// ParseLinkSecret reads the secret in a link. It accepts only the exact form that Reveal returns.
func ParseLinkSecret(text string) (LinkSecret, bool) {
	secret, ok := parseSecret(text)
	return LinkSecret{secret}, ok
}

// Reveal returns the secret as the link holds it, in letters and digits.
func (l LinkSecret) Reveal() string { return secretEncoding.EncodeToString(l.secret[:]) }

// String hides the secret, as a Token's does.
func (l LinkSecret) String() string { return "…" }

// Digest returns what is stored of the secret.
func (l LinkSecret) Digest() [sha256.Size]byte { return sha256.Sum256(l.secret[:]) }
