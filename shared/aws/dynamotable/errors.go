package dynamotable

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"earshot/shared/port/table"
)

// failed returns the port's error for an error of the SDK, or of a check before it.
func failed(ctx context.Context, doing, tableName string, err error) error {
	if kind := kindOf(err); kind != nil {
		return fmt.Errorf("dynamotable: %s %s: %w: %w", doing, tableName, kind, err)
	}
	var api smithy.APIError
	switch {
	case errors.As(err, &api), errors.Is(err, table.ErrInvalid):
		return fmt.Errorf("dynamotable: %s %s: %w", doing, tableName, err)
	case ctx.Err() != nil:
		return fmt.Errorf("dynamotable: %s %s: %w", doing, tableName, ctx.Err())
	}
	// No response, or a garbled one. The cause is quoted and not wrapped: a time limit of the HTTP client would pass
	// for the context's.
	return fmt.Errorf("dynamotable: %s %s: %w: %v", doing, tableName, table.ErrUnavailable, err)
}

// kindOf returns the port's error for an error response of DynamoDB; nil if the port has none, for example for a
// missing table.
func kindOf(err error) error {
	var api smithy.APIError
	if !errors.As(err, &api) {
		return nil
	}
	switch api.ErrorCode() {
	case "ProvisionedThroughputExceededException",
		"ThrottlingException",
		"RequestLimitExceeded",
		"LimitExceededException",
		"Throttling",
		"TooManyRequestsException",
		// Another transaction uses the item, or the same one is still running. Nothing was done, and it may be sent
		// again.
		"TransactionConflictException",
		"TransactionInProgressException",
		"ReplicatedWriteConflictException":
		return table.ErrThrottled
	case "InternalServerError", "InternalFailure", "ServiceUnavailable", "ServiceUnavailableException":
		return table.ErrUnavailable
	case "ValidationException":
		if tooLarge(api.ErrorMessage()) {
			return table.ErrTooLarge
		}
		return table.ErrInvalid
	case "IdempotentParameterMismatchException":
		return table.ErrInvalid
	}
	var response *smithyhttp.ResponseError
	if errors.As(err, &response) {
		switch status := response.HTTPStatusCode(); {
		case status == http.StatusTooManyRequests:
			return table.ErrThrottled
		case status >= http.StatusInternalServerError:
			return table.ErrUnavailable
		}
	}
	return nil
}

// tooLarge recognizes DynamoDB's "Item size has exceeded the maximum allowed size" and "Item size to update has
// exceeded the maximum allowed size". They share a code with other validation errors.
func tooLarge(message string) bool {
	return strings.Contains(message, "Item size") && strings.Contains(message, "exceeded the maximum allowed size")
}

// conditionFailed returns the port's error of a failed condition; nil for any other error.
func conditionFailed(err error) (*table.ConditionFailed, error) {
	var failure *types.ConditionalCheckFailedException
	if !errors.As(err, &failure) {
		return nil, nil
	}
	item, err := toItem(failure.Item)
	if err != nil {
		return nil, fmt.Errorf("read the item of a failed condition: %w", err)
	}
	return &table.ConditionFailed{Item: item}, nil
}
