package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// A client that hears has a feed of its posts with a webhook that is told of each, another one with a webhook that gets
// hourly digests, and an alert on them. The webhooks lead to the workbench's own receiver, which fails as receivers do.
// In the end each post that a feed shows must have arrived in one event, and each episode of the alert in two.

// What a client's webhooks are told.
const (
	instant = "instant" // of each post
	digest  = "digest"  // of each hour's posts
	watch   = "watch"   // of the alert
)

// receivers is how many clients hear at most. The workbench forgets receivers beyond a hundred.
const receivers = 30

// An owner has a webhook.
type owner struct {
	path  string // of the API
	query string // by which its deliveries are listed
}

// owns reports whether a webhook of the client is of the thing with that path.
func (c *client) owns(path string) bool {
	for _, o := range c.owners {
		if o.path == path {
			return true
		}
	}
	return false
}

// hook is the path of a receiver of the client's.
func (c *client) hook(told string) string { return "/hooks/" + c.keyword + "-" + told }

// webhook is the destination that leads to a receiver.
func (c *client) webhook(told, frequency string) object {
	return object{
		"type": "WEBHOOK", "frequency": frequency, "deliveryMode": "individual",
		"webhookDestination": object{"url": *c.api.base.Load() + "/_local" + c.hook(told)},
	}
}

// alertValue is the threshold of the alert: more posts in an hour fire it, and a tenth less end that.
const alertValue = 3

// hear makes the feeds and the alert before the first fault, and the posts that the alert fires on.
func (c *client) hear(ctx context.Context) {
	for _, made := range []struct{ told, kind, path, query, state, body string }{
		{instant, "feed", "/api/v2/feeds", "feedId=", bare, body(object{
			"name": c.keyword + instant, "simpleFilters": object{"keyword": []int64{c.keywordID}},
			"destinations": []object{c.webhook(instant, "instant")},
		})},
		{digest, "feed", "/api/v2/feeds", "feedId=", bare, body(object{
			"name": c.keyword + digest, "simpleFilters": object{"keyword": []int64{c.keywordID}},
			"destinations": []object{c.webhook(digest, "hourly")},
		})},
		{watch, "alert", "/api/v2/alerts", "alertId=", state(true, alertValue), body(object{
			"name": c.keyword + watch, "filters": object{"keyword": []int64{c.keywordID}},
			"condition":    object{"metric": "mentions", "comparison": "above", "value": alertValue, "window": "1h"},
			"destinations": []object{c.webhook(watch, "instant")},
		})},
	} {
		name := c.keyword + made.told
		w := write{
			request: request{method: http.MethodPost, target: made.path, key: c.home.write, body: made.body},
			changes: []change{{made.kind, name, made.state}},
			then:    c.learn(made.kind, name),
		}
		if got := c.send(ctx, w); !got.ok() {
			c.findings.add("a webhook cannot be made\n  request  %s\n  answer   %s", w.request, got)
		}
		id := c.ledger.idOf(made.kind, name)
		c.owners[made.told] = owner{made.path + "/" + id, made.query + id}
		c.received[made.told] = map[string]receipt{}
	}
	c.post(ctx, alertValue+2)
}

// burst posts as much as fires the alert.
func burst(ctx context.Context, c *client) { c.post(ctx, alertValue+1+c.random.IntN(3)) }

// disturb says how a receiver responds to some of its next requests.
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
	target := "/_local" + c.hook(c.drawnOwner()) + "/responses"
	c.api.send(ctx, request{method: http.MethodPost, target: target, body: body(next)})
}

func (c *client) drawnOwner() string { return []string{instant, digest, watch}[c.random.IntN(3)] }

// runDeliveries runs what is due, as the schedule does every minute. It may fail while there are faults.
func runDeliveries(ctx context.Context, c *client) {
	c.api.send(ctx, request{method: http.MethodPost, target: "/_local/schedules/deliveries"})
}

// resendSomething sends a delivery again, as somebody who does not trust the log. It may also enable a destination, and
// recover what that missed.
func resendSomething(ctx context.Context, c *client) {
	of := c.owners[c.drawnOwner()]
	if c.chance(0.2) {
		c.revive(ctx, of)
		return
	}
	var page deliveriesShown
	if c.get(ctx, "/api/v2/deliveries?limit=5&"+of.query).read(&page); len(page.Data) == 0 {
		burst(ctx, c)
		return
	}
	again := page.Data[c.random.IntN(len(page.Data))]
	c.get(ctx, "/api/v2/deliveries/"+again.ID)
	c.change(ctx, write{request: request{target: "/api/v2/deliveries/" + again.ID + "/resend"}})
}

// revive enables an owner's destination, and has what failed sent again.
func (c *client) revive(ctx context.Context, of owner) {
	c.change(ctx, write{request: request{target: of.path + "/enable"}})
	since := object{"since": c.began.Format(time.RFC3339)}
	c.change(ctx, write{request: request{target: of.path + "/recover", body: body(since)}})
}

