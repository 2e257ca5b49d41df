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
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/web"
)

func main() {
	log, now := web.Logger(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	messages, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	runs, noMachine := sfnflow.FromEnvironment(os.Getenv)
	if err := errors.Join(noTables, noQueue, noMachine); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	stored := allstores.New(table.Retrying(tables), now)
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	// Whoever measures knows which of them can be searched, and the others are told of.
	setup.Register(api, setup.Options{Store: stored, Queue: messages, Flow: runs, Model: os.Getenv("MODEL_ID"),
		Sources: keyword.Platforms()})
	lambda.Start(api.LambdaHandler())
}
