// Package mentionstore stores mentions: ingest writes them, lists and exports read them, feedback changes them,
// counters follow them, and old ones move to the archive.
//
// A mention that is ingested twice is stored and counted once. Functions that read or write mentions import it, and
// purgestore.
package mentionstore

import "earshot/shared/store"

// Store reads and writes mentions, their counts and their exports.
type Store struct{ *store.Kernel }

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{k} }
