// Package backfills is the function that brings in posts of the past for a keyword: those of a new keyword's last days,
// and those that a client asked for ("keywords" in the contract). The queue backfills calls it.
//
// It searches the archive and, for a client's backfill, the platforms too. It stores how far it came after each page. A
// message may come twice and the function may die at any point: a page that is read again stores and bills nothing
// twice. What an invocation does not finish is due again at once.
package backfills

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"earshot/events/message"
	"earshot/functions/ingest"
	"earshot/shared/keyword"
	"earshot/shared/port/clock"
	"earshot/shared/source"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worker"
)

// Group names the function.
const Group = "backfills"

// How it works.
const (
	lease       = 5 * time.Minute  // longer than an invocation
	margin      = 15 * time.Second // what must remain of an invocation to read another page
	patience    = 20 * time.Second // how long a source may take to respond
	maxPages    = 40               // of an invocation
	pageSize    = 100              // posts, where a source has more
	maxFailures = 5                // in a row, after which a source, or a page, is skipped
	firstWait   = time.Minute      // after a failure; each further one doubles it
	longestWait = time.Hour
	paused      = 10 * time.Minute // until a paused keyword is looked at again
)

// Store is the part of the store that the function uses.
type Store interface {
	// Backfill returns store.ErrNotFound if there is none.
	Backfill(ctx context.Context, orgID string, keywordID int64, kind string) (listenstore.Backfill, error)
	ClaimBackfill(
		ctx context.Context, b listenstore.Backfill, lease time.Duration,
	) (listenstore.Backfill, bool, error)
	SaveBackfill(ctx context.Context, b listenstore.Backfill) (ok bool, err error)
	EndBackfill(ctx context.Context, b listenstore.Backfill, status listenstore.BackfillStatus) error
	// Keyword returns store.ErrNotFound if there is none.
	Keyword(ctx context.Context, orgID string, id int64) (keyword.Keyword, error)
}

// Options configure the function.
type Options struct {
	Store Store
	// Intake takes posts in. Its listening must be fresh: a keyword that it does not know yet would match nothing.
	Intake *ingest.Intake
	// Archive returns the platforms of the deployment's archive; nil if it has none.
	Archive func(context.Context) ([]source.Source, error)
	Live    []source.Source // platforms that a client's backfill searches, besides the archive
	Clock   clock.Clock
}

// Handler works on the backfills of the queue's messages.
func Handler(w worker.Options, o Options) worker.QueueHandler { return worker.Queue(w, o.handle) }

func (o Options) handle(ctx context.Context, m worker.Message) error {
	var asked message.Backfill
	if err := json.Unmarshal(m.Body, &asked); err != nil || asked.WorkspaceID == "" || asked.KeywordID <= 0 {
		return worker.Reject(errors.New("the body is not a backfill's message"))
	}
	b, err := o.Store.Backfill(ctx, asked.WorkspaceID, asked.KeywordID, asked.Kind)
	if errors.Is(err, store.ErrNotFound) {
		return nil // it was deleted with its keyword
	}
	if err != nil || b.Run != asked.Run || b.Status != listenstore.BackfillRunning {
		return err
	}
	b, mine, err := o.Store.ClaimBackfill(ctx, b, lease)
	if err != nil || !mine {
		return err
	}
	return o.work(ctx, b)
}

// A place is a source of a backfill. Its name says where it is too: a platform may be archived and searched.
type place struct {
	name string
	source.Source
}

// behind follows a place's name for a position behind it. It sorts before anything that another place's name has there:
// "reddit" and "reddit_comment" are two.
const behind = "\x01"

// places returns the sources of a backfill by their names.
func (o Options) places(ctx context.Context, b listenstore.Backfill, k keyword.Keyword) (places []place, err error) {
	add := func(where string, sources []source.Source) {
		for _, s := range sources {
			if about := s.About(); !about.Stream && keyword.TakesSome(k.Platforms, about.Name) {
				places = append(places, place{where + "/" + about.Name, s})
			}
		}
	}
	if o.Archive != nil {
		archived, err := o.Archive(ctx)
		if err != nil {
			return nil, err
		}
		add("archive", archived)
	}
	if b.Kind == listenstore.Asked {
		add("live", o.Live)
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.name, b.name) })
	return places, nil
}

// work reads as many pages as the invocation has time for.
func (o Options) work(ctx context.Context, b listenstore.Backfill) error {
	k, err := o.Store.Keyword(ctx, b.WorkspaceID, b.KeywordID)
	if errors.Is(err, store.ErrNotFound) {
		return nil // and the backfill with it
	}
	if err != nil {
		return err
	}
	if k.Paused {
		return o.later(ctx, b, paused)
	}
	places, err := o.places(ctx, b, k)
	if err != nil {
		return err
	}
	pages := 0
	for _, at := range places {
		if at.name < b.Source {
			continue
		}
		if at.name > b.Source {
			b.Source, b.After = at.name, ""
		}
		for whole := false; !whole; pages++ {
			if pages == maxPages || !enough(ctx) {
				return o.later(ctx, b, 0)
			}
			next, done, err := o.page(ctx, b, k, at)
			if err != nil || next == nil {
				return err
			}
			b, whole = *next, done
		}
	}
	return o.Store.EndBackfill(ctx, b, listenstore.BackfillCompleted)
}

