package members_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/functions/members"
	"earshot/shared/member"
	"earshot/shared/worldtest"
)

func TestInvite_Account(t *testing.T) {
	d := newDesk(t)
	owner := d.owner(t, d.Main.ID)
	d.signUp("First@X.io", "account-first", "First\r\nL.")
	first := d.granted(t, "FIRST@x.io", "org:admin")
	if first.Email != "FIRST@x.io" || first.Name.OrZero() != "First L." || first.Role != "org:admin" || first.Superadmin ||
		first.CreatedAt != "2026-11-20T10:15:00.000Z" {
		t.Errorf("%+v", first)
	}
	if len(d.mails.Sent) != 0 || !d.in(d.Main.ID, "account-first") {
		t.Errorf("%d mails, groups %v", len(d.mails.Sent), d.groups)
	}
	d.invite(t, "first@x.io", "org:member").Is(t, 400, "ITEM_EXISTS")
	d.invite(t, "Owner@northwind.example", "org:member").Is(t, 400, "ITEM_EXISTS")
	list := d.as(d.Read).members(t)
	slices.SortFunc(list, func(a, b members.Member) int { return strings.Compare(a.Email, b.Email) })
	if len(list) != 2 || list[0].ID != first.ID || list[1].ID != owner.ID || !list[1].Superadmin ||
		list[1].Name.OrZero() != "Ola" {
		t.Errorf("%+v", list)
	}
	if others := d.as(d.OtherKey).members(t); len(others) != 0 {
		t.Errorf("another workspace has %v", others)
	}
}

func TestInvite_NoAccount(t *testing.T) {
	d := newDesk(t)
	first := d.invited(t, "New@x.io", "org:member")
	if first.Email != "New@x.io" || first.Role != "org:member" || first.Status != "pending" ||
		first.CreatedAt != "2026-11-20T10:15:00.000Z" ||
		first.ExpiresAt != "2026-12-20T10:15:00.000Z" {
		t.Errorf("%+v", first)
	}
	if len(d.mails.Sent) != 1 || d.mails.Sent[0].To != "New@x.io" ||
		!strings.Contains(d.mails.Sent[0].Subject, "Northwind") ||
		!strings.Contains(d.mails.Sent[0].Text, "https://people.example/signup") {
		t.Fatalf("%+v", d.mails.Sent)
	}
	d.World.Clock.Freeze(worldtest.Now.Add(29 * 24 * time.Hour))
	if again := d.invited(t, "new@X.IO", "org:admin"); again.ID != first.ID || again.Role != "org:admin" ||
		again.Email != "New@x.io" {
		t.Errorf("%+v", again)
	}
	if len(d.mails.Sent) != 1 {
		t.Errorf("%d mails", len(d.mails.Sent))
	}
	d.World.Clock.Freeze(worldtest.Now.Add(member.InvitationLife))
	if list := d.as(d.Read).invitations(t); len(list) != 1 || list[0].Status != "expired" || list[0].Role != "org:admin" {
		t.Errorf("%+v", list)
	}
	second := d.invited(t, "new@x.io", "org:member")
	if second.ID == first.ID || second.Status != "pending" || second.Role != "org:member" || d.mails.To("new@x.io") != 1 {
		t.Errorf("%+v, %d mails", second, d.mails.To("new@x.io"))
	}
	if list := d.invitations(t); len(list) != 1 || list[0].ID != second.ID {
		t.Errorf("%+v", list)
	}
	// The person signs up, and whoever invites them again before anybody has told the store makes them a member.
	d.signUp("new@x.io", "account-new", "")
	if m := d.granted(t, "new@x.io", "org:member"); m.Name.Value != nil {
		t.Errorf("%+v", m)
	}
	if len(d.mails.Sent) != 2 || len(d.invitations(t)) != 0 {
		t.Errorf("%d mails, invitations %v", len(d.mails.Sent), d.invitations(t))
	}
}

