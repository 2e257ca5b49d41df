// The preview Lambda: what a keyword would have found, behind API Gateway.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/keywords/preview"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/postarchive"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
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
	archive, err := postarchive.FromEnvironment(os.Getenv, archivestore.New(kernel))
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	stored := stores{kernel, listenstore.New(kernel), mentionstore.New(kernel), workspacestore.New(kernel)}
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	preview.Register(api, preview.Options{
		Store: stored, Archive: archive.Reader.Sources, Live: true, Clock: now,
	})
	lambda.Start(api.LambdaHandler())
}
