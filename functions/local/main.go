// Local is the workbench: the whole API in one process, for developing and testing on a laptop. The functions run as in
// their Lambdas, behind a small API Gateway, on tables in one file; beside them, /_local/ lets a test reach in.
//
// Everything it needs to know it reads from the environment, and everything it keeps is in one folder: see
// earshot/functions/local/settings.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"earshot/functions/discovery"
	"earshot/functions/local/apigateway"
	"earshot/functions/local/controls"
	"earshot/functions/local/demo"
	"earshot/functions/local/deployment"
	"earshot/functions/local/folder"
	"earshot/functions/local/settings"
	"earshot/functions/local/tables"
	"earshot/shared/embedded/fault"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal does not wait for anything
	if err := run(ctx, os.Getenv, os.Stdout, os.Stderr); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintf(os.Stderr, "earshot: %v.\n", err)
		os.Exit(1)
	}
}

// run serves until the context ends.
func run(ctx context.Context, env func(string) string, stdout, stderr io.Writer) (err error) {
	chosen, err := settings.From(env)
	if err != nil {
		return err
	}
	if err := folder.Make(chosen.Data); err != nil {
		return err
	}
	unlock, err := folder.Lock(chosen.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	listener, err := listen(chosen)
	if err != nil {
		return err
	}
	defer listener.Close()
	log, closeLog, err := openLog(chosen.Data, stderr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLog()) }()

	now := &clock.Adjustable{}
	rows, err := tables.Open(ctx, chosen, env, now)
	if err != nil {
		return err
	}
	running := &calls{}
	defer func() {
		if running.end(callPatience) {
			err = errors.Join(err, rows.Close())
		}
	}()
	faults := fault.NewSet(map[string][]string{fault.TablePort: fault.TableOperations()}, fault.DefaultWait)
	stored := store.New(table.Retrying(fault.Table(rows, faults)), now)
	routes, err := deployment.Routes(discovery.OpenAPI(), running.functions(deployment.Functions(stored, now, log)))
	if err != nil {
		return err
	}
	told := started{base: baseURL(chosen, listener), where: rows.Where, data: chosen.Data}
	if chosen.Demo {
		if told.demo, err = prepareDemo(ctx, stored, now, chosen.Data, told.base); err != nil {
			return err
		}
	}
	told.tell(stdout)
	return apigateway.Serve(ctx, listener, running.handler(site{
		controls: controls.New(controls.Options{Store: stored, Faults: faults, Clock: now, Log: log}),
		api:      apigateway.New(routes, apigateway.Options{Clock: now, Log: log}),
	}), log)
}

func prepareDemo(ctx context.Context, stored *store.Store, now clock.Clock, data, base string) (*demo.Demo, error) {
	prepared, err := demo.Prepare(ctx, stored, now.Now(), data, base)
	if err != nil {
		return nil, err
	}
	prepared, err = prepared.ServedAt(data, base)
	return &prepared, err
}
