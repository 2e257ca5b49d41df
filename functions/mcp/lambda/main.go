// The mcp Lambda: the MCP server, behind API Gateway. It links the functions whose operations the tools call.
package main

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/analytics"
	"earshot/functions/feeds"
	"earshot/functions/filters"
	"earshot/functions/keywords"
	"earshot/functions/keywords/suggestions"
	"earshot/functions/mcp"
	"earshot/functions/mentions"
	"earshot/functions/organization"
	"earshot/functions/search"
	"earshot/functions/setup"
	"earshot/shared/analytics/statement"
	"earshot/shared/aws/athenawarehouse"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/sfnflow"
	"earshot/shared/aws/sqsqueue"
	"earshot/shared/aws/ssmsecret"
	"earshot/shared/keyword"
	"earshot/shared/lambdaheap"
	"earshot/shared/outbound"
	"earshot/shared/outbound/slack"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/alertstore"
	"earshot/shared/store/authstore"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/searchstore"
	"earshot/shared/store/setupstore"
	"earshot/shared/store/suggestionstore"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/workspace"
)

type (
	alertStore      = alertstore.Store
	authStore       = authstore.Store
	deliveryStore   = deliverystore.Store
	listenStore     = listenstore.Store
	mentionStore    = mentionstore.Store
	searchStore     = searchstore.Store
	setupStore      = setupstore.Store
	suggestionStore = suggestionstore.Store
	workspaceStore  = workspacestore.Store
)

// stores are those that the operations use.
type stores struct {
	*store.Kernel
	*alertStore
	*authStore
	*deliveryStore
	*listenStore
	*mentionStore
	*searchStore
	*setupStore
	*suggestionStore
	*workspaceStore
}

// filed counts from day files too.
type filed struct {
	stores
	statement.Counter
}

// counted returns the store that counts from day files if the deployment writes them, and from rows if it does not.
func counted(stored stores) (analytics.Store, error) {
	bucket := os.Getenv("ANALYTICS_BUCKET")
	if bucket == "" {
		return stored, nil
	}
	engine, err := athenawarehouse.FromEnvironment(os.Getenv)
	return filed{stored, statement.Counter{
		Manifest:  analytics.Manifest{Store: stored},
		Warehouse: engine,
		Location:  "s3://" + bucket + "/",
	}}, err
}

// settles is how long a release of this function may run beside the one before.
const settles = 2 * time.Hour

func main() {
	lambdaheap.Defer()
	log, now := web.Logger(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	messages, noQueue := sqsqueue.FromEnvironment(os.Getenv)
	runs, noMachine := sfnflow.FromEnvironment(os.Getenv)
	secrets, noSecrets := ssmsecret.FromEnvironment(os.Getenv)
	tokens, noTokens := workspace.ModelTokens(os.Getenv)
	if err := errors.Join(noTables, noQueue, noMachine, noSecrets, noTokens); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	version := os.Getenv("AWS_LAMBDA_FUNCTION_VERSION")
	listed := mentionstore.New(kernel).OfRelease(version, settles).
		PacksFrom(os.Getenv("AWS_LAMBDA_FUNCTION_NAME") + "#" + version)
	stored := stores{
		kernel, alertstore.New(kernel), authstore.New(kernel), deliverystore.New(kernel), listenstore.New(kernel),
		listed, searchstore.New(kernel),
		setupstore.New(kernel), suggestionstore.New(kernel), workspacestore.New(kernel),
	}
	figures, err := counted(stored)
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	keyed := web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log}
	// Messages that call no tool, such as a list of tools, need no operation. No tool exports mentions, sends a mail or
	// posts to a webhook: those ports stay empty.
	operations := sync.OnceValue(func() *web.API {
		called := web.New(keyed)
		mentions.Register(called, mentions.Options{Store: stored, Clock: now})
		keywords.Register(called, keywords.Options{Store: stored})
		suggestions.Register(called, suggestions.Options{Store: stored, Clock: now})
		feeds.Register(called, feeds.Options{
			Store: stored, Clock: now, Lookup: lookup,
			Slack: slack.New(slack.Options{Client: outbound.New(outbound.Options{}), Secrets: secrets, Clock: now}),
		})
		organization.Register(called, organization.Options{Store: stored, Clock: now, ModelTokens: tokens})
		filters.Register(called, filters.Options{Store: stored})
		analytics.Register(called, analytics.Options{Store: figures, Clock: now})
		search.Register(called, search.Options{Store: stored, Queue: messages, Clock: now})
		setup.Register(called, setup.Options{
			Store: stored, Queue: messages, Flow: runs, Model: os.Getenv("MODEL_ID"), Sources: keyword.Platforms(),
		})
		return called
	})
	forMCP := keyed
	forMCP.Resource = workspace.ResourceMCP
	api := web.New(forMCP)
	mcp.Register(api, mcp.Options{Operations: operations})
	lambda.Start(api.LambdaHandler())
}

// lookup resolves a name of the internet.
func lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host+".")
}
