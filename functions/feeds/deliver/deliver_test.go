package deliver_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/delivery"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/feed"
	"earshot/shared/feed/audience"
	"earshot/shared/member"
	"earshot/shared/mention"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// A mention that a feed shows comes to the feed's webhook and to that of a notification, once each, signed by the secret
// of each, and numbered.
func TestMentionIsDelivered(t *testing.T) {
	d := newDesk(t)
	of := d.feed(t, d.Main.ID,
		feed.Feed{
			Name:          "Praise",
			SimpleFilters: []byte(`{"sentiment":["positive"]}`),
			Destinations:  []feed.Destination{hook("https://feed.example/")},
		})
	n, err := d.Store.CreateNotification(t.Context(), d.Main.ID,
		feed.Notification{
			Name:         "Own",
			FeedID:       of.ID,
			Enabled:      true,
			Destinations: []feed.Destination{hook("https://own.example/")},
		}, "")
	must(t, err)
	for _, other := range []feed.Notification{
		{Name: "Off", FeedID: of.ID, Destinations: []feed.Destination{hook("https://off.example/")}},
		{Name: "The feed's own", FeedID: of.ID, Enabled: true, FeedIndex: new(int)},
	} {
		_, err := d.Store.CreateNotification(t.Context(), d.Main.ID, other, "")
		must(t, err)
	}
	d.feed(t, d.Other.ID, feed.Feed{Name: "Theirs", Destinations: []feed.Destination{hook("https://theirs.example/")}})
	shown, low := posts(1, 3), mention.Low
	for i := range shown {
		shown[i].Sentiment = mention.Positive
	}
	negative, off := posts(10, 1)[0], posts(11, 1)[0]
	negative.Sentiment = mention.Negative
	off.Sentiment, off.Relevant, off.RelevanceScore = mention.Positive, false, &low
	d.mustCollect(t, append(slices.Clone(shown), negative, off)...)
	must(t, d.tick(t.Context()))
	byURL := map[string][]event{}
	for _, e := range d.events {
		byURL[e.url] = append(byURL[e.url], e)
	}
	if len(byURL) != 2 {
		t.Fatalf("%d URLs: %v", len(byURL), byURL)
	}
	for url, c := range map[string]struct {
		owner        delivery.Owner
		notification int64
	}{"https://feed.example/": {delivery.OfFeed(of.ID), 0}, "https://own.example/": {delivery.OfNotification(n.ID), n.ID}} {
		got := byURL[url]
		if !slices.Equal(ids(got), sourceIDs(shown)) {
			t.Errorf("%s got %v", url, ids(got))
		}
		secrets, err := delivery.SecretsOf(feed.Signing{}, d.Main.Secret, c.owner, d.Clock.Now())
		must(t, err)
		var numbers []int64
		for _, e := range got {
			verify(t, secrets.Current, e.Message)
			data := e.body.Data
			if e.body.Type != "mention.created" || data.Feed.ID != of.ID || data.Feed.Name != "Praise" ||
				data.NotificationID != c.notification || e.body.Timestamp != web.FormatTime(worldtest.Now) {
				t.Errorf("%s", e.Body)
			}
			numbers = append(numbers, data.Sequence)
		}
		if slices.Sort(numbers); !slices.Equal(numbers, []int64{1, 2, 3}) {
			t.Errorf("%s: numbered %v", url, numbers)
		}
	}
	for _, one := range d.all(t) {
		if one.State.Status != delivery.Delivered || one.State.Tried != 1 || len(one.Attempts) != 1 {
			t.Errorf("%+v", one)
		}
	}
	// The same posts again, and messages that come twice, are no news.
	if _, err := d.collect(t.Context(), d.Main.ID, shown...); err != nil {
		t.Fatal(err)
	}
	must(t, d.tick(t.Context()))
	if len(d.seen) != 6 {
		t.Errorf("%d events after a repeat", len(d.seen))
	}
}

