// Local is the workbench: the whole API in one process, for developing and testing on a laptop. The functions run as
// in their Lambdas, behind a small API Gateway, on tables in one file. Under /_local/ a test controls the workbench.
//
// It reads its settings from the environment and keeps everything in one folder: see
// earshot/functions/local/settings.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"earshot/functions/discovery"
	"earshot/functions/local/apigateway"
	"earshot/functions/local/controls"
	"earshot/functions/local/demo"
	"earshot/functions/local/deployment"
	"earshot/functions/local/folder"
	"earshot/functions/local/settings"
	"earshot/functions/local/sites"
	"earshot/functions/local/tables"
	"earshot/functions/local/workers"
	"earshot/infra/exit"
	"earshot/shared/embedded/chosensignin"
	"earshot/shared/embedded/diskblob"
	"earshot/shared/embedded/environmentsecret"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/folderblob"
	"earshot/shared/embedded/foldersecret"
	"earshot/shared/embedded/memflow"
	"earshot/shared/embedded/outboxmail"
	"earshot/shared/embedded/sqliteidentity"
	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/outbound"
	"earshot/shared/outbound/clientdocument"
	"earshot/shared/outbound/slack"
	"earshot/shared/outbound/webhook"
	"earshot/shared/outbound/website"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/sources"
	"earshot/shared/store/allstores"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal does not wait for anything
	if err := command(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr); err != nil {
		if errors.Is(err, context.Canceled) {
			err = exit.Failing(exit.Interrupted, "interrupted")
		}
		fmt.Fprintf(os.Stderr, "earshot: %v.\n", err)
		os.Exit(exit.StatusOf(err))
	}
}

