package deployment_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"earshot/shared/embedded/fault"
	"earshot/shared/member"
	"earshot/shared/port/identity"
	"earshot/shared/port/queue"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

// A step is something that happens in a world.
type step struct {
	name  string
	ports []string // that something may go wrong with, those oftener that are named oftener
	begin func()   // notes what is about to happen; nil: nothing
	run   func(p *process)
	heard func(p *process) // looks at what came of it, when all that happens at once is over
	what  mishap
}

// kind is a step's, whomever it is about.
func (s step) kind() string {
	kind, _, _ := strings.Cut(s.name, " ")
	return kind
}

// An ask is a client's call, which it sends again until it is told that all of it is done.
type ask struct {
	name   string
	house  *house
	alone  bool // of one workspace, by POST /org/members/invite
	target string
	header []string
	body   string
	pairs  []pair // distinct, in the order of the answer
	role   member.Role

	sent  int  // how often it is under way
	short bool // of these, one has not been told that all is done
}

// An arrival is what the directory tells of a sign-up.
type arrival struct {
	account identity.Account
	times   int // how often it is still to be told
}

// storm lets things happen, and go wrong.
func (w *world) storm(patient bool) {
	steps := 9 + w.random.IntN(8)
	weeks := -1
	if !patient {
		weeks = 4 + w.random.IntN(steps-4)
	}
	for n := range steps {
		if n == weeks || n > weeks && !patient && w.random.IntN(8) == 0 {
			w.weeks()
		}
		w.pass(w.between(time.Second, 100*time.Second))
		if w.lagging && w.random.IntN(3) == 0 {
			w.must(w.rows.CatchUp())
		}
		at := []step{w.drawn()}
		if w.random.IntN(3) == 0 {
			at = append(at, w.drawn())
		}
		w.do(at...)
	}
}

// drawn is some step.
func (w *world) drawn() (s step) {
	var choices []func() step
	may := func(weight int, of func() step) {
		for range weight {
			choices = append(choices, of)
		}
	}
	may(8, func() step { return w.send(w.newAsk()) })
	if len(w.asks) > 0 {
		may(6, func() step { return w.send(w.asks[w.random.IntN(len(w.asks))]) })
	}
	if away := w.away(); len(away) > 1 {
		may(3, func() step { return w.signUp(away[w.random.IntN(len(away))]) })
	}
	if open := w.held.openPairs(); len(open) > 0 {
		may(3, func() step { return w.takeBack(&request{of: open[w.random.IntN(len(open))]}) })
		may(3, func() step { return w.mailAgain(&request{of: open[w.random.IntN(len(open))]}) })
	}
	if len(w.requests) > 0 {
		may(3, func() step { return w.requests[w.random.IntN(len(w.requests))].again() })
	}
	if len(w.arrivals) > 0 {
		may(5, func() step { return w.tell(w.arrivals[w.random.IntN(len(w.arrivals))]) })
	}
	if letters := w.bag.draw(w.random, 1+w.random.IntN(4), false); len(letters) > 0 {
		may(6, func() step { return w.deliver(letters) })
	}
	may(4, func() step {
		w.pass(w.between(15*time.Minute, 6*time.Hour))
		return w.cleanUp()
	})
	s = choices[w.random.IntN(len(choices))]()
	s.what = w.drawnMishap(s)
	return s
}

// spansAtFirst is about how many operations a step makes of a port, where it is not known yet.
var spansAtFirst = map[string]int{fault.TablePort: 8, fault.IdentityPort: 3, fault.MailPort: 2, fault.QueuePort: 1}

