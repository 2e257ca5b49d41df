package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	composed "earshot/functions/local/deployment"
	"earshot/shared/port/identity"
	"earshot/shared/port/queue"
	"earshot/shared/worldtest"
)

// ofAgency calls the agency's function with its key.
func (p *play) ofAgency(status int, method, target, body string, header ...string) []byte {
	p.t.Helper()
	return p.askOf("agency", status, method, target, body, append(header, "Authorization", "Bearer "+p.world.Master)...)
}

// workspaces makes workspaces of an agency, and deletes one that has something of everything, with all that it leaves.
func (p *play) workspaces() {
	p.t.Helper()
	p.ofAgency(200, "GET", "agency", "")
	for range 2 { // a repeat makes no second one
		p.ofAgency(200, "POST", "agency/workspaces", `{"name":"Bakery","domain":"bakery.example"}`, "Idempotency-Key", "bakery")
	}
	p.ofAgency(400, "POST", "agency/workspaces", "{\"name\":\"\u200b\"}", "Idempotency-Key", "malformed")
	id := p.made(p.ofAgency(200, "POST", "agency/workspaces", `{"name":"Cafe"}`))
	p.ofAgency(200, "GET", "agency/workspaces", "")

	worldtest.Fill(p.t, p.world, id)
	for range 2 {
		var gone struct{ CognitoOrgDeleted bool }
		answer := p.ofAgency(200, "DELETE", "agency/workspaces/"+id, "", "Idempotency-Key", "cafe")
		if err := json.Unmarshal(answer, &gone); err != nil || !gone.CognitoOrgDeleted {
			p.t.Errorf("%s %v", answer, err)
		}
	}
	p.tick("purge", 0)
	p.tick("purge", 61*time.Minute)
	left := slices.DeleteFunc(worldtest.Left(p.t, p.world, id),
		func(row worldtest.Row) bool { return row.Partition == p.world.Agency.ID })
	if len(left) > 0 { // beside what the agency keeps for a while
		p.t.Errorf("the purge leaves %v", left)
	}
}

// people invites some who have an account and some who have none. Of these one signs up and the trigger comes, one and
// the message comes, one and the schedule comes, and one never does.
func (p *play) people() {
	p.t.Helper()
	var all struct{ Data []struct{ ID string } }
	if err := json.Unmarshal(p.ofAgency(200, "GET", "agency/workspaces", ""), &all); err != nil || len(all.Data) < 2 {
		p.t.Fatalf("%+v %v", all, err)
	}
	p.signed["known@harbour.example"] = true
	invite := `{"targetOrgIds":"all","role":"org:member","emails":["known@harbour.example","first@harbour.example","second@harbour.example",` +
		`"third@harbour.example","fourth@harbour.example","never@harbour.example"]}`
	for range 2 {
		p.ofAgency(200, "POST", "agency/members/invite", invite, "Idempotency-Key", "invite")
	}
	p.ofAgency(200, "POST", "agency/members/invite", invite)
	p.take("invitations", queue.Invitations) // of people who have no account yet

	p.arrive("first@harbour.example", len(all.Data))
	p.take("invitations", queue.Invitations) // when everything is done
	p.signed["second@harbour.example"] = true
	p.tick("invitecleanup", 7*time.Hour)
	p.take("invitations", queue.Invitations)

	// Who signs up while the directory's groups cannot be changed is let in all the same, and the groups follow; so
	// they do when somebody leaves. One is made up for by the message, one by the schedule.
	p.frozen = true
	p.arrive("third@harbour.example", len(all.Data))
	p.leaves("known@harbour.example")
	p.frozen = false
	p.take("invitations", queue.Invitations)
	p.frozen = true
	p.arrive("fourth@harbour.example", len(all.Data))
	p.leaves("first@harbour.example")
	p.frozen = false
	p.tick("invitecleanup", 2*time.Minute)
	p.tick("invitecleanup", 31*24*time.Hour)
	var open struct{ Data []struct{ ID string } }
	if err := json.Unmarshal(p.within("GET", "org/members/invitations"), &open); err != nil || len(open.Data) > 0 {
		p.t.Errorf("after a month: %+v %v", open, err)
	}
}

// within calls the function of members for a workspace of the agency.
func (p *play) within(method, target string) []byte {
	p.t.Helper()
	return p.askOf("members", 200, method, target, "", "Authorization", "Bearer "+p.world.Master,
		"x-earshot-organization-id", p.world.Member.ID)
}

// leaves takes a member out of that workspace.
func (p *play) leaves(email string) {
	p.t.Helper()
	var members struct{ Data []struct{ ID, Email string } }
	if err := json.Unmarshal(p.within("GET", "org/members"), &members); err != nil {
		p.t.Fatal(err)
	}
	for _, m := range members.Data {
		if m.Email == email {
			p.within("DELETE", "org/members/"+m.ID)
			return
		}
	}
	p.t.Fatalf("%s is no member: %v", email, members.Data)
}

// arrive signs somebody up, whom the trigger lets into as many workspaces, or says why not all is done.
func (p *play) arrive(email string, workspaces int) {
	p.t.Helper()
	p.signed[email] = true
	account := identity.Account{ID: "account of " + email, Email: email, Name: "Newcomer"}
	granted, err := composed.Arrived(p.parts["accountcreated"])(p.t.Context(), account)
	if len(granted) != workspaces || (err != nil) != p.frozen {
		p.t.Errorf("%s is let into %d of %d workspaces: %v", fmt.Sprintf("%.5s", email), len(granted), workspaces, err)
	}
}
