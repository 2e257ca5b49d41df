package workspace

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Scope is what a key may do. A wider scope implies the narrower ones.
type Scope int

// The scopes of the description ("Authentication", rule 3).
const (
	Read Scope = iota + 1
	Write
	Admin
)

var scopeNames = []string{Read: "read", Write: "write", Admin: "admin"}

func (s Scope) String() string { return scopeNames[s] }

// Allows reports whether a key of this scope may do what needs the other.
func (s Scope) Allows(needed Scope) bool { return s >= needed }

// ParseScope reads a scope's name.
func ParseScope(name string) (Scope, error) {
	if i := slices.Index(scopeNames, name); i >= int(Read) {
		return Scope(i), nil
	}
	return 0, fmt.Errorf("workspace: no scope %q", name)
}

// Key is an API key as stored, without its secret. It belongs to a workspace or, as a master key, to an agency. It
// carries the facts of its owner that every request needs, so that one read returns both. The store changes an owner
// and its keys together.
type Key struct {
	ID        string // key_…
	Name      string
	Digest    [sha256.Size]byte // SHA-256 of the secret
	Scope     Scope
	CreatedAt time.Time
	ExpiresAt time.Time  // zero: never
	Workspace *Workspace // the owner, or nil
	Agency    *Agency    // the owner of a master key, or nil
}

// Master reports whether the key is an agency's.
func (k Key) Master() bool { return k.Agency != nil }

// Implied returns the scopes that the scope includes, itself last.
func (s Scope) Implied() []Scope {
	scopes := make([]Scope, 0, s)
	for scope := Read; scope <= s; scope++ {
		scopes = append(scopes, scope)
	}
	return scopes
}

// Expired reports whether the key is no longer good now. It is expired at ExpiresAt itself.
func (k Key) Expired(now time.Time) bool { return !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt) }

// ActsIn reports whether the key is good now in a workspace: its own or, for a master key, any of an active agency.
func (k Key) ActsIn(w Workspace, now time.Time) bool {
	switch {
	case k.Expired(now):
		return false
	case k.Master():
		return k.Agency.Active && k.Agency.ID == w.AgencyID
	}
	return k.Workspace != nil && k.Workspace.ID == w.ID
}

// Token is what a client sends: "es_<key id>_<secret>". It is shown once, when the key is made.
type Token struct {
	KeyID  string
	secret [SecretBytes]byte
}

// SecretBytes is how many bytes a secret has.
const SecretBytes = 32

const (
	tokenPrefix = "es_"
	secretChars = (SecretBytes*8 + 4) / 5 // in base32
)

// secretEncoding has no padding and no character that a shell, a URL or a double click would stop at.
var secretEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// NewToken draws the id and the secret of a new key.
func NewToken(now time.Time) Token {
	token := Token{KeyID: NewID(PrefixKey, now)}
	rand.Read(token.secret[:]) // never fails: it ends the program instead
	return token
}

// TokenOf returns the token of a key whose secret was made elsewhere. The secret must be as hard to guess as a random
// one.
func TokenOf(keyID string, secret [SecretBytes]byte) Token {
	return Token{KeyID: keyID, secret: secret}
}

// ParseToken reads what a client sent. Only the exact form that Reveal writes is a token.
func ParseToken(text string) (Token, bool) {
	rest, ok := strings.CutPrefix(text, tokenPrefix)
	if !ok {
		return Token{}, false
	}
	at := strings.LastIndexByte(rest, '_')
	if at < 0 || !ValidID(PrefixKey, rest[:at]) {
		return Token{}, false
	}
	secret, ok := parseSecret(rest[at+1:])
	if !ok {
		return Token{}, false
	}
	return Token{rest[:at], secret}, true
}

// parseSecret reads a secret as secretEncoding writes it.
func parseSecret(text string) (secret [SecretBytes]byte, ok bool) {
	if len(text) != secretChars {
		return secret, false
	}
	decoded, err := secretEncoding.DecodeString(text)
	if err != nil || copy(secret[:], decoded) != SecretBytes {
		return [SecretBytes]byte{}, false
	}
	// The last character has spare bits. Of the spellings of the same secret, only one is valid.
	var canonical [secretChars]byte
	secretEncoding.Encode(canonical[:], secret[:])
	return secret, string(canonical[:]) == text
}

// Reveal returns the complete token, for the client that asked for the key and for nobody else.
func (t Token) Reveal() string {
	return tokenPrefix + t.KeyID + "_" + secretEncoding.EncodeToString(t.secret[:])
}

// String hides the secret, so that a token that is printed by mistake gives nothing away.
func (t Token) String() string { return tokenPrefix + t.KeyID + "_…" }

// Digest returns what is stored of the secret. The secret is 256 random bits, so a plain hash cannot be searched.
func (t Token) Digest() [sha256.Size]byte { return sha256.Sum256(t.secret[:]) }

// Derive returns 32 bytes, made of the secret for one purpose, that only a holder of the token can make.
func (t Token) Derive(purpose string) []byte {
	mac := hmac.New(sha256.New, t.secret[:])
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// Opens reports, in constant time, whether the token is this key's.
func (t Token) Opens(key Key) bool {
	digest := t.Digest()
	return subtle.ConstantTimeCompare(digest[:], key.Digest[:]) == 1
}
