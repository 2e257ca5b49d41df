package members_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/functions/discovery"
	"earshot/functions/members"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/lambdalog"
	"earshot/shared/lambdalog/emftest"
	"earshot/shared/member"
	"earshot/shared/port/mail"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// A request that dies at any step, before or after its write, and is sent again ends in one invitation and at most one
// mail; and in exactly one, unless it died while the mail was on its way to the mailer.
func TestInvite_KilledAtEachStep(t *testing.T) {
	for _, named := range []bool{true, false} {
		for _, c := range []struct {
			port, operation string
			step            int  // which of the operations dies
			lost            bool // it died between the claim and the mailer
		}{
			{fault.TablePort, "get", 1, false}, {fault.TablePort, "batchGet", 1, false}, {fault.TablePort, "transact", 1, false},
			{fault.TablePort, "transact", 2, true}, {fault.TablePort, "transact", 3, false},
			{fault.TablePort, "query", 1, false},
			{fault.MailPort, "send", 1, false}, {fault.IdentityPort, "account", 1, false},
			{fault.IdentityPort, "account", 2, false},
		} {
			if c.operation == "get" && !named {
				continue // without a name there is nothing to look up that the request made before
			}
			for _, kind := range []fault.Kind{fault.Crash, fault.Error} {
				t.Run(fmt.Sprintf("%v %s %s %d %s", named, c.port, c.operation, c.step, kind), func(t *testing.T) {
					d := newDesk(t)
					var header []string
					if named {
						header = []string{"Idempotency-Key", "k"}
					}
					times := 1
					if kind == fault.Error && c.port == fault.TablePort {
						times = 4 // as often as it is retried
					}
					faulttest.Nth(t, d.ports, c.step, fault.Fault{Port: c.port, Operation: c.operation, Fault: kind, Times: times})
					d.invite(t, "new@x.io", "org:member", header...) // whatever it answers
					if left := d.ports.List(); len(left) > 0 {
						t.Errorf("it did not get so far: %v", left)
					}
					d.ports.Clear()
					want := 1
					known := c.port == fault.MailPort && kind == fault.Crash // the mailer took it
					if c.lost && kind == fault.Crash || c.port == fault.MailPort && kind == fault.Error {
						want = 0 // nobody knows whether it was taken: a second mail would be worse
					}
					if want == 0 || known || c.port == fault.TablePort && c.step == 3 && kind == fault.Error {
						for range 2 { // until it is sent again no request says that it was
							named := header
							if c.port == fault.TablePort && c.step == 3 { // which was answered, and handed over
								named = nil
							}
							d.unsettled(t, "new@x.io", named...)
						}
						if len(d.mails.Sent) != want {
							t.Errorf("%d mails by themselves, want %d", len(d.mails.Sent), want)
						}
						d.World.Clock.Freeze(worldtest.Now.Add(time.Minute))
						d.resend(t, d.invitations(t)[0].ID).OK(t, nil)
						want, header = want+1, nil // the key's answer is that nobody knows
					}
					first := d.invited(t, "new@x.io", "org:member", header...)
					second := d.invited(t, "new@x.io", "org:member")
					list := d.invitations(t)
					if first.ID != second.ID || len(list) != 1 || list[0].ID != first.ID {
						t.Errorf("%v, then %v: %v", first, second, list)
					}
					if len(d.mails.Sent) != want {
						t.Errorf("%d mails, want %d", len(d.mails.Sent), want)
					}
				})
			}
		}
	}
}

