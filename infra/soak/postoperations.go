package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// newPost makes a post of now: one that is older than its keyword would not count against the month.
func (c *client) newPost() (sourceID string, line string) {
	sourceID = "news_" + c.name()
	at := stamp(c.api.now())
	c.posted[sourceID] = mentioned{source: "news", timestamp: at}
	return sourceID, body(
		object{
			"source":    "news",
			"sourceId":  sourceID,
			"timestamp": at,
			"title":     "All about " + c.keyword,
			"body": "We tried " + c.keyword + " and " +
				[]string{"love it", "hate it", "wait for the next one"}[c.random.IntN(3)] + ".",
			"author": "quietharbor",
		},
	)
}

// newMention is what a mention is like that nobody has changed yet. Its sentiment is the judge's.
func newMention(id string) []change {
	return []change{{"mention", id, "there"}, {"engaged", id, "false"}, {"thumb", id, "0"}, {"sentiment", id, anyState}}
}

func (c *client) posts(n int) write {
	w := write{request: request{method: http.MethodPost, target: "/_local/posts", media: "application/x-ndjson"}}
	for range n {
		id, line := c.newPost()
		w.body += line + "\n"
		w.changes = append(w.changes, newMention(id)...)
	}
	return w
}

// told enters what came of posts.
func (c *client) told(w write, got answer, of int) {
	by := fmt.Sprintf("%s → %s", w.request, got)
	if taken(got, of) != acknowledged {
		c.mayCome(w, by)
		return
	}
	c.ledger.told(acknowledged, by, w.changes...)
	for _, changed := range w.changes {
		c.prompt[changed.name] = true
	}
}

// mayCome enters posts of which nobody knows whether they were taken. The archive may have them, and then a backfill of
// their keyword finds them at any later time.
func (c *client) mayCome(w write, by string) {
	for _, changed := range w.changes {
		c.ledger.later(changed.kind, changed.name, changed.state, by)
	}
}

// taken is what the answer to posts says of them: those that were not taken are told of by their lines, and may be
// there in part.
func taken(got answer, of int) outcome {
	var report struct{ Received, Stored, Duplicates, RejectedCount, Unmatched, OverQuota int }
	if got.read(&report); !got.ok() || report.RejectedCount > 0 || report.Stored+report.Duplicates != of {
		return unknown
	}
	return acknowledged
}

func post(ctx context.Context, c *client) { c.post(ctx, 1+c.random.IntN(5)) }

func (c *client) post(ctx context.Context, n int) {
	w := c.posts(n)
	for range 3 {
		got := c.api.send(ctx, w.request)
		c.told(w, got, n)
		c.misjudged(w.request, got, n)
		if taken(got, n) == acknowledged || !c.chance(0.8) {
			return
		}
	}
}

// misjudged finds posts that were taken for something that they are not.
func (c *client) misjudged(r request, got answer, of int) {
	var report struct{ Received, Unmatched, OverQuota int }
	if got.read(&report); got.ok() && (report.Received != of || report.Unmatched+report.OverQuota > 0) {
		c.findings.add("posts were not counted as what they are\n  request  %s\n  answer   %s", r, got)
	}
}

func importMentions(ctx context.Context, c *client) {
	c.importSome(ctx, 1+c.random.IntN(20))
}

// firstImported is the id of the first mention that a client puts in by itself: far from those that the store draws.
const firstImported = 1_000_000_000

func (c *client) importSome(ctx context.Context, n int) {
	w := write{
		request: request{
			method: http.MethodPost,
			target: "/_local/mentions?workspace=" + c.home.workspace,
			media:  "application/x-ndjson",
		},
	}
	for range n {
		sourceID, at := "hackernews_story_"+c.name(), stamp(
			time.Now().Add(-time.Duration(c.random.IntN(86400))*time.Second),
		)
		id := int64(firstImported + c.made)
		c.posted[sourceID] = mentioned{source: "hackernews", timestamp: at}
		w.body += body(
			object{
				"id":        id,
				"sourceId":  sourceID,
				"source":    "hackernews",
				"timestamp": at,
				"body":      "As it is " + sourceID,
				"relevance": "relevant",
				"sentiment": "Neutral",
				"language":  "english",
			},
		) + "\n"
		w.changes = append(w.changes, newMention(sourceID)...)
	}
	got := c.api.send(ctx, w.request)
	var report struct{ Stored int }
	told := unknown
	if got.read(&report); got.ok() && report.Stored == n {
		told = acknowledged
	}
	c.ledger.told(told, fmt.Sprintf("%s → %s", w.request, got), w.changes...)
}

// Feedback.

// judged is a mention of the client's keyword.
func (c *client) judged() (sourceID string, m mentioned, found bool) {
	for _, id := range c.ledger.certain("mention", anyState) {
		if c.posted[id].source == "news" && (!found || c.chance(0.1)) {
			sourceID, m, found = id, c.posted[id], true
		}
	}
	return sourceID, m, found
}

func (c *client) feedback() (write, bool) {
	sourceID, m, found := c.judged()
	if !found {
		return write{}, false
	}
	kind, thumb := "RELEVANT", "1"
	if c.chance(0.4) {
		kind, thumb = "NOT_RELEVANT", "-1"
	}
	return write{
		request: request{
			method: http.MethodPost,
			target: "/api/v2/feedback",
			key:    c.home.write,
			body: body(object{"sourceId": sourceID,
				"timestamp": m.timestamp, "keywordId": c.keywordID, "source": m.source, "feedbackType": kind}),
		},
		changes: []change{{"thumb", sourceID, thumb}},
	}, true
}

func giveFeedback(ctx context.Context, c *client) {
	if w, found := c.feedback(); found {
		c.change(ctx, w)
		return
	}
	post(ctx, c)
}

func withdrawFeedback(ctx context.Context, c *client) {
	sourceID, m, found := c.judged()
	if !found {
		post(ctx, c)
		return
	}
	query := url.Values{
		"sourceId":  {sourceID},
		"keywordId": {fmt.Sprint(c.keywordID)},
		"timestamp": {m.timestamp},
		"source":    {m.source},
	}
	c.change(ctx, write{request: request{method: http.MethodDelete, target: "/api/v2/feedback?" + query.Encode()},
		changes: []change{{"thumb", sourceID, "0"}}})
}
