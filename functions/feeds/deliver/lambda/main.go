// The deliver Lambda: tells destinations of mentions, called by the queue deliveries.
package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/feeds/deliver"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/sesmail"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/aws/ssmsecret"
	"earshot/shared/lambdalog"
	"earshot/shared/outbound"
	"earshot/shared/outbound/slack"
	"earshot/shared/outbound/webhook"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/alertstore"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/peoplestore"
	"earshot/shared/store/rows"
	"earshot/shared/store/summarystore"
	"earshot/shared/store/workspacestore"
	"earshot/shared/worker"
)

// patience is how long a webhook may take to answer.
const patience = 15 * time.Second

type (
	alertStore     = alertstore.Store
	deliveryStore  = deliverystore.Store
	listenStore    = listenstore.Store
	mentionStore   = mentionstore.Store
	peopleStore    = peoplestore.Store
	summaryStore   = summarystore.Store
	workspaceStore = workspacestore.Store
)

// stores are the stores that the function uses.
type stores struct {
	*store.Kernel
	*alertStore
	*deliveryStore
	*listenStore
	*mentionStore
	*peopleStore
	*summaryStore
	*workspaceStore
}

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	secrets, noSecrets := ssmsecret.FromEnvironment(os.Getenv)
	messages, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	mailer, noMail := sesmail.FromEnvironment(os.Getenv)
	if err := errors.Join(noTables, noSecrets, noQueue, noMail); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	client := outbound.New(outbound.Options{Whole: patience})
	lambda.Start(deliver.Handler(worker.Options{Function: deliver.Group, Log: log, Clock: now}, deliver.Options{
		Store: stores{
			kernel, alertstore.New(kernel), deliverystore.New(kernel), listenstore.New(kernel), mentionstore.New(kernel),
			peoplestore.New(kernel), summarystore.New(kernel), workspacestore.New(kernel),
		},
		Webhook: webhook.New(client, now),
		Slack:   slack.New(slack.Options{Client: client, Secrets: secrets, Clock: now}),
		Mail:    mailer,
		BaseURL: os.Getenv("API_URL"),
		Queue:   messages,
		Clock:   now,
		Random:  rand.Float64,
	}))
}
