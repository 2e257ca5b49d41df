package runtimeapi_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// emptyAWS is an AWS in which nothing is: whatever is asked of a service that speaks JSON, the answer is an empty
// object, which is what DynamoDB says of rows and Parameter Store of parameters that are not there. It remembers what
// was asked. Its place in the account's region is this machine alone.
type emptyAWS struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string // operations as X-Amz-Target names them, without their service's version
}

func newEmptyAWS(tb testing.TB) *emptyAWS {
	aws := &emptyAWS{}
	aws.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		service, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		service, _, _ = strings.Cut(service, "_")
		aws.mu.Lock()
		aws.asked = append(aws.asked, service+"."+operation)
		aws.mu.Unlock()
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
		io.WriteString(w, "{}")
	}))
	tb.Cleanup(aws.Close)
	return aws
}

// operations lists what was asked until now, each once, and forgets it.
func (aws *emptyAWS) operations() []string {
	aws.mu.Lock()
	defer aws.mu.Unlock()
	slices.Sort(aws.asked)
	asked := slices.Compact(aws.asked)
	aws.asked = nil
	return asked
}

// variables are what a deployment tells any function about where things are, and the endpoints in place of AWS's own.
func (aws *emptyAWS) variables() []string {
	variables := []string{"QUEUE_POSTS=" + aws.URL + "/posts", "QUEUE_EXPORTS=" + aws.URL + "/exports",
		"QUEUE_INVITATIONS=" + aws.URL + "/invitations", "BLOB_BUCKET=files", "ARCHIVE_BUCKET=shards",
		"USER_POOL_ID=us-east-1_EXAMPLE01", "SECRET_PATH=/earshot/dev/sources",
		"SLACK_APP_PATH=/earshot/dev/apps", "STAGE=dev", "GOMAXPROCS=1"}
	for _, table := range []string{"CORE", "MENTIONS", "ARCHIVE", "COUNTERS"} {
		variables = append(variables, "TABLE_"+table+"=earshot-"+strings.ToLower(table))
	}
	for _, service := range []string{"TABLE", "QUEUE", "BLOB", "SECRET", "IDENTITY"} {
		variables = append(variables, service+"_ENDPOINT="+aws.URL)
	}
	return variables
}
