// Package cognitoidentity implements the port identity on a user pool of Amazon Cognito.
//
// The id of an account is its Cognito username. Where people sign in by address, the username is the sub, which never
// changes. The pool should accept sign-in by e-mail in any case of letters, and verify the address.
//
// Errors carry Cognito's codes for the logs, and never an address.
//
// Only mains and tests import it.
package cognitoidentity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	cognito "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"golang.org/x/time/rate"

	"earshot/shared/aws/account"
)

// A Directory is a user pool.
type Directory struct {
	client           *cognito.Client
	pool             string
	lookups, changes *rate.Limiter
}

// Cognito's quotas hold for all callers of an account and a region together: 30 lookups a second ("UserList") and 25
// changes ("UserUpdate"). One process stays under them by these rates, after a burst. The retryer handles what several
// processes meet together.
const (
	lookupsPerSecond = 25
	changesPerSecond = 20
	burst            = 8
)

// New makes the adapter. pool is the id of a user pool. Account, Join and Leave wait for their turn, and fail at once
// if the context ends before it.
func New(client *cognito.Client, pool string) *Directory {
	return &Directory{
		client:  client,
		pool:    pool,
		lookups: rate.NewLimiter(lookupsPerSecond, burst),
		changes: rate.NewLimiter(changesPerSecond, burst),
	}
}

// turn waits until a limiter allows the next request. Returns context.DeadlineExceeded at once if the context would end
// before that, and the context's error if it ends meanwhile.
func turn(ctx context.Context, limiter *rate.Limiter) error {
	if err := limiter.Wait(ctx); err != nil {
		return cmp.Or(ctx.Err(), context.DeadlineExceeded)
	}
	return nil
}

// FromEnvironment returns the adapter for the user pool in the deployment's variable USER_POOL_ID. env is os.Getenv or
// a stand-in.
func FromEnvironment(env func(string) string) (*Directory, error) {
	client, err := ClientFromEnvironment(env)
	if err != nil {
		return nil, err
	}
	pool := env("USER_POOL_ID")
	if pool == "" {
		return nil, errors.New("cognitoidentity: USER_POOL_ID is not set")
	}
	return New(client, pool), nil
}

// ClientFromEnvironment returns a client of the deployment's account. IDENTITY_ENDPOINT, for tests, names another
// server than AWS's. env is os.Getenv or a stand-in.
func ClientFromEnvironment(env func(string) string) (*cognito.Client, error) {
	asker, err := account.From(env, env("IDENTITY_ENDPOINT"))
	if err != nil {
		return nil, fmt.Errorf("cognitoidentity: %w", err)
	}
	return NewClient(asker), nil
}

// timeouts of one attempt. Cognito responds within some tens of milliseconds.
var timeouts = account.Timeouts{Connect: time.Second, Response: 3 * time.Second, Attempt: 5 * time.Second}

// NewClient makes a client with up to three attempts at a request. It sends nothing before the first operation.
func NewClient(asker account.Account) *cognito.Client {
	return cognito.New(cognito.Options{
		Region:       asker.Region,
		BaseEndpoint: asker.BaseEndpoint(),
		Credentials:  asker.Credentials(),
		HTTPClient:   account.NewHTTPClient(timeouts),
		Retryer:      account.NewRetryer(),
	})
}
