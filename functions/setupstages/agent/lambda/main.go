// The agent Lambda: has a model compose the proposal, called by the state machine.
package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/setupstages"
	"earshot/functions/setupstages/agent"
	"earshot/shared/aws/bedrockmodel"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/ssmsecret"
	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/score"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/sources"
	"earshot/shared/store"
	"earshot/shared/worker"
)

// patience is how long the credentials may take to be read at start.
const patience = 5 * time.Second

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	rows, noTable := dynamotable.FromEnvironment(os.Getenv, store.Schemas(), now)
	secrets, noSecrets := ssmsecret.FromEnvironment(os.Getenv)
	judge, unread := score.New()
	llm, _, unset := bedrockmodel.FromEnvironment(os.Getenv)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := errors.Join(noTable, noSecrets, unread, unset); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	client := fetch.New(fetch.Options{Clock: now, UserAgent: fetch.Agent(os.Getenv("SOURCES_CONTACT"))})
	open, _, err := sources.Open(ctx, sources.Options{Client: client, Log: log}, secrets)
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	stored := store.New(table.Retrying(rows), now)
	options := agent.Options{
		Options: setupstages.Options{Store: stored, Clock: now}, Judge: judge, Log: log,
		Budget: store.ModelBudget{Store: stored, Daily: proposal.AgentDaily, For: "setup"},
		Survey: setupstages.Surveys(stored, now, log, func(context.Context) []source.Source { return open }),
	}
	if llm != nil {
		options.Model = llm
	}
	lambda.Start(agent.Handler(options, worker.Options{Function: agent.Function, Log: log, Clock: now}))
}
