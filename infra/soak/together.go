package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
)

// together has several clients do something to one thing at the same moment.
func together(ctx context.Context, c *client) {
	switch c.random.IntN(5) {
	case 0:
		c.sameRequest(ctx)
	case 1:
		c.crowd(
			ctx, c.filterOf("add", "negativeAuthors", c.name(), "there"),
			c.filterOf("add", "negativeAuthors", c.name(), "there"),
			c.filterOf("add", "negativeAuthors", c.name(), "there"),
			c.filterOf("add", "negativeKeywords", c.name(), "there"),
		)
	case 2:
		c.crowd(ctx, c.newKeyword(), c.newKeyword(), c.newKeyword())
	case 3:
		c.sameName(ctx)
	default:
		c.samePosts(ctx)
	}
}

// sameRequest sends one request three times at once: it happens once, and who is told what it made is told the same.
func (c *client) sameRequest(ctx context.Context) {
	name := c.name()
	c.made++
	w := write{
		request: request{
			method: http.MethodPost,
			target: "/api/v2/feeds",
			key:    c.home.write,
			again:  fmt.Sprintf("together-%d-%d", c.number, c.made),
			body:   body(object{"name": name, "icon": "🔥"}),
		},
		changes: []change{{"feed", name, "🔥"}},
		then:    c.learn("feed", name),
	}
	made := ""
	for _, got := range c.crowd(ctx, w, w, w) {
		var feed struct{ ID int64 }
		if got.read(&feed); !got.ok() {
			continue
		}
		if id := fmt.Sprint(feed.ID); made == "" {
			made = id
		} else if made != id {
			c.findings.add(
				"a request that was sent three times at once made feeds %s and %s\n  request  %s", made, id, w.request,
			)
		}
	}
}

// sameName makes one keyword three times at once, by requests that do not know of each other: one at most makes it.
func (c *client) sameName(ctx context.Context) {
	w := c.newKeyword()
	answers := c.crowd(ctx, w, w, w)
	if made := len(answers) - len(slices.DeleteFunc(slices.Clone(answers), answer.ok)); made > 1 {
		c.findings.add("a keyword was made %d times\n  request  %s\n  answers  %s", made, w.request, answers)
	}
}

// samePosts has the same posts come in three times at once: each is a mention once, and counted so.
func (c *client) samePosts(ctx context.Context) {
	const n = 3
	w := c.posts(n)
	answers := make([]answer, 0, 3)
	stored, all := 0, true
	for _, got := range c.crowdOf(ctx, w.request, 3) {
		var report struct{ Stored int }
		got.read(&report)
		answers = append(answers, got)
		if taken(got, n) == acknowledged {
			stored += report.Stored
			c.told(w, got, n)
			continue
		}
		all = false
	}
	if !slices.ContainsFunc(answers, func(got answer) bool { return taken(got, n) == acknowledged }) {
		c.mayCome(w, w.request.String())
	}
	if all && stored != n {
		c.findings.add(
			"%d posts were stored %d times by three who sent them at once\n  request  %s\n  answers  %s", n, stored,
			w.request, answers,
		)
	}
}

// crowdOf sends a request several times at the same moment.
func (c *client) crowdOf(ctx context.Context, r request, times int) []answer {
	writes := make([]write, times)
	for n := range writes {
		writes[n].request = r
	}
	return c.crowd(ctx, writes...)
}
