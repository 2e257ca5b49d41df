package members_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"earshot/functions/discovery"
	"earshot/functions/members"
	"earshot/shared/embedded/fault"
	"earshot/shared/member"
	"earshot/shared/port/identity"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/web"
	"earshot/shared/worldtest"
)

// A desk is the function over a World's tables, with a directory and a mailer that keep what they are told. ports are
// the faults of each; the kit's own store has none.
type desk struct {
	worldtest.Client
	*worldtest.World
	*directory
	mails *worldtest.Mails
	ports *fault.Set
	life  *fault.Life // of the function; counts the operations on its table
}

func newDesk(t testing.TB) desk {
	t.Helper()
	d := desk{
		World:     worldtest.NewWorld(t),
		directory: &directory{accounts: map[string]identity.Account{}, groups: map[string]bool{}},
		mails:     &worldtest.Mails{},
		ports: fault.NewSet(map[string][]string{
			fault.TablePort:    fault.TableOperations(),
			fault.MailPort:     fault.MailOperations(),
			fault.IdentityPort: fault.IdentityOperations(),
		}, 0),
		life: &fault.Life{},
	}
	stored := allstores.New(table.Retrying(fault.Table(fault.Table(d.Table, d.ports), d.life.Set())), d.World.Clock)
	d.Client = worldtest.Serve(t, d.World, discovery.OpenAPI(), func(api *web.API) {
		members.Register(api, members.Options{
			Store:     stored,
			Directory: fault.Identity(d.directory, d.ports),
			Mailer:    fault.Mail(d.mails, d.ports),
			SignUpURL: "https://people.example/signup",
			Clock:     d.World.Clock,
		})
	}).As(d.Admin)
	return d
}

// as is the desk for another key.
func (d desk) as(token string) desk {
	d.Token = token
	return d
}

func (d desk) invite(t testing.TB, email, role string, header ...string) worldtest.Answer {
	t.Helper()
	return d.Post(t, "/api/v2/org/members/invite", fmt.Sprintf(`{"email":%q,"role":%q}`, email, role), header...)
}

func (d desk) invited(t testing.TB, email, role string, header ...string) members.Invitation {
	t.Helper()
	var result members.InviteResult
	d.invite(t, email, role, header...).OK(t, &result)
	if result.Action != "invited" || result.Member.Value != nil || result.Invitation.Value == nil {
		t.Fatalf("%+v", result)
	}
	return *result.Invitation.Value
}

func (d desk) granted(t testing.TB, email, role string, header ...string) members.Member {
	t.Helper()
	var result members.InviteResult
	d.invite(t, email, role, header...).OK(t, &result)
	if result.Action != "granted" || result.Member.Value == nil || result.Invitation.Value != nil {
		t.Fatalf("%+v", result)
	}
	return *result.Member.Value
}

func (d desk) members(t testing.TB) []members.Member {
	t.Helper()
	var list members.MemberList
	d.Get(t, "/api/v2/org/members").OK(t, &list)
	return list.Data
}

func (d desk) invitations(t testing.TB) []members.Invitation {
	t.Helper()
	var list members.InvitationList
	d.Get(t, "/api/v2/org/members/invitations").OK(t, &list)
	return list.Data
}

func (d desk) remove(t testing.TB, id string, header ...string) worldtest.Answer {
	t.Helper()
	return d.Delete(t, "/api/v2/org/members/"+id, header...)
}

func (d desk) resend(t testing.TB, id string, header ...string) worldtest.Answer {
	t.Helper()
	return d.Post(t, "/api/v2/org/members/invitations/"+id+"/resend", "", header...)
}

// of is the invitation of an address.
func (d desk) of(t testing.TB, email string) members.Invitation {
	t.Helper()
	list := d.invitations(t)
	i := slices.IndexFunc(list, func(i members.Invitation) bool { return i.Email == email })
	if i < 0 {
		t.Fatalf("%s is not invited", email)
	}
	return list[i]
}

// unsettled holds that an invite says that nobody knows what became of the mail, and what to do.
func (d desk) unsettled(t testing.TB, email string, header ...string) {
	t.Helper()
	refused := d.invite(t, email, "org:member", header...).Is(t, 400, "INVALID_INPUT")
	if want := "POST /api/v2/org/members/invitations/" + d.of(t, email).ID +
		"/resend"; !strings.Contains(refused.Message, want) {
		t.Errorf("invite = %q, want %q in it", refused.Message, want)
	}
}

