// Package purgestore removes everything that a deleted workspace leaves in the tables and beside them.
package purgestore

import "earshot/shared/store"

// Store purges deleted workspaces.
type Store struct{ *store.Kernel }

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{k} }
