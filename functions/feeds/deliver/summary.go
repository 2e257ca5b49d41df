package deliver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"earshot/events/message/summarize"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/filter"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/deliverystore"
	"earshot/shared/summary"
	"earshot/shared/worker"
)

// A digest whose destination wants a summary has the function summaries write it: once for its interval, however often
// the digest is worked on. The digest waits for it within a bound, and is sent without it afterwards.
const (
	summaryWait = 10 * time.Minute // from when it was asked for
	summaryLook = 30 * time.Second // between two looks at it
	// summaryDelay keeps the message from coming before the summary is stored, which is done after it. So no summary is
	// stored that nobody writes.
	summaryDelay = 5 * time.Second
)

// Summaries is the part of the store that has the summaries of digests.
type Summaries interface {
	// Summary returns store.ErrNotFound if there is none.
	Summary(ctx context.Context, orgID, id string) (summary.Summary, error)
	// BeginSummary returns table.ErrTooLarge if its filters fit into no row.
	BeginSummary(ctx context.Context, wanted summary.Summary, request string) (summary.Summary, error)
	// PutOffDigest names an interval among those whose digests are due from a moment on.
	PutOffDigest(ctx context.Context, of deliverystore.Sealed, until time.Time) error
}

// summaryOf returns the id of the summary of a digest; empty if there is none to tell. wait reports that it is being
// written, and that the digest is put off.
func (o Options) summaryOf(
	ctx context.Context, of deliverystore.Sealed, f feed.Feed, to *place,
) (id string, wait bool, err error) {
	if to == nil || !to.destination.Summary || to.destination.Frequency != feed.Weekly {
		return "", false, nil
	}
	// Destinations with the same interval of a feed share a summary.
	interval := fmt.Sprintf("summary of %s to %s", of.From.Format(time.RFC3339Nano), of.To.Format(time.RFC3339Nano))
	event := delivery.ID(of.To, of.WorkspaceID, delivery.OfFeed(of.FeedID).String(), delivery.MentionsDigest, interval)
	id = summary.Prefix + strings.TrimPrefix(event, delivery.Prefix)
	s, err := o.Store.Summary(ctx, of.WorkspaceID, id)
	if errors.Is(err, store.ErrNotFound) {
		s, err = o.askSummary(ctx, id, of, f)
	}
	if err != nil {
		return "", false, err
	}
	now := o.Clock.Now()
	switch {
	case s.Status == summary.Completed:
		return id, false, nil
	case s.Status == summary.Failed, now.Sub(s.CreatedAt) >= summaryWait:
		worker.Count(ctx, "unsummarized", 1)
		return "", false, nil
	}
	return "", true, o.Store.PutOffDigest(ctx, of, now.Add(summaryLook))
}

// askSummary has the mentions that were posted in an interval summarized. The summary has failed if it cannot be asked
// for: a digest does not wait for a repair.
func (o Options) askSummary(
	ctx context.Context, id string, of deliverystore.Sealed, f feed.Feed,
) (summary.Summary, error) {
	now := o.Clock.Now()
	wanted := summary.Summary{
		ID: id, WorkspaceID: of.WorkspaceID, FeedID: f.ID, Status: summary.Running, Start: of.From, End: of.To,
		CreatedAt: now, ExpiresAt: now.Add(summary.Kept),
	}
	none := summary.Summary{ID: id, Status: summary.Failed}
	var parts []filter.Filter
	for _, text := range []string{string(f.SimpleFilters), string(f.AdvancedFilters)} {
		if text == "" {
			continue
		}
		part, faults := filter.Parse([]byte(text))
		if len(faults) > 0 { // the grammar no longer accepts it
			return none, nil
		}
		wanted.Selecting, parts = append(wanted.Selecting, text), append(parts, part)
	}
	from, until := filter.And(parts...).Window()
	if from.After(wanted.Start) {
		wanted.Start = from
	}
	if !until.IsZero() && until.Before(wanted.End) {
		wanted.End = until
	}
	if !wanted.Start.Before(wanted.End) {
		return none, nil
	}
	asked := summarize.Summary{WorkspaceID: of.WorkspaceID, SummaryID: id}
	if err := summarize.Send(ctx, o.Queue, summaryDelay, asked); err != nil {
		return none, ctx.Err()
	}
	begun, err := o.Store.BeginSummary(ctx, wanted, id)
	if errors.Is(err, table.ErrTooLarge) {
		return none, nil
	}
	return begun, err
}
