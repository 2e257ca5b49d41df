package account

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
)

// longestPause bounds the jittered pause between attempts. The SDK's own bound, 20 seconds, is longer than most
// invocations.
const longestPause = 500 * time.Millisecond

// NewRetryer returns the retries of a client whose port has none: three attempts at a request.
func NewRetryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) { o.MaxAttempts, o.MaxBackoff = 3, longestPause })
}
