package runtimeapi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/events"
	"earshot/events/message"
	"earshot/shared/keyword"
	"earshot/shared/port/clock"
	"earshot/shared/proposal"
	"earshot/shared/store/mentionstore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A first is a function with what it is first asked: a sample of events/testdata, or a stage's call.
type first struct {
	function string
	env      []string
	event    func(*testing.B) []byte // anew each time: what has been done once is not done again
	answers  func([]byte) bool
}

// firsts are all functions that are deployed with their usual work, as far as that asks no network: `collect` has
// nothing due, `scan` a draft that is gone, and `setupstages/sample` a profile that nothing is to be searched for.
// `searches`, `summaries` and `backfills` have an id that is gone.
func firsts(b *testing.B) []first {
	aws := newEmptyAWS(b)
	deployed := append(aws.variables(), "MAIL_FROM=mail@earshot.example",
		"STATE_MACHINE_ARN=arn:aws:states:eu-north-1:123456789012:stateMachine:Setup")
	for _, service := range []string{"MAIL", "FLOW"} {
		deployed = append(deployed, service+"_ENDPOINT="+aws.URL)
	}
	deployed = append(deployed, "QUEUE_SCANS="+aws.URL+"/scans", "QUEUE_SEARCHES="+aws.URL+"/searches",
		"QUEUE_SUMMARIES="+aws.URL+"/summaries", "SIGNIN_PAGES="+aws.URL, "SIGNIN_CLIENT=client",
		"SIGNIN_ISSUER="+aws.URL)
	p, listens := newPlayers(b, deployed), newPlayers(b, deployed)
	own := keyword.Keyword{Text: "northwind", Tag: keyword.OwnBrand}
	if _, err := listens.w.Store.CreateKeyword(b.Context(), listens.w.Main.ID, own, 10); err != nil {
		b.Fatal(err)
	}
	all := []first{
		p.called("accountcreated", "confirmed", nil), p.called("archive", "tick", nil), p.called("collect", "tick", nil),
		p.called("invitecleanup", "tick", nil), p.called("purge", "tick", nil), p.called("sweep", "tick", nil),
		p.called("postshards", "tick", nil),
		p.called("deliveries", "tick", nil), p.called("deliver", "announced", nil), p.called("bounces", "bounce", nil),
		p.called("invitations", "nudge", nil), p.called("scan", "page", nil), p.called("exports", "export", p.export),
		p.called("searches", "search", nil), p.called("summaries", "summary", nil), p.called("backfills", "lookback", nil),
		players{p.b, p.w, append(slices.Clone(p.env), "ANALYTICS_BUCKET=days")}.called("analyticsfiles", "tick", nil),
		listens.called("ingest", "posts", nil),
	}
	// A workspace's requests of an hour are limited: each API group has a World of its own.
	for _, group := range []struct{ function, sample string }{{"agency", "workspaces"}, {"discovery", "llms"},
		{"feedback", "stats"},
		{"ai", "wizard"}, {"feeds", "list"}, {"receivers", "deliveries"}, {"alerts", "list"}, {"mcp", "list"},
		{"filters", "global"}, {"keywords", "list"}, {"members", "list"}, {"mentions", "get"},
		{"organization", "get"}, {"preview", "preview"}, {"suggestions", "list"},
		{"setup", "cleanup"}, {"search", "list"}, {"analytics", "volume"}} {
		of := newPlayers(b, deployed)
		key := of.w.Read
		if group.function == "agency" {
			key = of.w.Master
		}
		all = append(all, of.asked(group.function, group.sample, key))
	}
	// Registrations of an hour are limited: authorize is asked for its metadata, which every client reads first.
	metadata := strings.NewReplacer("/oauth/register", "/.well-known/oauth-authorization-server", `"POST"`, `"GET"`).
		Replace(p.sample("authorize", "register"))
	all = append(all, first{"authorize", p.env, func(*testing.B) []byte { return []byte(metadata) }, answersOK})
	// A workspace keeps so many drafts: each stage has one of its own.
	for i, org := range []string{p.w.Main.ID, p.w.Other.ID, p.w.Agents.ID, p.w.Anchor.ID, p.w.Member.ID} {
		all = append(all, p.staged(proposal.Pipeline()[i].Name, org))
	}
	checkFirsts(b, all)
	return all
}

// checkFirsts fails the benchmark if a function has no first: a folder of functions/ with a lambda.
func checkFirsts(b *testing.B, all []first) {
	b.Helper()
	for _, pattern := range []string{"../../functions/*/lambda", "../../functions/*/*/lambda"} {
		folders, err := filepath.Glob(pattern)
		if err != nil {
			b.Fatal(err)
		}
		for _, folder := range folders {
			name := filepath.Base(filepath.Dir(folder))
			if !slices.ContainsFunc(all, func(f first) bool { return path.Base(f.function) == name }) {
				b.Errorf("the start of %s is not measured", name)
			}
		}
	}
}

// players prepare what a function is asked, in a World.
type players struct {
	b   *testing.B
	w   *worldtest.World
	env []string
}