// run serves until the context ends. It calls ready with the API's root once it serves; ready may be nil.
func run(ctx context.Context, env func(string) string, stdout, stderr io.Writer, ready func(base string)) (err error) {
	chosen, err := settings.From(env)
	if err != nil {
		return err
	}
	if err := folder.Make(chosen.Data); err != nil {
		return err
	}
	unlock, err := folder.Lock(chosen.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	listener, err := listen(chosen)
	if err != nil {
		return err
	}
	defer listener.Close()
	log, quiet, closeLog, err := openLog(chosen.Data, stderr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLog()) }()

	now := &clock.Adjustable{}
	if chosen.Ahead > 0 {
		now.Set(time.Now().Add(chosen.Ahead))
	}
	rows, err := tables.Open(ctx, chosen, env, now)
	if err != nil {
		return err
	}
	running := &calls{}
	defer func() {
		if running.end(callPatience) {
			err = errors.Join(err, rows.Close())
		}
	}()
	faults := fault.NewSet(map[string][]string{
		fault.TablePort:    fault.TableOperations(),
		fault.QueuePort:    fault.QueueOperations(),
		fault.BlobPort:     fault.BlobOperations(),
		fault.MailPort:     fault.MailOperations(),
		fault.IdentityPort: fault.IdentityOperations(),
		fault.SourcePort:   fault.SourceOperations(),
		fault.FlowPort:     fault.FlowOperations(),
	}, fault.DefaultWait)
	base := baseURL(chosen, listener)
	queued, err := sqlitequeue.Open(filepath.Join(chosen.Data, "queue.db"), []sqlitequeue.Definition{
		{Name: queue.Posts, Visibility: postsTime(env)},
		{Name: queue.Exports, Visibility: exportTime}, {Name: queue.Scans, Visibility: scanTime},
		{Name: queue.Invitations, Visibility: arrivalTime}, {Name: queue.Backfills, Visibility: backfillTime},
		{Name: queue.Searches, Visibility: searchTime}, {Name: queue.Deliveries, Visibility: deliveryTime},
		{Name: queue.Summaries, Visibility: summaryTime}}, now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, queued.Close()) }()
	// No other process has the folder: what was being worked on when the last one was killed is worked on again now.
	if _, err := queued.Release(ctx); err != nil {
		return err
	}
	files, err := diskblob.Open(filepath.Join(chosen.Data, "files"), base, now)
	if err != nil {
		return err
	}
	outbox, err := outboxmail.Open(filepath.Join(chosen.Data, "mail.db"), now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, outbox.Close()) }()
	people, err := sqliteidentity.Open(filepath.Join(chosen.Data, "identity.db"), now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, people.Close()) }()
	j, err := judge.New()
	if err != nil {
		return err
	}
	watched := newLive(stdout)
	choosing := chosensignin.New(base+controls.Prefix+"/signin", now)
	parts := deployment.Parts{
		Store:     allstores.New(table.Retrying(fault.Table(rows, faults)), now),
		Judge:     j,
		Clock:     now,
		Log:       log,
		Queue:     fault.Queue(queued, faults),
		Blob:      fault.Blob(files, faults),
		Quiet:     quiet,
		Fetched:   watched.fetched,
		Mail:      fault.Mail(outbox, faults),
		Identity:  fault.Identity(people, faults),
		SignUpURL: base + controls.Prefix + "/accounts",
		BaseURL:   base,
		SignIn:    choosing,

		DayFiles:      folderblob.New(chosen.Data),
		WriteDayFiles: chosen.AnalyticsFiles,
	} // An older program may have written to the same folder since the last start. None does while this one runs.
	parts.Store.OfRelease(now.Now().Format(time.RFC3339Nano), 0)

	parts.Receiver = base + controls.Prefix + "/hooks/"
	outside := outbound.New(outbound.Options{Own: parts.Receiver, Whole: webhookTime})
	defer outside.Close()
	parts.Webhook, parts.Lookup = webhook.New(outside, parts.Clock), lookup
	kept := foldersecret.New(filepath.Join(chosen.Data, "secrets"))
	parts.Slack = slack.New(slack.Options{
		Client: outside, Secrets: kept, Writer: kept, App: environmentsecret.New(env), Clock: now,
	})
	documents := outbound.New(outbound.Options{Whole: clientdocument.Timeout})
	defer documents.Close()
	parts.Documents = clientdocument.New(documents)
	from := controls.Sources{Last: watched.lastOf}
	if chosen.Live {
		client := fetch.New(fetch.Options{Clock: now, UserAgent: fetch.Agent(env("SOURCES_CONTACT"))})
		if parts.Sources, from.Lacking, err = sources.Open(
			ctx, sources.Options{Client: client, Log: quiet}, environmentsecret.New(env),
		); err != nil {
			return err
		}
		for _, open := range parts.Sources {
			from.Open = append(from.Open, open.About())
		}
	}
	earlier, err := openEarlier(chosen.Data)
	if err != nil {
		return err
	}
	untouched := allstores.New(table.Retrying(rows), now)
	archive, err := openPostArchive(untouched, chosen.Data)
	if err != nil {
		return err
	}
	parts.Archive, parts.PostShards = archive.add, archive.builder()
	pages := website.New(website.Options{})
	placed, err := sites.Open(filepath.Join(chosen.Data, "sites"), pages)
	if err != nil {
		return err
	}
	asked := &surveyed{live: parts.Sources, archive: archive.reader.Sources, faults: faults, network: network}
	parts.Archived = asked.archived
	searched := func(ctx context.Context) ([]source.Source, error) { return asked.sources(ctx), nil }
	parts.Setup = deployment.Setup{Sites: placed, Sources: searched, Asked: keyword.Platforms()}
	parts.Search = deployment.Search{Live: asked.platforms, Archive: asked.archived}
	if err := useModel(ctx, env, &parts); err != nil {
		return err
	}
	runner := memflow.New(memflow.Options{
		Stages: proposal.Pipeline(),
		Call:   deployment.Call(deployment.Stages(parts)),
		Ended:  deployment.Ended(parts),
		Log:    quiet,
	})
	defer runner.Close()
	parts.Setup.Flow = fault.Flow(runner, faults)
	routes, err := deployment.Routes(discovery.OpenAPI(), running.functions(deployment.Functions(parts)))
	if err != nil {
		return err
	}
	told := started{
		base:     base,
		where:    rows.Where,
		data:     chosen.Data,
		program:  os.Args[0],
		sources:  parts.Sources,
		dayFiles: chosen.AnalyticsFiles,
		model:    parts.Setup.ModelID,
	}
	if chosen.Demo {
		if told.demo, err = prepareDemo(ctx, parts.Store, now, chosen.Data, base); err != nil {
			return err
		}
		if err := surveyDemo(ctx, archive, placed, now, chosen.TableEndpoint == ""); err != nil {
			return err
		}
	}
	told.tell(stdout)
	intake, schedules := deployment.Intake(parts), deployment.Schedules(parts, untouched)
	background := workers.New(
		workers.Options{
			Queue:     queued,
			Consumers: deployment.Consumers(parts, intake),
			AtOnce:    map[string]int{queue.Deliveries: deliverers},
			Schedules: schedules,
			Log:       log,
		},
	)
	if chosen.TableEndpoint == "" {
		// This program alone works on the folder, so a run under way died with an earlier program.
		if err := deployment.SettleRuns(ctx, parts, rows); err != nil {
			log.Error("setup runs of an earlier start could not be settled; the sweep tries again", "cause", err)
		}
	}
	background.Start(ctx)
	defer background.Wait(callPatience)
	stopMoving := archive.startMoving(ctx, earlier, chosen.Data, stdout, log)
	defer stopMoving()
	if ready != nil {
		ready(base)
	}
	return apigateway.Serve(ctx, listener, running.handler(site{
		controls: controls.New(controls.Options{
			Store:      parts.Store,
			Intake:     intake,
			Workers:    background,
			Schedules:  slices.Sorted(maps.Keys(schedules)),
			Queues:     queued,
			QueueNames: slices.Sorted(slices.Values(queue.Names())),
			Files:      files,
			Sources:    from,
			Pages:      placed,
			Outbox:     outbox,
			Verified:   verifier(parts.Store, parts.Receiver, now),
			Bounce: func(ctx context.Context, kind, workspaceID, to string) error {
				return deployment.Report(ctx, parts, kind, workspaceID, to)
			},
			BounceKinds: deployment.Reports(),
			Accounts:    people,
			SignIn:      choosing,
			Members:     members(parts.Store),
			API:         base,
			Arrived:     deployment.Arrived(parts),
			Faults:      faults,
			Clock:       now,
			Log:         log,
		}),
		api: apigateway.New(routes, apigateway.Options{Clock: now, Log: log}),
	}), log)
}

