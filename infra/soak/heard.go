package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"earshot/shared/delivery"
)

// checkHeard compares the posts that the feeds show with what the webhooks were told. Everything is over.
func (c *client) checkHeard(ctx context.Context) {
	c.heard = map[string]int{}
	shows, ok := c.showing(ctx)
	if !ok {
		return
	}
	c.checkEvents(ctx, instant, delivery.MentionCreated, shows)
	c.checkTiles(c.checkEvents(ctx, digest, delivery.MentionsDigest, shows))
	c.checkWatch(ctx, shows)
}

// showing returns the posts that the feeds certainly show. A post whose relevance a user changed is not among them: it
// may have left the feed before it was told of, or joined it too late.
func (c *client) showing(ctx context.Context) (shows map[string]bool, ok bool) {
	shows = map[string]bool{}
	for cursor := ""; ; {
		wanted := object{"limit": 100, "filters": object{"keyword": []int64{c.keywordID}}}
		if cursor != "" {
			wanted["cursor"] = cursor
		}
		var page struct {
			Data       []shown
			Pagination struct{ NextCursor *string }
		}
		r := request{method: http.MethodPost, target: "/api/v2/mentions", key: c.read, body: body(wanted)}
		if !c.asked(ctx, r, &page) {
			return nil, false
		}
		for _, m := range page.Data {
			if m.Source == "news" && !c.thumbed[m.SourceID] {
				shows[m.SourceID] = true
			}
		}
		if page.Pagination.NextCursor == nil {
			return shows, true
		}
		cursor = *page.Pagination.NextCursor
	}
}

// eventOf is an event's body, as far as it is read.
type eventOf struct {
	Type string
	Data struct {
		Mention  struct{ SourceID string }
		Mentions []struct{ SourceID string }
		Alert    struct{ ID json.Number }
		Since    time.Time
		From, To time.Time
	}
}

// delivered returns an owner's deliveries with the bodies that its webhook got. A delivery that is not delivered is a
// finding, and so is an event that is no delivery.
func (c *client) delivered(ctx context.Context, told string) (all []deliveryShown, bodies map[string]eventOf, ok bool) {
	all, ok = c.deliveries(ctx, told, "")
	if !ok {
		return nil, nil, false
	}
	bodies = map[string]eventOf{}
	for _, one := range all {
		if _, twice := bodies[one.ID]; twice {
			c.found("delivery %s is listed twice", one.ID)
		}
		got := c.received[told][one.ID]
		if one.Status != "delivered" || !got.taken {
			c.found("delivery %s to the webhook of %s is %s in the end, received %t", one.ID, told, one.Status, got.taken)
		}
		var read eventOf
		if err := json.Unmarshal([]byte(got.body), &read); err != nil || read.Type != one.Type {
			c.found("event %s is %s, and its body is %q", one.ID, one.Type, got.body)
		}
		bodies[one.ID] = read
		c.heard[one.Type]++
	}
	for id := range c.received[told] {
		if _, known := bodies[id]; !known {
			c.found("the webhook of %s got event %q, which is not in the log", told, id)
		}
	}
	return all, bodies, true
}

// checkEvents holds a feed's events to its posts: each post is in one event, and the webhook was told of it.
func (c *client) checkEvents(
	ctx context.Context, told string, want delivery.Type, shows map[string]bool,
) []deliveryShown {
	all, bodies, ok := c.delivered(ctx, told)
	if !ok {
		return nil
	}
	sent := map[string]string{} // events, by sourceId
	for _, one := range all {
		if one.Type != string(want) {
			c.found("event %s to the webhook of %s is %s", one.ID, told, one.Type)
		}
		says := map[string]bool{bodies[one.ID].Data.Mention.SourceID: true}
		for _, m := range bodies[one.ID].Data.Mentions {
			says[m.SourceID] = true
		}
		for _, id := range one.SourceIDs {
			if other := sent[id]; other != "" {
				c.found("mention %s is in events %s and %s of %s", id, other, one.ID, told)
			}
			sent[id] = one.ID
			if shows[id] && !says[id] {
				c.found("event %s is of mention %s, and does not say so: %s", one.ID, id, c.received[told][one.ID].body)
			}
		}
	}
	for id := range shows {
		if sent[id] == "" {
			c.found("mention %s is in no event of %s", id, told)
		}
	}
	return all
}

// checkTiles holds the intervals of digests to each other: none overlaps another one, and each has all of its parts.
func (c *client) checkTiles(all []deliveryShown) {
	slices.SortFunc(all, func(a, b deliveryShown) int { return strings.Compare(tile(a), tile(b)) })
	var before *interval
	for _, one := range all {
		d := one.Digest
		if d == nil || !d.From.Before(d.To) || d.Part < 1 || d.Part > d.Parts {
			c.found("event %s is no digest: %+v", one.ID, d)
			return
		}
		ended := before == nil || before.Part == before.Parts
		switch {
		case ended && d.Part == 1 && (before == nil || !d.From.Before(before.To)):
		case !ended && d.Part == before.Part+1 && d.From.Equal(before.From) && d.To.Equal(before.To):
		default:
			c.found("digest %+v follows %+v", *d, before)
			return
		}
		before = d
	}
	if before != nil && before.Part != before.Parts {
		c.found("the last digest lacks parts: %+v", *before)
	}
}

