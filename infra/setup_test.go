package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"earshot/events/message"
	composed "earshot/functions/local/deployment"
	"earshot/shared/keyword"
	"earshot/shared/port/model"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/port/queue"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/site"
	"earshot/shared/source"
	"earshot/shared/store/setupstore"
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
	return site.Page{URL: "https://" + domain + "/", HTML: []byte(`<html lang="en"><head><title>Berthlane - Harbour scheduling</title>
<meta name="description" content="Berthlane schedules berths, pilots and tugs for harbours."><meta name="keywords" content="berth planning, harbour scheduling"></head></html>`)}, nil
}

// decides is a model that measures, and submits a proposal that has something to clean up.
func decides() model.Converser {
	return modeltest.Scripted(func(_ context.Context, c model.Conversation, n int) (model.Reply, error) {
		if len(c.Messages) == 1 {
			return modeltest.Use(n, modeltest.Call{Tool: modeltest.Measure, Input: `{"text":"tide tables"}`}), nil
		}
		return modeltest.Use(n, modeltest.Call{Tool: modeltest.Submit, Input: `{"keywords":[{"ref":"brand","route":"bare","excludeWords":["aquarium"],
			"approvals":[{"setting":"excludeWords","terms":["aquarium"],"approval":"cleanup","reason":"It is another thing."}],
			"explanation":"You get every post with the name.","reasons":[{"basis":"rule","ref":"K1","text":"The own brand is tracked."}],
			"confidence":0.8,"selectedByDefault":true},
			{"ref":"industry_1","route":"bare","explanation":"You follow your field.","reasons":[{"basis":"rule","ref":"K7","text":"It has two words."}],
			"confidence":0.6,"selectedByDefault":false}],
			"options":[],"feeds":[{"ref":"brand_feed","name":"Brand","purpose":"brand","keywordRefs":["brand"]},
			{"ref":"field_feed","name":"Field","purpose":"topic","keywordRefs":["industry_1"]}]}`}), nil
	})
}

func (p *play) setupParts(guard *police) composed.Setup {
	return composed.Setup{
		Flow:    policedFlow{p, guard},
		Sites:   page{},
		Agent:   decides(),
		ModelID: "decides",
		Asked:   []string{"hackernews", "lobsters"},
		Sources: func(context.Context) ([]source.Source, error) { return []source.Source{p.sources["hackernews"]}, nil },
	}
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
			for _, of.Source = range []string{"hackernews", "lobsters"} {
				one, err := json.Marshal(of)
				if err != nil {
					p.t.Fatal(err)
				}
				if err := call(p.t.Context(), one); err != nil {
					p.t.Errorf("%s of a source: %v", name, err)
				}
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
	answer := p.askOf("setup", 202, "POST", "setup/drafts", fmt.Sprintf(`{"domain":%q}`, domain), "Idempotency-Key",
		"draft of "+domain)
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
		title, author := fmt.Sprintf("Berthlane plans berths and pilots for harbour number %d", i),
			fmt.Sprint("harbourmaster", i)
		hackernews.posts = append(hackernews.posts,
			post.Post{Source: "hackernews", SourceID: fmt.Sprint("hackernews_story_9", i), Title: &title,
				Author: &author, PostedAt: p.world.Clock.Now().Add(-time.Duration(i+1) * time.Hour)})
	}
	id := p.drafted("berthlane.example")
	p.askOf("setup", 200, "GET", "setup/drafts/"+id, "")
	p.askOf("setup", 200, "PATCH", "setup/drafts/"+id, `{"profile":{"competitors":["Quayside"]}}`)
	p.twiceAt("setup", 202, "POST", "setup/proposals", `{"draftId":"`+id+`"}`)
	p.stages(5)
	p.stages(5) // each again: nothing is done twice
	if got := p.status(id); got.Status != "ready" || len(got.Degraded) != 0 {
		p.t.Errorf("%+v", got)
	}
	p.applied(id)

	// A run that dies behind its first stage is ended by the sweep, and by its machine's event.
	id = p.drafted("driftwood.example")
	p.askOf("setup", 202, "POST", "setup/proposals", `{"draftId":"`+id+`"}`)
	p.stages(1)
	p.tick("sweep", time.Hour)
	if got := p.status(id); got.Status != "ready" ||
		!slices.ContainsFunc(got.Degraded, func(d struct{ Code string }) bool { return d.Code == "propose_interrupted" }) {
		p.t.Errorf("%+v", got)
	}
	p.askOf("setup", 202, "POST", "setup/proposals", `{"draftId":"`+id+`"}`)
	event, err := json.Marshal(map[string]any{"detail-type": "Step Functions Execution Status Change",
		"detail": map[string]any{
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
	for i := range setupstore.MaxDrafts - 3 {
		if _, err := p.world.Store.CreateDraftOnce(ctx, org, fmt.Sprintf("d%d.example", i), ""); err != nil {
			p.t.Fatal(err)
		}
	}
	p.askOf("setup", 202, "POST", "setup/drafts", `{"domain":"onemore.example"}`)
	p.askOf("setup", 400, "PATCH", "setup/drafts/"+id, `{"profile":{"company":" "}}`, "Idempotency-Key", "malformed")
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
	// One of its keywords is tracked already.
	if _, err := p.world.Store.CreateKeyword(p.t.Context(), p.world.Main.ID,
		keyword.Keyword{Text: "Berth planning", ExactMatch: true}, 10); err != nil {
		p.t.Fatal(err)
	}
	p.twiceAt("setup", 200, "POST", "setup/proposals/"+id+"/apply", `{}`)
	p.askOf("setup", 200, "POST", "setup/proposals/"+id+"/apply", `{"keywordRefs":["brand","industry_1"]}`)
	p.askOf("setup", 200, "GET", "setup/cleanup", "")
	p.tick("collect", 2*time.Hour)
	p.take("ingest", queue.Posts)
	p.askOf("setup", 200, "GET", "setup/cleanup", "")
	p.askOf("setup", 200, "POST", "setup/cleanup", `{}`)
}
