// Package listenstore stores what a workspace listens for and shows: keywords with their volumes, feeds, notifications,
// filters and dismissed attention items. It also stores the tasks of collection.
//
// Every change of what a workspace listens for raises the version in its listeners' row, in the same transaction.
// shared/listening therefore sees every change.
//
// The functions that listen, match or show import it, and the stores setupstore and suggestionstore, which change
// keywords as proposals and suggestions say.
package listenstore

import "earshot/shared/store"

// Store reads and writes what a workspace listens for.
type Store struct{ *store.Kernel }

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{k} }
