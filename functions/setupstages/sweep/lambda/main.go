// The sweep Lambda: ends setup drafts that would not settle by themselves, called by a schedule and by the state
// machine's terminal events.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/setupstages"
	"earshot/functions/setupstages/sweep"
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
	stored := setupstore.New(store.New(table.Retrying(tables), now))
	lambda.Start(
		sweep.Handler(
			setupstages.Options{Store: stored, Clock: now}, stored,
			worker.Options{Function: sweep.Group, Log: log, Clock: now},
		),
	)
}
