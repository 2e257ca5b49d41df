package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// A receiver knows the secrets of each kind of owner whose webhook leads to it, and no others.
func TestReceiver_Verifies(t *testing.T) {
	b := begin(t)
	key := b.demo.Keys.Admin
	for kind, wanted := range map[string]string{
		"feeds":         `{"name":"Told","destinations":[%s]}`,
		"notifications": `{"name":"Told","feedId":1,"destinations":[%s]}`,
		"alerts": `{"name":"Told","feedId":1,"destinations":[%s],
			"condition":{"metric":"mentions","comparison":"above","value":3,"window":"1h"}}`,
	} {
		receiver := "/_local/hooks/of-" + kind
		var made struct{ ID int64 }
		destination := fmt.Sprintf(`{"type":"WEBHOOK","webhookDestination":{"url":%q}}`, b.url+receiver)
		b.keyed(t, "POST", "/api/v2/"+kind, key, fmt.Sprintf(wanted, destination)).ok(t, &made)
		var signing struct{ Secret string }
		b.keyed(t, "GET", fmt.Sprintf("/api/v2/%s/%d/signing-secret", kind, made.ID), key, "").ok(t, &signing)
		signer, err := standardwebhooks.NewWebhook(signing.Secret)
		if err != nil {
			t.Fatal(err)
		}
		const body = `{"type":"test"}`
		now := time.Now()
		signature, err := signer.Sign("evt_1", now, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		headers := []string{
			"Webhook-Id", "evt_1", "Webhook-Timestamp", fmt.Sprint(now.Unix()), "Webhook-Signature", signature,
		}
		b.ask(t, "POST", receiver, body, headers...)
		b.ask(t, "POST", receiver, strings.ToUpper(body), headers...)
		b.ask(t, "POST", receiver+"-not", body, headers...)
		for receiver, want := range map[string]string{receiver: "[true false]", receiver + "-not": "[false]"} {
			var got struct{ Requests []struct{ Verified bool } }
			b.ask(t, "GET", receiver, "").ok(t, &got)
			var verified []bool
			for _, r := range got.Requests {
				verified = append(verified, r.Verified)
			}
			if fmt.Sprint(verified) != want {
				t.Errorf("verified at %s: %v, want %s", receiver, verified, want)
			}
		}
	}
}
