package store

import (
	"context"
	"errors"
	"fmt"

	"earshot/shared/feed"
	"earshot/shared/port/table"
)

// Rows of the core table, of feeds:
//
//	pk org_…  sk "feed#<id>"  a feed; "weight" is what it counts for in the row below
//	pk org_…  sk "feeds"      how many there are ("feeds"), what they weigh ("weight"), and the id of the default ("default")
//
// The default is a row of its own, so that taking it from a feed does not stand in the way of a change of that feed.
const (
	sortFeed        = "feed#"
	sortFeeds       = "feeds"
	sequenceOfFeeds = "ids#feeds" // see sequences.go
)

// Errors of CreateFeed and ChangeFeed.
var (
	ErrFeedLimit    = errors.New("store: the workspace has as many feeds as it may")
	ErrFeedTooLarge = errors.New("store: the feed is too large, or would make the workspace's feeds too large together")
)

func feedKey(orgID string, id int64) table.Key {
	return table.Key{Partition: orgID, Sort: sortFeed + idKey(id)}
}

func feedsKey(orgID string) table.Key { return table.Key{Partition: orgID, Sort: sortFeeds} }

// CreateFeed stores a new feed and answers it with its id and times. A request, by its name in Repeated of the HTTP kit, makes one
// feed: sent again, it answers the feed that it made, and ErrNotFound when that was deleted since. Answers ErrFeedLimit and
// ErrFeedTooLarge, exact however many create at once.
func (s *Store) CreateFeed(ctx context.Context, orgID string, f feed.Feed, request string) (feed.Feed, error) {
	if f.Weight() > feed.MaxWeight {
		return feed.Feed{}, ErrFeedTooLarge
	}
	made, fresh, err := s.create(ctx, "create a feed", orgID, sequenceOfFeeds, request, func(id int64) creation {
		f.ID = id
		return s.newFeed(orgID, &f)
	})
	switch {
	case err != nil:
		return feed.Feed{}, err
	case !fresh:
		return s.Feed(ctx, orgID, made)
	}
	return f, nil
}

// RestoreFeed is CreateFeed with an id that is known beforehand, for what a deployment starts with. Answers ErrConflict when the id
// is taken.
func (s *Store) RestoreFeed(ctx context.Context, orgID string, f feed.Feed) error {
	if err := s.reserve(ctx, orgID, sequenceOfFeeds, f.ID); err != nil {
		return err
	}
	_, _, err := s.createAs(ctx, "restore a feed", orgID, "", f.ID, s.newFeed(orgID, &f))
	return err
}

// newFeed makes a feed, to which it gives its times.
func (s *Store) newFeed(orgID string, f *feed.Feed) creation {
	put, weight := s.putFeed(orgID, f)
	counted := table.Update{Table: CoreTable, Key: feedsKey(orgID), Add: map[string]int64{"feeds": 1, "weight": weight},
		If: table.All(room("feeds", 1, feed.MaxFeeds), room("weight", weight, feed.MaxTogether))}
	if f.Default {
		counted.Set = map[string]any{"default": f.ID}
	}
	return creation{
		writes: []table.Write{put, counted},
		refused: func(canceled *table.Canceled) error {
			switch {
			case canceled.Failed(0):
				return ErrConflict
			case canceled.Failed(1) && integer(canceled.Reasons[1].Item, "feeds") >= feed.MaxFeeds:
				return ErrFeedLimit
			case canceled.Failed(1):
				return ErrFeedTooLarge
			}
			return nil
		},
	}
}

// putFeed is the row of a new feed, to which it gives its times, and what it weighs.
func (s *Store) putFeed(orgID string, f *feed.Feed) (table.Put, int64) {
	f.CreatedAt = s.instant()
	f.UpdatedAt, f.Revision = f.CreatedAt, 1
	weight := int64(f.Weight())
	return table.Put{Table: CoreTable, Item: fromFeed(orgID, *f, weight), If: table.Absent()}, weight
}

