package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// check holds what the API shows of a client's workspace against its ledger. Nothing is under way meanwhile, and there
// is no fault. At the end, when the queues are empty, what comes later must have come too.
func (c *client) check(ctx context.Context, atEnd bool) {
	c.ending = atEnd
	for _, list := range []struct {
		kind, path, key string
		sight           func(shown) sight
	}{
		{"keyword", "/api/v2/keywords", c.read,
			func(s shown) sight { return sight{s.Keyword, state(s.Context, s.Paused), s.id()} }},
		{"feed", "/api/v2/feeds", c.read, func(s shown) sight { return sight{s.Name, s.Icon, s.id()} }},
		{"notification", "/api/v2/notifications", c.read,
			func(s shown) sight { return sight{s.Name, state(s.Enabled), s.id()} }},
		{"alert", "/api/v2/alerts", c.read,
			func(s shown) sight { return sight{s.Name, state(s.Enabled, s.Condition.Value), s.id()} }},
		{"key", "/api/v2/org/keys", c.admin, func(s shown) sight { return sight{s.Name, s.Scope, s.id()} }},
		{"workspace", "/api/v2/agency/workspaces", c.master, func(s shown) sight { return sight{s.Name, s.Plan, s.id()} }},
	} {
		var all struct{ Data []shown }
		if !c.ask(ctx, list.key, list.path, &all) {
			continue
		}
		var seen []sight
		for _, one := range all.Data {
			if !one.Anchor {
				seen = append(seen, list.sight(one))
			}
		}
		c.wrong(c.ledger.compare(list.kind, seen, atEnd))
	}
	c.checkSettings(ctx)
	c.checkPeople(ctx, atEnd)
	c.checkGrants(ctx)
	c.checkMentions(ctx, atEnd)
	if atEnd && c.hears {
		c.checkHeard(ctx)
		c.checkReaders(ctx)
	}
}

// shown is a thing of a list, as far as it is compared.
type shown struct {
	ID                                                                  any
	Keyword, Context, Name, Icon, Scope, Plan, Email, Status, Sentiment string
	SourceID, Timestamp, Source                                         string
	Paused, Enabled, Anchor, Engaged                                    bool
	FeedbackRelevant                                                    int
	Condition                                                           struct{ Value float64 }
}

func (s shown) id() string {
	if number, is := s.ID.(float64); is {
		return fmt.Sprintf("%.0f", number)
	}
	return fmt.Sprint(s.ID)
}

// ask reads for a check: an answer other than 200 is a finding. A workspace that has used up its hour is checked later;
// at the end, which turns the clock into another hour, none has.
func (c *client) ask(ctx context.Context, key, path string, into any) bool {
	return c.asked(ctx, request{method: http.MethodGet, target: path, key: key}, into)
}

func (c *client) asked(ctx context.Context, r request, into any) bool {
	got := c.api.send(ctx, r)
	if got.read(into); got.Status == http.StatusOK {
		return true
	}
	if got.Status == http.StatusTooManyRequests && !c.ending {
		return false
	}
	if ctx.Err() == nil {
		c.findings.add("a check is not answered\n  request  %s\n  answer   %s", r, got)
	}
	return false
}

// found adds a finding about the client's workspace.
func (c *client) found(format string, args ...any) {
	c.findings.add("workspace %s: %s", c.home.workspace, fmt.Sprintf(format, args...))
}

func (c *client) wrong(all []string) {
	for _, fault := range all {
		c.findings.add("workspace %s: %s", c.home.workspace, fault)
	}
}

func (c *client) checkSettings(ctx context.Context) {
	var filters map[string]any
	if c.ask(ctx, c.read, "/api/v2/filters/global", &filters) {
		for _, kind := range []string{"negativeKeywords", "negativeAuthors"} {
			var seen []sight
			for _, value := range texts(filters[kind]) {
				seen = append(seen, sight{strings.TrimPrefix(value, "@"), "there", ""})
			}
			c.wrong(c.ledger.compare(kind, seen, false))
		}
		c.wrong(c.ledger.observe("filters", "negativeRepos", strings.Join(texts(filters["negativeRepos"]), " ")))
	}
	var organization struct{ Name string }
	if c.ask(ctx, c.read, "/api/v2/org", &organization) {
		c.wrong(c.ledger.observe("organization", "name", organization.Name))
	}
	var company struct{ Description string }
	got := c.get(ctx, "/api/v2/org/company")
	if got.read(&company); got.ok() || got.Status == http.StatusNotFound {
		c.wrong(c.ledger.observe("company", "description", company.Description))
	}
	for _, token := range c.revoked {
		if got := c.api.send(
			ctx, request{method: http.MethodGet, target: "/api/v2/auth", key: token},
		); got.Status != http.StatusUnauthorized &&
			ctx.Err() == nil {
			c.findings.add("a key that was revoked opens after a start\n  answer   %s", got)
		}
	}
}

func texts(list any) (all []string) {
	values, _ := list.([]any)
	for _, value := range values {
		text, _ := value.(string)
		all = append(all, text)
	}
	return all
}

// checkPeople compares members and invitations, which are states of one person. Before the end, somebody may be on the
// way in.
func (c *client) checkPeople(ctx context.Context, atEnd bool) {
	var members, invitations struct{ Data []shown }
	if !c.ask(ctx, c.read, "/api/v2/org/members", &members) ||
		!c.ask(ctx, c.read, "/api/v2/org/members/invitations", &invitations) {
		return
	}
	var seen []sight
	in := map[string]bool{}
	for _, m := range members.Data {
		in[m.Email] = true
		seen = append(seen, sight{m.Email, "member", m.id()})
	}
	for _, i := range invitations.Data {
		if in[i.Email] && !atEnd {
			continue
		}
		seen = append(seen, sight{i.Email, "invited", ""})
	}
	c.wrong(c.ledger.compare("member", seen, atEnd))
}

