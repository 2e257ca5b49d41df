package cognitoidentity

import (
	"context"
	"errors"
	"fmt"

	cognito "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"

	"earshot/shared/port/identity"
)

// errNoName is the error of making a group without a name.
var errNoName = errors.New("cognitoidentity: the group has no name")

// Join adds an account to a group, and makes the group if it is missing.
func (d *Directory) Join(ctx context.Context, group, accountID string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("cognitoidentity: join: %w", err)
	}
	if group == "" {
		return errNoName
	}
	if accountID == "" {
		return fmt.Errorf("cognitoidentity: join: %w", identity.ErrNoAccount)
	}
	if err := turn(ctx, d.changes); err != nil {
		return fmt.Errorf("cognitoidentity: join: %w", err)
	}
	err := d.add(ctx, group, accountID)
	if d.missing(err) {
		if err := d.create(ctx, group); err != nil {
			return failed(ctx, "make a group", err)
		}
		if err = d.add(ctx, group, accountID); d.missing(err) { // and it was there a moment ago
			return fmt.Errorf("cognitoidentity: join: %w: the group was deleted meanwhile", identity.ErrUnavailable)
		}
	}
	if unknown(err) {
		return fmt.Errorf("cognitoidentity: join: %w", identity.ErrNoAccount)
	}
	if err != nil {
		return failed(ctx, "join", err)
	}
	return nil
}

func (d *Directory) add(ctx context.Context, group, accountID string) error {
	_, err := d.client.AdminAddUserToGroup(
		ctx, &cognito.AdminAddUserToGroupInput{UserPoolId: &d.pool, GroupName: &group, Username: &accountID},
	)
	return err
}

// create makes a group. A group that another caller has just made is no error.
func (d *Directory) create(ctx context.Context, group string) error {
	_, err := d.client.CreateGroup(ctx, &cognito.CreateGroupInput{UserPoolId: &d.pool, GroupName: &group})
	var there *types.GroupExistsException
	if errors.As(err, &there) {
		return nil
	}
	return err
}

// Leave takes an account out of a group.
func (d *Directory) Leave(ctx context.Context, group, accountID string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("cognitoidentity: leave: %w", err)
	}
	if group == "" || accountID == "" {
		return nil
	}
	if err := turn(ctx, d.changes); err != nil {
		return fmt.Errorf("cognitoidentity: leave: %w", err)
	}
	_, err := d.client.AdminRemoveUserFromGroup(ctx,
		&cognito.AdminRemoveUserFromGroupInput{UserPoolId: &d.pool, GroupName: &group, Username: &accountID})
	if err != nil && !d.missing(err) && !unknown(err) {
		return failed(ctx, "leave", err)
	}
	return nil
}

// CreateGroup makes a group.
func (d *Directory) CreateGroup(ctx context.Context, group string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("cognitoidentity: make a group: %w", err)
	}
	if group == "" {
		return errNoName
	}
	if err := d.create(ctx, group); err != nil {
		return failed(ctx, "make a group", err)
	}
	return nil
}

// DeleteGroup takes a group away.
func (d *Directory) DeleteGroup(ctx context.Context, group string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("cognitoidentity: delete a group: %w", err)
	}
	if group == "" {
		return nil
	}
	_, err := d.client.DeleteGroup(ctx, &cognito.DeleteGroupInput{UserPoolId: &d.pool, GroupName: &group})
	if err != nil && !d.missing(err) {
		return failed(ctx, "delete a group", err)
	}
	return nil
}
