// The scan Lambda: looks at the page of a draft's domain, called by the queue scans.
package main

import (
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/setupstages/scan"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/lambdalog"
	"earshot/shared/outbound/website"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/source/fetch"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/store/setupstore"
	"earshot/shared/worker"
)

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, err := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	pages := website.New(website.Options{UserAgent: fetch.Agent(os.Getenv("SOURCES_CONTACT"))})
	lambda.Start(scan.Handler(worker.Options{Function: scan.Group, Log: log, Clock: now},
		scan.Options{Store: setupstore.New(store.New(table.Retrying(tables), now)), Sites: pages}))
}
