// The invitecleanup Lambda: ends expired invitations and has open ones looked at, called by a schedule.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/members/invitecleanup"
	"earshot/shared/aws/cognitoidentity"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/lambdalog"
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
	nudges, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	if err := errors.Join(noTables, noDirectory, noQueue); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	lambda.Start(invitecleanup.Handler(
		worker.Options{Function: invitecleanup.Group, Log: log, Clock: now},
		invitecleanup.Options{
			Store:     peoplestore.New(store.New(table.Retrying(tables), now)),
			Directory: people,
			Queue:     nudges,
			Clock:     now,
			Log:       log,
		},
	))
}
