// The exports Lambda: writes exports into files, called by the queue exports.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/exports"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/s3blob"
	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/worker"
)

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	files, noBucket := s3blob.FromEnvironment(os.Getenv)
	if err := errors.Join(noTables, noBucket); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	lambda.Start(exports.Handler(worker.Options{Function: exports.Group, Log: log, Clock: now},
		exports.Options{Store: mentionstore.New(store.New(table.Retrying(tables), now)), Blob: files, Clock: now}))
}