// checkMentions compares the mentions, what users made of them, and the sums that are kept of both.
func (c *client) checkMentions(ctx context.Context, atEnd bool) {
	var seen []sight
	judged, collected, cursor := 0, 0, ""
	for {
		wanted := object{"limit": 100, "includeAll": true}
		if cursor != "" {
			wanted["cursor"] = cursor
		}
		var page struct {
			Data       []shown
			Pagination struct{ NextCursor *string }
		}
		if !c.asked(
			ctx, request{method: http.MethodPost, target: "/api/v2/mentions", key: c.read, body: body(wanted)}, &page,
		) {
			return
		}
		for _, m := range page.Data {
			seen = append(seen, sight{m.SourceID, "there", m.id()})
			c.meet(m)
			c.wrong(c.ledger.observe("engaged", m.SourceID, state(m.Engaged)))
			c.wrong(c.ledger.observe("thumb", m.SourceID, state(m.FeedbackRelevant)))
			c.wrong(c.ledger.observe("sentiment", m.SourceID, m.Sentiment))
			if m.FeedbackRelevant != 0 && m.Source == "news" {
				judged++
			}
			if m.Source == "news" {
				collected++
			}
		}
		if page.Pagination.NextCursor == nil {
			break
		}
		cursor = *page.Pagination.NextCursor
	}
	c.wrong(c.ledger.compare("mention", seen, atEnd))
	var stats struct{ TotalFeedback int }
	if c.ask(ctx, c.read, "/api/v2/feedback/stats", &stats) && stats.TotalFeedback != judged {
		c.findings.add(
			"workspace %s: %d judgements are counted, and the mentions have %d", c.home.workspace, stats.TotalFeedback,
			judged,
		)
	}
	if atEnd {
		c.checkSearches(ctx)
	}
	consumed, running, ok := c.searched(ctx)
	if c.backfill {
		runs, known := c.backfilled(ctx)
		if runs && atEnd {
			c.findings.add("workspace %s: a backfill has never ended", c.home.workspace)
		}
		running, ok = running || runs, ok && known // it has mentions of the month set aside
	}
	var usage struct{ Mentions, Keywords struct{ Count int } }
	if c.ask(ctx, c.read, "/api/v2/org/usage", &usage) {
		// Past the end of a month, the count begins anew.
		if ok && !running && c.began.Month() == c.api.now().Month() &&
			usage.Mentions.Count != collected+consumed {
			c.findings.add(
				"workspace %s: %d mentions are counted as collected, and there are %d, and %d that searches returned",
				c.home.workspace, usage.Mentions.Count, collected, consumed,
			)
		}
		if least, _ := c.ledger.count(
			"keyword", func(state string) bool { return state != "" },
		); usage.Keywords.Count != least {
			c.findings.add(
				"workspace %s: %d keywords are counted, and there are %d", c.home.workspace, usage.Keywords.Count,
				least,
			)
		}
	}
}

// greet puts a post in and reads it, when there is no fault.
func (c *client) greet(ctx context.Context) {
	c.greeted = c.api.now()
	w := c.posts(1)
	got := c.api.send(ctx, w.request)
	c.told(w, got, 1)
	if taken(got, 1) != acknowledged && ctx.Err() == nil {
		c.findings.add("a post is not taken in though there is no fault\n  request  %s\n  answer   %s", w.request, got)
	}
	listMentions(ctx, c)
}

// isOver reports whether what a client has under way in the background is over. It looks ever more rarely. anew has it
// look now.
func (c *client) isOver(ctx context.Context, anew bool) bool {
	if anew || !time.Now().Before(c.look) {
		c.over = c.finish(ctx)
		c.look, c.pause = time.Now().Add(c.pause), min(2*c.pause, longestPause)
	}
	return c.over
}

// The pauses between a client's looks.
const (
	shortestPause = time.Second
	longestPause  = 10 * time.Second
)

// finish sees to what a client has under way in the background, and answers whether all of it is over. Exports are
// complete, and what the setup engine was asked for has come to an end.
func (c *client) finish(ctx context.Context) (over bool) {
	c.waits = ""
	over = true
	under := func(running bool, what string) {
		if running {
			over = false
			c.waits += " " + what + ";"
		}
	}
	var left []export
	for _, e := range c.exports {
		if c.poll(ctx, e) == "" {
			left = append(left, e)
		}
	}
	c.exports = left
	under(len(left) > 0, fmt.Sprintf("%d exports", len(left)))
	for _, d := range c.drafts {
		if d.done || d.ready {
			continue
		}
		var shown proposalShown
		if !d.asked {
			ok := c.ask(ctx, c.read, "/api/v2/setup/drafts/"+d.id, &shown)
			under(!ok || shown.Status == "scanning", "draft "+d.id)
			continue
		}
		ok := c.ask(ctx, c.read, "/api/v2/setup/proposals/"+d.id, &shown)
		under(!ok || shown.Status != "ready" && shown.Status != "failed", "the proposal of "+d.id+" "+shown.Status)
	}
	if len(c.searches) > 0 {
		_, running, ok := c.searched(ctx)
		under(running || !ok, "a search")
	}
	if c.summariesMost > 0 {
		running, ok := c.summarized(ctx)
		under(running || !ok, "a summary")
	}
	if c.backfill {
		running, ok := c.backfilled(ctx)
		under(running || !ok, "a backfill")
	}
	if c.hears {
		under(!c.settled(ctx), "its webhooks")
	}
	return over
}