// lookup resolves a name of the internet, whatever search domains the machine has.
func lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host+".")
}

// scanTime is how long a scan may take before it counts as dead.
const scanTime = time.Minute

// arrivalTime is how long a batch of arrivals may take before it counts as dead.
const arrivalTime = time.Minute

// backfillTime is how long a turn of a backfill may take before it counts as dead.
const backfillTime = 2 * time.Minute

// deliveryTime is how long work on an endpoint may take before it counts as dead, and deliverers is how many endpoints
// are worked on at the same time.
const (
	deliveryTime = 2 * time.Minute
	deliverers   = 32
)

// webhookTime is how long a webhook may take to answer.
const webhookTime = 15 * time.Second

// searchTime is how long a search may take before it counts as dead.
const searchTime = time.Minute

// summaryTime is how long a summary may take before it counts as dead. A model may take a minute of it.
const summaryTime = 2 * time.Minute

// exportTime is how long an export may take before it counts as dead.
const exportTime = 2 * time.Minute

// surveyDemo gives the setup engine the demo's company: its posts, and its page unless another one was put there. alone
// says that no other program adds posts.
func surveyDemo(
	ctx context.Context, archive *postArchive, placed *sites.Sites, now clock.Clock, alone bool,
) error {
	posts, err := demo.Archived(now.Now())
	if err != nil {
		return err
	}
	if err := archive.add(ctx, posts); err != nil {
		return err
	}
	if alone {
		if err := archive.buildAll(ctx); err != nil {
			return err
		}
	}
	if placed.Has(demo.Domain) {
		return nil
	}
	_, err = placed.Put(demo.Domain, demo.Page)
	return err
}

func prepareDemo(ctx context.Context, stored *allstores.Store, now clock.Clock, data, base string) (*demo.Demo, error) {
	prepared, err := demo.Prepare(ctx, stored, now.Now(), data, base)
	if err != nil {
		return nil, err
	}
	prepared, err = prepared.ServedAt(data, base)
	return &prepared, err
}

// members returns a list of the addresses of all workspaces' members.
func members(stored *allstores.Store) func(context.Context) ([]string, error) {
	return func(ctx context.Context) (emails []string, err error) {
		const most = 100
		workspaces, err := stored.Workspaces(ctx, "", most)
		if err != nil {
			return nil, err
		}
		for _, w := range workspaces {
			people, _, err := stored.Members(ctx, w.ID)
			if err != nil {
				return nil, err
			}
			for _, m := range people {
				emails = append(emails, m.Email)
			}
		}
		slices.Sort(emails)
		return slices.Compact(emails), nil
	}
}