// Feed reads a feed. Answers ErrNotFound.
func (s *Store) Feed(ctx context.Context, orgID string, id int64) (feed.Feed, error) {
	item, all, err := s.feedRows(ctx, orgID, id)
	if err != nil {
		return feed.Feed{}, err
	}
	return toFeed(item, all), nil
}

// feedRows reads a feed's row and the row of all feeds. Answers ErrNotFound when there is no feed.
func (s *Store) feedRows(ctx context.Context, orgID string, id int64) (item, all table.Item, err error) {
	items, err := table.GetAll(ctx, s.table, []table.Get{
		{Table: CoreTable, Key: feedKey(orgID, id), Consistent: true},
		{Table: CoreTable, Key: feedsKey(orgID), Consistent: true},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read a feed: %w", err)
	}
	if items[0] == nil {
		return nil, nil, ErrNotFound
	}
	return items[0], items[1], nil
}

// Feeds lists a workspace's feeds, oldest first.
func (s *Store) Feeds(ctx context.Context, orgID string) ([]feed.Feed, error) {
	together, err := s.get(ctx, CoreTable, feedsKey(orgID))
	if err != nil {
		return nil, err
	}
	return allOf(ctx, s, "feeds", table.Query{Partition: orgID, Prefix: sortFeed, Consistent: true}, func(item table.Item) feed.Feed {
		return toFeed(item, together)
	})
}

func fromFeed(orgID string, f feed.Feed, weight int64) table.Item {
	key := feedKey(orgID, f.ID)
	item := table.Item{
		table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, "rev": f.Revision, "id": f.ID, "name": f.Name,
		"weight": weight, "createdAt": fromTime(f.CreatedAt), "updatedAt": fromTime(f.UpdatedAt),
	}
	set(item, "icon", f.Icon)
	if len(f.SimpleFilters) > 0 {
		item["simpleFilters"] = f.SimpleFilters
	}
	if len(f.AdvancedFilters) > 0 {
		item["advancedFilters"] = f.AdvancedFilters
	}
	if len(f.Destinations) > 0 {
		places := make([]any, len(f.Destinations))
		for i, d := range f.Destinations {
			places[i] = fromDestination(d)
		}
		item["destinations"] = places
	}
	return item
}

func toFeed(item, all table.Item) feed.Feed {
	f := feed.Feed{
		ID: integer(item, "id"), Name: str(item, "name"), Icon: str(item, "icon"), SimpleFilters: bytes(item, "simpleFilters"),
		AdvancedFilters: bytes(item, "advancedFilters"), CreatedAt: toTime(str(item, "createdAt")), UpdatedAt: toTime(str(item, "updatedAt")),
		Revision: integer(item, "rev"),
	}
	f.Default = integer(all, "default") == f.ID
	for _, place := range list(item, "destinations") {
		place, _ := place.(map[string]any)
		f.Destinations = append(f.Destinations, toDestination(place))
	}
	return f
}

func fromDestination(d feed.Destination) map[string]any {
	place := table.Item{"type": string(d.Type), "frequency": string(d.Frequency), "deliveryMode": string(d.DeliveryMode)}
	set(place, "time", d.Time)
	set(place, "timezone", d.Timezone)
	set(place, "dayOfWeek", d.DayOfWeek)
	set(place, "url", d.URL)
	for name, texts := range map[string][]string{"emails": d.Emails, "channels": d.Channels} {
		if len(texts) > 0 {
			place[name] = fromStrings(texts)
		}
	}
	return place
}

func toDestination(place table.Item) feed.Destination {
	d := feed.Destination{
		Type: feed.DestinationType(str(place, "type")), Frequency: feed.Frequency(str(place, "frequency")),
		DeliveryMode: feed.DeliveryMode(str(place, "deliveryMode")), Time: str(place, "time"), Timezone: str(place, "timezone"),
		DayOfWeek: str(place, "dayOfWeek"), URL: str(place, "url"),
	}
	if place["emails"] != nil {
		d.Emails = strs(place, "emails")
	}
	if place["channels"] != nil {
		d.Channels = strs(place, "channels")
	}
	return d
}
