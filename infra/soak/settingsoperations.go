package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Keywords. A client keeps so many at most; its first, which its posts are found by, stays as it is.
const mostKeywords = 30

// madeOnes are the things of a kind that are there for certain, whose ids are known, and which the client may do with
// as it likes.
func (c *client) madeOnes(kind string) (names []string) {
	for _, name := range c.ledger.certain(kind, anyState) {
		if c.ledger.idOf(kind, name) != "" && name != c.keyword {
			names = append(names, name)
		}
	}
	return names
}

// learn keeps the id of what an answer made.
func (c *client) learn(kind, name string) func(answer) {
	return func(got answer) {
		var made struct{ ID any }
		if got.read(&made); got.ok() && made.ID != nil {
			id := fmt.Sprint(made.ID)
			if number, is := made.ID.(float64); is {
				id = strconv.FormatInt(int64(number), 10)
			}
			c.ledger.named(kind, name, id)
		}
	}
}

func (c *client) newKeyword() write {
	name, context := c.name(), "for "+c.name()
	return write{request: request{method: http.MethodPost, target: "/api/v2/keywords", key: c.home.write,
		body: body(object{"keyword": name, "context": context, "excludeWords": []string{"power grid"}})},
		changes: []change{{"keyword", name, state(context, false)}}, then: c.learn("keyword", name)}
}

func createKeyword(ctx context.Context, c *client) {
	if len(c.madeOnes("keyword")) >= mostKeywords {
		deleteKeyword(ctx, c)
		return
	}
	c.change(ctx, c.newKeyword())
}

func updateKeyword(ctx context.Context, c *client) {
	name, found := c.pick(c.madeOnes("keyword"))
	if !found {
		createKeyword(ctx, c)
		return
	}
	context, paused := "now for "+c.name(), c.chance(0.3)
	c.change(
		ctx,
		write{request: request{method: http.MethodPatch, target: "/api/v2/keywords/" + c.ledger.idOf("keyword", name),
			body: body(object{"context": context, "paused": paused, "platforms": []string{"news"}})},
			changes: []change{{"keyword", name, state(context, paused)}}},
	)
}

func pauseKeyword(ctx context.Context, c *client) {
	name, found := c.pick(c.madeOnes("keyword"))
	context, _, known := strings.Cut(c.ledger.stateOf("keyword", name), "|")
	if !found || !known {
		createKeyword(ctx, c)
		return
	}
	paused := c.chance(0.5)
	c.change(
		ctx,
		write{
			request: request{
				target: "/api/v2/keywords/" + c.ledger.idOf("keyword", name) + "/pause",
				body:   body(object{"paused": paused}),
			},
			changes: []change{{"keyword", name, state(context, paused)}},
		},
	)
}

func deleteKeyword(ctx context.Context, c *client) {
	c.deleteOne(ctx, "keyword", "/api/v2/keywords", c.madeOnes("keyword"), createKeyword)
}

// readOne reads a thing of a kind that is there for certain.
func (c *client) readOne(ctx context.Context, kind, path string) {
	name, found := c.pick(c.madeOnes(kind))
	if !found {
		c.get(ctx, path)
		return
	}
	if got := c.get(ctx, path+"/"+c.ledger.idOf(kind, name)); got.Status == http.StatusNotFound {
		c.findings.add("%s %s was acknowledged and is lost\n  answer   %s", kind, name, got)
	}
}

func readKeyword(ctx context.Context, c *client) { c.readOne(ctx, "keyword", "/api/v2/keywords") }

// Feeds and notifications.

func createFeed(ctx context.Context, c *client) {
	name := c.name()
	c.change(ctx, write{request: request{target: "/api/v2/feeds", body: body(object{
		"name": name,
		"icon": "🔥",
		"simpleFilters": object{
			"sentiment": []string{"negative"},
			"keyword":   []int64{c.keywordID},
		},
		"isDefault": c.chance(0.2),
	})},
		changes: []change{{"feed", name, "🔥"}}, then: c.learn("feed", name)})
}

// loose are feeds that have no notification and no webhook.
func (c *client) loose() (names []string) {
	for _, name := range c.madeOnes("feed") {
		if id := c.ledger.idOf("feed", name); id != c.bound && !c.owns("/api/v2/feeds/"+id) {
			names = append(names, name)
		}
	}
	return names
}

