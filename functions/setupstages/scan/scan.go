// Package scan looks at the page of a setup draft's domain and writes down what it says of the company. Called by the
// queue scans.
package scan

import (
	"context"
	"encoding/json"
	"errors"

	"earshot/events/message"
	"earshot/shared/proposal"
	"earshot/shared/proposal/site"
	"earshot/shared/store"
	"earshot/shared/worker"
)

// Group is the function's name.
const Group = "scan"

// Sites are where pages are fetched.
type Sites interface {
	// Page fetches the page of a domain, which is workspace.ParseDomain's. Errors: *site.Unreadable; the context's own.
	Page(ctx context.Context, domain string) (site.Page, error)
}

// Store is what the scan asks of the store.
type Store interface {
	// Draft answers store.ErrNotFound.
	Draft(ctx context.Context, workspaceID, draftID string) (proposal.Draft, error)
	// ScanDone ends a scan that still lasts: with a profile, or with why there is none.
	ScanDone(ctx context.Context, workspaceID, draftID string, profile *proposal.Profile, message string) error
}

// Options are what the scan works with.
type Options struct {
	Store Store
	Sites Sites
}

// Handler answers the queue. A draft that is gone, or scanned already, is left alone; a page that cannot be had,
// or that is no company's, ends the scan as failed. Only what the store fails at is tried again.
func Handler(on worker.Options, o Options) worker.QueueHandler {
	return worker.Queue(on, func(ctx context.Context, m worker.Message) error {
		var scan message.Scan
		if err := json.Unmarshal(m.Body, &scan); err != nil {
			return worker.Reject(err)
		}
		return o.scan(ctx, scan)
	})
}

func (o Options) scan(ctx context.Context, scan message.Scan) error {
	d, err := o.Store.Draft(ctx, scan.WorkspaceID, scan.DraftID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil:
		return err
	case d.Status != proposal.Scanning:
		return nil
	}
	var profile proposal.Profile
	page, err := o.Sites.Page(ctx, d.Domain)
	if err == nil {
		profile, err = site.Read(page, d.Domain)
	}
	var unreadable *site.Unreadable
	switch {
	case errors.As(err, &unreadable):
		return o.Store.ScanDone(ctx, scan.WorkspaceID, scan.DraftID, nil, unreadable.Reason)
	case err != nil:
		return err
	}
	return o.Store.ScanDone(ctx, scan.WorkspaceID, scan.DraftID, &profile, "")
}