// A mention that becomes relevant by a correction, within a day of its collection, is delivered then, and only once.
func TestCorrectedMention(t *testing.T) {
	d := newDesk(t)
	d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook("https://feed.example/")}})
	low := mention.Low
	found := posts(1, 2)
	for i := range found {
		found[i].Relevant, found[i].RelevanceScore, found[i].PostedAt = false, &low, worldtest.Now.AddDate(0, 0, -20)
	}
	d.mustCollect(t, found...)
	must(t, d.tick(t.Context()))
	if len(d.seen) > 0 {
		t.Fatalf("%v", ids(d.seen))
	}
	correct := func(id string, to mention.Score) {
		t.Helper()
		_, err := d.Store.ChangeMention(t.Context(), d.Main.ID, id, func(m *mention.Mention) (bool, error) {
			before := *m
			m.Overrule(to)
			return true, audience.Corrected(t.Context(), d.Store, d.Main.ID, &before, m)
		})
		must(t, err)
		must(t, d.tick(t.Context()))
	}
	d.Clock.Freeze(worldtest.Now.Add(24*time.Hour - time.Minute))
	for range 2 {
		correct(found[0].SourceID, mention.High)
		correct(found[0].SourceID, mention.Low)
	}
	d.Clock.Freeze(worldtest.Now.Add(24 * time.Hour))
	correct(found[1].SourceID, mention.High)
	if !slices.Equal(ids(d.events), []string{found[0].SourceID}) {
		t.Errorf("%v", ids(d.events))
	}
}

// A correction tells the feeds that begin to show a mention by it, also of one that was relevant before, and once. It tells
// no feed that showed the mention already and was made after the mention was collected.
func TestCorrectedMention_NewFeed(t *testing.T) {
	for filter, correct := range map[string]func(*mention.Mention){
		`{"sentiment":["negative"]}`: func(m *mention.Mention) { m.Sentiment, m.SentimentSet = mention.Negative, true },
		`{"relevance":[0]}`:          func(m *mention.Mention) { m.Overrule(mention.High) },
		`{"engaged":true}`:           func(m *mention.Mention) { m.Engaged = true },
	} {
		d := newDesk(t)
		d.feed(t, d.Main.ID, feed.Feed{
			Name: "Some", SimpleFilters: []byte(filter), Destinations: []feed.Destination{hook("https://feed.example/")},
		})
		medium, found := mention.Medium, posts(1, 1)
		found[0].Relevant, found[0].RelevanceScore, found[0].Sentiment = true, &medium, mention.Positive
		d.mustCollect(t, found...)
		d.feed(t, d.Main.ID, feed.Feed{Name: "Late", Destinations: []feed.Destination{hook("https://late.example/")}})
		must(t, d.tick(t.Context()))
		if len(d.seen) > 0 {
			t.Fatalf("%s: %v before", filter, ids(d.seen))
		}
		for range 2 {
			_, err := d.Store.ChangeMention(t.Context(), d.Main.ID, found[0].SourceID,
				func(m *mention.Mention) (bool, error) {
					before := *m
					correct(m)
					return true, audience.Corrected(t.Context(), d.Store, d.Main.ID, &before, m)
				})
			must(t, err)
			must(t, d.tick(t.Context()))
		}
		if !slices.Equal(ids(d.events), []string{found[0].SourceID}) {
			t.Errorf("%s: %v", filter, ids(d.events))
		}
	}
}

// Feeds without destinations cost no write: neither a row, nor a unit.
func TestWithoutDestinations_NoWrites(t *testing.T) {
	units := func(destinations ...feed.Destination) (float64, int) {
		d := newDesk(t)
		d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: destinations})
		ctx, meter := table.WithMeter(t.Context())
		_, err := d.collect(ctx, d.Main.ID, posts(1, 50)...)
		must(t, err)
		waiting, err := d.Store.Announcements(t.Context(), d.Main.ID, 10)
		must(t, err)
		return meter.Total().WriteUnits, len(waiting)
	}
	hourly := hook("https://feed.example/")
	hourly.Frequency = feed.Hourly
	none, rows := units()
	later, rowsLater := units(hourly)
	some, rowsSome := units(hook("https://feed.example/"))
	t.Logf("50 mentions: %.0f write units without a destination, %.0f with one", none, some)
	if rows != 0 || rowsLater != 1 || later != some || rowsSome != 1 || some <= none || some-none > 30 {
		t.Errorf("%.0f units and %d rows without a destination, %.0f and %d with one, %.0f and %d with an hourly one", none,
			rows, some, rowsSome, later, rowsLater)
	}
}

