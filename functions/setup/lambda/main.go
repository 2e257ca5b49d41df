// The setup Lambda: drafts and proposals of the setup engine, behind API Gateway.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/setup"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/sfnflow"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/keyword"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/setupstore"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
)

type (
	mentionStore   = mentionstore.Store
	setupStore     = setupstore.Store
	workspaceStore = workspacestore.Store
)

// stores are those that the function uses.
type stores struct {
	*store.Kernel
	*mentionStore
	*setupStore
	*workspaceStore
}

func main() {
	log, now := web.Logger(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	messages, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	runs, noMachine := sfnflow.FromEnvironment(os.Getenv)
	if err := errors.Join(noTables, noQueue, noMachine); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	stored := stores{kernel, mentionstore.New(kernel), setupstore.New(kernel), workspacestore.New(kernel)}
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	// Whoever measures knows which of them can be searched, and the others are told of.
	setup.Register(api, setup.Options{Store: stored, Queue: messages, Flow: runs, Model: os.Getenv("MODEL_ID"),
		Sources: keyword.Platforms()})
	lambda.Start(api.LambdaHandler())
}