// drawnMishap is what goes wrong with a step; of more than half of them nothing does.
func (w *world) drawnMishap(s step) mishap {
	if w.random.IntN(100) < 55 || len(s.ports) == 0 {
		return mishap{}
	}
	what := mishap{port: s.ports[w.random.IntN(len(s.ports))], times: 1}
	span := max(w.spans[s.kind()][what.port], spansAtFirst[what.port])
	what.nth = 1 + w.random.IntN(span)
	kinds := []mishapKind{diesAfter, diesAfter, diesAfter, diesBefore, loses, fails, throttled}
	if what.port == fault.MailPort {
		kinds = append(kinds, refused, unmailable, loses, loses)
	}
	what.kind = kinds[w.random.IntN(len(kinds))]
	if !what.dies() && w.random.IntN(2) == 0 {
		what.times = 5 // more often than anyone tries
	}
	return what
}

// do lets steps happen at once, and holds that all is well after them.
func (w *world) do(steps ...step) {
	w.Helper()
	w.tally.steps += len(steps)
	w.held.begin(len(steps) == 1)
	for _, s := range steps {
		if s.begin != nil {
			s.begin()
		}
	}
	var group sync.WaitGroup
	for i, s := range steps {
		p := w.processes[i]
		p.live(s.what)
		w.note("%d: %s, which %s", i, s.name, s.what)
		group.Go(func() {
			defer func() {
				if caught := recover(); caught != nil && !p.died() {
					panic(caught)
				}
			}()
			s.run(p)
		})
	}
	var over atomic.Bool
	go func() {
		group.Wait()
		over.Store(true)
	}()
	if !w.turns.give(&over) {
		w.Fatal("a step does not end")
	}
	w.bag.sort(w.random)
	harmed := false
	for i, s := range steps {
		p := w.processes[i]
		harmed = harmed || p.harmed() != ""
		w.count(s, p)
	}
	w.held.look(harmed)
	for i, s := range steps {
		s.heard(w.processes[i])
	}
	w.held.settled()
	if w.Failed() {
		w.FailNow()
	}
}

func (w *world) count(s step, p *process) {
	if w.spans[s.kind()] == nil {
		w.spans[s.kind()] = map[string]int{}
	}
	for port, n := range p.made {
		w.spans[s.kind()][port] = max(w.spans[s.kind()][port], n)
	}
	if p.harmed() == "" {
		return
	}
	w.note("%s %s", s.what.kind, p.harmed())
	w.tally.struck[s.kind()+" "+string(s.what.kind)+" "+p.harmed()]++
	if s.what.dies() {
		w.tally.crashes++
	} else {
		w.tally.errors++
	}
}

// away are the people without an account.
func (w *world) away() (emails []string) {
	known := w.directory.known()
	for _, email := range w.people {
		if known[email] == "" {
			emails = append(emails, email)
		}
	}
	return emails
}

// written is an address as somebody may write it.
func (w *world) written(email string) string {
	if w.random.IntN(3) == 0 {
		return strings.ToUpper(email[:1]) + email[1:]
	}
	return email
}

// newAsk is a call of some client's, of some people and some workspaces.
func (w *world) newAsk() *ask {
	a := &ask{
		house: w.houses[w.random.IntN(len(w.houses))],
		role:  []member.Role{member.Ordinary, member.Admin}[w.random.IntN(2)],
	}
	if w.random.IntN(2) == 0 {
		a.header = []string{"Idempotency-Key", fmt.Sprintf("key-%d", w.tally.asks)}
	}
	w.tally.asks++
	people := slices.Clone(w.people)
	w.random.Shuffle(len(people), func(i, j int) { people[i], people[j] = people[j], people[i] })
	places := slices.Clone(a.house.workspaces)
	w.random.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	if w.random.IntN(4) == 0 {
		place, email := places[0], people[0]
		a.alone, a.target = true, "/api/v2/org/members/invite"
		a.header = append(a.header, "x-earshot-organization-id", place.ID)
		a.body = written(map[string]any{"email": w.written(email), "role": a.role})
		a.pairs = []pair{{place.ID, email}}
		a.name = fmt.Sprintf("%s to %s as %s", email, place.Name, a.role)
		w.asks = append(w.asks, a)
		return a
	}
	var targets any
	var ids, names, emails []string
	people = people[:1+w.random.IntN(len(people))]
	if w.random.IntN(3) == 0 {
		targets, places = "all", a.house.workspaces
	} else {
		places = places[:1+w.random.IntN(len(places))]
	}
	for _, place := range places {
		ids, names = append(ids, place.ID), append(names, place.Name)
	}
	if targets == nil {
		targets = append(ids, ids[:w.random.IntN(2)]...) // whoever is named twice is one
	}
	for _, email := range people {
		emails = append(emails, w.written(email))
		for _, id := range ids {
			a.pairs = append(a.pairs, pair{id, email})
		}
	}
	emails = append(emails, emails[:w.random.IntN(2)]...)
	a.target = "/api/v2/agency/members/invite"
	a.body = written(map[string]any{"targetOrgIds": targets, "emails": emails, "role": a.role})
	a.name = fmt.Sprintf("%s to %s as %s", strings.Join(emails, " "), strings.Join(names, ", "), a.role)
	w.asks = append(w.asks, a)
	return a
}

