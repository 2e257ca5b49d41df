// The mentions Lambda: lists, reads, changes and exports mentions, behind API Gateway.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/mentions"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/s3blob"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
)

type (
	listenStore    = listenstore.Store
	mentionStore   = mentionstore.Store
	workspaceStore = workspacestore.Store
)

// stores are those that the function uses.
type stores struct {
	*store.Kernel
	*listenStore
	*mentionStore
	*workspaceStore
}

func main() {
	log, now := web.Logger(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	messages, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	files, noBucket := s3blob.FromEnvironment(os.Getenv)
	if err := errors.Join(noTables, noQueue, noBucket); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	version := os.Getenv("AWS_LAMBDA_FUNCTION_NAME") + "#" + os.Getenv("AWS_LAMBDA_FUNCTION_VERSION")
	stored := stores{
		kernel, listenstore.New(kernel), mentionstore.New(kernel).PacksFrom(version), workspacestore.New(kernel),
	}
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	mentions.Register(api, mentions.Options{Store: stored, Queue: messages, Blob: files, Clock: now})
	lambda.Start(api.LambdaHandler())
}
