// The authorize Lambda: lets people connect programs to their workspaces by OAuth, behind API Gateway.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/authorize"
	"earshot/shared/aws/cognitosignin"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/outbound"
	"earshot/shared/outbound/clientdocument"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/authstore"
	"earshot/shared/store/peoplestore"
	"earshot/shared/store/rows"
	"earshot/shared/web"
)

type (
	authStore   = authstore.Store
	peopleStore = peoplestore.Store
)

// stores are those that the function uses.
type stores struct {
	*store.Kernel
	*authStore
	*peopleStore
}

func main() {
	log, now := web.Logger(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	pages, noPages := cognitosignin.FromEnvironment(os.Getenv, now)
	if err := errors.Join(noTables, noPages); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	stored := stores{kernel, authstore.New(kernel), peoplestore.New(kernel)}
	documents := clientdocument.New(outbound.New(outbound.Options{Whole: clientdocument.Timeout}))
	api := web.New(web.Options{Clock: now, Log: log})
	authorize.Register(api, authorize.Options{
		Store: stored, SignIn: pages, Documents: documents, Issuer: os.Getenv("OAUTH_ISSUER"), Clock: now,
	})
	lambda.Start(api.LambdaHandler())
}