func updateFeed(ctx context.Context, c *client) {
	name, found := c.pick(c.loose())
	if !found {
		createFeed(ctx, c)
		return
	}
	icon := []string{"📌", "⚡", "🌊", "🔥"}[c.random.IntN(4)]
	c.change(
		ctx,
		write{
			request: request{
				method: http.MethodPatch,
				target: "/api/v2/feeds/" + c.ledger.idOf("feed", name),
				body:   body(object{"icon": icon}),
			},
			changes: []change{{"feed", name, icon}},
		},
	)
}

func deleteFeed(ctx context.Context, c *client) {
	c.deleteOne(ctx, "feed", "/api/v2/feeds", c.loose(), createFeed)
}

// deleteOne deletes a thing of a kind; where there is none of these names, it has one made.
func (c *client) deleteOne(
	ctx context.Context, kind, path string, names []string, create func(context.Context, *client),
) {
	name, found := c.pick(names)
	if !found {
		create(ctx, c)
		return
	}
	c.change(ctx, write{request: request{method: http.MethodDelete, target: path + "/" + c.ledger.idOf(kind, name)},
		changes: []change{{kind, name, ""}}})
}

func readFeed(ctx context.Context, c *client) {
	if c.chance(0.3) {
		c.get(ctx, "/api/v2/integrations/slack")
		return
	}
	c.readOne(ctx, "feed", "/api/v2/feeds")
}

// createNotification makes one for the first feed that it finds, which stays from then on.
func createNotification(ctx context.Context, c *client) {
	if c.bound == "" {
		name, found := c.pick(c.loose())
		if !found {
			createFeed(ctx, c)
			return
		}
		c.bound = c.ledger.idOf("feed", name)
	}
	name, number := c.name(), 0
	_, _ = fmt.Sscan(c.bound, &number)
	c.change(
		ctx,
		write{
			request: request{
				target: "/api/v2/notifications",
				body: body(object{"name": name, "feedId": number, "enabled": false,
					"destinations": []object{{"type": "EMAIL", "frequency": "instant", "deliveryMode": "batch",
						"emailDestination": object{"emails": []string{"alerts@" + name + ".example"}}}}}),
			},
			changes: []change{{"notification", name, "false"}},
			then:    c.learn("notification", name),
		},
	)
}

func updateNotification(ctx context.Context, c *client) {
	name, found := c.pick(c.madeOnes("notification"))
	if !found {
		createNotification(ctx, c)
		return
	}
	on := c.chance(0.5)
	c.change(
		ctx,
		write{
			request: request{
				method: http.MethodPatch,
				target: "/api/v2/notifications/" + c.ledger.idOf("notification", name),
				body:   body(object{"enabled": on}),
			},
			changes: []change{{"notification", name, state(on)}},
		},
	)
}

func deleteNotification(ctx context.Context, c *client) {
	c.deleteOne(ctx, "notification", "/api/v2/notifications", c.madeOnes("notification"), createNotification)
}

func readNotification(ctx context.Context, c *client) {
	c.readOne(ctx, "notification", "/api/v2/notifications")
}

// testNotification sends a mail, which nobody promises to send once.
func testNotification(ctx context.Context, c *client) {
	name, found := c.pick(c.madeOnes("notification"))
	if !found {
		createNotification(ctx, c)
		return
	}
	c.api.send(
		ctx,
		request{
			method: http.MethodPost,
			target: "/api/v2/notifications/" + c.ledger.idOf("notification", name) + "/test",
			key:    c.home.write,
		},
	)
}

// The workspace's filters.

func (c *client) filterOf(action, kind, value, state string) write {
	return write{
		request: request{method: http.MethodPost, target: "/api/v2/filters/global/" + action, key: c.home.write,
			body: body(object{"list": kind, "values": []string{value}})},
		changes: []change{{kind, value, state}},
	}
}

func addFilter(ctx context.Context, c *client) {
	c.change(
		ctx, c.filterOf("add", []string{"negativeKeywords", "negativeAuthors"}[c.random.IntN(2)], c.name(), "there"),
	)
}

