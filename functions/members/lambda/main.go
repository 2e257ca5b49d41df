// The members Lambda: lists, invites and removes the people of a workspace, behind API Gateway.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/members"
	"earshot/shared/aws/cognitoidentity"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/sesmail"
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
	if err := errors.Join(noTables, noDirectory, noMail); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	stored := allstores.New(table.Retrying(tables), now)
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	members.Register(api, members.Options{
		Store: stored, Directory: people, Mailer: mailer, SignUpURL: os.Getenv("SIGNUP_URL"), Clock: now, Log: log,
	})
	lambda.Start(api.LambdaHandler())
}
