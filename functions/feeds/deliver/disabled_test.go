package deliver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"earshot/functions/feeds/deliver"
	"earshot/shared/delivery"
	"earshot/shared/embedded/fault"
	"earshot/shared/feed"
	"earshot/shared/lambdalog"
	"earshot/shared/lambdalog/emftest"
	"earshot/shared/port/mail"
	"earshot/shared/port/queue"
	"earshot/shared/worker"
)

// records are what the worker logged: the lines about disabled endpoints, and the sum of the metric.
type records struct {
	lines      []map[string]any
	workspaces float64
}

// taken has the worker take what is due, in a stage, and returns what it logged.
func (d *desk) taken(t *testing.T) (r records) {
	t.Helper()
	var out bytes.Buffer
	options := on(d, deliver.Group)
	options.Log = slog.New(lambdalog.Staged(slog.NewJSONHandler(&out, nil), "prod"))
	handle := worker.Deliver(deliver.Handler(options, d.options()), queue.Deliveries)
	for len(d.Sent.To(queue.Deliveries)) > 0 {
		for _, m := range d.Sent.Take(queue.Deliveries) {
			failed, err := handle(t.Context(), []queue.Delivery{{ID: "m", Body: m.Body, Receives: 1}})
			if must(t, err); len(failed) > 0 {
				t.Errorf("%s comes again", m.Body)
			}
		}
	}
	for line := range strings.Lines(out.String()) {
		var record map[string]any
		must(t, json.Unmarshal([]byte(line), &record))
		if record["msg"] == "an endpoint was disabled" {
			r.lines = append(r.lines, record)
			continue
		}
		if record["disabledWorkspaces"] == nil {
			continue
		}
		metrics, dimensions := emftest.Read(t, []byte(line), lambdalog.Invocations())
		if dimensions["Function"] != deliver.Group {
			t.Errorf("the metric is of %v", dimensions)
		}
		r.workspaces += metrics["disabledWorkspaces"]
	}
	return r
}

// A workspace counts once an hour, however many of its endpoints are disabled. The log names each, and no address.
func TestDisabledEndpoints_CountedByWorkspace(t *testing.T) {
	d := newDesk(t)
	owners := map[string]int64{}
	for _, orgID := range []string{d.Main.ID, d.Other.ID} {
		for i := range 3 {
			secret := hook(fmt.Sprintf("https://hooks.example/%d/secret-path", i))
			owners[orgID] = d.feed(t, orgID, feed.Feed{Name: "All", Destinations: []feed.Destination{secret}}).ID
		}
	}
	d.answers = func(string, delivery.Message) delivery.Outcome { return delivery.Outcome{Status: 410, Reason: "gone"} }
	round := func(from int, orgIDs ...string) records {
		t.Helper()
		for _, orgID := range orgIDs {
			_, err := d.collect(t.Context(), orgID, posts(from, 1)...)
			must(t, err)
		}
		must(t, tickOnly(t, d))
		return d.taken(t)
	}
	got := round(1, d.Main.ID)
	if len(got.lines) != 3 || got.workspaces != 1 {
		t.Errorf("three endpoints of a workspace: %d lines, %v workspaces, want 3 and 1", len(got.lines), got.workspaces)
	}
	for _, line := range got.lines {
		text, err := json.Marshal(line)
		must(t, err)
		if line["workspace"] != d.Main.ID || line["gone"] != true || line["level"] != "WARN" ||
			!strings.HasPrefix(fmt.Sprint(line["endpoint"]), "feed/") || strings.Contains(string(text), "hooks.example") {
			t.Errorf("the line is %s", text)
		}
	}
	if got = round(2, d.Other.ID); len(got.lines) != 3 || got.workspaces != 1 {
		t.Errorf("another workspace: %d lines, %v workspaces, want 3 and 1", len(got.lines), got.workspaces)
	}
	// One that a person enables again in vain is no second workspace.
	enable := func() {
		t.Helper()
		to := delivery.Endpoint{Owner: delivery.OfFeed(owners[d.Main.ID]), Kind: string(feed.Webhook)}
		must(t, d.Store.EnableEndpoint(t.Context(), d.Main.ID, to))
	}
	enable()
	if got = round(3, d.Main.ID); len(got.lines) != 1 || got.workspaces != 0 {
		t.Errorf("enabled in vain: %d lines, %v workspaces, want 1 and 0", len(got.lines), got.workspaces)
	}
	enable()
	d.Clock.Freeze(d.Clock.Now().Add(time.Hour))
	if got = round(4, d.Main.ID); len(got.lines) != 1 || got.workspaces != 1 {
		t.Errorf("an hour later: %d lines, %v workspaces, want 1 and 1", len(got.lines), got.workspaces)
	}
	d.answers = nil
	enable()
	if got = round(5, d.Main.ID); len(got.lines) != 0 || got.workspaces != 0 {
		t.Errorf("a receiver that is back: %d lines, %v workspaces, want none", len(got.lines), got.workspaces)
	}
}

