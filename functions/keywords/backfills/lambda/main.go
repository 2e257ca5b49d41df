// The backfills Lambda: brings in posts of the past, called by the queue backfills.
package main

import (
	"errors"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/ingest"
	"earshot/functions/keywords/backfills"
	"earshot/shared/aws/bedrockmodel"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/postarchive"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/aws/ssmsecret"
	"earshot/shared/feed/audience"
	"earshot/shared/judge"
	"earshot/shared/lambdalog"
	"earshot/shared/listening"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/source/sources"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/worker"
)

// fresh is how long a new destination may take to hear of what is found.
const fresh = 15 * time.Second

// patience is how long the model may take to respond.
const patience = 20 * time.Second

type (
	listenStore    = listenstore.Store
	mentionStore   = mentionstore.Store
	workspaceStore = workspacestore.Store
)

// stores are the stores that the function uses.
type stores struct {
	*store.Kernel
	*listenStore
	*mentionStore
	*workspaceStore
}

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, noTable := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	secrets, noSecrets := ssmsecret.FromEnvironment(os.Getenv)
	j, unread := judge.New()
	llm, tokens, unset := bedrockmodel.FromEnvironment(os.Getenv)
	messages, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	if err := errors.Join(noTable, noSecrets, unread, unset, noQueue); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	open, err := sources.FromEnvironment(os.Getenv, secrets, now, log)
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	archive, err := postarchive.FromEnvironment(os.Getenv, archivestore.New(kernel))
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	version := os.Getenv("AWS_LAMBDA_FUNCTION_NAME") + "#" + os.Getenv("AWS_LAMBDA_FUNCTION_VERSION")
	stored := stores{
		kernel, listenstore.New(kernel), mentionstore.New(kernel).PacksFrom(version), workspacestore.New(kernel),
	}
	// A snapshot is read for each page: one that is older than the keyword would leave out what it matches.
	options := ingest.Options{
		Mentions: stored, Judge: j, Clock: now,
		Audiences: &audience.Audiences{Store: stored, Clock: now, Fresh: fresh},
		Told:      ingest.Tell(messages, log),
		Listening: listening.New(listening.Options{Settings: stored, Clock: now, Judging: true,
			Report: func(err error) { log.Warn("a keyword is left out", "cause", err) }}),
	}
	if llm != nil {
		options.Advised = judge.NewAdvised(
			j, llm, workspacestore.ModelBudget{Store: stored.Kernel, Daily: tokens, Kind: workspacestore.Judge}, patience,
		)
		options.Unadvised = func(err error) { log.Warn("the model was of no help", "cause", err) }
	}
	lambda.Start(backfills.Handler(worker.Options{Function: backfills.Group, Log: log, Clock: now}, backfills.Options{
		Store: stored, Intake: ingest.New(options), Archive: archive.Reader.Sources, Live: open, Clock: now,
	}))
}