// owner is a superadmin, by the operator.
func (d desk) owner(t testing.TB, orgID string) member.Member {
	t.Helper()
	m, err := d.Store.AddMember(t.Context(), orgID,
		member.Member{Email: "owner@northwind.example", Name: "Ola", Superadmin: true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// directory knows accounts by their folded addresses, and groups with their members.
type directory struct {
	mu       sync.Mutex
	accounts map[string]identity.Account
	groups   map[string]bool // "group account"
	calls    []string
	before   func(call string) // called before each change, outside the lock
	unknown  func()            // called when an account is not found, and known when it is: after the answer is made up, outside the lock
	known    func()
}

func (d *directory) signUp(email, id, name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.accounts[member.Fold(email)] = identity.Account{ID: id, Email: email, Name: name}
}

func (d *directory) Account(_ context.Context, email string) (identity.Account, error) {
	d.mu.Lock()
	account, known := d.accounts[member.Fold(email)]
	d.mu.Unlock()
	if known {
		if d.known != nil {
			d.known()
		}
		return account, nil
	}
	if d.unknown != nil {
		d.unknown()
	}
	return identity.Account{}, identity.ErrNoAccount
}

func (d *directory) Join(_ context.Context, group, accountID string) error {
	known := false
	d.mu.Lock()
	for _, account := range d.accounts {
		known = known || account.ID == accountID
	}
	d.mu.Unlock()
	if !known {
		return identity.ErrNoAccount
	}
	d.change("join", group, accountID, true)
	return nil
}

func (d *directory) Leave(_ context.Context, group, accountID string) error {
	d.change("leave", group, accountID, false)
	return nil
}

// CreateGroup has nothing to do: a group is here by its members only.
func (d *directory) CreateGroup(context.Context, string) error { return nil }

func (d *directory) DeleteGroup(_ context.Context, group string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.DeleteFunc(d.groups, func(membership string, _ bool) bool { return strings.HasPrefix(membership, group+" ") })
	return nil
}

func (d *directory) change(call, group, accountID string, in bool) {
	if d.before != nil {
		d.before(call)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls = append(d.calls, call)
	d.groups[group+" "+accountID] = in
}

func (d *directory) in(group, accountID string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.groups[group+" "+accountID]
}

func TestDoors(t *testing.T) {
	d := newDesk(t)
	got := d.Doors(t, members.Group, d.World)
	if want := []string{"inviteMember", "listInvitations", "listMembers", "removeMember",
		"resendInvitation"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestList_Empty(t *testing.T) {
	d := newDesk(t)
	d.Token = d.Read
	for _, path := range []string{"/api/v2/org/members", "/api/v2/org/members/invitations"} {
		answer := d.Get(t, path)
		answer.OK(t, nil)
		if string(answer.Body) != `{"data":[]}`+"\n" && string(answer.Body) != `{"data":[]}` {
			t.Errorf("%s", answer.Body)
		}
	}
}

func TestRemove(t *testing.T) {
	d := newDesk(t)
	owner := d.owner(t, d.Main.ID)
	d.signUp("first@x.io", "account-first", "The first")
	first := d.granted(t, "first@x.io", "org:member")
	theirs := d.as(d.OtherKey).granted(t, "first@x.io", "org:admin")
	d.remove(t, owner.ID).Is(t, 403, "SUPERADMIN_REMOVE_FORBIDDEN")
	unused := d.remove(t, "mem_01K9Q4T1YV6M3R8Z5B7C2D4E6F")
	unused.Is(t, 404, "NOT_FOUND")
	for _, id := range []string{theirs.ID, "inv_01K9Q4T1YV6M3R8Z5B7C2D4E6F", "mem_1", "inv_1", "0",
		"mem_01k9q4t1yv6m3r8z5b7c2d4e6f", owner.ID[4:], "%2E%2E", "memof"} {
		if answer := d.remove(t, id); string(answer.Body) != string(unused.Body) || answer.Status != 404 {
			t.Errorf("%s: %d %s", id, answer.Status, answer.Body)
		}
	}
	var done members.MemberRemoved
	d.remove(t, first.ID).OK(t, &done)
	if !done.OK || d.in(d.Main.ID, "account-first") || !d.in(d.Other.ID, "account-first") {
		t.Errorf("%v, groups %v", done, d.groups)
	}
	d.remove(t, first.ID).Is(t, 404, "NOT_FOUND")
	d.as(d.OtherKey).remove(t, theirs.ID).Is(t, 400, "LAST_ADMIN")
	d.as(d.OtherKey).invited(t, "ada2@x.io", "org:admin")
}
