package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A person without an account is sent one mail, signs up, and is a member; one with an account is a member at once. All
// of it is there when the program comes again.
func TestInvitedPeople(t *testing.T) {
	onBoth(t, func(t *testing.T, settings ...string) {
		b := begin(t, settings...)
		admin := b.demo.Keys.Admin
		invite := func(email string) answer {
			return b.keyed(t, "POST", "/api/v2/org/members/invite", admin,
				fmt.Sprintf(`{"email":%q,"role":"org:member"}`, email))
		}
		var invited struct{ Action string }
		for _, email := range []string{"Quiet.Harbor@northwind.example", "quiet.harbor@Northwind.example"} {
			invite(email).ok(t, &invited)
			if invited.Action != "invited" {
				t.Errorf("%s: %s", email, invited.Action)
			}
		}
		var outbox struct {
			Mails []struct{ To, Subject, Text, HTML, SentAt string }
		}
		b.ask(t, "GET", "/_local/outbox", "").ok(t, &outbox)
		if len(outbox.Mails) != 1 || outbox.Mails[0].To != "Quiet.Harbor@northwind.example" ||
			!strings.Contains(outbox.Mails[0].Text, b.url+"/_local/accounts") {
			t.Fatalf("%+v", outbox)
		}
		var signedUp struct {
			ID      string
			Granted []string
		}
		northwind := b.demo.Workspaces["northwind"]
		b.ask(t, "POST", "/_local/accounts", `{"email":"quiet.harbor@northwind.example","name":"Quiet Harbor"}`).
			ok(t, &signedUp)
		if fmt.Sprint(signedUp.Granted) != fmt.Sprint([]string{northwind}) {
			t.Errorf("granted %v", signedUp.Granted)
		}
		b.ask(t, "POST", "/_local/accounts", `{"email":"first@northwind.example"}`).ok(t, nil)
		invite("First@northwind.example").ok(t, &invited)
		if invited.Action != "granted" {
			t.Errorf("who has an account is %s", invited.Action)
		}
		members := b.keyed(t, "GET", "/api/v2/org/members", admin, "")
		if members.ok(t, nil); strings.Count(strings.ToLower(members.body), "quiet.harbor@northwind.example") != 1 ||
			!strings.Contains(members.body, "First@northwind.example") {
			t.Errorf("%s", members.body)
		}
		var accounts struct {
			Accounts []struct {
				Email  string
				Groups []string
			}
		}
		b.ask(t, "GET", "/_local/accounts", "").ok(t, &accounts)
		for _, account := range accounts.Accounts {
			if fmt.Sprint(account.Groups) != fmt.Sprint([]string{northwind}) {
				t.Errorf("%+v", account)
			}
		}
		b.ask(t, "GET", "/_local/outbox", "").ok(t, &outbox)
		if len(outbox.Mails) != 1 || len(accounts.Accounts) != 2 {
			t.Errorf("%d mails, %d accounts", len(outbox.Mails), len(accounts.Accounts))
		}
	})
}

// A mailer that turned the mail away is asked again by the same request. One that did not answer, or died after the
// mail had gone, may have sent it: the same request sends no second mail, and says that nobody knows.
func TestMailThatFails(t *testing.T) {
	b := begin(t)
	for i, c := range []struct {
		fault, code string
		mails       int
	}{{"throttle", "INTERNAL_ERROR", 1}, {"error", "INTERNAL_ERROR", 0}, {"crash", "INTERNAL_ERROR", 1}} {
		email := fmt.Sprintf("person-%d@northwind.example", i)
		body := fmt.Sprintf(`{"email":%q,"role":"org:member"}`, email)
		b.ask(t, "POST", "/_local/faults", fmt.Sprintf(`{"port":"mail","operation":"send","fault":%q,"times":1}`, c.fault)).
			ok(t, nil)
		b.keyed(t, "POST", "/api/v2/org/members/invite", b.demo.Keys.Admin, body).is(t, 500, c.code)
		again := b.keyed(t, "POST", "/api/v2/org/members/invite", b.demo.Keys.Admin, body)
		if c.fault == "throttle" {
			again.ok(t, nil)
		} else {
			again.is(t, 400, "INVALID_INPUT")
		}
		outbox := b.ask(t, "GET", "/_local/outbox", "")
		var shown struct{ Mails []struct{ To string } }
		if err := json.Unmarshal([]byte(outbox.body), &shown); err != nil {
			t.Fatal(err)
		}
		sent := 0
		for _, mail := range shown.Mails {
			if mail.To == email {
				sent++
			}
		}
		if sent != c.mails {
			t.Errorf("%s: %d mails", c.fault, sent)
		}
	}
}
