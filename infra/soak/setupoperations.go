package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
)

// A draft is a client's way through the setup engine, which it goes step by step.
type draft struct {
	id     string
	asked  bool // for a proposal
	ready  bool
	done   bool // applied, or left
	status string
}

// setupStep goes one step on with the draft that is under way, or begins one.
func setupStep(ctx context.Context, c *client) {
	at := slices.IndexFunc(c.drafts, func(d *draft) bool { return !d.done })
	if at < 0 {
		c.begin(ctx)
		return
	}
	d := c.drafts[at]
	switch {
	case !d.asked:
		c.scanned(ctx, d)
	case !d.ready:
		c.proposed(ctx, d)
	case c.applied():
		d.done = true // one proposal is applied: the names of a second one could be those of the first
		c.change(ctx, write{request: request{method: http.MethodPatch, target: "/api/v2/setup/drafts/" + d.id,
			body: body(object{"profile": object{"audience": "people who wait"}})}, then: func(answer) {}})
	default:
		c.apply(ctx, d)
	}
}

func (c *client) applied() bool {
	return slices.ContainsFunc(c.drafts, func(d *draft) bool { return d.status == "applied" })
}

// begin puts a page under a domain, and asks for a draft of it.
func (c *client) begin(ctx context.Context) {
	name := c.name()
	html := fmt.Sprintf(
		"<title>%[1]s | Berths, pilots and tugs for harbours</title><meta name=description content='%[1]s plans berths.'>"+
			"<a href='/products/%[1]splan'>%[1]splan</a>",
		name,
	)
	if !c.api.send(ctx, request{method: http.MethodPost, target: "/_local/sites",
		body: body(object{"domain": name + ".com", "html": html})}).
		ok() {
		return
	}
	c.change(
		ctx,
		write{
			request: request{target: "/api/v2/setup/drafts", body: body(object{"domain": name + ".com"})},
			then: func(got answer) {
				var made struct{ DraftID string }
				got.read(&made)
				if got.ok() && !slices.ContainsFunc(c.drafts, func(d *draft) bool { return d.id == made.DraftID }) {
					c.drafts = append(c.drafts, &draft{id: made.DraftID})
				}
			},
		},
	)
}

// scanned looks whether a draft is scanned, and asks for a proposal when it is.
func (c *client) scanned(ctx context.Context, d *draft) {
	got := c.get(ctx, "/api/v2/setup/drafts/"+d.id)
	if got.Status == http.StatusNotFound {
		c.findings.add("draft %s was acknowledged and is lost\n  answer   %s", d.id, got)
	}
	var shown struct{ Status string }
	if got.read(&shown); !got.ok() || shown.Status == "scanning" {
		return
	}
	if shown.Status != "scanned" {
		d.status, d.done = shown.Status, true
		return
	}
	tier := []string{"balanced", "thorough"}[c.random.IntN(2)]
	if c.change(ctx, write{request: request{target: "/api/v2/setup/proposals", body: body(object{"draftId": d.id, "tier": tier})}}).
		ok() {
		d.asked = true
	}
}

// A proposalShown is what the API shows of a run.
type proposalShown struct {
	Status   string
	Proposal *struct {
		Keywords []struct{ Keyword string }
		Feeds    []struct{ Name string }
	}
}

// proposed looks how far a run is. One that failed is asked for again.
func (c *client) proposed(ctx context.Context, d *draft) {
	got := c.get(ctx, "/api/v2/setup/proposals/"+d.id)
	if got.Status == http.StatusNotFound {
		c.findings.add("the proposal of draft %s was acknowledged and is lost\n  answer   %s", d.id, got)
	}
	var shown proposalShown
	got.read(&shown)
	switch {
	case !got.ok():
	case shown.Status == "ready":
		d.ready, d.status = true, shown.Status
	case shown.Status == "failed":
		d.asked, d.status = false, shown.Status
	}
}

// apply applies a proposal. What it makes is in it, so that the ledger knows of all that may come, and the answer tells
// what did.
func (c *client) apply(ctx context.Context, d *draft) {
	got := c.get(ctx, "/api/v2/setup/proposals/"+d.id)
	var shown proposalShown
	if got.read(&shown); !got.ok() || shown.Proposal == nil {
		return
	}
	w := write{request: request{target: "/api/v2/setup/proposals/" + d.id + "/apply", body: "{}"}}
	w.then = func(got answer) {
		var made struct {
			Keywords, Feeds []struct{ Keyword, Name string }
		}
		got.read(&made)
		told := fmt.Sprintf("%s → %s", w.request, got)
		if got.outcome() != refused && c.ledger.stateOf("company", "description") == "" {
			// what a workspace does not say of itself, the profile says
			c.ledger.told(unknown, told, change{"company", "description", anyState})
		}
		if got.outcome() == unknown {
			for _, k := range shown.Proposal.Keywords {
				c.ledger.told(unknown, told, change{"keyword", k.Keyword, anyState})
			}
			for _, f := range shown.Proposal.Feeds {
				c.ledger.told(unknown, told, change{"feed", f.Name, anyState})
			}
		}
		if got.ok() {
			d.done, d.status = true, "applied"
			for _, k := range made.Keywords {
				c.ledger.told(acknowledged, told, change{"keyword", k.Keyword, anyState})
			}
			for _, f := range made.Feeds {
				c.ledger.told(acknowledged, told, change{"feed", f.Name, anyState})
			}
		}
	}
	got = c.change(ctx, w)
	if got.outcome() == refused && got.Status != http.StatusTooManyRequests && got.Status != http.StatusConflict {
		d.done = true // stale, by a run that another request began
	}
	if got.broken || got.outcome() == unknown {
		d.status = "applied" // it may be, and no other is
	}
}
