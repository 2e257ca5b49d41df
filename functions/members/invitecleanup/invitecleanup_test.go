package invitecleanup_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"earshot/events"
	"earshot/events/message/nudge"
	"earshot/functions/members/invitations/arrivaltest"
	"earshot/functions/members/invitecleanup"
	"earshot/shared/embedded/fault"
	"earshot/shared/member"
	"earshot/shared/port/identity"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/worker"
	"earshot/shared/workspace"
)

// A desk is the function over a World, with its log.
type desk struct {
	*arrivaltest.World
	options invitecleanup.Options
	log     *bytes.Buffer
}

func newDesk(t testing.TB) desk {
	t.Helper()
	w := arrivaltest.NewWorld(t)
	return desk{w, invitecleanup.Options{Store: w.Stored, Directory: w.Directory, Queue: w.Queue, Clock: w.Clock,
		Log: slog.New(slog.DiscardHandler)}, &bytes.Buffer{}}
}

func (d desk) after(passed time.Duration) { d.Clock.Freeze(d.Clock.Now().Add(passed)) }

// ticks calls the function, and answers what it counts and its error.
func (d desk) ticks(t testing.TB, ctx context.Context) (counts map[string]int, err error) {
	t.Helper()
	d.log.Reset()
	sample, failure := events.Open(invitecleanup.Group, "tick")
	if failure != nil {
		t.Fatal(failure)
	}
	on := worker.Options{Function: invitecleanup.Group, Log: slog.New(slog.NewJSONHandler(d.log, nil)), Clock: d.Clock}
	err = invitecleanup.Handler(on, d.options)(ctx, sample.Payload)
	if strings.Contains(d.log.String(), "@") || err != nil && strings.Contains(err.Error(), "@") {
		t.Errorf("the log or the error holds an address: %s, %v", d.log, err)
	}
	var record struct{ Counts map[string]int }
	if failure := json.Unmarshal(d.log.Bytes(), &record); failure != nil {
		t.Fatalf("not one record: %v\n%s", failure, d.log)
	}
	return record.Counts, err
}

