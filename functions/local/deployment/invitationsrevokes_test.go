package deployment_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/member"
	"earshot/shared/worldtest"
)

// A request is a client's about one invitation, which it sends again until it is answered: to revoke it, or to send its
// mail again.
type request struct {
	of     pair
	id     string
	method string
	header []string
	again  func() step

	mailed bool      // a mail was sent for it
	tried  bool      // it was sent before
	first  time.Time // when it was sent first; a day later a repeat is a request of its own
}

// begun fills in a request that is sent the first time, and keeps it until it is done.
func (w *world) begun(r *request, method string, again func(*request) step) {
	if r.id != "" {
		return
	}
	r.first = w.clock.Now()
	r.id, r.method = w.held.seen.invitations[r.of].ID, method
	r.again = func() step { return again(r) }
	if w.random.IntN(2) == 0 {
		w.tally.asks++
		r.header = []string{"Idempotency-Key", fmt.Sprintf("request-%d", w.tally.asks)}
	}
	w.requests = append(w.requests, r)
}

// done forgets a request.
func (w *world) done(r *request) {
	w.requests = slices.DeleteFunc(w.requests, func(other *request) bool { return other == r })
}

// asked sends a request as the agency's key does in the workspace. The answer is nil if the process died.
func (w *world) asked(p *process, r *request, path string) *worldtest.Answer {
	h := w.houseOf(r.of)
	p.sender = sender{h, r.of.workspaceID}
	client := p.members.As(h.key)
	header := append(slices.Clone(r.header), "x-earshot-organization-id", r.of.workspaceID)
	var came worldtest.Answer
	if r.method == http.MethodDelete {
		came = client.Delete(w, path, header...)
	} else {
		came = client.Post(w, path, "", header...)
	}
	if p.died() {
		return nil
	}
	return &came
}

func (w *world) houseOf(of pair) *house {
	for _, h := range w.houses {
		if h.has(of.workspaceID) {
			return h
		}
	}
	w.Fatalf("%v is nobody's", of)
	return nil
}

// takeBack is the step in which a client revokes an invitation.
func (w *world) takeBack(r *request) step {
	w.begun(r, http.MethodDelete, w.takeBack)
	l := w.held
	var answer *worldtest.Answer
	return step{name: fmt.Sprintf("revoke %s of %v", r.id, r.of), ports: []string{fault.TablePort},
		begin: func() {
			l.revoking[r.id], l.removing[r.of.email] = true, true
			l.extra[r.of.email]++ // who is invited anew at the same moment is told anew
		},
		run: func(p *process) { answer = w.asked(p, r, "/api/v2/org/members/"+r.id) },
		heard: func(p *process) {
			if answer == nil {
				return
			}
			w.note("%d %s", answer.Status, answer.Body)
			switch code := w.codeOf(answer); {
			case answer.Status == http.StatusOK:
				w.tally.revoked++
				l.ended[r.id] = true
				if l.seen.invitations[r.of].ID == r.id {
					w.Errorf("%s of %v was revoked, and is there", r.id, r.of)
				}
				w.done(r)
			case code == "NOT_FOUND":
				if was := l.last.invitations[r.of]; l.apart && was.ID == r.id {
					w.Errorf("%s of %v was there, and is not found", r.id, r.of)
				}
				w.done(r)
			case code == "IDEMPOTENCY_KEY_IN_USE" && !w.calm:
			case p.harmed() == "" || code != "INTERNAL_ERROR":
				w.Errorf("nothing went wrong, and it answers %d %s", answer.Status, answer.Body)
			}
		}}
}

