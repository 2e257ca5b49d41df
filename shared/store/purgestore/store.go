// Package purgestore removes everything that a deleted workspace leaves: its rows in all tables, and what it owns
// outside them. A purge that is killed continues where it stopped. It never touches a live workspace.
//
// Only the function purge imports it, and allstores.
package purgestore

import "earshot/shared/store"

// Store purges deleted workspaces.
type Store struct{ *store.Kernel }

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{k} }
