package cognitoidentity

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
	"github.com/aws/smithy-go"

	"earshot/shared/aws/account"
	"earshot/shared/port/identity"
)

// missing says whether the group, or the pool, is not there: Cognito tells them apart by words only.
func missing(err error) bool {
	var cause *types.ResourceNotFoundException
	return errors.As(err, &cause)
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

// failed is the port's error for an error of the SDK. None is wrapped or quoted: Cognito's texts may name a user.
func failed(ctx context.Context, doing string, err error) error {
	code := "no answer"
	var api smithy.APIError
	if errors.As(err, &api) {
		code = api.ErrorCode()
	}
	switch account.FailureOf(ctx, err) {
	case account.Ended:
		return fmt.Errorf("cognitoidentity: %s: %w", doing, ctx.Err())
	case account.Throttled, account.Unavailable:
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