// mailAgain is the step in which a client has the mail of an invitation sent again.
func (w *world) mailAgain(r *request) step {
	w.begun(r, http.MethodPost, w.mailAgain)
	l := w.held
	var answer *worldtest.Answer
	total := 0
	return step{
		name:  fmt.Sprintf("resend %s of %v", r.id, r.of),
		ports: []string{fault.TablePort, fault.MailPort, fault.MailPort, fault.IdentityPort},
		begin: func() {
			total = l.total[r.of.email]
			if len(r.header) == 0 || !r.mailed || w.clock.Now().Sub(r.first) >= 24*time.Hour { // a repeat of a request sends no second mail
				l.extra[r.of.email]++
			}
		},
		run: func(p *process) { answer = w.asked(p, r, "/api/v2/org/members/invitations/"+r.id+"/resend") },
		heard: func(p *process) {
			tried := r.tried
			r.tried = true
			r.mailed = r.mailed || l.apart && l.total[r.of.email] > total
			if answer == nil {
				return
			}
			w.note("%d %s", answer.Status, answer.Body)
			code := w.codeOf(answer)
			if answer.Status != http.StatusInternalServerError && code != "IDEMPOTENCY_KEY_IN_USE" {
				w.done(r)
			}
			replayed := answer.Header.Get("Idempotent-Replayed") != ""
			switch was := l.last.invitations[r.of]; {
			case answer.Status == http.StatusOK && replayed:
			case answer.Status == http.StatusOK:
				w.tally.resent++
				var said struct{ Action string }
				answer.JSON(w, &said)
				if _, is := l.seen.members[r.of]; said.Action == "granted" && !is {
					w.Errorf("%v was answered granted, and is no member", r.of)
				}
				if said.Action == "invited" && l.apart && (!l.handed(r.of) || was.ID != r.id) {
					w.Errorf("%v was answered %s, and no mail was handed over", r.of, said.Action)
				}
			case code == "NOT_FOUND":
				if l.apart && was.ID == r.id && l.open(was) && l.seen.accounts[r.of.email] == "" {
					w.Errorf("%s of %v is open, and is not found", r.id, r.of)
				}
			case code == "INVALID_INPUT":
				if l.apart && p.harmed() == "" && was.Mail != member.MailQueued && was.Mail != member.MailSending &&
					!(tried && len(r.header) > 0) {
					w.Errorf("nothing went wrong, and it answers %s", answer.Body)
				}
			case code == "IDEMPOTENCY_KEY_IN_USE" && !w.calm:
			case p.harmed() == "" || code != "INTERNAL_ERROR":
				w.Errorf("nothing went wrong, and it answers %d %s", answer.Status, answer.Body)
			}
		},
	}
}

// codeOf is the code of a refusal; empty for a success.
func (w *world) codeOf(answer *worldtest.Answer) string {
	if answer.Status == http.StatusOK {
		return ""
	}
	return string(answer.Problem(w).Code)
}

// revoked forgets what clients were told of an invitation that was revoked. What its mail has told the person of, if it
// was an agency's, the agency has told from then on.
func (l *ledger) revoked(of pair, i member.Invitation) {
	if !slices.ContainsFunc(l.w.asks, func(a *ask) bool { return slices.Contains(a.pairs, of) }) {
		delete(l.asked, of)
	}
	agency, alone := addressee{l.house(of), of.email}, addressee{of.workspaceID, of.email}
	if lead := l.lead(of); lead == nil || lead.Mail == member.MailDue { // it was no lead, or its mail is to be another
		return
	}
	if l.mails[alone] > 0 {
		l.mails[agency] = max(l.mails[agency], l.mails[alone])
	}
	l.lost[agency] = l.lost[agency] || l.lost[alone]
}

// led reports whether an agency tells a person, by an open invitation to the workspace of a pair or to another of the
// agency's.
func (l *ledger) led(of pair) bool { return l.lead(of) != nil }

// lead is the invitation by which an agency tells the person of a pair; nil if there is none.
func (l *ledger) lead(of pair) *member.Invitation {
	for _, org := range l.w.houseOf(of).workspaces {
		if other := (pair{org.ID, of.email}); l.leads(other) {
			i := l.seen.invitations[other]
			return &i
		}
	}
	return nil
}

// doubtful reports whether the mail that tells the person of a pair may not have been handed over, by what there is now
// or was before the step.
func (l *ledger) doubtful(of pair) bool {
	if !l.apart {
		return true
	}
	i := l.seen.invitations[of]
	if lead := l.lead(of); lead != nil && (i.Mail == member.MailQueued || i.ID == "" || i.Mail == member.MailSent) {
		i = *lead
	}
	return i.Mail != member.MailSent
}

// doubts are the open invitations of whose mails nobody knows.
func (l *ledger) doubts() (of []pair) {
	for p, i := range l.seen.invitations {
		if l.open(i) && (i.Mail == member.MailSending || i.Mail == member.MailUnknown) {
			of = append(of, p)
		}
	}
	slices.SortFunc(of, byName)
	return of
}

// openPairs are those that have an open invitation, in an order of their own.
func (l *ledger) openPairs() (of []pair) {
	for p, i := range l.seen.invitations {
		if l.open(i) {
			of = append(of, p)
		}
	}
	slices.SortFunc(of, byName)
	return of
}

func byName(a, b pair) int {
	return cmp.Or(cmp.Compare(a.workspaceID, b.workspaceID), cmp.Compare(a.email, b.email))
}
