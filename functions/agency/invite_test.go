package agency_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"earshot/events/message/nudge"
	"earshot/functions/agency"
	"earshot/shared/member"
	"earshot/shared/port/mail"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

const invitePath = "/api/v2/agency/members/invite"

// asks sends a call; targets is "all" or a list of ids.
func (d desk) asks(t testing.TB, targets any, emails []string, role member.Role, header ...string) worldtest.Answer {
	t.Helper()
	body, err := json.Marshal(map[string]any{"targetOrgIds": targets, "emails": emails, "role": role})
	if err != nil {
		t.Fatal(err)
	}
	return d.Post(t, invitePath, string(body), header...)
}

// invites sends a call that is not refused, and answers what came of it: "granted", or "!" and the error.
func (d desk) invites(t testing.TB, targets any, emails []string, role member.Role,
	header ...string) (outcomes []string) {
	t.Helper()
	for _, result := range d.results(t, targets, emails, role, header...) {
		outcomes = append(outcomes, outcome(result))
	}
	return outcomes
}

func (d desk) results(t testing.TB, targets any, emails []string, role member.Role,
	header ...string) []agency.AgencyInviteResult {
	t.Helper()
	var answer agency.AgencyInviteResults
	d.asks(t, targets, emails, role, header...).OK(t, &answer)
	return answer.Results
}

func outcome(result agency.AgencyInviteResult) string {
	if result.Success != (result.Error == "") || result.Success != (result.Action != "") {
		return fmt.Sprintf("%+v", result)
	}
	if !result.Success {
		return "!" + result.Error
	}
	return string(result.Action)
}

// said holds outcomes to what is wanted; of a failure "!word" wants a word of it.
func said(t testing.TB, got []string, want ...string) {
	t.Helper()
	ok := len(got) == len(want)
	for i := range want {
		ok = ok && (got[i] == want[i] ||
			strings.HasPrefix(want[i], "!") && strings.HasPrefix(got[i], "!") && strings.Contains(got[i], want[i][1:]))
	}
	if !ok {
		t.Fatalf("got %q, want %q", got, want)
	}
}

// grown gives the agency more workspaces, and answers all of them, oldest first.
func (d desk) grown(t testing.TB, more int) []string {
	t.Helper()
	for n := range more {
		made := worldtest.Now.Add(time.Duration(n+1) * time.Minute)
		must(t, d.Store.CreateWorkspace(t.Context(), workspace.Workspace{ID: workspace.NewID(workspace.PrefixWorkspace, made),
			Name: fmt.Sprint("Further client ", n), Plan: workspace.Pro, AgencyID: d.Agency.ID, CreatedAt: made}))
	}
	found, err := d.Store.AgencyWorkspacesInFull(t.Context(), d.Agency.ID)
	must(t, err)
	var ids []string
	for _, w := range found {
		ids = append(ids, w.ID)
	}
	return ids
}

// to is how many mails went to an address, whatever the case of its letters.
func (d desk) to(email string) int {
	return d.mails.Count(func(m mail.Message) bool { return member.Fold(m.To) == member.Fold(email) })
}

// people lists who is what in a workspace, by folded addresses: "member org:admin", "invitation org:member sent".
func (d desk) people(t testing.TB, orgID string) map[string]string {
	t.Helper()
	members, _, err := d.Store.Members(t.Context(), orgID)
	must(t, err)
	invitations, err := d.Store.Invitations(t.Context(), orgID)
	must(t, err)
	people := map[string]string{}
	for _, m := range members {
		people[member.Fold(m.Email)] += "member " + string(m.Role)
	}
	for _, i := range invitations {
		people[member.Fold(i.Email)] += "invitation " + string(i.Role) + " " + string(i.Mail)
	}
	return people
}

