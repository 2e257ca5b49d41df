package mcp_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"earshot/functions/local/apigateway"
	"earshot/functions/local/deployment"
	"earshot/functions/mcp"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// BenchmarkTools calls tools and the operations of REST that they call, in turns of 450 calls, each from its event to its
// response. The ratio is of processor time: the median of the turns, and that of the fastest turns ("-min").
func BenchmarkTools(b *testing.B) {
	w := worldtest.NewWorld(b)
	for id := range int64(40) {
		w.Put(b, w.Main.ID, worldtest.Mention(id+1, fmt.Sprint("post", id),
			worldtest.Now.Add(-time.Duration(id)*time.Minute)))
	}
	functions := deployment.Functions(deployment.Parts{
		Store:   w.Store,
		Clock:   w.Clock,
		Queue:   w.Queue(),
		BaseURL: "https://" + worldtest.Domain,
	})
	var all [][2]invocation
	for _, c := range []struct{ tool, operation, arguments, group string }{
		{"list_mentions", "listMentions", `{"limit":20}`, "mentions"},
		{"get_mention", "getMention", `{"sourceId":"post1"}`, "mentions"},
		{"get_workspace", "getOrganization", `{}`, "organization"},
	} {
		method, target, body, err := mcp.RequestOf(c.operation, c.arguments)
		if err != nil {
			b.Fatal(err)
		}
		rest := worldtest.Request{Method: method, Target: target, Body: string(body)}
		if body != nil {
			rest.Header = []string{"Content-Type", "application/json"}
		}
		call := worldtest.Request{
			Method: "POST", Target: mcp.Path, Body: callOf(c.tool, c.arguments),
			Header: []string{"Content-Type", "application/json", "Mcp-Protocol-Version", "2025-11-25"},
		}
		both := [2]invocation{
			{functions[web.FunctionOf(c.group, target)], worldtest.Client{Token: w.Read}.Event(rest)},
			{functions[web.FunctionOf(mcp.Group, mcp.Path)], worldtest.Client{Token: w.Read}.Event(call)},
		}
		all = append(all, both)
		b.Run(c.tool, func(b *testing.B) { compare(b, w, both) })
	}
	b.Run("all", func(b *testing.B) { compare(b, w, all...) })
}

// An invocation is an event for a function.
type invocation struct {
	handler apigateway.Handler
	event   events.APIGatewayProxyRequest
}

// compare takes the second invocations of pairs and the first in turns, and reports the ratio of what they cost.
func compare(b *testing.B, w *worldtest.World, pairs ...[2]invocation) {
	turn := 450 / len(pairs) // of each; the hourly limit is 500
	var took [2][]time.Duration
	for b.Loop() {
		for side := range took {
			w.Clock.Freeze(w.Clock.Now().Add(time.Hour)) // of another hourly limit
			begun := worldtest.ProcessorTime()
			for range turn {
				for _, pair := range pairs {
					response, err := pair[side].handler(b.Context(), pair[side].event)
					if err != nil || response.StatusCode != 200 {
						b.Fatal(response.StatusCode, response.Body, err)
					}
				}
			}
			took[side] = append(took[side], worldtest.ProcessorTime()-begun)
		}
	}
	var ratios []float64
	for n := range took[0] {
		ratios = append(ratios, float64(took[1][n])/float64(took[0][n]))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "tool/rest")
	b.ReportMetric(float64(slices.Min(took[1]))/float64(slices.Min(took[0])), "tool/rest-min")
	b.ReportMetric(float64(slices.Min(took[0]).Microseconds())/float64(turn*len(pairs)), "rest-µs")
	b.ReportMetric(0, "ns/op")
}