func (d desk) wants(t testing.TB, expired, nudged, moved, failed, left int) {
	t.Helper()
	want := figures(expired, nudged, moved, failed, left)
	if got, err := d.ticks(t, t.Context()); !reflect.DeepEqual(got, want) || (err != nil) != (failed > 0) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

func figures(expired, nudged, moved, failed, left int) map[string]int {
	return map[string]int{"expired": expired, "nudged": nudged, "moved": moved, "failed": failed, "left": left}
}

// named are the invitations of each message that was sent.
func (d desk) named(t testing.TB) (messages [][]member.InvitationKey) {
	t.Helper()
	for _, m := range d.Sent.Take() {
		keys, err := nudge.ToInvitations(m.Body)
		if err != nil || m.Delay != 0 {
			t.Error(m.Delay, err)
		}
		messages = append(messages, keys)
	}
	return messages
}

// A person gets one message of all their invitations, however they are written; those that are over get none, and are gone.
func TestRun_OneMessageAPerson(t *testing.T) {
	d := newDesk(t)
	d.wants(t, 0, 0, 0, 0, 0)
	old := d.Invite(t, d.Main.ID, "old@harbour.example", member.Ordinary)
	d.after(20 * 24 * time.Hour)
	d.wants(t, 0, 1, 0, 0, 0)
	if got := d.named(t); len(got) != 1 || !slices.Equal(got[0], []member.InvitationKey{old}) {
		t.Error(got)
	}
	d.after(10*24*time.Hour - 20*time.Minute)
	var first []member.InvitationKey
	for n, org := range []string{d.Main.ID, d.Other.ID, d.Anchor.ID} {
		first = append(first, d.Invite(t, org, []string{"First@harbour.example", "first@HARBOUR.example"}[n%2], member.Ordinary))
	}
	second := d.Invite(t, d.Main.ID, "second@harbour.example", member.Admin)
	gone := d.Invite(t, d.Member.ID, "first@harbour.example", member.Ordinary)
	if err := d.Store.DeleteWorkspace(t.Context(), d.Member.ID); err != nil {
		t.Fatal(err)
	}
	d.after(20 * time.Minute)
	d.wants(t, 1, 4, 0, 0, 0)
	got := d.named(t)
	slices.SortFunc(got, func(a, b []member.InvitationKey) int { return len(a) - len(b) })
	if len(got) != 2 || !slices.Equal(got[0], []member.InvitationKey{second}) || len(got[1]) != 3 ||
		slices.Contains(got[1], gone) {
		t.Errorf("%v", got)
	}
	for _, key := range first {
		if len(got) == 2 && !slices.Contains(got[1], key) {
			t.Errorf("%v is missing", key)
		}
	}
	d.Is(t, "old@harbour.example", "", nil)
	d.wants(t, 0, 0, 0, 0, 0)
	// They are looked at less and less often, but a few times a day.
	looks := 0
	for range 24 * 4 {
		d.after(15 * time.Minute)
		if _, err := d.ticks(t, t.Context()); err != nil {
			t.Fatal(err)
		}
		looks += len(d.named(t))
	}
	if looks < 2*4 || looks > 2*12 {
		t.Errorf("two people were looked at %d times in a day", looks)
	}
}

// More invitations of one person than a message may name are in several.
func TestRun_ManyOfOnePerson(t *testing.T) {
	d := newDesk(t)
	d.put(t, nudge.MaxInvitations+1, func(int) string { return "newcomer@harbour.example" }, d.Clock.Now())
	d.wants(t, 0, nudge.MaxInvitations+1, 0, 0, 0)
	if got := d.named(t); len(got) != 2 || len(got[0]) != nudge.MaxInvitations || len(got[1]) != 1 {
		t.Errorf("%d messages", len(got))
	}
}

// put writes rows of invitations that are due now, as many as no workspace may have.
func (d desk) put(t testing.TB, n int, email func(int) string, made time.Time) {
	t.Helper()
	const text = "2006-01-02T15:04:05.000Z"
	for from := 0; from < n; from += table.MaxTransaction {
		var writes []table.Write
		for i := from; i < min(n, from+table.MaxTransaction); i++ {
			id := workspace.NewID(member.PrefixInvitation, d.Clock.Now())
			writes = append(writes, table.Put{Table: rows.CoreTable, Item: table.Item{
				table.PartitionAttribute: d.Main.ID,
				table.SortAttribute:      "invitation#" + id,
				"id":                     id,
				"email":                  email(i),
				"role":                   string(member.Ordinary),
				"createdAt":              made.Format(text),
				"goodUntil":              made.Add(member.InvitationLife).Format(text),
				"mail":                   "sent",
				"claims":                 int64(1),
				"rev":                    int64(1),
				"work":                   "invitations",
				"dueAt":                  d.Clock.Now().Format(text),
			}})
		}
		if err := d.Table.Transact(t.Context(), table.Transaction{Writes: writes}); err != nil {
			t.Fatal(err)
		}
	}
}

// 10,000 are more than one invocation takes: it takes its share, and the next one goes on. Each takes little more than
// one round trip.
func TestRun_TenThousand(t *testing.T) {
	d := newDesk(t)
	d.put(t, 10_000, func(i int) string { return fmt.Sprintf("newcomer%d@harbour.example", i) }, d.Clock.Now())
	n := 0
	trips := fault.Around(func(_, _ string, do func() error) error {
		n++
		return do()
	})
	d.options.Store = allstores.New(fault.Table(d.Table, trips), d.Clock)
	seen := map[member.InvitationKey]bool{}
	for call, left := range []int{500, 0, 0} { // of what is left it has read a page
		n = 0
		counts, err := d.ticks(t, t.Context())
		if want := []int{5_000, 5_000, 0}[call]; err != nil || counts["nudged"] != want || counts["left"] != left ||
			counts["failed"] != 0 {
			t.Errorf("call %d: %v, %v", call, counts, err)
		}
		if rate := float64(n) / 5_000; rate > 1.03 {
			t.Errorf("%.3f round trips an invitation", rate)
		}
		t.Logf("call %d: %d round trips of the table", call, n)
		for _, keys := range d.named(t) {
			for _, key := range keys {
				if seen[key] {
					t.Errorf("%v comes twice", key)
				}
				seen[key] = true
			}
		}
	}
	if len(seen) != 10_000 {
		t.Errorf("%d were looked at", len(seen))
	}
}

// When there is not the time for all, it ends, and tells what it left.
func TestRun_NoTime(t *testing.T) {
	d := newDesk(t)
	for n := range 3 {
		d.Invite(t, d.Main.ID, fmt.Sprintf("newcomer%d@harbour.example", n), member.Ordinary)
	}
	d.Add(t, d.Main.ID, d.SignUp(t, "first@harbour.example", ""))
	d.after(20 * time.Minute)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // less than it keeps
	defer cancel()
	if counts, err := d.ticks(t, ctx); err != nil || !reflect.DeepEqual(counts, figures(0, 0, 0, 0, 4)) {
		t.Error(counts, err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	if counts, err := d.ticks(t, ctx); err != nil || !reflect.DeepEqual(counts, figures(0, 3, 1, 0, 0)) {
		t.Error(counts, err)
	}
}

// bad is a store in which one row is of no use: ending it and looking at it again fails, or panics.
type bad struct {
	*allstores.Store
	id     string
	panics bool
}

func (b bad) fail(id string) error {
	switch {
	case id == b.id && b.panics:
		panic("a mistake")
	case id == b.id:
		return errors.New("a bad row")
	}
	return nil
}

func (b bad) ExpireInvitation(ctx context.Context, orgID, id string) (bool, error) {
	if err := b.fail(id); err != nil {
		return false, err
	}
	return b.Store.ExpireInvitation(ctx, orgID, id)
}

func (b bad) LookAgain(ctx context.Context, orgID, id string, then time.Time) error {
	if err := b.fail(id); err != nil {
		return err
	}
	return b.Store.LookAgain(ctx, orgID, id, then)
}

// One bad row keeps none of the others back.
func TestRun_OneBadRow(t *testing.T) {
	for _, panics := range []bool{false, true} {
		for _, passed := range []time.Duration{20 * time.Minute, member.InvitationLife} {
			d := newDesk(t)
			broken := d.Invite(t, d.Main.ID, "newcomer0@harbour.example", member.Ordinary)
			d.after(time.Millisecond)
			for n := range 3 {
				d.Invite(t, d.Main.ID, fmt.Sprintf("newcomer%d@harbour.example", n+1), member.Ordinary)
			}
			d.after(passed)
			d.options.Store = bad{d.Stored, broken.InvitationID, panics}
			counts, err := d.ticks(t, t.Context())
			want := figures(0, 4, 0, 1, 0)
			if passed == member.InvitationLife {
				want = figures(3, 0, 0, 1, 0)
			}
			if err == nil || !reflect.DeepEqual(counts, want) {
				t.Errorf("panics %v, after %v: %v, %v", panics, passed, counts, err)
			}
			d.options.Store = d.Stored
			if counts, err := d.ticks(t, t.Context()); err != nil || counts["expired"]+counts["nudged"] != 1 {
				t.Errorf("the others were left: %v, %v", counts, err)
			}
		}
	}
}

// What a part fails at stays due, and is done by the next call.
func TestRun_PartFails(t *testing.T) {
	t.Setenv("TABLE_ENDPOINT", "") // the clock of a bubble stands still while something waits for the network
	for _, f := range []fault.Fault{
		{Port: fault.TablePort, Operation: "query"}, {Port: fault.TablePort, Operation: "batchGet"},
		{Port: fault.TablePort, Operation: "update"},
		{Port: fault.TablePort, Operation: "transact"}, {Port: fault.TablePort, Operation: "get"},
		{Port: fault.TablePort, Operation: "delete"},
		{Port: fault.QueuePort, Operation: "send"}, {Port: fault.IdentityPort, Operation: "join"},
	} {
		t.Run(f.Port+" "+f.Operation, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // in which no repeat takes its time
				d := newDesk(t)
				d.Invite(t, d.Main.ID, "old@harbour.example", member.Ordinary)
				d.after(member.InvitationLife - 20*time.Minute)
				open := d.Invite(t, d.Main.ID, "newcomer@harbour.example", member.Ordinary)
				account := d.SignUp(t, "first@harbour.example", "")
				d.Add(t, d.Main.ID, account)
				d.after(20 * time.Minute)
				f.Fault = fault.Error
				if err := d.Ports.Add(f); err != nil {
					t.Fatal(err)
				}
				if counts, err := d.ticks(t, t.Context()); err == nil || counts["failed"] == 0 {
					t.Error(counts, err)
				}
				d.Ports.Clear()
				sent := len(d.named(t))
				d.after(6 * time.Minute) // a move that failed is tried again
				if _, err := d.ticks(t, t.Context()); err != nil {
					t.Error(err)
				}
				if sent += len(d.named(t)); sent == 0 {
					t.Error("nobody was told")
				}
				if err := d.Store.Withdraw(t.Context(), d.Main.ID, open.InvitationID); err != nil {
					t.Fatal(err)
				}
				d.Is(t, "old@harbour.example", "", nil)
				d.Is(t, "first@harbour.example", account.ID, map[string]member.Role{d.Main.ID: member.Ordinary})
			})
		})
	}
}

