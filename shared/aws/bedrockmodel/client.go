package bedrockmodel

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"

	"earshot/shared/aws/account"
)

// timeouts of one attempt. Converse responds when the model has finished. The caller's context bounds it further.
var timeouts = account.Timeouts{
	Connect: time.Second, Response: 60 * time.Second, Attempt: 60 * time.Second, Idle: account.Unrepeated,
}

// conversing are the timeouts of a conversation's turn. A long one takes minutes.
var conversing = account.Timeouts{
	Connect: time.Second, Response: 4 * time.Minute, Attempt: 4 * time.Minute, Idle: account.Unrepeated,
}

// newClient makes a client that does not retry: each request's tokens cost money, and the caller has a fallback. It
// sends nothing before the first request.
func newClient(a account.Account) *bedrockruntime.Client {
	return bedrockruntime.New(bedrockruntime.Options{
		Region:       a.Region,
		BaseEndpoint: a.BaseEndpoint(),
		Credentials:  a.Credentials(),
		// sign by the function's role, never by a bearer token of the environment
		AuthSchemePreference: []string{"sigv4"},
		Retryer:              aws.NopRetryer{},
		HTTPClient:           account.NewHTTPClient(timeouts),
	})
}
