package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"earshot/events/message"
	composed "earshot/functions/local/deployment"
	"earshot/functions/mcp"
	"earshot/shared/keyword"
	"earshot/shared/lambdalog"
	"earshot/shared/port/queue"
	"earshot/shared/post"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

// List prices of us-east-1 in US dollars, of one each, as the guide names them.
const (
	requestPrice   = 3.50e-6 // of a REST API
	callPrice      = 0.20e-6 // of a Lambda
	gbSecondPrice  = 13.33e-6
	readUnitPrice  = 0.125e-6
	writeUnitPrice = 0.625e-6
	messagePrice   = 0.40e-6 // a request to SQS
	tracePrice     = 5.00e-6
	logPrice       = 0.50 / 1e9 // a byte taken in
	outPrice       = 0.09 / 1e9 // a byte to the internet
)

// What the guide takes for granted, since it cannot be counted here: the time of a round trip to a table, and what a
// function computes for a request.
const (
	roundTrip = 5 * time.Millisecond
	computes  = 2 * time.Millisecond
)

// spent is what the record of a request or an invocation says it took, and the record's own length.
type spent struct {
	Reads, Writes         int
	ReadUnits, WriteUnits float64
	line                  int
}

// varies are the durations of a record, and its time.
var varies = regexp.MustCompile(`("(?:authMicros|handlerMicros|totalMicros|milliseconds)":)[0-9]+|"time":"[^"]*",`)

// metered has a function's parts write records of the stage. read then takes all that were written since it was called
// last: a call of a tool writes that of the operation too.
func metered(parts composed.Parts) (metered composed.Parts, read func(t *testing.T) spent) {
	written := &bytes.Buffer{}
	parts.Log = slog.New(lambdalog.Staged(slog.NewJSONHandler(written, nil), "prod"))
	parts.Quiet = parts.Log
	return parts, func(t *testing.T) (all spent) {
		t.Helper()
		for line := range strings.Lines(written.String()) {
			// What differs from run to run has the length that it has for the most part.
			s := spent{line: len(varies.ReplaceAllString(strings.TrimSpace(line), "${1}1000")) +
				len("2026-11-20T10:00:00.000000000Z")}
			if err := json.Unmarshal([]byte(line), &s); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			all.Reads, all.Writes = all.Reads+s.Reads, all.Writes+s.Writes
			all.ReadUnits, all.WriteUnits, all.line = all.ReadUnits+s.ReadUnits, all.WriteUnits+s.WriteUnits, all.line+s.line
		}
		written.Reset()
		return all
	}
}

// onePage and oneMention are requests as clients make the most.
var (
	oneMention = worldtest.Request{Method: "GET", Target: "/api/v2/mentions/hackernews_story_1"}
	onePage    = worldtest.Request{Method: "POST", Target: "/api/v2/mentions", Body: `{"limit":20}`}
)

// asTool is a call of a tool as a program makes it, by MCP.
func asTool(name, arguments string) worldtest.Request {
	return worldtest.Request{
		Method: "POST", Target: mcp.Path, Header: []string{"Mcp-Protocol-Version", mcp.Revisions[1]},
		Body: fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, arguments),
	}
}

// reading is what a request costs that reads a workspace's mentions with a key, by what it pays for: API Gateway, the
// call, its time, reads, writes, logs, traces, and what is sent.
func (p *play) reading(request worldtest.Request) (s spent, dollars [8]float64) {
	p.t.Helper()
	group := "mentions"
	if request.Target == mcp.Path {
		group = mcp.Group
	}
	body := strings.Repeat("The export of our own data took a minute. ", 6)
	for i := range 60 {
		m := worldtest.Mention(int64(i+1), fmt.Sprintf("hackernews_story_%d", i),
			p.world.Clock.Now().Add(-time.Duration(i)*time.Minute))
		m.Body = &body
		p.world.Put(p.t, p.world.Main.ID, m)
	}
	request.Header = append(request.Header, "Content-Type", "application/json")
	parts, read := metered(p.parts[group])
	handle := composed.Functions(parts)[group]
	sent := 0
	for range 2 { // the second is one of many: the hour's counter is there
		read(p.t)
		answer, err := handle(p.t.Context(), worldtest.Client{Token: p.world.Read}.Event(request))
		if err != nil || answer.StatusCode != 200 {
			p.t.Fatalf("%d %s %v", answer.StatusCode, answer.Body, err)
		}
		answer.MultiValueHeaders["Server-Timing"] = []string{"auth;dur=10.123, handler;dur=10.123, total;dur=20.123"}
		whole, err := json.Marshal(answer.MultiValueHeaders)
		if err != nil {
			p.t.Fatal(err)
		}
		sent = len(answer.Body) + len(whole)
	}
	s = read(p.t)
	took := time.Duration(s.Reads+s.Writes)*roundTrip + computes
	const memoryGB, traced = 1.0, 0.05
	access := len(accessLogFormat()) // with values in place of their names it is about as long
	return s, [...]float64{requestPrice, callPrice, took.Seconds() * memoryGB * gbSecondPrice, s.ReadUnits * readUnitPrice,
		s.WriteUnits * writeUnitPrice, float64(s.line+access) * logPrice, traced * tracePrice, float64(sent) * outPrice}
}

