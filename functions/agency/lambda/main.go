// The agency Lambda: lists, creates and deletes an agency's workspaces and lets people into them, behind API Gateway.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/agency"
	"earshot/shared/aws/cognitoidentity"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/sesmail"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/peoplestore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
)

type (
	peopleStore    = peoplestore.Store
	workspaceStore = workspacestore.Store
)

// stores are those that the function uses.
type stores struct {
	*store.Kernel
	*peopleStore
	*workspaceStore
}

func main() {
	log, now := web.Logger(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	people, noDirectory := cognitoidentity.FromEnvironment(os.Getenv)
	mailer, noMail := sesmail.FromEnvironment(os.Getenv)
	messages, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	if err := errors.Join(noTables, noDirectory, noMail, noQueue); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	stored := stores{kernel, peoplestore.New(kernel), workspacestore.New(kernel)}
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	agency.Register(api, agency.Options{
		Store:     stored,
		Directory: people,
		Mailer:    mailer,
		Queue:     messages,
		SignUpURL: os.Getenv("SIGNUP_URL"),
		Clock:     now,
		Log:       log,
	})
	lambda.Start(api.LambdaHandler())
}