// attend does what an attention item about a broken destination proposes, or dismisses another one.
func attend(ctx context.Context, c *client) {
	var all struct {
		Data []struct {
			ID, Kind string
			Action   struct {
				Type string
				Path string
			}
		}
	}
	c.get(ctx, "/api/v2/attention").read(&all)
	for _, item := range all.Data {
		if item.Kind != "delivery_broken" {
			continue
		}
		if want := "/api/v2/attention/" + item.ID + "/apply"; item.Action.Type != "apply" || item.Action.Path != want {
			c.found("a broken destination proposes %+v", item.Action)
		}
		c.change(ctx, write{request: request{target: item.Action.Path}})
		return
	}
	if len(all.Data) > 0 && c.chance(0.3) {
		id := all.Data[c.random.IntN(len(all.Data))].ID
		c.change(ctx, write{request: request{target: "/api/v2/attention/" + id + "/dismiss"}})
	}
}

// deliveriesShown is a page of deliveries, as far as it is read.
type deliveriesShown struct {
	Data       []deliveryShown
	Pagination struct{ NextCursor *string }
}

type deliveryShown struct {
	ID, Type, Status string
	SourceIDs        []string
	NextAttemptAt    *time.Time
	Digest           *interval // of a digest
	Attempts         []struct{ At time.Time }
}

// An interval is that of a digest, or of one of its parts.
type interval struct {
	From, To    time.Time
	Part, Parts int
}

// deliveries lists an owner's deliveries, those of a status if one is given. An alert's are not its feed's.
func (c *client) deliveries(ctx context.Context, told, status string) (all []deliveryShown, ok bool) {
	for cursor := ""; ; {
		target := "/api/v2/deliveries?limit=100&" + c.owners[told].query + cursor
		if status != "" {
			target += "&status=" + status
		}
		var page deliveriesShown
		if !c.ask(ctx, c.read, target, &page) {
			return nil, false
		}
		all = append(all, page.Data...)
		if page.Pagination.NextCursor == nil {
			return all, true
		}
		cursor = "&cursor=" + url.QueryEscape(*page.Pagination.NextCursor)
	}
}

// A receipt is what a webhook got of an event.
type receipt struct {
	taken bool // whether one of its requests was responded to with success
	body  string
}

// harvest reads what the receivers got, before the process forgets it. A request that is not signed is a finding.
func (c *client) harvest(ctx context.Context) {
	for told, known := range c.received {
		var got struct {
			Requests []struct {
				Status   int
				Headers  map[string]string
				Body     string
				Verified bool
			}
		}
		if err := c.api.local(ctx, http.MethodGet, c.hook(told), nil, &got); err != nil {
			return // the process has died; what it got before is sent again in the end
		}
		for _, r := range got.Requests {
			id := r.Headers["webhook-id"]
			if !r.Verified {
				c.found("the webhook of %s got event %q, and it is not signed", told, id)
			}
			known[id] = receipt{known[id].taken || r.Status/100 == 2, r.Body}
		}
	}
}

func listen(ctx context.Context, c *client) { c.harvest(ctx) }

// settled reports whether the receivers have had everything. What waits for a later attempt is sent now, and what was
// given up too: the receivers are well.
func (c *client) settled(ctx context.Context) bool {
	over := true
	for told, of := range c.owners {
		if told != mailedFeed {
			c.api.send(ctx, request{method: http.MethodDelete, target: "/_local" + c.hook(told) + "/responses"})
		}
		left := map[string][]deliveryShown{}
		for _, status := range []string{"pending", "disabled", "failed"} {
			some, ok := c.deliveries(ctx, told, status)
			if !ok {
				return false
			}
			left[status] = some
			for _, one := range some {
				c.waits += fmt.Sprintf(" %s is %s at %s after %v;", one.ID, status, told, one.Attempts)
			}
			over = over && len(some) == 0
		}
		for _, one := range left["pending"] {
			if one.NextAttemptAt != nil && one.NextAttemptAt.After(c.api.now()) {
				c.change(ctx, write{request: request{target: "/api/v2/deliveries/" + one.ID + "/resend"}})
			}
		}
		if len(left["disabled"])+len(left["failed"]) > 0 { // not of mail: enabling would bring back who left
			c.revive(ctx, of)
		}
	}
	return over && c.seen(ctx)
}

// seen reports whether the client has read every delivered event at its receiver. What one process delivered and forgot
// at its death is sent again. What the running one delivered must be there.
func (c *client) seen(ctx context.Context) bool {
	delivered := map[string][]deliveryShown{}
	for told := range c.received {
		some, ok := c.deliveries(ctx, told, "delivered")
		if !ok {
			return false
		}
		delivered[told] = some
	}
	c.harvest(ctx)
	over, born := true, time.Unix(0, c.api.born.Load())
	for told, some := range delivered {
		for _, one := range some {
			switch {
			case c.received[told][one.ID].taken:
			case len(one.Attempts) > 0 && one.Attempts[len(one.Attempts)-1].At.Before(born):
				over = false
				c.waits += fmt.Sprintf(" %s is sent again to %s;", one.ID, told)
				c.change(ctx, write{request: request{target: "/api/v2/deliveries/" + one.ID + "/resend"}})
			default:
				c.found("delivery %s is delivered, and the webhook of %s did not get it", one.ID, told)
			}
		}
	}
	return over
}

// heardInAll describes what all webhooks got.
func (s *soak) heardInAll() string {
	total, hearing := map[string]int{}, 0
	for _, c := range s.clients {
		if c.hears {
			hearing++
		}
		for kind, n := range c.heard {
			total[kind] += n
		}
	}
	return fmt.Sprintf("%s, delivered to the faulty receivers of %d clients", counts(total), hearing)
}
