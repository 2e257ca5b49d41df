package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"earshot/events/message"
	composed "earshot/functions/local/deployment"
	"earshot/shared/port/model"
	"earshot/shared/port/queue"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/site"
	"earshot/shared/source"
	"earshot/shared/workspace"
)

// A policedFlow keeps what executions are started with: the play runs them.
type policedFlow struct {
	p *play
	*police
}

func (f policedFlow) Start(_ context.Context, _ string, input []byte) error {
	if err := f.ask("StartExecution on machine"); err != nil {
		return err
	}
	f.p.started = append(f.p.started, input)
	return nil
}

// A page is what every domain shows.
type page struct{}

func (page) Page(_ context.Context, domain string) (site.Page, error) {
	return site.Page{URL: "https://" + domain + "/", HTML: []byte(`<html lang="en"><head><title>Tidemark - Harbour scheduling</title>
<meta name="description" content="Tidemark schedules berths, pilots and tugs for harbours."><meta name="keywords" content="berth planning, harbour scheduling"></head></html>`)}, nil
}

// A mute is a model that calls no tool.
type mute struct{}

func (mute) Converse(context.Context, model.Conversation) (model.Reply, error) {
	return model.Reply{Blocks: []model.Block{{Text: "I see."}}, Stop: model.StopEnd, InputTokens: 10, OutputTokens: 2}, nil
}

func (p *play) setupParts(guard *police) composed.Setup {
	return composed.Setup{Flow: policedFlow{p, guard}, Sites: page{}, Agent: mute{}, ModelID: "mute", Asked: []string{"hackernews"},
		Sources: func(context.Context) []source.Source { return []source.Source{p.sources["hackernews"]} }}
}

// stages runs the first stages of the run that was started last, each as its own function.
func (p *play) stages(most int) {
	p.t.Helper()
	if len(p.started) == 0 {
		p.t.Fatal("no run was started")
	}
	input := p.started[len(p.started)-1]
	for _, name := range proposal.Stages()[:most] {
		call := composed.Stages(p.parts["setupstages/"+string(name)])[name]
		if name == proposal.StageMeasure {
			var of message.SetupStage
			if err := json.Unmarshal(input, &of); err != nil {
				p.t.Fatal(err)
			}
			of.Source = "hackernews"
			one, err := json.Marshal(of)
			if err != nil {
				p.t.Fatal(err)
			}
			if err := call(p.t.Context(), one); err != nil {
				p.t.Errorf("%s of a source: %v", name, err)
			}
		}
		if err := call(p.t.Context(), input); err != nil {
			p.t.Errorf("%s: %v", name, err)
		}
	}
}

// drafted makes a draft, and scans it.
func (p *play) drafted(domain string) string {
	p.t.Helper()
	var made struct{ DraftID string }
	answer := p.askOf("setup", 202, "POST", "setup/drafts", fmt.Sprintf(`{"domain":%q}`, domain), "Idempotency-Key", "draft of "+domain)
	if err := json.Unmarshal(answer, &made); err != nil || made.DraftID == "" {
		p.t.Fatalf("%s %v", answer, err)
	}
	p.askOf("setup", 202, "POST", "setup/drafts", fmt.Sprintf(`{"domain":%q}`, domain), "Idempotency-Key", "draft of "+domain)
	p.take("scan", queue.Scans)
	return made.DraftID
}

// status asks for a proposal and says how it stands.
func (p *play) status(id string) (status struct {
	Status   string
	Degraded []struct{ Code string }
}) {
	p.t.Helper()
	if err := json.Unmarshal(p.askOf("setup", 200, "GET", "setup/proposals/"+id, ""), &status); err != nil {
		p.t.Error(err)
	}
	return status
}