func written(body map[string]any) string {
	content, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return string(content)
}

// A result is one of those that an agency's call is answered.
type result struct {
	OrgID   string
	Email   string
	Success bool
	Action  *string
	Error   *string
}

// send is the step in which a client sends its call.
func (w *world) send(a *ask) step {
	s := step{name: "invite", ports: []string{fault.TablePort, fault.TablePort, fault.MailPort, fault.IdentityPort}}
	who := sender{house: a.house}
	if a.alone {
		s.name, who.workspaceID = "inviteOne", a.pairs[0].workspaceID
	}
	w.held.ask(a)
	known := w.directory.known()
	var answer *worldtest.Answer
	s.run = func(p *process) {
		p.sender = who
		client := p.agency
		if a.alone {
			client = p.members
		}
		came := client.As(a.house.key).Post(w, a.target, a.body, a.header...)
		if !p.died() {
			answer = &came
		}
	}
	s.name += " " + a.name
	a.sent++
	s.heard = func(p *process) {
		a.sent--
		if answer == nil || !w.answered(a, *answer, known, p.harmed() != "") {
			a.short = true
		}
		if a.sent > 0 {
			return
		}
		if !a.short {
			w.asks = slices.DeleteFunc(w.asks, func(other *ask) bool { return other == a })
		}
		a.short = false
	}
	return s
}

