package cognitoidentity_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	cognito "github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"

	"earshot/shared/aws/cognitoidentity"
	"earshot/shared/port/identity"
)

// An empty pool finds nobody and adds everybody. It counts the requests by operation.
type empty map[string]int

func (e empty) Do(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	e[operation]++
	status, body := http.StatusOK, `{"Users":[]}`
	if operation == "AdminGetUser" {
		status, body = http.StatusBadRequest, `{"__type":"UserNotFoundException","message":"no"}`
	}
	return &http.Response{
		StatusCode: status,
		Header:     http.Header{"Content-Type": {"application/x-amz-json-1.1"}},
		Body:       io.NopCloser(strings.NewReader(body)),
	}, nil
}

// A process looks up a burst and then 25 accounts a second, and changes 20. Nothing is asked without a turn before the
// context's end.
func TestDirectory_Pace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := empty{}
		client := cognito.New(cognito.Options{
			Region:      "us-east-1",
			HTTPClient:  asked,
			Credentials: aws.AnonymousCredentials{},
		})
		d := cognitoidentity.New(client, "us-east-1_wanderlust")
		began := time.Now()
		took := func() (took time.Duration) {
			took, began = time.Since(began).Round(10*time.Millisecond), time.Now()
			return took
		}
		for range 8 + 50 {
			if _, err := d.Account(t.Context(), "quietharbor@northwind.example"); !errors.Is(err, identity.ErrNoAccount) {
				t.Fatal(err)
			}
		}
		if got := took(); got != 2*time.Second {
			t.Errorf("58 lookups took %v, want 2s", got)
		}
		for n := range 8 + 20 {
			if err := []func(context.Context, string, string) error{d.Join, d.Leave}[n%2](t.Context(), "g", "a"); err != nil {
				t.Fatal(err)
			}
		}
		if got := took(); got != time.Second {
			t.Errorf("28 changes took %v, want 1s", got)
		}
		before := asked["AdminAddUserToGroup"]
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		err := d.Join(ctx, "g", "a")
		if !errors.Is(err, context.DeadlineExceeded) || asked["AdminAddUserToGroup"] != before {
			t.Errorf("Join with 10 ms left = %v and %d requests, want a deadline and none", err,
				asked["AdminAddUserToGroup"]-before)
		}
	})
}
