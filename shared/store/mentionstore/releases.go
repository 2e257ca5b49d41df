package mentionstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// A release is the code of a deployment that stores digests. Code of before the versions of days changes cells without
// them, and may run beside a release while one replaces the other, and alone after a roll-back. So a release trusts no
// other release's digests, and stores none until older code has surely ended.
type release struct {
	id      string
	settles time.Duration // after the release was first seen
	reading sync.Mutex
	seen    time.Time // when it was first seen; zero: not read yet
}

// OfRelease makes s read and write the digests of one release alone. id names the release, and no earlier one: two
// deployments of the same code are two releases. settles is how long older code may run after the first query of the
// release. It returns s. A Store without a release is for callers that run no other code.
func (s *Store) OfRelease(id string, settles time.Duration) *Store {
	s.release = &release{id: id, settles: settles}
	return s
}

// releaseID returns the name of the store's release; empty: it has none.
func (s *Store) releaseID() string {
	if s.release == nil {
		return ""
	}
	return s.release.id
}

// PacksFrom makes s write rows of mentions in the form of before, until older code has surely ended. Code that does not
// know packed rows would read them as empty, and lose what they hold when it changes them. id names the deployed
// version of a function. It returns s. A Store without it packs rows at once, which is for callers that run no other
// code. Every Store reads both forms.
func (s *Store) PacksFrom(id string) *Store {
	s.packing = &release{id: "packs#" + id, settles: deploymentEnds}
	return s
}

// deploymentEnds is longer than a deployment moves functions, and than an invocation of older code runs.
const deploymentEnds = 2 * time.Hour

// packs reports whether rows of mentions are to be packed.
func (s *Store) packs(ctx context.Context) (bool, error) { return s.ended(ctx, s.packing) }

// settled reports whether no older code runs any more than the store's release.
func (s *Store) settled(ctx context.Context) (bool, error) { return s.ended(ctx, s.release) }

// ended reports whether no older code runs any more. The first call of a release notes the time for all processes.
func (s *Store) ended(ctx context.Context, r *release) (bool, error) {
	if r == nil || r.settles == 0 {
		return true, nil
	}
	r.reading.Lock()
	defer r.reading.Unlock()
	if r.seen.IsZero() {
		seen, err := s.firstSeen(ctx, r.id)
		if err != nil {
			return false, fmt.Errorf("read when the release was first seen: %w", err)
		}
		r.seen = seen
	}
	return !s.Clock.Now().Before(r.seen.Add(r.settles)), nil
}

// unread returns the row that says when the release was first seen, unless that is known. nil has none.
func (r *release) unread() []side {
	if r == nil {
		return nil
	}
	r.reading.Lock()
	defer r.reading.Unlock()
	if !r.seen.IsZero() {
		return nil
	}
	return []side{{rows.CountersTable, rows.ReleaseKey(r.id), func(item table.Item) {
		r.reading.Lock()
		defer r.reading.Unlock()
		if r.seen.IsZero() {
			r.seen = rows.ToTime(rows.Text(item, rows.AttrSeen)) // zero: nobody has noted it yet
		}
	}}}
}

// firstSeen returns when a release was first seen, and notes that it is now if nobody has.
func (s *Store) firstSeen(ctx context.Context, id string) (time.Time, error) {
	now := s.Clock.Now()
	_, err := s.Table.Update(ctx, table.Update{
		Table: rows.CountersTable,
		Key:   rows.ReleaseKey(id),
		Set: map[string]any{
			rows.AttrSeen:         rows.FromTime(now),
			table.ExpiryAttribute: now.Add(releasesKept).Unix(),
		},
		If: table.Absent(),
	})
	if noted := (*table.ConditionFailed)(nil); errors.As(err, &noted) {
		return rows.ToTime(rows.Text(noted.Item, rows.AttrSeen)), nil
	}
	return now, err
}

// releasesKept is how long a release is known. One that is older settles anew.
const releasesKept = 2 * 365 * 24 * time.Hour
