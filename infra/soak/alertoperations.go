package main

import (
	"context"
	"net/http"
)

// Alerts that a client makes and changes. Those of its webhooks stay as they are: see hear.

// mostAlerts is how many alerts a client keeps.
const mostAlerts = 10

// looseAlerts are alerts that have no webhook.
func (c *client) looseAlerts() (names []string) {
	for _, name := range c.madeOnes("alert") {
		if !c.owns("/api/v2/alerts/" + c.ledger.idOf("alert", name)) {
			names = append(names, name)
		}
	}
	return names
}

// condition draws a condition with a value.
func (c *client) condition(value int) object {
	drawn := object{
		"metric":     []string{"mentions", "reach", "engagement"}[c.random.IntN(3)],
		"comparison": []string{"above", "rises_by"}[c.random.IntN(2)],
		"value":      value,
		"window":     []string{"1h", "6h", "24h", "7d"}[c.random.IntN(4)],
	}
	if c.chance(0.3) {
		drawn["minimum"] = c.random.IntN(5)
	}
	return drawn
}

// watched is what an alert watches: the client's keyword, or a feed of its posts.
func (c *client) watched() object {
	if id, found := c.feedNumber(); found && c.chance(0.5) {
		return object{"feedId": id}
	}
	return object{"filters": object{"keyword": []int64{c.keywordID}}}
}

func createAlert(ctx context.Context, c *client) {
	if len(c.looseAlerts()) >= mostAlerts {
		deleteAlert(ctx, c)
		return
	}
	name, value, on := c.name(), 1+c.random.IntN(20), c.chance(0.7)
	made := c.watched()
	made["name"], made["condition"], made["enabled"] = name, c.condition(value), on
	made["remind"] = []string{"never", "hourly", "daily"}[c.random.IntN(3)]
	made["destinations"] = []object{{
		"type": "EMAIL", "emailDestination": object{"emails": []string{"alerts@" + name + ".example"}},
	}}
	c.change(ctx, write{
		request: request{target: "/api/v2/alerts", body: body(made)},
		changes: []change{{"alert", name, state(on, value)}},
		then:    c.learn("alert", name),
	})
}

// updateAlert changes what an alert watches, when it fires and whether it is evaluated.
func updateAlert(ctx context.Context, c *client) {
	name, found := c.pick(c.looseAlerts())
	if !found {
		createAlert(ctx, c)
		return
	}
	value, on := 1+c.random.IntN(20), c.chance(0.5)
	changed := object{"condition": c.condition(value), "enabled": on}
	if c.chance(0.3) {
		changed = c.watched()
		changed["condition"], changed["enabled"] = c.condition(value), on
	}
	c.change(ctx, write{
		request: request{
			method: http.MethodPatch, target: "/api/v2/alerts/" + c.ledger.idOf("alert", name), body: body(changed),
		},
		changes: []change{{"alert", name, state(on, value)}},
	})
}

func deleteAlert(ctx context.Context, c *client) {
	c.deleteOne(ctx, "alert", "/api/v2/alerts", c.looseAlerts(), createAlert)
}

func readAlert(ctx context.Context, c *client) { c.readOne(ctx, "alert", "/api/v2/alerts") }

// previewAlert asks what an alert would have done. It changes nothing.
func previewAlert(ctx context.Context, c *client) {
	asked := c.watched()
	asked["condition"] = c.condition(1 + c.random.IntN(5))
	var shown struct {
		Fired    int
		Episodes []object
	}
	r := c.reader(request{method: http.MethodPost, target: "/api/v2/alerts/preview", body: body(asked)})
	got := c.api.send(ctx, r)
	if got.read(&shown); got.ok() && shown.Fired != len(shown.Episodes) {
		c.findings.add("a preview contradicts itself\n  request  %s\n  answer   %s", r, got)
	}
}
