// Package listenstore stores what a workspace listens for and shows: keywords with their suggestions, feeds,
// notifications, filters, dismissed attention items, and the tasks of collection.
package listenstore

import "earshot/shared/store"

// Store reads and writes what a workspace listens for.
type Store struct{ *store.Kernel }

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{k} }
