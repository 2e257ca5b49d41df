package agency_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/functions/agency"
	"earshot/functions/discovery"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/member"
	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/web"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A lookup is a directory that others come in between of: before is called before an account is looked for, after when
// none was found, and an error of before's is the answer.
type lookup struct {
	identity.Directory
	before func(email string) error
	after  func(email string)
}

func (l lookup) Account(ctx context.Context, email string) (identity.Account, error) {
	if l.before != nil {
		if err := l.before(email); err != nil {
			return identity.Account{}, err
		}
	}
	account, err := l.Directory.Account(ctx, email)
	if err != nil && l.after != nil {
		l.after(email)
	}
	return account, err
}

// through is the desk with another directory.
func (d desk) through(t testing.TB, directory identity.Directory) desk {
	t.Helper()
	d.Client = worldtest.Serve(t, d.World, discovery.OpenAPI(), func(api *web.API) {
		agency.Register(api, agency.Options{
			Store:     allstores.New(table.Retrying(d.rows), d.World.Clock),
			Directory: directory,
			Mailer:    d.mails,
			Queue:     d.nudge,
			SignUpURL: "https://people.example/signup",
			Clock:     d.World.Clock,
		})
	}).As(d.Master)
	return d
}

// A call that dies after any step of any part and is sent again is done, with one mail for each person at most; and
// with exactly one unless it died between the claim and the mailer, or the mailer did not say what it did.
func TestInvite_KilledAtEachStep(t *testing.T) {
	for _, kind := range []fault.Kind{fault.Crash, fault.Error} {
		for port, want := range map[string]int{fault.TablePort: 24, fault.IdentityPort: 8, fault.MailPort: 2, fault.QueuePort: 1} {
			t.Run(fmt.Sprint(kind, " ", port), func(t *testing.T) {
				d := newDesk(t)
				orgs := d.grown(t, 1)
				steps, lost := 0, 0
				for {
					f := fault.Fault{Port: port, Fault: kind, Times: 1}
					if kind == fault.Error && port == fault.TablePort {
						f.Times = 10 // an operation is retried three times
					}
					unmailed, far := d.dies(t, orgs, steps+1, f)
					if !far {
						break
					}
					steps, lost = steps+1, lost+unmailed
				}
				d.consistent(t, orgs...)
				t.Logf("%d steps; %d of the calls lost a mail", steps, lost)
				if steps < want {
					t.Errorf("a call has %d steps and no more", steps)
				}
				if may := kind == fault.Crash && port == fault.TablePort ||
					kind == fault.Error && port == fault.MailPort; lost > 0 && !may {
					t.Errorf("%d mails were lost", lost)
				}
			})
		}
	}
}

// dies sends a call of four people that meets a fault at its nth step, if it has so many, and sends it again. It
// answers how many people were sent no mail.
func (d desk) dies(t *testing.T, orgs []string, nth int, f fault.Fault) (unmailed int, far bool) {
	t.Helper()
	account := fmt.Sprint("account-", nth)
	var emails []string
	for _, who := range []string{"known", "first", "own", "second"} {
		emails = append(emails, fmt.Sprintf("%s%d@harbour.example", who, nth))
	}
	d.signUp(emails[0], account, "")
	invited := worldtest.InviteOne(t.Context(), d.Store, orgs[2], member.Member{Email: emails[2], Role: member.Ordinary}, "")
	must(t, invited.Err)
	own := invited.Invitation
	if mine, err := d.Store.ClaimMail(t.Context(), orgs[2], own, "c"); !mine || err != nil {
		t.Fatal(mine, err)
	}
	must(t, d.Store.SettleMail(t.Context(), orgs[2], own, "c", member.MailSent))
	faulttest.Nth(t, d.ports, nth, f)
	d.asks(t, orgs[:2], emails, member.Admin) // whatever it answers
	far = !slices.Contains(d.ports.List(), f)
	d.ports.Clear()
	d.World.Clock.Freeze(d.World.Clock.Now().Add(2 * time.Minute)) // what the dead one had claimed in the directory is free
	for round := range 3 {
		got := d.invites(t, orgs[:2], emails, member.Admin)
		if round == 0 {
			for i, outcome := range got[2:] { // nobody knows what became of a mail: until it is sent again no call says that it was
				if email := emails[1+i/2]; strings.HasPrefix(outcome, "!It is not known") {
					said(t, d.invites(t, orgs[:2], []string{email}, member.Admin), "!not known", "queued")
					unmailed += 1 - d.to(email)
					d.resend(t, email, orgs...)
				}
			}
			continue
		}
		if f.Fault == fault.Error { // the first workspace may have failed for long enough that the second leads
			slices.Sort(got[2:4])
			slices.Sort(got[6:8])
		}
		said(t, got, "granted", "granted", "invited", "queued", "queued", "queued", "invited", "queued")
	}
	first := d.people(t, orgs[0])
	for i, email := range emails {
		if n := d.to(email) - d.resent[email]; n != i%2 && n != 0 {
			t.Errorf("step %d: %d mails to %s by themselves, who is %q", nth, n, email, first[email])
		} else if n+d.resent[email] < i%2 {
			t.Errorf("step %d: no mail to %s", nth, email)
		}
	}
	if unmailed > 1 {
		t.Errorf("step %d: %d people were sent no mail", nth, unmailed)
	}
	for _, orgID := range orgs[:2] {
		if accounts, _ := d.group(orgID); !slices.Contains(accounts, account) ||
			d.people(t, orgID)[emails[0]] != "member org:admin" {
			t.Errorf("step %d: in the group: %v", nth, accounts)
		}
		if due, err := d.Store.Moves(t.Context(), orgID); err != nil || len(due) > 0 {
			t.Errorf("step %d: %v is still due: %v", nth, due, err)
		}
	}
	return unmailed, far
}

