package account_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"earshot/shared/aws/account"
)

func TestFrom(t *testing.T) {
	full := map[string]string{
		"AWS_REGION": "eu-north-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret",
		"AWS_SESSION_TOKEN": "token",
	}
	without := func(names ...string) func(string) string {
		env := map[string]string{}
		for name, value := range full {
			env[name] = value
		}
		for _, name := range names {
			delete(env, name)
		}
		return func(name string) string { return env[name] }
	}
	named := account.Account{Region: "eu-north-1", AccessKeyID: "id", SecretAccessKey: "secret", SessionToken: "token"}
	local := account.Account{
		Region:          "us-east-1",
		AccessKeyID:     "local",
		SecretAccessKey: "local",
		Endpoint:        "http://127.0.0.1:1",
	}
	elsewhere := named
	elsewhere.Endpoint = local.Endpoint
	for name, c := range map[string]struct {
		env      func(string) string
		endpoint string
		want     account.Account
		fails    bool
	}{
		"AWS":       {without(), "", named, false},
		"no region": {without("AWS_REGION"), "", account.Account{}, true},
		"no key":    {without("AWS_ACCESS_KEY_ID"), "", account.Account{}, true},
		"no secret": {without("AWS_SECRET_ACCESS_KEY"), "", account.Account{}, true},
		"another server": {without("AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"),
			local.Endpoint, local, false},
		"with its own name": {without(), local.Endpoint, elsewhere, false},
	} {
		got, err := account.From(c.env, c.endpoint)
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if base := got.BaseEndpoint(); (base == nil) != (got.Endpoint == "") {
			t.Errorf("%s: base endpoint %v", name, base)
		}
	}
}

func TestFailureOf(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	answered := func(status int, code string) error {
		return &smithy.OperationError{Err: &smithyhttp.ResponseError{
			Response: &smithyhttp.Response{Response: &http.Response{StatusCode: status}},
			Err:      &smithy.GenericAPIError{Code: code},
		}}
	}
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want account.Failure
	}{
		{t.Context(), answered(400, "ThrottlingException"), account.Throttled},
		{t.Context(), answered(503, "SlowDown"), account.Throttled},
		{t.Context(), answered(403, "OverLimit"), account.Throttled},
		{t.Context(), answered(429, "Whatever"), account.Throttled},
		{t.Context(), answered(400, "InternalError"), account.Unavailable},
		{t.Context(), answered(400, "RequestTimeout"), account.Unavailable},
		{t.Context(), answered(502, "Whatever"), account.Unavailable},
		{t.Context(), answered(403, "AccessDenied"), account.Refused},
		{ended, answered(403, "AccessDenied"), account.Refused},
		{t.Context(), errors.New("connection refused"), account.Unavailable},
		{t.Context(), context.DeadlineExceeded, account.Unavailable}, // of the HTTP client
		{ended, fmt.Errorf("wrapped: %w", context.Canceled), account.Ended},
	} {
		if got := account.FailureOf(c.ctx, c.err); got != c.want {
			t.Errorf("%v: %d, want %d", c.err, got, c.want)
		}
	}
}
