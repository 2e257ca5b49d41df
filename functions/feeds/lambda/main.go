// The feeds Lambda: feeds, notifications and the Slack connection, behind API Gateway.
package main

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"earshot/functions/feeds"
	"earshot/shared/aws/dynamotable"
	"earshot/shared/aws/sesmail"
	"earshot/shared/aws/ssmsecret"
	"earshot/shared/outbound"
	"earshot/shared/outbound/slack"
	"earshot/shared/outbound/webhook"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
)

type (
	deliveryStore  = deliverystore.Store
	listenStore    = listenstore.Store
	mentionStore   = mentionstore.Store
	workspaceStore = workspacestore.Store
)

// stores are those that the function uses.
type stores struct {
	*store.Kernel
	*deliveryStore
	*listenStore
	*mentionStore
	*workspaceStore
}

func main() {
	log, now := web.Logger(os.Getenv), clock.System{}
	tables, noTables := dynamotable.FromEnvironment(os.Getenv, rows.Schemas(), now)
	secrets, noSecrets := ssmsecret.FromEnvironment(os.Getenv)
	app, noApp := ssmsecret.FromVariable(os.Getenv, "SLACK_APP_PATH")
	mailer, noMail := sesmail.FromEnvironment(os.Getenv)
	if err := errors.Join(noTables, noSecrets, noApp, noMail); err != nil {
		log.Error("cannot start", "cause", err)
		os.Exit(1)
	}
	kernel := store.New(table.Retrying(tables), now)
	stored, client := stores{
		kernel, deliverystore.New(kernel), listenstore.New(kernel), mentionstore.New(kernel), workspacestore.New(kernel),
	}, outbound.New(outbound.Options{})
	api := web.New(web.Options{Credentials: stored, Windows: stored, Replays: stored, Clock: now, Log: log})
	feeds.Register(api, feeds.Options{
		Store: stored, Clock: now, Mail: mailer, Webhook: webhook.New(client, now), Lookup: lookup,
		Slack: slack.New(slack.Options{Client: client, Secrets: secrets, Writer: secrets, App: app, Clock: now}),
	})
	lambda.Start(api.LambdaHandler())
}

// lookup resolves a name of the internet, whatever domains the machine searches.
func lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host+".")
}