// Whatever a receiver does for three days: each event reaches it once it is back, no more often than ten times, always
// with one id, and none is lost.
func TestLedger(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := newDesk(t)
		d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook("https://feed.example/")}})
		back := worldtest.Now.Add(time.Duration(rapid.IntRange(0, 72*60).Draw(rt, "back")) * time.Minute)
		faults := []delivery.Outcome{
			{TimedOut: true, Reason: "slow"}, {Reason: "reset"}, {Status: 500, Reason: "500"}, {Status: 301, Reason: "301"},
			{Status: 429, RetryAfter: 40 * time.Minute, Reason: "429"}, {Status: 503, RetryAfter: 3 * time.Hour, Reason: "503"},
			{Status: 404, Reason: "404"},
		}
		kinds := rapid.SliceOfN(rapid.IntRange(0, len(faults)-1), 1, 8).Draw(rt, "faults")
		asked := 0
		d.answers = func(string, delivery.Message) delivery.Outcome {
			d.mu.Lock()
			defer d.mu.Unlock()
			asked++
			if d.Clock.Now().Before(back) {
				return faults[kinds[asked%len(kinds)]]
			}
			return delivery.Outcome{Status: 204}
		}
		var found []mention.Mention
		for batch := range rapid.IntRange(1, 4).Draw(rt, "batches") {
			some := posts(batch*100, rapid.IntRange(1, 12).Draw(rt, "posts"))
			found = append(found, some...)
			d.mustCollect(t, some...)
			d.pass(t, 2*time.Hour, time.Hour)
		}
		d.pass(t, 110*time.Hour, 5*time.Hour)
		if !slices.Equal(ids(d.events), sourceIDs(found)) {
			rt.Fatalf("%d of %d events were taken: %v", len(d.events), len(found), ids(d.events))
		}
		tries, names := map[string]int{}, map[string]string{}
		for _, e := range d.seen {
			tries[e.ID]++
			if was := names[e.body.Data.Mention.SourceID]; was != "" && was != e.ID {
				rt.Errorf("an event has the ids %s and %s", was, e.ID)
			}
			names[e.body.Data.Mention.SourceID] = e.ID
		}
		for id, n := range tries {
			if n > delivery.Attempts {
				rt.Errorf("%s was tried %d times", id, n)
			}
		}
		if d.mostAtURL > delivery.InFlight {
			rt.Errorf("%d attempts at once", d.mostAtURL)
		}
	})
}

// A receiver that is down for good gets ten attempts of an event, and the event can be sent again.
func TestFailedDelivery(t *testing.T) {
	d := newDesk(t)
	d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook("https://feed.example/")}})
	d.answers = func(string, delivery.Message) delivery.Outcome {
		return delivery.Outcome{
			Status:   500,
			Reason:   "The webhook answered 500.",
			Response: strings.Repeat("x", delivery.MaxResponse),
		}
	}
	d.mustCollect(t, posts(1, 1)...)
	d.pass(t, 77*time.Hour, 20*time.Minute)
	one := d.all(t)[0]
	if one.State.Status != delivery.Failed || len(one.Attempts) != delivery.Attempts || len(d.seen) != delivery.Attempts {
		t.Fatalf("%s after %d attempts", one.State.Status, len(one.Attempts))
	}
	if took := one.Attempts[9].At.Sub(one.Attempts[0].At); took < 75*time.Hour+35*time.Minute || took > 77*time.Hour {
		t.Errorf("they took %v", took)
	}
	if next, ok, err := d.Store.NextDelivery(t.Context(), d.Main.ID, one.Endpoint); ok || err != nil {
		t.Errorf("it is due again at %v (%v)", next, err)
	}
	d.answers = nil
	for range 2 { // a repeat sends once
		again, err := d.Store.ResendDelivery(t.Context(), d.Main.ID, one.ID, "a request", nil)
		must(t, err)
		must(t, d.Store.WakeEndpoint(t.Context(), d.Main.ID, again.Endpoint))
		must(t, d.tick(t.Context()))
	}
	if one = d.all(t)[0]; one.State.Status != delivery.Delivered || len(one.Attempts) != 11 || len(d.events) != 1 {
		t.Errorf("%s after %d attempts", one.State.Status, len(one.Attempts))
	}
}

