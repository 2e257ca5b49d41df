package cognitoidentity

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
	"github.com/aws/smithy-go"

	"earshot/shared/aws/account"
	"earshot/shared/port/identity"
)

// missing says whether the group is not there. A pool that is not there has the same code, and Cognito tells the two apart by words
// only: "Group not found." and "User pool us-east-1_x does not exist.". So what names the pool is about the pool, which is a mistake in
// the configuration: a group whose deletion was asked of the wrong pool is not deleted. Words are no contract, but to ask for more would
// be a second request, and a permission to read pools for every function that deletes a group. Should the words change, a missing pool
// passes for a missing group, which it is as well; whoever makes a group learns of the pool all the same.
func (d *Directory) missing(err error) bool {
	var cause *types.ResourceNotFoundException
	return errors.As(err, &cause) && !strings.Contains(cause.ErrorMessage(), d.pool)
}

// unknown says whether the user is not there.
func unknown(err error) bool {
	var cause *types.UserNotFoundException
	return errors.As(err, &cause)
}

// invalid says whether Cognito cannot read what it was asked with.
func invalid(err error) bool {
	var cause *types.InvalidParameterException
	return errors.As(err, &cause)
}

// full says whether the pool has no room for more, such as groups (10,000 by the quotas): no repeat changes that, though its code is one
// that other services throttle with.
func full(err error) bool {
	var cause smithy.APIError
	return errors.As(err, &cause) && cause.ErrorCode() == "LimitExceededException"
}

// failed is the port's error for an error of the SDK. None is wrapped or quoted: Cognito's texts may name a user.
func failed(ctx context.Context, doing string, err error) error {
	code := "no answer"
	var api smithy.APIError
	if errors.As(err, &api) {
		code = api.ErrorCode()
	}
	switch failure := account.FailureOf(ctx, err); {
	case failure == account.Ended:
		return fmt.Errorf("cognitoidentity: %s: %w", doing, ctx.Err())
	case (failure == account.Throttled || failure == account.Unavailable) && !full(err):
		return fmt.Errorf("cognitoidentity: %s: %w: %s%s", doing, identity.ErrUnavailable, code, causeOf(err))
	}
	return fmt.Errorf("cognitoidentity: %s: Cognito answered %s", doing, code)
}

// causeOf tells what became of the connection, where that is known: it holds hosts and ports.
func causeOf(err error) string {
	var operation *net.OpError
	if !errors.As(err, &operation) {
		return ""
	}
	return ": " + operation.Error()
}
