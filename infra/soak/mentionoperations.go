package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

func listMentions(ctx context.Context, c *client) {
	wanted := object{"limit": 1 + c.random.IntN(50), "includeAll": c.chance(0.7)}
	if c.chance(0.3) {
		wanted["simpleFilters"] = object{"source": []string{"news"}, "!engaged": c.chance(0.5)}
	}
	var page struct {
		Data       []shown
		Pagination struct{ NextCursor *string }
	}
	got := c.api.send(ctx, c.reader(request{method: http.MethodPost, target: "/api/v2/mentions", body: body(wanted)}))
	got.read(&page)
	for _, m := range page.Data {
		c.meet(m)
	}
	if got.ok() && page.Pagination.NextCursor != nil && c.chance(0.5) {
		wanted["cursor"] = *page.Pagination.NextCursor
		c.api.send(ctx, c.reader(request{method: http.MethodPost, target: "/api/v2/mentions", body: body(wanted)}))
	}
}

// meet keeps the number of a mention that was shown.
func (c *client) meet(m shown) {
	if known, mine := c.posted[m.SourceID]; mine {
		_, _ = fmt.Sscan(m.id(), &known.id)
		c.posted[m.SourceID] = known
	}
}

func readMention(ctx context.Context, c *client) {
	id, found := c.pick(c.ledger.certain("mention", anyState))
	if !found {
		id = "news_nothing"
	}
	target := "/api/v2/mentions/" + url.PathEscape(id)
	if c.chance(0.3) {
		target = "/api/v2/mentions/by-id?includeEngagementMetrics=true&id=" + url.QueryEscape(id)
	}
	if c.chance(0.1) {
		c.get(ctx, "/api/v2/mentions/by-author?source=news&handle=quietharbor&limit=5")
	}
	got := c.get(ctx, target)
	if got.ok() {
		var m shown
		got.read(&m)
		c.meet(m)
	}
	if found && got.Status == http.StatusNotFound {
		c.findings.add("mention %s was acknowledged and is lost\n  answer   %s", id, got)
	}
}

// mine is a mention that is there for certain, with its number.
func (c *client) mine() (sourceID string, m mentioned, found bool) {
	for _, id := range c.ledger.certain("mention", anyState) {
		if c.posted[id].id != 0 {
			if !found || c.chance(0.1) {
				sourceID, m, found = id, c.posted[id], true
			}
		}
	}
	return sourceID, m, found
}

// patch changes one of the client's mentions, when it knows one.
func (c *client) patch(ctx context.Context, kind, state string, fields object) {
	sourceID, m, found := c.mine()
	if !found {
		listMentions(ctx, c)
		return
	}
	fields["postId"], fields["timestamp"] = m.id, m.timestamp
	c.change(
		ctx,
		write{
			request: request{
				method: http.MethodPatch,
				target: "/api/v2/mentions/" + url.PathEscape(sourceID),
				body:   body(fields),
			},
			changes: []change{{kind, sourceID, state}},
		},
	)
}

func engage(ctx context.Context, c *client) {
	on := c.chance(0.6)
	c.patch(ctx, "engaged", state(on), object{"action": "engage", "engaged": on})
}

func setSentiment(ctx context.Context, c *client) {
	label := []string{"Positive", "Neutral", "Negative"}[c.random.IntN(3)]
	c.patch(ctx, "sentiment", label, object{"action": "sentiment", "sentimentLabel": label})
}

// setRelevance is a judgement of every keyword of the mention: ours have one.
func setRelevance(ctx context.Context, c *client) {
	value := c.random.IntN(4)
	c.patch(ctx, "thumb", []string{"1", "1", "-1", "0"}[value], object{"action": "relevance", "relevance": value})
}