// The same with a person who has an account: one membership, and the group follows.
func TestInvite_GrantKilledAtEachStep(t *testing.T) {
	for _, c := range []struct {
		port, operation string
		step            int
	}{
		{fault.TablePort, "transact", 1}, {fault.TablePort, "query", 1}, {fault.TablePort, "update", 1},
		{fault.TablePort, "delete", 1},
		{fault.IdentityPort, "join", 1}, {fault.IdentityPort, "account", 1},
	} {
		for _, kind := range []fault.Kind{fault.Crash, fault.Error} {
			t.Run(fmt.Sprint(c.port, c.operation, c.step, kind), func(t *testing.T) {
				d := newDesk(t)
				d.owner(t, d.Main.ID)
				d.signUp("first@x.io", "account-first", "The first")
				times := 1
				if kind == fault.Error && c.port == fault.TablePort {
					times = 4
				}
				faulttest.Nth(t, d.ports, c.step, fault.Fault{Port: c.port, Operation: c.operation, Fault: kind, Times: times})
				d.invite(t, "first@x.io", "org:admin", "Idempotency-Key", "k")
				if left := d.ports.List(); len(left) > 0 {
					t.Errorf("it did not get so far: %v", left)
				}
				d.ports.Clear()
				first := d.granted(t, "first@x.io", "org:admin", "Idempotency-Key", "k")
				d.invite(t, "first@x.io", "org:admin").Is(t, 400, "ITEM_EXISTS")
				d.World.Clock.Freeze(worldtest.Now.Add(2 * time.Minute)) // what the dead one had claimed is free
				if list := d.members(t); len(list) != 2 || !d.in(d.Main.ID, "account-first") {
					t.Errorf("%v, groups %v", list, d.groups)
				}
				d.moved(t)

				faulttest.Nth(t, d.ports, c.step,
					fault.Fault{Port: c.port, Operation: strings.ReplaceAll(c.operation, "join", "leave"), Fault: kind, Times: times})
				d.remove(t, first.ID, "Idempotency-Key", "r")
				d.ports.Clear()
				d.remove(t, first.ID, "Idempotency-Key", "r").OK(t, nil)
				d.remove(t, first.ID).Is(t, 404, "NOT_FOUND")
				d.World.Clock.Freeze(worldtest.Now.Add(4 * time.Minute))
				if list := d.members(t); len(list) != 1 || d.in(d.Main.ID, "account-first") {
					t.Errorf("%v, groups %v", list, d.groups)
				}
				d.moved(t)
			})
		}
	}
}

// moved holds that the directory has been told of all.
func (d desk) moved(t *testing.T) {
	t.Helper()
	if due, err := d.Store.Moves(t.Context(), d.Main.ID); err != nil || len(due) > 0 {
		t.Errorf("%v is still due: %v", due, err)
	}
}

// Mails that a fault of the sender stopped are a metric of the request, of which an alarm tells the operator.
func TestInvite_CountsStoppedMail(t *testing.T) {
	d := newDesk(t)
	document, err := worldtest.NewDocument(discovery.OpenAPI())
	worldtest.Must(t, err)
	for i, c := range []struct {
		failure error
		want    float64
	}{
		{fmt.Errorf("%w: %w: SendingPausedException", mail.ErrThrottled, mail.ErrSender), 1},
		{fmt.Errorf("%w: AccessDeniedException", mail.ErrSender), 1},
		{mail.ErrThrottled, 0},
		{mail.ErrRefused, 0},
	} {
		var log bytes.Buffer
		staged := slog.New(lambdalog.Staged(slog.NewJSONHandler(&log, nil), "staging"))
		api := web.New(web.Options{
			Credentials: d.Store, Windows: d.Store, Replays: d.Store, Clock: d.World.Clock, Log: staged,
		})
		members.Register(api, members.Options{
			Store:     d.Store,
			Directory: d.directory,
			Mailer:    d.mails,
			SignUpURL: "https://people.example/signup",
			Clock:     d.World.Clock,
		})
		client := worldtest.Client{Handler: api.LambdaHandler(), Document: document, Token: d.Admin}
		d.mails.Refuse(c.failure)
		client.Post(t, "/api/v2/org/members/invite", fmt.Sprintf(`{"email":"%d@northwind.example","role":"org:member"}`, i))
		metrics, _ := emftest.Read(t, bytes.TrimSpace(log.Bytes()), lambdalog.Requests())
		if metrics["mailStopped"] != c.want {
			t.Errorf("with %v, %v stopped mails are counted, want %v", c.failure, metrics["mailStopped"], c.want)
		}
	}
}

