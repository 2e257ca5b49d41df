// Package audience knows which feeds of a workspace tell somebody of a mention: those that have a destination, or a
// notification with one, and show the mention.
//
// Functions that store or correct mentions import it, and functions that deliver.
package audience

import (
	"context"
	"slices"
	"sync"
	"time"

	"earshot/shared/feed"
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/clock"
)

// Store is the part of the store that is read.
type Store interface {
	// FeedsApart and Notifications are all of a workspace, the oldest first. Default of the
	// feeds is not set.
	FeedsApart(ctx context.Context, orgID string) ([]feed.Feed, error)
	Notifications(ctx context.Context, orgID string) ([]feed.Notification, error)
}

// An Audience is what a workspace's feeds tell, as of one moment. It never changes. The zero Audience hears nothing.
type Audience struct {
	feeds []telling
}

// A telling is a feed that has somebody to tell.
type telling struct {
	feed.Feed
	notifications []feed.Notification
	shows         *filter.Predicate // nil: every relevant mention
}

// Read reads a workspace's audience.
func Read(ctx context.Context, s Store, orgID string) (*Audience, error) {
	var feeds []feed.Feed
	var notifications []feed.Notification
	err := parallel.Together(
		func() (err error) { feeds, err = s.FeedsApart(ctx, orgID); return err },
		func() (err error) { notifications, err = s.Notifications(ctx, orgID); return err },
	)
	if err != nil {
		return nil, err
	}
	return New(feeds, notifications), nil
}

// New returns the audience of feeds and notifications. A feed whose filters the grammar no longer takes tells nobody: it
// shows nothing either.
func New(feeds []feed.Feed, notifications []feed.Notification) *Audience {
	a := &Audience{}
	for _, f := range feeds {
		one := telling{Feed: f}
		for _, n := range notifications {
			if n.FeedID == f.ID && n.Enabled {
				one.notifications = append(one.notifications, n)
			}
		}
		if len(one.places()) == 0 {
			continue
		}
		parts := []filter.Filter{}
		valid := true
		for _, written := range [][]byte{f.SimpleFilters, f.AdvancedFilters} {
			if len(written) == 0 {
				continue
			}
			part, faults := filter.Parse(written)
			valid = valid && len(faults) == 0
			parts = append(parts, part)
		}
		if !valid {
			continue
		}
		one.shows = filter.Compile(filter.And(parts...))
		a.feeds = append(a.feeds, one)
	}
	return a
}

// A Place is a destination, with whose it is.
type Place struct {
	Feed         feed.Feed
	Notification *feed.Notification // nil: it is the feed's own
	Destination  feed.Destination
}

// places returns where a feed tells: its own destinations, and those of its notifications. A notification that names one
// of the feed's adds none: a mention is sent there once.
func (t telling) places() (all []Place) {
	for _, d := range t.Destinations {
		all = append(all, Place{Feed: t.Feed, Destination: d})
	}
	for i := range t.notifications {
		if t.notifications[i].FeedIndex != nil {
			continue
		}
		for _, d := range t.notifications[i].Destinations {
			all = append(all, Place{t.Feed, &t.notifications[i], d})
		}
	}
	return all
}

// Places returns where a feed tells, at once or in digests; none if it does not exist.
func (a *Audience) Places(feedID int64) []Place {
	for _, one := range a.feeds {
		if one.ID == feedID {
			return one.places()
		}
	}
	return nil
}

// Shows returns the feeds that show a mention and have somebody to tell, in their order. It returns nil for a nil
// Audience.
func (a *Audience) Shows(m *mention.Mention) (ids []int64) {
	if a == nil || !m.Relevant {
		return nil
	}
	for _, one := range a.feeds {
		if one.shows.Mention(m) {
			ids = append(ids, one.ID)
		}
	}
	return ids
}

// Empty reports whether nobody is told of anything.
func (a *Audience) Empty() bool { return a == nil || len(a.feeds) == 0 }

// Corrected notes in a mention that was corrected the feeds that show it now and did not show it before. It reads the
// workspace's audience only if the mention is relevant. The store announces it if it was collected within the last day.
func Corrected(ctx context.Context, s Store, orgID string, before, m *mention.Mention) error {
	if !m.Relevant || m.StoredAt.IsZero() {
		return nil
	}
	a, err := Read(ctx, s, orgID)
	if err != nil {
		return err
	}
	showed := a.Shows(before)
	m.Announce(slices.DeleteFunc(a.Shows(m), func(id int64) bool { return slices.Contains(showed, id) }))
	return nil
}

// Audiences keeps the audiences of workspaces for a while. It is safe for concurrent use.
type Audiences struct {
	Store Store
	Clock clock.Clock
	Fresh time.Duration // how old one may be; 0: it is read each time

	mu   sync.Mutex
	kept map[string]kept // by workspace
}

type kept struct {
	audience *Audience
	read     time.Time
}

// most is how many audiences are kept.
const most = 10_000

// Of returns the audience of a workspace.
func (a *Audiences) Of(ctx context.Context, orgID string) (*Audience, error) {
	now := a.Clock.Now()
	a.mu.Lock()
	known, there := a.kept[orgID]
	a.mu.Unlock()
	if there && a.Fresh > 0 && now.Before(known.read.Add(a.Fresh)) && !now.Before(known.read) {
		return known.audience, nil
	}
	read, err := Read(ctx, a.Store, orgID)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kept == nil || len(a.kept) >= most {
		a.kept = map[string]kept{}
	}
	a.kept[orgID] = kept{read, now}
	return read, nil
}
