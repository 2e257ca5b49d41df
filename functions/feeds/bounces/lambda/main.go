// The bounces Lambda: hears of mails that bounced and of complaints, called by EventBridge with SES's events.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/feeds/bounces"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/worker"
)

type (
	deliveryStore  = deliverystore.Store
	workspaceStore = workspacestore.Store
)

// stores are the stores that the function uses.
type stores struct {
	*store.Kernel
	*deliveryStore
	*workspaceStore
}

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, err := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	stored := stores{kernel, deliverystore.New(kernel), workspacestore.New(kernel)}
	lambda.Start(bounces.Handler(worker.Options{Function: bounces.Group, Log: log, Clock: now}, stored))
}
