package feed_test

import (
	"fmt"
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

func TestRemoved(t *testing.T) {
	letters := func(to ...string) feed.Destination { return feed.Destination{Type: feed.Email, Emails: to} }
	channels := func(ids ...string) feed.Destination { return feed.Destination{Type: feed.Slack, Channels: ids} }
	hook := func(url string) feed.Destination { return feed.Destination{Type: feed.Webhook, URL: url} }
	list := func(all ...feed.Destination) []feed.Destination { return all }
	other := hook("https://a.example/")
	other.Format = feed.FormatTeams
	for name, c := range map[string]struct{ had, has, want []feed.Destination }{
		"none":     {},
		"the same": {list(letters("a@x.example"), hook("u")), list(hook("u"), letters("a@x.example")), nil},
		"added":    {list(hook("u")), list(hook("u"), channels("C1")), nil},
		"whole":    {list(hook("u"), channels("C1")), nil, list(hook("u"), channels("C1"))},
		"an address": {list(letters("a@x.example", "b@x.example")), list(letters("A@x.example")),
			list(letters("b@x.example"))},
		"a channel":     {list(channels("C1", "C2")), list(channels("C3", "C2")), list(channels("C1"))},
		"a URL":         {list(hook("u")), list(hook("v")), list(hook("u"))},
		"not by format": {list(hook("https://a.example/")), list(other), nil},
	} {
		had := fmt.Sprint(c.had)
		got := feed.Removed(c.had, c.has)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: Removed = %+v, want %+v", name, got, c.want)
		}
		if fmt.Sprint(c.had) != had {
			t.Errorf("%s: Removed changed its argument", name)
		}
	}
}
