package fault

import (
	"context"
	"time"

	"earshot/shared/source"
)

// SourcePort is the name of all sources in a Set.
const SourcePort = "source"

// SourceOperations names the operations of a source.
func SourceOperations() []string { return []string{"search", "count"} }

// Source decorates a searched source with the faults of the set. A source.Counter stays one, and so does an archive:
// its newest time and its number of posts never fail.
func Source(inner source.Source, set *Set) source.Source {
	faulty := faultySource{inner, set}
	if ends, ok := inner.(archive); ok {
		return faultyArchive{faulty, ends}
	}
	if counter, ok := inner.(source.Counter); ok {
		return faultyCounter{faulty, counter}
	}
	return faulty
}

type faultySource struct {
	source.Source
	set *Set
}

// An archive knows where its posts end, and how many they are.
type archive interface {
	Newest(ctx context.Context) (time.Time, error)
	Held(ctx context.Context) (int64, error)
}

type faultyArchive struct {
	faultySource
	archive
}

type faultyCounter struct {
	faultySource
	counter source.Counter
}

// Search searches the source, or fails as a platform does.
func (s faultySource) Search(ctx context.Context, q source.Query) (source.Page, error) {
	return doSource(ctx, s, "search", func() (source.Page, error) { return s.Source.Search(ctx, q) })
}

// Count counts in the source, or fails as a platform does.
func (s faultyCounter) Count(ctx context.Context, q source.Query) (source.Count, error) {
	return doSource(ctx, s.faultySource, "count", func() (source.Count, error) { return s.counter.Count(ctx, q) })
}

func doSource[T any](ctx context.Context, s faultySource, operation string, do func() (T, error)) (T, error) {
	name := s.About().Name
	return Do(ctx, s.set, SourcePort, operation,
		&source.Unavailable{Source: name, Reason: "asked to be left alone", RetryAfter: time.Minute},
		&source.Unavailable{Source: name, Reason: "answered 503"}, do)
}