// answered holds an answer to the description and takes its word. It says whether all is done.
func (w *world) answered(a *ask, answer worldtest.Answer, before map[string]string, harmed bool) (done bool) {
	w.Helper()
	w.note("%d %s", answer.Status, answer.Body)
	if answer.Status != http.StatusOK {
		problem := answer.Problem(w)
		switch {
		case a.alone && problem.Code == "ITEM_EXISTS":
			w.held.told(a.pairs[0], "granted")
			return true
		case problem.Code == "IDEMPOTENCY_KEY_IN_USE" && !w.calm:
		case a.alone && problem.Code == "INVALID_INPUT" && w.held.doubtful(a.pairs[0]):
			if len(a.header) > 2 { // the answer is the old key's for a day
				a.header[1] += "+"
			}
		case a.alone && problem.Code == "INVALID_INPUT" && (harmed || w.held.taken[a.pairs[0]]): // no mail can, or could, be sent
			if len(a.header) > 2 {
				a.header[1] += "+"
			}
		case !harmed || problem.Code != "INTERNAL_ERROR":
			w.Errorf("nothing went wrong, and it answers %d %s", answer.Status, answer.Body)
		}
		return false
	}
	replayed := answer.Header.Get("Idempotent-Replayed") != "" // what a dead process has answered, whatever has changed since
	success := func(of pair, action string) {
		if !replayed {
			w.consistent(of, action, before)
			w.held.told(of, action)
			w.held.role(of, a.role)
		}
	}
	if a.alone {
		var said struct{ Action string }
		answer.JSON(w, &said)
		success(a.pairs[0], said.Action)
		if !replayed && said.Action != "granted" {
			w.held.reachable(a.pairs[0])
		}
		return true
	}
	var said struct{ Results []result }
	answer.JSON(w, &said)
	if len(said.Results) != len(a.pairs) {
		w.Fatalf("%d of %d pairs are answered", len(said.Results), len(a.pairs))
	}
	done = true
	waits, fails := map[string]pair{}, map[string]bool{} // people
	for n, r := range said.Results {
		of := pair{r.OrgID, member.Fold(r.Email)}
		if of != a.pairs[n] {
			w.Errorf("%v is answered in the place of %v", of, a.pairs[n])
		}
		switch {
		case r.Success && r.Action != nil && r.Error == nil:
			success(of, *r.Action)
			if *r.Action != "granted" {
				waits[of.email] = of
			}
		case !r.Success && r.Action == nil && r.Error != nil && *r.Error != "":
			done, fails[of.email] = false, true
			if !harmed && !replayed && !(strings.HasPrefix(*r.Error, "It is not known whether") && w.held.doubtful(of)) &&
				!(!w.held.apart && strings.Contains(*r.Error, "was not handed over yet")) { // another call is about to
				w.Errorf("nothing went wrong, and %v fails: %s", of, *r.Error)
			}
		default:
			w.Errorf("neither a success nor a failure: %s", answer.Body)
		}
	}
	for email, of := range waits {
		if !replayed && !fails[email] {
			w.held.reachable(of)
		}
	}
	if !done && len(a.header) > 0 {
		a.header = []string{"Idempotency-Key", a.header[1] + "+"} // the answer is the old key's for a day
	}
	return done
}

// consistent holds an action against who had an account before the call, and who has one now.
func (w *world) consistent(of pair, action string, before map[string]string) {
	w.Helper()
	_, had := before[of.email]
	_, has := w.directory.known()[of.email]
	switch {
	case action != "granted" && action != "invited" && action != "queued":
		w.Errorf("%v is answered %q", of, action)
	case had && action != "granted":
		w.Errorf("%v has an account, and is answered %s", of, action)
	case !has && action == "granted":
		w.Errorf("%v has no account, and is answered granted", of)
	}
}

// signUp is the step in which a person signs up. The directory may tell of it at some time, also twice.
func (w *world) signUp(email string) step {
	address, times := w.written(email), w.random.IntN(3)
	return step{name: "signUp " + address, run: func(*process) { w.directory.signUp(address) }, heard: func(*process) {
		w.held.signedUp(email)
		if times > 0 {
			account := identity.Account{ID: w.directory.known()[email], Email: address}
			w.arrivals = append(w.arrivals, &arrival{account, times})
		}
	}}
}

// tell is the step in which the directory tells of a sign-up. It calls again when it is not answered, or gives up.
func (w *world) tell(a *arrival) step {
	body, err := json.Marshal(events.CognitoEventUserPoolsPostConfirmation{
		CognitoEventUserPoolsHeader: events.CognitoEventUserPoolsHeader{
			Version:       "1",
			TriggerSource: "PostConfirmation_ConfirmSignUp",
			UserName:      a.account.ID,
		},
		Request: events.CognitoEventUserPoolsPostConfirmationRequest{UserAttributes: map[string]string{
			"sub": a.account.ID, "email": a.account.Email, "email_verified": "true"}},
	})
	w.must(err)
	again := w.random.IntN(2) == 0
	return step{
		name:  "created " + a.account.ID,
		ports: []string{fault.TablePort, fault.TablePort, fault.IdentityPort, fault.QueuePort},
		run: func(p *process) {
			if answer, err := p.created(w.Context(), body); err != nil || string(answer) != string(body) && !p.died() {
				w.Errorf("the sign-up fails: %v %s", err, answer)
			}
		},
		heard: func(p *process) {
			if !p.died() || !again {
				a.times--
			}
			w.arrivals = slices.DeleteFunc(w.arrivals, func(a *arrival) bool { return a.times <= 0 })
		},
	}
}