// What the guide says a million requests cost that only read, each with a key: counted, at the prices that it names.
func TestTheGuideCountsReads(t *testing.T) {
	for says, request := range map[string]worldtest.Request{
		"one mention": oneMention, "a page of 20": onePage,
		"`get_mention` by MCP":         asTool("get_mention", `{"sourceId":"hackernews_story_1"}`),
		"`list_mentions` of 20 by MCP": asTool("list_mentions", `{"limit":20}`),
	} {
		s, dollars := newPlay(t).reading(request)
		row, all := fmt.Sprintf("| %s | %g reads, %g writes", says, s.ReadUnits, s.WriteUnits), 0.0
		for _, part := range dollars {
			row += fmt.Sprintf(" | %.2f", part*1e6)
			all += part * 1e6
		}
		holds(t, row+fmt.Sprintf(" | **%.2f** |", all))
	}
}

// What the guide says the workspace of a month costs beside its stage: 20 keywords and 25,000 mentions, and a client
// that asks each minute.
func TestTheGuideCountsAWorkspaceMonth(t *testing.T) {
	const keywords, searched, mentions, hours = 20, 9, 25_000, 730
	p := newPlay(t)
	ctx, org := t.Context(), p.world.Main.ID
	for i := range keywords {
		if _, err := p.world.Store.CreateKeyword(ctx, org,
			keyword.Keyword{Text: fmt.Sprintf("northwind%c", 'a'+i), AdditionalTermsLogic: keyword.Any},
			keywords); err != nil {
			t.Fatal(err)
		}
	}

	// Turns: each keyword on a source that is searched, of which the play has one. The first call finds out what there is to do.
	p.tick("collect", 0)
	parts, read := metered(p.parts["collect"])
	p.parts["collect"] = parts
	p.tick("collect", 2*time.Hour)
	turn := read(t)
	turns := float64(keywords * searched * hours)
	turnWrites := rounded(turn.WriteUnits / keywords) // a unit more or less for the whole call: who comes first to a shared row

	// Mentions come in batches of ten messages, most with one that is new. What was judged is stored with its counts.
	ingest, took := metered(p.parts["ingest"])
	intake := composed.Intake(ingest)
	stored := func(n, from int) spent {
		var batch []post.Post
		for i := range n {
			title, author := fmt.Sprintf("We moved everything to northwind%c this week", 'a'+i%keywords), "tidewatcher"
			batch = append(batch, post.Post{
				Source:               "hackernews",
				SourceID:             fmt.Sprintf("hackernews_story_%d", from+i),
				Title:                &title,
				Author:               &author,
				PostedAt:             p.world.Clock.Now().Add(-time.Duration(i) * time.Minute),
				Engagement:           map[string]int64{"points": 3},
				EngagementObservedAt: p.world.Clock.Now(),
			})
		}
		deliver(t, composed.Consumers(ingest, intake)[queue.Posts], batch)
		return took(t)
	}
	stored(1, 1) // and what is only read at a start
	one, ten := stored(1, 100), stored(10, 200)
	perMention := rounded(ten.WriteUnits / 10)

	page := 0.0
	_, parted := newPlay(t).reading(onePage)
	for _, part := range parted {
		page += part
	}
	alone := time.Duration(one.Reads+one.Writes)*roundTrip + 10*computes
	costs := []struct {
		says, counted string
		dollars       float64
	}{
		{"turns of keywords, 20 × 9 sources × 730 hours", fmt.Sprintf("%.0f × %.0f write units", turns, turnWrites),
			turns * turnWrites * writeUnitPrice},
		{"their messages: sent, taken, deleted", fmt.Sprintf("%.0f × 3 requests", turns), turns * 3 * messagePrice},
		{"`ingest`, alone for each message at worst", fmt.Sprintf("%.0f × %d ms of 1 GB", turns, alone.Milliseconds()),
			turns * (alone.Seconds()*gbSecondPrice + callPrice)},
		{"mentions stored, ten at once", fmt.Sprintf("25,000 × %.0f write units", perMention),
			mentions * perMention * writeUnitPrice},
		{"their counters, looked up 12 times and all of them new", "25,000 × 12 × 3 write units",
			mentions * 12 * 3 * writeUnitPrice},
		{"moved to the archive after 180 days", "25,000 × 2 × 8 write units", mentions * (8*writeUnitPrice + 8*0.78e-6)},
		{"kept: 45 MB more each month, of which six months are fresh", "0.045 GB × (6 × 0.45 + 6 × 0.30)",
			0.045 * (6*0.45 + 6*0.30)},
		{"a client that asks for a page each minute", "43,800 requests", 43_800 * page},
		{"logs: the lines of each message's batch, and of each look", fmt.Sprintf("%.0f × %d bytes", turns, one.line),
			turns * float64(one.line) * logPrice},
	}
	all := 0.0
	for _, cost := range costs {
		all += cost.dollars
		holds(t, fmt.Sprintf("| %s | %s | %.2f |", cost.says, cost.counted, cost.dollars))
	}
	holds(t, fmt.Sprintf("| **the workspace's month** | | **%.2f** |", all))
}

// deliver hands posts to the consumer of their queue, one in a message.
func deliver(t *testing.T, consume worker.QueueHandler, posts []post.Post) {
	t.Helper()
	var batch []queue.Delivery
	for i := range posts {
		bodies, _ := message.Pack(posts[i:i+1], queue.MaxBody)
		batch = append(batch, queue.Delivery{ID: fmt.Sprint(i), Body: bodies[0], Receives: 1})
	}
	failed, err := worker.Deliver(consume, queue.Posts)(t.Context(), batch)
	if err != nil || len(failed) > 0 {
		t.Fatalf("%v %v", failed, err)
	}
}

// holds looks for a line in the guide.
func holds(t *testing.T, line string) {
	t.Helper()
	if !strings.Contains(guide(t), line+"\n") {
		t.Errorf("the guide has not\n%s", line)
	}
}

// rounded leaves out what differs by a unit from run to run.
func rounded(units float64) float64 { return float64(int64(units + 0.5)) }