// page reads a page, takes it in and stores how far that came. It returns nil if the work is over for now: it was put
// off, has ended, or is another caller's.
func (o Options) page(
	ctx context.Context, b listenstore.Backfill, k keyword.Keyword, at place,
) (next *listenstore.Backfill, whole bool, err error) {
	about := at.About()
	query := source.Query{
		Text:  k.Text,
		Exact: k.ExactMatch,
		Since: b.Since,
		Until: b.Until,
		Max:   pageSize,
		After: b.After,
	}
	if about.Max > 0 {
		query.Max = min(query.Max, about.Max)
	}
	if about.Reach > 0 && query.Since.Before(o.Clock.Now().Add(-about.Reach)) {
		query.Since = o.Clock.Now().Add(-about.Reach)
	}
	var found source.Page
	if query.Since.Before(query.Until) {
		found, err = search(ctx, at.Source, query)
	}
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	if err != nil {
		return o.failed(ctx, b, at, err)
	}
	count := len(found.Posts)
	outcome, err := o.Intake.TakeFor(ctx, ingest.Backfill{
		WorkspaceID: b.WorkspaceID,
		KeywordID:   b.KeywordID,
		Row:         mentionstore.BackfillRow{Key: b.Key(), Run: b.Run, Granted: b.Granted},
	}, found.Posts)
	switch {
	case errors.Is(err, mentionstore.ErrBackfillGone):
		return nil, false, nil
	case err != nil && b.Failures+1 < maxFailures:
		b.Failures++
		return nil, false, errors.Join(err, o.later(ctx, b, wait(b.Failures)))
	}
	b.Failures = 0
	b.Read += count
	b.Matched += count - outcome.Unmatched - len(outcome.Rejected)
	worker.Count(ctx, "posts", count)
	worker.Count(ctx, "stored", outcome.Mentions.Stored)
	if outcome.Mentions.OverQuota > 0 {
		return nil, false, o.Store.EndBackfill(ctx, b, listenstore.BackfillQuotaExhausted)
	}
	whole = found.Next == "" || found.Next == b.After
	if b.After = found.Next; whole {
		b.Source, b.After = at.name+behind, ""
	}
	saved, err := o.Store.SaveBackfill(ctx, b)
	if err != nil || !saved {
		return nil, false, err
	}
	return &b, whole, nil
}

// search calls a source, for as long as it may take.
func search(ctx context.Context, s source.Source, q source.Query) (page source.Page, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return s.Search(ctx, q)
}

// failed puts the backfill off after a source's failure, and skips a source that cannot be read.
func (o Options) failed(
	ctx context.Context, b listenstore.Backfill, at place, cause error,
) (*listenstore.Backfill, bool, error) {
	worker.Count(ctx, "failures", 1)
	reason, asked, refused := "it could not be read", time.Duration(0), errors.Is(cause, source.ErrNoCredentials)
	var unavailable *source.Unavailable
	switch {
	case refused:
		reason = "its credentials are not configured"
	case errors.As(cause, &unavailable):
		reason, asked, refused = unavailable.Reason, min(unavailable.RetryAfter, longestWait), unavailable.Refused
	}
	if b.Failures++; !refused && b.Failures < maxFailures {
		return nil, false, o.later(ctx, b, max(asked, wait(b.Failures)))
	}
	b.Failures = 0
	b.Skipped[strings.TrimPrefix(strings.TrimPrefix(at.name, "live/"), "archive/")] = reason
	b.Source, b.After = at.name+behind, ""
	saved, err := o.Store.SaveBackfill(ctx, b)
	if err != nil || !saved {
		return nil, false, err
	}
	return &b, true, nil
}

// wait returns how long to wait after so many failures in a row.
func wait(failures int) time.Duration { return min(firstWait<<min(failures-1, 10), longestWait) }

// later stores how far it came. The backfill is due again after the wait.
func (o Options) later(ctx context.Context, b listenstore.Backfill, after time.Duration) error {
	b.DueAt = o.Clock.Now().Add(after)
	if _, err := o.Store.SaveBackfill(ctx, b); err != nil {
		return fmt.Errorf("backfills: %w", err)
	}
	return nil
}

// enough reports whether the invocation has time for another page.
func enough(ctx context.Context) bool {
	deadline, bound := ctx.Deadline()
	return ctx.Err() == nil && (!bound || time.Until(deadline) >= margin)
}
