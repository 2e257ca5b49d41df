package delivery

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Subscription is an address that gets an owner's mails. It is what a person can end with a link in a mail.
type Subscription struct {
	WorkspaceID string
	Owner       Owner
	Address     string
}

// maxToken bounds the tokens that are read. Those of the longest addresses are shorter.
const maxToken = 700

// Token returns the text that lets its holder end the subscription, for ever. Letters, digits and "-_." make it up. It
// is signed with a key that is derived from the workspace's secret (HKDF, RFC 5869), and names the subscription openly.
func (s Subscription) Token(workspaceSecret []byte) (string, error) {
	named := base64.RawURLEncoding.EncodeToString(
		[]byte(strings.Join([]string{s.WorkspaceID, s.Owner.String(), s.Address}, "\n")),
	)
	signature, err := unsubscribing(workspaceSecret, named)
	if err != nil {
		return "", err
	}
	return named + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

// Link returns the address of the API where a POST ends the subscription. base begins it, without a slash at its end; if it
// is empty, so is the link.
func (s Subscription) Link(base string, workspaceSecret []byte) (string, error) {
	if base == "" {
		return "", nil
	}
	token, err := s.Token(workspaceSecret)
	return base + "/api/v2/unsubscribe?token=" + token, err
}

// ParseToken reads which subscription a token names. Anyone can write such a token: trust it after Signed.
func ParseToken(token string) (s Subscription, ok bool) {
	named, _, _ := strings.Cut(token, ".")
	text, err := base64.RawURLEncoding.Strict().DecodeString(named)
	parts := strings.Split(string(text), "\n")
	if err != nil || len(token) > maxToken || len(parts) != 3 || !utf8.Valid(text) {
		return Subscription{}, false
	}
	owner, ok := ParseOwner(parts[1])
	return Subscription{parts[0], owner, parts[2]}, ok && parts[0] != "" && parts[2] != ""
}

// Signed reports whether a token is the subscription's, by the workspace's secret.
func (s Subscription) Signed(token string, workspaceSecret []byte) bool {
	want, err := s.Token(workspaceSecret)
	return err == nil && hmac.Equal([]byte(token), []byte(want))
}

func unsubscribing(workspaceSecret []byte, named string) ([]byte, error) {
	key, err := hkdf.Key(sha256.New, workspaceSecret, nil, "earshot unsubscribe", secretSize)
	if err != nil {
		return nil, fmt.Errorf("derive a key to unsubscribe: %w", err)
	}
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte(named)) // a hash's writer never fails
	return mac.Sum(nil), nil
}