// tile sorts digests by their intervals and parts.
func tile(d deliveryShown) string {
	if d.Digest == nil {
		return ""
	}
	return fmt.Sprintf("%s %05d", d.Digest.From.UTC().Format(time.RFC3339Nano), d.Digest.Part)
}

// An hourCount is how many posts of an hour an alert may have counted.
type hourCount struct{ least, most int }

// postsByHour counts the client's posts by the ends of their hours, as far as anybody can know.
func (c *client) postsByHour(shows map[string]bool) map[time.Time]hourCount {
	counted := map[time.Time]hourCount{}
	for id, m := range c.posted {
		at, err := time.Parse("2006-01-02 15:04:05.000", m.timestamp)
		if err != nil || m.source != "news" {
			continue
		}
		end := at.Truncate(time.Hour).Add(time.Hour)
		n := counted[end]
		n.most++
		if shows[id] && c.prompt[id] {
			n.least++
		}
		counted[end] = n
	}
	return counted
}

// checkWatch holds the alert's events to a recount of the posts of each hour: it fires once an episode, ends that once,
// and its webhook is told of both once.
func (c *client) checkWatch(ctx context.Context, shows map[string]bool) {
	var alert struct {
		ID        json.Number
		CreatedAt time.Time
		State     struct {
			Firing      bool
			EvaluatedAt time.Time
		}
	}
	all, bodies, ok := c.delivered(ctx, watch)
	if !ok || !c.ask(ctx, c.read, c.owners[watch].path, &alert) {
		return
	}
	said := map[delivery.Type]map[time.Time]string{delivery.AlertFired: {}, delivery.AlertResolved: {}}
	for _, one := range all {
		made, err := ulid.ParseStrict(strings.TrimPrefix(one.ID, delivery.Prefix))
		known := said[delivery.Type(one.Type)]
		if err != nil || known == nil {
			c.found("event %s of the alert is %s", one.ID, one.Type)
			continue
		}
		at, data := made.Timestamp().UTC(), bodies[one.ID].Data
		if known[at] != "" {
			c.found("events %s and %s both say %s at %s", known[at], one.ID, one.Type, at)
		}
		if known[at] = one.ID; !data.To.Equal(at) || data.Alert.ID != alert.ID {
			c.found("event %s of alert %s at %s has the body %s", one.ID, alert.ID, at, c.received[watch][one.ID].body)
		}
	}
	if due := c.api.now().Add(-intoHour).Truncate(time.Hour); alert.State.EvaluatedAt.Before(due) {
		c.found("the alert was evaluated at %s for the last time, and not at %s", alert.State.EvaluatedAt, due)
	}
	for _, fault := range episodes(
		c.postsByHour(shows), said[delivery.AlertFired], said[delivery.AlertResolved],
		alert.CreatedAt.UTC().Truncate(time.Hour).Add(time.Hour), alert.State.EvaluatedAt.UTC(),
	) {
		c.found("%s", fault)
	}
}

// episodes returns what is wrong with the events of an alert above alertValue that was evaluated at each full hour from
// first to last. The events are those of each evaluation.
func episodes(
	counted map[time.Time]hourCount, fired, resolved map[time.Time]string, first, last time.Time,
) (wrong []string) {
	const returned = alertValue * 0.9
	firing, heard := false, 0
	for at := first; !at.After(last); at = at.Add(time.Hour) {
		n := counted[at]
		says := func(text string) {
			wrong = append(wrong, fmt.Sprintf("at %s, with %d to %d posts, %s", at, n.least, n.most, text))
		}
		isFired, isResolved := fired[at] != "", resolved[at] != ""
		if isFired {
			heard++
		}
		if isResolved {
			heard++
		}
		switch {
		case !firing && isResolved:
			says("the alert resolves and did not fire")
		case firing && isFired:
			says("the alert fires and did not resolve")
		case !firing && isFired && n.most <= alertValue:
			says("the alert fires")
		case !firing && !isFired && n.least > alertValue:
			says("the alert does not fire")
		case firing && isResolved && float64(n.least) > returned:
			says("the alert resolves")
		case firing && !isResolved && float64(n.most) <= returned:
			says("the alert does not resolve")
		}
		firing = firing && !isResolved || isFired
	}
	if other := len(fired) + len(resolved) - heard; other > 0 {
		wrong = append(wrong, fmt.Sprintf("%d events of the alert are of no hour from %s to %s", other, first, last))
	}
	return wrong
}
