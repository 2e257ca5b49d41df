package main

import (
	"context"
	"net/http"
	"slices"
)

// People. An address is invited once; what it is then is "invited", and "member" once it has signed up or where it had
// an account. Each gets one mail at most, and one exactly when the first request was acknowledged.

// sent enters what an answer says of the mail to an address. After a request that failed nobody can tell: the mail is
// marked as sent before it is, so that there is never a second one.
func (c *client) sent(email string, got answer, invited bool) {
	m := c.mails[email]
	m.most = max(m.most, 1)
	switch got.outcome() {
	case acknowledged:
		if invited && !m.doubtful {
			m.least = 1
		}
	case unknown:
		m.doubtful = true
	}
	c.mails[email] = m
}

func inviteMember(ctx context.Context, c *client) {
	email := c.name() + "@northwind.example"
	role := []string{"org:member", "org:admin"}[c.random.IntN(2)]
	c.change(
		ctx,
		write{
			request: request{
				target: "/api/v2/org/members/invite",
				key:    c.admin,
				body:   body(object{"email": email, "role": role}),
			},
			changes: []change{{"member", email, "invited"}},
			then: func(got answer) {
				var done struct{ Action string }
				got.read(&done)
				c.sent(email, got, done.Action == "invited")
			},
		},
	)
}

// signUp makes an account of somebody who is invited, and lets them in, at once or later.
func signUp(ctx context.Context, c *client) {
	email, found := c.pick(c.ledger.certain("member", "invited"))
	if !found {
		inviteMember(ctx, c)
		return
	}
	r := request{
		method: http.MethodPost,
		target: "/_local/accounts",
		body:   body(object{"email": email, "name": "A newcomer"}),
	}
	c.ledger.later("member", email, "member", r.String())
	got := c.api.send(ctx, r)
	for n := 0; n < repeatBound && got.outcome() == unknown && !got.broken; n++ {
		got = c.api.send(ctx, r)
	}
	var done struct{ Granted []string }
	if got.read(&done); slices.Contains(done.Granted, c.home.workspace) {
		c.ledger.told(acknowledged, r.String(), change{"member", email, "member"})
	} else if got.ok() {
		c.ledger.eventually("member", email, "member", r.String())
	}
}

func removeMember(ctx context.Context, c *client) {
	email, found := c.pick(c.ledger.certain("member", "member"))
	if !found {
		c.get(ctx, "/api/v2/org/members/invitations")
		return
	}
	id := c.ledger.idOf("member", email)
	if id == "" {
		var members struct{ Data []shown }
		got := c.get(ctx, "/api/v2/org/members")
		got.read(&members)
		for _, m := range members.Data {
			if m.Email == email {
				id = m.id()
			}
		}
		if id == "" {
			if got.ok() {
				c.findings.add("member %s was acknowledged and is lost\n  answer   %s", email, got)
			}
			return
		}
	}
	c.change(ctx, write{request: request{method: http.MethodDelete, target: "/api/v2/org/members/" + id, key: c.admin},
		changes: append(c.endings(email), change{"member", email, ""}), then: func(got answer) {
			if got.ok() {
				c.close(email)
			}
		}})
}

// invitation finds the id of an open invitation; empty if there is none, or the list is not read.
func (c *client) invitation(ctx context.Context) (email, id string) {
	email, found := c.pick(c.ledger.certain("member", "invited"))
	if !found {
		return "", ""
	}
	var invitations struct{ Data []shown }
	c.get(ctx, "/api/v2/org/members/invitations").read(&invitations)
	for _, i := range invitations.Data {
		if i.Email == email {
			return email, i.id()
		}
	}
	return "", ""
}

func revokeInvitation(ctx context.Context, c *client) {
	email, id := c.invitation(ctx)
	if id == "" {
		inviteMember(ctx, c)
		return
	}
	c.change(ctx, write{request: request{method: http.MethodDelete, target: "/api/v2/org/members/" + id, key: c.admin},
		changes: []change{{"member", email, ""}}})
}

// resendInvitation has a mail sent again: each request may bring a further one.
func resendInvitation(ctx context.Context, c *client) {
	email, id := c.invitation(ctx)
	if id == "" {
		inviteMember(ctx, c)
		return
	}
	m := c.mails[email]
	m.most++
	c.mails[email] = m
	c.api.send(
		ctx,
		request{method: http.MethodPost, target: "/api/v2/org/members/invitations/" + id + "/resend", key: c.admin},
	)
}

// The agency's workspaces.

func createWorkspace(ctx context.Context, c *client) {
	name := "Branch " + c.name()
	c.change(
		ctx,
		write{
			request: request{
				target: "/api/v2/agency/workspaces",
				key:    c.master,
				body:   body(object{"name": name, "plan": "free_trial"}),
			},
			changes: []change{{"workspace", name, "free_trial"}},
			then:    c.learn("workspace", name),
		},
	)
}

func deleteWorkspace(ctx context.Context, c *client) {
	name, found := c.pick(c.madeOnes("workspace"))
	if !found {
		createWorkspace(ctx, c)
		return
	}
	c.change(
		ctx,
		write{
			request: request{
				method: http.MethodDelete,
				target: "/api/v2/agency/workspaces/" + c.ledger.idOf("workspace", name),
				key:    c.master,
			},
			changes: []change{{"workspace", name, ""}},
		},
	)
}

// inviteAgency invites somebody into the client's workspace and into others of its agency, with one mail.
func inviteAgency(ctx context.Context, c *client) {
	email, targets := c.name()+"@harbour.example", []string{c.home.workspace}
	for n, name := range c.madeOnes("workspace") {
		if n < 3 {
			targets = append(targets, c.ledger.idOf("workspace", name))
		}
	}
	c.change(ctx, write{request: request{target: "/api/v2/agency/members/invite", key: c.master,
		body: body(object{"emails": []string{email}, "role": "org:member", "targetOrgIds": targets})},
		changes: []change{{"member", email, "invited"}}, then: func(got answer) {
			var done struct {
				Results []struct {
					Success       bool
					Action, OrgID string
				}
			}
			got.read(&done)
			invited, failed := 0, false
			for _, result := range done.Results {
				failed = failed || !result.Success
				if result.OrgID == c.home.workspace && !result.Success {
					c.ledger.told(unknown, "a pair that was not let in: "+got.String(), change{"member", email, ""})
				}
				if result.Success && result.Action == "invited" {
					invited++
				}
			}
			if got.ok() && len(done.Results) != len(targets) {
				c.findings.add(
					"an invitation to %d workspaces has %d results\n  answer   %s", len(targets), len(done.Results),
					got,
				)
			}
			c.sent(email, got, invited > 0 && !failed)
		}})
}
