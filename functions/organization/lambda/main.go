// The organization Lambda: serves a workspace, its keys, company and usage, and the upgrade page, behind API Gateway.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/organization"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/web"
)

func main() {
	log, now := web.Logger(os.Getenv), clock.System{}
	tables, err := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	stored := allstores.New(table.Retrying(tables), now)
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	organization.Register(api, organization.Options{Store: stored, Clock: now})
	lambda.Start(api.LambdaHandler())
}
