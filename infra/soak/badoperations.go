package main

import (
	"context"
	"net/http"
)

func unknownPath(ctx context.Context, c *client) {
	targets := []string{
		"/", "/api/v2", "/api/v2/", "/api/v2//mentions", "/api/v2/nothing/" + c.name(), "/API/v2/mentions",
		"/api/v1/mentions", "/api/v2/mentions/",
	}
	methods := []string{http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodPut}
	c.api.send(
		ctx,
		c.reader(
			request{
				method: methods[c.random.IntN(len(methods))],
				target: targets[c.random.IntN(len(targets))],
				body:   "{}",
			},
		),
	)
}

func wrongKey(ctx context.Context, c *client) {
	key := []string{"", "es_nonsense", c.read[:len(c.read)-1] + "!", c.read + "a"}[c.random.IntN(4)]
	got := c.api.send(ctx, request{method: http.MethodGet, target: "/api/v2/keywords", key: key})
	if got.ok() {
		c.findings.add("a wrong key opens\n  answer   %s", got)
	}
}
