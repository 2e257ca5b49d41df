package ssmsecret

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/smithy-go"

	"earshot/shared/aws/account"
)

// failed returns an error for an error of the SDK. It does not quote a response that could not be read, because that
// may hold secrets.
func failed(ctx context.Context, err error) error {
	var garbled *smithy.DeserializationError
	switch {
	case account.FailureOf(ctx, err) == account.Ended:
		return fmt.Errorf("ssmsecret: %w", ctx.Err())
	case errors.As(err, &garbled):
		return errors.New("ssmsecret: the answer cannot be read")
	}
	var api smithy.APIError
	if errors.As(err, &api) {
		return fmt.Errorf("ssmsecret: %w", err)
	}
	// A time limit of the HTTP client would pass for the context's.
	return fmt.Errorf("ssmsecret: no answer: %v", err)
}

// unwritten returns an error for an error of a write. Of SSM's own it keeps the code alone, because a message about a
// parameter may quote its value.
func unwritten(ctx context.Context, err error) error {
	var api smithy.APIError
	if account.FailureOf(ctx, err) != account.Ended && errors.As(err, &api) {
		return fmt.Errorf("ssmsecret: SSM answered %s", api.ErrorCode())
	}
	return failed(ctx, err)
}
