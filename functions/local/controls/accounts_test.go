package controls_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/shared/embedded/fault"
	"earshot/shared/member"
	"earshot/shared/worldtest"
)

type signedUp struct {
	ID, Email string
	Granted   []string
}

type listedAccounts struct {
	Accounts []struct {
		ID, Email, Name string
		Groups          []string
	}
}

func TestSignUp(t *testing.T) {
	d := newDesk(t)
	var first, again signedUp
	d.post("/_local/accounts", `{"email":"Quiet.Harbor@northwind.example","name":" Quiet Harbor "}`).ok(t, &first)
	if first.ID == "" || first.Email != "Quiet.Harbor@northwind.example" || first.Granted == nil ||
		len(first.Granted) != 0 {
		t.Errorf("%+v", first)
	}
	d.post("/_local/accounts", `{"email":"quiet.harbor@NORTHWIND.example"}`).ok(t, &again)
	if fmt.Sprint(again) != fmt.Sprint(first) {
		t.Errorf("%+v, want %+v", again, first)
	}
	d.post("/_local/accounts", `{"email":"first@northwind.example","name":null}`).ok(t, &again)
	var listed listedAccounts
	d.do("GET", "/_local/accounts", nil).ok(t, &listed)
	if len(listed.Accounts) != 2 || listed.Accounts[1].Name != "Quiet Harbor" || listed.Accounts[0].Groups == nil ||
		again.ID == first.ID {
		t.Errorf("%+v", listed)
	}
	d.do("GET", "/_local/accounts?x=1", nil).is(t, 400, "VALIDATION_ERROR")
	for body, want := range map[string]string{
		`{}`: "email required", `{"email":null}`: "email required", `{"email":""}`: "email required",
		`{"email":1}`:       "email type",
		`{"email":"first"}`: "email format", `{"email":"a..b@c.example"}`: "email format",
		`{"email":"a@b.example\n"}`:       "email format",
		`{"email":"First <a@b.example>"}`: "email format", `{"email":"a@b.example","name":"a\nb"}`: "name format",
		`{"email":"x","name":"` + strings.Repeat("é", 101) + `"}`: "email format name format",
		`{"email":"a@b.example","role":"x"}`:                      "role unknown",
		`{"email":"a@b.example","email":"a@b.example"}`:           "email duplicate", ``: "body syntax",
		`"a@b.example"`: "body type",
	} {
		if got := fmt.Sprint(d.post("/_local/accounts", body).is(t, 400, "VALIDATION_ERROR")); got != "["+want+"]" {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	d.do("GET", "/_local/accounts", nil).ok(t, &listed)
	if len(listed.Accounts) != 2 {
		t.Errorf("%d accounts", len(listed.Accounts))
	}
}

// invite puts an invitation into the store, without its mail.
func (d desk) invite(t *testing.T, workspaceID, email string) {
	t.Helper()
	if err := worldtest.InviteOne(t.Context(), d.Store, workspaceID, member.Member{Email: email, Role: member.Ordinary},
		"").Err; err != nil {
		t.Fatal(err)
	}
}

// Who signs up is in the workspaces that they were invited to, and in their groups.
func TestSignUpOfTheInvited(t *testing.T) {
	d := newDesk(t)
	d.invite(t, d.Main.ID, "Quiet.Harbor@northwind.example")
	d.invite(t, d.Other.ID, "quiet.harbor@Northwind.example")
	d.invite(t, d.Main.ID, "first@northwind.example")
	var answer signedUp
	d.post("/_local/accounts", `{"email":"quiet.harbor@northwind.example","name":"Quiet"}`).ok(t, &answer)
	want := []string{d.Main.ID, d.Other.ID}
	slices.Sort(want)
	if fmt.Sprint(answer.Granted) != fmt.Sprint(want) {
		t.Errorf("granted %v, want %v", answer.Granted, want)
	}
	var listed listedAccounts
	d.do("GET", "/_local/accounts", nil).ok(t, &listed)
	if fmt.Sprint(listed.Accounts[0].Groups) != fmt.Sprint(want) {
		t.Errorf("groups %v, want %v", listed.Accounts[0].Groups, want)
	}
	members, _, err := d.Store.Members(t.Context(), d.Main.ID)
	if err != nil || !slices.ContainsFunc(members,
		func(m member.Member) bool { return m.AccountID == answer.ID && m.Name == "Quiet" }) {
		t.Errorf("%+v, %v", members, err)
	}
	d.post("/_local/accounts", `{"email":"quiet.harbor@northwind.example"}`).ok(t, &answer)
	if len(answer.Granted) != 0 {
		t.Errorf("granted again: %v", answer.Granted)
	}
}

// A sign-up that failed or crashed halfway is sent again, and does what was left.
func TestSignUpAgainAfterAFault(t *testing.T) {
	for _, kind := range []fault.Kind{fault.Error, fault.Crash} {
		for _, operation := range []string{"query", "transact"} {
			t.Run(operation+" "+string(kind), func(t *testing.T) {
				d := newDesk(t)
				d.invite(t, d.Main.ID, "first@northwind.example")
				d.Fault(fault.Fault{Port: fault.TablePort, Operation: operation, Fault: kind, Times: 1})
				first := d.post("/_local/accounts", `{"email":"first@northwind.example"}`)
				if kind == fault.Crash {
					first.is(t, 500, "INTERNAL_ERROR")
				}
				d.post("/_local/accounts", `{"email":"first@northwind.example"}`).ok(t, nil)
				members, _, err := d.Store.Members(t.Context(), d.Main.ID)
				if count := len(slices.DeleteFunc(members,
					func(m member.Member) bool { return m.Email != "first@northwind.example" })); err != nil || count != 1 {
					t.Errorf("%d members, %v", count, err)
				}
				people, err := d.People().List(t.Context(), 10)
				if err != nil || len(people) != 1 {
					t.Errorf("%v, %v", people, err)
				}
			})
		}
	}
}

// A directory that does not answer keeps nobody out: its groups follow when they can.
func TestSignUpWithoutGroups(t *testing.T) {
	d := newDesk(t)
	d.invite(t, d.Main.ID, "first@northwind.example")
	d.Fault(fault.Fault{Port: fault.IdentityPort, Operation: "join", Fault: fault.Error, Times: 1})
	var answer signedUp
	d.post("/_local/accounts", `{"email":"first@northwind.example"}`).ok(t, &answer)
	if len(answer.Granted) != 1 {
		t.Errorf("granted %v", answer.Granted)
	}
	member.Desk{Store: d.Store, Directory: d.People()}.CatchUp(t.Context(), d.Main.ID)
	people, err := d.People().List(t.Context(), 10)
	if err != nil || len(people) != 1 || fmt.Sprint(people[0].Groups) != fmt.Sprint([]string{d.Main.ID}) {
		t.Errorf("%+v, %v", people, err)
	}
}