// What waits for a later attempt is disabled with its destination, and is sent again by a recovery alone.
func TestWork_DisabledWhileOthersWait(t *testing.T) {
	d := newDesk(t)
	d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook("https://feed.example/")}})
	d.answers = func(string, delivery.Message) delivery.Outcome {
		return delivery.Outcome{Status: 503, RetryAfter: 24 * time.Hour, Reason: "The webhook answered 503."}
	}
	d.mustCollect(t, posts(1, 150)...) // more than are drained at once
	must(t, d.tick(t.Context()))
	d.answers = func(string, delivery.Message) delivery.Outcome {
		return delivery.Outcome{Status: 410, Reason: "The webhook answered 410."}
	}
	d.mustCollect(t, posts(200, 1)...)
	must(t, d.tick(t.Context()))
	statuses := map[delivery.Status]int{}
	for _, one := range d.all(t) {
		statuses[one.State.Status]++
	}
	if statuses[delivery.Disabled] != 151 || len(statuses) != 1 {
		t.Errorf("the deliveries are %v, want 151 that are disabled", statuses)
	}
	if due, err := d.Store.DueEndpoints(t.Context(), 10); err != nil || len(due) > 0 {
		t.Errorf("DueEndpoints = %v, %v, want none", due, err)
	}
	d.Clock.Freeze(d.Clock.Now().Add(48 * time.Hour))
	before := len(d.seen)
	must(t, d.tick(t.Context()))
	if len(d.seen) > before {
		t.Errorf("the receiver got %d more", len(d.seen)-before)
	}
}

// Mail that the sender cannot send, for longer than a destination may fail, disables no destination: the people there
// are not to blame. Mail goes to them once it works again.
func TestWork_SenderIsBroken(t *testing.T) {
	d := newDesk(t)
	mails := feed.Destination{Type: feed.Email, Frequency: feed.Instant, Emails: []string{"a@northwind.example"}}
	of := d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{mails}})
	d.Fault(fault.Fault{Port: fault.MailPort, Operation: "send", Fault: fault.Throttle})
	for day := range 7 {
		d.mustCollect(t, posts(day+1, 1)...)
		d.pass(t, 24*time.Hour, time.Hour)
	}
	e, err := d.Store.Endpoint(t.Context(), d.Main.ID, delivery.Endpoint{Owner: delivery.OfFeed(of.ID), Kind: "EMAIL"})
	if must(t, err); !e.Health.DisabledAt.IsZero() {
		t.Errorf("after 7 days without a mail the endpoint is %+v, want it in use", e.Health)
	}
	d.Faults.Clear()
	d.mustCollect(t, posts(100, 1)...)
	must(t, d.tick(t.Context()))
	if sent, err := d.Outbox().List(t.Context(), 10); err != nil || len(sent) == 0 {
		t.Errorf("then %d mails are sent, %v, want one at least", len(sent), err)
	}
}

// stoppedMail is a mailer whose sender is not allowed to send.
type stoppedMail struct{ err error }

func (m stoppedMail) Send(context.Context, mail.Message) error { return m.err }

// A fault of the sender counts once a mail, and no other fault does. The log has its cause.
func TestMailStopped_Counted(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want float64
	}{
		"paused":    {fmt.Errorf("%w: %w: SendingPausedException", mail.ErrThrottled, mail.ErrSender), 2},
		"no right":  {fmt.Errorf("%w: AccessDeniedException", mail.ErrSender), 2},
		"throttled": {mail.ErrThrottled, 0},
		"refused":   {mail.ErrRefused, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			to := []string{"a@northwind.example", "b@northwind.example"}
			mails := feed.Destination{Type: feed.Email, Frequency: feed.Instant, Emails: to}
			d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{mails}})
			_, err := d.collect(t.Context(), d.Main.ID, posts(1, 1)...)
			must(t, err)
			must(t, tickOnly(t, d))
			var out bytes.Buffer
			options, of := on(d, deliver.Group), d.options()
			options.Log, of.Mail = slog.New(lambdalog.Staged(slog.NewJSONHandler(&out, nil), "prod")), stoppedMail{c.err}
			handle, calls, got := worker.Deliver(deliver.Handler(options, of), queue.Deliveries), 0, 0.0
			for len(d.Sent.To(queue.Deliveries)) > 0 && calls < 5 {
				for _, m := range d.Sent.Take(queue.Deliveries) {
					calls++
					_, err := handle(t.Context(), []queue.Delivery{{ID: "m", Body: m.Body, Receives: 1}})
					must(t, err)
				}
			}
			for line := range strings.Lines(out.String()) {
				if strings.Contains(line, `"mailStopped"`) {
					metrics, _ := emftest.Read(t, []byte(line), lambdalog.Invocations())
					got += metrics["mailStopped"]
				}
			}
			if calls == 0 || got != c.want {
				t.Errorf("%d calls count %v stopped mails, want %v", calls, got, c.want)
			}
			if told := strings.Contains(out.String(), "Exception"); told != (c.want > 0) {
				t.Errorf("the log names the cause: %t, want %t", told, !told)
			}
		})
	}
}
