// The search Lambda: begins and shows on-demand searches, behind API Gateway.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/search"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/store/searchstore"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
)

type (
	searchStore    = searchstore.Store
	workspaceStore = workspacestore.Store
)

// stores are those that the function uses.
type stores struct {
	*store.Kernel
	*searchStore
	*workspaceStore
}

func main() {
	log, now := web.Logger(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	messages, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	if err := errors.Join(noTables, noQueue); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	stored := stores{kernel, searchstore.New(kernel), workspacestore.New(kernel)}
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	search.Register(api, search.Options{Store: stored, Queue: messages, Clock: now})
	lambda.Start(api.LambdaHandler())
}