// 410 disables an endpoint at once: what waits there and what comes is kept as disabled, until a person enables it.
func TestGoneEndpoint(t *testing.T) {
	d := newDesk(t)
	of := d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook("https://feed.example/")}})
	for address, role := range map[string]member.Role{"boss@northwind.example": member.Admin,
		"someone@northwind.example": member.Ordinary} {
		_, err := d.Store.AddMember(t.Context(), d.Main.ID, member.Member{Email: address, Role: role})
		must(t, err)
	}
	d.answers = func(string, delivery.Message) delivery.Outcome { return delivery.Outcome{Status: 410, Reason: "gone"} }
	d.mustCollect(t, posts(1, 30)...)
	must(t, d.tick(t.Context()))
	if len(d.seen) > delivery.InFlight {
		t.Errorf("%d attempts", len(d.seen))
	}
	// Its admins are told once.
	mails, err := d.Outbox().List(t.Context(), 10)
	must(t, err)
	if len(mails) != 1 || mails[0].To != "boss@northwind.example" ||
		mails[0].Subject != "The webhook of “All” gets nothing" ||
		!strings.Contains(mails[0].Text, fmt.Sprintf("POST /api/v2/feeds/%d/recover", of.ID)) ||
		!strings.Contains(mails[0].Text, "Unsubscribe: "+mails[0].Unsubscribe) ||
		!strings.Contains(mails[0].HTML, `class="card"`) {
		t.Errorf("%+v", mails)
	}
	d.mustCollect(t, posts(100, 5)...)
	must(t, d.tick(t.Context()))
	seen := len(d.seen)
	disabled := 0
	for _, one := range d.all(t) {
		if one.State.Status == delivery.Disabled {
			disabled++
		}
	}
	if disabled != 35 {
		t.Errorf("%d are disabled", disabled)
	}
	d.answers = nil
	to := delivery.Endpoint{Owner: delivery.OfFeed(of.ID), Kind: "WEBHOOK"}
	must(t, d.Store.EnableEndpoint(t.Context(), d.Main.ID, to))
	d.mustCollect(t, posts(200, 2)...)
	must(t, d.tick(t.Context()))
	if len(d.seen) != seen+2 || len(d.events) != 2 {
		t.Errorf("%d attempts after it was enabled, %d taken", len(d.seen)-seen, len(d.events))
	}
}

// After five time-outs there is one attempt a minute.
func TestBreaker(t *testing.T) {
	d := newDesk(t)
	d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook("https://feed.example/")}})
	d.answers = func(string, delivery.Message) delivery.Outcome {
		return delivery.Outcome{TimedOut: true, Reason: "slow"}
	}
	d.mustCollect(t, posts(1, 40)...)
	must(t, d.tick(t.Context()))
	first := len(d.seen)
	d.pass(t, 10*time.Minute, time.Minute)
	if first != delivery.InFlight || len(d.seen) != first+10 {
		t.Errorf("%d attempts at first, then %d in ten minutes", first, len(d.seen)-first)
	}
	d.answers = nil
	d.pass(t, 2*time.Minute, time.Minute)
	d.pass(t, time.Hour, 20*time.Minute)
	if len(d.events) != 40 {
		t.Errorf("%d are taken once it answers", len(d.events))
	}
}

// Work on one endpoint waits for no other: each has messages of its own, and a caller of its own.
func TestSlowEndpoint(t *testing.T) {
	d := newDesk(t)
	d.feed(t, d.Main.ID, feed.Feed{Name: "Slow", Destinations: []feed.Destination{hook("https://slow.example/")}})
	d.feed(t, d.Main.ID, feed.Feed{Name: "Quick", Destinations: []feed.Destination{hook("https://quick.example/")}})
	quick := 0
	block := make(chan struct{})
	d.answers = func(url string, _ delivery.Message) delivery.Outcome {
		if url == "https://slow.example/" {
			<-block
		}
		return delivery.Outcome{Status: 200}
	}
	d.mustCollect(t, posts(1, 60)...)
	must(t, d.Store.WakeEndpoint(t.Context(), d.Main.ID, delivery.Endpoint{Owner: delivery.OfFeed(2), Kind: "WEBHOOK"}))
	handle := d.handler()
	must(t, handle(t.Context(), fmt.Sprintf(`{"workspaceId":%q}`, d.Main.ID)))
	done := make(chan error, 1)
	go func() {
		done <- handle(t.Context(), fmt.Sprintf(`{"workspaceId":%q,"endpoint":"feed/1/WEBHOOK"}`, d.Main.ID))
	}()
	for d.waiting("https://slow.example/") < delivery.InFlight {
		time.Sleep(time.Millisecond)
	}
	// Another caller finds the slow one taken, and the quick one free.
	must(t, handle(t.Context(), fmt.Sprintf(`{"workspaceId":%q,"endpoint":"feed/1/WEBHOOK"}`, d.Main.ID)))
	must(t, handle(t.Context(), fmt.Sprintf(`{"workspaceId":%q,"endpoint":"feed/2/WEBHOOK"}`, d.Main.ID)))
	d.mu.Lock()
	for _, e := range d.events {
		if e.url == "https://quick.example/" {
			quick++
		}
	}
	d.mu.Unlock()
	if quick != 60 || d.waiting("https://slow.example/") != delivery.InFlight {
		t.Errorf("%d of 60 events are with the quick one, %d in flight at the slow one", quick,
			d.waiting("https://slow.example/"))
	}
	close(block)
	must(t, <-done)
	groups := map[string]bool{}
	for _, m := range d.Sent.To(queue.Deliveries) {
		groups[m.Group] = true
	}
	if !groups[d.Main.ID+"/feed/1/WEBHOOK"] || !groups[d.Main.ID+"/feed/2/WEBHOOK"] {
		t.Errorf("%v", groups)
	}
}

