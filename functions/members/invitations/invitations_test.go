package invitations_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"earshot/events"
	"earshot/events/message/nudge"
	"earshot/functions/members/invitations"
	"earshot/functions/members/invitations/arrivaltest"
	"earshot/shared/embedded/fault"
	"earshot/shared/member"
	"earshot/shared/port/identity"
	"earshot/shared/port/queue"
	"earshot/shared/worker"
	"earshot/shared/workspace"
)

// A desk is the function over a World, with its log.
type desk struct {
	*arrivaltest.World
	log *bytes.Buffer
}

func newDesk(t *testing.T) desk { return desk{arrivaltest.NewWorld(t), &bytes.Buffer{}} }

// deliver brings a message, and answers whether it is to come again and what the record counts.
func (d desk) deliver(t *testing.T, body string) (again bool, counts map[string]int) {
	t.Helper()
	d.log.Reset()
	on := worker.Options{Function: invitations.Group, Log: slog.New(slog.NewJSONHandler(d.log, nil)), Clock: d.Clock}
	failed, err := worker.Deliver(invitations.Handler(on, d.Desk()), queue.Invitations)(t.Context(),
		[]queue.Delivery{{ID: "m1", Body: []byte(body), Receives: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(d.log.String(), "@") {
		t.Errorf("the log holds an address: %s", d.log)
	}
	var record struct{ Counts map[string]int }
	if err := json.Unmarshal(d.log.Bytes(), &record); err != nil {
		t.Fatal(err)
	}
	return len(failed) > 0, record.Counts
}

// nudged is the body of a message that names invitations.
func nudged(t *testing.T, keys ...member.InvitationKey) string {
	t.Helper()
	messages, err := nudge.FromInvitations(keys)
	if err != nil || len(messages) != 1 {
		t.Fatal(len(messages), err)
	}
	return string(messages[0].Body)
}

func (d desk) delivers(t *testing.T, body string, want map[string]int) {
	t.Helper()
	if again, counts := d.deliver(t, body); again || !reflect.DeepEqual(counts, want) {
		t.Errorf("it comes again: %v, %v, want %v\n%s", again, counts, want, d.log)
	}
}

const newcomer = "Newcomer@harbour.example"

// Who has signed up becomes a member wherever they are invited, in their roles, and in the groups: by one of their
// invitations, and once.
func TestHandler_SignedUp(t *testing.T) {
	d := newDesk(t)
	first := d.InviteByAgency(t, d.Anchor.ID, newcomer, member.Admin)
	second := d.InviteByAgency(t, d.Member.ID, "newcomer@HARBOUR.example", member.Ordinary)
	d.Invite(t, d.Other.ID, newcomer, member.Ordinary)
	d.Invite(t, d.Other.ID, "another@harbour.example", member.Ordinary)
	d.delivers(t, nudged(t, first, second), map[string]int{"granted": 0, "waiting": 2, "over": 0, "moved": 0})
	account := d.SignUp(t, "newcomer@harbour.example", "Quiet\nHarbor")
	d.delivers(t, nudged(t, first, second, first), map[string]int{"granted": 3, "waiting": 0, "over": 0, "moved": 3})
	in := map[string]member.Role{d.Anchor.ID: member.Admin, d.Member.ID: member.Ordinary, d.Other.ID: member.Ordinary}
	d.Is(t, newcomer, account.ID, in)
	d.delivers(t, nudged(t, first, second), map[string]int{"granted": 0, "waiting": 0, "over": 2, "moved": 0})
	d.Is(t, newcomer, account.ID, in)
	members, _, err := d.Store.Members(t.Context(), d.Anchor.ID)
	if err != nil || len(members) != 1 || members[0].Name != "Quiet Harbor" || members[0].Email != newcomer {
		t.Errorf("%+v, %v", members, err)
	}
}

// One message of two people lets both in, or one of them.
func TestHandler_TwoPeople(t *testing.T) {
	d := newDesk(t)
	keys := []member.InvitationKey{d.Invite(t, d.Main.ID, newcomer, member.Ordinary),
		d.Invite(t, d.Main.ID, "first@harbour.example", member.Admin),
		d.Invite(t, d.Other.ID, "first@harbour.example", member.Admin)}
	account := d.SignUp(t, "first@harbour.example", "")
	d.delivers(t, nudged(t, keys...), map[string]int{"granted": 2, "waiting": 1, "over": 0, "moved": 2})
	d.Is(t, "first@harbour.example", account.ID, map[string]member.Role{d.Main.ID: member.Admin, d.Other.ID: member.Admin})
	late := d.SignUp(t, newcomer, "")
	d.delivers(t, nudged(t, keys...), map[string]int{"granted": 1, "waiting": 0, "over": 2, "moved": 1})
	d.Is(t, newcomer, late.ID, map[string]member.Role{d.Main.ID: member.Ordinary})
}

// Nobody is let in by an invitation that is over: expired at its end exactly, withdrawn, or of a workspace that is gone.
func TestHandler_Over(t *testing.T) {
	d := newDesk(t)
	gone := d.Invite(t, d.Other.ID, newcomer, member.Ordinary)
	withdrawn := d.Invite(t, d.Member.ID, newcomer, member.Ordinary)
	expired := d.Invite(t, d.Main.ID, newcomer, member.Ordinary)
	account := d.SignUp(t, newcomer, "")
	if err := d.Store.DeleteWorkspace(t.Context(), d.Other.ID); err != nil {
		t.Fatal(err)
	}
	if err := d.Store.Withdraw(t.Context(), d.Member.ID, withdrawn.InvitationID); err != nil {
		t.Fatal(err)
	}
	d.Clock.Freeze(d.Clock.Now().Add(member.InvitationLife))
	never := member.InvitationKey{WorkspaceID: workspace.NewID(workspace.PrefixWorkspace, d.Clock.Now()),
		InvitationID: workspace.NewID(member.PrefixInvitation, d.Clock.Now())}
	d.delivers(t, nudged(t, gone, withdrawn, expired, never),
		map[string]int{"granted": 0, "waiting": 0, "over": 4, "moved": 0})
	people, err := d.People.List(t.Context(), 10)
	if err != nil || len(people) != 1 || len(people[0].Groups) > 0 || people[0].ID != account.ID {
		t.Errorf("%+v, %v", people, err)
	}
	// A moment earlier it was open.
	d.Clock.Freeze(d.Clock.Now().Add(-time.Millisecond))
	d.delivers(t, nudged(t, gone, withdrawn, expired, never),
		map[string]int{"granted": 1, "waiting": 0, "over": 3, "moved": 1})
}

// Whoever accepted an invitation and died before the directory was told: the same message has it told. Not of a
// workspace that is gone.
func TestHandler_DirectoryFollowsLater(t *testing.T) {
	d := newDesk(t)
	main, other := d.Invite(t, d.Main.ID, newcomer, member.Ordinary), d.Invite(t, d.Other.ID, newcomer, member.Ordinary)
	account := d.SignUp(t, newcomer, "")
	if granted, err := d.Store.AcceptInvitations(t.Context(), newcomer, account.ID, ""); err != nil || len(granted) != 2 {
		t.Fatal(granted, err)
	}
	if err := d.Store.DeleteWorkspace(t.Context(), d.Other.ID); err != nil {
		t.Fatal(err)
	}
	d.delivers(t, nudged(t, main, other), map[string]int{"granted": 0, "waiting": 0, "over": 2, "moved": 0})
	people, err := d.People.List(t.Context(), 10)
	if err != nil || fmt.Sprint(people[0].Groups) != fmt.Sprint([]string{d.Main.ID}) {
		t.Errorf("%+v, %v", people, err)
	}
}

// What is no message fails, is counted as the message's own fault, and is not quoted.
func TestHandler_Malformed(t *testing.T) {
	d := newDesk(t)
	for _, body := range []string{"", "{", "[]", "{}", `{"invitations":[]}`, `{"invitations":["secret"]}`,
		`{"invitations":[{"workspaceId":"secret","invitationId":"x"}]}`, `{"workspaceId":"secret"}`} {
		again, _ := d.deliver(t, body)
		if log := d.log.String(); !again || !strings.Contains(log, `"rejected":1`) || strings.Contains(log, "secret") {
			t.Errorf("%s: %s", body, d.log)
		}
	}
}

// What a part fails at is done when the message comes again.
func TestHandler_PartFails(t *testing.T) {
	t.Setenv("TABLE_ENDPOINT", "") // the clock of a bubble stands still while something waits for the network
	for _, f := range []fault.Fault{
		{Port: fault.TablePort, Operation: "batchGet"}, {Port: fault.TablePort, Operation: "query"},
		{Port: fault.TablePort, Operation: "get"}, {Port: fault.TablePort, Operation: "transact"},
		{Port: fault.TablePort, Operation: "update"}, {Port: fault.TablePort, Operation: "delete"},
		{Port: fault.IdentityPort, Operation: "account"}, {Port: fault.IdentityPort, Operation: "join"},
	} {
		for _, kind := range []fault.Kind{fault.Throttle, fault.Error} {
			t.Run(fmt.Sprint(f.Port, f.Operation, kind), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // in which no repeat takes its time
					d := newDesk(t)
					key := d.Invite(t, d.Main.ID, newcomer, member.Ordinary)
					account := d.SignUp(t, newcomer, "")
					f.Fault = kind
					if err := d.Ports.Add(f); err != nil {
						t.Fatal(err)
					}
					if again, _ := d.deliver(t, nudged(t, key)); !again {
						t.Error("the message is not to come again")
					}
					d.Ports.Clear()
					d.Clock.Freeze(d.Clock.Now().Add(2 * time.Minute)) // a claim ends, where it could not be given back
					if again, _ := d.deliver(t, nudged(t, key)); again {
						t.Error("the message is to come again")
					}
					d.Is(t, newcomer, account.ID, map[string]member.Role{d.Main.ID: member.Ordinary})
				})
			})
		}
	}
}

