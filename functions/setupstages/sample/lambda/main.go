// The sample Lambda: reads and judges posts of every candidate, called by the state machine.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/setupstages"
	"earshot/functions/setupstages/sample"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/postarchive"
	"earshot/shared/aws/ssmsecret"
	"earshot/shared/judge"
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
	j, unread := judge.New()
	if err := errors.Join(noTable, noSecrets, unread); err != nil {
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
	options := sample.Options{
		Options: setupstages.Options{Store: stored, Clock: now}, Judge: j,
		Survey: setupstages.Surveys(stored, now, log, setupstages.WithArchive(open, archive.Reader.Sources, log)),
	}
	lambda.Start(sample.Handler(options, worker.Options{Function: sample.Function, Log: log, Clock: now}))
}
