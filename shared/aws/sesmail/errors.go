package sesmail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go"

	"earshot/shared/aws/account"
	"earshot/shared/port/mail"
)

// How a mail that SES did not accept is repeated.
const (
	attempts     = 3
	longestPause = 500 * time.Millisecond // bound of the jittered pause between attempts
)

// newRetryer repeats only calls that certainly sent nothing: those that SES refused because of load, and those that
// never reached it. The SDK's own retries also repeat a 5xx or a lost response, after which a mail may have been sent.
func newRetryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts, o.MaxBackoff = attempts, longestPause
		o.Retryables = []retry.IsErrorRetryable{
			retry.NoRetryCanceledError{},
			retry.RetryableErrorCode{Codes: retry.DefaultThrottleErrorCodes},
			retry.IsErrorRetryableFunc(notConnected),
		}
	})
}

// notConnected reports whether no connection was made, so that nothing was sent.
func notConnected(err error) aws.Ternary {
	var operation *net.OpError
	if errors.As(err, &operation) && operation.Op == "dial" {
		return aws.TrueTernary
	}
	return aws.UnknownTernary
}

// refusals are SES's codes for a message that it will not send, now or later (API reference of SendEmail).
var refusals = map[string]bool{
	"BadRequestException": true, // the address, as all else was checked
}

// stopped are SES's codes for faults of the sender: SES reviews the account, the operator has paused it or the
// configuration set, the domain of the sender lost its records, an address is not verified while the account is in the
// sandbox, or the content is rejected. No recipient is to blame: SES accepts mail to an address on its suppression
// list, and reports a bounce. The mail may be sent again once the fault is mended.
var stopped = map[string]bool{
	"AccountSuspendedException":          true,
	"MailFromDomainNotVerifiedException": true,
	"MessageRejected":                    true,
	"SendingPausedException":             true,
}

// failed returns the port's error for an error of the SDK. It neither wraps nor quotes that error, because SES's texts
// name addresses.
func failed(ctx context.Context, err error) error {
	failure, code := account.FailureOf(ctx, err), "no answer"
	var api smithy.APIError
	if errors.As(err, &api) {
		code = api.ErrorCode()
	}
	switch {
	case failure == account.Ended:
		return fmt.Errorf("sesmail: %w", ctx.Err())
	// no earlier attempt can have sent it either
	case stopped[code]:
		return fmt.Errorf("sesmail: %w: %w: %s", mail.ErrThrottled, mail.ErrSender, code)
	case failure == account.Throttled, notConnected(err) == aws.TrueTernary:
		return fmt.Errorf("sesmail: %w: %s%s", mail.ErrThrottled, code, causeOf(err))
	case failure == account.Unavailable:
		return fmt.Errorf("sesmail: %w: %s%s", mail.ErrUnavailable, code, causeOf(err))
	case refusals[code]:
		return fmt.Errorf("sesmail: %w: %s", mail.ErrRefused, code)
	}
	// a right or the configuration set is missing
	return fmt.Errorf("sesmail: %w: SES answered %s", mail.ErrSender, code)
}

// causeOf returns what happened to the connection, if known. It holds hosts and ports only.
func causeOf(err error) string {
	var operation *net.OpError
	if !errors.As(err, &operation) {
		return ""
	}
	return ": " + operation.Error()
}
