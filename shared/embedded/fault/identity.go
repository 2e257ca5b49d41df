package fault

import (
	"context"

	"earshot/shared/port/identity"
)

// IdentityPort is the name of the port identity in a Set.
const IdentityPort = "identity"

// IdentityOperations names the operations of the port identity.
func IdentityOperations() []string {
	return []string{"account", "join", "leave", "createGroup", "deleteGroup"}
}

// Identity decorates a directory with the faults of the set.
func Identity(inner identity.Directory, set *Set) identity.Directory {
	return faultyIdentity{inner, set}
}

type faultyIdentity struct {
	inner identity.Directory
	set   *Set
}

func doIdentity[T any](ctx context.Context, d faultyIdentity, operation string, do func() (T, error)) (T, error) {
	return Do(ctx, d.set, IdentityPort, operation, identity.ErrUnavailable, identity.ErrUnavailable, do)
}

func (d faultyIdentity) Account(ctx context.Context, email string) (identity.Account, error) {
	return doIdentity(ctx, d, "account", func() (identity.Account, error) { return d.inner.Account(ctx, email) })
}

func (d faultyIdentity) Join(ctx context.Context, group, accountID string) error {
	_, err := doIdentity(
		ctx, d, "join", func() (nothing, error) { return nothing{}, d.inner.Join(ctx, group, accountID) },
	)
	return err
}

func (d faultyIdentity) Leave(ctx context.Context, group, accountID string) error {
	_, err := doIdentity(
		ctx, d, "leave", func() (nothing, error) { return nothing{}, d.inner.Leave(ctx, group, accountID) },
	)
	return err
}

func (d faultyIdentity) CreateGroup(ctx context.Context, group string) error {
	_, err := doIdentity(
		ctx, d, "createGroup", func() (nothing, error) { return nothing{}, d.inner.CreateGroup(ctx, group) },
	)
	return err
}

func (d faultyIdentity) DeleteGroup(ctx context.Context, group string) error {
	_, err := doIdentity(
		ctx, d, "deleteGroup", func() (nothing, error) { return nothing{}, d.inner.DeleteGroup(ctx, group) },
	)
	return err
}
