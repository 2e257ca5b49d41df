package deliverystore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Digests are gathered: each announcement's mentions are added to the open interval of each endpoint that gets digests.
// An interval is sealed once it is over and no announcement from before its end is left, in the transaction that moves the
// watermark. An announcement is gathered while it is there. So one that is worked on twice finds its interval still open,
// and its mentions there.

// ErrEarlier means that announcements from before the end of an interval are to be gathered first.
var ErrEarlier = errors.New("deliverystore: earlier announcements are not gathered yet")

// Gathered are an announcement's mentions that an endpoint is told of in a digest.
type Gathered struct {
	WorkspaceID  string
	Endpoint     delivery.Endpoint
	FeedID       int64
	Destination  feed.Destination // says when the digest is sent
	Announcement string           // its id
	At           time.Time        // of the announcement
	SourceIDs    []string
	Sequence     int64 // of the first of them, in the feed
}

// Sealed is an interval that is over, whose digest is to be made.
type Sealed struct {
	WorkspaceID string
	Endpoint    delivery.Endpoint
	FeedID      int64
	From, To    time.Time
	Mentions    int    // that were gathered
	Before      *int   // mentions of the interval before; nil if nothing is known of it
	Progress    []byte // as SaveProgress stored it; empty if no call left the digest unfinished

	interval int64
	saved    int64
}

// intervals is what is known of an endpoint's digests: the watermark, and the interval that is open, if one is.
type intervals struct {
	number    int64 // of the interval that is open, or is the next to be
	feedID    int64
	watermark time.Time // up to here all is sealed; zero: nothing ever was
	from, to  time.Time // of the open interval; zero if none is open
	mentions  int64     // in it
	schedule  string    // what its end was computed by
	last      int64     // mentions of the digest that was made last
	lastTo    time.Time
	lastFeed  int64 // that it told of; 0 if it was stored before this was
	revision  int64
}

func intervalsKey(orgID string, to delivery.Endpoint) table.Key {
	return table.Key{Partition: rows.Deliveries(orgID), Sort: rows.SortDigests + to.String()}
}

func sealedKey(orgID string, to delivery.Endpoint, interval int64) table.Key {
	return table.Key{Partition: rows.Deliveries(orgID), Sort: rows.SortSealed + to.String() + "#" + rows.IDKey(interval)}
}

func gatheredPrefix(to delivery.Endpoint, interval int64) string {
	return rows.SortGathered + to.String() + "#" + rows.IDKey(interval) + "#"
}

// Gather adds mentions to the endpoint's open interval, once, however often it is called. It seals the one before if that
// is over. Returns ErrEarlier.
func (s *Store) Gather(ctx context.Context, g Gathered) error {
	err := s.Settle(ctx, "gather mentions for a digest", func() error {
		now, err := s.intervals(ctx, g.WorkspaceID, g.Endpoint)
		if err != nil {
			return err
		}
		if end := now.to; !end.IsZero() && (!g.At.Before(end) || now.feedID != g.FeedID) {
			if g.At.Before(end) { // the notification tells of another feed from here on
				end = later(g.At, now.from)
			}
			if now, err = s.seal(ctx, g.WorkspaceID, g.Endpoint, now, end); err != nil {
				return err
			}
		}
		return s.gather(ctx, g, now)
	})
	if errors.Is(err, ErrEarlier) {
		return ErrEarlier
	}
	return err
}

