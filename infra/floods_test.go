package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"earshot/functions/discovery"
	composed "earshot/functions/local/deployment"
	"earshot/shared/worldtest"
)

// List prices that the guide names for floods alone, in US dollars of one each.
const (
	inspectPrice  = 0.60e-6     // a request that AWS WAF looks at
	edgePrice     = 1.00e-6     // a request that CloudFront answers, in North America and Europe
	edgeBytePrice = 0.085 / 1e9 // a byte that it sends
)

const day = 24 * time.Hour

// unkeyed is what one request without a key costs, and the length of its answer in bytes.
func (p *play) unkeyed(function, target string, status int, memoryGB float64) (dollars float64, sent int) {
	p.t.Helper()
	parts, read := metered(p.parts[function])
	answer, err := composed.Functions(parts)[function](
		p.t.Context(),
		worldtest.Client{}.Event(worldtest.Request{Method: "GET", Target: target}),
	)
	if err != nil || answer.StatusCode != status {
		p.t.Fatalf("%s: %d %.200s %v", target, answer.StatusCode, answer.Body, err)
	}
	header, err := json.Marshal(answer.MultiValueHeaders)
	if err != nil {
		p.t.Fatal(err)
	}
	s := read(p.t)
	if s.Reads+s.Writes > 0 {
		p.t.Errorf("%s without a key asks the tables %d times", target, s.Reads+s.Writes)
	}
	sent = len(answer.Body) + len(header)
	const traced = 0.05
	return requestPrice + callPrice + computes.Seconds()*memoryGB*gbSecondPrice + float64(
		s.line+len(accessLogFormat()),
	)*logPrice +
		traced*tracePrice + float64(
		sent,
	)*outPrice, sent
}

// What the guide says a day of a flood costs on prod: counted, at the prices that it names.
func TestTheGuideCountsFloods(t *testing.T) {
	prod, err := stageNamed("prod")
	if err != nil {
		t.Fatal(err)
	}
	p := newPlay(t)
	perDay := func(rate float64) float64 { return rate * day.Seconds() }
	row := func(what, counted string, dollars float64) {
		t.Helper()
		holds(t, fmt.Sprintf("| %s | %s | %.2f |", what, counted, dollars))
	}
	document, documentBytes := p.unkeyed("discovery", "/api/v2/openapi.json", 200, 0.5)
	row(
		fmt.Sprintf("the OpenAPI document, at its %g a second", prod.PublicPerSecond),
		fmt.Sprintf(
			"%.0f × %d KB",
			perDay(prod.PublicPerSecond),
			documentBytes/1000,
		),
		perDay(prod.PublicPerSecond)*document,
	)
	page, _ := p.unkeyed("discovery", "/api/v2/docs", 200, 0.5)
	row(
		fmt.Sprintf("the page, at its %g a second", prod.PublicPerSecond),
		fmt.Sprintf("%.0f", perDay(prod.PublicPerSecond)),
		perDay(prod.PublicPerSecond)*page,
	)

	refused, _ := p.unkeyed("mentions", "/api/v2/mentions/hackernews_story_1", 401, 1)
	all := perDay(prod.RequestsPerSecond)
	row(
		fmt.Sprintf(
			"any path without a key, at the stage's %g a second, were there no firewall",
			prod.RequestsPerSecond,
		),
		fmt.Sprintf("%.0f", all),
		all*refused,
	)
	passed := perDay(prod.FirewallRate / 10 / 300)
	row(fmt.Sprintf("the same from one address: %g in five minutes pass", prod.FirewallRate/10),
		fmt.Sprintf("%.0f inspected, %.0f passed", all, passed), all*inspectPrice+passed*refused)

	script := scriptBytes(t)
	row(
		fmt.Sprintf("the page's script from CloudFront, at %g a second", prod.RequestsPerSecond),
		fmt.Sprintf("%.0f × %d KB", all, script/1000),
		all*(edgePrice+float64(script)*edgeBytePrice),
	)
	terabyte := 1e12 / float64(script)
	row(
		"each terabyte of it",
		fmt.Sprintf("%.1f million × %d KB", terabyte/1e6, script/1000),
		terabyte*(edgePrice+float64(script)*edgeBytePrice),
	)
}

// scriptBytes is the length of the largest of the page's files as a deployment stores it.
func scriptBytes(t *testing.T) int {
	t.Helper()
	files, err := discovery.Files()
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for _, file := range files {
		var out bytes.Buffer
		writer, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
		if _, err := writer.Write(file.Content); err != nil || writer.Close() != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file.Name, ".js") {
			most = max(most, out.Len())
		}
	}
	return most
}
