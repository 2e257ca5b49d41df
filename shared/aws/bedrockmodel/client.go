package bedrockmodel

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"

	"earshot/shared/aws/account"
)

// timeouts of one attempt. Converse answers when the model has finished; the caller's context bounds it further.
var timeouts = account.Timeouts{Connect: time.Second, Response: 60 * time.Second, Attempt: 60 * time.Second}

// conversing are those of a turn of a conversation: a long one takes minutes.
var conversing = account.Timeouts{Connect: time.Second, Response: 4 * time.Minute, Attempt: 4 * time.Minute}

// newClient makes a client that does not retry: tokens are paid for by request, and the caller has a fall-back. Nothing is asked
// of the network before the first request.
func newClient(a account.Account) *bedrockruntime.Client {
	return bedrockruntime.New(bedrockruntime.Options{
		Region:               a.Region,
		BaseEndpoint:         a.BaseEndpoint(),
		Credentials:          a.Credentials(),
		AuthSchemePreference: []string{"sigv4"}, // not a bearer token of the environment: the function's role asks
		Retryer:              aws.NopRetryer{},
		HTTPClient:           account.NewHTTPClient(timeouts),
	})
}
