package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// An operation is something that a client does: a request or some that belong together.
type operation struct {
	weight int // its share among all
	run    func(context.Context, *client)
}

// operations are what a client draws from: every group of the API, more often what clients do more often.
func operations(setup bool) []operation {
	all := []operation{
		{10, listMentions}, {8, readMention}, {2, readAround}, {7, engage}, {3, setSentiment}, {2, setRelevance}, {2, exportAtOnce}, {1, exportLater}, {1, pollExport},
		{12, post}, {2, importMentions},
		{5, createKeyword}, {4, updateKeyword}, {2, pauseKeyword}, {2, deleteKeyword}, {2, readKeyword},
		{3, createFeed}, {3, updateFeed}, {2, deleteFeed}, {1, readFeed}, {2, createNotification}, {1, updateNotification}, {1, deleteNotification}, {1, readNotification}, {1, testNotification},
		{4, addFilter}, {2, removeFilter}, {2, replaceFilters},
		{4, giveFeedback}, {1, withdrawFeedback},
		{3, inviteMember}, {2, signUp}, {1, removeMember},
		{2, renameOrganization}, {2, describeCompany}, {2, createKey}, {1, revokeKey}, {2, tryKeys}, {2, readOrganization}, {1, upgrade},
		{2, createWorkspace}, {1, deleteWorkspace}, {2, inviteAgency}, {1, readAgency},
		{3, unknownPath}, {2, nothingThere}, {3, invalidBody}, {1, wrongKey}, {2, discover}, {4, together},
	}
	if setup {
		all = append(all, operation{14, setupStep})
	}
	return all
}

// body writes a body; what stands in it marshals.
func body(value any) string {
	content, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("soak: %v", err))
	}
	return string(content)
}

type object map[string]any

// state writes a thing's fields as the ledger has them.
func state(fields ...any) string {
	texts := make([]string, len(fields))
	for n, field := range fields {
		texts[n] = fmt.Sprint(field)
	}
	return strings.Join(texts, "|")
}

// Mentions.

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

