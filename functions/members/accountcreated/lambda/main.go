// The accountcreated Lambda: lets in who has just signed up, wherever they are invited, called by Cognito after the
// sign-up.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/members/accountcreated"
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
	people, noDirectory := cognitoidentity.ClientFromEnvironment(os.Getenv)
	nudges, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	if err := errors.Join(noTables, noDirectory, noQueue); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	on := worker.Options{Function: accountcreated.Group, Log: log, Clock: now}
	stored := peoplestore.New(store.New(table.Retrying(tables), now))
	lambda.Start(accountcreated.OfPool(func(poolID string) worker.TriggerHandler {
		return accountcreated.Handler(on, accountcreated.Options{
			Store:     stored,
			Directory: cognitoidentity.New(people, poolID),
			Queue:     nudges,
			Clock:     now,
			Log:       log,
		})
	}))
}
