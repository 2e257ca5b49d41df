package deliver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"earshot/functions/ai/summaries"
	"earshot/shared/delivery"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/port/model"
	"earshot/shared/port/queue"
	"earshot/shared/store/workspacestore"
	"earshot/shared/summary/compose"
	"earshot/shared/web/deliverywire"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

// loginErrors are mentions of one theme. The last is hostile.
func loginErrors() (found []mention.Mention) {
	for i, body := range []string{
		"The login page throws an error since the update", "Cannot login to Northwind, error 500 on the login page",
		"Anyone else get a login error with Northwind today?", "The login error is back after the password reset",
		"Login error, the password reset link is broken too", "northwind login keeps failing with an error after a reset",
		"Login error <!channel> @everyone **now** <script>alert(1)</script> \u202eerror",
	} {
		m := worldtest.Mention(0, fmt.Sprint("hackernews_comment_", 900+i), worldtest.Now.Add(time.Duration(i)*time.Minute))
		author := fmt.Sprint("author", i)
		m.Title, m.Body, m.Author = nil, &body, &author
		found = append(found, m)
	}
	return found
}

func summarized(to feed.Destination) feed.Destination {
	to.Summary = true
	return every(feed.Weekly, to)
}

// asks is a model that counts its calls and is of no help.
type asks struct{ calls *atomic.Int64 }

func (a asks) Complete(context.Context, model.Request) (model.Answer, error) {
	a.calls.Add(1)
	return model.Answer{}, errors.New("model: unavailable")
}

// write has the function summaries take its messages, for the nth time.
func (d *desk) write(t testing.TB, llm model.Model, messages []queue.Message, receives int) {
	t.Helper()
	options := summaries.Options{Store: d.Store, Clock: d.Clock, Log: slog.New(slog.DiscardHandler)}
	if llm != nil {
		options.Writer = &compose.Writer{
			Model: llm, ID: "test-model", Limit: time.Minute,
			Budget: workspacestore.ModelBudget{
				Store: d.Store.Kernel, Daily: 100_000, For: summaries.BudgetFor, Kind: workspacestore.Summary,
			},
		}
	}
	handle := worker.Deliver(summaries.Handler(on(d, summaries.Group), options), queue.Summaries)
	for _, m := range messages {
		_, _ = handle(t.Context(), []queue.Delivery{{ID: "s", Body: m.Body, Receives: receives}}) // what fails comes again
	}
}

// due turns the clock on to the end of the week's interval.
func (d *desk) due(t testing.TB) {
	t.Helper()
	end := every(feed.Weekly, hook("https://feed.example/")).NextDigest(d.Clock.Now())
	d.Clock.Freeze(end)
	must(t, d.tick(t.Context()))
}

func TestDigest_Summary(t *testing.T) {
	d := newDesk(t)
	slack := feed.Destination{Type: feed.Slack, Channels: []string{"C1"}}
	f := d.feed(t, d.Main.ID, feed.Feed{Name: "Launch", Destinations: []feed.Destination{
		summarized(hook("https://feed.example/")), summarized(letters("a@northwind.example")), summarized(slack),
	}})
	_, err := d.Store.CreateNotification(t.Context(), d.Main.ID, feed.Notification{
		Name: "Plain", FeedID: f.ID, Enabled: true,
		Destinations: []feed.Destination{every(feed.Weekly, hook("https://plain.example/"))},
	}, "")
	must(t, err)
	d.mustCollect(t, loginErrors()...)
	must(t, d.tick(t.Context()))
	d.due(t)
	if len(d.seen) != 1 || d.seen[0].url != "https://plain.example/" {
		t.Fatalf("%d events before the summary is written, want that of the plain destination", len(d.seen))
	}
	messages := d.Sent.Take(queue.Summaries)
	d.write(t, nil, messages, 1)
	d.pass(t, 2*time.Minute, time.Minute)
	if again := d.Sent.Take(queue.Summaries); len(messages) != 1 || len(again) != 0 {
		t.Errorf("%d messages ask for the summary, then %d, want 1 and 0", len(messages), len(again))
	}
	for _, e := range d.events {
		var read deliverywire.DigestEvent
		must(t, json.Unmarshal(e.Body, &read))
		said := read.Data.Summary.Value
		if e.url == "https://plain.example/" {
			if said != nil || !strings.Contains(string(e.Body), `"summary":null`) {
				t.Errorf("a destination that did not ask for a summary got %s", e.Body)
			}
			continue
		}
		if said == nil || said.Status != "completed" || len(said.Themes) == 0 || said.StartDate != read.Data.From ||
			len(said.Themes[0].Sentences) == 0 || len(said.Themes[0].Sentences[0].MentionIDs) == 0 {
			t.Fatalf("the event is %s, want a summary of its interval that cites mentions", e.Body)
		}
	}
	sent, err := d.Outbox().List(t.Context(), 10)
	must(t, err)
	if len(d.events) != 2 || len(sent) != 1 || len(d.texts) != 1 {
		t.Fatalf("%d events, %d letters and %d messages, want 2, 1 and 1", len(d.events), len(sent), len(d.texts))
	}
	for name, text := range map[string]string{"text": sent[0].Text, "HTML": sent[0].HTML, "Slack": d.texts[0]} {
		if !strings.Contains(text, "What was said") || !strings.Contains(text, "“") {
			t.Errorf("the %s has no summary: %s", name, text)
		}
	}
	if strings.Contains(sent[0].HTML, "<script>") {
		t.Error("a stranger's markup is in the letter")
	}
}

