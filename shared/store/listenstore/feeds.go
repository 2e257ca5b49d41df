package listenstore

import (
	"context"
	"errors"
	"fmt"

	"earshot/shared/feed"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Errors of CreateFeed and ChangeFeed.
var (
	ErrFeedLimit    = errors.New("store: the workspace has reached its limit of feeds")
	ErrFeedTooLarge = errors.New("store: the feed is too large, or would make the workspace's feeds too large together")
)

// CreateFeed stores a new feed and returns it with its id and times. request, by its name in Repeated of the HTTP kit,
// makes one feed: a repeat returns that feed, or ErrNotFound if it was deleted since. Returns ErrFeedLimit and
// ErrFeedTooLarge, which are exact however many calls run at once.
func (s *Store) CreateFeed(ctx context.Context, orgID string, f feed.Feed, request string) (feed.Feed, error) {
	if f.Weight() > feed.MaxWeight {
		return feed.Feed{}, ErrFeedTooLarge
	}
	made, fresh, err := s.Create(
		ctx,
		"create a feed",
		orgID,
		rows.SequenceOfFeeds,
		request,
		func(id int64) store.Creation {
			f.ID = id
			return s.newFeed(orgID, &f)
		},
	)
	switch {
	case err != nil:
		return feed.Feed{}, err
	case !fresh:
		return s.Feed(ctx, orgID, made)
	}
	return f, nil
}

// RestoreFeed is CreateFeed with a given id, for the data that a deployment starts with. Returns ErrConflict if the id
// is taken.
func (s *Store) RestoreFeed(ctx context.Context, orgID string, f feed.Feed) error {
	if err := s.Reserve(ctx, orgID, rows.SequenceOfFeeds, f.ID); err != nil {
		return err
	}
	_, _, err := s.CreateAs(ctx, "restore a feed", orgID, "", f.ID, s.newFeed(orgID, &f))
	return err
}

// newFeed returns the transaction that makes a feed, and sets the feed's times.
func (s *Store) newFeed(orgID string, f *feed.Feed) store.Creation {
	put, weight := s.PutFeed(orgID, f)
	counted := table.Update{
		Table: rows.CoreTable,
		Key:   rows.FeedsKey(orgID),
		Add:   map[string]int64{"feeds": 1, "weight": weight},
		If:    table.All(rows.Room("feeds", 1, feed.MaxFeeds), rows.Room("weight", weight, feed.MaxTogether)),
	}
	if f.Default {
		counted.Set = map[string]any{"default": f.ID}
	}
	return store.Creation{
		Writes: []table.Write{put, counted},
		Refused: func(canceled *table.Canceled) error {
			switch {
			case canceled.Failed(0):
				return store.ErrConflict
			case canceled.Failed(1) && rows.Integer(canceled.Reasons[1].Item, "feeds") >= feed.MaxFeeds:
				return ErrFeedLimit
			case canceled.Failed(1):
				return ErrFeedTooLarge
			}
			return nil
		},
	}
}

// PutFeed returns the write of a new feed and the feed's weight, and sets the feed's times.
func (s *Store) PutFeed(orgID string, f *feed.Feed) (table.Put, int64) {
	f.CreatedAt = s.Instant()
	f.UpdatedAt, f.Revision = f.CreatedAt, 1
	weight := int64(f.Weight())
	return table.Put{Table: rows.CoreTable, Item: FromFeed(orgID, *f, weight), If: table.Absent()}, weight
}

// Feed reads a feed. Returns ErrNotFound if there is none.
func (s *Store) Feed(ctx context.Context, orgID string, id int64) (feed.Feed, error) {
	item, all, err := s.feedRows(ctx, orgID, id)
	if err != nil {
		return feed.Feed{}, err
	}
	return ToFeed(item, all), nil
}

// feedRows reads a feed's row and the row of all feeds. Returns ErrNotFound if there is no such feed.
func (s *Store) feedRows(ctx context.Context, orgID string, id int64) (item, all table.Item, err error) {
	items, err := table.GetAll(ctx, s.Table, []table.Get{
		{Table: rows.CoreTable, Key: rows.FeedKey(orgID, id), Consistent: true},
		{Table: rows.CoreTable, Key: rows.FeedsKey(orgID), Consistent: true},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read a feed: %w", err)
	}
	if items[0] == nil {
		return nil, nil, store.ErrNotFound
	}
	return items[0], items[1], nil
}

// Feeds lists a workspace's feeds, oldest first.
func (s *Store) Feeds(ctx context.Context, orgID string) ([]feed.Feed, error) {
	all, _, err := s.FeedsAfter(ctx, orgID, 0, 0)
	return all, err
}

// FeedsApart lists a workspace's feeds as Feeds does, without the row of all feeds: none says whether it is the default.
func (s *Store) FeedsApart(ctx context.Context, orgID string) ([]feed.Feed, error) {
	query := table.Query{Partition: orgID, Prefix: rows.SortFeed, Consistent: true}
	return store.AllOf(ctx, s.Kernel, "feeds", query, func(item table.Item) feed.Feed { return ToFeed(item, nil) })
}

// FeedsAfter lists the first limit feeds with an id above after, or all of them with a limit of 0, in the order of Feeds.
// more reports whether the list goes on. A list that goes on after its last id neither repeats nor drops a feed while
// others are created and deleted, because a new feed has the highest id.
func (s *Store) FeedsAfter(
	ctx context.Context, orgID string, after int64, limit int,
) (found []feed.Feed, more bool, err error) {
	query := table.Query{Partition: orgID, Prefix: rows.SortFeed, Consistent: true}
	if after > 0 {
		query.After = &table.Position{Key: rows.FeedKey(orgID, after)}
	}
	var items []table.Item
	var together table.Item
	err = parallel.Together(func() (err error) {
		items, more, err = store.SomeOf(ctx, s.Kernel, "feeds", query, limit, func(i table.Item) table.Item { return i })
		return err
	}, func() (err error) {
		together, err = s.Get(ctx, rows.CoreTable, rows.FeedsKey(orgID))
		return err
	})
	if err != nil {
		return nil, false, err
	}
	found = make([]feed.Feed, len(items))
	for i, item := range items {
		found[i] = ToFeed(item, together)
	}
	return found, more, nil
}

// FromFeed returns the row of a feed.
func FromFeed(orgID string, f feed.Feed, weight int64) table.Item {
	key := rows.FeedKey(orgID, f.ID)
	item := table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"rev":                    f.Revision,
		"id":                     f.ID,
		"name":                   f.Name,
		"weight":                 weight,
		"createdAt":              rows.FromTime(f.CreatedAt),
		"updatedAt":              rows.FromTime(f.UpdatedAt),
	}
	rows.Set(item, "icon", f.Icon)
	FromSigning(item, f.Signing)
	if len(f.SimpleFilters) > 0 {
		item["simpleFilters"] = f.SimpleFilters
	}
	if len(f.AdvancedFilters) > 0 {
		item["advancedFilters"] = f.AdvancedFilters
	}
	if len(f.Destinations) > 0 {
		item["destinations"] = FromDestinations(f.Destinations)
	}
	return item
}

// ToFeed reads a feed from its row and that of all feeds.
func ToFeed(item, all table.Item) feed.Feed {
	f := feed.Feed{
		ID:              rows.Integer(item, "id"),
		Name:            rows.Text(item, "name"),
		Icon:            rows.Text(item, "icon"),
		SimpleFilters:   rows.Bytes(item, "simpleFilters"),
		AdvancedFilters: rows.Bytes(item, "advancedFilters"),
		CreatedAt:       rows.ToTime(rows.Text(item, "createdAt")),
		UpdatedAt:       rows.ToTime(rows.Text(item, "updatedAt")),
		Revision:        rows.Integer(item, "rev"),
		Signing:         ToSigning(item),
	}
	f.Default = rows.Integer(all, "default") == f.ID
	f.Destinations = ToDestinations(item)
	return f
}

// FromSigning writes what is stored of signing secrets: how often they were replaced, and when.
func FromSigning(item table.Item, s feed.Signing) {
	rows.Set(item, "rotations", s.Rotations)
	rows.Set(item, "rotatedAt", rows.FromTime(s.RotatedAt))
}

// ToSigning reads what FromSigning wrote.
func ToSigning(item table.Item) feed.Signing {
	return feed.Signing{
		Rotations: rows.Integer(item, "rotations"), RotatedAt: rows.ToTime(rows.Text(item, "rotatedAt")),
	}
}

// FromDestinations returns destinations as the attribute "destinations" holds them.
func FromDestinations(destinations []feed.Destination) []any {
	places := make([]any, len(destinations))
	for i, d := range destinations {
		places[i] = fromDestination(d)
	}
	return places
}

// ToDestinations reads the attribute "destinations"; nil if it is missing.
func ToDestinations(item table.Item) (destinations []feed.Destination) {
	for _, place := range rows.List(item, "destinations") {
		place, _ := place.(map[string]any)
		destinations = append(destinations, toDestination(place))
	}
	return destinations
}

func fromDestination(d feed.Destination) map[string]any {
	place := table.Item{
		"type":         string(d.Type),
		"frequency":    string(d.Frequency),
		"deliveryMode": string(d.DeliveryMode),
	}
	rows.Set(place, "time", d.Time)
	rows.Set(place, "timezone", d.Timezone)
	rows.Set(place, "dayOfWeek", d.DayOfWeek)
	rows.Set(place, "url", d.URL)
	rows.Set(place, "format", string(d.Format))
	rows.Set(place, "summary", d.Summary)
	for name, texts := range map[string][]string{"emails": d.Emails, "channels": d.Channels} {
		if len(texts) > 0 {
			place[name] = rows.FromTexts(texts)
		}
	}
	return place
}

func toDestination(place table.Item) feed.Destination {
	d := feed.Destination{
		Type:         feed.DestinationType(rows.Text(place, "type")),
		Frequency:    feed.Frequency(rows.Text(place, "frequency")),
		DeliveryMode: feed.DeliveryMode(rows.Text(place, "deliveryMode")),
		Time:         rows.Text(place, "time"),
		Timezone:     rows.Text(place, "timezone"),
		DayOfWeek:    rows.Text(place, "dayOfWeek"),
		URL:          rows.Text(place, "url"),
		Format:       feed.WebhookFormat(rows.Text(place, "format")),
		Summary:      rows.Boolean(place, "summary"),
	}
	if place["emails"] != nil {
		d.Emails = rows.Texts(place, "emails")
	}
	if place["channels"] != nil {
		d.Channels = rows.Texts(place, "channels")
	}
	return d
}
