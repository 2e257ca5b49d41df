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

// BenchmarkTools calls tools and the operations of REST that they call, in turns, each from its event to its response. The
// ratio is of processor time: the median of the turns, and that of the fastest turns ("-min").
func BenchmarkTools(b *testing.B) {
	w := worldtest.NewWorld(b)
	for id := range int64(40) {
		w.Put(b, w.Main.ID, worldtest.Mention(id+1, fmt.Sprint("post", id), worldtest.Now.Add(-time.Duration(id)*time.Minute)))
	}
	functions := deployment.Functions(deployment.Parts{Store: w.Store, Clock: w.Clock, Queue: w.Queue(), BaseURL: "https://" + worldtest.Domain})
	for _, c := range []struct {
		tool, operation, arguments string
		groups                     [2]string
	}{
		{"list_mentions", "listMentions", `{"limit":20}`, [2]string{"mentions", mcp.Group}},
		{"get_mention", "getMention", `{"sourceId":"post1"}`, [2]string{"mentions", mcp.Group}},
		{"get_workspace", "getOrganization", `{}`, [2]string{"organization", mcp.Group}},
	} {
		b.Run(c.tool, func(b *testing.B) {
			method, target, body, err := mcp.RequestOf(c.operation, c.arguments)
			if err != nil {
				b.Fatal(err)
			}
			rest := worldtest.Request{Method: method, Target: target, Body: string(body)}
			if body != nil {
				rest.Header = []string{"Content-Type", "application/json"}
			}
			sides := [2]worldtest.Request{rest, {
				Method: "POST", Target: mcp.Path, Body: callOf(c.tool, c.arguments),
				Header: []string{"Content-Type", "application/json", "Mcp-Protocol-Version", "2025-11-25"},
			}}
			var handlers [2]apigateway.Handler
			var sent [2]events.APIGatewayProxyRequest
			for i, side := range sides {
				handlers[i] = functions[web.FunctionOf(c.groups[i], side.Target)]
				sent[i] = worldtest.Client{Token: w.Read}.Event(side)
			}
			const turn = 100
			var took [2][]time.Duration
			for n := 0; b.Loop(); n++ {
				for i := range sides {
					w.Clock.Freeze(w.Clock.Now().Add(time.Hour)) // of another hourly limit
					begun := worldtest.ProcessorTime()
					for range turn {
						response, err := handlers[i](b.Context(), sent[i])
						if err != nil || response.StatusCode != 200 {
							b.Fatal(response.StatusCode, response.Body, err)
						}
					}
					took[i] = append(took[i], worldtest.ProcessorTime()-begun)
				}
			}
			var ratios []float64
			for n := range took[0] {
				ratios = append(ratios, float64(took[1][n])/float64(took[0][n]))
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "tool/rest")
			b.ReportMetric(float64(slices.Min(took[1]))/float64(slices.Min(took[0])), "tool/rest-min")
			b.ReportMetric(float64(slices.Min(took[0]).Microseconds())/turn, "rest-µs")
			b.ReportMetric(0, "ns/op")
		})
	}
}
