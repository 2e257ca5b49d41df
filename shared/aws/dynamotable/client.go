package dynamotable

import (
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// An Account says where DynamoDB is and who asks.
type Account struct {
	Region          string
	Endpoint        string // empty: AWS's own of the region
	AccessKeyID     string
	SecretAccessKey string
	SessionToken    string
}

// AccountFrom reads the environment variables that Lambda sets; env is os.Getenv or the like. An endpoint other than AWS's
// needs no account: what is missing is made up.
func AccountFrom(env func(string) string, endpoint string) (Account, error) {
	account := Account{
		Region:          env("AWS_REGION"),
		Endpoint:        endpoint,
		AccessKeyID:     env("AWS_ACCESS_KEY_ID"),
		SecretAccessKey: env("AWS_SECRET_ACCESS_KEY"),
		SessionToken:    env("AWS_SESSION_TOKEN"),
	}
	if endpoint != "" {
		if account.Region == "" {
			account.Region = "us-east-1"
		}
		if account.AccessKeyID == "" {
			account.AccessKeyID, account.SecretAccessKey = "local", "local"
		}
	}
	if account.Region == "" || account.AccessKeyID == "" || account.SecretAccessKey == "" {
		return Account{}, errors.New("dynamotable: AWS_REGION, AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is not set")
	}
	return account, nil
}

// Timeouts of one attempt. DynamoDB answers within milliseconds; what takes longer is better asked again.
const (
	connectTimeout  = time.Second
	responseTimeout = 3 * time.Second // to the first byte
	attemptTimeout  = 8 * time.Second // to the last: a page is a megabyte
)

// NewClient makes a client without aws-sdk-go-v2/config, which is slow to start and links SSO and STS. It does not retry:
// table.Retrying does. Nothing is asked of the network before the first operation.
func NewClient(account Account) *dynamodb.Client {
	dialer := &net.Dialer{Timeout: connectTimeout, KeepAlive: 30 * time.Second}
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true) // DynamoDB speaks nothing newer
	options := dynamodb.Options{
		Region: account.Region,
		Credentials: credentials.NewStaticCredentialsProvider(
			account.AccessKeyID, account.SecretAccessKey, account.SessionToken),
		Retryer:               aws.NopRetryer{},
		AccountIDEndpointMode: aws.AccountIDEndpointModeDisabled,
		EndpointDiscovery:     dynamodb.EndpointDiscoveryOptions{EnableEndpointDiscovery: aws.EndpointDiscoveryDisabled},
		HTTPClient: &plainBodies{http.Client{
			Timeout: attemptTimeout,
			Transport: &http.Transport{
				Proxy:                 http.ProxyFromEnvironment,
				DialContext:           dialer.DialContext,
				TLSHandshakeTimeout:   connectTimeout,
				ResponseHeaderTimeout: responseTimeout,
				MaxIdleConns:          64,
				MaxIdleConnsPerHost:   64, // Go's 2 would close and reopen connections under any concurrency
				IdleConnTimeout:       90 * time.Second,
				Protocols:             protocols,
			},
		}},
	}
	if account.Endpoint != "" {
		options.BaseEndpoint = aws.String(account.Endpoint)
	}
	return dynamodb.New(options)
}

// plainBodies hides all but Read and Close of request bodies. smithy-go 1.28.7 closes a body as soon as the answer begins,
// and its WriteTo then says io.EOF where none is due; net/http takes that for a failed write and cuts the connection,
// with the answer half read. It happens when the answer is quicker than the goroutine that wrote the request: with a
// server on the same machine, or on a starved processor. Reading a closed body is well.
type plainBodies struct{ http.Client }

// Do sends a request.
func (c *plainBodies) Do(request *http.Request) (*http.Response, error) {
	if request.Body != nil {
		request.Body = struct{ io.ReadCloser }{request.Body}
	}
	return c.Client.Do(request)
}
