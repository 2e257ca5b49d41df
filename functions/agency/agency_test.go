package agency_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"earshot/functions/agency"
	"earshot/functions/discovery"
	"earshot/shared/embedded/fault"
	"earshot/shared/port/identity"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/web"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A desk is the function over a World's tables, with a directory, a mailer and a queue that keep what they are told.
// ports are the faults of each; the kit's own store has none. Its key is the World's master key.
type desk struct {
	worldtest.Client
	*worldtest.World
	*directory
	mails *worldtest.Mails
	nudge *nudges
	rows  *written
	ports *fault.Set

	resent map[string]int // mails that were sent again, by their addresses
}

func newDesk(t testing.TB) desk {
	t.Helper()
	d := desk{World: worldtest.NewWorld(t), mails: &worldtest.Mails{}, nudge: &nudges{}, resent: map[string]int{},
		directory: &directory{accounts: map[string]identity.Account{}, groups: map[string]map[string]bool{}},
		ports: fault.NewSet(map[string][]string{
			fault.TablePort:    fault.TableOperations(),
			fault.MailPort:     fault.MailOperations(),
			fault.IdentityPort: fault.IdentityOperations(),
			fault.QueuePort:    fault.QueueOperations(),
		}, 0)}
	d.rows = &written{Table: d.Table, keys: map[place]bool{}}
	stored := allstores.New(table.Retrying(fault.Table(d.rows, d.ports)), d.World.Clock)
	d.Client = worldtest.Serve(t, d.World, discovery.OpenAPI(), func(api *web.API) {
		agency.Register(api, agency.Options{
			Store:     stored,
			Directory: fault.Identity(d.directory, d.ports),
			Mailer:    fault.Mail(d.mails, d.ports),
			Queue:     fault.Queue(d.nudge, d.ports),
			SignUpURL: "https://people.example/signup",
			Clock:     d.World.Clock,
		})
	}).As(d.Master)
	return d
}

// as is the desk for another key.
func (d desk) as(token string) desk {
	d.Token = token
	return d
}

// another makes a second agency with its own workspace and two more, and answers its master key.
func (d desk) another(t testing.TB) (other workspace.Agency, master string, workspaces []string) {
	t.Helper()
	now := d.World.Clock.Now()
	other = workspace.Agency{
		ID:             workspace.NewID(workspace.PrefixAgency, now),
		Name:           "Lighthouse Agency",
		Active:         true,
		FlexPrice:      100,
		WorkspaceLimit: workspace.DefaultWorkspaceLimit,
		CreatedAt:      now,
		AnchorID:       workspace.NewID(workspace.PrefixWorkspace, now),
	}
	if err := d.Store.CreateAgency(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		id := other.AnchorID
		if i > 0 {
			id = workspace.NewID(workspace.PrefixWorkspace, now)
		}
		err := d.Store.CreateWorkspace(t.Context(),
			workspace.Workspace{ID: id, Name: fmt.Sprint("Lighthouse ", i), Plan: workspace.Pro,
				AgencyID: other.ID, CreatedAt: now})
		if err != nil {
			t.Fatal(err)
		}
		workspaces = append(workspaces, id)
	}
	return other, d.Key(t, workspace.Key{Scope: workspace.Admin, Agency: &other}), workspaces
}

// directory knows accounts by their folded addresses, and groups with their members.
type directory struct {
	mu       sync.Mutex
	accounts map[string]identity.Account
	groups   map[string]map[string]bool
	refuse   func(call string) error // asked before each change of a group ("join", "leave", "create", "delete"), outside the lock
	looks    int                     // how often an account was asked for
}

func (d *directory) signUp(email, id, name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.accounts[identity.Fold(email)] = identity.Account{ID: id, Email: email, Name: name}
}

func (d *directory) Account(_ context.Context, email string) (identity.Account, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.looks++
	account, known := d.accounts[identity.Fold(email)]
	if !known {
		return account, identity.ErrNoAccount
	}
	return account, nil
}

func (d *directory) Join(_ context.Context, group, accountID string) error {
	return d.change("join", func() error {
		for _, account := range d.accounts {
			if account.ID == accountID {
				if d.groups[group] == nil {
					d.groups[group] = map[string]bool{}
				}
				d.groups[group][accountID] = true
				return nil
			}
		}
		return identity.ErrNoAccount
	})
}

