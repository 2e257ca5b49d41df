// Invoke calls one Lambda's handler with one of the sample events of earshot/events, on the workbench's data, and
// prints what it answers. The workbench may be running meanwhile: what a function sends to a queue, it takes.
//
//	go run ./infra/invoke mentions get
//	go run ./infra/invoke ingest posts
//
// EARSHOT_KEY is the key that a request is sent with; without it, it is the demo's read key or, for the agency, its
// master key. DATA, TABLE_ENDPOINT, SOURCES and the sources' credentials are the workbench's.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambdacontext"

	"earshot/events"
	"earshot/functions/agency"
	"earshot/functions/local/demo"
	"earshot/functions/local/deployment"
	"earshot/functions/local/settings"
	"earshot/functions/setup"
	"earshot/shared/port/queue"
)

// Time limits: API Gateway's on a function, and what a worker may take here.
const (
	requestTime = 29 * time.Second
	workerTime  = 2 * time.Minute
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Getenv, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "invoke: %v.\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, env func(string) string, stdout, stderr io.Writer) (err error) {
	if len(args) != 2 {
		return errors.New("name a function and one of its sample events, as in: make invoke FN=mentions EVENT=get")
	}
	event, err := events.Open(args[0], args[1])
	if err != nil {
		return err
	}
	chosen, err := settings.From(env)
	if err != nil {
		return err
	}
	opened, err := open(ctx, chosen, env, event.Trigger, stderr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.close()) }()
	call := caller{opened.parts, chosen, env}
	switch event.Trigger {
	case events.API:
		return call.request(ctx, args[0], event, stdout)
	case events.Queue:
		return call.messages(ctx, args[0], event, stdout)
	default:
		return call.schedule(ctx, args[0], event, stdout)
	}
}

// A caller calls functions that are composed from its parts.
type caller struct {
	deployment.Parts
	chosen settings.Settings
	env    func(string) string
}

// request calls an API function, with a key.
func (c caller) request(ctx context.Context, name string, event events.Event, stdout io.Writer) error {
	function, known := deployment.Functions(c.Parts)[name]
	if !known {
		return noFunction(name)
	}
	request, err := event.Request()
	if err != nil {
		return err
	}
	key, err := c.key(ctx, name)
	if err != nil {
		return err
	}
	if name == setup.Group {
		if err := c.withBeta(ctx); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	response, err := function(ctx, events.WithKey(request, key))
	if err != nil {
		return fmt.Errorf("the function failed: %w", err)
	}
	return write(stdout, response)
}

// takes lists the queues of the functions that take messages.
var takes = map[string]string{
	"ingest":    queue.Posts,
	"exports":   queue.Exports,
	"scan":      queue.Scans,
	"backfills": queue.Backfills,
	"searches":  queue.Searches,
	"deliver":   queue.Deliveries,
	"summaries": queue.Summaries,
}

// messages calls a queue's function.
func (c caller) messages(ctx context.Context, name string, event events.Event, stdout io.Writer) error {
	function, known := deployment.Consumers(c.Parts, deployment.Intake(c.Parts))[takes[name]]
	if !known {
		return noFunction(name)
	}
	batch, err := event.Messages()
	if err != nil {
		return err
	}
	prepared, err := c.demo(ctx)
	if err != nil {
		return err
	}
	if batch, err = c.withExport(ctx, batch, prepared); err != nil {
		return err
	}
	if batch, err = c.withSummary(ctx, batch, prepared); err != nil {
		return err
	}
	if batch, err = c.withSearch(ctx, batch, prepared); err != nil {
		return err
	}
	if batch, err = c.withDraft(ctx, batch, prepared); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(
		lambdacontext.NewContext(ctx, &lambdacontext.LambdaContext{AwsRequestID: rand.Text()}), workerTime,
	)
	defer cancel()
	response, err := function(ctx, batch)
	if err != nil {
		return fmt.Errorf("the function failed: %w", err)
	}
	return writeJSON(stdout, response)
}

// schedule calls a schedule's function, which returns no result.
func (c caller) schedule(ctx context.Context, name string, event events.Event, stdout io.Writer) error {
	schedule, known := deployment.Schedules(c.Parts, c.Store)[name]
	if !known {
		return noFunction(name)
	}
	if _, err := c.demo(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, workerTime)
	defer cancel()
	if err := schedule.Run(ctx, event.Payload); err != nil {
		return fmt.Errorf("the function failed: %w", err)
	}
	return writeJSON(stdout, json.RawMessage("null"))
}

func noFunction(name string) error { return fmt.Errorf("there is no function %q here", name) }

// key returns the key for a function. The demo's key may have to be made first.
func (c caller) key(ctx context.Context, function string) (string, error) {
	if key := c.env("EARSHOT_KEY"); key != "" {
		return key, nil
	}
	if !c.chosen.Demo {
		return "", errors.New("DEMO=off leaves no key to send: set EARSHOT_KEY")
	}
	prepared, err := c.demo(ctx)
	if function == agency.Group {
		return prepared.Keys.AgencyMaster, err
	}
	return prepared.Keys.Write, err
}

// demo returns what the data folder starts with, and nil if it starts empty.
func (c caller) demo(ctx context.Context) (demo.Demo, error) {
	if !c.chosen.Demo {
		return demo.Demo{}, nil
	}
	return demo.Prepare(ctx, c.Store, c.Clock.Now(), c.chosen.Data, c.chosen.BaseURL(c.chosen.Port))
}
