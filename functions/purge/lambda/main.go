// The purge Lambda: takes away what deleted workspaces have left, called by a schedule.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/purge"
	"earshot/shared/aws/cognitoidentity"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/s3blob"
	"earshot/shared/aws/ssmsecret"
	"earshot/shared/lambdalog"
	"earshot/shared/outbound"
	"earshot/shared/outbound/slack"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/purgestore"
	"earshot/shared/store/rows"
	"earshot/shared/worker"
)

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	files, noBucket := s3blob.FromEnvironment(os.Getenv)
	people, noDirectory := cognitoidentity.FromEnvironment(os.Getenv)
	secrets, noSecrets := ssmsecret.FromEnvironment(os.Getenv)
	if err := errors.Join(noTables, noBucket, noDirectory, noSecrets); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	options := purge.Options{
		Store:     purgestore.New(store.New(table.Retrying(tables), now)),
		Files:     files,
		Directory: people,
		Slack: slack.New(slack.Options{
			Client: outbound.New(outbound.Options{}), Secrets: secrets, Writer: secrets, Clock: now,
		}),
		Log: log,
	}
	if os.Getenv(s3blob.AnalyticsBucket) != "" { // the stage has files of days
		days, err := s3blob.AnalyticsFromEnvironment(os.Getenv)
		if err != nil {
			log.Error("cannot start", "cause", err)
			os.Exit(1)
		}
		options.DayFiles = days
	}
	lambda.Start(purge.Handler(worker.Options{Function: purge.Group, Log: log, Clock: now}, options))
}
