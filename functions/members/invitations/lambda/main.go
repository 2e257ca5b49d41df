// The invitations Lambda: lets in who has signed up since they were invited, called by the queue invitations.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/members/invitations"
	"earshot/shared/aws/cognitoidentity"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/lambdalog"
	"earshot/shared/member"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/peoplestore"
	"earshot/shared/store/rows"
	"earshot/shared/worker"
)

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	people, noDirectory := cognitoidentity.FromEnvironment(os.Getenv)
	if err := errors.Join(noTables, noDirectory); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	lambda.Start(invitations.Handler(
		worker.Options{Function: invitations.Group, Log: log, Clock: now},
		member.Desk{
			Store:     peoplestore.New(store.New(table.Retrying(tables), now)),
			Directory: people,
			Clock:     now,
			Log:       log,
		},
	))
}
