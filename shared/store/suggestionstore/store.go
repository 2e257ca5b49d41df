// Package suggestionstore stores suggestions for keywords, and makes the change of one that is accepted.
//
// Only the function keywords/suggestions imports it, and allstores. It is no part of listenstore, which most functions
// link: suggestions link the matcher that tries them.
package suggestionstore

import (
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
)

// Store reads and writes suggestions.
type Store struct {
	*store.Kernel
	listen *listenstore.Store
}

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{Kernel: k, listen: listenstore.New(k)} }