// RescheduleDigests has the open intervals of an owner's digests end by the schedules of its destinations as they are
// now, however often it is called. An interval whose destination gets no digests any more ends at once. One that is over,
// or whose destination is gone, stays as it is.
func (s *Store) RescheduleDigests(ctx context.Context, orgID string, of delivery.Owner, to []feed.Destination) error {
	for _, destination := range to {
		endpoint := delivery.Endpoint{Owner: of, Kind: string(destination.Type)}
		err := s.Settle(ctx, "reschedule a digest", func() error {
			return s.reschedule(ctx, orgID, endpoint, destination)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) reschedule(ctx context.Context, orgID string, to delivery.Endpoint, d feed.Destination) error {
	now, err := s.intervals(ctx, orgID, to)
	at, schedule := s.Instant(), scheduleOf(d)
	if err != nil || !now.to.After(at) || now.schedule == schedule {
		return err
	}
	end := at.Add(time.Millisecond) // after all that was found
	if d.Digests() {
		end = d.NextDigest(later(at, now.watermark))
	}
	return s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{table.Update{
		Table: rows.CoreTable, Key: intervalsKey(orgID, to), If: table.Equal(rows.AttrRevision, now.revision),
		Set: map[string]any{"schedule": schedule, "to": rows.FromTime(end), rows.AttrDueAt: rows.FromTime(end)},
		Add: map[string]int64{rows.AttrRevision: 1},
	}}})
}

// scheduleOf tells schedules of digests apart.
func scheduleOf(d feed.Destination) string {
	return strings.Join([]string{string(d.Frequency), d.Time, d.Timezone, d.DayOfWeek}, " ")
}

func (s *Store) gather(ctx context.Context, g Gathered, now intervals) error {
	schedule := scheduleOf(g.Destination)
	if now.to.IsZero() || now.schedule != schedule {
		// What is stored late, of an interval that is sealed, comes in the next.
		now.to, now.schedule = g.Destination.NextDigest(later(g.At, now.watermark)), schedule
		if now.from.IsZero() {
			now.from = later(g.Destination.LastDigest(now.to), now.watermark)
		}
	}
	row := table.Key{
		Partition: rows.Deliveries(g.WorkspaceID),
		Sort:      gatheredPrefix(g.Endpoint, now.number) + g.Announcement,
	}
	known := table.Equal(rows.AttrRevision, now.revision)
	if now.revision == 0 {
		known = table.Absent()
	}
	err := s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
		table.Put{Table: rows.CoreTable, If: table.Absent(), Item: table.Item{
			table.PartitionAttribute: row.Partition,
			table.SortAttribute:      row.Sort,
			table.ExpiryAttribute:    now.to.Add(Kept).Unix(),
			"sourceIds":              rows.FromTexts(g.SourceIDs),
			"sequence":               g.Sequence,
		}},
		table.Update{
			Table: rows.CoreTable, Key: intervalsKey(g.WorkspaceID, g.Endpoint), If: known,
			Set: map[string]any{
				"org": g.WorkspaceID, "feedId": g.FeedID, "interval": now.number, "schedule": now.schedule,
				"from": rows.FromTime(now.from), "to": rows.FromTime(now.to),
				rows.AttrWork: rows.WorkDigests, rows.AttrDueAt: rows.FromTime(now.to),
			},
			Add: map[string]int64{rows.AttrRevision: 1, "mentions": int64(len(g.SourceIDs))},
		},
		// One that another worker has ended may be in a sealed interval.
		table.Check{Table: rows.CoreTable, If: table.Present(), Key: table.Key{
			Partition: rows.Deliveries(g.WorkspaceID), Sort: rows.SortOutbox + g.Announcement,
		}},
	}})
	var canceled *table.Canceled
	if errors.As(err, &canceled) && (canceled.Failed(0) || canceled.Failed(2)) {
		return nil // it was gathered already
	}
	return err
}

