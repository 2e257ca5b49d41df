// Package exports is the function that writes exports. The queue exports calls it. It reads the mentions of an export
// page by page and writes them into a file ("POST /mentions/export" in the contract).
//
// A message may come twice, late, and at the same time as its repeat, and the function may die at any point. An export
// is written again until it is settled, once, and is left alone from then on. Its slot becomes free in any case: the
// function returns it, or its lease ends.
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

// Store is the part of the store that the function uses.
type Store interface {
	// Export returns store.ErrNotFound if there is none.
	Export(ctx context.Context, orgID, id string) (mentionstore.Export, error)
	// PutExport returns false for an export that is settled already.
	PutExport(ctx context.Context, e mentionstore.Export) (ok bool, err error)
	// BeginExport stores an export and extends its slot, and EndExport frees its slot.
	BeginExport(ctx context.Context, e mentionstore.Export, until time.Time) (ok bool, err error)
	EndExport(ctx context.Context, e mentionstore.Export, slots int) error
	HoldExportSlot(ctx context.Context, orgID, exportID string, slots int, until time.Time) (bool, error)
	FreeExportSlot(ctx context.Context, orgID, exportID string, slots int) error
	Mentions(ctx context.Context, query mentionstore.MentionsQuery) (mentionstore.MentionsPage, error)
}

// Options configure the function.
type Options struct {
	Store Store
	Blob  blob.Blob
	Clock clock.Clock
	// Attempts is how often a message arrives before it is a dead letter; 0 is DefaultAttempts. The last attempt
	// settles the export for good.
	Attempts int
	// Folder is where files are written before they are stored; empty for the system's temporary folder.
	Folder string
}

// DefaultAttempts is the queue's.
const DefaultAttempts = 3

const (
	// settleTime is kept of an invocation's time to record that the rest was too short.
	settleTime = 3 * time.Second
	// afterwards is how long a slot stays held beyond an invocation's end, for the message to arrive again.
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
		return worker.Reject(errors.New("the body is not an export's message"))
	}
	e, err := o.Store.Export(ctx, asked.WorkspaceID, asked.ExportID)
	if errors.Is(err, store.ErrNotFound) {
		return o.free(ctx, mentionstore.Export{WorkspaceID: asked.WorkspaceID, ID: asked.ExportID}) // it has expired
	}
	if err != nil {
		return err
	}
	if e.Status.Settled() {
		return o.free(ctx, e) // the call that settled it may have died before it freed the slot
	}
	writing, cancel := o.within(ctx)
	defer cancel()
	if err = o.write(writing, &e); err == nil || m.Receives < o.Attempts {
		return err
	}
	// The export has failed for good. The message becomes a dead letter, for people to look at.
	e.Problem = "The export could not be written. Export again. If it fails again, narrow the filters."
	e.Status, e.FinishedAt = mentionstore.ExportFailed, o.Clock.Now()
	return errors.Join(err, o.Store.EndExport(ctx, e, mentionstore.ExportSlots))
}

// within returns a context for writing: the rest of the invocation's time, less the time for settling.
func (o Options) within(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, bound := ctx.Deadline()
	if !bound {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-settleTime))
}

// begin stores that the export runs, and holds its slot. It returns false for an export that is settled already.
func (o Options) begin(ctx context.Context, e mentionstore.Export) (ours bool, err error) {
	if ours, err = o.Store.BeginExport(ctx, e, o.until(ctx)); ours || err != nil {
		return ours, err
	}
	if err := o.hold(ctx, e); err != nil {
		return false, err
	}
	return o.Store.PutExport(ctx, e)
}

// hold takes one of the workspace's slots, or extends the export's.
func (o Options) hold(ctx context.Context, e mentionstore.Export) error {
	held, err := o.Store.HoldExportSlot(ctx, e.WorkspaceID, e.ID, mentionstore.ExportSlots, o.until(ctx))
	if err != nil {
		return err
	}
	if !held {
		return errors.New("exports: all slots of the workspace are taken")
	}
	return nil
}

// until returns the time until which a slot is held: for as long as this invocation can last, and afterwards.
func (o Options) until(ctx context.Context) time.Time {
	left := longest
	if deadline, bound := ctx.Deadline(); bound {
		left = time.Until(deadline) // the machine's clock, as deadlines are
	}
	return o.Clock.Now().Add(left + afterwards)
}

func (o Options) free(ctx context.Context, e mentionstore.Export) error {
	if err := o.Store.FreeExportSlot(ctx, e.WorkspaceID, e.ID, mentionstore.ExportSlots); err != nil {
		return fmt.Errorf("exports: %w", err)
	}
	return nil
}
