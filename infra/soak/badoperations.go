package main

import (
	"context"
	"net/http"
	"strings"
)

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
