package stage

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
	"earshot/functions/discovery"
	"earshot/shared/source/catalogue"
	"earshot/shared/store/listenstore"
	"earshot/shared/worldtest"
)

// others are the statuses other than 200 of a workspace which has almost nothing, by its sample's name.
var others = map[string]int{
	"feeds/get": 404, "keywords/get": 404, "mentions/get": 404, "mentions/by-id": 404, "organization/company": 404,
	"setup/draft":        404,
	"search/begin":       202, // it waits for nothing
	"authorize/register": 201,
}

// absent are functions that the stage dev has not: it writes no files of days (AnalyticsFiles).
var absent = map[string]bool{"analyticsfiles": true}

// failures count the messages of a sample that fail: one has no meaning.
var failures = map[string]int{"ingest/unreadable": 1}

// Every sample is sent to its function's process, which answers as its caller wants it.
func TestSamples(t *testing.T) {
	s := newStage(t)
	operate := s.newOperator()
	workspace := operate.run("workspace", "create", "--name", "Northwind", "--plan", "pro")
	operate.run("workspace", "flag", workspace.Workspace, "setup_onboarding", "on")
	agency := operate.run("agency", "create", "--name", "Harbour")
	s.readStreams()
	fill := strings.NewReplacer(events.WorkspacePlaceholder, workspace.Workspace, events.DraftPlaceholder,
		"draft_01KAF3Y3W2V4GZ9M6T8Q5X7B1E",
		events.ExportPlaceholder, "exp_01KAF3Y3W2V4GZ9M6T8Q5X7B1E", events.InvitationPlaceholder,
		"inv_01KAF3Y3W2V4GZ9M6T8Q5X7B1E")
	var without []string
	for _, id := range deployed.functions() {
		if len(events.Names(id)) == 0 {
			without = append(without, id)
		}
		for _, name := range events.Names(id) {
			t.Run(id+"/"+name, func(t *testing.T) {
				event, err := events.Open(id, name)
				s.must(err)
				if event.Trigger == events.API {
					token := workspace.Token
					if id == "agency" {
						token = agency.Token
					}
					s.sampled(t, id, name, token)
					return
				}
				payload := fill.Replace(string(event.Payload))
				answer, err := s.functions[id].invoke(t.Context(), []byte(payload))
				if err != nil {
					t.Fatal(err)
				}
				var compact bytes.Buffer
				s.must(json.Compact(&compact, []byte(payload)))
				var batch awsevents.SQSEventResponse
				switch event.Trigger {
				case events.Schedule:
					if string(answer) != "null" {
						t.Errorf("%s", answer)
					}
				case events.Account:
					if !bytes.Equal(answer, compact.Bytes()) {
						t.Errorf("%s", answer)
					}
				default:
					if err := json.Unmarshal(answer, &batch); err != nil || len(batch.BatchItemFailures) != failures[id+"/"+name] {
						t.Errorf("%s", answer)
					}
				}
			})
		}
	}
	// The stages of the state machine are called by it alone: see TestSetupStory.
	for _, id := range without {
		if !strings.HasPrefix(id, "setupstages-") {
			t.Errorf("there is no sample for %s", id)
		}
	}
	for _, name := range events.Functions() {
		if there := slices.Contains(deployed.functions(), name); there == absent[name] {
			t.Errorf("a function that is called with the samples of %s: %v, want %v", name, there, !absent[name])
		}
	}
}

// sampled sends a request as its sample is, and holds the answer against the served document.
func (s *stage) sampled(t *testing.T, id, name, token string) {
	t.Helper()
	request, err := events.Sample(id, name)
	s.must(err)
	document, err := worldtest.NewDocument(discovery.OpenAPI())
	s.must(err)
	asker := worldtest.Client{
		Document: document,
		Handler: func(ctx context.Context, asked awsevents.APIGatewayProxyRequest) (
			answer awsevents.APIGatewayProxyResponse, err error) {
			request := events.WithKey(request, token)
			request.RequestContext.RequestID = asked.RequestContext.RequestID
			payload, err := json.Marshal(request)
			if err != nil {
				return answer, err
			}
			content, err := s.functions[id].invoke(ctx, payload)
			if err != nil {
				return answer, err
			}
			return answer, json.Unmarshal(content, &answer)
		},
	}
	want := 200
	if status, known := others[id+"/"+name]; known {
		want = status
	}
	if answer := asker.Do(t, worldtest.Request{Method: request.HTTPMethod, Target: request.Path}); answer.Status != want {
		t.Errorf("%d %.300s", answer.Status, answer.Body)
	}
}

// readStreams has every platform that is read whole been read just now, so that the schedule of collect reads none.
func (s *stage) readStreams() {
	s.t.Helper()
	for _, name := range catalogue.Searched() {
		s.must(s.store.AddTask(s.t.Context(), listenstore.Task{Source: name, DueAt: time.Now().Add(time.Hour)}))
	}
}
