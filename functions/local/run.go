package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"earshot/functions/discovery"
	"earshot/functions/local/apigateway"
	"earshot/functions/local/controls"
	"earshot/functions/local/deployment"
	"earshot/functions/local/folder"
	"earshot/functions/local/settings"
	"earshot/functions/local/sites"
	"earshot/functions/local/workers"
	"earshot/shared/embedded/chosensignin"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/folderblob"
	"earshot/shared/embedded/memflow"
	"earshot/shared/embedded/sqlitearchive"
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/outbound/website"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/source"
	"earshot/shared/store/allstores"
)

// A workbench is one run of the program. The methods that run calls fill it, in their order.
type workbench struct {
	chosen  settings.Settings
	env     func(string) string
	stdout  io.Writer
	closing closing

	listener   net.Listener
	base       string // root of the API, as clients reach it
	log, quiet *slog.Logger
	now        *clock.Adjustable
	running    calls
	watched    *live
	choosing   *chosensignin.Pages

	ports
	parts deployment.Parts
	from  controls.Sources

	untouched *allstores.Store // without faults
	archive   *postArchive
	earlier   *sqlitearchive.Archive // nil: none
	placed    *sites.Sites
}

// run serves until the context ends. It calls ready with the API's root once it serves; ready may be nil.
func run(ctx context.Context, env func(string) string, stdout, stderr io.Writer, ready func(base string)) (err error) {
	chosen, err := settings.From(env)
	if err != nil {
		return err
	}
	w := &workbench{chosen: chosen, env: env, stdout: stdout, now: &clock.Adjustable{}, watched: newLive(stdout)}
	defer func() { err = errors.Join(err, w.closing.close()) }()
	if chosen.Ahead > 0 {
		w.now.Set(time.Now().Add(chosen.Ahead))
	}
	for _, step := range []func(context.Context) error{
		func(context.Context) error { return w.hold(stderr) },
		w.openPorts,
		w.assemble,
		w.reachOut,
		w.survey,
		func(ctx context.Context) error { return useModel(ctx, env, &w.parts) },
		func(context.Context) error { return w.flow() },
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return w.serve(ctx, ready)
}

// hold takes the folder, the address and the log, before anything slow or lasting is done.
func (w *workbench) hold(stderr io.Writer) error {
	if err := folder.Make(w.chosen.Data); err != nil {
		return err
	}
	unlock, err := folder.Lock(w.chosen.Data)
	if err != nil {
		return err
	}
	w.closing.add(unlock)
	if w.listener, err = listen(w.chosen); err != nil {
		return err
	}
	w.closing.does(func() { w.listener.Close() }) // the server may have closed it
	w.base = baseURL(w.chosen, w.listener)
	log, quiet, closeLog, err := openLog(w.chosen.Data, stderr)
	if err != nil {
		return err
	}
	w.log, w.quiet = log, quiet
	w.closing.add(closeLog)
	return nil
}

// assemble makes the parts that need nothing from outside.
func (w *workbench) assemble(context.Context) error {
	judges, err := judge.New()
	if err != nil {
		return err
	}
	w.choosing = chosensignin.New(w.base+controls.Prefix+"/signin", w.now)
	w.parts = deployment.Parts{
		Store:     allstores.New(table.Retrying(fault.Table(w.rows, w.faults)), w.now),
		Judge:     judges,
		Clock:     w.now,
		Log:       w.log,
		Queue:     fault.Queue(w.queued, w.faults),
		Blob:      fault.Blob(w.files, w.faults),
		Quiet:     w.quiet,
		Fetched:   w.watched.fetched,
		Mail:      fault.Mail(w.outbox, w.faults),
		Identity:  fault.Identity(w.people, w.faults),
		SignUpURL: w.base + controls.Prefix + "/accounts",
		BaseURL:   w.base,
		SignIn:    w.choosing,

		DayFiles:      folderblob.New(w.chosen.Data),
		WriteDayFiles: w.chosen.AnalyticsFiles,
	}
	// An older program may have written to the same folder since the last start. None does while this one runs.
	w.parts.Store.OfRelease(w.now.Now().Format(time.RFC3339Nano), 0)
	w.untouched = allstores.New(table.Retrying(w.rows), w.now)
	return nil
}

// survey opens what the setup engine and on-demand search ask: the archive of what came in, pages, and the sources.
func (w *workbench) survey(context.Context) (err error) {
	if w.earlier, err = openEarlier(w.chosen.Data); err != nil {
		return err
	}
	if w.archive, err = openPostArchive(w.untouched, w.chosen.Data); err != nil {
		return err
	}
	w.parts.Archive, w.parts.PostShards = w.archive.add, w.archive.builder()
	if w.placed, err = sites.Open(filepath.Join(w.chosen.Data, "sites"), website.New(website.Options{})); err != nil {
		return err
	}
	asked := &surveyed{
		live: w.parts.Sources, archive: w.archive.reader.Sources, faults: w.faults, network: network,
	}
	w.parts.Archived = asked.archived
	searched := func(ctx context.Context) ([]source.Source, error) { return asked.sources(ctx), nil }
	w.parts.Setup = deployment.Setup{Sites: w.placed, Sources: searched, Asked: keyword.Platforms()}
	w.parts.Search = deployment.Search{Live: asked.platforms, Archive: asked.archived}
	return nil
}

// flow makes the runner of setup's stages.
func (w *workbench) flow() error {
	runner := memflow.New(memflow.Options{
		Stages: proposal.Pipeline(),
		Call:   deployment.Call(deployment.Stages(w.parts)),
		Ended:  deployment.Ended(w.parts),
		Log:    w.quiet,
	})
	w.closing.does(runner.Close)
	w.parts.Setup.Flow = fault.Flow(runner, w.faults)
	return nil
}

// serve starts the work in the background, says what runs, and answers until the context ends.
func (w *workbench) serve(ctx context.Context, ready func(base string)) error {
	routes, err := deployment.Routes(discovery.OpenAPI(), w.running.functions(deployment.Functions(w.parts)))
	if err != nil {
		return err
	}
	told := started{
		base:     w.base,
		where:    w.rows.Where,
		data:     w.chosen.Data,
		program:  os.Args[0],
		sources:  w.parts.Sources,
		dayFiles: w.chosen.AnalyticsFiles,
		model:    w.parts.Setup.ModelID,
	}
	if w.chosen.Demo {
		if told.demo, err = w.prepareDemo(ctx); err != nil {
			return err
		}
	}
	told.tell(w.stdout)
	intake, schedules := deployment.Intake(w.parts), deployment.Schedules(w.parts, w.untouched)
	background := workers.New(workers.Options{
		Queue:     w.queued,
		Consumers: deployment.Consumers(w.parts, intake),
		AtOnce:    map[string]int{queue.Deliveries: deliverers},
		Schedules: schedules,
		Log:       w.log,
	})
	if w.chosen.TableEndpoint == "" {
		// This program alone works on the folder, so a run under way died with an earlier program.
		if err := deployment.SettleRuns(ctx, w.parts, w.rows); err != nil {
			w.log.Error("setup runs of an earlier start could not be settled; the sweep tries again", "cause", err)
		}
	}
	background.Start(ctx)
	w.closing.does(func() { background.Wait(callPatience) })
	w.closing.does(w.archive.startMoving(ctx, w.earlier, w.chosen.Data, w.stdout, w.log))
	if ready != nil {
		ready(w.base)
	}
	return apigateway.Serve(ctx, w.listener, w.running.handler(site{
		controls: controls.New(controls.Options{
			Store:      w.parts.Store,
			Intake:     intake,
			Workers:    background,
			Schedules:  slices.Sorted(maps.Keys(schedules)),
			Queues:     w.queued,
			QueueNames: slices.Sorted(slices.Values(queue.Names())),
			Files:      w.files,
			Sources:    w.from,
			Pages:      w.placed,
			Outbox:     w.outbox,
			Verified:   verifier(w.parts.Store, w.parts.Receiver, w.now),
			Bounce: func(ctx context.Context, kind, workspaceID, to string) error {
				return deployment.Report(ctx, w.parts, kind, workspaceID, to)
			},
			BounceKinds: deployment.Reports(),
			Accounts:    w.people,
			SignIn:      w.choosing,
			Members:     members(w.parts.Store),
			API:         w.base,
			Arrived:     deployment.Arrived(w.parts),
			Faults:      w.faults,
			Clock:       w.now,
			Log:         w.log,
		}),
		api: apigateway.New(routes, apigateway.Options{Clock: w.now, Log: w.log}),
	}), w.log)
}
