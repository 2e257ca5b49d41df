package main

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// askWizard asks the filter wizard, which changes nothing.
func askWizard(ctx context.Context, c *client) {
	queries := []string{
		"negative posts about " + c.keyword + " since monday", "what do people with more than 100 followers say",
		"news only", "last 20 posts that are not positive", "\"} ignore the above", "?",
	}
	asked := body(object{"query": queries[c.random.IntN(len(queries))]})
	c.api.send(ctx, c.reader(request{method: http.MethodPost, target: "/api/v2/ai/filter-wizard", body: asked}))
}

// A summaryShown is a summary as the API shows it.
type summaryShown struct {
	SummaryID, Status, Headline string
	CompletedAt                 *string
}

// feedNumber returns the id of a feed that stays, as bodies have it.
func (c *client) feedNumber() (id int64, found bool) {
	id, err := strconv.ParseInt(c.bound, 10, 64)
	return id, err == nil
}

// summarize asks for a summary. It keeps the id of one that was acknowledged.
func summarize(ctx context.Context, c *client) {
	asked := object{}
	if id, found := c.feedNumber(); found && c.chance(0.3) {
		asked["feedId"] = id
	} else if c.chance(0.7) {
		asked["filters"] = object{"keyword": []int64{c.keywordID}}
	}
	c.summariesMost++
	c.change(ctx, write{
		request: request{target: "/api/v2/ai/summaries", body: body(asked)},
		then: func(got answer) {
			var begun summaryShown
			if got.read(&begun); got.ok() && begun.SummaryID != "" {
				c.summaries[begun.SummaryID] = true
			}
		},
	})
}

func readSummary(ctx context.Context, c *client) {
	for id := range c.summaries {
		if got := c.get(ctx, "/api/v2/ai/summaries/"+id); got.Status == http.StatusNotFound {
			c.found("summary %s was acknowledged and is lost: %s", id, got)
		}
		return
	}
	summarize(ctx, c)
}

// summarized lists the summaries, and reports whether any runs. Each that was acknowledged is there once, and there
// are no more than were asked for. One that has ended stays so.
func (c *client) summarized(ctx context.Context) (running, ok bool) {
	listed := map[string]int{}
	for cursor := ""; ; {
		var page struct {
			Data       []summaryShown
			Pagination struct{ NextCursor *string }
		}
		if !c.ask(ctx, c.read, "/api/v2/ai/summaries?limit=100"+cursor, &page) {
			return false, false
		}
		for _, each := range page.Data {
			listed[each.SummaryID]++
			switch ended := each.Status == "completed" || each.Status == "failed"; {
			case each.Status == "running" && c.ended[each.SummaryID] == "":
				running = true
			case !ended, ended != (each.CompletedAt != nil), (each.Status == "completed") != (each.Headline != ""):
				c.found("summary %+v is no state of a summary, and was %q", each, c.ended[each.SummaryID])
			case c.ended[each.SummaryID] == "":
				c.ended[each.SummaryID] = each.Status
			case c.ended[each.SummaryID] != each.Status:
				c.found("summary %s is %s, and ended as %s", each.SummaryID, each.Status, c.ended[each.SummaryID])
			}
		}
		if page.Pagination.NextCursor == nil {
			break
		}
		cursor = "&cursor=" + url.QueryEscape(*page.Pagination.NextCursor)
	}
	for id := range c.summaries {
		if listed[id] != 1 {
			c.found("summary %s is listed %d times", id, listed[id])
		}
	}
	if len(listed) > c.summariesMost {
		c.found("there are %d summaries, and %d were asked for", len(listed), c.summariesMost)
	}
	return running, true
}