func removeFilter(ctx context.Context, c *client) {
	kind := []string{"negativeKeywords", "negativeAuthors"}[c.random.IntN(2)]
	value, found := c.pick(c.ledger.certain(kind, "there"))
	if !found {
		addFilter(ctx, c)
		return
	}
	c.change(ctx, c.filterOf("remove", kind, value, ""))
}

// replaceFilters sets a list, of which the ledger keeps the one value.
func replaceFilters(ctx context.Context, c *client) {
	repository := "owner/" + c.name()
	c.change(
		ctx,
		write{
			request: request{
				method: http.MethodPatch,
				target: "/api/v2/filters/global",
				body:   body(object{"negativeRepos": []string{repository}}),
			},
			changes: []change{{"filters", "negativeRepos", repository}},
		},
	)
}

// The workspace itself.

func renameOrganization(ctx context.Context, c *client) {
	name := "Client " + c.name()
	c.change(
		ctx,
		write{request: request{method: http.MethodPatch, target: "/api/v2/org", body: body(object{"name": name})},
			changes: []change{{"organization", "name", name}}},
	)
}

func describeCompany(ctx context.Context, c *client) {
	text := "Makes " + c.name()
	c.change(
		ctx,
		write{
			request: request{
				method: http.MethodPatch,
				target: "/api/v2/org/company",
				body:   body(object{"name": "Soaked", "description": text}),
			},
			changes: []change{{"company", "description", text}},
		},
	)
}

// mostOwnKeys is fewer than the keys that a workspace can have.
const mostOwnKeys = 40

func createKey(ctx context.Context, c *client) {
	if len(c.tokens) >= mostOwnKeys {
		revokeKey(ctx, c)
		return
	}
	name, scope := c.name(), []string{"read", "write", "admin"}[c.random.IntN(3)]
	learn := c.learn("key", name)
	c.change(
		ctx,
		write{
			request: request{
				target: "/api/v2/org/keys",
				key:    c.admin,
				body:   body(object{"name": name, "scope": scope, "expiry": "30d"}),
			},
			changes: []change{{"key", name, scope}},
			then: func(got answer) {
				var made struct{ Key string }
				if got.read(&made); got.ok() && made.Key != "" {
					c.tokens[name] = made.Key
				}
				learn(got)
			},
		},
	)
}

func revokeKey(ctx context.Context, c *client) {
	var names []string
	for _, name := range c.madeOnes("key") {
		if c.tokens[name] != "" {
			names = append(names, name)
		}
	}
	name, found := c.pick(names)
	if !found {
		createKey(ctx, c)
		return
	}
	c.change(
		ctx,
		write{
			request: request{
				method: http.MethodDelete,
				target: "/api/v2/org/keys/" + c.ledger.idOf("key", name),
				key:    c.admin,
			},
			changes: []change{{"key", name, ""}},
			then: func(got answer) {
				if got.ok() && c.tokens[name] != "" {
					c.revoked = append(c.revoked, c.tokens[name])
					delete(c.tokens, name)
				}
			},
		},
	)
}

// tryKeys opens with a key that was made, or with one that was revoked.
func tryKeys(ctx context.Context, c *client) {
	try := request{method: http.MethodGet, target: "/api/v2/auth"}
	if token, found := c.pick(c.revoked); found && c.chance(0.5) {
		try.key = token
		if got := c.api.send(ctx, try); got.ok() {
			c.findings.add("a key that was revoked opens\n  answer   %s", got)
		}
		return
	}
	name, found := c.pick(c.ledger.certain("key", anyState))
	if try.key = c.tokens[name]; !found || try.key == "" {
		readAnything(ctx, c)
		return
	}
	if got := c.api.send(ctx, try); got.Status == http.StatusUnauthorized {
		c.findings.add("key %s was acknowledged and does not open\n  answer   %s", name, got)
	}
}

// upgrade asks for the link, and opens the page as a person would, whom nobody told to press the button.
func upgrade(ctx context.Context, c *client) {
	got := c.api.send(ctx, request{method: http.MethodPost, target: "/api/v2/org/upgrade-link", key: c.admin})
	var shown struct{ URL string }
	if got.read(&shown); got.ok() {
		if path, found := pathOf(shown.URL); found {
			c.api.send(ctx, request{method: http.MethodGet, target: path})
		}
	}
}
