package deployment_test

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"earshot/functions/agency"
	"earshot/functions/local/deployment"
	"earshot/functions/members"
	"earshot/functions/members/accountcreated"
	"earshot/functions/members/invitecleanup"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/member"
	"earshot/shared/port/clock"
	"earshot/shared/port/mail"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/web"
	"earshot/shared/worker"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A house is an agency with its workspaces.
type house struct {
	workspace.Agency
	workspaces []workspace.Workspace
	key        string
}

// has says whether a workspace is the agency's.
func (h *house) has(workspaceID string) bool {
	for _, w := range h.workspaces {
		if w.ID == workspaceID {
			return true
		}
	}
	return false
}

// A world is one simulated run.
type world struct {
	*testing.T
	random    *rand.Rand
	clock     *clock.Adjustable
	rows      *sqlitetable.Table // without what goes wrong
	stored    *allstores.Store   // over these
	lagging   bool               // the indexes follow when they are told to
	directory *directory
	bag       *bag
	houses    []*house
	people    []string // addresses, folded
	turns     *turns
	processes [2]*process

	calm     bool                      // nothing goes wrong any more
	spans    map[string]map[string]int // how many operations of each port a step of a kind made at most
	asks     []*ask                    // that are not done
	requests []*request                // revocations and mails to be sent again that are not done
	arrivals []*arrival                // that the directory is still to tell of
	held     *ledger                   // what must hold
	tally    tally
	trace    []string
}

// people is how many addresses a world has, and workspaces how many its first agency has.
const (
	peopleInWorld     = 4
	workspacesInWorld = 3
)

func newWorld(t *testing.T, seed uint64, document *worldtest.Document) *world {
	w := &world{T: t, random: rand.New(rand.NewPCG(seed, 5)), clock: &clock.Adjustable{}, directory: newDirectory(),
		spans: map[string]map[string]int{}, tally: tally{struck: map[string]int{}}}
	w.clock.Freeze(worldtest.Now)
	w.turns = newTurns(seed)
	w.bag = &bag{clock: w.clock}
	w.lagging = w.random.IntN(3) == 0
	how := sqlitetable.Misbehave{IndexLag: w.lagging}
	if w.random.IntN(4) == 0 {
		how.PageRows, how.BatchReads = 2, 3
	}
	tables, err := sqlitetable.Open(worldtest.NewFile(t), rows.Schemas(),
		sqlitetable.Options{Clock: w.clock, Misbehave: how})
	w.must(err)
	t.Cleanup(func() { w.must(tables.Close()) })
	w.rows, w.stored = tables, allstores.New(table.Retrying(tables), w.clock)
	w.house("Harbour Agency", workspacesInWorld)
	if w.random.IntN(3) == 0 {
		w.house("Lantern Agency", 2)
	}
	for _, name := range []string{"first", "second", "third", "fourth"}[:peopleInWorld] {
		w.people = append(w.people, name+"@northwind.example")
	}
	w.held = newLedger(w)
	for i := range w.processes {
		w.processes[i] = newProcess(w, document, i)
	}
	t.Cleanup(func() {
		if t.Failed() {
			for _, line := range w.trace {
				t.Log(line)
			}
		}
	})
	return w
}

