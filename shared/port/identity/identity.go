// Package identity is the port to the directory of people's accounts, like a user pool of Amazon Cognito: who has signed up, and of
// which workspaces' groups they are. What a person may do in a workspace is the store's; a group is the directory's copy of it.
//
// Functions and adapters import it.
package identity

import (
	"context"
	"errors"
)

// An Account is a person who has signed up.
type Account struct {
	ID    string // the directory's own, which does not change
	Email string // as the directory has it
	Name  string // empty: not told
}

// A Directory knows accounts and groups. A group is named by its workspace's id and is made when its first member joins.
type Directory interface {
	// Account finds an account by its address, whatever the case of its letters. Answers ErrNoAccount.
	Account(ctx context.Context, email string) (Account, error)
	// Join adds an account to a group; it may be there already. Answers ErrNoAccount.
	Join(ctx context.Context, group, accountID string) error
	// Leave takes an account out of a group; an account or a group that is not there is no error.
	Leave(ctx context.Context, group, accountID string) error
}

// ErrNoAccount means that nobody has signed up with this address or id.
var ErrNoAccount = errors.New("identity: no such account")
