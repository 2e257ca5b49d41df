package main

import (
	"context"
	"path/filepath"
	"time"

	"earshot/functions/local/tables"
	"earshot/shared/embedded/diskblob"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/outboxmail"
	"earshot/shared/embedded/sqliteidentity"
	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/port/queue"
)

// ports are the adapters that keep the run's state in the data folder, and the faults that a test can put into them.
type ports struct {
	rows   tables.Opened
	queued *sqlitequeue.Queue
	files  *diskblob.Blob
	outbox *outboxmail.Outbox
	people *sqliteidentity.Directory
	faults *fault.Set
}

func (w *workbench) openPorts(ctx context.Context) (err error) {
	in := func(name string) string { return filepath.Join(w.chosen.Data, name) }
	if w.rows, err = tables.Open(ctx, w.chosen, w.env, w.now); err != nil {
		return err
	}
	w.closing.add(func() error {
		if !w.running.end(callPatience) {
			return nil // a function still reads them
		}
		return w.rows.Close()
	})
	w.faults = fault.NewSet(map[string][]string{
		fault.TablePort:    fault.TableOperations(),
		fault.QueuePort:    fault.QueueOperations(),
		fault.BlobPort:     fault.BlobOperations(),
		fault.MailPort:     fault.MailOperations(),
		fault.IdentityPort: fault.IdentityOperations(),
		fault.SourcePort:   fault.SourceOperations(),
		fault.FlowPort:     fault.FlowOperations(),
	}, fault.DefaultWait)
	if w.queued, err = sqlitequeue.Open(in("queue.db"), queues(w.env), w.now); err != nil {
		return err
	}
	w.closing.add(w.queued.Close)
	// No other process has the folder: what was being worked on when the last one was killed is worked on again now.
	if _, err := w.queued.Release(ctx); err != nil {
		return err
	}
	if w.files, err = diskblob.Open(in("files"), w.base, w.now); err != nil {
		return err
	}
	if w.outbox, err = outboxmail.Open(in("mail.db"), w.now); err != nil {
		return err
	}
	w.closing.add(w.outbox.Close)
	if w.people, err = sqliteidentity.Open(in("identity.db"), w.now); err != nil {
		return err
	}
	w.closing.add(w.people.Close)
	return nil
}

// queues returns the queues, each with the time that work on a message may take before the worker counts as dead.
func queues(env func(string) string) []sqlitequeue.Definition {
	return []sqlitequeue.Definition{
		{Name: queue.Posts, Visibility: postsTime(env)},
		{Name: queue.Exports, Visibility: exportTime},
		{Name: queue.Scans, Visibility: time.Minute},
		{Name: queue.Invitations, Visibility: time.Minute},
		{Name: queue.Backfills, Visibility: 2 * time.Minute},
		{Name: queue.Searches, Visibility: time.Minute},
		{Name: queue.Deliveries, Visibility: 2 * time.Minute},
		{Name: queue.Summaries, Visibility: 2 * time.Minute}, // a model may take a minute of it
	}
}

const exportTime = 2 * time.Minute

// deliverers is how many endpoints are delivered to at the same time.
const deliverers = 32
