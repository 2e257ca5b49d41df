// The sample Lambda: reads and judges posts of every candidate, called by the state machine.
package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/setupstages"
	"earshot/functions/setupstages/sample"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/ssmsecret"
	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/score"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/sources"
	"earshot/shared/store"
	"earshot/shared/worker"
)

// patience is how long the credentials may take to be read at start.
const patience = 5 * time.Second

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	rows, noTable := dynamotable.FromEnvironment(os.Getenv, store.Schemas(), now)
	secrets, noSecrets := ssmsecret.FromEnvironment(os.Getenv)
	judge, unread := score.New()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := errors.Join(noTable, noSecrets, unread); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	client := fetch.New(fetch.Options{Clock: now, UserAgent: fetch.Agent(os.Getenv("SOURCES_CONTACT"))})
	open, _, err := sources.Open(ctx, sources.Options{Client: client, Log: log}, secrets)
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	stored := store.New(table.Retrying(rows), now)
	options := sample.Options{
		Options: setupstages.Options{Store: stored, Clock: now}, Judge: judge,
		Survey: setupstages.Surveys(stored, now, log, func(context.Context) []source.Source { return open }),
	}
	lambda.Start(sample.Handler(options, worker.Options{Function: sample.Function, Log: log, Clock: now}))
}