// house makes an agency. The ids are in the order in which they are made, as those of a deployment are.
func (w *world) house(name string, workspaces int) {
	id := func(prefix string) string {
		w.clock.Freeze(w.clock.Now().Add(time.Millisecond))
		return workspace.NewID(prefix, w.clock.Now())
	}
	h := &house{Agency: workspace.Agency{
		ID:             id(workspace.PrefixAgency),
		Name:           name,
		Active:         true,
		WorkspaceLimit: workspace.DefaultWorkspaceLimit,
		CreatedAt:      w.clock.Now(),
		AnchorID:       id(workspace.PrefixWorkspace),
	}}
	w.must(w.stored.CreateAgency(w.Context(), h.Agency))
	for n := range workspaces {
		org := workspace.Workspace{
			ID:        h.AnchorID,
			Name:      fmt.Sprintf("%s %d", name, n),
			Plan:      workspace.Pro,
			AgencyID:  h.ID,
			CreatedAt: w.clock.Now(),
		}
		if n > 0 {
			org.ID = id(workspace.PrefixWorkspace)
			org.CreatedAt = w.clock.Now()
		}
		w.must(w.stored.CreateWorkspace(w.Context(), org))
		h.workspaces = append(h.workspaces, org)
	}
	token := workspace.NewToken(w.clock.Now())
	w.must(w.stored.CreateKey(w.Context(),
		workspace.Key{
			ID:        token.KeyID,
			Digest:    token.Digest(),
			CreatedAt: w.clock.Now(),
			Scope:     workspace.Admin,
			Agency:    &h.Agency,
		}))
	h.key = token.Reveal()
	w.houses = append(w.houses, h)
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) note(format string, args ...any) {
	w.trace = append(w.trace, w.clock.Now().Format("01-02 15:04:05 ")+fmt.Sprintf(format, args...))
}

// pass moves the clock on.
func (w *world) pass(d time.Duration) {
	w.clock.Freeze(w.clock.Now().Add(d))
	w.held.lapse()
}

// between draws a time, in the milliseconds that the store keeps.
func (w *world) between(shortest, longest time.Duration) time.Duration {
	return shortest + time.Duration(w.random.Int64N(int64(longest-shortest))).Truncate(time.Millisecond)
}

// A process is the functions that invitations go through, over ports that may die.
type process struct {
	mortal
	sender  sender // of the mails that it sends
	agency  worldtest.Client
	members worldtest.Client
	queue   worker.QueueHandler
	created worker.TriggerHandler
	cleanup worker.ScheduleHandler
}

// A sender is who a process sends mails for.
type sender struct {
	house       *house
	workspaceID string // empty: the agency itself
}

func newProcess(w *world, document *worldtest.Document, number int) *process {
	p := &process{}
	turn := w.turns.of(number, &p.mortal)
	listed := allstores.New(table.Retrying(turningTable{fault.Table(w.rows, p.ports()), turn}), w.clock)
	people := turningDirectory{fault.Identity(w.directory, p.ports()), turn}
	mailbox := mailbox(func(m mail.Message) { w.held.mailed(p.sender, m) })
	mailer := knowingMailer{turningMailer{fault.Mail(mailbox, p.ports()), turn},
		func(to string) { w.held.invalid(p.sender, member.Fold(to)) }}
	silent := slog.New(slog.DiscardHandler)
	parts := deployment.Parts{
		Store:    listed,
		Identity: people,
		Mail:     mailer,
		Queue:    turningQueue{fault.Queue(w.bag, p.ports()), turn},
		Clock:    w.clock,
		Log:      silent,
		Quiet:    silent,
	}
	const signUp = "https://people.example/signup"
	client := func(register func(api *web.API)) worldtest.Client {
		api := web.New(web.Options{Credentials: listed, Windows: listed, Replays: listed, Clock: w.clock, Log: silent})
		register(api)
		return worldtest.Client{Handler: api.LambdaHandler(), Document: document}
	}
	p.agency = client(func(api *web.API) {
		agency.Register(api, agency.Options{
			Store:     listed,
			Directory: people,
			Mailer:    mailer,
			Queue:     parts.Queue,
			SignUpURL: signUp,
			Clock:     w.clock,
		})
	})
	p.members = client(func(api *web.API) {
		members.Register(api, members.Options{
			Store:     listed,
			Directory: people,
			Mailer:    mailer,
			SignUpURL: signUp,
			Clock:     w.clock,
		})
	})
	p.queue = deployment.Consumers(parts, nil)[queue.Invitations]
	p.cleanup = deployment.Schedules(parts, listed)[invitecleanup.Group].Run
	p.created = accountcreated.Handler(worker.Options{Function: accountcreated.Group, Log: silent, Clock: w.clock},
		accountcreated.Options{Store: listed, Directory: people, Queue: parts.Queue, Clock: w.clock, Log: silent})
	return p
}