// resend has the mail of a person's invitation sent again of which nobody knows.
func (d desk) resend(t testing.TB, email string, orgs ...string) {
	t.Helper()
	own := member.Desk{Store: d.Store, Directory: d.directory, Mailer: d.mails}
	for _, orgID := range orgs {
		invitations, err := d.Store.Invitations(t.Context(), orgID)
		must(t, err)
		for _, i := range invitations {
			if i.Email != email || i.Mail != member.MailSending && i.Mail != member.MailUnknown {
				continue
			}
			by := member.Inviter{Workspaces: []workspace.Workspace{{ID: orgID, Name: d.name(t, orgID)}}}
			must(t, own.Resend(t.Context(), by, i.ID, func(ctx context.Context, id string) (string, error) {
				agency, err := d.Store.Agency(ctx, id)
				return agency.Name, err
			}).Err)
			d.resent[email]++
		}
	}
}

// However many calls come at once, in whatever order of people and workspaces, each person is sent one mail and is one
// in each workspace.
func TestInvite_AtOnce(t *testing.T) {
	for _, calls := range []int{2, 8} {
		d := newDesk(t)
		orgs := d.grown(t, 2)
		emails := people(6)
		d.signUp(emails[0], "account-0", "")
		d.signUp(emails[3], "account-3", "")
		var group sync.WaitGroup
		outcomes := make([]map[string]int, calls)
		for n := range calls {
			group.Go(func() {
				targets := append(slices.Clone(orgs[n%4:]), orgs[:n%4]...)
				asked := append(slices.Clone(emails[n%6:]), emails[:n%6]...)
				if n%2 == 1 {
					slices.Reverse(targets)
				}
				outcomes[n] = map[string]int{}
				for _, result := range d.results(t, targets, asked, []member.Role{member.Admin, member.Ordinary}[n/2%2]) {
					outcomes[n][fmt.Sprint(member.Fold(result.Email) != emails[0] && member.Fold(result.Email) != emails[3], outcome(result))]++
				}
			})
		}
		group.Wait()
		for _, got := range outcomes { // what another call was handing over then is not known
			told := got["trueinvited"]
			for came, n := range got {
				if strings.HasPrefix(came, "true!It is not known") {
					told += n
				}
			}
			if got["falsegranted"] != 8 || told != 4 || got["truequeued"] != 12 {
				t.Errorf("%v", got)
			}
		}
		for i, email := range emails {
			if i%3 > 0 {
				again := d.invites(t, orgs, []string{email}, member.Admin)
				slices.Sort(again)
				said(t, again, "invited", "queued", "queued", "queued")
			}
			if want := map[bool]int{true: 0, false: 1}[i%3 == 0]; d.to(email) != want {
				t.Errorf("%d mails to %s", d.to(email), email)
			}
		}
		for _, orgID := range orgs {
			if got := d.people(t, orgID); len(got) != 6 {
				t.Errorf("%v", got)
			}
			if accounts, _ := d.group(orgID); !slices.Equal(accounts, []string{"account-0", "account-3"}) {
				t.Errorf("in the group: %v", accounts)
			}
		}
		d.consistent(t, orgs...)
	}
}

