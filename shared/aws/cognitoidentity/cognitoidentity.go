// Package cognitoidentity is the port identity on a user pool of Amazon Cognito.
//
// An account's id is its username, which the API asks for: in a pool where people sign in by their address, it is the sub that Cognito
// made, and does not change. The pool should take sign-in by e-mail, whatever its case, and verify the address.
//
// Errors carry Cognito's codes for the logs, and no address.
//
// Mains and tests import it, nothing else.
package cognitoidentity

import (
	"context"
	"errors"
	"fmt"
	"time"

	cognito "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"

	"earshot/shared/aws/account"
	"earshot/shared/port/identity"
)

// A Directory is a user pool.
type Directory struct {
	client *cognito.Client
	pool   string
}

// New makes the adapter. pool is the id of a user pool.
func New(client *cognito.Client, pool string) *Directory { return &Directory{client, pool} }

// FromEnvironment is the adapter for the user pool that a deployment's variable USER_POOL_ID names. IDENTITY_ENDPOINT, for tests, asks
// another server than AWS's. env is os.Getenv or the like.
func FromEnvironment(env func(string) string) (*Directory, error) {
	asker, err := account.From(env, env("IDENTITY_ENDPOINT"))
	if err != nil {
		return nil, fmt.Errorf("cognitoidentity: %w", err)
	}
	pool := env("USER_POOL_ID")
	if pool == "" {
		return nil, errors.New("cognitoidentity: USER_POOL_ID is not set")
	}
	return New(NewClient(asker), pool), nil
}

// timeouts of one attempt. Cognito answers within some tens of milliseconds.
var timeouts = account.Timeouts{Connect: time.Second, Response: 3 * time.Second, Attempt: 5 * time.Second}

// NewClient makes a client that makes up to three attempts at a request. Nothing is asked of the network before the first operation.
func NewClient(asker account.Account) *cognito.Client {
	return cognito.New(cognito.Options{
		Region:       asker.Region,
		BaseEndpoint: asker.BaseEndpoint(),
		Credentials:  asker.Credentials(),
		HTTPClient:   account.NewHTTPClient(timeouts),
		Retryer:      account.NewRetryer(),
	})
}

// Join adds an account to a group, which it makes if it is not there.
func (d *Directory) Join(ctx context.Context, group, accountID string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("cognitoidentity: join: %w", err)
	}
	if accountID == "" {
		return fmt.Errorf("cognitoidentity: join: %w", identity.ErrNoAccount)
	}
	err := d.add(ctx, group, accountID)
	if missing(err) {
		if err := d.create(ctx, group); err != nil {
			return failed(ctx, "make a group", err)
		}
		err = d.add(ctx, group, accountID)
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
	_, err := d.client.AdminAddUserToGroup(ctx, &cognito.AdminAddUserToGroupInput{UserPoolId: &d.pool, GroupName: &group, Username: &accountID})
	return err
}

// create makes a group; it is well if another did so first.
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
	_, err := d.client.AdminRemoveUserFromGroup(ctx,
		&cognito.AdminRemoveUserFromGroupInput{UserPoolId: &d.pool, GroupName: &group, Username: &accountID})
	if err != nil && !missing(err) && !unknown(err) {
		return failed(ctx, "leave", err)
	}
	return nil
}
