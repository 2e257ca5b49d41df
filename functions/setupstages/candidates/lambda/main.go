// The candidates Lambda: turns a profile into candidate keywords, called by the state machine.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/setupstages"
	"earshot/functions/setupstages/candidates"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/store/setupstore"
	"earshot/shared/worker"
)

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, err := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	options := setupstages.Options{Store: setupstore.New(store.New(table.Retrying(tables), now)), Clock: now}
	lambda.Start(candidates.Handler(options, worker.Options{Function: candidates.Function, Log: log, Clock: now}))
}
