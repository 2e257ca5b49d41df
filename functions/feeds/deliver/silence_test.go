package deliver_test

import (
	"slices"
	"strings"
	"testing"

	"earshot/shared/delivery"
	"earshot/shared/feed"
)

// Addresses that do not want mails get none. The others do, each with its own link to unsubscribe.
func TestMail_SilencedAddresses(t *testing.T) {
	const one, two = "a@northwind.example", "B@northwind.example"
	for name, c := range map[string]struct {
		unsubscribed, bounced []string
		enabled               bool
		want                  []string
		status                delivery.Status
		reason                string
		inUse                 bool
	}{
		"none": {want: []string{one, two}, status: delivery.Delivered, inUse: true},
		"one has unsubscribed": {
			unsubscribed: []string{one},
			want:         []string{two},
			status:       delivery.Delivered,
			reason:       "emails[0]: Unsubscribed.",
			inUse:        true,
		},
		"one bounced": {
			bounced: []string{"b@Northwind.example"}, want: []string{one}, status: delivery.Delivered,
			reason: "emails[1]: Bounced for good.", inUse: true,
		},
		"all have unsubscribed": {
			unsubscribed: []string{one, two},
			status:       delivery.Disabled,
			reason:       "unsubscribed",
			inUse:        true,
		},
		"one of each": {
			unsubscribed: []string{one}, bounced: []string{two}, status: delivery.Disabled, reason: "bounced", inUse: true,
		},
		"all bounced": {bounced: []string{one, two}, status: delivery.Disabled, reason: "bounced for good"},
		"all, and after enabled": {
			unsubscribed: []string{one}, bounced: []string{two}, enabled: true,
			want: []string{one, two}, status: delivery.Delivered, inUse: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			mails := feed.Destination{
				Type:         feed.Email,
				Frequency:    feed.Instant,
				DeliveryMode: feed.Batch,
				Emails:       []string{one, two},
			}
			owner := delivery.OfFeed(d.feed(t, d.Main.ID, feed.Feed{Name: "Launch", Destinations: []feed.Destination{mails}}).ID)
			for _, address := range c.unsubscribed {
				must(t, d.Store.Unsubscribe(t.Context(), d.Main.ID, owner, address))
			}
			for _, address := range c.bounced {
				must(t, d.Store.Bounce(t.Context(), d.Main.ID, address, delivery.Bounced))
			}
			must(t, d.Store.Unsubscribe(t.Context(), d.Other.ID, owner, one))
			must(t, d.Store.Unsubscribe(t.Context(), d.Main.ID, delivery.OfNotification(owner.ID), two))
			if c.enabled {
				must(t, d.Store.Unsilence(t.Context(), d.Main.ID, owner, mails.Emails))
			}
			d.mustCollect(t, posts(1, 1)...)
			must(t, d.tick(t.Context()))
			outbox, err := d.Outbox().List(t.Context(), 10)
			must(t, err)
			var got []string
			for _, sent := range outbox {
				if strings.HasSuffix(sent.Subject, "gets nothing") {
					continue // to the admins
				}
				got = append(got, sent.To)
				token, ok := strings.CutPrefix(sent.Unsubscribe, "https://api.earshot.example/api/v2/unsubscribe?token=")
				s, named := delivery.ParseToken(token)
				want := delivery.Subscription{WorkspaceID: d.Main.ID, Owner: owner, Address: sent.To}
				if !ok || !named || s != want || !s.Signed(token, d.Main.Secret) || sent.Workspace != d.Main.ID {
					t.Errorf("the mail to %s is of %q, with the address %s", sent.To, sent.Workspace, sent.Unsubscribe)
				}
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("mails to %v, want %v", got, c.want)
			}
			last := d.all(t)[0]
			if last.State.Status != c.status || len(last.Attempts) != 1 ||
				!strings.Contains(last.Attempts[0].Reason, c.reason) ||
				c.reason == "" && last.Attempts[0].Reason != "" {
				t.Errorf("the delivery is %+v, want %s because of %q", last, c.status, c.reason)
			}
			e, err := d.Store.Endpoint(t.Context(), d.Main.ID, delivery.Endpoint{Owner: owner, Kind: "EMAIL"})
			must(t, err)
			if e.Health.DisabledAt.IsZero() != c.inUse {
				t.Errorf("the endpoint is %+v, want in use %t", e.Health, c.inUse)
			}
		})
	}
}
