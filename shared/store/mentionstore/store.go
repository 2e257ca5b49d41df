// Package mentionstore stores mentions: ingest writes them, lists and exports read them, feedback changes them,
// counters follow them, and old ones move to the archive.
//
// A mention that is ingested twice is stored and counted once. Functions that read or write mentions import it.
package mentionstore

import (
	"sync"

	"earshot/shared/store"
)

// Store reads and writes mentions, their counts, their exports and the manifests of their days' files.
type Store struct {
	*store.Kernel

	announcing    sync.Mutex
	announcements map[string]announcement // by workspace

	release *release // nil: none
	packing *release // nil: rows are packed at once

	terms termLog
}

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{Kernel: k, announcements: map[string]announcement{}} }
