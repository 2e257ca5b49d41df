// Package events holds what reaches the functions from outside: samples of what they are called with, in the form in
// which AWS delivers it, in testdata/<function>/<name>.json: requests by API Gateway, messages by SQS, calls by
// EventBridge and Cognito. Samples feed a Lambda's handler by hand and in tests. They are complete, made up after AWS's
// documentation, and hold no secret: where a key, a workspace or an export of the caller's belongs stands a
// placeholder; addresses are those that RFC 5737 and RFC 2606 keep for documentation.
package events

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

//go:embed testdata
var samples embed.FS

// A Trigger is what delivers an event.
type Trigger string

// The triggers.
const (
	API      Trigger = "api"      // API Gateway, a request to a REST API
	Queue    Trigger = "queue"    // SQS, a batch of messages
	Schedule Trigger = "schedule" // EventBridge, a call by its Scheduler at its time, or with an event that one of its rules lets pass
	Account  Trigger = "account"  // Cognito, a call after somebody has confirmed who they are
)

// An Event is a sample as AWS delivers it.
type Event struct {
	Trigger Trigger
	Payload []byte // JSON, as it is in the file
	name    string // for errors
}

// Open reads the sample with that name of a function: Open("mentions", "get") is testdata/mentions/get.json. The error
// for one that does not exist lists those that do.
func Open(function, name string) (Event, error) {
	content, err := samples.ReadFile("testdata/" + function + "/" + name + ".json")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return Event{}, unknown(function, name)
	}
	event := Event{Payload: content, name: function + "/" + name}
	if err == nil {
		event.Trigger, err = triggerOf(content)
	}
	if err != nil {
		return Event{}, fmt.Errorf("read the sample %s: %w", event.name, err)
	}
	return event, nil
}

// triggerOf tells what delivers such an event by the member that no other trigger's has.
func triggerOf(content []byte) (Trigger, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(content, &members); err != nil {
		return "", err
	}
	for member, trigger := range map[string]Trigger{"requestContext": API, "Records": Queue, "time": Schedule,
		"triggerSource": Account} {
		if members[member] != nil {
			return trigger, nil
		}
	}
	return "", errors.New("no trigger delivers such an event")
}

// Request is the event of an API function.
func (e Event) Request() (request events.APIGatewayProxyRequest, err error) {
	return request, e.read(API, &request)
}

// Messages is the event of a queue's function.
func (e Event) Messages() (messages events.SQSEvent, err error) {
	return messages, e.read(Queue, &messages)
}

// SignUp is the event of a function that Cognito calls.
func (e Event) SignUp() (signUp events.CognitoEventUserPoolsPostConfirmation, err error) {
	return signUp, e.read(Account, &signUp)
}

func (e Event) read(as Trigger, into any) error {
	if e.Trigger != as {
		return fmt.Errorf(
			"the sample %s is of a function that is called by another trigger: %s, not %s", e.name, e.Trigger, as,
		)
	}
	if err := json.Unmarshal(e.Payload, into); err != nil {
		return fmt.Errorf("read the sample %s: %w", e.name, err)
	}
	return nil
}

// Sample reads the sample of an API function.
func Sample(function, name string) (events.APIGatewayProxyRequest, error) {
	event, err := Open(function, name)
	if err != nil {
		return events.APIGatewayProxyRequest{}, err
	}
	return event.Request()
}

// Functions lists those that there are samples for, in alphabetical order.
func Functions() []string {
	var functions []string
	for _, entry := range entries("testdata") {
		functions = append(functions, entry.Name())
	}
	return functions
}

// Names lists a function's samples in alphabetical order; none when the function has no samples.
func Names(function string) []string {
	var names []string
	for _, entry := range entries("testdata/" + function) {
		if name, found := strings.CutSuffix(entry.Name(), ".json"); found {
			names = append(names, name)
		}
	}
	return names
}

func unknown(function, name string) error {
	if names := Names(function); names != nil {
		return fmt.Errorf("%s has no sample %q; it has: %s", function, name, strings.Join(names, ", "))
	}
	return fmt.Errorf("there are no samples for %q; there are for: %s", function, strings.Join(Functions(), ", "))
}

// entries is what a folder holds; nothing when there is no such folder.
func entries(folder string) []fs.DirEntry {
	found, err := samples.ReadDir(folder)
	if err != nil {
		return nil
	}
	return found
}
