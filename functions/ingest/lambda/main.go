// The ingest Lambda: takes posts in, called by the queue posts.
package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/ingest"
	"earshot/shared/archive"
	"earshot/shared/aws/bedrockmodel"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/feed/audience"
	"earshot/shared/judge"
	"earshot/shared/lambdaheap"
	"earshot/shared/lambdalog"
	"earshot/shared/listening"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/post"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/worker"
)

// fresh is how long a changed keyword may take to match arriving posts.
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
	lambdaheap.Defer()
	log := lambdalog.New(os.Getenv)
	now := clock.System{}
	tables, failed := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	j, unread := judge.New()
	llm, tokens, unset := bedrockmodel.FromEnvironment(os.Getenv)
	messages, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	if err := errors.Join(failed, unread, unset, noQueue); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	version := os.Getenv("AWS_LAMBDA_FUNCTION_NAME") + "#" + os.Getenv("AWS_LAMBDA_FUNCTION_VERSION")
	stored := stores{
		kernel, listenstore.New(kernel), mentionstore.New(kernel).PacksFrom(version), workspacestore.New(kernel),
	}
	kept := archivestore.New(kernel)
	options := ingest.Options{
		Mentions: stored, Judge: j, Clock: now,
		Audiences: &audience.Audiences{Store: stored, Clock: now, Fresh: fresh},
		Told:      ingest.Tell(messages, log),
		Archive:   func(ctx context.Context, posts []post.Post) error { return archive.Add(ctx, kept, now, posts) },
		Listening: listening.New(listening.Options{Settings: stored, Clock: now, Fresh: fresh, Judging: true,
			Report: func(err error) { log.Warn("a keyword is left out", "cause", err) }}),
	}
	if llm != nil {
		options.Advised = judge.NewAdvised(
			j, llm, workspacestore.ModelBudget{Store: stored.Kernel, Daily: tokens, Kind: workspacestore.Judge}, patience,
		)
		options.Unadvised = func(err error) { log.Warn("the model was of no help", "cause", err) }
	}
	lambda.Start(ingest.Handler(worker.Options{Function: ingest.Group, Log: log, Clock: now}, ingest.New(options)))
}
