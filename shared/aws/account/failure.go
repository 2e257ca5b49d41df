package account

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// A Failure is what an error of the SDK means to whoever asked.
type Failure int

// The failures.
const (
	Refused     Failure = iota // the service said no, and will again
	Throttled                  // turned away for the load: nothing was done, and it may be repeated
	Unavailable                // no answer, a garbled one, or one that it failed: it may have been done, and may be repeated
	Ended                      // the context ended
)

// FailureOf tells what an error of the SDK means. The codes of throttling are the SDK's own and those that only some services use.
func FailureOf(ctx context.Context, err error) Failure {
	var api smithy.APIError
	if !errors.As(err, &api) {
		if ctx.Err() != nil {
			return Ended
		}
		return Unavailable
	}
	if IsThrottle(api.ErrorCode()) {
		return Throttled
	}
	switch api.ErrorCode() {
	case "InternalError", "InternalFailure", "InternalServerError", "ServiceUnavailable", "RequestTimeout", "RequestTimeoutException":
		return Unavailable
	}
	var response *smithyhttp.ResponseError
	if errors.As(err, &response) {
		switch status := response.HTTPStatusCode(); {
		case status == http.StatusTooManyRequests:
			return Throttled
		case status >= http.StatusInternalServerError:
			return Unavailable
		}
	}
	return Refused
}

// IsThrottle says whether an error code means throttling.
func IsThrottle(code string) bool {
	_, known := retry.DefaultThrottleErrorCodes[code]
	return known || slices.Contains([]string{"OverLimit", "KmsThrottled", "KMS.ThrottlingException", "TooManyRequests"}, code)
}
