// The analyticsfiles Lambda: writes files of days, called by a schedule.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/analyticsfiles"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/s3blob"
	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/worker"
)

type (
	mentionStore   = mentionstore.Store
	workspaceStore = workspacestore.Store
)

// stores are the stores that the function uses.
type stores struct {
	*store.Kernel
	*mentionStore
	*workspaceStore
}

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	files, noBucket := s3blob.AnalyticsFromEnvironment(os.Getenv)
	if err := errors.Join(noTables, noBucket); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	lambda.Start(analyticsfiles.Handler(
		worker.Options{Function: analyticsfiles.Group, Log: log, Clock: now},
		analyticsfiles.Options{
			Store: stores{kernel, mentionstore.New(kernel), workspacestore.New(kernel)},
			Files: files,
			Clock: now,
			Log:   log,
		},
	))
}
