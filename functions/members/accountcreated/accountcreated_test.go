package accountcreated_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	awsevents "github.com/aws/aws-lambda-go/events"

	"earshot/events"
	"earshot/events/message/nudge"
	"earshot/functions/members/accountcreated"
	"earshot/functions/members/invitations/arrivaltest"
	"earshot/shared/embedded/fault"
	"earshot/shared/member"
	"earshot/shared/port/identity"
	"earshot/shared/port/queue"
	"earshot/shared/worker"
)

const newcomer = "newcomer@harbour.example"

// A desk is the function over a World, with its log.
type desk struct {
	*arrivaltest.World
	options accountcreated.Options
	log     *bytes.Buffer
}

func newDesk(t *testing.T) desk {
	w := arrivaltest.NewWorld(t)
	return desk{w, accountcreated.Options{Store: w.Stored, Directory: w.Directory, Queue: w.Queue, Clock: w.Clock,
		Log: slog.New(slog.DiscardHandler)}, &bytes.Buffer{}}
}

// calls the function, which answers the event whatever happens, and answers its record.
func (d desk) calls(t *testing.T, payload []byte) (record map[string]any) {
	t.Helper()
	d.log.Reset()
	on := worker.Options{Function: accountcreated.Group, Log: slog.New(slog.NewJSONHandler(d.log, nil)), Clock: d.Clock}
	answer, err := accountcreated.Handler(on, d.options)(t.Context(), payload)
	if err != nil || !bytes.Equal(answer, payload) {
		t.Errorf("answered %s, %v", answer, err)
	}
	if strings.Contains(d.log.String(), "@") {
		t.Errorf("the log holds an address: %s", d.log)
	}
	if err := json.Unmarshal(d.log.Bytes(), &record); err != nil {
		t.Fatalf("not one record: %v\n%s", err, d.log)
	}
	return record
}

