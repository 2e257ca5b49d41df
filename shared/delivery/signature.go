package delivery

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"earshot/shared/feed"
)

const (
	// Overlap is how long the secret before a rotation still signs, beside the new one.
	Overlap = 24 * time.Hour
	// secretSize is a secret's size in bytes. Standard Webhooks allows 24 to 64.
	secretSize = 32
)

// A Secret signs events for one receiver.
type Secret []byte

// String returns the secret as receivers configure it: "whsec_" and base64 (Standard Webhooks, "Signature scheme").
func (s Secret) String() string { return "whsec_" + base64.StdEncoding.EncodeToString(s) }

// Secrets are those that sign at a moment.
type Secrets struct {
	Current  Secret
	Previous Secret    // before the last rotation; nil if that is longer ago than Overlap, or there was none
	Until    time.Time // when Previous ends; zero without one
}

// SecretsOf derives the secrets of an owner from the workspace's own secret (HKDF, RFC 5869). Who knows some of them can
// tell no other.
func SecretsOf(s feed.Signing, workspaceSecret []byte, owner Owner, now time.Time) (Secrets, error) {
	current, err := derive(workspaceSecret, owner, s.Rotations)
	if err != nil {
		return Secrets{}, err
	}
	all := Secrets{Current: current}
	if until := s.RotatedAt.Add(Overlap); s.Rotations > 0 && now.Before(until) {
		all.Until = until
		all.Previous, err = derive(workspaceSecret, owner, s.Rotations-1)
	}
	return all, err
}

func derive(workspaceSecret []byte, owner Owner, rotations int64) (Secret, error) {
	info := "earshot webhook " + owner.String() + " " + strconv.FormatInt(rotations, 10)
	key, err := hkdf.Key(sha256.New, workspaceSecret, nil, info, secretSize)
	if err != nil {
		return nil, fmt.Errorf("derive a signing secret: %w", err)
	}
	return key, nil
}

// A Message is a signed event, on its way to a webhook.
type Message struct {
	ID        string // the event's
	At        time.Time
	Body      []byte
	Signature string // of the header webhook-signature
}

// Sign signs an event, as of now, by each secret.
func (s Secrets) Sign(id string, now time.Time, body []byte) Message {
	signatures := []string{s.Current.sign(id, now, body)}
	if s.Previous != nil {
		signatures = append(signatures, s.Previous.sign(id, now, body))
	}
	return Message{ID: id, At: now, Body: body, Signature: strings.Join(signatures, " ")}
}

func (s Secret) sign(id string, now time.Time, body []byte) string {
	mac := hmac.New(sha256.New, s)
	_, _ = fmt.Fprintf(mac, "%s.%d.", id, now.Unix()) // a hash's writer never fails
	_, _ = mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Verify reports whether a message is signed by one of the secrets. It does not judge the message's time.
func (s Secrets) Verify(m Message) bool {
	for signature := range strings.FieldsSeq(m.Signature) {
		for _, secret := range []Secret{s.Current, s.Previous} {
			if secret != nil && hmac.Equal([]byte(signature), []byte(secret.sign(m.ID, m.At, m.Body))) {
				return true
			}
		}
	}
	return false
}
