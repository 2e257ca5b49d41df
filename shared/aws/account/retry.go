package account

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
)

// longestPause is the bound of the jittered pause between attempts. The SDK's own, 20 seconds, is longer than most invocations.
const longestPause = 500 * time.Millisecond

// NewRetryer makes the retries of a client whose port has none of its own: three attempts at a request.
func NewRetryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) { o.MaxAttempts, o.MaxBackoff = 3, longestPause })
}