// However ingest, the worker or the schedule dies: every mention comes to the receiver, its doubles share an id, and
// nothing is left waiting.
func TestDelivery_KilledAtEachStep(t *testing.T) {
	faulttest.EachStep(t, 15, func(t *testing.T, step *faulttest.Step) {
		d := newDesk(t)
		d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook("https://feed.example/")}})
		failing := true
		d.answers = func(string, delivery.Message) delivery.Outcome {
			if failing {
				return delivery.Outcome{Status: 500, Reason: "500"}
			}
			return delivery.Outcome{Status: 200}
		}
		found := posts(1, 2)
		run := func() error {
			if _, err := d.collect(t.Context(), d.Main.ID, found...); err != nil {
				return err
			}
			if err := d.tick(t.Context()); err != nil {
				return err
			}
			failing = false
			d.Clock.Freeze(d.Clock.Now().Add(time.Minute))
			return d.tick(t.Context())
		}
		_ = step.Die(t, d.Life, run)
		failing = false
		d.Sent.Take(queue.Deliveries)
		_, err := d.collect(t.Context(), d.Main.ID, found...)
		must(t, err)
		d.pass(t, 10*time.Minute, time.Minute)
		taken := map[string]string{}
		for _, e := range d.events {
			id := e.body.Data.Mention.SourceID
			if was := taken[id]; was != "" && was != e.ID {
				t.Errorf("%s has the ids %s and %s", id, was, e.ID)
			}
			taken[id] = e.ID
		}
		if len(taken) != 2 {
			t.Errorf("%d of 2 mentions were taken", len(taken))
		}
		for _, one := range d.all(t) {
			if one.State.Status != delivery.Delivered {
				t.Errorf("%s is %s", one.ID, one.State.Status)
			}
		}
		if all := d.all(t); len(all) != 2 {
			t.Errorf("there are %d deliveries", len(all))
		}
		due, err := d.Store.DueEndpoints(t.Context(), 10)
		must(t, err)
		waiting, err := d.Store.Announcements(t.Context(), d.Main.ID, 10)
		must(t, err)
		if len(due) > 0 || len(waiting) > 0 {
			t.Errorf("%d endpoints are due, %d announcements wait", len(due), len(waiting))
		}
		if _, ok, err := d.Store.NextDelivery(t.Context(), d.Main.ID,
			delivery.Endpoint{Owner: delivery.OfFeed(1), Kind: "WEBHOOK"}); ok || err != nil {
			t.Errorf("a row waits (%v)", err)
		}
	})
}