// failingGroups is a directory whose groups cannot be joined; it counts who tries.
type failingGroups struct {
	identity.Directory
	tried *int
}

func (f failingGroups) Join(context.Context, string, string) error {
	*f.tried++
	return identity.ErrUnavailable
}

// A directory that fails keeps nobody out of a workspace, and is not asked on and on.
func TestLetIn_DirectoryFails(t *testing.T) {
	d := newDesk(t)
	var keys []member.InvitationKey
	for _, org := range []string{d.Main.ID, d.Other.ID, d.Agents.ID, d.Anchor.ID, d.Member.ID} {
		keys = append(keys, d.Invite(t, org, newcomer, member.Ordinary))
	}
	account, tried, fails := d.SignUp(t, newcomer, ""), 0, d.Desk()
	fails.Directory = failingGroups{d.Directory, &tried}
	counts, err := fails.LetIn(t.Context(), keys)
	if err == nil || counts["granted"] != 5 || counts["moved"] != 0 || tried != 3 {
		t.Errorf("%+v, %v, asked %d times", counts, err, tried)
	}
	granted, moved, err := d.Desk().Welcome(t.Context(), account, d.Main.ID, d.Other.ID, d.Agents.ID, d.Anchor.ID, d.Member.ID)
	if err != nil || granted != nil || moved != 5 {
		t.Error(granted, moved, err)
	}
}

// The sample is read, and of an invitation that is not there nothing comes.
func TestHandler_Sample(t *testing.T) {
	d := newDesk(t)
	event, err := events.Open(invitations.Group, "nudge")
	if err != nil {
		t.Fatal(err)
	}
	messages, err := event.Messages()
	if err != nil {
		t.Fatal(err)
	}
	messages = events.WithInvitation(messages, d.Main.ID, workspace.NewID(member.PrefixInvitation, d.Clock.Now()))
	d.delivers(t, messages.Records[0].Body, map[string]int{"granted": 0, "waiting": 0, "over": 1, "moved": 0})
}
