// Package peoplestore stores the members of workspaces, their invitations, and the changes of the identity provider's
// groups that are due.
package peoplestore

import (
	"earshot/shared/store"
	"earshot/shared/store/workspacestore"
)

// Store reads and writes members and invitations.
type Store struct {
	*store.Kernel
	workspace *workspacestore.Store
}

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{Kernel: k, workspace: workspacestore.New(k)} }