// deliver is the step in which messages come.
func (w *world) deliver(letters []*letter) step {
	var batch []queue.Delivery
	for _, l := range letters {
		l.Receives++
		batch = append(batch, l.Delivery)
	}
	var failed []string
	return step{
		name:  fmt.Sprintf("deliver %d", len(letters)),
		ports: []string{fault.TablePort, fault.TablePort, fault.IdentityPort},
		run: func(p *process) {
			var err error
			if failed, err = worker.Deliver(p.queue, queue.Invitations)(w.Context(), batch); err != nil {
				w.Error(err)
			}
		},
		heard: func(p *process) {
			if p.harmed() == "" && len(failed) > 0 {
				w.Errorf("nothing went wrong, and messages fail: %v", failed)
			}
			for _, l := range letters {
				if !p.died() && !slices.Contains(failed, l.ID) {
					w.bag.taken(l)
				}
			}
		},
	}
}

// cleanUp is the step in which the schedule runs.
func (w *world) cleanUp() step {
	var failure error
	return step{name: "cleanup", ports: []string{fault.TablePort, fault.TablePort, fault.QueuePort, fault.IdentityPort},
		run: func(p *process) { failure = p.cleanup(w.Context(), json.RawMessage("{}")) },
		heard: func(p *process) {
			if p.harmed() == "" && failure != nil {
				w.Errorf("nothing went wrong, and the schedule fails: %v", failure)
			}
		}}
}

// quiet lets time pass in which nothing goes wrong and nobody asks for anything, until nothing is to be done any more.
func (w *world) quiet(end bool) {
	w.Helper()
	before := w.calm
	w.calm = true
	const most = 8
	for range most {
		w.pass(6*time.Hour + time.Minute)
		w.must(w.rows.CatchUp())
		w.do(w.cleanUp())
		w.pass(time.Minute)
		for {
			letters := w.bag.draw(w.random, 10, end)
			if len(letters) == 0 {
				break
			}
			w.do(w.deliver(letters))
		}
		if w.held.idle() {
			w.calm = before
			return
		}
	}
	w.Fatalf("there is still something to do: %v", slices.Collect(maps.Keys(w.held.seen.invitations)))
}

// weeks lets days or weeks pass, before which everybody is let in who has signed up.
func (w *world) weeks() {
	w.quiet(false)
	w.note("weeks pass")
	w.pass(w.between(5*24*time.Hour, 32*24*time.Hour))
}

// end lets everything come to its end, without faults.
func (w *world) end() {
	w.calm = true
	signUps := func() {
		for _, email := range w.away() {
			w.do(w.signUp(email))
		}
	}
	if w.random.IntN(2) == 0 {
		signUps()
	}
	for n := 0; len(w.asks) > 0; n++ {
		if n > 20 {
			w.Fatalf("never done: %s", w.asks[0].name)
		}
		w.pass(2 * time.Minute) // what the dead have claimed is free
		for _, a := range slices.Clone(w.asks) {
			w.do(w.send(a))
		}
		for _, of := range w.held.doubts() { // nothing but this sends such a mail again
			w.do(w.mailAgain(&request{of: of}))
		}
	}
	for n := 0; len(w.requests) > 0; n++ {
		if n > 100 {
			w.Fatalf("never done: %s of %v", w.requests[0].method, w.requests[0].of)
		}
		w.pass(2 * time.Minute)
		w.do(w.requests[0].again())
	}
	signUps()
	for len(w.arrivals) > 0 {
		w.do(w.tell(w.arrivals[w.random.IntN(len(w.arrivals))]))
	}
	w.quiet(true)
	w.held.over()
}
