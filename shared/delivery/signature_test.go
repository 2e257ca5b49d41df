package delivery_test

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"earshot/shared/delivery"
	"earshot/shared/feed"
)

var workspaceSecret = []byte("0123456789abcdef0123456789abcdef")

// verified reports whether the receiver's library of Standard Webhooks takes a message by a secret.
func verified(t *testing.T, secret delivery.Secret, m delivery.Message) bool {
	t.Helper()
	receiver, err := standardwebhooks.NewWebhook(secret.String())
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{}
	header.Set("webhook-id", m.ID)
	header.Set("webhook-timestamp", strconv.FormatInt(m.At.Unix(), 10))
	header.Set("webhook-signature", m.Signature)
	return receiver.VerifyIgnoringTimestamp(m.Body, header) == nil
}

func secretsOf(t *testing.T, s feed.Signing, of delivery.Owner, at time.Time) delivery.Secrets {
	t.Helper()
	secrets, err := delivery.SecretsOf(s, workspaceSecret, of, at)
	if err != nil {
		t.Fatal(err)
	}
	return secrets
}

// While a rotation is new, receivers with either secret take a message. Then only the new one does.
func TestSecrets_Rotation(t *testing.T) {
	of := delivery.OfNotification(3)
	before := secretsOf(t, feed.Signing{}, of, now)
	rotated := feed.Signing{}.Rotated(now)
	if before.Previous != nil || !before.Until.IsZero() {
		t.Errorf("%+v", before)
	}
	body := []byte(`{"type":"test"}`)
	for name, c := range map[string]struct {
		at  time.Time
		old bool
	}{"at once": {now, true}, "at the end": {now.Add(delivery.Overlap - time.Second),
		true}, "after it": {now.Add(delivery.Overlap), false}} {
		secrets := secretsOf(t, rotated, of, c.at)
		m := secrets.Sign("evt_1", c.at, body)
		if !verified(t, secrets.Current, m) || verified(t, before.Current, m) != c.old {
			t.Errorf("%s: %s", name, m.Signature)
		}
		if (secrets.Previous != nil) != c.old || secrets.Until.IsZero() == c.old {
			t.Errorf("%s: %+v", name, secrets)
		}
		m.Body = []byte(`{"type":"tesT"}`)
		if verified(t, secrets.Current, m) {
			t.Errorf("%s: another body is taken", name)
		}
	}
}

// Each owner has a secret of its own, in each workspace, of 32 bytes.
func TestSecrets_Owners(t *testing.T) {
	seen := map[string]string{}
	for name, of := range map[string]delivery.Owner{"feed 3": delivery.OfFeed(3),
		"notification 3": delivery.OfNotification(3), "alert 3": delivery.OfAlert(3),
		"feed 31": delivery.OfFeed(31)} {
		secret := secretsOf(t, feed.Signing{}, of, now).Current
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret.String(), "whsec_"))
		if other, double := seen[string(raw)]; double || err != nil || len(raw) != 32 {
			t.Errorf("%s has the secret of %s, or one of %d bytes (%v)", name, other, len(raw), err)
		}
		seen[string(raw)] = name
	}
	elsewhere, err := delivery.SecretsOf(feed.Signing{}, []byte(strings.Repeat("x", 32)), delivery.OfFeed(3), now)
	if err != nil || seen[string(elsewhere.Current)] != "" {
		t.Errorf("another workspace has the same secret (%v)", err)
	}
}

func TestOwner(t *testing.T) {
	for _, of := range []delivery.Owner{delivery.OfFeed(1), delivery.OfNotification(9_007_199_254_740_991), delivery.OfAlert(7)} {
		if got, ok := delivery.ParseOwner(of.String()); !ok || got != of {
			t.Errorf("%s is read as %v", of, got)
		}
	}
	for _, text := range []string{"", "feed", "feed/", "feed/x", "feed/01", "keyword/1", "/1", "alerts/1",
		"notification/1/", "feed/-0"} {
		if got, ok := delivery.ParseOwner(text); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