// event is the sample, as Cognito makes it for an account, changed.
func event(t *testing.T, account identity.Account,
	changes ...func(*awsevents.CognitoEventUserPoolsPostConfirmation)) []byte {
	t.Helper()
	sample, err := events.Open(accountcreated.Group, "confirmed")
	if err != nil {
		t.Fatal(err)
	}
	signUp, err := sample.SignUp()
	if err != nil {
		t.Fatal(err)
	}
	signUp.UserName, signUp.Request.UserAttributes["email"], signUp.Request.UserAttributes["name"] = account.ID,
		account.Email, account.Name
	for _, change := range changes {
		change(&signUp)
	}
	payload, err := json.Marshal(signUp)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

func (d desk) wants(t *testing.T, record map[string]any, level string, counts map[string]any) {
	t.Helper()
	if got, _ := record["counts"].(map[string]any); record["level"] != level || record["msg"] != "trigger" ||
		record["requestId"] == "" ||
		!reflect.DeepEqual(got, counts) {
		t.Errorf("%v, want %s %v", record, level, counts)
	}
}

// Who signs up is at once a member wherever they are invited, and in the groups; and a message tells of what there was,
// for the case that the function had died.
func TestHandler_SignUp(t *testing.T) {
	d := newDesk(t)
	main, other := d.Invite(t, d.Main.ID, "Newcomer@harbour.example", member.Admin),
		d.Invite(t, d.Other.ID, newcomer, member.Ordinary)
	d.Invite(t, d.Other.ID, "another@harbour.example", member.Ordinary)
	// By the operator, before anybody had an account.
	if _, err := d.Store.AddMember(t.Context(), d.Member.ID, member.Member{Email: newcomer, Superadmin: true}); err != nil {
		t.Fatal(err)
	}
	account := d.SignUp(t, newcomer, "Quiet Harbor")
	d.wants(t, d.calls(t, event(t, account)), "INFO", map[string]any{"granted": 2.0, "moved": 3.0, "nudged": 2.0})
	in := map[string]member.Role{d.Main.ID: member.Admin, d.Other.ID: member.Ordinary, d.Member.ID: member.Admin}
	d.Is(t, newcomer, account.ID, in)
	sent := d.Sent.Take()
	if len(sent) != 1 || sent[0].Delay < 5*time.Second {
		t.Fatalf("%+v", sent)
	}
	named, err := nudge.ToInvitations(sent[0].Body)
	if err != nil || len(named) != 2 || strings.Contains(string(sent[0].Body), "@") ||
		!(named[0] == main && named[1] == other || named[0] == other && named[1] == main) {
		t.Errorf("%v %v", named, err)
	}
	// Cognito calls again when it did not hear of it.
	d.wants(t, d.calls(t, event(t, account)), "INFO", map[string]any{"granted": 0.0, "moved": 0.0})
	d.Is(t, newcomer, account.ID, in)
	if sent := d.Sent.Take(); len(sent) != 0 {
		t.Errorf("%d messages of nothing", len(sent))
	}
}

// Other calls, and sign-ups in which nobody has shown an address to be theirs, change nothing.
func TestHandler_NoSignUp(t *testing.T) {
	d := newDesk(t)
	d.Invite(t, d.Main.ID, newcomer, member.Admin)
	account := d.SignUp(t, newcomer, "")
	type change = func(*awsevents.CognitoEventUserPoolsPostConfirmation)
	for what, c := range map[string]change{
		"a new password": func(e *awsevents.CognitoEventUserPoolsPostConfirmation) {
			e.TriggerSource = "PostConfirmation_ConfirmForgotPassword"
		},
		"not verified": func(e *awsevents.CognitoEventUserPoolsPostConfirmation) {
			e.Request.UserAttributes["email_verified"] = "false"
		},
		"by telephone": func(e *awsevents.CognitoEventUserPoolsPostConfirmation) {
			delete(e.Request.UserAttributes, "email_verified")
		},
		"no address":     func(e *awsevents.CognitoEventUserPoolsPostConfirmation) { e.Request.UserAttributes["email"] = "" },
		"no account":     func(e *awsevents.CognitoEventUserPoolsPostConfirmation) { e.UserName = "" },
		"nothing of all": func(e *awsevents.CognitoEventUserPoolsPostConfirmation) { e.Request.UserAttributes = nil },
	} {
		if record := d.calls(t, event(t, account, c)); record["level"] != "INFO" ||
			record["counts"].(map[string]any)["ignored"] != 1.0 {
			t.Errorf("%s: %v", what, record)
		}
	}
	sample, err := events.Open(accountcreated.Group, "new-password")
	if err != nil {
		t.Fatal(err)
	}
	d.calls(t, sample.Payload)
	// What cannot be read is no reason to keep anybody from signing up.
	for _, payload := range []string{`{"request":{"userAttributes":[]}}`, `{"request":{"userAttributes":{"email":7}}}`, `[]`, ``} {
		if record := d.calls(t, []byte(payload)); record["level"] != "ERROR" {
			t.Errorf("%s: %v", payload, record)
		}
	}
	if members, _, err := d.Store.Members(t.Context(), d.Main.ID); err != nil || len(members) > 0 ||
		len(d.Sent.Take()) > 0 {
		t.Error(members, err)
	}
	d.wants(t, d.calls(t, event(t, account, func(e *awsevents.CognitoEventUserPoolsPostConfirmation) { e.Version = "2" })), "INFO",
		map[string]any{"granted": 1.0, "moved": 1.0, "nudged": 1.0})
}

// Whatever fails, the sign-up does not; what can be done without it is.
func TestHandler_PartFails(t *testing.T) {
	t.Setenv("TABLE_ENDPOINT", "") // the clock of a bubble stands still while something waits for the network
	granted := map[string]bool{fault.QueuePort: true, fault.IdentityPort: true}
	for _, f := range []fault.Fault{
		{Port: fault.TablePort, Operation: "query"}, {Port: fault.TablePort, Operation: "get"},
		{Port: fault.TablePort, Operation: "transact"},
		{Port: fault.TablePort, Operation: "update"}, {Port: fault.QueuePort, Operation: "send"},
		{Port: fault.IdentityPort, Operation: "account"}, {Port: fault.IdentityPort, Operation: "join"},
	} {
		for _, kind := range []fault.Kind{fault.Throttle, fault.Error, fault.Crash} {
			t.Run(f.Port+f.Operation+string(kind), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // in which no repeat takes its time
					d := newDesk(t)
					d.Invite(t, d.Main.ID, newcomer, member.Ordinary)
					account := d.SignUp(t, newcomer, "")
					f.Fault = kind
					if err := d.Ports.Add(f); err != nil {
						t.Fatal(err)
					}
					if record := d.calls(t, event(t, account)); record["level"] != "ERROR" {
						t.Error(record)
					}
					members, _, err := d.Store.Members(t.Context(), d.Main.ID)
					if err != nil || kind != fault.Crash && granted[f.Port] && len(members) != 1 {
						t.Error(members, err)
					}
					d.Ports.Clear()
					d.Clock.Freeze(d.Clock.Now().Add(2 * time.Minute))
					d.calls(t, event(t, account))
					d.Is(t, newcomer, account.ID, map[string]member.Role{d.Main.ID: member.Ordinary})
				})
			})
		}
	}
}

// slow parts answer nothing until nobody waits any more.
type slow struct {
	identity.Directory
	joins bool
}

func (s slow) Account(ctx context.Context, email string) (identity.Account, error) {
	if s.joins {
		return s.Directory.Account(ctx, email)
	}
	<-ctx.Done()
	return identity.Account{}, ctx.Err()
}

