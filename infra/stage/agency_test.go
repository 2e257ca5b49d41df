package stage

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	cognito "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	cognitotypes "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"

	"earshot/events"
	"earshot/shared/worldtest"
)

// address is one of a person whom no other test knows.
func address(name string) string {
	return name + "-" + strings.ToLower(rand.Text()) + "@harbour.example"
}

// signUp makes an account at the directory, which calls nobody.
func (s *stage) signUp(email string) (username string) {
	s.t.Helper()
	verified, password, name := "true", "Aa1!"+rand.Text(), "email"
	about := "email_verified"
	user, err := s.people.AdminCreateUser(s.t.Context(),
		&cognito.AdminCreateUserInput{UserPoolId: &s.pool, Username: &email,
			MessageAction:  cognitotypes.MessageActionTypeSuppress,
			UserAttributes: []cognitotypes.AttributeType{{Name: &name, Value: &email}, {Name: &about, Value: &verified}}})
	s.must(err)
	_, err = s.people.AdminSetUserPassword(s.t.Context(),
		&cognito.AdminSetUserPasswordInput{UserPoolId: &s.pool, Username: user.User.Username,
			Password: &password, Permanent: true})
	s.must(err)
	return *user.User.Username
}

// confirmed is the event with which the directory calls when somebody has signed up.
func (s *stage) confirmed(username, email string) []byte {
	s.t.Helper()
	sample, err := events.Open("accountcreated", "confirmed")
	s.must(err)
	event, err := sample.SignUp()
	s.must(err)
	event.UserPoolID, event.UserName = s.pool, username
	event.Request.UserAttributes["email"], event.Request.UserAttributes["sub"] = email, username
	payload, err := json.Marshal(event)
	s.must(err)
	return payload
}

// members are the accounts in a group of the directory; there says whether there is such a group.
func (s *stage) members(group string) (accounts []string, there bool) {
	s.t.Helper()
	in, err := s.people.ListUsersInGroup(s.t.Context(),
		&cognito.ListUsersInGroupInput{UserPoolId: &s.pool, GroupName: &group})
	var missing *cognitotypes.ResourceNotFoundException
	if errors.As(err, &missing) {
		return nil, false
	}
	s.must(err)
	for _, user := range in.Users {
		accounts = append(accounts, *user.Username)
	}
	return accounts, true
}

