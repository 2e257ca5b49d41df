package feed_test

import (
	"testing"

	"earshot/shared/feed"
)

// To add a case, write a URL, the format that is given, and the one that is sent.
func TestSent(t *testing.T) {
	for _, c := range []struct{ url, given, sent string }{
		{"https://hooks.example.com/in", "", "standard"},
		{"https://hooks.slack.com/services/T1/B1/x", "", "slack"},
		{"https://HOOKS.SLACK.COM./services/T1/B1/x", "", "slack"},
		{"https://hooks.slack.com.evil.example/", "", "standard"},
		{"https://discord.com/api/webhooks/1/x", "", "discord"},
		{"https://notdiscord.com/api/webhooks/1/x", "", "standard"},
		{"https://prod-01.westeurope.logic.azure.com:443/workflows/x", "", "teams"},
		{"https://logic.azure.com/workflows/x", "", "standard"},
		{"https://x.environment.api.powerplatform.com/powerautomate/y", "", "teams"},
		{"https://discord.com/api/webhooks/1/x", "standard", "standard"},
		{"https://relay.example.com/x", "teams", "teams"},
		{"", "", "standard"},
		{"://", "", "standard"},
	} {
		d := feed.Destination{Type: feed.Webhook, URL: c.url, Format: feed.WebhookFormat(c.given)}
		if got := d.Sent(); string(got) != c.sent {
			t.Errorf("%s given as %q is sent as %s", c.url, c.given, got)
		}
	}
}
