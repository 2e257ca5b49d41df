package fault

import (
	"context"
	"time"

	"earshot/shared/source"
)

// SourcePort is the name of all sources in a Set.
const SourcePort = "source"

// SourceOperations names the operations of a source.
func SourceOperations() []string { return []string{"search"} }

// Source decorates a source that is searched with the faults of the set. An archive stays one: where its posts end is never a fault.
func Source(inner source.Source, set *Set) source.Source {
	faulty := faultySource{inner, set}
	if ends, ok := inner.(archive); ok {
		return faultyArchive{faulty, ends}
	}
	return faulty
}

type faultySource struct {
	source.Source
	set *Set
}

// An archive knows where its posts end.
type archive interface {
	Newest(ctx context.Context) (time.Time, error)
}

type faultyArchive struct {
	faultySource
	archive
}

// Search is the source's, or fails as a platform does.
func (s faultySource) Search(ctx context.Context, q source.Query) (source.Page, error) {
	name := s.About().Name
	return Do(ctx, s.set, SourcePort, "search",
		&source.Unavailable{Source: name, Reason: "asked to be left alone", RetryAfter: time.Minute},
		&source.Unavailable{Source: name, Reason: "answered 503"},
		func() (source.Page, error) { return s.Source.Search(ctx, q) })
}