// A destination that is taken away, switched off, or whose feed is deleted, gets nothing more.
func TestDestinationGone(t *testing.T) {
	for name, take := range map[string]func(d *desk, n feed.Notification) error{
		"no destination": func(d *desk, n feed.Notification) error {
			_, err := d.Store.ChangeNotification(t.Context(), d.Main.ID, n.ID, "", func(n *feed.Notification) error {
				n.Destinations = nil
				return nil
			})
			return err
		},
		"off": func(d *desk, n feed.Notification) error {
			_, err := d.Store.ChangeNotification(t.Context(), d.Main.ID, n.ID, "", func(n *feed.Notification) error {
				n.Enabled = false
				return nil
			})
			return err
		},
		"no feed": func(d *desk, n feed.Notification) error {
			return d.Store.DeleteFeed(t.Context(), d.Main.ID, n.FeedID, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			of := d.feed(t, d.Main.ID, feed.Feed{Name: "All"})
			n, err := d.Store.CreateNotification(t.Context(), d.Main.ID,
				feed.Notification{
					Name:         "N",
					FeedID:       of.ID,
					Enabled:      true,
					Destinations: []feed.Destination{hook("https://own.example/")},
				}, "")
			must(t, err)
			d.answers = func(string, delivery.Message) delivery.Outcome { return delivery.Outcome{Status: 500, Reason: "500"} }
			d.mustCollect(t, posts(1, 3)...)
			must(t, d.tick(t.Context()))
			must(t, take(d, n))
			d.answers = nil
			d.pass(t, 2*time.Hour, 20*time.Minute)
			if len(d.events) > 0 {
				t.Errorf("%v", ids(d.events))
			}
			for _, one := range d.all(t) {
				if one.State.Status != delivery.Disabled {
					t.Errorf("%s is %s", one.ID, one.State.Status)
				}
			}
		})
	}
}

// People get one message with all that was found together, or one for each, as they asked. An address that refuses mail
// keeps no other from getting it, and those who have it do not get it again.
func TestPeopleAreTold(t *testing.T) {
	d := newDesk(t)
	mails := feed.Destination{
		Type:         feed.Email,
		Frequency:    feed.Instant,
		DeliveryMode: feed.Batch,
		Emails:       []string{"a@northwind.example", "b@northwind.example"},
	}
	channels := feed.Destination{
		Type:         feed.Slack,
		Frequency:    feed.Instant,
		DeliveryMode: feed.Individual,
		Channels:     []string{"C1", "C2"},
	}
	d.feed(t, d.Main.ID, feed.Feed{Name: "Launch", Destinations: []feed.Destination{mails, channels}})
	fails := 1
	d.slack = func(channel string) error {
		if channel == "C2" && fails > 0 {
			fails--
			return &feed.Undelivered{Reason: "Slack asks to wait."}
		}
		return nil
	}
	found := posts(1, 25)
	d.mustCollect(t, found...)
	must(t, d.tick(t.Context()))
	d.pass(t, time.Minute, 10*time.Second)
	if len(d.texts) != 50 {
		t.Errorf("%d messages in Slack", len(d.texts))
	}
	count := map[string]int{}
	for _, text := range d.texts {
		count[text]++
	}
	for text, n := range count {
		if n > 2 { // titles are equal: each text goes to a channel once for each mention, and URLs differ
			t.Errorf("%d times: %s", n, text)
		}
	}
	sent, err := d.Outbox().List(t.Context(), 10)
	must(t, err)
	if len(sent) != 2 || sent[0].To == sent[1].To || sent[0].Subject != "25 new mentions in “Launch”" ||
		!strings.Contains(sent[0].Text, "and 5 more") {
		t.Errorf("%d mails: %+v", len(sent), sent)
	}
	for _, one := range d.all(t) {
		if one.State.Status != delivery.Delivered {
			t.Errorf("%+v", one)
		}
	}
}

// A mention with a long text is thin in its event.
func TestLongMention(t *testing.T) {
	d := newDesk(t)
	d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook("https://feed.example/")}})
	long := posts(1, 1)[0]
	long.Body = new(strings.Repeat("<script>", 4_000))
	d.mustCollect(t, long)
	must(t, d.tick(t.Context()))
	e := d.events[0]
	if len(e.Body) > 20<<10 || !e.body.Data.Truncated || e.body.Data.URL != "/api/v2/mentions/by-id?id="+long.SourceID ||
		e.body.Data.Mention.SourceID != long.SourceID {
		t.Errorf("%s", e.Body)
	}
}

// Numbers that one announcement drew stay when its work is done again.
func TestNumber_Once(t *testing.T) {
	d := newDesk(t)
	d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook("https://feed.example/")}})
	d.mustCollect(t, posts(1, 3)...)
	all, err := d.Store.Announcements(t.Context(), d.Main.ID, 10)
	must(t, err)
	numbers := make([]mentionstore.Announcement, 4)
	faulttest.AtOnce(len(numbers), func(n int) {
		var err error
		if numbers[n], err = d.Store.Number(t.Context(), all[0]); err != nil {
			t.Error(err)
		}
	})
	for _, a := range numbers {
		if a.First[1] != numbers[0].First[1] || a.First[1] == 0 {
			t.Errorf("%v", a.First)
		}
	}
}

