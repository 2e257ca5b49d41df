// The analytics Lambda: figures about mentions, behind API Gateway.
package main

import (
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/analytics"
	"earshot/shared/analytics/statement"
	"earshot/shared/aws/athenawarehouse"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
)

type (
	listenStore    = listenstore.Store
	mentionStore   = mentionstore.Store
	workspaceStore = workspacestore.Store
)

// stores are those that the function uses.
type stores struct {
	*store.Kernel
	*listenStore
	*mentionStore
	*workspaceStore
}

// filed are stores with day files, which Athena counts.
type filed struct {
	stores
	statement.Counter
}

// withFiles returns the stores, with day files if the stage writes them.
func withFiles(stored stores) (analytics.Store, error) {
	bucket := os.Getenv("ANALYTICS_BUCKET")
	if bucket == "" {
		return stored, nil
	}
	engine, err := athenawarehouse.FromEnvironment(os.Getenv)
	if err != nil {
		return nil, err
	}
	return filed{stored, statement.Counter{
		Manifest:  analytics.Manifest{Store: stored},
		Warehouse: engine,
		Location:  "s3://" + bucket + "/",
	}}, nil
}

// settles is longer than a deployment moves functions, and than an invocation of older code runs.
const settles = 2 * time.Hour

func main() {
	log, now := web.Logger(os.Getenv), clock.System{}
	tables, err := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	mentions := mentionstore.New(kernel).OfRelease(os.Getenv("AWS_LAMBDA_FUNCTION_VERSION"), settles)
	stored := stores{kernel, listenstore.New(kernel), mentions, workspacestore.New(kernel)}
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	counted, err := withFiles(stored)
	if err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	analytics.Register(api, analytics.Options{Store: counted, Clock: now})
	lambda.Start(api.LambdaHandler())
}