// setup makes proposals: one that is applied, one whose run dies, and one that nobody scans.
func (p *play) setup() {
	p.t.Helper()
	ctx, org := p.t.Context(), p.world.Main.ID
	if err := p.world.Store.ChangeWorkspace(ctx, org, func(w *workspace.Workspace) error {
		w.Flags = append(w.Flags, workspace.FlagSetupOnboarding)
		return nil
	}); err != nil {
		p.t.Fatal(err)
	}
	hackernews := p.sources["hackernews"]
	hackernews.fails, hackernews.posts = nil, nil
	for i := range 12 {
		title, author := fmt.Sprintf("Tidemark plans berths and pilots for harbour number %d", i), fmt.Sprint("harbourmaster", i)
		hackernews.posts = append(hackernews.posts, post.Post{Source: "hackernews", SourceID: fmt.Sprint("hackernews_story_9", i), Title: &title,
			Author: &author, PostedAt: p.world.Clock.Now().Add(-time.Duration(i+1) * time.Hour)})
	}
	id := p.drafted("tidemark.example")
	p.askOf("setup", 200, "GET", "setup/drafts/"+id, "")
	p.askOf("setup", 200, "PATCH", "setup/drafts/"+id, `{"profile":{"competitors":["Quayside"]}}`)
	p.twiceAt("setup", 202, "POST", "setup/proposals", `{"draftId":"`+id+`"}`)
	p.stages(5)
	p.stages(5) // each again: nothing is done twice
	if got := p.status(id); got.Status != "ready" || len(got.Degraded) != 1 || got.Degraded[0].Code != "agent_invalid" {
		p.t.Errorf("%+v", got)
	}
	p.applied(id)

	// A run that dies behind its first stage is ended by the sweep, and by its machine's event.
	id = p.drafted("driftwood.example")
	p.askOf("setup", 202, "POST", "setup/proposals", `{"draftId":"`+id+`"}`)
	p.stages(1)
	p.tick("sweep", time.Hour)
	if got := p.status(id); got.Status != "ready" || !slices.ContainsFunc(got.Degraded, func(d struct{ Code string }) bool { return d.Code == "propose_interrupted" }) {
		p.t.Errorf("%+v", got)
	}
	p.askOf("setup", 202, "POST", "setup/proposals", `{"draftId":"`+id+`"}`)
	event, err := json.Marshal(map[string]any{"detail-type": "Step Functions Execution Status Change", "detail": map[string]any{
		"status": "FAILED", "input": string(p.started[len(p.started)-1])}})
	if err != nil {
		p.t.Fatal(err)
	}
	parts := p.parts["sweep"]
	if err := composed.Schedules(parts, parts.Store)["sweep"].Run(ctx, event); err != nil {
		p.t.Error(err)
	}
	if got := p.status(id); got.Status != "ready" {
		p.t.Errorf("%+v", got)
	}
	// A scan that nobody does ends too.
	p.askOf("setup", 202, "POST", "setup/drafts", `{"domain":"nobody.example"}`)
	p.sent[queue.Scans] = nil
	p.tick("sweep", time.Hour)
	// The oldest draft gives way where there are too many.
	for i := range 200 {
		if _, err := p.world.Store.CreateDraftOnce(ctx, p.world.Member.ID, fmt.Sprintf("d%d.example", i), ""); err != nil {
			p.t.Fatal(err)
		}
	}
}

// twiceAt is twice for requests that are answered by another status than 200.
func (p *play) twiceAt(function string, status int, method, target, body string) {
	p.t.Helper()
	p.asked++
	key := fmt.Sprint("request ", p.asked)
	p.askOf(function, status, method, target, body, "Idempotency-Key", key)
	p.askOf(function, status, method, target, body, "Idempotency-Key", key)
}

// applied writes what is selected, and cleans up behind the first collection.
func (p *play) applied(id string) {
	p.t.Helper()
	p.twiceAt("setup", 200, "POST", "setup/proposals/"+id+"/apply", `{}`)
	p.askOf("setup", 200, "POST", "setup/proposals/"+id+"/apply", `{}`)
	p.askOf("setup", 200, "GET", "setup/cleanup", "")
	p.tick("collect", 2*time.Hour)
	p.take("ingest", queue.Posts)
	p.askOf("setup", 200, "GET", "setup/cleanup", "")
	p.askOf("setup", 200, "POST", "setup/cleanup", `{}`)
}
