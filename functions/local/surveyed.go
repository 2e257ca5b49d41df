package main

import (
	"context"
	"net"
	"slices"
	"sync"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/source"
)

// surveyed returns the sources that the setup engine asks: the platforms or, without a network or with
// SOURCES=archive, the archive of what came in, platform by platform.
type surveyed struct {
	live    []source.Source
	archive func(context.Context) ([]source.Source, error)
	faults  *fault.Set
	network func(context.Context) bool

	mu     sync.Mutex
	looked time.Time // when it was last looked for a network
	found  bool
}

// lookAgain is how long a result about the network is believed.
const lookAgain = 30 * time.Second

// sources returns the sources of the moment.
func (s *surveyed) sources(ctx context.Context) []source.Source {
	if platforms := s.platforms(ctx); len(platforms) > 0 {
		return platforms
	}
	archived, err := s.archived(ctx)
	if err != nil {
		// What cannot be listed cannot be searched. Each platform reports that itself.
		return nil
	}
	return archived
}

// platforms returns the sources whose platforms can be asked at the moment.
func (s *surveyed) platforms(ctx context.Context) []source.Source {
	if len(s.live) > 0 && s.online(ctx) {
		return s.faulty(s.live)
	}
	return nil
}

// archived returns the platforms of the archive.
func (s *surveyed) archived(ctx context.Context) ([]source.Source, error) {
	archived, err := s.archive(ctx)
	if err != nil {
		return nil, err
	}
	return s.faulty(archived), nil
}

func (s *surveyed) faulty(sources []source.Source) []source.Source {
	sources = slices.Clone(sources)
	for i, each := range sources {
		sources[i] = fault.Source(each, s.faults)
	}
	return sources
}

func (s *surveyed) online(ctx context.Context) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.looked.IsZero() || time.Since(s.looked) > lookAgain {
		// The caller may be leaving, which says nothing about the network.
		s.looked, s.found = time.Now(), s.network(context.WithoutCancel(ctx))
	}
	return s.found
}

// network reports whether names of the internet can be looked up.
func network(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupHost(ctx, "hn.algolia.com.")
	return err == nil && len(addresses) > 0
}
