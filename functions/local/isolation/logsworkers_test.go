package isolation_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"earshot/events/message"
	"earshot/functions/discovery/asks"
	"earshot/functions/local/deployment"
	"earshot/functions/members/accountcreated"
	"earshot/shared/archive"
	"earshot/shared/archive/shards"
	"earshot/shared/embedded/folderblob"
	"earshot/shared/judge"
	"earshot/shared/mention"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/port/queue"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/site"
	"earshot/shared/search"
	"earshot/shared/source"
	"earshot/shared/worker"
	"earshot/shared/workspace"
)

// marked is a platform whose people write nothing but marks. When ill, it fails and dies by turns.
type marked struct {
	clock interface{ Now() time.Time }
	ill   *int
}

func (marked) About() source.About { return source.About{Name: "hackernews", Max: 100} }

func (m marked) Search(_ context.Context, q source.Query) (source.Page, error) {
	*m.ill++
	switch *m.ill % 4 {
	case 1:
		return source.Page{}, &source.Unavailable{Source: "hackernews", Reason: "answered 503"}
	case 2:
		panic(mark + q.Text)
	}
	return source.Page{Posts: []post.Post{m.post(*m.ill)}, Next: mark}, nil
}

func (m marked) post(n int) post.Post {
	text, author, address := "The seal and the otter of "+mark, mark, "https://private.example/"+mark
	return post.Post{
		Source:     "hackernews",
		SourceID:   fmt.Sprint("hackernews_story_", 70000+n),
		URL:        address,
		PostedAt:   m.clock.Now().Add(-time.Minute),
		Title:      &text,
		Body:       &text,
		Author:     &author,
		AuthorName: mark + "@private.example",
		AuthorURL:  &address,
		ImageURL:   address,
	}
}

// pages are sites with marks, that cannot be read every other time.
type pages struct{ asked *int }

func (p pages) Page(context.Context, string) (site.Page, error) {
	if *p.asked++; *p.asked%2 == 0 {
		return site.Page{}, &site.Unreadable{Reason: mark + " cannot be read."}
	}
	return site.Page{HTML: []byte("<title>" + mark + "</title><p>" + mark + "@private.example")}, nil
}

// A letter is a message of a queue.
type letter struct {
	queue string
	body  []byte
}

func (w world) workersAreSilent(t *testing.T) {
	b, heard, set := overheard(t, w)
	j, err := judge.New()
	must(t, err)
	ill, asked := 0, 0
	platform := marked{b.clock, &ill}
	b.Judge, b.Sources = j, []source.Source{platform}
	b.Setup.Sources = func(context.Context) ([]source.Source, error) { return b.Sources, nil }
	b.Setup.Sites, b.Setup.ModelID = pages{&asked}, "a-model"
	b.Search.Live = func(context.Context) []source.Source { return b.Sources }
	cache, err := shards.NewCache(shards.CacheOptions{Files: folderblob.New(t.TempDir())})
	must(t, err)
	archived := shards.NewReader(b.Store, cache)
	b.Archive = func(ctx context.Context, posts []post.Post) error { return archive.Add(ctx, b.Store, b.clock, posts) }
	b.Archived, b.Search.Archive = archived.Sources, archived.Sources
	consumers := deployment.Consumers(b.Parts, deployment.Intake(b.Parts))

	for _, to := range w.letters(t, b, platform) {
		heard.failing(t, set, func(what string) {
			heard.now(fmt.Sprintf("%s at a message of %s", what, to.queue))
			_, err := worker.Deliver(consumers[to.queue], to.queue)(t.Context(),
				[]queue.Delivery{{ID: "m", Body: to.body, Receives: 5}})
			must(t, err)
		})
	}
	for _, name := range []string{"collect", "archive", "sweep", "invitecleanup", "purge", "deliveries"} {
		schedule := deployment.Schedules(b.Parts, b.Store)[name].Asked
		for _, payload := range []string{`{}`, `{"time":"` + mark + `"}`, `"` + mark + `"`, mark,
			`{"detail-type":"` + mark + `","id":"e","detail":{"input":"` + mark + `"}}`,
			`{"detail-type":"x","id":"e","detail":"` + mark + `"}`} {
			heard.failing(t, set, func(what string) {
				heard.now(fmt.Sprintf("%s at %s of %s", what, name, payload))
				b.clock.Freeze(b.clock.Now().Add(2 * time.Hour))
				_ = schedule(t.Context(), json.RawMessage(payload))
			})
		}
	}
	w.stagesAreSilent(t, b, heard, func(do func(string)) { heard.failing(t, set, do) })
	w.triggerIsSilent(t, b, heard, func(do func(string)) { heard.failing(t, set, do) })

	heard.named(t)
	for _, name := range []string{"batch ingest", "batch exports", "batch scan", "batch invitations",
		"batch backfills", "batch searches", "batch summaries", "batch deliver", "schedule deliveries",
		"schedule collect", "schedule archive",
		"schedule sweep", "call sweep", "schedule invitecleanup", "schedule purge", "call setupstages/candidates",
		"call setupstages/measure",
		"call setupstages/sample", "call setupstages/agent", "call setupstages/validate", "trigger accountcreated"} {
		if heard.records[name] < 3 {
			t.Errorf("%d records %s: %v", heard.records[name], name, heard.records)
		}
	}
}