// A list of deliveries pages, and selects.
func TestDeliveriesPage(t *testing.T) {
	d := newDesk(t)
	d.feed(t, d.Main.ID, feed.Feed{Name: "A", Destinations: []feed.Destination{hook("https://a.example/")}})
	d.feed(t, d.Main.ID, feed.Feed{Name: "B", Destinations: []feed.Destination{hook("https://b.example/")}})
	d.answers = func(url string, _ delivery.Message) delivery.Outcome {
		if url == "https://b.example/" {
			return delivery.Outcome{Status: 500, Reason: "500"}
		}
		return delivery.Outcome{Status: 200}
	}
	d.mustCollect(t, posts(1, 30)...)
	must(t, d.tick(t.Context()))
	owner := delivery.OfFeed(2)
	for _, c := range []struct {
		query deliverystore.Query
		want  int
	}{
		{deliverystore.Query{}, 60}, {deliverystore.Query{FeedID: 1}, 30}, {deliverystore.Query{Owner: &owner}, 30},
		{deliverystore.Query{Statuses: []delivery.Status{delivery.Pending}}, 30},
		{deliverystore.Query{FeedID: 1, Statuses: []delivery.Status{delivery.Pending}}, 0},
		{deliverystore.Query{Since: worldtest.Now.Add(time.Second)}, 0}, {deliverystore.Query{Since: worldtest.Now}, 60},
	} {
		seen := map[string]bool{}
		c.query.WorkspaceID, c.query.Limit = d.Main.ID, 7
		for after, last := "", "~"; ; {
			c.query.After = after
			page, next, err := d.Store.Deliveries(t.Context(), c.query)
			must(t, err)
			for _, one := range page {
				if seen[one.ID] || one.ID >= last {
					t.Errorf("%s after %s", one.ID, last)
				}
				seen[one.ID], last = true, one.ID
			}
			if after = next; next == "" {
				break
			}
		}
		if len(seen) != c.want {
			t.Errorf("%+v: %d, want %d", c.query, len(seen), c.want)
		}
	}
}

// A product's webhook gets the product's own message, one at a time, and ends with a 404: it was deleted there.
func TestChatWebhook(t *testing.T) {
	for url, has := range map[string]string{
		"https://hooks.slack.com/services/T1/B1/x":      `"blocks":[{`,
		"https://discord.com/api/webhooks/1/x":          `"allowed_mentions":{"parse":[]}`,
		"https://prod-1.westus.logic.azure.com/flows/x": `"type":"AdaptiveCard"`,
	} {
		d := newDesk(t)
		d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook(url)}})
		d.mustCollect(t, posts(1, 3)...)
		must(t, d.tick(t.Context()))
		if len(d.events) != 3 || d.mostAtURL != 1 {
			t.Errorf("%s got %d messages, %d at once", url, len(d.events), d.mostAtURL)
		}
		for _, e := range d.events {
			if body := string(e.Body); !strings.Contains(body, has) || !strings.Contains(body, "A new mention in “All”") {
				t.Errorf("%s got %s", url, body)
			}
		}
		d.answers = func(string, delivery.Message) delivery.Outcome { return delivery.Outcome{Status: 404, Reason: "gone"} }
		d.mustCollect(t, posts(10, 2)...)
		must(t, d.tick(t.Context()))
		seen := len(d.seen)
		d.pass(t, 10*time.Minute, time.Minute)
		disabled := 0
		for _, one := range d.all(t) {
			if one.State.Status == delivery.Disabled {
				disabled++
			}
		}
		if disabled != 2 || len(d.seen) != seen {
			t.Errorf("%s: %d are disabled after a 404, %d more attempts", url, disabled, len(d.seen)-seen)
		}
	}
	// To a receiver of events, a 404 is a failure like others.
	d := newDesk(t)
	d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook("https://feed.example/")}})
	d.answers = func(string, delivery.Message) delivery.Outcome { return delivery.Outcome{Status: 404, Reason: "gone"} }
	d.mustCollect(t, posts(1, 1)...)
	must(t, d.tick(t.Context()))
	if all := d.all(t); len(all) != 1 || all[0].State.Status != delivery.Pending {
		t.Errorf("%+v", all)
	}
}
