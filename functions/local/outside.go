package main

import (
	"context"
	"net"
	"net/netip"
	"path/filepath"
	"time"

	"earshot/functions/local/controls"
	"earshot/shared/embedded/environmentsecret"
	"earshot/shared/embedded/foldersecret"
	"earshot/shared/outbound"
	"earshot/shared/outbound/clientdocument"
	"earshot/shared/outbound/slack"
	"earshot/shared/outbound/webhook"
	"earshot/shared/source/fetch"
	"earshot/shared/source/sources"
)

// webhookTime is how long a webhook may take to answer.
const webhookTime = 15 * time.Second

// reachOut makes what sends to the internet and reads from it: webhooks, Slack, documents of OAuth clients, and the
// sources that are collected from.
func (w *workbench) reachOut(ctx context.Context) (err error) {
	w.parts.Receiver = w.base + controls.Prefix + "/hooks/"
	outside := outbound.New(outbound.Options{Own: w.parts.Receiver, Whole: webhookTime})
	w.closing.does(outside.Close)
	w.parts.Webhook, w.parts.Lookup = webhook.New(outside, w.now), lookup
	kept, given := foldersecret.New(filepath.Join(w.chosen.Data, "secrets")), environmentsecret.New(w.env)
	w.parts.Slack = slack.New(slack.Options{Client: outside, Secrets: kept, Writer: kept, App: given, Clock: w.now})
	documents := outbound.New(outbound.Options{Whole: clientdocument.Timeout})
	w.closing.does(documents.Close)
	w.parts.Documents = clientdocument.New(documents)
	w.from = controls.Sources{Last: w.watched.lastOf}
	if !w.chosen.Live {
		return nil
	}
	client := fetch.New(fetch.Options{Clock: w.now, UserAgent: fetch.Agent(w.env("SOURCES_CONTACT"))})
	w.parts.Sources, w.from.Lacking, err = sources.Open(ctx, sources.Options{Client: client, Log: w.quiet}, given)
	for _, open := range w.parts.Sources {
		w.from.Open = append(w.from.Open, open.About())
	}
	return err
}

// lookup resolves a name of the internet, whatever search domains the machine has.
func lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host+".")
}