// letters are messages that a queue can hold: what requests and collect send, and what nobody can read.
func (w world) letters(t *testing.T, b *bench, platform marked) (all []letter) {
	t.Helper()
	for _, r := range w.a.everything(t, operations(t), asks.All()) {
		w.anHour(t, b)
		b.send(t, r)
	}
	for _, m := range b.sent.take() {
		if n := len(slices.DeleteFunc(slices.Clone(all), func(l letter) bool { return l.queue != m.queue })); n < 3 {
			all = append(all, letter(m))
		}
	}
	all = append(all, w.search(t, b))
	packed, _ := message.Pack([]post.Post{platform.post(1), platform.post(2)}, queue.MaxBody)
	all = append(all, letter{queue.Posts, packed[0]})
	for _, name := range queue.Names() {
		for _, body := range []string{mark, `{"` + mark + `":"` + mark + `"}`, `["` + mark + `@private.example"]`,
			`{"posts":[{"source":"` + mark + `"}]}`,
			`{"posts":["` + mark + `"]}`,
			`{"workspaceId":"` + mark + `","exportId":"` + mark + `","searchId":"` + mark + `","summaryId":"` + mark +
				`","draftId":"` + mark + `"}`,
			`{"workspaceId":7}`, `{"invitations":[{"workspaceId":"` + mark + `","invitationId":"` + mark + `"}]}`} {
			all = append(all, letter{name, []byte(body)})
		}
	}
	return all
}

// search begins a search whose query has a mark, and returns its message.
func (w world) search(t *testing.T, b *bench) letter {
	t.Helper()
	of, now := w.a.tenants[0].ID, b.clock.Now()
	s, err := b.Store.BeginSearch(t.Context(), search.Search{
		ID:          workspace.NewID("srch_", now),
		WorkspaceID: of,
		Request:     search.Request{Query: mark + " OR otter", Window: search.Week, MaxResults: 5, MinRelevance: mention.Low},
		Status:      search.Running,
		CreatedAt:   now,
		ExpiresAt:   now.Add(search.Kept),
	}, workspace.Agents.Limits().Searches, "")
	must(t, err)
	body, err := json.Marshal(message.Search{WorkspaceID: of, SearchID: s.ID})
	must(t, err)
	return letter{queue.Searches, body}
}

// stagesAreSilent has every stage run over marks, with a model that does well, and one that fails by an error with marks in it.
func (w world) stagesAreSilent(t *testing.T, b *bench, heard *listener, failing func(func(string))) {
	t.Helper()
	for n, of := range w.a.tenants {
		b.Setup.Agent = modeltest.Good()
		if n == 1 {
			b.Setup.Agent = modeltest.Broken(errors.New("refused"))
		}
		stages := deployment.Stages(b.Parts)
		draft, err := b.Store.CreateDraftOnce(t.Context(), of.ID, of.domain(), "")
		must(t, err)
		must(t, b.Store.ScanDone(t.Context(), of.ID, draft.ID,
			&proposal.Profile{Company: mark, Description: mark + "@private.example", Language: "english",
				Competitors: []string{mark}, Products: []string{mark + " pager"}}, ""))
		key, _, err := b.Store.StartRun(t.Context(), of.ID, draft.ID, proposal.Balanced, "a-model", proposal.RunLimit)
		must(t, err)
		for _, stage := range []proposal.Stage{proposal.StageCandidates, proposal.StageMeasure, proposal.StageMeasure,
			proposal.StageSample,
			proposal.StageAgent, proposal.StageValidate} {
			call := message.SetupStage{WorkspaceID: of.ID, DraftID: draft.ID, Run: key.Number, Sources: []string{"hackernews"}}
			if stage == proposal.StageMeasure && heard.records["call setupstages/measure"] < 3 {
				call.Source = "hackernews"
			}
			payload, err := json.Marshal(call)
			must(t, err)
			for _, content := range []string{string(payload), `{"` + mark + `":1}`, `{"workspaceId":{"` + mark + `":1}}`,
				`"` + mark + `"`, mark} {
				failing(func(what string) {
					heard.now(fmt.Sprintf("%s at the stage %s of %s", what, stage, content))
					_ = stages[stage](t.Context(), json.RawMessage(content))
				})
			}
		}
	}
}

// triggerIsSilent has people sign up.
func (w world) triggerIsSilent(t *testing.T, b *bench, heard *listener, failing func(func(string))) {
	t.Helper()
	handle := accountcreated.Handler(worker.Options{Function: accountcreated.Group, Log: b.Quiet, Clock: b.clock},
		accountcreated.Options{Store: b.Store, Directory: b.Identity, Queue: b.Queue, Clock: b.clock, Log: b.Log})
	_, _, err := b.people.SignUp(t.Context(), asks.SharedAddress, mark)
	must(t, err)
	const event = `{"triggerSource":"PostConfirmation_ConfirmSignUp","userName":"7f0c1b","request":{"userAttributes":%s}}`
	for _, payload := range []string{
		fmt.Sprintf(event, `{"email":"`+asks.SharedAddress+`","email_verified":"true","name":"`+mark+`"}`),
		fmt.Sprintf(event, `{"email":"`+mark+`","email_verified":"true"}`),
		fmt.Sprintf(event, `"`+mark+`"`), fmt.Sprintf(event, `{"email":{"`+mark+`":1}}`), `["` + mark + `"]`, mark,
	} {
		failing(func(what string) {
			heard.now(fmt.Sprintf("%s at the sign-up %s", what, payload))
			_, err := handle(t.Context(), json.RawMessage(payload))
			must(t, err)
		})
	}
}
