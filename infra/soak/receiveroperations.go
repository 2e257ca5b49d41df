package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// A client that hears has a feed of its posts with a webhook, which leads to the workbench's own receiver. The receiver
// fails as receivers do. In the end every post that the feed shows must have arrived.

// receivers is how many clients hear at most: the workbench forgets receivers beyond a hundred.
const receivers = 80

// heardFeed is the feed's name.
func (c *client) heardFeed() string { return c.keyword + "feed" }

// hook is the path of the client's receiver.
func (c *client) hook() string { return "/hooks/" + c.keyword }

// hear makes the feed, before the first post and the first fault.
func (c *client) hear(ctx context.Context) {
	name := c.heardFeed()
	w := write{
		request: request{
			method: http.MethodPost, target: "/api/v2/feeds", key: c.home.write,
			body: body(object{"name": name, "simpleFilters": object{"keyword": []int64{c.keywordID}}, "destinations": []object{{
				"type": "WEBHOOK", "frequency": "instant", "deliveryMode": "individual",
				"webhookDestination": object{"url": *c.api.base.Load() + "/_local" + c.hook()},
			}}}),
		},
		changes: []change{{"feed", name, bare}},
		then:    c.learn("feed", name),
	}
	if got := c.send(ctx, w); !got.ok() {
		c.findings.add("a feed with a webhook cannot be made\n  request  %s\n  answer   %s", w.request, got)
	}
	c.heard = c.ledger.idOf("feed", name)
}

// disturb says how the receiver answers some of its next requests.
func disturb(ctx context.Context, c *client) {
	next := []object{
		{"status": 500, "times": 3},
		{"status": 503, "retryAfter": "2"},
		{"status": 429, "retryAfter": "1", "times": 2},
		{"status": 301},
		{"status": 200, "delayMs": 400, "times": 5},
		{"reset": true, "times": 2},
		{"status": 410},
	}[c.random.IntN(7)]
	c.api.send(ctx, request{method: http.MethodPost, target: "/_local" + c.hook() + "/responses", body: body(next)})
}

// resendSomething sends a delivery again, as somebody who does not trust the log.
func resendSomething(ctx context.Context, c *client) {
	var page deliveriesShown
	if c.get(ctx, "/api/v2/deliveries?limit=5&feedId="+c.heard).read(&page); len(page.Data) == 0 {
		post(ctx, c)
		return
	}
	again := page.Data[c.random.IntN(len(page.Data))]
	c.change(ctx, write{request: request{target: "/api/v2/deliveries/" + again.ID + "/resend"}})
}

// deliveriesShown is a page of deliveries, as far as it is read.
type deliveriesShown struct {
	Data []struct {
		ID, Status    string
		SourceIDs     []string
		NextAttemptAt *time.Time
	}
	Pagination struct{ NextCursor *string }
}

// settled reports whether the receiver has had everything. What waits for a later attempt is sent now, and what was
// given up too: the receiver is well.
func (c *client) settled(ctx context.Context) bool {
	if time.Since(c.heardAt) < time.Second {
		return false
	}
	c.heardAt = time.Now()
	c.api.send(ctx, request{method: http.MethodDelete, target: "/_local" + c.hook()})
	var pending, disabled, failed deliveriesShown
	const list = "/api/v2/deliveries?limit=100&feedId="
	if !c.ask(ctx, c.read, list+c.heard+"&status=pending", &pending) || !c.ask(ctx, c.read, list+c.heard+"&status=disabled", &disabled) ||
		!c.ask(ctx, c.read, list+c.heard+"&status=failed", &failed) {
		return false
	}
	over := true
	for _, page := range []deliveriesShown{pending, disabled, failed} {
		over = over && len(page.Data) == 0 && page.Pagination.NextCursor == nil
	}
	for _, one := range pending.Data {
		if one.NextAttemptAt != nil && time.Until(*one.NextAttemptAt) > leases { // by the turned clock
			c.change(ctx, write{request: request{target: "/api/v2/deliveries/" + one.ID + "/resend"}})
		}
	}
	if len(disabled.Data)+len(failed.Data) > 0 {
		c.change(ctx, write{request: request{target: "/api/v2/feeds/" + c.heard + "/enable"}})
		since := object{"since": c.began.Format(time.RFC3339)}
		c.change(ctx, write{request: request{target: "/api/v2/feeds/" + c.heard + "/recover", body: body(since)}})
	}
	return over
}

// checkHeard compares the posts that the feed shows with what its webhook was sent. A post whose relevance a user
// changed may have left the feed before it was sent, or joined it too late.
func (c *client) checkHeard(ctx context.Context) {
	sent := map[string]string{} // events, by sourceId
	events := map[string]bool{}
	for cursor := ""; ; {
		var page deliveriesShown
		if !c.ask(ctx, c.read, "/api/v2/deliveries?limit=100&feedId="+c.heard+cursor, &page) {
			return
		}
		for _, one := range page.Data {
			events[one.ID] = true
			if one.Status != "delivered" {
				c.findings.add("workspace %s: delivery %s is %s in the end", c.home.workspace, one.ID, one.Status)
			}
			for _, id := range one.SourceIDs {
				if other := sent[id]; other != "" {
					c.findings.add("workspace %s: mention %s is in events %s and %s", c.home.workspace, id, other, one.ID)
				}
				sent[id] = one.ID
			}
		}
		if page.Pagination.NextCursor == nil {
			break
		}
		cursor = "&cursor=" + *page.Pagination.NextCursor
	}
	for cursor := ""; ; {
		wanted := object{"limit": 100, "filters": object{"keyword": []int64{c.keywordID}}}
		if cursor != "" {
			wanted["cursor"] = cursor
		}
		var page struct {
			Data       []shown
			Pagination struct{ NextCursor *string }
		}
		if !c.asked(ctx, request{method: http.MethodPost, target: "/api/v2/mentions", key: c.read, body: body(wanted)}, &page) {
			return
		}
		for _, m := range page.Data {
			if m.Source == "news" && !c.thumbed[m.SourceID] && sent[m.SourceID] == "" {
				c.findings.add("workspace %s: mention %s was not sent to the feed's webhook", c.home.workspace, m.SourceID)
			}
		}
		if page.Pagination.NextCursor == nil {
			break
		}
		cursor = *page.Pagination.NextCursor
	}
	var got struct {
		Requests []struct {
			Headers  map[string]string
			Verified bool
		}
	}
	if err := c.api.local(ctx, http.MethodGet, c.hook(), nil, &got); err != nil {
		c.findings.add("workspace %s: %v", c.home.workspace, err)
	}
	for _, r := range got.Requests {
		if id := r.Headers["webhook-id"]; !r.Verified || !events[id] {
			c.findings.add("workspace %s: the webhook got event %s, verified %t, known %t", c.home.workspace, id, r.Verified, events[id])
		}
	}
	c.heardEvents = len(events)
}

// heardInAll describes what all webhooks got.
func (s *soak) heardInAll() string {
	events, receivers := 0, 0
	for _, c := range s.clients {
		if c.heard != "" {
			events, receivers = events+c.heardEvents, receivers+1
		}
	}
	return fmt.Sprintf("%d events delivered to %d faulty receivers", events, receivers)
}
