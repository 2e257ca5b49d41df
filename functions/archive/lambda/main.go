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
	"earshot/shared/worker"
)

func main() {
	log := lambdalog.New(os.Getenv)
	rows, err := dynamotable.FromEnvironment(os.Getenv, store.Schemas(), clock.System{})
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	stored := store.New(table.Retrying(rows), clock.System{})
	lambda.Start(archive.Handler(worker.Options{Function: archive.Group, Log: log, Clock: clock.System{}}, stored))
}
