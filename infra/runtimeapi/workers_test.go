package runtimeapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	awsevents "github.com/aws/aws-lambda-go/events"

	"earshot/events"
	"earshot/events/message"
	"earshot/infra/runtimeapi"
	"earshot/shared/proposal"
)

// Ids as they are given out, of nothing that is there.
const (
	workspaceID = "org_01KAF3Y3W2V4GZ9M6T8Q5X7B1D"
	draftID     = "draft_01KAF3Y3W2V4GZ9M6T8Q5X7B1E"

	invitationID = "inv_01KAF3Y3W2V4GZ9M6T8Q5X7B1F"
)

const cognito = "AWSCognitoIdentityProviderService."

// generous is a time that only a test that hangs reaches.
const generous = 30 * time.Second

// Every worker's binary starts with what a deployment tells it, takes the event as AWS delivers it, and answers as AWS
// wants it, with one record in its log. In an AWS without keywords, tasks or exports there is nothing to do.
func TestWorkers(t *testing.T) {
	aws := newEmptyAWS(t)
	for _, c := range []struct {
		function string
		starting []string            // what it asks before its first event
		samples  map[string]int      // to how many of its messages fail
		asks     map[string][]string // by sample
	}{
		{"accountcreated", nil, map[string]int{"confirmed": 0, "new-password": 0},
			map[string][]string{"confirmed": {cognito + "AdminGetUser", cognito + "ListUsers", "DynamoDB.Query"},
				"new-password": nil}},
		{"archive", nil, map[string]int{"tick": 0}, map[string][]string{"tick": {"DynamoDB.Query"}}},
		{"collect", []string{"AmazonSSM.GetParameters"}, map[string]int{"tick": 0},
			// Streams are planned even where nobody listens.
			map[string][]string{"tick": {"DynamoDB.PutItem", "DynamoDB.Query"}}},
		{"deliver", nil, map[string]int{"announced": 0, "endpoint": 0},
			map[string][]string{"announced": {"DynamoDB.Query"}, "endpoint": {"DynamoDB.GetItem"}}},
		{"deliveries", nil, map[string]int{"tick": 0}, map[string][]string{"tick": {"DynamoDB.Query"}}},
		{"exports", nil, map[string]int{"export": 0},
			map[string][]string{"export": {"DynamoDB.DeleteItem", "DynamoDB.GetItem"}}},
		{"ingest", nil, map[string]int{"posts": 0, "unreadable": 1},
			// By the second it knows that nobody listens. Every post is archived.
			map[string][]string{
				"posts":      {"DynamoDB.BatchGetItem", "DynamoDB.PutItem", "DynamoDB.Query"},
				"unreadable": {"DynamoDB.BatchGetItem", "DynamoDB.PutItem"},
			}},
		{"invitations", nil, map[string]int{"nudge": 0}, map[string][]string{"nudge": {"DynamoDB.BatchGetItem"}}},
		{"invitecleanup", nil, map[string]int{"tick": 0}, map[string][]string{"tick": {"DynamoDB.Query"}}},
		{"postshards", nil, map[string]int{"tick": 0}, map[string][]string{"tick": {"DynamoDB.GetItem"}}},
		{"scan", nil, map[string]int{"page": 0}, map[string][]string{"page": {"DynamoDB.GetItem"}}},
		{"searches", []string{"AmazonSSM.GetParameters"}, map[string]int{"search": 0},
			map[string][]string{"search": {"DynamoDB.GetItem"}}},
		{"summaries", nil, map[string]int{"summary": 0}, map[string][]string{"summary": {"DynamoDB.GetItem"}}},
		{"sweep", nil, map[string]int{"ended": 0, "tick": 0},
			map[string][]string{"ended": {"DynamoDB.Query"}, "tick": {"DynamoDB.Query"}}},
	} {
		t.Run(c.function, func(t *testing.T) {
			function, err := runtimeapi.Start(within(t), build(t, lambdaOf(t, c.function)), aws.variables())
			if err != nil {
				t.Fatal(err)
			}
			defer function.Close()
			if asked := aws.operations(); !slices.Equal(asked, c.starting) {
				t.Errorf("it started by asking %q, want %q", asked, c.starting)
			}
			if names := events.Names(c.function); len(names) != len(c.samples) {
				t.Errorf("its samples are %q", names)
			}
			for _, name := range events.Names(c.function) {
				event, err := events.Open(c.function, name)
				if err != nil {
					t.Fatal(err)
				}
				payload := strings.NewReplacer(events.WorkspacePlaceholder, workspaceID, events.DraftPlaceholder, draftID,
					events.InvitationPlaceholder, invitationID).Replace(string(event.Payload))
				answer, err := function.Invoke(within(t), []byte(payload))
				if err != nil {
					t.Fatalf("%s: %v\n%s", name, err, function.Output())
				}
				checkAnswer(t, event.Trigger, payload, answer, c.samples[name])
				if asked := aws.operations(); !slices.Equal(asked, c.asks[name]) {
					t.Errorf("%s: it asked %q, want %q", name, asked, c.asks[name])
				}
			}
			function.Close() // what it has written is there then
			checkRecords(t, c.function, function.Output(), len(c.samples))
		})
	}
}