// newPlayers are of a World of the present, which is what the functions' own clock tells, with a mention.
func newPlayers(b *testing.B, deployed []string) players {
	place := worldtest.NewPlace(b)
	w := worldtest.NewWorldAt(b, place)
	w.Clock.Freeze(clock.System{}.Now().UTC().Truncate(time.Second))
	w.Put(b, w.Main.ID, worldtest.Mention(1, "reddit_post_1kq3x9", worldtest.Now))
	onboarding := func(o *workspace.Workspace) error {
		o.Flags = append(o.Flags, workspace.FlagSetupOnboarding)
		return nil
	}
	if err := w.Store.ChangeWorkspace(b.Context(), w.Main.ID, onboarding); err != nil {
		b.Fatal(err)
	}
	return players{b, w, slices.Concat(deployed, place.Variables())}
}

// asked is a request of an API group with a key.
func (p players) asked(function, sample, key string) first {
	payload := strings.ReplaceAll(p.sample(function, sample), events.KeyPlaceholder, key)
	return first{function, p.env, func(*testing.B) []byte { return []byte(payload) }, answersOK}
}

// called is a call by a queue, a schedule or Cognito. export makes what is to be exported; nil: nothing is there by the id.
func (p players) called(function, sample string, export func(*testing.B) string) first {
	payload, made := p.sample(function, sample), 0
	return first{function, p.env, func(b *testing.B) []byte {
		made++
		exported := "exp_gone"
		if export != nil {
			exported = export(b)
		}
		return []byte(strings.NewReplacer(events.WorkspacePlaceholder, p.w.Main.ID, events.ExportPlaceholder, exported,
			events.DraftPlaceholder, draftID, events.InvitationPlaceholder, invitationID,
			// Posts that were stored before are not judged again.
			"_4599001", fmt.Sprintf("_%d", made), "_3kexample", fmt.Sprintf("_3k%d", made)).Replace(payload))
	}, answersNoFailure}
}

func (p players) sample(function, name string) string {
	event, err := events.Open(function, name)
	if err != nil {
		p.b.Fatal(err)
	}
	return string(event.Payload)
}

// export asks for an export of all mentions, as the API does, which holds a slot for it.
func (p players) export(b *testing.B) string {
	e := mentionstore.Export{
		ID:          workspace.NewID("exp", p.w.Clock.Now()),
		WorkspaceID: p.w.Main.ID,
		Status:      mentionstore.ExportQueued,
		Format:      "csv",
		Request:     []byte(`{}`),
		CreatedAt:   p.w.Clock.Now(),
		ExpiresAt:   p.w.Clock.Now().Add(mentionstore.ExportKept),
	}
	if ok, err := p.w.Store.PutExport(b.Context(), e); err != nil || !ok {
		b.Fatal(ok, err)
	}
	until := p.w.Clock.Now().Add(time.Minute)
	if held, err := p.w.Store.HoldExportSlot(b.Context(), e.WorkspaceID, e.ID, mentionstore.ExportSlots,
		until); err != nil || !held {
		b.Fatal(held, err)
	}
	return e.ID
}

// staged is a stage's call for a run whose stages before it have ended and kept nothing, or, where the stage would ask
// platforms for what was found, found nothing. What joins the sources' parts has none.
func (p players) staged(stage proposal.Stage, workspaceID string) first {
	made := 0
	var key proposal.Key
	return first{"setupstages/" + string(stage), p.env, func(b *testing.B) []byte {
		if made > 0 {
			p.over(b, key)
		}
		made++
		key = p.run(b, workspaceID, fmt.Sprintf("quietharbor%d.example", made))
		for _, before := range proposal.Pipeline() {
			if before.Name == stage {
				break
			}
			var nothing []byte
			if stage == proposal.StageSample {
				nothing = []byte(`{}`)
			}
			ended := proposal.Step{Stage: before.Name, Status: proposal.StepOK, StartedAt: p.w.Clock.Now()}
			if err := p.w.Store.EndStep(b.Context(), key, ended, nothing); err != nil {
				b.Fatal(err)
			}
		}
		call := message.SetupStage{
			WorkspaceID: key.WorkspaceID,
			DraftID:     key.DraftID,
			Run:         key.Number,
			Sources:     []string{"hackernews"},
		}
		payload, err := json.Marshal(call)
		if err != nil {
			b.Fatal(err)
		}
		return payload
	}, answersAnything}
}

// over ends a run that has been played, if its stage has not: drafts for which nothing is under way make room for new ones.
func (p players) over(b *testing.B, key proposal.Key) {
	if err := p.w.Store.FinishRun(b.Context(), key, proposal.End{Status: proposal.Failed, Message: "Played."}); err != nil &&
		!errors.Is(err, proposal.ErrOver) {
		b.Fatal(err)
	}
}

// run begins a run of a new draft.
func (p players) run(b *testing.B, workspaceID, domain string) proposal.Key {
	ctx := b.Context()
	draft, err := p.w.Store.CreateDraftOnce(ctx, workspaceID, domain, "")
	if err != nil {
		b.Fatal(err)
	}
	profile := proposal.Profile{
		Company:       "Quietharbor",
		Description:   "Quietharbor pages the right engineer when a service fails.",
		Products:      []string{"Harborline"},
		Audience:      "engineers on call",
		Language:      "english",
		Competitors:   []string{"Zendrix"},
		IndustryTerms: []string{"incident response"},
	}
	if err := p.w.Store.ScanDone(ctx, workspaceID, draft.ID, &profile, ""); err != nil {
		b.Fatal(err)
	}
	key, started, err := p.w.Store.StartRun(ctx, workspaceID, draft.ID, proposal.Balanced, "", proposal.RunLimit)
	if err != nil || !started {
		b.Fatal(started, err)
	}
	return key
}
