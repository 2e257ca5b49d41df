package main

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"earshot/functions/local/demo"
	"earshot/infra/client"
	"earshot/infra/exit"
	"earshot/infra/search"
)

// searchWord holds the flags of the word "search".
type searchWord struct {
	Query     []string `arg:"" optional:"" help:"What to look for: words, \"phrases\", -not, OR, author:, site:, lang:, source:, title:."`
	Window    string   `enum:"1d,7d,30d,usual" default:"usual" help:"How far to look back: 1d, 7d or 30d. Default: 7d."`
	Source    several  `help:"Look on this platform: reddit. Repeatable. Default: on all."`
	Limit     *int     `placeholder:"INT" help:"The most results, 1 to 500. Default: 100."`
	Relevance string   `enum:"high,medium,low,usual" default:"usual" help:"The least relevance: high, medium or low. Default: medium."`
	ID        string   `name:"id" placeholder:"srch_…" help:"Read an earlier search, which is kept for 30 days."`
	JSON      bool     `name:"json" help:"Print the API's answer in one document, on one line."`
	ASCII     bool     `name:"ascii" help:"Write in ASCII. Implied if LC_ALL, LC_CTYPE or LANG names another character set than UTF-8."`

	target
}

// Help explains how a shell takes a query.
func (searchWord) Help() string {
	return "Put the query in single quotes, so that your shell leaves it alone: earshot search '\"wave barn\" -surf'. A query " +
		"that begins with - needs -- before it. Progress goes to standard error. " + exit.Statuses
}

// Run searches a deployment or, without a base URL, the workbench that runs.
func (s searchWord) Run(p *program) error {
	query := strings.Join(s.Query, " ")
	if (query == "") == (s.ID == "") {
		return exit.Misused("give a query, or --id with an earlier search")
	}
	limit := 0 // the API's own
	if s.Limit != nil {
		if limit = *s.Limit; limit < 1 || limit > 500 {
			return exit.Misused("--limit is 1 to 500, not %d", limit)
		}
	}
	style := styleOf(p.env, p.stdout, s.ASCII)
	own := func(keys demo.Keys) string { return keys.Read }
	return s.with(p, false, own, func(at client.Target, _ *demo.Demo) error {
		return search.Run(p, search.Options{
			Target:     at,
			Query:      query,
			ID:         s.ID,
			Window:     unusual(s.Window),
			Sources:    s.Source,
			MaxResults: limit,
			Relevance:  unusual(s.Relevance),
			RequestKey: rand.Text(),
			JSON:       s.JSON,
			Width:      style.Columns,
			ASCII:      style.ASCII,
			To:         p.stdout,
			Progress:   p.stderr,
			Sleep:      sleep,
		})
	})
}

// unusual returns the value of a flag, or nothing for what the API does by itself.
func unusual(value string) string {
	if value == "usual" {
		return ""
	}
	return value
}

// sleep waits, unless the context ends first.
func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
