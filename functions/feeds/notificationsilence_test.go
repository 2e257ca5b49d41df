package feeds_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/worldtest"
)

// A test's mail ends the subscription that it is of with one click, as every letter does.
func TestTriedMail_Unsubscribes(t *testing.T) {
	r := newRoom(t)
	r.Put(t, r.Main.ID, worldtest.Mention(42, "a", worldtest.Now))
	mails := feed.Destination{
		Type:         feed.Email,
		Frequency:    feed.Instant,
		DeliveryMode: feed.Batch,
		Emails:       []string{"feed@northwind.example"},
	}
	r.feed = r.newFeed(t, feed.Feed{Name: "With places", Destinations: []feed.Destination{mails}})
	own, feeds := r.made(t, `,"destinations":[`+byMail+`]`), r.made(t, `,"feedDestinationIndex":0`)
	for id, owner := range map[int64]delivery.Owner{own.ID: delivery.OfNotification(own.ID), feeds.ID: delivery.OfFeed(r.feed)} {
		r.mails = nil
		r.try(t, id)
		if len(r.mails) == 0 {
			t.Errorf("the test of %s sends no mail", owner)
		}
		for _, sent := range r.mails {
			before, token, _ := strings.Cut(sent.Unsubscribe, "/api/v2/unsubscribe?token=")
			s, ok := delivery.ParseToken(token)
			want := delivery.Subscription{WorkspaceID: r.Main.ID, Owner: owner, Address: sent.To}
			if !ok || s != want || !s.Signed(token, r.Main.Secret) || !strings.HasPrefix(before, "http") {
				t.Errorf("the mail to %s unsubscribes by %q, want a link of %+v", sent.To, sent.Unsubscribe, want)
			}
			if sent.Workspace != r.Main.ID {
				t.Errorf("the mail to %s is of the workspace %q, want %s", sent.To, sent.Workspace, r.Main.ID)
			}
			headers := fmt.Sprint(sent.Headers())
			if !strings.Contains(headers, "List-Unsubscribe-Post") || !strings.Contains(headers, "<"+sent.Unsubscribe+">") {
				t.Errorf("the mail to %s has the headers %s", sent.To, headers)
			}
			if !strings.Contains(sent.Text, "Unsubscribe: "+sent.Unsubscribe) ||
				!strings.Contains(sent.HTML, ">Unsubscribe</a>") {
				t.Errorf("the mail to %s shows no way to unsubscribe", sent.To)
			}
		}
	}
}

// A test sends nothing to a silenced address. It says why, and what brings the address back, which then does.
func TestTriedMail_SilencedAddresses(t *testing.T) {
	const a, b = "a@northwind.example", "b@northwind.example"
	r := newRoom(t)
	r.Put(t, r.Main.ID, worldtest.Mention(42, "a", worldtest.Now))
	n := r.made(t, `,"destinations":[`+byMail+`,`+byWebhook+`]`)
	owner := delivery.OfNotification(n.ID)
	enable := fmt.Sprintf("POST /api/v2/notifications/%d/enable", n.ID)
	try := func() (said string, to []string) {
		t.Helper()
		r.mails = nil
		got := r.try(t, n.ID)
		for _, sent := range r.mails {
			to = append(to, sent.To)
		}
		slices.Sort(to)
		if mailed := got.Delivered[0]; !got.OK || mailed.Success != (mailed.Error == "") || !got.Delivered[1].Success {
			t.Errorf("%+v", got)
		}
		return got.Delivered[0].Error, to
	}
	silence := func(address string, why delivery.Silence) {
		t.Helper()
		if why == delivery.Unsubscribed {
			worldtest.Must(t, r.Store.Unsubscribe(t.Context(), r.Main.ID, owner, address))
			return
		}
		worldtest.Must(t, r.Store.Bounce(t.Context(), r.Main.ID, address, why))
	}
	// Those of others silence nobody here.
	worldtest.Must(t, r.Store.Unsubscribe(t.Context(), r.Main.ID, delivery.OfFeed(r.feed), a))
	worldtest.Must(t, r.Store.Bounce(t.Context(), r.Other.ID, a, delivery.Bounced))
	for _, c := range []struct {
		name, said string
		silence    func()
		to         []string
	}{
		{"nobody", "", func() {}, []string{a, b}},
		{
			"unsubscribed", "emails[0]: This address unsubscribed from the notification's mails. If its reader agrees, " +
				enable +
				" brings it back.", func() { silence(strings.ToUpper(a), delivery.Unsubscribed) }, []string{b},
		},
		{
			"bounced", "emails[1]: Mail to this address bounced for good. Check it for typos. If it can receive mail again, " +
				enable + " brings it back.", func() { silence(b, delivery.Bounced) }, []string{a},
		},
		{
			"complained", "emails[1]: The reader of this address reported a mail as unwanted. If the reader agrees, " + enable +
				" brings it back.", func() { silence(b, delivery.Complained) }, []string{a},
		},
	} {
		c.silence()
		if said, to := try(); said != c.said || !slices.Equal(to, c.to) {
			t.Errorf("%s: mails to %v and %q, want %v and %q", c.name, to, said, c.to, c.said)
		}
		worldtest.Must(t, r.Store.Unsilence(t.Context(), r.Main.ID, owner, []string{a, b})) // as enable does
		if said, to := try(); said != "" || len(to) != 2 {
			t.Errorf("%s, and enabled: mails to %v and %q, want both", c.name, to, said)
		}
	}
}

// A test of a feed's destination heeds the feed's silenced addresses, and names the feed's own operation.
func TestTriedMail_SilencedByFeed(t *testing.T) {
	r := newRoom(t)
	r.Put(t, r.Main.ID, worldtest.Mention(42, "a", worldtest.Now))
	mails := feed.Destination{
		Type:         feed.Email,
		Frequency:    feed.Instant,
		DeliveryMode: feed.Batch,
		Emails:       []string{"feed@northwind.example"},
	}
	r.feed = r.newFeed(t, feed.Feed{Name: "With places", Destinations: []feed.Destination{mails}})
	n := r.made(t, `,"feedDestinationIndex":0`)
	worldtest.Must(t, r.Store.Unsubscribe(t.Context(), r.Main.ID, delivery.OfFeed(r.feed), "feed@northwind.example"))
	got := r.try(t, n.ID).Delivered[0]
	if want := fmt.Sprintf("POST /api/v2/feeds/%d/enable", r.feed); got.Success || !strings.Contains(got.Error, want) ||
		len(r.mails) != 0 {
		t.Errorf("%+v with %d mails, want the remedy %s", got, len(r.mails), want)
	}
}