func TestInvite_MailerFails(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct {
		failure error
		code    string
		status  int
		stands  bool
		again   bool // it is certain that the mail was not taken: it is sent with the repeat
	}{
		{fmt.Errorf("blocked: %w", mail.ErrRefused), "INTERNAL_ERROR", 500, true, true},
		{mail.ErrThrottled, "INTERNAL_ERROR", 500, true, true},
		{mail.ErrUnavailable, "INTERNAL_ERROR", 500, true, false},
		{errors.New("misconfigured"), "INTERNAL_ERROR", 500, true, false},
		{context.DeadlineExceeded, "INTERNAL_ERROR", 500, true, false}, // nobody waited for the mailer any longer
		{mail.ErrInvalid, "INVALID_INPUT", 400, false, true},
	} {
		t.Run(c.failure.Error(), func(t *testing.T) {
			email := strings.Trim(strings.ReplaceAll(c.failure.Error(), ": ", "."), " ") + "@x.io"
			email = strings.ReplaceAll(email, " ", "_")
			d.mails.Refuse(c.failure)
			problem := d.invite(t, email, "org:member", "Idempotency-Key", email).Is(t, c.status, c.code)
			if strings.Contains(problem.Message, email) || strings.Contains(problem.Message, "misconfigured") {
				t.Error(problem.Message)
			}
			if c.stands != strings.Contains(problem.Message, "The invitation stands") {
				t.Errorf("the message does not say whether the invitation stands: %s", problem.Message)
			}
			stands := slices.ContainsFunc(d.invitations(t), func(i members.Invitation) bool { return i.Email == email })
			if stands != c.stands {
				t.Errorf("the invitation stands: %v", stands)
			}
			d.mails.Refuse(nil)
			if c.stands && !c.again { // as often as anybody asks
				for range 2 {
					d.unsettled(t, email)
				}
				if n := d.mails.To(email); n != 0 {
					t.Errorf("%d mails by themselves", n)
				}
				d.resend(t, d.of(t, email).ID).OK(t, nil)
			} else if c.stands { // the key of a request that failed is not used up
				d.invited(t, email, "org:member", "Idempotency-Key", email)
			}
			d.invited(t, email, "org:member")
			d.invited(t, email, "org:admin")
			if n := d.mails.To(email); n != 1 {
				t.Errorf("%d mails", n)
			}
		})
	}
}

// A repeat of a request that died is told what became of its person meanwhile.
func TestInvite_RepeatedMuchLater(t *testing.T) {
	d := newDesk(t)
	d.owner(t, d.Main.ID)
	die := func(email, key string) {
		t.Helper()
		faulttest.Nth(t, d.ports, 1, fault.Fault{Port: fault.MailPort, Fault: fault.Crash, Times: 1})
		d.invite(t, email, "org:member", "Idempotency-Key", key).Is(t, 500, "INTERNAL_ERROR")
	}
	die("new@x.io", "k")
	d.signUp("new@x.io", "account-new", "Nia")
	if granted, err := d.Store.AcceptInvitations(t.Context(), "new@x.io", "account-new", "Nia"); err != nil ||
		len(granted) != 1 {
		t.Fatal(granted, err)
	}
	nia := d.granted(t, "new@x.io", "org:member", "Idempotency-Key", "k")
	die("gone@x.io", "g")
	d.signUp("gone@x.io", "account-gone", "")
	if _, err := d.Store.AcceptInvitations(t.Context(), "gone@x.io", "account-gone", ""); err != nil {
		t.Fatal(err)
	}
	for _, m := range d.members(t) {
		if m.Email == "gone@x.io" {
			d.remove(t, m.ID).OK(t, nil)
		}
	}
	d.invite(t, "gone@x.io", "org:member", "Idempotency-Key", "g").Is(t, 400, "INVALID_INPUT")
	if list := d.members(t); len(list) != 2 ||
		!slices.ContainsFunc(list, func(m members.Member) bool { return m.ID == nia.ID }) {
		t.Errorf("%+v", list)
	}
	// One that died having invited, of a person who has an account since.
	die("late@x.io", "l")
	d.signUp("late@x.io", "account-late", "")
	d.granted(t, "late@x.io", "org:member", "Idempotency-Key", "l")
	if d.mails.To("late@x.io") != 1 || len(d.invitations(t)) != 0 {
		t.Errorf("%d mails, %v", d.mails.To("late@x.io"), d.invitations(t))
	}
}

