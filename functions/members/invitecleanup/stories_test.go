package invitecleanup_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	awsevents "github.com/aws/aws-lambda-go/events"

	"earshot/events/message/nudge"
	"earshot/functions/members/accountcreated"
	"earshot/functions/members/invitations"
	"earshot/functions/members/invitations/arrivaltest"
	"earshot/functions/members/invitecleanup"
	"earshot/shared/member"
	"earshot/shared/port/identity"
	"earshot/shared/port/queue"
	"earshot/shared/worker"
)

// A story is of one person who is invited to some workspaces and signs up: by message, trigger and sweep, any of which
// may die, come twice, late or not at all, they are a member of each in the end.
type story struct {
	*arrivaltest.World
	email   string
	account identity.Account
	in      map[string]member.Role
	waiting []queue.Message // what was sent and is not done
}

// begin invites a person to three workspaces, two of them an agency's, and has them sign up. The message of the
// invitations is on its way.
func begin(t testing.TB, w *arrivaltest.World, email string) *story {
	t.Helper()
	s := &story{World: w, email: email,
		in: map[string]member.Role{w.Anchor.ID: member.Admin, w.Member.ID: member.Ordinary, w.Other.ID: member.Admin}}
	keys := []member.InvitationKey{w.InviteByAgency(t, w.Anchor.ID, email, member.Admin),
		w.InviteByAgency(t, w.Member.ID, email, member.Ordinary), w.Invite(t, w.Other.ID, email, member.Admin)}
	var err error
	if s.waiting, err = nudge.FromInvitations(keys); err != nil {
		t.Fatal(err)
	}
	s.account = w.SignUp(t, email, "Quiet Harbor")
	return s
}

// The three that let somebody in. Each may die, as the World's Life will have it.
const (
	byMessage = "message"
	byTrigger = "trigger"
	bySweep   = "sweep"
)

func (s *story) step(t testing.TB, by string) {
	t.Helper()
	options := func(name string) worker.Options {
		return worker.Options{Function: name, Log: slog.New(slog.DiscardHandler), Clock: s.Clock}
	}
	switch by {
	case byMessage:
		batch := make([]queue.Delivery, len(s.waiting))
		for i, m := range s.waiting {
			batch[i] = queue.Delivery{ID: fmt.Sprint(i), Body: m.Body, Receives: 1}
		}
		failed, err := worker.Deliver(invitations.Handler(options(invitations.Group), s.Desk()),
			queue.Invitations)(t.Context(), batch)
		if err != nil {
			t.Fatal(err)
		}
		var again []queue.Message
		for i, m := range s.waiting {
			if slices.Contains(failed, fmt.Sprint(i)) {
				again = append(again, m)
			}
		}
		s.waiting = again
	case byTrigger:
		var event awsevents.CognitoEventUserPoolsPostConfirmation
		event.TriggerSource, event.UserName = "PostConfirmation_ConfirmSignUp", s.account.ID
		event.Request.UserAttributes = map[string]string{"email": s.email, "email_verified": "true", "name": s.account.Name}
		payload, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		o := accountcreated.Options{
			Store:     s.Stored,
			Directory: s.Directory,
			Queue:     s.Queue,
			Clock:     s.Clock,
			Log:       slog.New(slog.DiscardHandler),
		}
		if _, err := accountcreated.Handler(options(accountcreated.Group), o)(t.Context(), payload); err != nil {
			t.Error("the sign-up failed")
		}
	case bySweep:
		o := invitecleanup.Options{
			Store:     s.Stored,
			Directory: s.Directory,
			Queue:     s.Queue,
			Clock:     s.Clock,
			Log:       slog.New(slog.DiscardHandler),
		}
		_ = invitecleanup.Handler(options(invitecleanup.Group), o)(t.Context(), nil) // an error when it dies
	}
	s.waiting = append(s.waiting, s.Sent.Take()...)
}

func (s *story) wait(d time.Duration) { s.Clock.Freeze(s.Clock.Now().Add(d)) }

// end lets what is under way come to its end: the schedule comes a few times, and all messages.
func (s *story) end(t testing.TB) {
	t.Helper()
	s.Life.Revive()
	for range 3 {
		s.wait(7 * time.Hour)
		s.step(t, bySweep)
		s.step(t, byMessage)
	}
	if len(s.waiting) > 0 {
		t.Errorf("%d messages are still to come", len(s.waiting))
	}
	s.Is(t, s.email, s.account.ID, s.in)
}

// Whichever is the first, and at whatever operation it dies, before or after that is done: the others let the person in, once.
func TestArrival_KilledAtEachStep(t *testing.T) {
	w := arrivaltest.NewWorld(t)
	people := 0
	for _, first := range []string{byMessage, byTrigger, bySweep} {
		for _, then := range [][]string{{byMessage, byTrigger, bySweep}, {byTrigger, bySweep, byMessage},
			{bySweep, byMessage, byTrigger},
			{byMessage}, {bySweep}} {
			for _, after := range []bool{false, true} {
				n := 1
				for ; ; n++ {
					people++
					s := begin(t, w, fmt.Sprintf("newcomer%d@harbour.example", people))
					s.wait(20 * time.Minute) // the schedule finds it
					w.Life.DieAt(n, after)
					s.step(t, first)
					died := w.Life.Revive()
					for _, next := range then {
						s.step(t, next)
					}
					s.end(t)
					if t.Failed() {
						t.Fatalf("%s dies at its operation %d (%v), then %v", first, n, after, then)
					}
					remove(t, s)
					if !died {
						break
					}
				}
				if n < 5 {
					t.Errorf("%s has %d operations", first, n)
				}
			}
		}
	}
	t.Logf("%d deaths", people)
}

// remove takes a person out again, for a workspace has no room for all of a test's.
func remove(t testing.TB, s *story) {
	t.Helper()
	for org := range s.in {
		members, _, err := s.Store.Members(t.Context(), org)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range members {
			if m.Email != s.email {
				continue
			}
			if m.Role == member.Admin { // the only one may stay, but for the test
				_, err := s.Store.AddMember(t.Context(), org, member.Member{Email: "owner@harbour.example", Superadmin: true})
				if err != nil && !errors.Is(err, member.ErrExists) {
					t.Fatal(err)
				}
			}
			if err := s.Store.RemoveMember(t.Context(), org, m.ID, ""); err != nil {
				t.Fatal(err)
			}
		}
		member.Desk{Store: s.Store, Directory: s.People, Log: slog.New(slog.DiscardHandler)}.CatchUp(t.Context(), org)
	}
}

// No message came, and nobody called the trigger: the schedule looks, and its nudge lets the person in.
func TestRun_NudgeLost(t *testing.T) {
	w := arrivaltest.NewWorld(t)
	s := begin(t, w, "newcomer@harbour.example")
	s.waiting = nil
	s.wait(15*time.Minute - time.Millisecond)
	if s.step(t, bySweep); len(s.waiting) > 0 {
		t.Error("it is looked at early")
	}
	s.wait(time.Millisecond)
	if s.step(t, bySweep); len(s.waiting) != 1 {
		t.Fatalf("%d messages", len(s.waiting))
	}
	if s.step(t, bySweep); len(s.waiting) != 1 {
		t.Errorf("it is looked at again at once: %d messages", len(s.waiting))
	}
	s.step(t, byMessage)
	s.Is(t, s.email, s.account.ID, s.in)
}
