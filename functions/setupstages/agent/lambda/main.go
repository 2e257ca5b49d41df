// The agent Lambda: has a model compose the proposal, called by the state machine.
package main

import (
	"errors"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/setupstages"
	"earshot/functions/setupstages/agent"
	"earshot/shared/aws/bedrockmodel"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/postarchive"
	"earshot/shared/aws/ssmsecret"
	"earshot/shared/judge"
	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/source/sources"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
	"earshot/shared/store/rows"
	"earshot/shared/store/setupstore"
	"earshot/shared/store/workspacestore"
	"earshot/shared/worker"
)

type (
	setupStore = setupstore.Store
)

// stores are those that the function uses.
type stores struct {
	*store.Kernel
	*setupStore
}

func main() {
	log, now := lambdalog.New(os.Getenv), clock.System{}
	tables, noTable := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	secrets, noSecrets := ssmsecret.FromEnvironment(os.Getenv)
	j, unread := judge.New()
	llm, _, unset := bedrockmodel.FromEnvironment(os.Getenv)
	if err := errors.Join(noTable, noSecrets, unread, unset); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	stored := stores{kernel, setupstore.New(kernel)}
	options := agent.Options{
		Options: setupstages.Options{Store: stored, Clock: now}, Judge: j, Log: log,
		Budget: workspacestore.ModelBudget{
			Store: stored.Kernel, Daily: proposal.AgentDaily, For: "setup", Kind: workspacestore.Agent,
		},
	}
	if llm != nil { // without one nobody asks the sources
		open := sources.WhenAsked(os.Getenv, secrets, now, log)
		archive, err := postarchive.FromEnvironment(os.Getenv, archivestore.New(kernel))
		if err != nil {
			log.Error("cannot start", "cause", err)
			os.Exit(1)
		}
		options.Model = llm
		options.Survey = setupstages.Surveys(stored, now, log, setupstages.WithArchive(open, archive.Reader.Sources, log))
	}
	lambda.Start(agent.Handler(options, worker.Options{Function: agent.Function, Log: log, Clock: now}))
}