// Calls of an agency and of its workspaces themselves at once: one mail each at most, and one invitation.
func TestInvite_AtOnceWithWorkspaces(t *testing.T) {
	d := newDesk(t)
	orgs := d.grown(t, 1)
	emails := people(5)
	own := member.Desk{Store: d.Store, Directory: d.directory, Mailer: d.mails}
	var group sync.WaitGroup
	for n := range 3 {
		group.Go(func() { d.results(t, orgs, emails, member.Admin) })
		for _, email := range emails {
			group.Go(func() {
				by := member.Inviter{Workspaces: []workspace.Workspace{{ID: orgs[n], Name: "A workspace"}}}
				results, err := own.Invite(t.Context(), by, orgs[n:n+1], []string{email}, member.Ordinary)
				// The agency's mail may be under way. The workspace is told so, and asks again.
				for tries := 0; err == nil && errors.Is(results[0].Err, member.ErrAgencyMail) && tries < 100; tries++ {
					time.Sleep(10 * time.Millisecond)
					results, err = own.Invite(t.Context(), by, orgs[n:n+1], []string{email}, member.Ordinary)
				}
				must(t, errors.Join(err, results[0].Err))
			})
		}
	}
	group.Wait()
	said(t, d.invites(t, orgs[:1], emails[:1], member.Admin),
		map[bool]string{true: "queued", false: "invited"}[strings.Contains(d.people(t, orgs[0])[emails[0]], "queued")])
	for _, email := range emails {
		mailed := 0
		for _, orgID := range orgs {
			if got := d.people(t, orgID)[email]; strings.HasSuffix(got, " sent") {
				mailed++
			} else if !strings.HasSuffix(got, " queued") {
				t.Error(got)
			}
		}
		if n := d.to(email); n != mailed || n < 1 { // a workspace may have mailed by itself before it knew of the agency's
			t.Errorf("%d mails for %d invitations", n, mailed)
		}
	}
	d.consistent(t, orgs...)
}

// A reader is a store in which others come in between of what is read of the leads and what is done by it.
type reader struct {
	*allstores.Store
	then func()
}

func (r reader) Leads(ctx context.Context, by member.Inviter, emails []string) ([]member.Lead, error) {
	leads, err := r.Store.Leads(ctx, by, emails)
	r.then()
	return leads, err
}

// Whom another call tells by one of two invitations of workspaces' own is not told by the other one.
func TestInvite_LeadChosenMeanwhile(t *testing.T) {
	d := newDesk(t)
	orgs := d.grown(t, 1)
	const email = "new@harbour.example"
	own := map[string]member.Invitation{}
	for _, orgID := range orgs[:2] {
		invited := worldtest.InviteOne(t.Context(), d.Store, orgID, member.Member{Email: email, Role: member.Ordinary}, "")
		must(t, invited.Err)
		invitation := invited.Invitation
		own[orgID] = invitation
		d.World.Clock.Freeze(d.World.Clock.Now().Add(time.Hour)) // the second ends last, and is to lead
	}
	late := d
	late.Client = worldtest.Serve(t, d.World, discovery.OpenAPI(), func(api *web.API) {
		agency.Register(api, agency.Options{Store: reader{d.Store, sync.OnceFunc(func() {
			if mine, err := d.Store.ClaimMail(t.Context(), orgs[0], own[orgs[0]], "claim"); !mine || err != nil {
				t.Error(mine, err)
			}
			must(t, d.Store.SettleMail(t.Context(), orgs[0], own[orgs[0]], "claim", member.MailSent))
			said(t, d.invites(t, orgs[2:], []string{email}, member.Ordinary), "queued")
		})}, Directory: d.directory, Mailer: d.mails, Queue: d.nudge, Clock: d.World.Clock})
	}).As(d.Master)
	said(t, late.invites(t, orgs[2:], []string{email}, member.Ordinary), "queued")
	if d.to(email) != 0 || d.people(t, orgs[1])[email] != "invitation org:member due" {
		t.Errorf("%d mails beside that of the first workspace; the second has %q", d.to(email), d.people(t, orgs[1])[email])
	}
	d.consistent(t, orgs...)
}

