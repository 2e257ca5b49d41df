// The ai Lambda: turns requests in plain words into filters, and begins and shows summaries, behind API Gateway.
package main

import (
	"errors"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/ai"
	"earshot/shared/aws/bedrockmodel"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/summarystore"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/wizard"
)

// patience is how long the model may take to respond. The rules need time after it, within the function's own.
const patience = 20 * time.Second

type (
	listenStore    = listenstore.Store
	summaryStore   = summarystore.Store
	workspaceStore = workspacestore.Store
)

// stores are those that the function uses.
type stores struct {
	*store.Kernel
	*listenStore
	*summaryStore
	*workspaceStore
}

func main() {
	log, now := web.Logger(os.Getenv), clock.System{}
	tables, failed := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	messages, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	llm, tokens, unset := bedrockmodel.FromEnvironment(os.Getenv)
	if err := errors.Join(failed, noQueue, unset); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	stored := stores{kernel, listenstore.New(kernel), summarystore.New(kernel), workspacestore.New(kernel)}
	options := ai.Options{Store: stored, Queue: messages, Clock: now, Log: log}
	if llm != nil {
		options.Advisor = &wizard.Advisor{
			Model:  llm,
			Budget: workspacestore.ModelBudget{Store: kernel, Daily: tokens, For: ai.Group, Kind: workspacestore.Wizard},
			Limit:  patience,
		}
	}
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	ai.Register(api, options)
	lambda.Start(api.LambdaHandler())
}
