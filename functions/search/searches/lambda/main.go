// The searches Lambda: runs on-demand searches, called by the queue searches.
package main

import (
	"context"
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/search/searches"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/postarchive"
	"earshot/shared/aws/ssmsecret"
	"earshot/shared/judge"
	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/source"
	"earshot/shared/source/sources"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/searchstore"
	"earshot/shared/store/setupstore"
	"earshot/shared/store/workspacestore"
	"earshot/shared/worker"
)

type (
	mentionStore   = mentionstore.Store
	searchStore    = searchstore.Store
	setupStore     = setupstore.Store
	workspaceStore = workspacestore.Store
)

// stores are those that the function uses.
type stores struct {
	*store.Kernel
	*mentionStore
	*searchStore
	*setupStore
	*workspaceStore
}

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	secrets, noSecrets := ssmsecret.FromEnvironment(os.Getenv)
	j, unread := judge.New()
	if err := errors.Join(noTables, noSecrets, unread); err != nil {
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
	options := searches.Options{
		Store: stores{
			kernel, mentionstore.New(kernel), searchstore.New(kernel), setupstore.New(kernel), workspacestore.New(kernel),
		},
		Judge:   j,
		Live:    func(context.Context) []source.Source { return open },
		Archive: archive.Reader.Sources,
		Clock:   now,
		Log:     log,
	}
	lambda.Start(searches.Handler(worker.Options{Function: searches.Group, Log: log, Clock: now}, options))
}