// Who signs up while the call is under way is a member at its end, is sent no mail, and is in the groups.
func TestInvite_SignsUpMeanwhile(t *testing.T) {
	email := "new@harbour.example"
	for name, accepts := range map[string]bool{"the trigger came too early": false, "the trigger was quicker": true} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			orgs := d.grown(t, 1)
			accept := func() {
				_, err := d.Store.AcceptInvitations(t.Context(), email, "account-new", "Nia")
				must(t, err)
			}
			looks := 0
			l := lookup{Directory: d.directory}
			l.after = func(string) {
				d.signUp(email, "account-new", "Nia")
				accept() // there is nothing yet
			}
			l.before = func(string) error {
				if looks++; looks == 2 && accepts {
					accept()
				}
				return nil
			}
			d = d.through(t, l)
			said(t, d.invites(t, orgs, []string{email}, member.Admin), "granted", "granted", "granted")
			if len(d.mails.Sent) > 0 || len(d.nudged(t)) > 0 {
				t.Errorf("%d mails, told %v", len(d.mails.Sent), d.nudged(t))
			}
			for _, orgID := range orgs {
				if accounts, _ := d.group(orgID); !slices.Equal(accounts, []string{"account-new"}) ||
					d.people(t, orgID)[email] != "member org:admin" {
					t.Errorf("in the group: %v; %v", accounts, d.people(t, orgID))
				}
			}
			d.consistent(t, orgs...)
		})
	}
}

// And so is who was told before, and of whose sign-up nobody has heard yet.
func TestInvite_SignedUpUnheard(t *testing.T) {
	d := newDesk(t)
	orgs := d.grown(t, 1)
	email := []string{"new@harbour.example"}
	said(t, d.invites(t, orgs[:1], email, member.Ordinary), "invited")
	d = d.through(t, lookup{Directory: d.directory, after: func(string) { d.signUp(email[0], "account-new", "") }})
	said(t, d.invites(t, orgs[1:], email, member.Ordinary), "granted", "granted")
	for _, orgID := range orgs {
		if got := d.people(t, orgID)[email[0]]; got != "member org:member" {
			t.Error(got)
		}
	}
	if len(d.mails.Sent) != 1 {
		t.Errorf("%d mails", len(d.mails.Sent))
	}
	d.consistent(t, orgs...)
}

func TestInvite_DirectoryFailsForOne(t *testing.T) {
	d := newDesk(t)
	emails := people(3)
	d = d.through(t, lookup{Directory: d.directory, before: func(email string) error {
		if email == emails[1] {
			return fmt.Errorf("down: %w", identity.ErrUnavailable)
		}
		return nil
	}})
	said(t, d.invites(t, "all", emails, member.Ordinary), "invited", "queued", "!nothing was done", "!nothing was done",
		"invited", "queued")
	if got := d.people(t, d.Member.ID); len(got) != 2 || len(d.mails.Sent) != 2 {
		t.Errorf("%v", got)
	}
	d = d.through(t, d.directory)
	said(t, d.invites(t, "all", emails, member.Ordinary), "invited", "queued", "invited", "queued", "invited", "queued")
	if len(d.mails.Sent) != 3 {
		t.Errorf("%d mails", len(d.mails.Sent))
	}
	// Between the invitations and the mail too: whoever may have signed up is sent none.
	looks := map[string]int{}
	var mu sync.Mutex
	d = d.through(t, lookup{Directory: d.directory, before: func(email string) error {
		mu.Lock()
		defer mu.Unlock()
		if looks[email]++; looks[email] == 2 && email == "late0@harbour.example" {
			return identity.ErrUnavailable
		}
		return nil
	}})
	late := []string{"late0@harbour.example", "late1@harbour.example"}
	said(t, d.invites(t, "all", late, member.Ordinary), "!handed over yet", "queued", "invited", "queued")
	said(t, d.invites(t, "all", late, member.Ordinary), "invited", "queued", "invited", "queued")
	if d.to(late[0]) != 1 || d.to(late[1]) != 1 {
		t.Errorf("%d mails", len(d.mails.Sent))
	}
	d.consistent(t, d.Anchor.ID, d.Member.ID)
}