// consistent holds the rows of workspaces to each other: each person is one, and the counts are right.
func (d desk) consistent(t testing.TB, workspaces ...string) {
	t.Helper()
	for _, orgID := range workspaces {
		admins, people := int64(0), d.people(t, orgID)
		for email, what := range people {
			row, err := d.Table.Get(t.Context(),
				table.Get{Table: rows.CoreTable, Key: table.Key{Partition: "person#" + email, Sort: orgID}, Consistent: true})
			must(t, err)
			if kind, _, _ := strings.Cut(what, " "); row[kind] == nil || strings.Count(what, "org:") != 1 {
				t.Errorf("somebody is %q, and the row says %v", what, row)
			}
			if what == "member org:admin" {
				admins++
			}
		}
		counts, err := d.Table.Get(t.Context(),
			table.Get{Table: rows.CoreTable, Key: table.Key{Partition: orgID, Sort: "people"}, Consistent: true})
		must(t, err)
		counted, _ := counts["people"].(int64)
		countedAdmins, _ := counts["admins"].(int64)
		if counted != int64(len(people)) || countedAdmins != admins {
			t.Errorf("counted %v, there are %d people and %d admins", counts, len(people), admins)
		}
	}
}

// nudged lists the workspaces of each message that was sent to whoever looks for accounts.
func (d desk) nudged(t testing.TB) (people [][]string) {
	t.Helper()
	d.nudge.mu.Lock()
	defer d.nudge.mu.Unlock()
	for name, messages := range d.nudge.sent {
		for _, m := range messages {
			keys, err := nudge.ToInvitations(m.Body)
			if err != nil || name != queue.Invitations || m.Delay != time.Minute {
				t.Errorf("%s %s %v: %v", name, m.Body, m.Delay, err)
			}
			var workspaces []string
			for _, key := range keys {
				workspaces = append(workspaces, key.WorkspaceID)
			}
			people = append(people, workspaces)
		}
	}
	return people
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestInvite_AccountAndNone(t *testing.T) {
	d := newDesk(t)
	d.signUp("Known@harbour.example", "account-known", "Known\r\nPerson")
	orgs := []string{d.Member.ID, d.Anchor.ID}
	emails := []string{"New@harbour.example", "KNOWN@harbour.example", "new@HARBOUR.example", "second@harbour.example"}
	results := d.results(t, []string{orgs[0], orgs[1], orgs[0]}, emails, member.Admin)
	want := []agency.AgencyInviteResult{
		{OrgID: orgs[0], Email: emails[0], Success: true, Action: "invited"},
		{OrgID: orgs[1], Email: emails[0], Success: true, Action: "queued"},
		{OrgID: orgs[0], Email: emails[1], Success: true, Action: "granted"},
		{OrgID: orgs[1], Email: emails[1], Success: true, Action: "granted"},
		{OrgID: orgs[0], Email: emails[3], Success: true, Action: "invited"},
		{OrgID: orgs[1], Email: emails[3], Success: true, Action: "queued"},
	}
	if !slices.Equal(results, want) {
		t.Errorf("%+v", results)
	}
	if d.to("new@harbour.example") != 1 || d.to("second@harbour.example") != 1 || len(d.mails.Sent) != 2 {
		t.Fatalf("%d mails", len(d.mails.Sent))
	}
	for _, m := range d.mails.Sent {
		if m.Subject != "Harbour Agency invites you to Harbour client on Earshot" ||
			!strings.Contains(m.Text, "as an admin") {
			t.Errorf("%s\n%s", m.Subject, m.Text)
		}
	}
	for _, orgID := range orgs {
		if accounts, _ := d.group(orgID); !slices.Equal(accounts, []string{"account-known"}) {
			t.Errorf("in the group: %v", accounts)
		}
		if m := d.members(t, orgID); len(m) != 1 || m[0].Name != "Known Person" || m[0].Role != member.Admin ||
			m[0].Email != "KNOWN@harbour.example" {
			t.Errorf("%+v", m)
		}
	}
	if got := fmt.Sprint(d.nudged(t)); got != fmt.Sprintf("[[%s] [%s]]", orgs[1], orgs[1]) {
		t.Error(got)
	}
	d.consistent(t, orgs...)
	// The answer says nothing that does not apply.
	answer := d.asks(t, orgs[:1], emails[1:2], member.Ordinary)
	if got := string(answer.Body); strings.Contains(got, "error") || !strings.Contains(got, `"action":"granted"`) {
		t.Error(got)
	}
	if m := d.members(t, orgs[0]); m[0].Role != member.Admin {
		t.Error("who is a member has another role now")
	}
}

func (d desk) members(t testing.TB, orgID string) []member.Member {
	t.Helper()
	members, _, err := d.Store.Members(t.Context(), orgID)
	must(t, err)
	return members
}

func TestInvite_AllWorkspaces(t *testing.T) {
	d := newDesk(t)
	orgs := d.grown(t, 2)
	results := d.results(t, "all", []string{"new@harbour.example"}, member.Ordinary)
	for i, result := range results {
		if result.OrgID != orgs[i] || outcome(result) != []string{"invited", "queued", "queued", "queued"}[i] {
			t.Errorf("%+v", results)
		}
	}
	if len(results) != 4 || orgs[3] == orgs[0] {
		t.Errorf("%d results of %v", len(results), orgs)
	}
	for i, orgID := range orgs {
		invitations, err := d.Store.Invitations(t.Context(), orgID)
		must(t, err)
		if want := []member.MailState{member.MailSent, member.MailQueued, member.MailQueued,
			member.MailQueued}[i]; len(invitations) != 1 || invitations[0].Mail != want ||
			!invitations[0].ExpiresAt.Equal(worldtest.Now.Add(member.InvitationLife)) || invitations[0].InvitedBy == "" {
			t.Errorf("%+v", invitations)
		}
	}
	if others, err := d.Store.Invitations(t.Context(), d.Main.ID); err != nil || len(others) > 0 {
		t.Error(others, err)
	}
}

// While an invitation of the agency is open, nothing is mailed again; when it has ended, everything that waited has.
func TestInvite_Again(t *testing.T) {
	d := newDesk(t)
	orgs := d.grown(t, 2)
	email := []string{"new@harbour.example"}
	said(t, d.invites(t, orgs[1:2], email, member.Ordinary), "invited")
	for range 2 {
		said(t, d.invites(t, orgs[:3], []string{"NEW@harbour.example"}, member.Admin), "queued", "invited", "queued")
	}
	said(t, d.invites(t, orgs[:1], email, member.Ordinary), "queued")
	if got := []string{d.people(t, orgs[0])[email[0]], d.people(t, orgs[1])[email[0]],
		d.people(t, orgs[2])[email[0]]}; !slices.Equal(got,
		[]string{"invitation org:member queued", "invitation org:admin sent", "invitation org:admin queued"}) {
		t.Errorf("%q", got)
	}
	d.World.Clock.Freeze(worldtest.Now.Add(29 * 24 * time.Hour))
	said(t, d.invites(t, "all", email, member.Ordinary), "queued", "invited", "queued", "queued")
	if d.to(email[0]) != 1 {
		t.Errorf("%d mails", d.to(email[0]))
	}
	d.consistent(t, orgs...)
	d.World.Clock.Freeze(worldtest.Now.Add(member.InvitationLife))
	for _, orgID := range orgs {
		invitations, err := d.Store.Invitations(t.Context(), orgID)
		if err != nil || len(invitations) != 1 || invitations[0].Open(d.World.Clock.Now()) {
			t.Errorf("%+v, %v", invitations, err)
		}
	}
	said(t, d.invites(t, []string{orgs[3], orgs[1]}, email, member.Ordinary), "invited", "queued")
	if d.to(email[0]) != 2 {
		t.Errorf("%d mails", d.to(email[0]))
	}
	d.consistent(t, orgs...)
	// The person signs up, and becomes a member of all that is open.
	d.signUp(email[0], "account-new", "")
	granted, err := d.Store.AcceptInvitations(t.Context(), email[0], "account-new", "")
	if err != nil || len(granted) != 2 {
		t.Error(granted, err)
	}
	said(t, d.invites(t, []string{orgs[3], orgs[0]}, email, member.Ordinary), "granted", "granted")
	d.consistent(t, orgs...)
	// Who has no account any more, and comes back, is told anew.
	d.mu.Lock()
	delete(d.accounts, email[0])
	d.mu.Unlock()
	said(t, d.invites(t, orgs, email, member.Ordinary), "granted", "granted", "invited", "granted")
	if d.to(email[0]) != 3 {
		t.Errorf("%d mails", d.to(email[0]))
	}
}

// What a workspace has sent by itself counts as the agency's mail.
func TestInvite_InvitedByWorkspace(t *testing.T) {
	d := newDesk(t)
	orgs := d.grown(t, 2)
	own := func(orgID, email string, state member.MailState) {
		t.Helper()
		result := worldtest.InviteOne(t.Context(), d.Store, orgID, member.Member{Email: email, Role: member.Ordinary}, "")
		must(t, result.Err)
		i := result.Invitation
		if state == member.MailDue {
			return
		}
		if mine, err := d.Store.ClaimMail(t.Context(), orgID, i, "claim"); !mine || err != nil {
			t.Fatal(mine, err)
		}
		must(t, d.Store.SettleMail(t.Context(), orgID, i, "claim", state))
	}
	own(orgs[2], "elsewhere@harbour.example", member.MailSent)
	own(orgs[1], "here@harbour.example", member.MailSent)
	own(orgs[0], "two@harbour.example", member.MailDue)
	own(orgs[1], "two@harbour.example", member.MailSent)
	own(orgs[2], "due@harbour.example", member.MailDue)
	own(d.Main.ID, "stranger@harbour.example", member.MailSent) // of no agency
	emails := []string{"elsewhere@harbour.example", "here@harbour.example", "two@harbour.example", "due@harbour.example",
		"stranger@harbour.example"}
	for range 2 {
		said(t, d.invites(t, orgs[:2], emails, member.Admin), "queued", "queued", "queued", "invited", "queued", "invited",
			"queued", "queued",
			"invited", "queued")
	}
	for email, want := range map[string]int{emails[0]: 0, emails[1]: 0, emails[2]: 0, emails[3]: 1, emails[4]: 1} {
		if d.to(email) != want {
			t.Errorf("%d mails to %s", d.to(email), email)
		}
	}
	if got := d.people(t, orgs[2]); got[emails[0]] != "invitation org:member sent" ||
		got[emails[3]] != "invitation org:member sent" {
		t.Errorf("a workspace that was not asked for: %v", got)
	}
	if got := d.people(t, orgs[1]); got[emails[1]] != "invitation org:admin sent" {
		t.Errorf("%v", got)
	}
	d.consistent(t, orgs...)
	// The workspace's own invite answers what there is, and sends nothing beside.
	own0 := worldtest.InviteOne(t.Context(), d.Store, orgs[0], member.Member{Email: emails[0], Role: member.Ordinary}, "")
	if own0.Err != nil || own0.Invitation.Mail != member.MailQueued {
		t.Errorf("InviteOne = %+v, want queued", own0)
	}
	said(t, d.invites(t, orgs[2:3], emails[:1], member.Admin), "invited")
	if len(d.mails.Sent) != 2 {
		t.Errorf("%d mails", len(d.mails.Sent))
	}
}

func TestInvite_RefusedWhole(t *testing.T) {
	t.Setenv("TABLE_ENDPOINT", "")        // the clock of a bubble stands still while something waits for the network
	synctest.Test(t, func(t *testing.T) { // for what is done at last, at its pace
		d := newDesk(t)
		orgs := d.grown(t, 3)
		_, _, theirs := d.another(t)
		gone := workspace.NewID(workspace.PrefixWorkspace, worldtest.Now)
		d.signUp("known@harbour.example", "account-known", "")
		emails := []string{"known@harbour.example", "new@harbour.example"}
		for _, id := range []string{theirs[0], theirs[1], d.Main.ID, gone, "", "x", d.Agency.ID, strings.ToLower(orgs[1]),
			" " + orgs[1],
			strings.Repeat("o", 5000), "all"} {
			refused := d.asks(t, []string{orgs[0], orgs[1], id}, emails, member.Admin).Is(t, 404, "WORKSPACE_NOT_IN_AGENCY")
			want := "The agency has no workspace with the id in targetOrgIds[2]. GET /api/v2/agency/workspaces lists its workspaces."
			if refused.Message != want {
				t.Errorf("%q: %s", id, refused.Message)
			}
		}
		if refused := d.asks(t, []string{gone, orgs[1], d.Main.ID}, emails, member.Admin).Is(t, 404,
			"WORKSPACE_NOT_IN_AGENCY"); !strings.Contains(refused.Message, "targetOrgIds[0], targetOrgIds[2].") {
			t.Error(refused.Message)
		}
		many := people(41)
		for _, targets := range []any{"all", orgs} {
			if refused := d.asks(t, targets, many, member.Admin).Is(t, 400, "INVITE_FANOUT_TOO_LARGE"); !strings.Contains(refused.Message,
				"41 addresses times 5 workspaces are 205, and a call takes 200") {
				t.Error(refused.Message)
			}
		}
		if listed := d.rows.changed(t); len(listed) > 0 || len(d.mails.Sent) > 0 || len(d.nudged(t)) > 0 || d.looks > 0 ||
			len(d.groups) > 0 {
			t.Errorf("something was done: %v", listed)
		}
		// What is one counts once.
		many[40] = strings.ToUpper(many[0])
		if got := d.invites(t, append(slices.Clone(orgs), orgs...), many, member.Admin); len(got) != 200 {
			t.Errorf("%d results", len(got))
		}
	})
}

// people are addresses.
func people(n int) (emails []string) {
	for i := range n {
		emails = append(emails, fmt.Sprintf("person%d@harbour.example", i))
	}
	return emails
}

func TestInvite_Malformed(t *testing.T) {
	d := newDesk(t)
	org := `"` + d.Member.ID + `"`
	local := strings.Repeat("a", 65) + "@x.io"
	list := func(n int, of string) string { return "[" + strings.TrimSuffix(strings.Repeat(of+",", n), ",") + "]" }
	for _, c := range []struct{ body, want string }{
		{`{}`, "[emails required role required targetOrgIds required]"},
		{`[]`, "[body type]"},
		{`{"targetOrgIds":null,"emails":null,"role":null}`, "[emails type role type targetOrgIds type]"},
		{`{"targetOrgIds":7,"emails":"a@x.io","role":"admin"}`, "[emails type role enum targetOrgIds type]"},
		{`{"targetOrgIds":"ALL","emails":["a@x.io"],"role":"org:admin"}`, "[targetOrgIds enum]"},
		{`{"targetOrgIds":` + org + `,"emails":["a@x.io"],"role":"org:admin"}`, "[targetOrgIds enum]"},
		{`{"targetOrgIds":{"all":true},"emails":[],"role":"org:admin"}`, "[emails min_items targetOrgIds type]"},
		{`{"targetOrgIds":[],"emails":["a@x.io"],"role":"org:owner"}`, "[role enum targetOrgIds min_items]"},
		{`{"targetOrgIds":[` + org + `,7,null,{}],"emails":["a@x.io"],"role":"org:admin"}`,
			"[targetOrgIds[1] type targetOrgIds[2] type targetOrgIds[3] type]"},
		{`{"targetOrgIds":` + list(201, org) + `,"emails":["a@x.io"],"role":"org:admin"}`, "[targetOrgIds max_items]"},
		{`{"targetOrgIds":"all","emails":` + list(51, `"a@x.io"`) + `,"role":"org:admin"}`, "[emails max_items]"},
		{`{"targetOrgIds":"all","emails":["a@x.io",".a@x.io","b@x.io","a..b@x.io","` + local + `"],"role":"org:admin"}`,
			"[emails[1] pattern emails[3] pattern emails[4] max_length]"},
		{`{"targetOrgIds":"all","emails":["c@x.i",7,null,"a@x.io\r\nBcc: b@x.io","` + local + `","` + local +
			`"],"role":"x"}`,
			"[emails[0] pattern emails[1] type emails[2] type emails[3] pattern emails[4] max_length emails[5] max_length role enum]"},
		{`{"targetOrgIds":"all","emails":["` + strings.Repeat("a", 250) + `@x.io"],"role":"org:admin"}`,
			"[emails[0] max_length]"},
		{`{"targetOrgIds":"all","emails":["a@x.io"],"role":"org:admin","name":"A"}`, "[name unknown]"},
		{`{"targetOrgIds":"all","targetOrgIds":[],"emails":["a@x.io"],"role":"org:admin"}`, "[targetOrgIds duplicate]"},
	} {
		var got []string
		for _, detail := range d.Post(t, invitePath, c.body).Is(t, 400, "VALIDATION_ERROR").Details {
			got = append(got, detail.Path+" "+detail.Code)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%.200s: %v, want %s", c.body, got, c.want)
		}
	}
	if listed := d.rows.changed(t); len(listed) > 0 || d.looks > 0 {
		t.Errorf("something was done: %v", listed)
	}
	d.as(d.Admin).asks(t, "all", people(1), member.Admin).Is(t, 403, "MASTER_KEY_REQUIRED")
	d.as(d.AgentsKey).asks(t, "all", people(1), member.Admin).Is(t, 403, "UPGRADE_REQUIRED")
	d.as(d.Key(t, workspace.Key{Scope: workspace.Write, Agency: &d.Agency})).asks(t, "all", people(1), member.Admin).
		Is(t, 403, "FORBIDDEN")
}

// An answer is kept for its Idempotency-Key, and the same call under another does what is left.
func TestInvite_IdempotencyKey(t *testing.T) {
	d := newDesk(t)
	d.mails.Refuse(mail.ErrThrottled)
	first := d.asks(t, "all", people(1), member.Ordinary, "Idempotency-Key", "a")
	d.mails.Refuse(nil)
	again := d.asks(t, "all", people(1), member.Ordinary, "Idempotency-Key", "a")
	if string(first.Body) != string(again.Body) || again.Header.Get("Idempotent-Replayed") != "true" ||
		len(d.mails.Sent) != 0 {
		t.Errorf("%s, then %s", first.Body, again.Body)
	}
	said(t, d.invites(t, "all", people(1), member.Ordinary, "Idempotency-Key", "b"), "invited", "queued")
	if len(d.mails.Sent) != 1 {
		t.Errorf("%d mails", len(d.mails.Sent))
	}
}

// Nothing of one agency is changed or told by another's call.
func TestInvite_TwoAgencies(t *testing.T) {
	d := newDesk(t)
	_, master, theirs := d.another(t)
	said(t, d.invites(t, "all", people(1), member.Admin), "invited", "queued")
	said(t, d.as(master).invites(t, "all", people(1), member.Ordinary), "invited", "queued", "queued")
	if d.to(people(1)[0]) != 2 {
		t.Errorf("%d mails", d.to(people(1)[0]))
	}
	for _, orgID := range []string{d.Anchor.ID, d.Member.ID} {
		if got := d.people(t, orgID)[people(1)[0]]; !strings.HasPrefix(got, "invitation org:admin") {
			t.Error(got)
		}
	}
	d.as(master).asks(t, []string{theirs[0], d.Member.ID}, people(1), member.Admin).
		Is(t, http.StatusNotFound, "WORKSPACE_NOT_IN_AGENCY")
	d.as(d.Master).asks(t, theirs, people(1), member.Admin).Is(t, http.StatusNotFound, "WORKSPACE_NOT_IN_AGENCY")
	d.consistent(t, append(theirs, d.Anchor.ID, d.Member.ID)...)
}
