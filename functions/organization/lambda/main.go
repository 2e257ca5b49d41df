// The organization Lambda: serves a workspace, its keys, company and usage, and the upgrade page, behind API Gateway.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/organization"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/alertstore"
	"earshot/shared/store/authstore"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/workspace"
)

type (
	alertStore     = alertstore.Store
	authStore      = authstore.Store
	deliveryStore  = deliverystore.Store
	listenStore    = listenstore.Store
	mentionStore   = mentionstore.Store
	workspaceStore = workspacestore.Store
)

// stores are those that the function uses.
type stores struct {
	*store.Kernel
	*alertStore
	*authStore
	*deliveryStore
	*listenStore
	*mentionStore
	*workspaceStore
}

func main() {
	log, now := web.Logger(os.Getenv), clock.System{}
	tables, err := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	tokens, unset := workspace.ModelTokens(os.Getenv)
	if err := errors.Join(err, unset); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	stored := stores{
		kernel, alertstore.New(kernel), authstore.New(kernel), deliverystore.New(kernel), listenstore.New(kernel),
		mentionstore.New(kernel), workspacestore.New(kernel),
	}
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	organization.Register(api, organization.Options{Store: stored, Clock: now, ModelTokens: tokens})
	lambda.Start(api.LambdaHandler())
}
