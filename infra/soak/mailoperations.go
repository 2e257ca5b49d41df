package main

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// A client that hears also has a feed that mails its posts to two readers, of whom one unsubscribes.

// mailedFeed ends the feed's name, after the client's keyword.
const mailedFeed = "mailed"

// leaving is the address of the reader who unsubscribes, and staying that of the other one.
func (c *client) leaving() string { return "leaving@" + c.keyword + ".example" }
func (c *client) staying() string { return "staying@" + c.keyword + ".example" }

// subscribe makes the feed, before the first fault.
func (c *client) subscribe(ctx context.Context) {
	name := c.keyword + mailedFeed
	w := write{
		request: request{method: http.MethodPost, target: "/api/v2/feeds", key: c.home.write, body: body(object{
			"name": name, "simpleFilters": object{"keyword": []int64{c.keywordID}}, "destinations": []object{{
				"type": "EMAIL", "frequency": "instant", "deliveryMode": "batch",
				"emailDestination": object{"emails": []string{c.leaving(), c.staying()}},
			}},
		})},
		changes: []change{{"feed", name, bare}},
		then:    c.learn("feed", name),
	}
	if got := c.send(ctx, w); !got.ok() {
		c.findings.add("a feed with mail cannot be made\n  request  %s\n  answer   %s", w.request, got)
	}
	id := c.ledger.idOf("feed", name)
	c.owners[mailedFeed] = owner{"/api/v2/feeds/" + id, "feedId=" + id}
}

// unsubscribe takes the link of a mail to the reader who leaves, opens its page and presses the button, until that is
// acknowledged.
func unsubscribe(ctx context.Context, c *client) {
	if c.unsubscribed {
		listMentions(ctx, c)
		return
	}
	for _, mail := range c.outbox(ctx) {
		if mail.To != c.leaving() {
			continue
		}
		if link, found := pathOf(strings.Trim(mail.Headers["List-Unsubscribe"], "<>")); found {
			c.api.send(ctx, request{method: http.MethodGet, target: link})
			c.leftPerhaps = true
			got := c.api.send(ctx, request{
				method: http.MethodPost, target: link, media: formMedia, body: "List-Unsubscribe=One-Click",
			})
			c.unsubscribed = got.ok()
			return
		}
	}
	burst(ctx, c)
}

type mailShown struct {
	To      string
	SentAt  time.Time
	Headers map[string]string
}

// outbox lists the mails that were sent last, the latest first.
func (c *client) outbox(ctx context.Context) []mailShown {
	var outbox struct{ Mails []mailShown }
	c.api.send(ctx, request{method: http.MethodGet, target: "/_local/outbox"}).read(&outbox)
	return outbox.Mails
}

// checkReaders holds the mails since the client's last post to who wants them. Everything is over.
func (c *client) checkReaders(ctx context.Context) {
	since := map[string]int{}
	for _, mail := range c.outbox(ctx) {
		if !mail.SentAt.Before(c.greeted) {
			since[mail.To]++
		}
	}
	if since[c.staying()] == 0 {
		c.found("%s has had no mail since %s", c.staying(), c.greeted)
	}
	switch had := since[c.leaving()]; {
	case c.unsubscribed && had > 0:
		c.found("%s has unsubscribed, and has had %d mails since %s", c.leaving(), had, c.greeted)
	case !c.leftPerhaps && had == 0:
		c.found("%s has had no mail since %s", c.leaving(), c.greeted)
	}
}
