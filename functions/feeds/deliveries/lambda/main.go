// The deliveries Lambda: hands on what is to be delivered and is due, called by a schedule.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/feeds/deliveries"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/worker"
)

type (
	deliveryStore = deliverystore.Store
	mentionStore  = mentionstore.Store
)

// stores are the stores that the function uses.
type stores struct {
	*deliveryStore
	*mentionStore
}

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	messages, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	if err := errors.Join(noTables, noQueue); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	lambda.Start(deliveries.Handler(worker.Options{Function: deliveries.Group, Log: log, Clock: now}, deliveries.Options{
		Store: stores{deliverystore.New(kernel), mentionstore.New(kernel)},
		Queue: messages,
		Clock: now,
	}))
}
