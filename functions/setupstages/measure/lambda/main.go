// The measure Lambda: counts posts of every candidate, called by the state machine for each source and to join.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/setupstages"
	"earshot/functions/setupstages/measure"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/postarchive"
	"earshot/shared/aws/ssmsecret"
	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/source/sources"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
	"earshot/shared/store/rows"
	"earshot/shared/store/setupstore"
	"earshot/shared/worker"
)

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, noTable := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	secrets, noSecrets := ssmsecret.FromEnvironment(os.Getenv)
	if err := errors.Join(noTable, noSecrets); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	open := sources.WhenAsked(os.Getenv, secrets, now, log)
	kernel := store.New(table.Retrying(tables), now)
	stored := setupstore.New(kernel)
	archive, err := postarchive.FromEnvironment(os.Getenv, archivestore.New(kernel))
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	options := measure.Options{
		Options: setupstages.Options{Store: stored, Clock: now}, Analogs: stored.Analog,
		Survey: setupstages.Surveys(stored, now, log, setupstages.WithArchive(open, archive.Reader.Sources, log)),
	}
	lambda.Start(measure.Handler(options, worker.Options{Function: measure.Function, Log: log, Clock: now}))
}