// noGroup is a directory in which one workspace's group cannot be joined.
type noGroup struct {
	identity.Directory
	group string
	tried *int
}

func (n noGroup) Join(ctx context.Context, group, accountID string) error {
	if group == n.group {
		*n.tried++
		return identity.ErrUnavailable
	}
	return n.Directory.Join(ctx, group, accountID)
}

// Moves that nobody has made are made, joins and leaves; one that cannot be is tried less and less often, and keeps none back.
func TestRun_Moves(t *testing.T) {
	d := newDesk(t)
	tried := 0
	d.options.Directory = noGroup{d.Directory, d.Main.ID, &tried}
	account := d.SignUp(t, "first@harbour.example", "")
	in := map[string]member.Role{}
	for _, org := range []string{d.Main.ID, d.Other.ID, d.Anchor.ID} {
		d.Add(t, org, account)
		in[org] = member.Ordinary
		d.after(time.Second)
	}
	d.wants(t, 0, 0, 0, 0, 0) // who wrote them may be at them
	d.after(time.Minute)
	d.wants(t, 0, 0, 2, 1, 0)
	d.wants(t, 0, 0, 0, 0, 0)
	for range 24 * 4 {
		d.after(15 * time.Minute)
		if _, err := d.ticks(t, t.Context()); err != nil && !errors.Is(err, identity.ErrUnavailable) {
			t.Fatal(err)
		}
	}
	if tried < 5 || tried > 14 {
		t.Errorf("it was tried %d times in a day", tried)
	}
	d.options.Directory = d.Directory
	d.after(6 * time.Hour)
	d.wants(t, 0, 0, 1, 0, 0)
	d.Is(t, account.Email, account.ID, in)
	members, _, err := d.Store.Members(t.Context(), d.Other.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Store.RemoveMember(t.Context(), d.Other.ID, members[0].ID, ""); err != nil {
		t.Fatal(err)
	}
	if err := d.Store.DeleteWorkspace(t.Context(), d.Anchor.ID); err != nil {
		t.Fatal(err)
	}
	d.after(time.Minute)
	d.wants(t, 0, 0, 1, 0, 0)
	people, err := d.People.List(t.Context(), 1)
	if err != nil || slices.Contains(people[0].Groups, d.Other.ID) || len(people[0].Groups) != 2 {
		t.Errorf("they are in %v, and should have left %s", people[0].Groups, d.Other.ID)
	}
}
