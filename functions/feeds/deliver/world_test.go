package deliver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"earshot/functions/feeds/deliver"
	"earshot/functions/feeds/deliveries"
	"earshot/shared/delivery"
	"earshot/shared/embedded/fault"
	"earshot/shared/feed"
	"earshot/shared/feed/audience"
	"earshot/shared/mention"
	"earshot/shared/port/queue"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web/deliverywire"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

var must = worldtest.Must

// A desk is a World whose deliveries reach receivers of the test's own.
type desk struct {
	*worldtest.World
	mu        sync.Mutex
	events    []event // that receivers took, in order
	seen      []event // that receivers got, taken or not
	texts     []string
	answers   func(url string, m delivery.Message) delivery.Outcome // nil: all is taken
	slack     func(channel string) error
	inFlight  map[string]int
	mostAtURL int // attempts at one URL at the same time
}

// An event is what came to a URL.
type event struct {
	url string
	delivery.Message
	body deliverywire.Event
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	return &desk{World: worldtest.NewWorld(t), inFlight: map[string]int{}}
}

// Post is the desk's webhooks. A process that dies at the port of mail dies here.
func (d *desk) Post(ctx context.Context, url string, m delivery.Message) (delivery.Outcome, error) {
	return fault.Do(ctx, d.Life.Set(), fault.MailPort, "send", nil, nil, func() (delivery.Outcome, error) {
		d.mu.Lock()
		d.inFlight[url]++
		d.mostAtURL = max(d.mostAtURL, d.inFlight[url])
		d.mu.Unlock()
		out := delivery.Outcome{Status: 200}
		if d.answers != nil {
			out = d.answers(url, m)
		}
		if out.At.IsZero() {
			out.At = d.Clock.Now()
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		d.inFlight[url]--
		e := event{url: url, Message: m}
		if err := json.Unmarshal(m.Body, &e.body); err != nil {
			return out, err
		}
		d.seen = append(d.seen, e)
		if out.OK() {
			d.events = append(d.events, e)
		}
		return out, nil
	})
}

// texts is the desk's Slack.
type texts struct{ *desk }

func (d texts) Post(_ context.Context, orgID, channel string, m feed.SlackMessage) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.slack != nil {
		if err := d.slack(channel); err != nil {
			return err
		}
	}
	d.texts = append(d.texts, orgID+" "+channel+" "+m.Text+" "+string(m.Blocks))
	return nil
}

func (d *desk) options() deliver.Options {
	return deliver.Options{
		Store:   d.Store,
		Webhook: d,
		Slack:   texts{d},
		Mail:    d.Mailer(),
		BaseURL: "https://api.earshot.example",
		Queue:   d.Queue(),
		Clock:   d.Clock,
		Random:  func() float64 { return 0 },
		Pause:   func(context.Context, time.Duration) error { return nil },
	}
}

func on(d *desk, name string) worker.Options {
	return worker.Options{Function: name, Log: slog.New(slog.DiscardHandler), Clock: d.Clock}
}

// take has the worker take what was sent whose delay is over. Each message comes n times.
func (d *desk) take(ctx context.Context, n int) error {
	handle := worker.Deliver(deliver.Handler(on(d, deliver.Group), d.options()), queue.Deliveries)
	var failures []string
	for i, m := range d.Sent.Take(queue.Deliveries) {
		for range n {
			failed, err := handle(ctx, []queue.Delivery{{ID: fmt.Sprint("m", i), Body: m.Body, Receives: 1}})
			if err != nil {
				return err
			}
			failures = append(failures, failed...)
		}
	}
	if len(failures) > 0 {
		return fmt.Errorf("%d messages come again", len(failures))
	}
	return nil
}

// tick runs the schedule, and the worker until nothing is sent.
func (d *desk) tick(ctx context.Context) error {
	err := deliveries.Run(ctx, deliveries.Options{Store: d.Store, Queue: d.Queue(), Clock: d.Clock})
	for range 50 {
		if len(d.Sent.To(queue.Deliveries)) == 0 {
			break
		}
		err = errors.Join(err, d.take(ctx, 1))
	}
	return err
}

