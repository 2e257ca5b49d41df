package workspace

import (
	"crypto/rand"
	"crypto/sha256"
)

// A LinkSecret is what makes a link good for whoever holds it: 256 random bits, kept only as their digest.
type LinkSecret struct{ secret [SecretBytes]byte }

// NewLinkSecret draws one.
func NewLinkSecret() (link LinkSecret) {
	rand.Read(link.secret[:]) // never fails: it ends the program instead
	return link
}

// ParseLinkSecret reads what stands in a link. Only the exact form that Reveal writes is one.
func ParseLinkSecret(text string) (LinkSecret, bool) {
	secret, ok := parseSecret(text)
	return LinkSecret{secret}, ok
}

// Reveal is the secret as it stands in the link, of letters and digits alone.
func (l LinkSecret) Reveal() string { return secretEncoding.EncodeToString(l.secret[:]) }

// String keeps the secret to itself, as a Token's does.
func (l LinkSecret) String() string { return "…" }

// Digest is what is kept of it.
func (l LinkSecret) Digest() [sha256.Size]byte { return sha256.Sum256(l.secret[:]) }
