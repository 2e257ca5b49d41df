// The archive Lambda: moves old mentions, called by a schedule.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/archive"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/worker"
)

type (
	listenStore  = listenstore.Store
	mentionStore = mentionstore.Store
)

// stores are the stores that the function uses.
type stores struct {
	*store.Kernel
	*listenStore
	*mentionStore
}

func main() {
	log := lambdalog.New(os.Getenv)
	tables, err := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), clock.System{})
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), clock.System{})
	stored := stores{kernel, listenstore.New(kernel), mentionstore.New(kernel)}
	lambda.Start(archive.Handler(worker.Options{Function: archive.Group, Log: log, Clock: clock.System{}}, stored))
}