func TestInvite_MailerFails(t *testing.T) {
	for name, c := range map[string]struct {
		failure error
		says    string
		again   bool // it is certain that the mail was not taken: it is sent with the repeat
	}{
		"refused":       {fmt.Errorf("blocked: %w", mail.ErrRefused), "!refuses", true},
		"throttled":     {mail.ErrThrottled, "!handed over", true},
		"unavailable":   {mail.ErrUnavailable, "!not known", false},
		"misconfigured": {errors.New("misconfigured"), "!not known", false},
		"no answer":     {context.DeadlineExceeded, "!not known", false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			orgs := d.grown(t, 1)
			emails := people(2)
			d.mails.Refuse(c.failure)
			said(t, d.invites(t, orgs[:2], emails, member.Ordinary), c.says, "queued", c.says, "queued")
			if c.again { // whoever is asked into other workspaces first is told of what failed too
				said(t, d.invites(t, orgs[2:], emails[:1], member.Ordinary), c.says)
			}
			d.mails.Refuse(nil)
			d.invites(t, orgs[1:], emails[:1], member.Ordinary) // also by a call that does not name the workspace of the mail
			if !c.again {                                       // as often as anybody asks: no mail was handed over for certain, and none is sent by itself
				for range 2 {
					said(t, d.invites(t, orgs[:2], emails, member.Ordinary), "!resend sends it again", "queued",
						"!resend sends it again", "queued")
				}
				said(t, d.invites(t, orgs[1:], emails[:1], member.Ordinary), "!resend sends it again", "queued")
				said(t, d.invites(t, orgs[:1], emails[:1], member.Ordinary), "!resend sends it again") // the lead alone
				if len(d.mails.Sent) > 0 {
					t.Errorf("%d mails", len(d.mails.Sent))
				}
				d.resend(t, emails[0], orgs...)
				d.resend(t, emails[1], orgs...)
			}
			said(t, d.invites(t, orgs[:2], emails, member.Ordinary), "invited", "queued", "invited", "queued")
			for _, email := range emails {
				if n := d.to(email); n != 1 {
					t.Errorf("%d mails", n)
				}
			}
			for _, m := range d.mails.Sent {
				if !strings.Contains(m.Subject, "invites you to "+d.name(t, orgs[0])+" on") {
					t.Error(m.Subject)
				}
			}
			d.consistent(t, orgs...)
		})
	}
}

func (d desk) name(t testing.TB, orgID string) string {
	t.Helper()
	w, err := d.Store.Workspace(t.Context(), orgID)
	must(t, err)
	return w.Name
}

// Of an address that no mail can be sent to nothing is left, not even of earlier calls; others are let in.
func TestInvite_Unmailable(t *testing.T) {
	d := newDesk(t)
	orgs := d.grown(t, 1)
	d.signUp("known@harbour.example", "account-known", "")
	emails := []string{"bad@harbour.example", "known@harbour.example"}
	d.mails.Refuse(mail.ErrThrottled)
	said(t, d.invites(t, orgs[1:], emails[:1], member.Ordinary), "!handed over", "queued")
	d.mails.Refuse(mail.ErrInvalid)
	for range 2 {
		said(t, d.invites(t, orgs[:2], emails, member.Ordinary), "!This address cannot receive mail",
			"!This address cannot receive mail", "granted", "granted")
		for i, orgID := range orgs {
			if got := d.people(t, orgID); len(got) != []int{1, 1, 0}[i] {
				t.Errorf("%v", got)
			}
		}
		for _, row := range d.rows.changed(t) {
			if strings.Contains(row, "bad@") || strings.Contains(row, "invitation#") || strings.Contains(row, "invitee#") {
				t.Errorf("left: %s", row)
			}
		}
	}
	d.consistent(t, orgs...)
	d.mails.Refuse(nil)
	said(t, d.invites(t, orgs[:2], emails, member.Ordinary), "invited", "queued", "granted", "granted")
}

func TestInvite_FullWorkspace(t *testing.T) {
	d := newDesk(t)
	orgs := d.grown(t, 0)
	for n := range member.MostPeople - 4 {
		_, err := d.Store.AddMember(t.Context(), orgs[0],
			member.Member{Email: fmt.Sprintf("m%d@x.io", n), Role: member.Ordinary})
		must(t, err)
	}
	for n := range 2 {
		email := fmt.Sprintf("i%d@x.io", n)
		must(t, worldtest.InviteOne(t.Context(), d.Store, orgs[0], member.Member{Email: email, Role: member.Ordinary}, "").Err)
	}
	emails := people(5)
	d.signUp(emails[1], "account-1", "")
	d.signUp(emails[4], "account-4", "")
	want := []string{"invited", "queued", "granted", "granted", "!the most", "invited", "!the most", "invited",
		"!the most", "granted"}
	for range 2 {
		said(t, d.invites(t, orgs, emails, member.Admin), want...)
	}
	if got := d.people(t, orgs[0]); len(got) != member.MostPeople {
		t.Errorf("there are %d", len(got))
	}
	// Who is there already needs no room.
	said(t, d.invites(t, orgs[:1], []string{"i0@x.io", "m0@x.io"}, member.Admin), "invited", "granted")
	for i, email := range emails {
		if n := d.to(email); n != []int{1, 0, 1, 1, 0}[i] {
			t.Errorf("%d mails", n)
		}
	}
	d.consistent(t, orgs...)
	// Expired invitations make room.
	d.World.Clock.Freeze(worldtest.Now.Add(member.InvitationLife))
	said(t, d.invites(t, orgs[:1], emails[2:5], member.Admin), "invited", "invited", "granted")
	d.consistent(t, orgs...)
}

