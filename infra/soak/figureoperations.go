package main

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// figureReads are the reads of analytics.
var figureReads = []string{
	"volume", "sentiment", "sources", "keywords", "tags", "languages", "authors", "share-of-voice", "dashboard",
}

// drawnFigures draws parameters that a read of figures takes. Some are refused.
func (c *client) drawnFigures() url.Values {
	one := func(of ...string) []string { return []string{of[c.random.IntN(len(of))]} }
	query := url.Values{}
	for name, values := range map[string][]string{
		"startDate":  one("2026-01-01", time.Now().AddDate(0, 0, -c.random.IntN(364)).Format(time.DateOnly)),
		"timezone":   one("America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "local"),
		"platforms":  one("news", "hackernews", "NEWS,reddit", ","),
		"tag":        one("none", "pricing", "bug_report,none", "nothing"),
		"sentiment":  one("POSITIVE", "unknown", "neutral,negative", "happy"),
		"relevance":  one("0,1,2,none", "none", "2", "3"),
		"keywordIds": one("0", nobodys, "7,7,7"),
	} {
		if c.chance(0.25) {
			query[name] = values
		}
	}
	return query
}

// readFigures asks for figures by anything. The answer is one of the contract, as of every request.
func readFigures(ctx context.Context, c *client) {
	target := "/api/v2/analytics/" + figureReads[c.random.IntN(len(figureReads))]
	if query := c.drawnFigures().Encode(); query != "" {
		target += "?" + query
	}
	c.get(ctx, target)
}

// queryFigures asks for figures by dimensions and aggregates, with a filter of the list's grammar.
func queryFigures(ctx context.Context, c *client) {
	some := func(most int, of ...string) (values []string) {
		for range 1 + c.random.IntN(most) {
			values = append(values, of[c.random.IntN(len(of))])
		}
		return values
	}
	asked := object{
		"aggregates": some(3, "count", "authors", "reach", "engagement", "negativeShare"),
		"limit":      c.random.IntN(30),
	}
	if c.chance(0.7) {
		asked["dimensions"] = some(2, "source", "sentiment", "relevance", "language", "tag", "keyword", "author")
	}
	if c.chance(0.4) {
		asked["granularity"] = some(1, "hour", "day", "week", "month")[0]
	}
	if c.chance(0.4) {
		asked["filters"] = object{"source": []string{"news"}, "!text": []string{"nothing"}, "tag": []any{"none"}}
	}
	if c.chance(0.2) {
		asked["compareTo"] = some(1, "previous", "year")[0]
	}
	r := c.reader(request{method: http.MethodPost, target: "/api/v2/analytics/query", body: body(asked)})
	c.api.send(ctx, r)
}

// askAllOnce asks for what the program keeps from its first request on: each read of figures, a query, the document and
// its page. It is then in the heaps of both processes that are compared at the end.
func (s *soak) askAllOnce(ctx context.Context) {
	c := s.clients[0]
	for _, name := range figureReads {
		c.get(ctx, "/api/v2/analytics/"+name)
	}
	asked := body(object{"aggregates": []string{"count"}, "filters": object{"source": []string{"news"}}})
	c.api.send(ctx, c.reader(request{method: http.MethodPost, target: "/api/v2/analytics/query", body: asked}))
	for _, target := range []string{"/api/v2/openapi.json", "/api/v2/docs", "/llms.txt"} {
		c.get(ctx, target)
	}
}

// countFigures holds the volume of all mentions against those that are there for certain: exact figures count each.
func countFigures(ctx context.Context, c *client) {
	certain := len(c.ledger.certain("mention", anyState))
	since := time.Now().AddDate(0, 0, -30).UTC().Format(time.DateOnly)
	var volume struct {
		Exact bool
		Data  []struct{ Count int }
	}
	got := c.get(ctx, "/api/v2/analytics/volume?granularity=hour&relevance=0,1,2,none&startDate="+since)
	if got.read(&volume); !got.ok() || !volume.Exact {
		return
	}
	counted := 0
	for _, row := range volume.Data {
		counted += row.Count
	}
	if counted < certain {
		c.findings.add(
			"%d mentions were acknowledged, and exact figures count %d\n  answer   %s", certain, counted, got,
		)
	}
}