func TestInvite_WorkspaceIsFull(t *testing.T) {
	d := newDesk(t)
	for n := range member.MostPeople {
		m := member.Member{Email: fmt.Sprintf("m%d@x.io", n), Role: member.Ordinary}
		if _, err := d.Store.AddMember(t.Context(), d.Main.ID, m); err != nil {
			t.Fatal(err)
		}
	}
	d.signUp("known@x.io", "account-known", "")
	want := "A workspace has at most 500 members and open invitations. Remove a member first."
	for _, email := range []string{"new@x.io", "known@x.io"} {
		if got := d.invite(t, email, "org:member").Is(t, 400, "INVALID_INPUT").Message; got != want {
			t.Errorf("invite(%s) = %q, want %q", email, got, want)
		}
	}
	if len(d.mails.Sent) != 0 {
		t.Errorf("%d mails", len(d.mails.Sent))
	}
}

// A group follows the last word, however slow the directory was about the one before.
func TestRemove_SlowDirectory(t *testing.T) {
	d := newDesk(t)
	d.owner(t, d.Main.ID)
	d.signUp("first@x.io", "account-first", "The first")
	first := d.granted(t, "first@x.io", "org:member")
	held, let := make(chan struct{}), make(chan struct{})
	d.before = func(call string) {
		if call == "leave" {
			close(held)
			<-let
		}
	}
	var group sync.WaitGroup
	group.Go(func() { d.remove(t, first.ID).OK(t, nil) })
	<-held
	d.granted(t, "first@x.io", "org:member") // while the directory still thinks about the removal
	close(let)
	group.Wait()
	if !d.in(d.Main.ID, "account-first") {
		t.Errorf("the older word came last: %v", d.calls)
	}
	d.moved(t)
}

// A directory that is down keeps nobody out, and nothing from being listed.
func TestInvite_DirectoryDown(t *testing.T) {
	d := newDesk(t)
	d.owner(t, d.Main.ID)
	d.signUp("first@x.io", "account-first", "The first")
	faulttest.Nth(t, d.ports, 1, fault.Fault{Port: fault.IdentityPort, Operation: "join", Fault: fault.Error})
	first := d.granted(t, "first@x.io", "org:member")
	if list := d.members(t); len(list) != 2 || d.in(d.Main.ID, "account-first") {
		t.Errorf("%v", list)
	}
	faulttest.Nth(t, d.ports, 1, fault.Fault{Port: fault.IdentityPort, Operation: "account", Fault: fault.Error})
	d.invite(t, "second@x.io", "org:member").Is(t, 500, "INTERNAL_ERROR")
	if len(d.invitations(t)) != 0 || len(d.mails.Sent) != 0 {
		t.Error("somebody was invited who may have an account")
	}
	d.ports.Clear()
	d.members(t)
	if !d.in(d.Main.ID, "account-first") {
		t.Error("the list did not catch up")
	}
	// An account that is gone is in no group, and in nobody's way.
	d.signUp("third@x.io", "account-third", "The third")
	faulttest.Nth(t, d.ports, 1, fault.Fault{Port: fault.IdentityPort, Operation: "join", Fault: fault.Error, Times: 1})
	d.granted(t, "third@x.io", "org:member")
	d.mu.Lock()
	delete(d.accounts, "third@x.io")
	d.mu.Unlock()
	d.remove(t, first.ID).OK(t, nil)
	d.moved(t)
}

// A deployment that sends no mail makes members of who has an account, and says so of all others.
func TestInvite_NoMailer(t *testing.T) {
	d := newDesk(t)
	d.Client = worldtest.Serve(t, d.World, discovery.OpenAPI(), func(api *web.API) {
		members.Register(api, members.Options{Store: d.Store, Directory: d.directory, Clock: d.World.Clock})
	}).As(d.Admin)
	d.signUp("first@x.io", "account-first", "The first")
	d.granted(t, "first@x.io", "org:member")
	d.invite(t, "new@x.io", "org:member").Is(t, 400, "INVALID_INPUT")
}
