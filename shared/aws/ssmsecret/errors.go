package ssmsecret

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/smithy-go"

	"earshot/shared/aws/account"
)

// failed tells of an error of the SDK. An answer that could not be read is not quoted: it may hold secrets.
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