// Who signs up between the look for their account and the invitation is no less a member: at the sign-up there was
// nothing to accept yet.
func TestInvite_SignsUpMeanwhile(t *testing.T) {
	d := newDesk(t)
	for _, named := range [][]string{nil, {"Idempotency-Key", "k"}} {
		email := fmt.Sprintf("new%d@x.io", len(named))
		d.unknown = func() {
			d.signUp(email, "account-"+email, "Nia")
			if granted, err := d.Store.AcceptInvitations(t.Context(), email, "account-"+email, "Nia"); err != nil ||
				len(granted) > 0 {
				t.Error(granted, err)
			}
		}
		nia := d.granted(t, email, "org:admin", named...)
		if nia.Name.OrZero() != "Nia" || nia.Role != "org:admin" || !d.in(d.Main.ID, "account-"+email) {
			t.Errorf("%+v, groups %v", nia, d.groups)
		}
		if len(d.mails.Sent) != 0 || len(d.invitations(t)) != 0 {
			t.Errorf("%d mails, %v", len(d.mails.Sent), d.invitations(t))
		}
		if named != nil {
			if again := d.granted(t, email, "org:admin", named...); again.ID != nia.ID {
				t.Errorf("%+v", again)
			}
		}
	}
	// Or who signs up right after it, and accepts it before the invite has looked again.
	d.known = func() {
		if _, err := d.Store.AcceptInvitations(t.Context(), "late@x.io", "account-late", ""); err != nil {
			t.Error(err)
		}
	}
	d.unknown = func() { d.signUp("late@x.io", "account-late", "") }
	d.granted(t, "late@x.io", "org:member")
	if list := d.members(t); len(list) != 3 || len(d.mails.Sent) != 0 || len(d.invitations(t)) != 0 {
		t.Errorf("%+v, %d mails, %v", list, len(d.mails.Sent), d.invitations(t))
	}
}

func TestInvite_Malformed(t *testing.T) {
	d := newDesk(t)
	d.as(d.Write).invite(t, "a@x.io", "org:member").Is(t, 403, "FORBIDDEN")
	long := strings.Repeat("a", 65) + "@x.io"
	for _, c := range []struct{ body, want string }{
		{`{}`, "[email required role required]"},
		{`[]`, "[body type]"},
		{`{"email":"a@x.io","role":"admin"}`, "[role enum]"},
		{`{"email":null,"role":null}`, "[email type role type]"},
		{`{"email":7,"role":true}`, "[email type role type]"},
		{`{"email":"","role":"org:admin"}`, "[email pattern]"},
		{`{"email":".a@x.io","role":"org:admin"}`, "[email pattern]"},
		{`{"email":"a..b@x.io","role":"ORG:ADMIN"}`, "[email pattern role enum]"},
		{`{"email":" a@x.io","role":"org:admin"}`, "[email pattern]"},
		{`{"email":"a@x.io\n","role":"org:admin"}`, "[email pattern]"},
		{`{"email":"a@x.io\r\nBcc: b@x.io","role":"org:admin"}`, "[email pattern]"},
		{`{"email":"` + strings.Repeat("a", 250) + `@x.io","role":"org:admin"}`, "[email max_length]"},
		{`{"email":"` + long + `","role":"org:admin"}`, "[email max_length]"},
		{`{"email":"` + long + `","role":"x"}`, "[email max_length role enum]"},
		{`{"email":"a@x.io","role":"org:admin","name":"A"}`, "[name unknown]"},
		{`{"Email":"a@x.io","role":"org:admin"}`, "[Email unknown email required]"},
	} {
		var got []string
		for _, detail := range d.Post(t, "/api/v2/org/members/invite", c.body).Is(t, 400, "VALIDATION_ERROR").Details {
			got = append(got, detail.Path+" "+detail.Code)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.body, got, c.want)
		}
	}
	if len(d.mails.Sent) != 0 || len(d.invitations(t)) != 0 {
		t.Error("a refused invite was done")
	}
}

// However many invite one person at once, there is one invitation and one mail, or one membership.
func TestInvite_AtOnce(t *testing.T) {
	d := newDesk(t)
	d.signUp("first@x.io", "account-first", "The first")
	var group sync.WaitGroup
	var mu sync.Mutex
	ids, granted, exists := map[string]bool{}, 0, 0
	for n := range 24 {
		role := []string{"org:admin", "org:member"}[n/2%2]
		group.Go(func() {
			if n%2 == 0 {
				answer := d.invite(t, []string{"new@x.io", "NEW@x.io"}[n/4%2], role)
				if answer.Status != http.StatusOK { // while another was handing the mail over
					answer.Is(t, 400, "INVALID_INPUT")
					return
				}
				var result members.InviteResult
				answer.OK(t, &result)
				mu.Lock()
				defer mu.Unlock()
				ids[result.Invitation.Value.ID] = true
				return
			}
			answer := d.invite(t, "first@x.io", role)
			mu.Lock()
			defer mu.Unlock()
			if answer.Status == http.StatusOK {
				granted++
			} else {
				answer.Is(t, 400, "ITEM_EXISTS")
				exists++
			}
		})
	}
	group.Wait()
	ids[d.invited(t, "new@x.io", "org:member").ID] = true
	if len(ids) != 1 || len(d.mails.Sent) != 1 {
		t.Errorf("%d invitations, %d mails", len(ids), len(d.mails.Sent))
	}
	if granted != 1 || exists != 11 || len(d.members(t)) != 1 || !d.in(d.Main.ID, "account-first") {
		t.Errorf("granted %d times, refused %d times", granted, exists)
	}
}
