// The collect Lambda: fetches posts, called by a schedule.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/collect"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/aws/ssmsecret"
	"earshot/shared/lambdalog"
	"earshot/shared/listening"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/source/sources"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/worker"
)

type (
	listenStore    = listenstore.Store
	mentionStore   = mentionstore.Store
	workspaceStore = workspacestore.Store
)

// stores are the stores that the function uses.
type stores struct {
	*store.Kernel
	*listenStore
	*mentionStore
	*workspaceStore
}

func main() {
	log := lambdalog.New(os.Getenv)
	now := clock.System{}
	tables, noTable := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	sent, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	secrets, noSecrets := ssmsecret.FromEnvironment(os.Getenv)
	if err := errors.Join(noTable, noQueue, noSecrets); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	open, err := sources.FromEnvironment(os.Getenv, secrets, now, log)
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	stored := stores{kernel, listenstore.New(kernel), mentionstore.New(kernel), workspacestore.New(kernel)}
	collector := collect.New(collect.Options{
		Tasks:   stored,
		Sources: open,
		Queue:   sent,
		Clock:   now,
		Log:     log,
		// Every deployment on AWS has one.
		Archived: true,
		Listening: listening.New(
			listening.Options{
				Settings: stored,
				Clock:    now,
				Report:   func(err error) { log.Warn("a keyword is left out", "cause", err) },
			},
		),
	})
	lambda.Start(collect.Handler(worker.Options{Function: collect.Group, Log: log, Clock: now}, collector))
}