// seal ends the open interval, moves the watermark to its end, and names it among those whose digests are to be made.
func (s *Store) seal(
	ctx context.Context, orgID string, to delivery.Endpoint, now intervals, end time.Time,
) (intervals, error) {
	// Read after the interval: what is gathered from here on changes the revision.
	page, err := s.Table.Query(ctx, table.Query{
		Table: rows.CoreTable, Partition: rows.Deliveries(orgID), Prefix: rows.SortOutbox, Consistent: true, Limit: 1,
	})
	if err != nil {
		return now, err
	}
	if len(page.Items) > 0 && rows.ToTime(rows.Text(page.Items[0], rows.AttrDueAt)).Before(end) {
		return now, ErrEarlier
	}
	named := sealedKey(orgID, to, now.number)
	item := table.Item{
		table.PartitionAttribute: named.Partition, table.SortAttribute: named.Sort,
		"org": orgID, "feedId": now.feedID, "mentions": now.mentions, "interval": now.number,
		"from": rows.FromTime(now.from), "to": rows.FromTime(end),
		rows.AttrWork: rows.WorkDigests, rows.AttrDueAt: rows.FromTime(end),
	}
	err = s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
		table.Put{Table: rows.CoreTable, If: table.Absent(), Item: item},
		table.Update{
			Table: rows.CoreTable, Key: intervalsKey(orgID, to), If: table.Equal(rows.AttrRevision, now.revision),
			Set:    map[string]any{"watermark": rows.FromTime(end), "interval": now.number + 1, "mentions": int64(0)},
			Remove: []string{"from", "to", "schedule", rows.AttrWork, rows.AttrDueAt},
			Add:    map[string]int64{rows.AttrRevision: 1},
		},
	}})
	if err != nil {
		return now, err
	}
	now.revision++
	now.number++
	now.watermark, now.from, now.to, now.schedule, now.mentions = end, time.Time{}, time.Time{}, "", 0
	return now, nil
}

// SealDigest seals the endpoint's open interval if it is over. Returns ErrEarlier.
func (s *Store) SealDigest(ctx context.Context, orgID string, to delivery.Endpoint) error {
	err := s.Settle(ctx, "end the interval of a digest", func() error {
		now, err := s.intervals(ctx, orgID, to)
		if err != nil || now.to.IsZero() || now.to.After(s.Clock.Now()) {
			return err
		}
		_, err = s.seal(ctx, orgID, to, now, now.to)
		return err
	})
	if errors.Is(err, ErrEarlier) {
		return ErrEarlier
	}
	return err
}

// A DueDigest names an endpoint that has an interval which is over.
type DueDigest struct {
	WorkspaceID string
	Endpoint    delivery.Endpoint
	At          time.Time // since when, of the first
}

// DueDigests lists endpoints whose digests are to be made, the longest overdue first, of at most limit intervals.
func (s *Store) DueDigests(ctx context.Context, limit int) (due []DueDigest, err error) {
	items, err := s.DueRows(ctx, rows.WorkDigests, limit)
	seen := map[DueDigest]bool{}
	for _, item := range items {
		sort := table.KeyOf(item).Sort
		name, sealed := strings.CutPrefix(sort, rows.SortSealed)
		if sealed {
			name, _, _ = strings.Cut(name, "#")
		} else {
			name = strings.TrimPrefix(sort, rows.SortDigests)
		}
		one := DueDigest{WorkspaceID: rows.Text(item, "org")}
		one.Endpoint, _ = delivery.ParseEndpoint(name)
		if !seen[one] {
			seen[one] = true
			one.At = rows.DueAt(item)
			due = append(due, one)
		}
	}
	return due, err
}

// SealedDigests lists an endpoint's intervals whose digests are to be made, the first first.
func (s *Store) SealedDigests(ctx context.Context, orgID string, to delivery.Endpoint) ([]Sealed, error) {
	now, err := s.intervals(ctx, orgID, to)
	if err != nil {
		return nil, err
	}
	prefix := rows.SortSealed + to.String() + "#"
	query := table.Query{Partition: rows.Deliveries(orgID), Prefix: prefix, Consistent: true}
	all, err := store.AllOf(ctx, s.Kernel, "digests to be made", query, func(item table.Item) Sealed {
		return Sealed{
			WorkspaceID: orgID, Endpoint: to,
			FeedID:   rows.Integer(item, "feedId"),
			From:     rows.ToTime(rows.Text(item, "from")),
			To:       rows.ToTime(rows.Text(item, "to")),
			Mentions: int(rows.Integer(item, "mentions")),
			Progress: rows.Bytes(item, "progress"),
			interval: rows.Integer(item, "interval"),
			saved:    rows.Integer(item, attrSaved),
		}
	})
	if err != nil || len(all) == 0 {
		return nil, err
	}
	switch { // each that follows is told of the one before when that one is made
	case now.lastFeed != 0 && now.lastFeed != all[0].FeedID: // the notification told of another feed
	case now.lastTo.Equal(all[0].From) && !now.lastTo.IsZero():
		last := int(now.last)
		all[0].Before = &last
	case !now.lastTo.IsZero():
		all[0].Before = new(int) // intervals without mentions lie between
	}
	return all, nil
}

