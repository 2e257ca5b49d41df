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
	"earshot/shared/worker"
)

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	rows, err := dynamotable.FromEnvironment(os.Getenv, store.Schemas(), now)
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	options := setupstages.Options{Store: store.New(table.Retrying(rows), now), Clock: now}
	lambda.Start(candidates.Handler(options, worker.Options{Function: candidates.Function, Log: log, Clock: now}))
}
