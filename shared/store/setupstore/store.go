// Package setupstore stores the setup engine's drafts, runs, steps, outcomes and proposals, and applies proposals to
// keywords and feeds. Apply may be killed and repeated: a repeat writes what is left.
//
// The functions setup and searches and the setup stages import it.
package setupstore

import (
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
)

// Store reads and writes drafts and runs. Applying a proposal writes keywords and feeds as listenstore does.
type Store struct {
	*store.Kernel
	listen *listenstore.Store
}

// New returns a Store over k.
func New(k *store.Kernel) *Store {
	return &Store{Kernel: k, listen: listenstore.New(k)}
}