// pass turns the clock on, a step at a time, and runs the schedule at each.
func (d *desk) pass(t testing.TB, whole, step time.Duration) {
	t.Helper()
	for end := d.Clock.Now().Add(whole); d.Clock.Now().Before(end); {
		d.Clock.Freeze(d.Clock.Now().Add(step))
		must(t, d.tick(t.Context()))
	}
}

// collect stores mentions, as ingest does, and tells the audience of the workspace.
func (d *desk) collect(ctx context.Context, orgID string, found ...mention.Mention) (mentionstore.Taken, error) {
	listens, err := audience.Read(ctx, d.Store, orgID)
	if err != nil {
		return mentionstore.Taken{}, err
	}
	bill := mentionstore.Bill{Limit: 1_000_000}
	if !listens.Empty() {
		bill.Shows = listens.Shows
	}
	return d.Store.IngestBilled(ctx, orgID, bill, found)
}

func (d *desk) mustCollect(t testing.TB, found ...mention.Mention) {
	t.Helper()
	taken, err := d.collect(t.Context(), d.Main.ID, found...)
	must(t, err)
	if taken.Stored != len(found) {
		t.Fatalf("%+v of %d", taken, len(found))
	}
}

// posts are n relevant mentions, from a number on.
func posts(from, n int) (found []mention.Mention) {
	for i := range n {
		found = append(found, worldtest.Mention(0, fmt.Sprintf("hackernews_comment_%d", from+i), worldtest.Now))
	}
	return found
}

func hook(url string) feed.Destination {
	return feed.Destination{Type: feed.Webhook, Frequency: feed.Instant, DeliveryMode: feed.Individual, URL: url}
}

func (d *desk) feed(t testing.TB, orgID string, f feed.Feed) feed.Feed {
	t.Helper()
	made, err := d.Store.CreateFeed(t.Context(), orgID, f, "")
	must(t, err)
	return made
}

func (d *desk) all(t testing.TB) (all []deliverystore.Delivery) {
	t.Helper()
	for after := ""; ; {
		page, next, err := d.Store.Deliveries(t.Context(),
			deliverystore.Query{WorkspaceID: d.Main.ID, After: after, Limit: 100})
		must(t, err)
		all = append(all, page...)
		if after = next; next == "" {
			return all
		}
	}
}

// ids are the mentions of events, sorted.
func ids(events []event) (all []string) {
	for _, e := range events {
		all = append(all, e.body.Data.Mention.SourceID)
	}
	slices.Sort(all)
	return all
}

func sourceIDs(found []mention.Mention) (all []string) {
	for _, m := range found {
		all = append(all, m.SourceID)
	}
	slices.Sort(all)
	return all
}

// verify fails the test unless a receiver takes an event by a secret.
func verify(t *testing.T, secret delivery.Secret, m delivery.Message) {
	t.Helper()
	receiver, err := standardwebhooks.NewWebhook(secret.String())
	must(t, err)
	header := http.Header{}
	header.Set("webhook-id", m.ID)
	header.Set("webhook-timestamp", strconv.FormatInt(m.At.Unix(), 10))
	header.Set("webhook-signature", m.Signature)
	if err := receiver.VerifyIgnoringTimestamp(m.Body, header); err != nil {
		t.Errorf("%s: %v", m.ID, err)
	}
}

// handler has the worker take one message.
func (d *desk) handler() func(ctx context.Context, body string) error {
	handle := worker.Deliver(deliver.Handler(on(d, deliver.Group), d.options()), queue.Deliveries)
	return func(ctx context.Context, body string) error {
		failed, err := handle(ctx, []queue.Delivery{{ID: "m", Body: []byte(body), Receives: 1}})
		if err == nil && len(failed) > 0 {
			err = errors.New("the message comes again")
		}
		return err
	}
}

// waiting is how many attempts at a URL are in flight.
func (d *desk) waiting(url string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.inFlight[url]
}
