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
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/worker"
)

func main() {
	log := lambdalog.New(os.Getenv)
	tables, err := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), clock.System{})
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	stored := allstores.New(table.Retrying(tables), clock.System{})
	lambda.Start(archive.Handler(worker.Options{Function: archive.Group, Log: log, Clock: clock.System{}}, stored))
}