// PutOffDigest names an interval among those whose digests are due from a moment on. One that has ended stays so.
func (s *Store) PutOffDigest(ctx context.Context, of Sealed, until time.Time) error {
	_, err := s.Table.Update(ctx, table.Update{
		Table: rows.CoreTable, Key: sealedKey(of.WorkspaceID, of.Endpoint, of.interval), If: table.Present(),
		Set: map[string]any{rows.AttrDueAt: rows.FromTime(until)},
	})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("put off a digest: %w", err)
	}
	return nil
}

// GatheredMentions calls each for the announcements of a sealed interval that come after one, in the order in which they
// were found: with the announcement's id, the sourceIds of its mentions, and the sequence number of the first of them. An
// empty after begins with the first. It returns the first error of each.
func (s *Store) GatheredMentions(
	ctx context.Context, of Sealed, after string, each func(id string, sourceIDs []string, sequence int64) error,
) error {
	prefix := gatheredPrefix(of.Endpoint, of.interval)
	query := table.Query{
		Table: rows.CoreTable, Partition: rows.Deliveries(of.WorkspaceID), Prefix: prefix, Consistent: true,
	}
	if after != "" {
		query.After = &table.Position{Key: table.Key{Partition: query.Partition, Sort: prefix + after}}
	}
	for {
		page, err := s.Table.Query(ctx, query)
		if err != nil {
			return fmt.Errorf("read the mentions of a digest: %w", err)
		}
		for _, item := range page.Items {
			id := strings.TrimPrefix(table.KeyOf(item).Sort, prefix)
			if err := each(id, rows.Texts(item, "sourceIds"), rows.Integer(item, "sequence")); err != nil {
				return err
			}
		}
		if page.Next == nil {
			return nil
		}
		query.After = page.Next
	}
}

// EndDigest takes an interval from those whose digests are to be made: its deliveries are stored. told counts the mentions
// that they tell of.
func (s *Store) EndDigest(ctx context.Context, of Sealed, told int) error {
	err := s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
		table.Delete{Table: rows.CoreTable, Key: sealedKey(of.WorkspaceID, of.Endpoint, of.interval), If: table.Present()},
		table.Update{
			Table: rows.CoreTable, Key: intervalsKey(of.WorkspaceID, of.Endpoint),
			Set: map[string]any{"last": int64(told), "lastTo": rows.FromTime(of.To), "lastFeed": of.FeedID},
			Add: map[string]int64{rows.AttrRevision: 1},
		},
	}})
	var canceled *table.Canceled
	if errors.As(err, &canceled) && canceled.Failed(0) {
		return nil // another one ended it
	}
	if err != nil {
		return fmt.Errorf("end a digest: %w", err)
	}
	return nil
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (s *Store) intervals(ctx context.Context, orgID string, to delivery.Endpoint) (intervals, error) {
	item, err := s.Get(ctx, rows.CoreTable, intervalsKey(orgID, to))
	if err != nil {
		return intervals{}, fmt.Errorf("read the interval of a digest: %w", err)
	}
	if item == nil {
		return intervals{number: 1}, nil
	}
	return intervals{
		number:    rows.Integer(item, "interval"),
		feedID:    rows.Integer(item, "feedId"),
		watermark: rows.ToTime(rows.Text(item, "watermark")),
		from:      rows.ToTime(rows.Text(item, "from")),
		to:        rows.ToTime(rows.Text(item, "to")),
		mentions:  rows.Integer(item, "mentions"),
		schedule:  rows.Text(item, "schedule"),
		last:      rows.Integer(item, "last"),
		lastTo:    rows.ToTime(rows.Text(item, "lastTo")),
		lastFeed:  rows.Integer(item, "lastFeed"),
		revision:  rows.Integer(item, rows.AttrRevision),
	}, nil
}
