// The collect Lambda: fetches posts, called by a schedule.
package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/collect"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/aws/ssmsecret"
	"earshot/shared/lambdalog"
	"earshot/shared/listening"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/source/fetch"
	"earshot/shared/source/sources"
	"earshot/shared/store"
	"earshot/shared/worker"
)

// patience is how long the credentials may take to be read at start.
const patience = 5 * time.Second

func main() {
	log := lambdalog.New(os.Getenv)
	now := clock.System{}
	rows, noTable := dynamotable.FromEnvironment(os.Getenv, store.Schemas(), now)
	sent, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	secrets, noSecrets := ssmsecret.FromEnvironment(os.Getenv)
	if err := errors.Join(noTable, noQueue, noSecrets); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	client := fetch.New(fetch.Options{Clock: now, UserAgent: fetch.Agent(os.Getenv("SOURCES_CONTACT"))})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	open, lacking, err := sources.Open(ctx, sources.Options{Client: client, Log: log}, secrets)
	cancel()
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	for _, about := range lacking {
		log.Info("a source is off: its credentials are not configured", "source", about.Name)
	}
	stored := store.New(table.Retrying(rows), now)
	collector := collect.New(collect.Options{
		Tasks: stored, Sources: open, Queue: sent, Clock: now, Log: log,
		Listening: listening.New(listening.Options{Settings: stored, Clock: now, Report: func(err error) { log.Warn("a keyword is left out", "cause", err) }}),
	})
	lambda.Start(collect.Handler(worker.Options{Function: collect.Group, Log: log, Clock: now}, collector))
}
