// Package peoplestore stores the members of workspaces, their invitations, and the changes that the directory's groups
// still lack (moves). An address has one row in a workspace, which names a member or an invitation. Every change of
// that row is one transaction with the change of what it names and of the workspace's count of people.
//
// The package comment of shared/member has the states of an invitation and what moves it. The state of its mail is
// stored in the attribute "mail" of the row.
//
// The functions agency, authorize, deliver and members, and the packages below members import this package.
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
