// Invoke calls one Lambda's handler with one of the sample events of earshot/events, on the workbench's data, and prints
// what it answers. The workbench may be running meanwhile.
//
//	go run ./functions/local/invoke mentions get
//
// EARSHOT_KEY is the key that the event is sent with; without it, it is the demo's read key. DATA and TABLE_ENDPOINT are
// the workbench's.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"earshot/events"
	"earshot/functions/local/demo"
	"earshot/functions/local/deployment"
	"earshot/functions/local/folder"
	"earshot/functions/local/settings"
	"earshot/functions/local/tables"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
)

// timeout is API Gateway's limit on a function.
const timeout = 29 * time.Second

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
	event, err := events.Sample(args[0], args[1])
	if err != nil {
		return err
	}
	chosen, err := settings.From(env)
	if err != nil {
		return err
	}
	if err := folder.Make(chosen.Data); err != nil {
		return err
	}
	rows, err := tables.Open(ctx, chosen, env, clock.System{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	stored := store.New(table.Retrying(rows), clock.System{})
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	function, known := deployment.Functions(stored, clock.System{}, log)[args[0]]
	if !known {
		return fmt.Errorf("there is no function %q here", args[0])
	}
	key, err := keyFrom(ctx, env, chosen, stored)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	response, err := function(ctx, events.WithKey(event, key))
	if err != nil {
		return fmt.Errorf("the function failed: %w", err)
	}
	return write(stdout, response)
}

// keyFrom is the key to send. The demo's may have to be made first.
func keyFrom(ctx context.Context, env func(string) string, chosen settings.Settings, stored *store.Store) (string, error) {
	if key := env("EARSHOT_KEY"); key != "" {
		return key, nil
	}
	if !chosen.Demo {
		return "", errors.New("DEMO=off leaves no key to send: set EARSHOT_KEY")
	}
	prepared, err := demo.Prepare(ctx, stored, clock.System{}.Now(), chosen.Data, chosen.BaseURL(chosen.Port))
	return prepared.Keys.Read, err
}
