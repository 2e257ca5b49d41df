// Package account gives every AWS adapter what it needs to reach its service: region, credentials, HTTP client, and the
// meaning of the SDK's failures. It replaces aws-sdk-go-v2/config, which starts slowly and links SSO and STS.
//
// AWS adapters and mains import it.
package account

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
)

// An Account says where a service is and who calls it.
type Account struct {
	Region          string
	Endpoint        string // empty: AWS's own of the region
	AccessKeyID     string
	SecretAccessKey string
	SessionToken    string
}

// From reads the environment variables that Lambda sets. env is os.Getenv or a stand-in. An endpoint other than AWS's
// needs no account: missing values are made up.
func From(env func(string) string, endpoint string) (Account, error) {
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
		return Account{}, errors.New("account: AWS_REGION, AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is not set")
	}
	return account, nil
}

// Credentials returns the caller's credentials, for a client's options. A Lambda's last as long as its process.
func (a Account) Credentials() aws.CredentialsProvider {
	return credentials.NewStaticCredentialsProvider(a.AccessKeyID, a.SecretAccessKey, a.SessionToken)
}

// BaseEndpoint returns the endpoint, for a client's options; nil for AWS's own.
func (a Account) BaseEndpoint() *string {
	if a.Endpoint == "" {
		return nil
	}
	return &a.Endpoint
}
