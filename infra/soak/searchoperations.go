package main

import (
	"context"
	"net/http"
	"net/url"
)

// A searchShown is a search as the API shows it.
type searchShown struct {
	SearchID, Status string
	Stats            struct{ MentionsConsumed int }
	Mentions         []struct{ SourceID string }
}

// search searches for the client's posts, now and then with a query that is refused. It keeps the id of one that
// was acknowledged.
func search(ctx context.Context, c *client) {
	queries := []string{
		c.keyword, c.keyword + ` OR "love it"`, `"tried ` + c.keyword + `" -hate`, "author:quietharbor " + c.keyword,
		"title:" + c.keyword + " source:news", `"open`, c.keyword + " OR", "source:nowhere " + c.keyword,
	}
	wanted := object{"query": queries[c.random.IntN(len(queries))]}
	if c.chance(0.5) {
		wanted["timeWindow"] = []string{"1d", "7d", "30d"}[c.random.IntN(3)]
	}
	if c.chance(0.6) {
		wanted["waitMs"] = []int{0, 100, 2000}[c.random.IntN(3)]
	}
	if c.chance(0.5) {
		wanted["maxResults"] = 1 + c.random.IntN(20)
	}
	if c.chance(0.3) {
		wanted["minRelevance"] = "low"
	}
	then := func(got answer) {
		var begun searchShown
		if got.read(&begun); got.ok() && begun.SearchID != "" {
			c.searches[begun.SearchID] = true
		}
	}
	r := request{method: http.MethodPost, target: "/api/v2/search", body: body(wanted)}
	c.change(ctx, write{request: r, then: then})
}

// tryKeyword previews a keyword, or asks what a backfill of the client's own would bring in.
func tryKeyword(ctx context.Context, c *client) {
	r := request{
		method: http.MethodPost,
		target: "/api/v2/keywords/preview",
		body:   body(object{"keyword": c.keyword, "excludeWords": []string{"hate"}}),
	}
	if id := c.ledger.idOf("keyword", c.keyword); id != "" && c.chance(0.6) {
		r.key, r.target = c.home.write, "/api/v2/keywords/"+id+"/backfill"
		r.body = body(object{"days": 1 + c.random.IntN(90), "dryRun": c.chance(0.5)})
	} else {
		r = c.reader(r)
	}
	if got := c.api.send(ctx, r); got.Status == http.StatusAccepted {
		c.backfill = true
	}
}

// backfilled reads the backfill that was acknowledged last. It reports whether it runs.
func (c *client) backfilled(ctx context.Context) (running, ok bool) {
	var shown struct{ Backfill *struct{ Status string } }
	path := "/api/v2/keywords/" + c.ledger.idOf("keyword", c.keyword) + "/backfill"
	if !c.ask(ctx, c.home.write, path, &shown) {
		return false, false
	}
	if shown.Backfill == nil {
		c.findings.add("workspace %s: a backfill was acknowledged and is lost", c.home.workspace)
		return false, true
	}
	switch shown.Backfill.Status {
	case "running":
		return true, true
	case "completed", "quota_exhausted":
	default:
		c.findings.add("workspace %s: a backfill has the status %q", c.home.workspace, shown.Backfill.Status)
	}
	return false, true
}

// searched lists the client's searches. It returns the mentions of the month that they consumed, and whether any runs.
func (c *client) searched(ctx context.Context) (consumed int, running, ok bool) {
	listed, cursor := map[string]int{}, ""
	for {
		var page struct {
			Data       []searchShown
			Pagination struct{ NextCursor *string }
		}
		if !c.ask(ctx, c.read, "/api/v2/search?limit=100"+cursor, &page) {
			return 0, false, false
		}
		for _, each := range page.Data {
			listed[each.SearchID]++
			consumed += each.Stats.MentionsConsumed
			switch each.Status {
			case "running":
				running = true
			case "completed", "failed", "quota_exhausted":
			default:
				c.findings.add("workspace %s: the search %s has the status %q", c.home.workspace, each.SearchID, each.Status)
			}
		}
		if page.Pagination.NextCursor == nil {
			break
		}
		cursor = "&cursor=" + url.QueryEscape(*page.Pagination.NextCursor)
	}
	for id := range c.searches {
		if listed[id] != 1 {
			c.findings.add("workspace %s: the search %s is listed %d times", c.home.workspace, id, listed[id])
		}
	}
	return consumed, running, true
}

// checkSearches reads every search that was acknowledged. At the end each has ended, and no post is in its results
// twice.
func (c *client) checkSearches(ctx context.Context) {
	for id := range c.searches {
		var shown searchShown
		if !c.ask(ctx, c.read, "/api/v2/search/"+id, &shown) {
			continue
		}
		if shown.Status == "running" {
			c.findings.add("workspace %s: the search %s has never ended", c.home.workspace, id)
		}
		seen := map[string]bool{}
		for _, m := range shown.Mentions {
			if seen[m.SourceID] {
				c.findings.add("workspace %s: the search %s returns %s twice", c.home.workspace, id, m.SourceID)
			}
			seen[m.SourceID] = true
		}
	}
}
