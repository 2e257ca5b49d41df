package ingest_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"earshot/events/message/due"
	"earshot/functions/ingest"
	"earshot/shared/feed"
	"earshot/shared/feed/audience"
	"earshot/shared/port/queue"
)

// Who is told of what feeds show hears of it at once: ingest announces it, and sends a message. Nothing is announced or
// sent where no feed with a destination shows it, and a queue that fails fails no post.
func TestAnnounces(t *testing.T) {
	for name, c := range map[string]struct {
		feed feed.Feed
		down bool
		told int // announcements
		sent int // messages
	}{
		"shown": {feed.Feed{
			Name:         "All",
			Destinations: []feed.Destination{{Type: feed.Webhook, Frequency: feed.Instant, URL: "https://hooks.example/"}},
		}, false, 1, 1},
		"not shown": {feed.Feed{
			Name:          "German",
			SimpleFilters: []byte(`{"language":["german"]}`),
			Destinations:  []feed.Destination{{Type: feed.Webhook, Frequency: feed.Instant, URL: "https://hooks.example/"}},
		}, false, 0, 0},
		"no destination": {feed.Feed{Name: "All"}, false, 0, 0},
		"no queue": {feed.Feed{
			Name:         "All",
			Destinations: []feed.Destination{{Type: feed.Webhook, Frequency: feed.Instant, URL: "https://hooks.example/"}},
		}, true, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			_, err := w.Store.CreateFeed(t.Context(), w.Main.ID, c.feed, "")
			must(t, err)
			options := w.options(w.Store)
			options.Audiences = &audience.Audiences{Store: w.Store, Clock: w.Clock}
			var to queue.Queue = w.Queue()
			if c.down {
				to = noQueue{}
			}
			options.Told = ingest.Tell(to, slog.New(slog.DiscardHandler))
			for range 2 { // again: no news
				outcome, err := ingest.New(options).Take(t.Context(), many(3))
				if must(t, err); outcome.Mentions.TooLarge > 0 {
					t.Fatalf("%+v", outcome)
				}
			}
			waiting, err := w.Store.Announcements(t.Context(), w.Main.ID, 10)
			must(t, err)
			if len(waiting) != c.told || len(waiting) > 0 && len(waiting[0].Told) != 3 {
				t.Errorf("%+v", waiting)
			}
			sent := w.Sent.Take(queue.Deliveries)
			if len(sent) != c.sent {
				t.Fatalf("%d messages", len(sent))
			}
			for _, m := range sent {
				if work, err := due.Read(m.Body); err != nil || work != (due.Work{WorkspaceID: w.Main.ID}) {
					t.Errorf("%+v %v", work, err)
				}
			}
		})
	}
}

type noQueue struct{}

func (noQueue) Send(context.Context, string, ...queue.Message) error { return errors.New("no queue") }