func readAround(ctx context.Context, c *client) {
	c.get(ctx, []string{"/api/v2/tags", "/api/v2/mentions/by-author?source=news&handle=quietharbor&limit=5", "/api/v2/keywords/suggestions",
		"/api/v2/feedback/stats", "/api/v2/setup/cleanup"}[c.random.IntN(5)])
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
	c.change(ctx, write{request: request{method: http.MethodPatch, target: "/api/v2/mentions/" + url.PathEscape(sourceID), body: body(fields)},
		changes: []change{{kind, sourceID, state}}})
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

// Posts that come in.

func (c *client) newPost() (sourceID string, line string) {
	sourceID = "news_" + c.name()
	at := stamp(time.Now().Add(-time.Duration(c.random.IntN(3600)) * time.Second))
	c.posted[sourceID] = mentioned{source: "news", timestamp: at}
	return sourceID, body(object{"source": "news", "sourceId": sourceID, "timestamp": at, "title": "All about " + c.keyword,
		"body": "We tried " + c.keyword + " and " + []string{"love it", "hate it", "wait for the next one"}[c.random.IntN(3)] + ".", "author": "quietharbor"})
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

// taken is what the answer to posts says of them: those that were not taken are told of by their lines, and may be there in part.
func taken(got answer, of int) outcome {
	var report struct{ Received, Stored, Duplicates, RejectedCount, Unmatched, OverQuota int }
	if got.read(&report); !got.ok() || report.RejectedCount > 0 || report.Stored+report.Duplicates != of {
		return unknown
	}
	return acknowledged
}

func post(ctx context.Context, c *client) {
	n := 1 + c.random.IntN(5)
	w := c.posts(n)
	for range 3 {
		got := c.api.send(ctx, w.request)
		c.ledger.told(taken(got, n), fmt.Sprintf("%s → %s", w.request, got), w.changes...)
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
	w := write{request: request{method: http.MethodPost, target: "/_local/mentions?workspace=" + c.home.workspace, media: "application/x-ndjson"}}
	for range n {
		sourceID, at := "hackernews_story_"+c.name(), stamp(time.Now().Add(-time.Duration(c.random.IntN(86400))*time.Second))
		id := int64(firstImported + c.made)
		c.posted[sourceID] = mentioned{source: "hackernews", timestamp: at}
		w.body += body(object{"id": id, "sourceId": sourceID, "source": "hackernews", "timestamp": at, "body": "As it is " + sourceID,
			"relevance": "relevant", "sentiment": "Neutral", "language": "english"}) + "\n"
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
	return write{request: request{method: http.MethodPost, target: "/api/v2/feedback", key: c.home.write, body: body(object{"sourceId": sourceID,
		"timestamp": m.timestamp, "keywordId": c.keywordID, "source": m.source, "feedbackType": kind})},
		changes: []change{{"thumb", sourceID, thumb}}}, true
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
	query := url.Values{"sourceId": {sourceID}, "keywordId": {fmt.Sprint(c.keywordID)}, "timestamp": {m.timestamp}, "source": {m.source}}
	c.change(ctx, write{request: request{method: http.MethodDelete, target: "/api/v2/feedback?" + query.Encode()},
		changes: []change{{"thumb", sourceID, "0"}}})
}

// What is no request of the API, and what is no good one.

func unknownPath(ctx context.Context, c *client) {
	targets := []string{"/", "/api/v2", "/api/v2/", "/api/v2//mentions", "/api/v2/nothing/" + c.name(), "/API/v2/mentions", "/api/v1/mentions", "/api/v2/mentions/"}
	methods := []string{http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodPut}
	c.api.send(ctx, c.reader(request{method: methods[c.random.IntN(len(methods))], target: targets[c.random.IntN(len(targets))], body: "{}"}))
}

// nothingThere asks for what the workspace has none of.
func nothingThere(ctx context.Context, c *client) {
	asked := []string{"POST /api/v2/keywords/suggestions/1/accept", "POST /api/v2/keywords/suggestions/1/reject", "POST /api/v2/attention/nothing/dismiss",
		"GET /api/v2/integrations/slack/channels", "POST /upgrade?token=nothing&plan=scale", "GET /api/v2/notifications/999999", "GET /api/v2/feeds/999999",
		"DELETE /api/v2/keywords/999999", "GET /api/v2/setup/drafts/draft_nothing", "POST /api/v2/setup/cleanup"}
	method, target, _ := strings.Cut(asked[c.random.IntN(len(asked))], " ")
	r := request{method: method, target: target, key: c.home.write}
	if strings.HasSuffix(target, "cleanup") {
		r.body = "{}"
	}
	c.api.send(ctx, r)
}

func invalidBody(ctx context.Context, c *client) {
	targets := []string{"POST /api/v2/keywords", "POST /api/v2/feeds", "POST /api/v2/mentions", "PATCH /api/v2/filters/global", "POST /api/v2/feedback",
		"POST /api/v2/org/keys", "PATCH /api/v2/org", "POST /api/v2/setup/drafts", "POST /api/v2/org/members/invite", "POST /api/v2/mentions/export",
		"PATCH /api/v2/keywords/1", "POST /api/v2/notifications", "POST /api/v2/setup/cleanup"}
	bodies := []string{`{`, `[]`, `{"nonsense":1}`, `null`, `{"name":3,"keyword":4,"list":{}}`, `"` + strings.Repeat("x", 3000) + `"`, "{\"a\":1,\"a\":2}", "\xff\xfe"}
	method, target, _ := strings.Cut(targets[c.random.IntN(len(targets))], " ")
	if got := c.api.send(ctx, request{method: method, target: target, body: bodies[c.random.IntN(len(bodies))], key: c.admin}); got.ok() {
		c.findings.add("nonsense is taken\n  %s %s\n  answer   %s", method, target, got)
	}
}

func wrongKey(ctx context.Context, c *client) {
	key := []string{"", "es_nonsense", c.read[:len(c.read)-1] + "!", c.read + "a"}[c.random.IntN(4)]
	got := c.api.send(ctx, request{method: http.MethodGet, target: "/api/v2/keywords", key: key})
	if got.ok() {
		c.findings.add("a wrong key opens\n  answer   %s", got)
	}
}

func discover(ctx context.Context, c *client) {
	paths := []string{"/api/v2/openapi.json", "/llms.txt", "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/api/v2",
		"/api/v2/docs", "/api/v2/docs/swagger-ui.css"}
	c.api.send(ctx, request{method: http.MethodGet, target: paths[c.random.IntN(len(paths))]})
}
