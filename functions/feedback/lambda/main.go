// The feedback Lambda: what users judge of mentions, and how often they were right, behind API Gateway.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/feedback"
	"earshot/shared/aws/dynamotable"
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
	tables, err := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	version := os.Getenv("AWS_LAMBDA_FUNCTION_NAME") + "#" + os.Getenv("AWS_LAMBDA_FUNCTION_VERSION")
	stored := stores{
		kernel, listenstore.New(kernel), mentionstore.New(kernel).PacksFrom(version), workspacestore.New(kernel),
	}
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	feedback.Register(api, feedback.Options{Store: stored})
	lambda.Start(api.LambdaHandler())
}
