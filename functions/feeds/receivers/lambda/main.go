// The receivers Lambda: signing secrets, the log of deliveries and sending again, behind API Gateway.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/feeds/receivers"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/alertstore"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
)

type (
	alertStore     = alertstore.Store
	deliveryStore  = deliverystore.Store
	listenStore    = listenstore.Store
	workspaceStore = workspacestore.Store
)

// stores are those that the function uses.
type stores struct {
	*store.Kernel
	*alertStore
	*deliveryStore
	*listenStore
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
	stored := stores{
		kernel, alertstore.New(kernel), deliverystore.New(kernel), listenstore.New(kernel), workspacestore.New(kernel),
	}
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	receivers.Register(api, receivers.Options{Store: stored, Queue: messages, Clock: now})
	lambda.Start(api.LambdaHandler())
}
