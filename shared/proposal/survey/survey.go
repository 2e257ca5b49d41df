// Package survey asks sources, for a setup run, how many posts a text has there, and reads examples. It sends as few
// requests as it can, within the run's budget and the time of the context. It stores responses for an hour for all
// runs. It matches what a platform's search finds again, with the matcher of live mentions.
//
// A source keeps a platform's pace and its wish to wait, within one process. Runs in several processes share neither:
// each obeys the platform by itself, and only the stored responses and the runs' budgets bound them together.
//
// The setup stages and the function searches import it. setupstore implements its Cache and its Budget.
package survey

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/proposal"
	"earshot/shared/source"
)

// A Cache keeps answers of sources for all runs. It is safe for concurrent use.
type Cache interface {
	// Cached is what was kept under a key, a text of 64 hexadecimal digits; nil when there is nothing, or no more.
	Cached(ctx context.Context, key string) ([]byte, error)
	// Cache keeps content of at most MaxEntry bytes for some time, in the place of what was there.
	Cache(ctx context.Context, key string, content []byte, period time.Duration) error
}

// A Budget is what a run may ask of sources. It is safe for concurrent use.
type Budget interface {
	// Spend takes n requests, or none of them when fewer are left, and says which.
	Spend(ctx context.Context, n int) (ok bool, err error)
}

// A Frozen source is an archive that ends: it is surveyed over its own last days and not over the calendar's.
type Frozen interface {
	// Newest is when the newest of its posts was posted; the zero time when it has none.
	Newest(ctx context.Context) (time.Time, error)
}

// A Growing source is an archive that posts can be added to at any time: what it answered when it had fewer is not
// recalled.
type Growing interface {
	// Held is how many posts it has.
	Held(ctx context.Context) (int64, error)
}

// Errors of a Survey beside those of sources (*source.Unavailable, source.ErrNoCredentials) and of the context.
var (
	// ErrBudget means that the run's requests are used up.
	ErrBudget = errors.New("survey: the run's requests to sources are used up")
	// ErrUnknown means that no such source can be searched here.
	ErrUnknown = errors.New("survey: no such source can be searched here")
	// ErrNotThere means that the candidate is not tracked on that source.
	ErrNotThere = errors.New("survey: the candidate is not tracked on this source")
)

// Options of a Survey.
type Options struct {
	Sources []source.Source
	Cache   Cache  // nil: nothing is kept
	Budget  Budget // nil: there is no bound
	Most    int    // requests of one Branch, Count, Posts or Earlier at most, beside the Budget; 0: there is no bound
	Clock   clock.Clock
	Log     *slog.Logger // of what goes wrong with the cache; slog's own when nil
}

// A Survey asks sources for one run. It is safe for concurrent use.
type Survey struct {
	o       Options
	sources map[string]source.Source

	requests atomic.Int64

	mu     sync.Mutex
	newest map[string]time.Time // of frozen sources that were asked
}

// New makes a survey of the sources that can be searched; of two with one name the first counts.
func New(o Options) *Survey {
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	s := &Survey{o: o, sources: map[string]source.Source{}, newest: map[string]time.Time{}}
	for _, each := range o.Sources {
		about := each.About()
		if _, twice := s.sources[about.Name]; !about.Stream && !twice {
			s.sources[about.Name] = each
		}
	}
	return s
}

// AtMost is a survey of the same, with another Most.
func (s *Survey) AtMost(most int) *Survey {
	o := s.o
	o.Most = most
	return New(o)
}

// Requests is how many requests the survey has made.
func (s *Survey) Requests() int { return int(s.requests.Load()) }

// Names lists the sources that can be searched, sorted.
func (s *Survey) Names() []string {
	names := make([]string, 0, len(s.sources))
	for name := range s.sources {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Count is how many posts of a source the candidate's text matches bare, over the longest window that the source shows
// all of: see windows. A source.Counter that knows an exact number is believed, corrected by what of a page really
// matched.
//
// Errors: ErrUnknown, ErrNotThere, ErrBudget, a source's own and the context's.
func (s *Survey) Count(ctx context.Context, sourceName string, c proposal.Candidate) (proposal.Count, error) {
	a, err := s.asking(ctx, sourceName)
	if err != nil {
		return proposal.Count{}, err
	}
	return a.count(ctx, c)
}

// asking begins to ask one source.
func (s *Survey) asking(ctx context.Context, name string) (*asking, error) {
	from, ok := s.sources[name]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrUnknown, name)
	}
	until, err := s.end(ctx, from)
	if err != nil {
		return nil, err
	}
	a := &asking{s: s, from: from, about: from.About(), until: until}
	if growing, ok := from.(Growing); ok {
		if a.held, err = growing.Held(ctx); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// end is where windows end: now, or behind the newest post of an archive that has ended.
func (s *Survey) end(ctx context.Context, from source.Source) (time.Time, error) {
	now := s.o.Clock.Now()
	frozen, ok := from.(Frozen)
	if !ok {
		return now, nil
	}
	name := from.About().Name
	s.mu.Lock()
	newest, known := s.newest[name]
	s.mu.Unlock()
	if !known {
		var err error
		if newest, err = frozen.Newest(ctx); err != nil {
			return time.Time{}, err
		}
		s.mu.Lock()
		s.newest[name] = newest
		s.mu.Unlock()
	}
	if newest.IsZero() {
		return now, nil
	}
	if end := newest.Add(time.Millisecond); end.Before(now) {
		return end, nil
	}
	return now, nil
}
