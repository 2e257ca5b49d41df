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

// missing reports whether the group does not exist. A missing pool has the same code, and only the text differs: "Group
// not found." and "User pool us-east-1_x does not exist.". A text that names the pool is about the pool, which is a
// mistake in the configuration: deleting a group in the wrong pool deletes no group.
//
// Texts are no contract. But certainty would cost a second request, and a permission to read pools for every function
// that deletes a group. If the texts change, a missing pool passes for a missing group, which is true as well. Making a
// group still fails without the pool.
func (d *Directory) missing(err error) bool {
	var cause *types.ResourceNotFoundException
	return errors.As(err, &cause) && !strings.Contains(cause.ErrorMessage(), d.pool)
}

// unknown reports whether the user does not exist.
func unknown(err error) bool {
	var cause *types.UserNotFoundException
	return errors.As(err, &cause)
}

// invalid reports whether Cognito rejects a parameter.
func invalid(err error) bool {
	var cause *types.InvalidParameterException
	return errors.As(err, &cause)
}

// full reports whether the pool has no room for more, such as groups (10,000 by the quotas). A repeat cannot succeed,
// though other services throttle with the same code.
func full(err error) bool {
	var cause smithy.APIError
	return errors.As(err, &cause) && cause.ErrorCode() == "LimitExceededException"
}

// failed returns the port's error for an error of the SDK. It neither wraps nor quotes that error, because Cognito's
// texts may name a user.
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

// causeOf returns what happened to the connection, if known. It holds hosts and ports only.
func causeOf(err error) string {
	var operation *net.OpError
	if !errors.As(err, &operation) {
		return ""
	}
	return ": " + operation.Error()
}