// Every stage's binary starts with what a deployment tells it, and takes the state machine's call: of a run that is not
// there, which is an error, with one record that names it.
func TestStages(t *testing.T) {
	aws := newEmptyAWS(t)
	call := message.SetupStage{WorkspaceID: workspaceID, DraftID: draftID, Run: 1, Sources: []string{"hackernews"}}
	for _, stage := range proposal.Pipeline() {
		t.Run(string(stage.Name), func(t *testing.T) {
			function, err := runtimeapi.Start(within(t), build(t, "earshot/functions/setupstages/"+string(stage.Name)+"/lambda"),
				aws.variables())
			if err != nil {
				t.Fatal(err)
			}
			defer function.Close()
			calls := []message.SetupStage{call}
			if asked := aws.operations(); len(asked) > 0 {
				t.Errorf("it started by asking %q", asked)
			}
			if stage.Each {
				of := call
				of.Source = "hackernews"
				calls = append(calls, of)
			}
			for _, each := range calls {
				payload, err := json.Marshal(each)
				if err != nil {
					t.Fatal(err)
				}
				if answer, err := function.Invoke(within(t), payload); err == nil || !strings.Contains(err.Error(), "not found") {
					t.Errorf("%s, %v", answer, err)
				}
				if asked := aws.operations(); !slices.Equal(asked, []string{"DynamoDB.Query"}) {
					t.Errorf("it asked %q", asked)
				}
			}
			function.Close()
			output := function.Output()
			if records := strings.Count(output, `"draft":"`+call.DraftID+`","run":1`); records != len(calls) {
				t.Errorf("%d records of %d calls in %s", records, len(calls), output)
			}
		})
	}
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), generous)
	t.Cleanup(cancel)
	return ctx
}

// checkAnswer wants what the caller reads: of a queue's function which messages failed, of a schedule's nothing, and of
// Cognito's the event.
func checkAnswer(t *testing.T, trigger events.Trigger, payload string, answer []byte, failed int) {
	t.Helper()
	switch trigger {
	case events.Schedule:
		if string(answer) != "null" {
			t.Errorf("a schedule's function answers %s", answer)
		}
		return
	case events.Account:
		var event bytes.Buffer
		if err := json.Compact(&event, []byte(payload)); err != nil || !bytes.Equal(answer, event.Bytes()) {
			t.Errorf("Cognito's function answers %s, %v", answer, err)
		}
		return
	}
	var said awsevents.SQSEventResponse
	if err := json.Unmarshal(answer, &said); err != nil || said.BatchItemFailures == nil ||
		len(said.BatchItemFailures) != failed {
		t.Errorf("%s, %v; want %d failures", answer, err, failed)
	}
}

// checkRecords wants a line of JSON of the function's own for each event in what it wrote, and nothing that is no JSON.
func checkRecords(t *testing.T, function, output string, events int) {
	t.Helper()
	records := 0
	for line := range strings.Lines(output) {
		var record struct{ Function, RequestID string }
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if record.Function == function && record.RequestID != "" {
			records++
		}
	}
	if records != events {
		t.Errorf("%d records of %d events in %s", records, events, output)
	}
}

// A function that is not told where things are says so and does not start.
func TestWorkersWantToBeTold(t *testing.T) {
	for function, missing := range map[string]string{"collect": "TABLE_", "searches": "SECRET_PATH",
		"exports": "BLOB_BUCKET", "postshards": "TABLE_", "deliver": "SECRET_PATH", "deliveries": "QUEUE_",
		"receivers": "QUEUE_", "setup": "STATE_MACHINE_ARN", "scan": "TABLE_",
		"sweep": "TABLE_", "bounces": "TABLE_", "accountcreated": "QUEUE_", "invitations": "USER_POOL_ID",
		"invitecleanup": "QUEUE_", "setupstages/candidates": "TABLE_", "setupstages/measure": "SECRET_PATH",
		"setupstages/sample": "SECRET_PATH",
		"setupstages/agent":  "SECRET_PATH", "setupstages/validate": "TABLE_"} {
		_, err := runtimeapi.Start(within(t), build(t, lambdaOf(t, function)),
			[]string{"AWS_ACCESS_KEY_ID=local", "AWS_SECRET_ACCESS_KEY=local"})
		if err == nil || !strings.Contains(err.Error(), missing) || !strings.Contains(err.Error(), "exit status 1") {
			t.Errorf("%s: %v", function, err)
		}
	}
}
