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

// A Failure is the meaning of an error of the SDK for the caller.
type Failure int

// The failures.
const (
	Refused     Failure = iota // the service refused, and will again
	Throttled                  // refused because of load: nothing was done, and it may be repeated
	Unavailable                // no response, a garbled one, or a 5xx: it may have been done, and may be repeated
	Ended                      // the context ended
)

// FailureOf returns the meaning of an error of the SDK. The codes of throttling are the SDK's own and those of some
// services.
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
	case "InternalError",
		"InternalFailure",
		"InternalServerError",
		"ServiceUnavailable",
		"RequestTimeout",
		"RequestTimeoutException":
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

// IsThrottle reports whether an error code means throttling.
func IsThrottle(code string) bool {
	_, known := retry.DefaultThrottleErrorCodes[code]
	return known ||
		slices.Contains([]string{"OverLimit", "KmsThrottled", "KMS.ThrottlingException", "TooManyRequests"}, code)
}
