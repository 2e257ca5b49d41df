// The mentions Lambda: reads of mentions, behind API Gateway.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/mentions"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/web"
)

func main() {
	log := web.Logger(os.Getenv)
	rows, err := dynamotable.FromEnvironment(os.Getenv, store.Schemas(), clock.System{})
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	stored := store.New(table.Retrying(rows), clock.System{})
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: clock.System{}, Log: log})
	mentions.Register(api, stored)
	lambda.Start(api.LambdaHandler())
}
