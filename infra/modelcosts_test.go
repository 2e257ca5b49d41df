package main

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	composed "earshot/functions/local/deployment"
	"earshot/shared/mention"
	"earshot/shared/port/model"
	"earshot/shared/port/queue"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

// What the guide takes for granted of a model: its prices, and how it counts.
const (
	inputPrice  = 3.00e-6 // a token
	outputPrice = 15.00e-6
	tokenBytes  = 4
	modelTakes  = 3 * time.Second
)

// A biller is a model that responds with as many tokens as it is told, and counts those of the request.
type biller struct {
	says   string
	output int
	input  *int
}

func (m biller) Complete(_ context.Context, r model.Request) (model.Answer, error) {
	*m.input = (len(r.System) + len(r.Prompt)) / tokenBytes
	return model.Answer{Text: m.says, InputTokens: *m.input, OutputTokens: m.output, Complete: true}, nil
}

// What the guide says that a request to the wizard and a summary cost, with a model and without.
func TestTheGuideCountsModelCalls(t *testing.T) {
	for _, with := range []bool{false, true} {
		p := newPlay(t)
		parts := func(name string, m biller) (composed.Parts, func(t *testing.T) spent) {
			one, read := metered(p.parts[name])
			if one.Model = nil; with {
				one.Model = m
			}
			return one, read
		}
		for subject, body := range []string{
			"The login page throws an error since the update", "The battery of the headphones drains within hours",
			"Shipping to Norway takes three weeks and support is silent", "The new dashboard export is fast and useful",
			"Prices went up again and the invoice is wrong",
		} {
			for n := range 12 {
				said := fmt.Sprintf("%s, case %d of our team, and it is the same on every device that we own at home.", body, n)
				m := worldtest.Mention(int64(1+100*subject+n), fmt.Sprintf("hackernews_comment_%d", 100*subject+n),
					p.world.Clock.Now().Add(-time.Duration(n+1)*time.Hour))
				m.Title, m.Body, m.Sentiment = nil, &said, mention.Sentiments()[n%3]
				p.world.Put(t, p.world.Main.ID, m)
			}
		}
		input := 0
		row := func(name string, s spent, output, messages int, takes time.Duration, memoryGB float64) {
			t.Helper()
			if !with {
				input, output = 0, 0
			} else {
				takes += modelTakes
			}
			takes += time.Duration(s.Reads+s.Writes) * roundTrip
			ours := s.ReadUnits*readUnitPrice + s.WriteUnits*writeUnitPrice + float64(messages)*messagePrice +
				takes.Seconds()*memoryGB*gbSecondPrice + callPrice
			tokens := float64(input)*inputPrice + float64(output)*outputPrice
			holds(t, fmt.Sprintf("| %s | %.0f reads, %.0f writes | %d | %d in, %d out | %.3f | %.2f | **%.2f** |", name,
				s.ReadUnits, s.WriteUnits, messages, input, output, 1000*ours, 1000*tokens, 1000*(ours+tokens)))
		}
		name := map[bool]string{true: "with a model", false: "by rules"}[with]

		asked, read := parts("ai",
			biller{`{"filters":{"sentiment":["negative"]},"limit":null,"includeAll":false,"view":null}`, 40, &input})
		handle := composed.Functions(asked)["ai"]
		post := func(path, body string) []byte {
			t.Helper()
			request := worldtest.Request{
				Method: "POST",
				Target: path,
				Body:   body,
				Header: []string{"Content-Type", "application/json"},
			}
			answer, err := handle(t.Context(), worldtest.Client{Token: p.world.Write}.Event(request))
			if err != nil || answer.StatusCode > 202 {
				t.Fatalf("%s: %d %s %v", path, answer.StatusCode, answer.Body, err)
			}
			return []byte(answer.Body)
		}
		var wizard spent
		for range 2 { // the second is one of many
			post("/api/v2/ai/filter-wizard", `{"query":"negative mentions"}`)
			wizard = read(t)
		}
		row("a request to the wizard, "+name, wizard, 40, 0, computes, 0.5)

		var begun struct{ SummaryID string }
		worldtest.Must(t, json.Unmarshal(post("/api/v2/ai/summaries", `{}`), &begun))
		asking := read(t)
		writing, took := parts("summaries", biller{`{"themes":[]}`, 500, &input})
		body := fmt.Sprintf(`{"workspaceId":%q,"summaryId":%q}`, p.world.Main.ID, begun.SummaryID)
		failed, err := worker.Deliver(composed.Consumers(writing, composed.Intake(writing))[queue.Summaries], queue.Summaries)(
			t.Context(), []queue.Delivery{{ID: "s", Body: []byte(body), Receives: 1}},
		)
		if err != nil || len(failed) > 0 {
			t.Fatalf("%v %v", failed, err)
		}
		s := took(t)
		s.Reads, s.Writes = s.Reads+asking.Reads, s.Writes+asking.Writes
		s.ReadUnits, s.WriteUnits = s.ReadUnits+asking.ReadUnits, s.WriteUnits+asking.WriteUnits
		row("a summary of 60 mentions, "+name, s, 500, 3, 100*time.Millisecond, 1)
	}
}
