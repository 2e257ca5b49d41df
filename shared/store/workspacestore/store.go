// Package workspacestore stores workspaces and agencies: their API keys, companies, quotas, plans and directories.
//
// Functions that read or change a workspace import it, and peoplestore and setupstore.
package workspacestore

import "earshot/shared/store"

// Store reads and writes workspaces, agencies and their API keys.
type Store struct{ *store.Kernel }

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{k} }
