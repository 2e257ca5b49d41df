// Package mentionstore stores mentions: what is collected, how lists and exports read it, what is counted of it, and
// what moves to the archive. Functions that read or write mentions use it.
package mentionstore

import "earshot/shared/store"

// Store reads and writes mentions, their counts and their exports.
type Store struct{ *store.Kernel }

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{k} }
