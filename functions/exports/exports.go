// Package exports is the function that writes exports: it is called by the queue exports, reads the mentions that an export is to hold
// page by page, and puts them into a file ("POST /mentions/export" in the contract).
//
// A message may come twice, late, and beside itself, and the function may die at any point: an export is written anew until it is
// settled, once, and is left alone from then on. Its slot is free in the end, whatever happens: it is given back, or its lease ends.
package exports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"earshot/events/message"
	"earshot/shared/port/blob"
	"earshot/shared/port/clock"
	"earshot/shared/store"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worker"
)

// Group names the function and its folder.
const Group = "exports"

// Store is what the function asks of the store.
type Store interface {
	// Export answers store.ErrNotFound.
	Export(ctx context.Context, orgID, id string) (mentionstore.Export, error)
	// PutExport answers false for an export that is settled already.
	PutExport(ctx context.Context, e mentionstore.Export) (ok bool, err error)
	HoldExportSlot(ctx context.Context, orgID, exportID string, slots int, until time.Time) (bool, error)
	FreeExportSlot(ctx context.Context, orgID, exportID string, slots int) error
	Mentions(ctx context.Context, query mentionstore.MentionsQuery) (mentionstore.MentionsPage, error)
}

// Options are what the function works with.
type Options struct {
	Store Store
	Blob  blob.Blob
	Clock clock.Clock
	// Attempts is how often a message comes before it is a dead letter; 0: DefaultAttempts. The last one settles the export for good.
	Attempts int
	// Folder is where files are written before they are stored; empty: the system's for temporary files.
	Folder string
}

// DefaultAttempts is the queue's.
const DefaultAttempts = 3

const (
	// settleTime is what is kept of an invocation's time to say that it was not enough.
	settleTime = 3 * time.Second
	// afterwards is how long a slot stays held beyond an invocation's end, for the message to come again.
	afterwards = 3 * time.Minute
	// longest is how long an invocation may take: Lambda's bound.
	longest = 15 * time.Minute
)

// Handler writes the exports of the queue's messages.
func Handler(w worker.Options, o Options) worker.QueueHandler {
	if o.Attempts == 0 {
		o.Attempts = DefaultAttempts
	}
	return worker.Queue(w, o.handle)
}

func (o Options) handle(ctx context.Context, m worker.Message) error {
	var asked message.Export
	if err := json.Unmarshal(m.Body, &asked); err != nil || asked.WorkspaceID == "" || asked.ExportID == "" {
		return worker.Reject(errors.New("the body is not a message of an export"))
	}
	e, err := o.Store.Export(ctx, asked.WorkspaceID, asked.ExportID)
	if errors.Is(err, store.ErrNotFound) {
		return o.free(ctx, mentionstore.Export{WorkspaceID: asked.WorkspaceID, ID: asked.ExportID}) // it has expired
	}
	if err != nil {
		return err
	}
	if e.Status.Settled() {
		return o.free(ctx, e) // whoever settled it may have died before it could
	}
	writing, cancel := o.within(ctx)
	defer cancel()
	err = o.write(writing, &e)
	switch {
	case err == nil:
		return o.free(ctx, e)
	case m.Receives < o.Attempts:
		return err
	}
	// The export has failed for good, and the message goes on to be a dead letter, for people to see.
	e.Problem = "It could not be written. Export again; if it goes on, narrow the filters."
	e.Status, e.FinishedAt = mentionstore.ExportFailed, o.Clock.Now()
	if _, unsettled := o.Store.PutExport(ctx, e); unsettled != nil {
		return errors.Join(err, unsettled)
	}
	return errors.Join(err, o.free(ctx, e))
}

// within is the time for writing: what is left of the invocation's but for what settling takes.
func (o Options) within(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, bound := ctx.Deadline()
	if !bound {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-settleTime))
}

// hold takes one of the workspace's slots for as long as this invocation can last, or keeps the export's.
func (o Options) hold(ctx context.Context, e mentionstore.Export) error {
	left := longest
	if deadline, bound := ctx.Deadline(); bound {
		left = time.Until(deadline) // the machine's clock, as deadlines are
	}
	held, err := o.Store.HoldExportSlot(ctx, e.WorkspaceID, e.ID, mentionstore.ExportSlots, o.Clock.Now().Add(left+afterwards))
	if err != nil {
		return err
	}
	if !held {
		return errors.New("exports: all slots of the workspace are taken")
	}
	return nil
}

func (o Options) free(ctx context.Context, e mentionstore.Export) error {
	if err := o.Store.FreeExportSlot(ctx, e.WorkspaceID, e.ID, mentionstore.ExportSlots); err != nil {
		return fmt.Errorf("exports: %w", err)
	}
	return nil
}