// mails are the texts of what was sent to an address.
func (s *stage) mails(to string) (texts []string) {
	s.t.Helper()
	response, err := http.Get(os.Getenv("MAIL_ENDPOINT") + "/moto-api/data.json")
	s.must(err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	s.must(err)
	var data struct {
		SES struct {
			Message []struct {
				Source, Body string
				Destinations struct{ ToAddresses []string }
			}
		}
	}
	if err := json.Unmarshal(content, &data); err != nil {
		s.t.Fatalf("%s: %.200s", response.Status, content)
	}
	for _, sent := range data.SES.Message {
		if slices.Contains(sent.Destinations.ToAddresses, to) && sent.Source == mailFrom {
			texts = append(texts, sent.Body)
		}
	}
	return texts
}

// memberOf says how often somebody is a member of a workspace, as its list shows it.
func (s *stage) memberOf(master worldtest.Client, orgID, email string) int {
	s.t.Helper()
	var list struct{ Data []struct{ Email string } }
	master.Get(s.t, "/api/v2/org/members", "x-earshot-organization-id", orgID).OK(s.t, &list)
	times := 0
	for _, m := range list.Data {
		if m.Email == email {
			times++
		}
	}
	return times
}

// An agency makes a workspace, lets people in who have an account and who have none, and gives the workspace up again;
// what the directory and the mailer were asked for is there.
func TestAgencyStory(t *testing.T) {
	s := newStage(t)
	agency := s.newOperator().run("agency", "create", "--name", "Harbour")
	master := s.client(agency.Token)

	var bakery, again struct{ ID string }
	master.Post(t, "/api/v2/agency/workspaces", `{"name":"Bakery","plan":"pro"}`, "Idempotency-Key", "bakery").
		OK(t, &bakery)
	master.Post(t, "/api/v2/agency/workspaces", `{"name":"Bakery","plan":"pro"}`, "Idempotency-Key", "bakery").
		OK(t, &again)
	if _, there := s.members(bakery.ID); !there || again.ID != bakery.ID {
		t.Errorf("%s and %s, with a group %v", bakery.ID, again.ID, there)
	}

	known, newcomer := address("known"), address("newcomer")
	knownAs := s.signUp(known)
	var invited struct {
		Results []struct {
			OrgID, Email, Action string
			Success              bool
		}
	}
	invite := fmt.Sprintf(`{"targetOrgIds":["%s","%s"],"role":"org:member","emails":["%s","%s"]}`, agency.Workspace,
		bakery.ID, known, newcomer)
	for range 2 { // the second tells nobody anew
		master.Post(t, "/api/v2/agency/members/invite", invite).OK(t, &invited)
		actions := map[string][]string{}
		for _, result := range invited.Results {
			actions[result.Email] = append(actions[result.Email], result.Action)
		}
		if fmt.Sprint(actions[known]) != "[granted granted]" || fmt.Sprint(actions[newcomer]) != "[invited queued]" {
			t.Errorf("%+v", invited)
		}
	}
	if mails := s.mails(newcomer); len(mails) != 1 || !strings.Contains(mails[0], signUpURL) || len(s.mails(known)) != 0 {
		t.Errorf("mails: %q", mails)
	}
	s.deliver("invitations") // of somebody who has no account yet
	if s.memberOf(master, bakery.ID, newcomer) != 0 {
		t.Error("who has no account is a member")
	}

	newcomerAs := s.signUp(newcomer)
	event := s.confirmed(newcomerAs, newcomer)
	if answer := s.called("accountcreated", json.RawMessage(event)); string(answer) != string(event) {
		t.Errorf("the directory gets %s back for %s", answer, event)
	}
	s.deliver("invitations")
	for _, id := range []string{agency.Workspace, bakery.ID} {
		in, _ := s.members(id)
		for email, username := range map[string]string{known: knownAs, newcomer: newcomerAs} {
			if times := s.memberOf(master, id, email); times != 1 || !slices.Contains(in, username) {
				t.Errorf("%s is a member of %s %d times, and its group has %v", username, id, times, in)
			}
		}
	}
	s.tick("invitecleanup")

	within := []string{"x-earshot-organization-id", bakery.ID}
	master.Post(t, "/api/v2/keywords", `{"keyword":"northwind"}`, within...).OK(t, nil)
	s.send("posts", posted(t, "All about northwind.", 1, 2, 3))
	if failed := s.deliver("posts"); failed != 0 {
		t.Errorf("%d failed", failed)
	}
	var gone struct{ Success, CognitoOrgDeleted bool }
	master.Delete(t, "/api/v2/agency/workspaces/"+bakery.ID).OK(t, &gone)
	if _, there := s.members(bakery.ID); there || !gone.CognitoOrgDeleted {
		t.Errorf("%+v, with a group %v", gone, there)
	}
	master.Get(t, "/api/v2/keywords", within...).Is(t, 403, "FORBIDDEN_ORGANIZATION")
	// What repeats of requests are answered from is the agency's, and expires. The purge comes once more, by a row of
	// its own, when no request can be under way that began before the end.
	its := func() []worldtest.Row {
		return slices.DeleteFunc(worldtest.Left(t, s.rows, bakery.ID), func(row worldtest.Row) bool {
			return row.Partition == agency.Agency || row.Partition == agency.Workspace
		})
	}
	before := len(its())
	s.tick("purge")
	if left := its(); before < 10 || len(left) > 1 || len(left) == 1 && left[0].Sort != "purge" {
		t.Errorf("of %d rows the purge leaves %v", before, left)
	}
}

// Who signs up, and is called for, in a process that dies at any of its requests to the tables, is a member once in the end.
func TestSignUpThatIsKilled(t *testing.T) {
	s := newStage(t)
	agency := s.newOperator().run("agency", "create", "--name", "Harbour")
	master := s.client(agency.Token)
	created := s.functions["accountcreated"]
	gate := s.newGate(created)
	killed := 0
	for at := 1; ; at++ {
		email := address("newcomer")
		invite := fmt.Sprintf(`{"targetOrgIds":"all","role":"org:member","emails":["%s"]}`, email)
		master.Post(t, "/api/v2/agency/members/invite", invite).OK(t, nil)
		username := s.signUp(email)
		event := s.confirmed(username, email)
		gate.strike(at, at%2 == 0)
		_, err := created.invoke(context.Background(), event)
		struck := gate.spare()
		if struck != (err != nil) {
			t.Fatalf("struck %v at its request %d, and answers %v", struck, at, err)
		}
		if struck {
			killed++
			s.called("accountcreated", json.RawMessage(event)) // the directory calls up to three times
		}
		s.deliver("invitations")
		in, _ := s.members(agency.Workspace)
		if times := s.memberOf(master, agency.Workspace, email); times != 1 || !slices.Contains(in, username) ||
			len(s.mails(email)) != 1 {
			t.Errorf("killed at its request %d: a member %d times, in the group %v, %d mails", at, times,
				slices.Contains(in, username), len(s.mails(email)))
		}
		if !struck {
			break
		}
	}
	if t.Logf("killed %d times", killed); killed < 3 {
		t.Error("it was hardly killed")
	}
}