// A summary that is not written in time, or cannot be asked for, is left out. The digest is sent once.
func TestDigest_SummaryMissing(t *testing.T) {
	for name, c := range map[string]struct {
		queueFails bool
		after      time.Duration
	}{
		"late": {false, 12 * time.Minute}, "no queue": {true, 2 * time.Minute},
	} {
		d := newDesk(t)
		d.feed(t, d.Main.ID, feed.Feed{
			Name:         "All",
			Destinations: []feed.Destination{summarized(hook("https://feed.example/"))},
		})
		found := loginErrors()
		d.mustCollect(t, found...)
		must(t, d.tick(t.Context()))
		end := every(feed.Weekly, hook("https://feed.example/")).NextDigest(d.Clock.Now())
		d.Clock.Freeze(end)
		if c.queueFails {
			// The schedule and the announcement send before the summary does.
			must(t, d.Queue().Send(t.Context(), queue.Deliveries, queue.Message{
				Body: []byte(fmt.Sprintf(`{"workspaceId":%q,"endpoint":"feed/1/WEBHOOK","digest":true}`, d.Main.ID)),
			}))
			d.Fault(fault.Fault{Port: fault.QueuePort, Operation: "Send", Fault: fault.Error, Times: 1})
			must(t, d.take(t.Context(), 1))
		}
		d.pass(t, c.after, time.Minute)
		messages := d.Sent.Take(queue.Summaries)
		d.write(t, nil, messages, 1)
		d.pass(t, 10*time.Minute, time.Minute)
		all := digests(t, d.events)
		listed(t, all, found)
		if len(all) != 1 || all[0].Summary.Value != nil || c.queueFails != (len(messages) == 0) {
			t.Errorf("%s: %d digests, the first with %v, after %d messages", name, len(all), all[0].Summary, len(messages))
		}
	}
}

// However the digest or the summary dies: one digest, which is told with one summary, for which the model is asked once.
func TestDigest_SummaryKilledAtEachStep(t *testing.T) {
	faulttest.EachStep(t, 12, func(t *testing.T, step *faulttest.Step) {
		d := newDesk(t)
		var calls atomic.Int64
		d.feed(t, d.Main.ID, feed.Feed{
			Name:         "All",
			Destinations: []feed.Destination{summarized(hook("https://feed.example/"))},
		})
		found := loginErrors()
		d.mustCollect(t, found...)
		must(t, d.tick(t.Context()))
		d.Clock.Freeze(every(feed.Weekly, hook("https://feed.example/")).NextDigest(d.Clock.Now()))
		var asked []queue.Message
		_ = step.Die(t, d.Life, func() error {
			err := d.tick(t.Context())
			asked = d.Sent.Take(queue.Summaries)
			d.write(t, asks{&calls}, asked, 1)
			d.Clock.Freeze(d.Clock.Now().Add(time.Minute))
			return errors.Join(err, d.tick(t.Context()))
		})
		for n := range 14 {
			asked = append(asked, d.Sent.Take(queue.Summaries)...)
			d.write(t, asks{&calls}, asked, n%2+1)
			d.pass(t, time.Minute, time.Minute)
		}
		all := digests(t, d.events)
		listed(t, all, found)
		if len(all) != 1 || calls.Load() > 1 {
			t.Errorf("%d digests, and the model was asked %d times, want 1 and at most 1", len(all), calls.Load())
		}
		if len(all) > 0 && all[0].Summary.Value == nil {
			t.Error("the digest has no summary, want that of the rules")
		}
		for _, one := range d.all(t) {
			if one.State.Status != delivery.Delivered {
				t.Errorf("%+v", one.State)
			}
		}
	})
}