func (d *directory) Leave(_ context.Context, group, accountID string) error {
	return d.change("leave", func() error { delete(d.groups[group], accountID); return nil })
}

func (d *directory) CreateGroup(_ context.Context, group string) error {
	return d.change("create", func() error {
		if d.groups[group] == nil {
			d.groups[group] = map[string]bool{}
		}
		return nil
	})
}

func (d *directory) DeleteGroup(_ context.Context, group string) error {
	return d.change("delete", func() error { delete(d.groups, group); return nil })
}

func (d *directory) change(call string, do func() error) error {
	if d.refuse != nil {
		if err := d.refuse(call); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return do()
}

// group lists who is in a group; there says whether there is one.
func (d *directory) group(name string) (accounts []string, there bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	members, there := d.groups[name]
	return slices.Sorted(maps.Keys(members)), there
}

// groupNames lists the groups that there are.
func (d *directory) groupNames() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Keys(d.groups))
}

// nudges is a queue that keeps what is sent to it.
type nudges struct {
	mu   sync.Mutex
	sent map[string][]queue.Message // by the queue's name
}

func (n *nudges) Send(_ context.Context, name string, messages ...queue.Message) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.sent == nil {
		n.sent = map[string][]queue.Message{}
	}
	n.sent[name] = append(n.sent[name], messages...)
	return nil
}

// written is a table that knows which rows were ever written through it, and which of them were there before.
type written struct {
	table.Table
	unheard func(table.Transaction) bool // whether the caller never hears of a transaction that is done

	mu   sync.Mutex
	keys map[place]bool
}

type place struct {
	table string
	key   table.Key
}

func (w *written) note(ctx context.Context, in string, key table.Key) {
	item, err := w.Table.Get(ctx, table.Get{Table: in, Key: key, Consistent: true})
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.keys[place{in, key}]; !known {
		w.keys[place{in, key}] = err == nil && item != nil
	}
}

func (w *written) Put(ctx context.Context, put table.Put) error {
	w.note(ctx, put.Table, table.KeyOf(put.Item))
	return w.Table.Put(ctx, put)
}

func (w *written) Update(ctx context.Context, update table.Update) (table.Item, error) {
	w.note(ctx, update.Table, update.Key)
	return w.Table.Update(ctx, update)
}

func (w *written) Delete(ctx context.Context, del table.Delete) error {
	w.note(ctx, del.Table, del.Key)
	return w.Table.Delete(ctx, del)
}

func (w *written) Transact(ctx context.Context, tx table.Transaction) error {
	for _, write := range tx.Writes {
		switch write := write.(type) {
		case table.Put:
			w.note(ctx, write.Table, table.KeyOf(write.Item))
		case table.Update:
			w.note(ctx, write.Table, write.Key)
		case table.Delete:
			w.note(ctx, write.Table, write.Key)
		}
	}
	err := w.Table.Transact(ctx, tx)
	if err == nil && w.unheard != nil && w.unheard(tx) {
		return table.ErrUnavailable
	}
	return err
}

// changed lists the rows that there are now and were not, with a plus, and those that were and are not, with a minus:
// "+table partition sort".
func (w *written) changed(t testing.TB) (rows []string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for place, before := range w.keys {
		item, err := w.Table.Get(t.Context(), table.Get{Table: place.table, Key: place.key, Consistent: true})
		if err != nil {
			t.Fatal(err)
		}
		switch name := place.table + " " + place.key.Partition + " " + place.key.Sort; {
		case item != nil && !before:
			rows = append(rows, "+"+name)
		case item == nil && before:
			rows = append(rows, "-"+name)
		}
	}
	slices.Sort(rows)
	return rows
}

func TestDoors(t *testing.T) {
	d := newDesk(t)
	got := d.Doors(t, agency.Group, d.World)
	want := []string{"createAgencyWorkspace", "deleteAgencyWorkspace", "getAgency", "listAgencyWorkspaces"}
	if got = slices.DeleteFunc(got, func(id string) bool { return id == "inviteAgencyMembers" }); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	readOnly := d.Key(t, workspace.Key{Scope: workspace.Write, Agency: &d.Agency})
	d.as(readOnly).Get(t, "/api/v2/agency").Is(t, 403, "FORBIDDEN")
}
