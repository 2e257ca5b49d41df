// The summaries Lambda: writes summaries, called by the queue summaries.
package main

import (
	"errors"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/ai/summaries"
	"earshot/shared/aws/bedrockmodel"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/summarystore"
	"earshot/shared/store/workspacestore"
	"earshot/shared/summary/compose"
	"earshot/shared/worker"
)

const (
	// patience is how long the model may take to respond.
	patience = time.Minute
	// settles is longer than a deployment moves functions, and than an invocation of older code runs.
	settles = 2 * time.Hour
)

type (
	mentionStore = mentionstore.Store
	summaryStore = summarystore.Store
)

// stores are those that the function uses.
type stores struct {
	*mentionStore
	*summaryStore
}

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, failed := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	llm, tokens, unset := bedrockmodel.FromEnvironment(os.Getenv)
	if err := errors.Join(failed, unset); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	mentions := mentionstore.New(kernel).OfRelease(os.Getenv("AWS_LAMBDA_FUNCTION_VERSION"), settles)
	options := summaries.Options{Store: stores{mentions, summarystore.New(kernel)}, Clock: now, Log: log}
	if llm != nil {
		options.Writer = &compose.Writer{
			Model: llm,
			ID:    os.Getenv("MODEL_ID"),
			Budget: workspacestore.ModelBudget{
				Store: kernel, Daily: tokens, For: summaries.BudgetFor, Kind: workspacestore.Summary,
			},
			Limit: patience,
		}
	}
	lambda.Start(summaries.Handler(worker.Options{Function: summaries.Group, Log: log, Clock: now}, options))
}
