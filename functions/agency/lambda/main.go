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
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/web"
)

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
	stored := allstores.New(table.Retrying(tables), now)
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	agency.Register(api, agency.Options{
		Store: stored, Directory: people, Mailer: mailer, Queue: messages, SignUpURL: os.Getenv("SIGNUP_URL"), Clock: now, Log: log,
	})
	lambda.Start(api.LambdaHandler())
}
