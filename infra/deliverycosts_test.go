package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"earshot/events/message/due"
	telling "earshot/functions/feeds/deliver"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/feed/audience"
	"earshot/shared/mention"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

// taker is a webhook that takes everything, or nothing.
type taker struct {
	w      *worldtest.World
	status int
}

func (t taker) Post(context.Context, string, delivery.Message) (delivery.Outcome, error) {
	out := delivery.Outcome{At: t.w.Clock.Now(), Status: t.status}
	if t.status != 200 {
		out.Reason = "The webhook answered 500."
	}
	return out, nil
}

// What the guide counts of a million deliveries: units by the table's meter, and messages.
func TestTheGuideCountsDeliveries(t *testing.T) {
	const took, memoryGB, bodyBytes = 300 * time.Millisecond, 0.5, 1_500
	rows := "| a million events | units each | messages each | reads and writes | messages | calls and time | sent | in all |\n|---|---|---|---|---|---|---|---|\n"
	for _, c := range []struct {
		name     string
		together int // mentions found at once
		failures int // attempts before the one that is taken
		often    feed.Frequency
	}{
		{"100 mentions at once", 100, 0, feed.Instant}, {"one mention at a time", 1, 0, feed.Instant},
		{"one at a time, taken at the second attempt", 1, 1, feed.Instant},
		{"in a digest, of 10 that were found at once", 10, 0, feed.Hourly},
	} {
		w := worldtest.NewWorld(t)
		hook := feed.Destination{
			Type:         feed.Webhook,
			Frequency:    c.often,
			DeliveryMode: feed.Individual,
			URL:          "https://hooks.example/",
		}
		_, err := w.Store.CreateFeed(t.Context(), w.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook}}, "")
		worldtest.Must(t, err)
		listens, err := audience.Read(t.Context(), w.Store, w.Main.ID)
		worldtest.Must(t, err)
		var found []mention.Mention
		for n := range c.together {
			found = append(found, worldtest.Mention(0, fmt.Sprint("hackernews_comment_", n), worldtest.Now))
		}
		stored := func(bill mentionstore.Bill, orgID string) table.Usage {
			ctx, meter := table.WithMeter(t.Context())
			_, err := w.Store.IngestBilled(ctx, orgID, bill, found)
			worldtest.Must(t, err)
			return meter.Total()
		}
		without, with := stored(mentionstore.Bill{Limit: 1000}, w.Other.ID),
			stored(mentionstore.Bill{Limit: 1000, Shows: listens.Shows}, w.Main.ID)
		var log bytes.Buffer
		ctx := t.Context()
		status, messages, calls := 500, 1, 0
		worldtest.Must(t, due.Send(ctx, w.Queue(), 0, due.Work{WorkspaceID: w.Main.ID}))
		for range 2*c.failures + 4 {
			handle := worker.Deliver(telling.Handler(worker.Options{
				Function: "deliver",
				Log:      slog.New(slog.NewJSONHandler(&log, nil)),
				Clock:    w.Clock,
			}, telling.Options{
				Store: w.Store, Webhook: taker{w, status}, Queue: w.Queue(), Clock: w.Clock, Random: func() float64 { return 0 },
			}), queue.Deliveries)
			for _, m := range w.Sent.Take(queue.Deliveries) {
				calls++
				_, err := handle(ctx, []queue.Delivery{{ID: "m", Body: m.Body, Receives: 1}})
				worldtest.Must(t, err)
			}
			messages += len(w.Sent.To(queue.Deliveries))
			w.Clock.Freeze(w.Clock.Now().Add(10 * time.Second))
			if c.often != feed.Instant && calls == 1 {
				w.Clock.Freeze(w.Clock.Now().Add(time.Hour))
				digests, err := w.Store.DueDigests(ctx, 1)
				worldtest.Must(t, err)
				worldtest.Must(t, due.Send(ctx, w.Queue(), 0,
					due.Work{WorkspaceID: w.Main.ID, Endpoint: digests[0].Endpoint.String(), Digest: true}))
				messages++
			}
			if calls > c.failures {
				status = 200
			}
		}
		all, _, err := w.Store.Deliveries(t.Context(), deliverystore.Query{WorkspaceID: w.Main.ID, Limit: 1000})
		worldtest.Must(t, err)
		for _, one := range all {
			if one.State.Status != delivery.Delivered || one.State.Tried != c.failures+1 {
				t.Fatalf("%s: %+v", c.name, one.State)
			}
		}
		each := func(n float64) float64 { return n / float64(c.together) }
		var used table.Usage
		for line := range strings.Lines(log.String()) {
			var record struct{ ReadUnits, WriteUnits float64 }
			worldtest.Must(t, json.Unmarshal([]byte(line), &record))
			used.ReadUnits, used.WriteUnits = used.ReadUnits+record.ReadUnits, used.WriteUnits+record.WriteUnits
		}
		reads := each(used.ReadUnits + with.ReadUnits - without.ReadUnits)
		writes := each(used.WriteUnits + with.WriteUnits - without.WriteUnits)
		units := reads*readUnitPrice + writes*writeUnitPrice
		sent := each(float64(messages)) * 3 * messagePrice
		// Ten attempts are made at once.
		busy := took.Seconds() * float64(c.failures+1) / float64(min(c.together, delivery.InFlight))
		time := each(float64(calls))*callPrice + busy*memoryGB*gbSecondPrice
		out := float64(bodyBytes*(c.failures+1)) * outPrice
		rows += fmt.Sprintf("| %s | %.1f reads, %.1f writes | %.2f | %.2f | %.2f | %.2f | %.2f | **%.2f** |\n", c.name, reads,
			writes, each(float64(messages)),
			units*1e6, sent*1e6, time*1e6, out*1e6, (units+sent+time+out)*1e6)
	}
	if !strings.Contains(guide(t), rows) {
		t.Errorf("the guide has not\n%s", rows)
	}
}