// A workspace that is deleted during the call fails alone, and another one leads.
func TestInvite_WorkspaceDeletedMeanwhile(t *testing.T) {
	d := newDesk(t)
	orgs := d.grown(t, 2)
	emails := []string{"known@harbour.example", "new@harbour.example"}
	d.signUp(emails[0], "account-known", "")
	var once sync.Once
	d = d.through(t, lookup{Directory: d.directory, before: func(string) error {
		once.Do(func() { must(t, d.Store.DeleteWorkspace(t.Context(), orgs[2])) })
		return nil
	}})
	targets := []string{orgs[2], orgs[0], orgs[1]}
	said(t, d.invites(t, targets, emails, member.Ordinary), "!deleted", "granted", "granted", "!deleted", "invited", "queued")
	d.asks(t, targets, emails, member.Ordinary).Is(t, 404, "WORKSPACE_NOT_IN_AGENCY")
	if len(d.people(t, orgs[2])) > 0 || d.to(emails[1]) != 1 {
		t.Errorf("%v, %d mails", d.people(t, orgs[2]), d.to(emails[1]))
	}
	// One that was to lead goes before its mail was sent: another one does.
	d.mails.Refuse(mail.ErrThrottled)
	said(t, d.invites(t, orgs[:2], []string{"second@harbour.example"}, member.Ordinary), "!handed over", "queued")
	d.mails.Refuse(nil)
	remove := func(orgID string) {
		t.Helper()
		if orgID == d.Agency.AnchorID { // which cannot be deleted through the API, and is no different here
			t.Log("the anchor is deleted")
		}
		must(t, d.Store.DeleteWorkspace(t.Context(), orgID))
	}
	remove(orgs[0])
	said(t, d.invites(t, "all", []string{"second@harbour.example"}, member.Ordinary), "invited", "queued")
	if d.to("second@harbour.example") != 1 {
		t.Errorf("%d mails", d.to("second@harbour.example"))
	}
	// And one that goes after it: the person has been told.
	said(t, d.invites(t, "all", emails[1:], member.Ordinary), "queued", "queued")
	if d.to(emails[1]) != 1 {
		t.Errorf("%d mails", d.to(emails[1]))
	}
	d.consistent(t, orgs[1], orgs[3])
}

// Nobody is told by the directory of a group that it cannot reach, and what is left of it the next call does.
func TestInvite_DirectoryDown(t *testing.T) {
	d := newDesk(t)
	emails := people(12)
	for i, email := range emails {
		d.signUp(email, fmt.Sprint("account-", i), "")
	}
	calls := 0
	d.refuse = func(string) error {
		d.mu.Lock()
		defer d.mu.Unlock()
		calls++
		return identity.ErrUnavailable
	}
	for _, got := range d.invites(t, "all", emails, member.Ordinary) {
		if got != "granted" {
			t.Error(got)
		}
	}
	if calls < 3 || calls > 3+8 {
		t.Errorf("%d calls of a directory that is down", calls)
	}
	d.refuse = nil
	d.World.Clock.Freeze(worldtest.Now.Add(10 * time.Minute))
	d.invites(t, "all", emails, member.Ordinary)
	for _, orgID := range []string{d.Anchor.ID, d.Member.ID} {
		if accounts, _ := d.group(orgID); len(accounts) != 12 {
			t.Errorf("in the group: %v", accounts)
		}
	}
	// A queue that is down keeps nobody out.
	faulttest.Nth(t, d.ports, 1, fault.Fault{Port: fault.QueuePort, Fault: fault.Error})
	said(t, d.invites(t, "all", []string{"new@harbour.example"}, member.Ordinary), "invited", "queued")
}
