// Package arrivaltest is for tests of the functions that let people in who have signed up since they were invited: a
// World with a directory of accounts and a queue, in which the functions' process can be made to die at any of its
// operations, and any operation to fail.
package arrivaltest

import (
	"context"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/sqliteidentity"
	"earshot/shared/member"
	"earshot/shared/port/identity"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A World is one of worldtest's with people.
type World struct {
	*worldtest.World
	People *sqliteidentity.Directory
	Sent   *Sent

	// What the functions work with: the same, with a life and faults.
	Life      *fault.Life
	Ports     *fault.Set // of table, identity and queue
	Stored    *allstores.Store
	Directory identity.Directory
	Queue     queue.Queue
}

// NewWorld makes a World in which nobody has signed up.
func NewWorld(t testing.TB) *World {
	t.Helper()
	w := &World{World: worldtest.NewWorld(t), Sent: &Sent{}, Life: &fault.Life{}}
	w.Ports = fault.NewSet(
		map[string][]string{fault.TablePort: fault.TableOperations(), fault.IdentityPort: fault.IdentityOperations(),
			fault.QueuePort: fault.QueueOperations()},
		0,
	)
	var err error
	w.People, err = sqliteidentity.Open(filepath.Join(t.TempDir(), "identity.db"), w.Clock)
	must(t, err)
	t.Cleanup(func() { w.People.Close() })
	w.Stored = allstores.New(table.Retrying(fault.Table(fault.Table(w.Table, w.Ports), w.Life.Set())), w.Clock)
	w.Directory = fault.Identity(fault.Identity(w.People, w.Ports), w.Life.Set())
	w.Queue = fault.Queue(fault.Queue(w.Sent, w.Ports), w.Life.Set())
	return w
}

// Sent is a queue that keeps what it is sent.
type Sent struct {
	mu       sync.Mutex
	messages []queue.Message
}

// Send keeps messages.
func (s *Sent) Send(_ context.Context, _ string, messages ...queue.Message) error {
	if err := queue.Check(messages...); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages = append(s.messages, messages...)
	return nil
}

// Take answers what was sent, oldest first, and forgets it.
func (s *Sent) Take() []queue.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	messages := s.messages
	s.messages = nil
	return messages
}

// SignUp makes an account, and tells nobody.
func (w *World) SignUp(t testing.TB, email, name string) identity.Account {
	t.Helper()
	account, _, err := w.People.SignUp(t.Context(), email, name)
	must(t, err)
	return account
}

// Invite puts an invitation into the store, without its mail.
func (w *World) Invite(t testing.TB, orgID, email string, role member.Role) member.InvitationKey {
	t.Helper()
	result := worldtest.InviteOne(t.Context(), w.Store, orgID, member.Member{Email: email, Role: role}, "")
	must(t, result.Err)
	return result.Invitation.Key()
}

// InviteByAgency invites a person to a workspace of the agency, as the agency does: to the first with a mail, which
// leads, and to the others without.
func (w *World) InviteByAgency(t testing.TB, orgID, email string, role member.Role) member.InvitationKey {
	t.Helper()
	by := member.Inviter{
		AgencyID:   w.Agency.ID,
		Agency:     w.Agency.Name,
		KeyID:      "key_1",
		Workspaces: []workspace.Workspace{{ID: w.Anchor.ID}, {ID: w.Member.ID}},
	}
	seat := w.Store.Invite(t.Context(), by, orgID, []member.Member{{Email: email, Role: role}})[0]
	must(t, seat.Err)
	if !seat.New {
		t.Fatalf("%+v", seat)
	}
	return seat.Invitation.Key()
}

// Add makes an account an ordinary member, and leaves it to others to have the directory follow.
func (w *World) Add(t testing.TB, orgID string, account identity.Account) {
	t.Helper()
	_, err := w.Store.AddMember(
		t.Context(), orgID, member.Member{Email: account.Email, Role: member.Ordinary, AccountID: account.ID},
	)
	must(t, err)
}

// Row reads a row of the core table, past all faults; nil when there is none.
func (w *World) Row(t testing.TB, partition, sort string) table.Item {
	t.Helper()
	row, err := w.Table.Get(
		t.Context(),
		table.Get{Table: rows.CoreTable, Key: table.Key{Partition: partition, Sort: sort}, Consistent: true},
	)
	must(t, err)
	return row
}

// Desk returns a Desk of the parts that the functions work with.
func (w *World) Desk() member.Desk {
	return member.Desk{Store: w.Stored, Directory: w.Directory, Clock: w.Clock, Log: slog.New(slog.DiscardHandler)}
}

// Is holds that an address is a member of these workspaces, once and in its role, and invited to none; that its account
// is in their groups and no others; that no agency takes them for invited; and that of all workspaces the counts are
// what there is.
func (w *World) Is(t testing.TB, email, accountID string, in map[string]member.Role) {
	t.Helper()
	for _, org := range []string{w.Main.ID, w.Other.ID, w.Agents.ID, w.Anchor.ID, w.Member.ID} {
		members, moves, err := w.Store.Members(t.Context(), org)
		must(t, err)
		invitations, err := w.Store.Invitations(t.Context(), org)
		must(t, err)
		admins, roles := int64(0), []member.Role{}
		for _, m := range members {
			if m.Role == member.Admin {
				admins++
			}
			if member.Fold(m.Email) != member.Fold(email) {
				continue
			}
			if roles = append(roles, m.Role); m.AccountID != accountID {
				t.Errorf("%s: the membership is of account %q", org, m.AccountID)
			}
		}
		if role, wanted := in[org]; wanted && !slices.Equal(roles, []member.Role{role}) || !wanted && len(roles) > 0 {
			t.Errorf("%s: memberships as %v, want %q", org, roles, role)
		}
		for _, i := range invitations {
			if member.Fold(i.Email) == member.Fold(email) {
				t.Errorf("%s: they are invited", org)
			}
		}
		for _, move := range moves {
			if move.AccountID == accountID {
				t.Errorf("%s: %+v is due", org, move)
			}
		}
		counts := w.Row(t, org, "people")
		if counts != nil && (counts["people"] != int64(len(members)+len(invitations)) || counts["admins"] != admins) {
			t.Errorf(
				"%s: counted %v, there are %d and %d, %d admins", org, counts, len(members), len(invitations), admins,
			)
		}
	}
	told := w.Row(t, w.Agency.ID, "invitee#"+member.Fold(email))
	if until, _ := told["goodUntil"].(string); until > w.Clock.Now().UTC().Format(time.RFC3339) {
		t.Errorf("the agency has told them by %v", told["invitation"])
	}
	people, err := w.People.List(t.Context(), 100)
	must(t, err)
	for _, person := range people {
		if want := slices.Sorted(maps.Keys(in)); person.ID == accountID && !slices.Equal(person.Groups, want) {
			t.Errorf("they are in the groups %v, want %v", person.Groups, want)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
