package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"

	"earshot/events"
	"earshot/functions/local/demo"
	"earshot/functions/local/deployment"
	"earshot/functions/local/folder"
	"earshot/functions/local/settings"
	"earshot/functions/local/sites"
	"earshot/functions/local/tables"
	"earshot/shared/embedded/diskblob"
	"earshot/shared/embedded/environmentsecret"
	"earshot/shared/embedded/foldersecret"
	"earshot/shared/embedded/outboxmail"
	"earshot/shared/embedded/sqliteidentity"
	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/judge"
	"earshot/shared/outbound"
	"earshot/shared/outbound/slack"
	"earshot/shared/outbound/webhook"
	"earshot/shared/outbound/website"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/source/fetch"
	"earshot/shared/source/sources"
	"earshot/shared/store/allstores"
)

// opened are the parts of functions on the workbench's data, with what closes them.
type opened struct {
	parts deployment.Parts
	ends  []func() error
}

// close closes the data, in reverse order of opening.
func (o *opened) close() (err error) {
	for i := range o.ends {
		err = errors.Join(err, o.ends[len(o.ends)-1-i]())
	}
	return err
}

// open composes the parts as the workbench does, without its controls. For a worker it also writes the record that
// Lambda would log, because a worker's answer says little.
func open(
	ctx context.Context, chosen settings.Settings, env func(string) string, trigger events.Trigger, stderr io.Writer,
) (o *opened, err error) {
	o = &opened{}
	defer func() {
		if err != nil {
			err = errors.Join(err, o.close())
		}
	}()
	if err := folder.Make(chosen.Data); err != nil {
		return o, err
	}
	now := clock.System{}
	rows, err := tables.Open(ctx, chosen, env, now)
	if err != nil {
		return o, err
	}
	o.ends = append(o.ends, rows.Close)
	queued, err := sqlitequeue.Open(
		filepath.Join(chosen.Data, "queue.db"),
		[]sqlitequeue.Definition{
			{Name: queue.Posts},
			{Name: queue.Exports},
			{Name: queue.Scans},
			{Name: queue.Invitations},
			{Name: queue.Backfills},
			{Name: queue.Searches},
			{Name: queue.Deliveries},
			{Name: queue.Summaries},
		},
		now,
	)
	if err != nil {
		return o, err
	}
	o.ends = append(o.ends, queued.Close)
	files, err := diskblob.Open(filepath.Join(chosen.Data, "files"), chosen.BaseURL(chosen.Port), now)
	if err != nil {
		return o, err
	}
	outbox, err := outboxmail.Open(filepath.Join(chosen.Data, "mail.db"), now)
	if err != nil {
		return o, err
	}
	o.ends = append(o.ends, outbox.Close)
	people, err := sqliteidentity.Open(filepath.Join(chosen.Data, "identity.db"), now)
	if err != nil {
		return o, err
	}
	o.ends = append(o.ends, people.Close)
	level := slog.LevelWarn
	if trigger != events.API {
		level = slog.LevelInfo
	}
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level}))
	o.parts = deployment.Parts{
		Store:     allstores.New(table.Retrying(rows), now),
		Queue:     queued,
		Blob:      files,
		Mail:      outbox,
		Identity:  people,
		SignUpURL: chosen.BaseURL(chosen.Port) + "/_local/accounts",
		Clock:     now,
		Log:       log,
		Quiet:     log,
	}
	placed, err := sites.Open(filepath.Join(chosen.Data, "sites"), website.New(website.Options{}))
	if err != nil {
		return o, err
	}
	if !placed.Has(demo.Domain) {
		if _, err := placed.Put(demo.Domain, demo.Page); err != nil {
			return o, err
		}
	}
	o.parts.Setup = deployment.Setup{Sites: placed}
	outside := outbound.New(outbound.Options{})
	o.ends = append(o.ends, func() error { outside.Close(); return nil })
	o.parts.Webhook = webhook.New(outside, o.parts.Clock)
	kept := foldersecret.New(filepath.Join(chosen.Data, "secrets"))
	o.parts.Slack = slack.New(slack.Options{
		Client: outside, Secrets: kept, Writer: kept, App: environmentsecret.New(env), Clock: now,
	})
	if trigger == events.API {
		return o, nil
	}
	if o.parts.Judge, err = judge.New(); err != nil || !chosen.Live || trigger != events.Schedule {
		return o, err
	}
	client := fetch.New(fetch.Options{Clock: now, UserAgent: fetch.Agent(env("SOURCES_CONTACT"))})
	o.parts.Sources, _, err = sources.Open(ctx, sources.Options{Client: client, Log: log}, environmentsecret.New(env))
	return o, err
}
