package setup_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"earshot/events/message"
	"earshot/functions/discovery"
	"earshot/functions/setup"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/port/flow"
	"earshot/shared/port/queue"
	"earshot/shared/proposal"
	"earshot/shared/store/allstores"
	"earshot/shared/web"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A desk is the function over a World, with its queue, which has faults of its own, and its flow.
type desk struct {
	worldtest.Client
	*worldtest.World
	sent  *outbox
	runs  *starts
	ports *fault.Set
}

func newDesk(t testing.TB) desk {
	t.Helper()
	w := worldtest.NewWorld(t)
	enable(t, w, w.Main.ID, w.Other.ID)
	d := desk{
		World: w,
		sent:  &outbox{},
		runs:  &starts{},
		ports: fault.NewSet(map[string][]string{fault.QueuePort: fault.QueueOperations()}, 0),
	}
	d.Client = worldtest.Serve(t, w, discovery.OpenAPI(), func(api *web.API) {
		setup.Register(api, setup.Options{
			Store:   w.Store,
			Queue:   fault.Queue(d.sent, d.ports),
			Flow:    d.runs,
			Model:   "some.model",
			Sources: []string{"hackernews", "reddit"},
		})
	})
	return d
}

func enable(t testing.TB, w *worldtest.World, orgs ...string) {
	t.Helper()
	for _, orgID := range orgs {
		err := w.Store.ChangeWorkspace(context.Background(), orgID, func(w *workspace.Workspace) error {
			w.Flags = []string{workspace.FlagSetupOnboarding}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// outbox is a queue whose messages stay.
type outbox struct {
	mu    sync.Mutex
	scans []message.Scan
}

func (o *outbox) Send(_ context.Context, name string, messages ...queue.Message) error {
	if name != queue.Scans {
		return fmt.Errorf("no message goes to %s", name)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, m := range messages {
		var scan message.Scan
		if err := json.Unmarshal(m.Body, &scan); err != nil {
			return err
		}
		o.scans = append(o.scans, scan)
	}
	return queue.Check(messages...)
}

// starts is a flow that notes what is started.
type starts struct {
	mu     sync.Mutex
	fails  error
	inputs map[string]string // by name
	calls  int
}

func (s *starts) Start(_ context.Context, name string, input []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.fails != nil {
		return s.fails
	}
	if err := flow.Check(name, input); err != nil {
		return err
	}
	if before, taken := s.inputs[name]; taken && before != string(input) {
		return flow.ErrTaken
	}
	if s.inputs == nil {
		s.inputs = map[string]string{}
	}
	s.inputs[name] = string(input)
	return nil
}

// begin makes a draft by the API.
func (d desk) begin(t testing.TB) string {
	t.Helper()
	var made setup.SetupDraftAccepted
	d.Client.Post(t, "/api/v2/setup/drafts", `{"domain":"northwind.example"}`).JSON(t, &made)
	return made.DraftID
}

// scanned makes a draft that has been scanned.
func (d desk) scanned(t testing.TB) string {
	t.Helper()
	id := d.begin(t)
	p := proposal.Profile{
		Company:  "Northwind",
		Language: "english",
		Handles:  []proposal.Handle{{Platform: "twitter", Handle: "nwind", Linked: true}},
	}
	if err := d.Store.ScanDone(t.Context(), d.Main.ID, id, &p, ""); err != nil {
		t.Fatal(err)
	}
	return id
}

// proposed begins a run of a draft.
func (d desk) proposed(t testing.TB, id string) proposal.Key {
	t.Helper()
	answer := d.Client.Post(t, "/api/v2/setup/proposals", `{"draftId":"`+id+`"}`)
	if answer.Status != 202 {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	found, err := d.Store.Draft(t.Context(), d.Main.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return proposal.Key{WorkspaceID: d.Main.ID, DraftID: id, Number: found.Run}
}

func (d desk) finish(t testing.TB, key proposal.Key, end proposal.End) {
	t.Helper()
	if err := d.Store.FinishRun(t.Context(), key, end); err != nil {
		t.Fatal(err)
	}
}

func TestDoors(t *testing.T) {
	d := newDesk(t)
	enable(t, d.World, d.Agents.ID, d.Anchor.ID)
	got := d.Client.Doors(t, setup.Group, d.World)
	want := []string{"createSetupDraft", "getSetupDraft", "getSetupProposal", "proposeSetup", "updateSetupDraft"}
	for _, id := range want { // apply and the clean-up are theirs who wrote them
		if !slices.Contains(got, id) {
			t.Errorf("%s is not there: %v", id, got)
		}
	}
}

// While the flag is off nothing of the beta is there, whatever is asked of it.
func TestFlagIsOff(t *testing.T) {
	d := newDesk(t)
	id := d.scanned(t)
	err := d.Store.ChangeWorkspace(t.Context(), d.Main.ID,
		func(w *workspace.Workspace) error { w.Flags = nil; return nil })
	if err != nil {
		t.Fatal(err)
	}
	long := "/api/v2/setup/drafts/" + fmt.Sprintf("%065d", 0)
	for _, target := range []string{"/api/v2/setup/drafts/" + id, "/api/v2/setup/proposals/" + id, long,
		"/api/v2/setup/proposals/x?nonsense=1"} {
		d.Client.Get(t, target).Is(t, 404, "FEATURE_DISABLED")
	}
	for _, body := range []string{`{"domain":"northwind.example"}`, `{"nonsense":`, ``} {
		d.Client.Post(t, "/api/v2/setup/drafts", body).Is(t, 404, "FEATURE_DISABLED")
		d.Client.Post(t, "/api/v2/setup/proposals", body).Is(t, 404, "FEATURE_DISABLED")
		d.Client.Patch(t, "/api/v2/setup/drafts/"+id, body).Is(t, 404, "FEATURE_DISABLED")
	}
}

// A draft of another workspace is answered to the byte as one that is nobody's.
func TestAnotherWorkspace(t *testing.T) {
	d := newDesk(t)
	id := d.scanned(t)
	d.finish(t, d.proposed(t, id),
		proposal.End{
			Status: proposal.Ready,
			Proposal: &proposal.Proposal{ID: "p", DraftID: id, Domain: "d", Archetype: proposal.Quiet,
				Totals: proposal.Totals{Allowance: 1, Band: proposal.Pass}},
		})
	unused := "draft_01KAF3Y3W2V4GZ9M6T8Q5X7B1C"
	other := d.Client.As(d.OtherKey)
	for _, c := range []struct {
		code string
		ask  func(id string) worldtest.Answer
	}{
		{"NOT_FOUND", func(id string) worldtest.Answer { return other.Get(t, "/api/v2/setup/drafts/"+id) }},
		{"NOT_FOUND", func(id string) worldtest.Answer { return other.Patch(t, "/api/v2/setup/drafts/"+id, `{"profile":{}}`) }},
		{"NOT_FOUND", func(id string) worldtest.Answer {
			return other.Post(t, "/api/v2/setup/proposals", `{"draftId":"`+id+`"}`)
		}},
		{"SETUP_PROPOSAL_NOT_FOUND", func(id string) worldtest.Answer { return other.Get(t, "/api/v2/setup/proposals/"+id) }},
	} {
		theirs, nobodys := c.ask(id), c.ask(unused)
		theirs.Is(t, 404, c.code)
		if string(theirs.Body) != string(nobodys.Body) {
			t.Errorf("%s\n%s", theirs.Body, nobodys.Body)
		}
	}
	if d.runs.calls != 1 {
		t.Errorf("%d runs were started", d.runs.calls)
	}
}

func TestDraft(t *testing.T) {
	d := newDesk(t)
	answer := d.Client.Post(t, "/api/v2/setup/drafts", `{"domain":" NORTHWIND.example. "}`)
	if answer.Status != 202 {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	var made map[string]any
	answer.JSON(t, &made)
	id, _ := made["draftId"].(string)
	if !workspace.ValidID(proposal.PrefixDraft, id) ||
		!reflect.DeepEqual(made, map[string]any{"draftId": id, "domain": "northwind.example", "status": "scanning"}) {
		t.Errorf("%v", made)
	}
	if !reflect.DeepEqual(d.sent.scans, []message.Scan{{WorkspaceID: d.Main.ID, DraftID: id}}) {
		t.Errorf("sent %+v", d.sent.scans)
	}
	read := func() map[string]any {
		t.Helper()
		var found map[string]any
		d.Client.As(d.Read).Get(t, "/api/v2/setup/drafts/"+id).OK(t, &found)
		return found
	}
	const now = "2026-11-20T10:15:00.000Z"
	want := map[string]any{"draftId": id, "domain": "northwind.example", "status": "scanning", "message": nil,
		"profile": nil, "createdAt": now, "updatedAt": now}
	if found := read(); !reflect.DeepEqual(found, want) {
		t.Errorf("%v", found)
	}
	d.Client.Patch(t, "/api/v2/setup/drafts/"+id, `{"profile":{"company":"Northwind"}}`).Is(t, 400, "INVALID_INPUT")
	d.Client.Post(t, "/api/v2/setup/proposals", `{"draftId":"`+id+`"}`).Is(t, 400, "INVALID_INPUT")
	if err := d.Store.ScanDone(t.Context(), d.Main.ID, id, nil, "The domain does not resolve."); err != nil {
		t.Fatal(err)
	}
	want["status"], want["message"] = "failed", "The domain does not resolve."
	if found := read(); !reflect.DeepEqual(found, want) {
		t.Errorf("%v", found)
	}
	d.Client.Post(t, "/api/v2/setup/proposals", `{"draftId":"`+id+`"}`).Is(t, 400, "INVALID_INPUT")
	var edited map[string]any
	d.Client.Patch(t, "/api/v2/setup/drafts/"+id, `{"profile":{"company":" Northwind ","products":["Pager"," pager ","Ops"],"language":"de",
		"handles":[{"platform":"GitHub","handle":"@northwind"},{"platform":"github","handle":"Northwind"},{"platform":"x","handle":"nw","linked":false}]}}`).OK(t, &edited)
	want["status"], want["message"] = "scanned", nil
	want["profile"] = map[string]any{"company": "Northwind", "description": "", "products": []any{"Pager", "Ops"},
		"audience": "", "language": "german",
		"handles": []any{map[string]any{"platform": "github", "handle": "northwind", "linked": true},
			map[string]any{"platform": "x", "handle": "nw", "linked": false}},
		"competitors": []any{}, "industryTerms": []any{}, "otherNames": []any{}}
	if !reflect.DeepEqual(edited, want) || !reflect.DeepEqual(read(), want) {
		t.Errorf("%v", edited)
	}
	first := d.Client.Get(t, "/api/v2/setup/drafts/"+id).Header.Get("ETag")
	if again := d.Client.Get(t, "/api/v2/setup/drafts/"+id, "If-None-Match", first); again.Status != 304 {
		t.Errorf("%d", again.Status)
	}
	d.Client.Patch(t, "/api/v2/setup/drafts/"+id, `{"profile":{"products":[],"company":"Northwind"}}`).OK(t, &edited)
	if products := edited["profile"].(map[string]any)["products"]; !reflect.DeepEqual(products, []any{}) {
		t.Errorf("%v", products)
	}
}

func TestNoDomain(t *testing.T) {
	d := newDesk(t)
	for _, domain := range []string{"", " ", "northwind", "https://northwind.example", "127.0.0.1", "[::1]", "co.uk",
		"a b.example", "\u0000.example",
		"acme.local", "vault.acme.internal", "ACME.Internal."} {
		body, _ := json.Marshal(map[string]string{"domain": domain})
		d.Client.Post(t, "/api/v2/setup/drafts", string(body)).Is(t, 400, "INVALID_DOMAIN")
	}
	for _, body := range []string{`{}`, `{"domain":null}`, `{"domain":1}`, `{"domain":"a.example","x":1}`, `[]`} {
		d.Client.Post(t, "/api/v2/setup/drafts", body).Is(t, 400, "VALIDATION_ERROR")
	}
	if len(d.sent.scans) != 0 {
		t.Errorf("sent %+v", d.sent.scans)
	}
}

// A request that died on its way, sent again, makes no second draft and no second run, and what it had not told is told.
func TestSentAgain(t *testing.T) {
	d := newDesk(t)
	key := []string{"Idempotency-Key", "once"}
	if err := d.ports.Add(fault.Fault{Port: fault.QueuePort, Operation: "send", Fault: fault.Error, Times: 1}); err != nil {
		t.Fatal(err)
	}
	d.Client.Post(t, "/api/v2/setup/drafts", `{"domain":"northwind.example"}`, key...).Is(t, 500, "INTERNAL_ERROR")
	var made, again setup.SetupDraftAccepted
	d.Client.Post(t, "/api/v2/setup/drafts", `{"domain":"northwind.example"}`, key...).JSON(t, &made)
	d.Client.Post(t, "/api/v2/setup/drafts", `{"domain":"northwind.example"}`, key...).JSON(t, &again)
	if made != again || len(d.sent.scans) != 1 || d.sent.scans[0].DraftID != made.DraftID {
		t.Errorf("%+v %+v, sent %+v", made, again, d.sent.scans)
	}
	d.Client.Post(t, "/api/v2/setup/drafts", `{"domain":"southwind.example"}`, key...).Is(t, 422, "IDEMPOTENCY_KEY_REUSED")
	p := proposal.Profile{Company: "Northwind"}
	if err := d.Store.ScanDone(t.Context(), d.Main.ID, made.DraftID, &p, ""); err != nil {
		t.Fatal(err)
	}
	body := `{"draftId":"` + made.DraftID + `"}`
	d.runs.fails = flow.ErrUnavailable
	d.Client.Post(t, "/api/v2/setup/proposals", body, "Idempotency-Key", "run").Is(t, 500, "INTERNAL_ERROR")
	d.runs.fails = nil
	// By the time it is sent again, the sweep has ended the run that nobody started.
	d.finish(t, proposal.Key{WorkspaceID: d.Main.ID, DraftID: made.DraftID, Number: 1},
		proposal.End{Status: proposal.Failed, Message: "why"})
	for range 2 {
		if answer := d.Client.Post(t, "/api/v2/setup/proposals", body, "Idempotency-Key", "run"); answer.Status != 202 {
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
	}
	if found, err := d.Store.Draft(t.Context(), d.Main.ID, made.DraftID); err != nil || found.Run != 1 ||
		d.runs.calls != 2 || len(d.runs.inputs) != 1 {
		t.Errorf("%+v %v, %d calls, %v", found, err, d.runs.calls, d.runs.inputs)
	}
}

func TestPropose(t *testing.T) {
	d := newDesk(t)
	id := d.scanned(t)
	answer := d.Client.Post(t, "/api/v2/setup/proposals", `{"draftId":"`+id+`","tier":"thorough"}`)
	var accepted map[string]any
	answer.JSON(t, &accepted)
	const began = "2026-11-20T10:15:00.000Z"
	whole := map[string]any{"draftId": id, "status": "proposing", "tier": "thorough", "startedAt": began}
	if answer.Status != 202 || !reflect.DeepEqual(accepted, whole) {
		t.Errorf("%d %v", answer.Status, accepted)
	}
	want := map[string]string{id +
		"-1": fmt.Sprintf(`{"workspaceId":%q,"draftId":%q,"run":1,"sources":["hackernews","reddit"]}`, d.Main.ID, id)}
	if !reflect.DeepEqual(d.runs.inputs, want) {
		t.Errorf("started %v", d.runs.inputs)
	}
	faulttest.AtOnce(10, func(int) { d.proposed(t, id) })
	if len(d.runs.inputs) != 1 {
		t.Errorf("started %v", d.runs.inputs)
	}
	run, err := d.Store.SetupRun(t.Context(), proposal.Key{WorkspaceID: d.Main.ID, DraftID: id, Number: 1})
	if err != nil || run.Tier != proposal.Thorough || run.Model != "some.model" {
		t.Errorf("%+v %v", run, err)
	}
	d.runs.fails = flow.ErrTaken // started by a deployment that asks other sources
	d.proposed(t, id)
	d.runs.fails = nil
	for number := int64(1); number < 4; number++ {
		end := []proposal.End{{Status: proposal.Failed, Message: "why"}, {Status: proposal.NeedsNarrowing},
			{Status: proposal.Ready}}[number-1]
		d.finish(t, proposal.Key{WorkspaceID: d.Main.ID, DraftID: id, Number: number}, end)
		if next := d.proposed(t, id); next.Number != number+1 {
			t.Errorf("after %s: run %d", end.Status, next.Number)
		}
	}
	for _, body := range []string{`{}`, `{"draftId":""}`, `{"draftId":"` + fmt.Sprintf("%065d", 0) + `"}`,
		`{"draftId":"` + id + `","tier":"deep"}`,
		`{"draftId":"` + id + `","tier":null}`, `{"draftId":"` + id + `","x":1}`, `{"draftId":7}`} {
		d.Client.Post(t, "/api/v2/setup/proposals", body).Is(t, 400, "VALIDATION_ERROR")
	}
	d.Client.Post(t, "/api/v2/setup/proposals", `{"draftId":"draft_x"}`).Is(t, 404, "NOT_FOUND")
}

var _ setup.Store = (*allstores.Store)(nil)

// While a run is under way, a proposal of another tier is answered with that run, by its own tier and start, as the
// poll has them.
func TestPropose_OtherTierUnderWay(t *testing.T) {
	d := newDesk(t)
	id := d.scanned(t)
	ask := func(tier string) (accepted map[string]any) {
		t.Helper()
		answer := d.Client.Post(t, "/api/v2/setup/proposals", `{"draftId":"`+id+`","tier":"`+tier+`"}`)
		if answer.JSON(t, &accepted); answer.Status != 202 {
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
		return accepted
	}
	ask("thorough")
	d.Clock.Freeze(worldtest.Now.Add(time.Minute))
	second := ask("balanced")
	status := d.poll(t, id)
	if second["tier"] != "thorough" || second["startedAt"] != "2026-11-20T10:15:00.000Z" {
		t.Errorf("it says %v", second)
	}
	if second["tier"] != status["tier"] || second["startedAt"] != status["startedAt"] {
		t.Errorf("it says %v, and the poll %v", second, status)
	}
	first := proposal.Key{WorkspaceID: d.Main.ID, DraftID: id, Number: 1}
	d.finish(t, first, proposal.End{Status: proposal.Failed, Message: "why"})
	if third := ask("balanced"); third["tier"] != "balanced" || third["startedAt"] != "2026-11-20T10:16:00.000Z" {
		t.Errorf("after the run has settled it says %v", third)
	}
}

// A request that is sent again after newer runs have taken the place of its own is told so.
func TestPropose_SentAgainTooLate(t *testing.T) {
	d := newDesk(t)
	id := d.scanned(t)
	body, key := `{"draftId":"`+id+`"}`, []string{"Idempotency-Key", "run"}
	d.runs.fails = flow.ErrUnavailable
	d.Client.Post(t, "/api/v2/setup/proposals", body, key...).Is(t, 500, "INTERNAL_ERROR")
	d.runs.fails = nil
	for number := range int64(6) {
		run := proposal.Key{WorkspaceID: d.Main.ID, DraftID: id, Number: number + 1}
		d.finish(t, run, proposal.End{Status: proposal.Failed, Message: "why"})
		d.Client.Post(t, "/api/v2/setup/proposals", body)
	}
	d.Client.Post(t, "/api/v2/setup/proposals", body, key...).Is(t, 404, "NOT_FOUND")
}
