// The postshards Lambda: builds the archive's shards, called by a schedule.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/postshards"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/postarchive"
	"earshot/shared/judge/language"
	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
	"earshot/shared/store/rows"
	"earshot/shared/worker"
)

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	detector, unread := language.New()
	if err := errors.Join(noTables, unread); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	archive, err := postarchive.FromEnvironment(
		os.Getenv, archivestore.New(store.New(table.Retrying(tables), now)),
	)
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	lambda.Start(postshards.Handler(
		worker.Options{Function: postshards.Group, Log: log, Clock: now},
		postshards.Options{
			Store:    archive.Store,
			Files:    archive.Files,
			Cache:    archive.Cache,
			Clock:    now,
			Language: detector.Detect,
		},
	))
}