func (s slow) Join(ctx context.Context, _, _ string) error { <-ctx.Done(); return ctx.Err() }

// slowQueue is a queue that does not answer.
type slowQueue struct{ queue.Queue }

func (slowQueue) Send(ctx context.Context, _ string, _ ...queue.Message) error {
	<-ctx.Done()
	return ctx.Err()
}

// Cognito waits for 5 s: before that the function has answered, whatever does not answer it.
func TestHandler_SlowParts(t *testing.T) {
	t.Setenv("TABLE_ENDPOINT", "") // the clock of a bubble stands still while something waits for the network
	for what, change := range map[string]func(*accountcreated.Options){
		"finding":          func(o *accountcreated.Options) { o.Directory = slow{o.Directory, false} },
		"joining":          func(o *accountcreated.Options) { o.Directory = slow{o.Directory, true} },
		"finding, sending": func(o *accountcreated.Options) { o.Directory, o.Queue = slow{o.Directory, false}, slowQueue{} },
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // whose time passes while everybody waits
				d := newDesk(t)
				d.Invite(t, d.Main.ID, newcomer, member.Ordinary)
				d.Invite(t, d.Other.ID, newcomer, member.Ordinary)
				account := d.SignUp(t, newcomer, "")
				change(&d.options)
				begun := time.Now()
				if record := d.calls(t, event(t, account)); record["level"] != "ERROR" {
					t.Error(record)
				}
				if took := time.Since(begun); took > 3500*time.Millisecond {
					t.Errorf("it took %v", took)
				}
				if members, _, err := d.Store.Members(t.Context(), d.Main.ID); err != nil || len(members) != 1 {
					t.Errorf("%v, %v", members, err)
				}
			})
		})
	}
}

// other is a directory that knows another account of every address: the first that came with it.
type other struct {
	identity.Directory
	first identity.Account
}

func (o other) Account(context.Context, string) (identity.Account, error) { return o.first, nil }

// Who comes a second time, by another provider, is the person they were: the account that any message would find.
func TestHandler_AnotherProvider(t *testing.T) {
	d := newDesk(t)
	d.Invite(t, d.Main.ID, newcomer, member.Ordinary)
	account := d.SignUp(t, newcomer, "")
	d.options.Directory = other{d.options.Directory, account}
	d.calls(t, event(t, identity.Account{ID: "Google_1", Email: newcomer}))
	d.Is(t, newcomer, account.ID, map[string]member.Role{d.Main.ID: member.Ordinary})
}

// The same code lets in who signs up on the workbench, and tells what was granted.
func TestRun(t *testing.T) {
	d := newDesk(t)
	d.Invite(t, d.Main.ID, newcomer, member.Ordinary)
	account := d.SignUp(t, newcomer, "")
	if granted, err := accountcreated.Run(t.Context(), d.options, account); err != nil ||
		!reflect.DeepEqual(granted, []string{d.Main.ID}) {
		t.Error(granted, err)
	}
	if granted, err := accountcreated.Run(t.Context(), d.options, account); err != nil || granted != nil {
		t.Error(granted, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := accountcreated.Run(ended, d.options, account); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// The environment has no pool: the directory of an event is that of the pool that sent it.
func TestOfPool_TakesThePoolOfTheEvent(t *testing.T) {
	d := newDesk(t)
	account := d.SignUp(t, newcomer, "Quiet Harbor")
	ofOther := func(e *awsevents.CognitoEventUserPoolsPostConfirmation) { e.UserPoolID = "eu-central-1_other" }
	on := worker.Options{Function: accountcreated.Group, Log: slog.New(slog.DiscardHandler), Clock: d.Clock}
	for _, test := range []struct {
		name, want string
		payload    []byte
	}{
		{"a sign-up", "eu-central-1_other", event(t, account, ofOther)},
		{"no pool", "", []byte(`{"triggerSource":"PostConfirmation_ConfirmSignUp"}`)},
		{"malformed", "", []byte(`"hello"`)},
	} {
		t.Run(test.name, func(t *testing.T) {
			asked := "none"
			answer, err := accountcreated.OfPool(func(poolID string) worker.TriggerHandler {
				asked = poolID
				return accountcreated.Handler(on, d.options)
			})(t.Context(), test.payload)
			if asked != test.want {
				t.Errorf("the handler is of the pool %q, want %q", asked, test.want)
			}
			if err != nil {
				t.Errorf("OfPool(%s) failed with %v", test.payload, err)
			}
			if !bytes.Equal(answer, test.payload) {
				t.Errorf("OfPool(%s) = %s, want the event", test.payload, answer)
			}
		})
	}
}
