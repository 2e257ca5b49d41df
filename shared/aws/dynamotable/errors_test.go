package dynamotable_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"earshot/shared/aws/dynamotable"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
)

// A stub answers every request the same way, for what no peer does on demand.
type stub struct {
	status   int
	answer   string
	requests atomic.Int64
	body     atomic.Value
	header   atomic.Value // http.Header of the last request
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	body, _ := io.ReadAll(r.Body)
	s.body.Store(string(body))
	s.header.Store(r.Header)
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(s.status)
	_, _ = io.WriteString(w, s.answer)
}

func against(t *testing.T, s *stub) table.Table {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return connected(t, server.URL)
}

func connected(t *testing.T, endpoint string) table.Table {
	t.Helper()
	account, err := dynamotable.AccountFrom(func(string) string { return "" }, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := dynamotable.New(dynamotable.NewClient(account), map[string]string{"t": "T"},
		[]table.Schema{{Name: "t"}}, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

var (
	aKey = table.Key{Partition: "a", Sort: "b"}
	aPut = table.Put{Table: "t", Item: table.Item{"pk": "a", "sk": "b"}}
)

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		code, message string
		status        int
		want          error
		retryable     bool
	}{
		{"ProvisionedThroughputExceededException", "", 400, table.ErrThrottled, true},
		{"ThrottlingException", "", 400, table.ErrThrottled, true},
		{"RequestLimitExceeded", "", 400, table.ErrThrottled, true},
		{"TransactionConflictException", "", 400, table.ErrThrottled, true},
		{"TransactionInProgressException", "", 400, table.ErrThrottled, true},
		{"InternalServerError", "", 500, table.ErrUnavailable, true},
		{"ServiceUnavailable", "", 503, table.ErrUnavailable, true},
		{"Whatever", "", 502, table.ErrUnavailable, true},
		{"Whatever", "", 429, table.ErrThrottled, true},
		{"ValidationException", "Item size has exceeded the maximum allowed size", 400, table.ErrTooLarge, false},
		{"ValidationException", "Item size to update has exceeded the maximum allowed size", 400, table.ErrTooLarge, false},
		{"ValidationException", "One or more parameter values were invalid", 400, table.ErrInvalid, false},
		{"IdempotentParameterMismatchException", "", 400, table.ErrInvalid, false},
		{"ResourceNotFoundException", "", 400, nil, false},
		{"AccessDeniedException", "", 400, nil, false},
		{"ExpiredTokenException", "", 400, nil, false},
	} {
		t.Run(fmt.Sprint(c.code, c.status), func(t *testing.T) {
			s := &stub{status: c.status, answer: fmt.Sprintf(`{"__type":"x#%s","message":%q}`, c.code, c.message)}
			ctx, meter := table.WithMeter(t.Context())
			err := against(t, s).Put(ctx, aPut)
			if err == nil || (c.want != nil && !errors.Is(err, c.want)) || table.Retryable(err) != c.retryable {
				t.Fatal(err)
			}
			if c.want == nil {
				for _, kind := range []error{table.ErrThrottled, table.ErrUnavailable, table.ErrInvalid, table.ErrTooLarge} {
					if errors.Is(err, kind) {
						t.Fatal(err)
					}
				}
			}
			if c.status == 400 && !strings.Contains(err.Error(), c.code) {
				t.Fatal("the logs do not learn the cause:", err)
			}
			if s.requests.Load() != 1 || meter.Total() != (table.Usage{Writes: 1}) {
				t.Fatalf("%d requests, %+v", s.requests.Load(), meter.Total())
			}
		})
	}
}

func TestErrors_NoResponse(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	opened := connected(t, server.URL)
	if err := opened.Put(t.Context(), aPut); !errors.Is(err, table.ErrUnavailable) {
		t.Fatal(err)
	}
	if err := opened.Put(t.Context(), aPut); errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		t.Fatal("the caller's context is well:", err)
	}
	garbled := &stub{status: 200, answer: `{"Item": {"pk": {"S"`}
	if _, err := against(t, garbled).Get(t.Context(), table.Get{Table: "t", Key: aKey}); !errors.Is(err, table.ErrUnavailable) {
		t.Fatal(err)
	}
}

func TestTransact_CanceledReasons(t *testing.T) {
	cancel := func(reasons string) error {
		s := &stub{status: 400, answer: `{"__type":"x#TransactionCanceledException","CancellationReasons":[` + reasons + `]}`}
		return against(t, s).Transact(t.Context(), table.Transaction{Writes: []table.Write{aPut}})
	}
	for _, c := range []struct {
		reasons   string
		want      []table.ReasonCode
		retryable bool
	}{
		{`{"Code":"None"},{"Code":"TransactionConflict"}`, []table.ReasonCode{table.ReasonNone, table.ReasonConflict}, true},
		{`{"Code":"ThrottlingError"},{"Code":"ProvisionedThroughputExceeded"}`,
			[]table.ReasonCode{table.ReasonThrottled, table.ReasonThrottled}, true},
		{`{"Code":"ConditionalCheckFailed","Item":{"pk":{"S":"a"}}},{"Code":"TransactionConflict"}`,
			[]table.ReasonCode{table.ReasonCondition, table.ReasonConflict}, false},
		{`{"Code":"ValidationError","Message":"Item size has exceeded the maximum allowed size"}`,
			[]table.ReasonCode{table.ReasonTooLarge}, false},
	} {
		var canceled *table.Canceled
		err := cancel(c.reasons)
		if !errors.As(err, &canceled) || len(canceled.Reasons) != len(c.want) || table.Retryable(err) != c.retryable {
			t.Fatal(err)
		}
		for i, reason := range canceled.Reasons {
			if reason.Code != c.want[i] || (reason.Item != nil) != (reason.Code == table.ReasonCondition) {
				t.Fatalf("reason %d = %+v, want %v", i, reason, c.want[i])
			}
		}
	}
	if err := cancel(`{"Code":"ValidationError","Message":"operand type"}`); !errors.Is(err, table.ErrInvalid) {
		t.Fatal(err)
	}
	if err := cancel(`{"Code":"AccessDenied"}`); err == nil || table.Retryable(err) {
		t.Fatal(err)
	}
}

func TestUnprocessedKeys(t *testing.T) {
	s := &stub{status: 200, answer: `{"Responses":{"T":[{"pk":{"S":"p"},"sk":{"S":"1"}}]},"UnprocessedKeys":{"T":{"Keys":[
		{"pk":{"S":"p"},"sk":{"S":"2"}},{"pk":{"S":"p"},"sk":{"S":"0"}}]}},
		"ConsumedCapacity":[{"TableName":"T","CapacityUnits":0.5}]}`}
	var gets []table.Get
	for i := range 4 {
		gets = append(gets, table.Get{Table: "t", Key: table.Key{Partition: "p", Sort: fmt.Sprint(i)}})
	}
	ctx, meter := table.WithMeter(t.Context())
	batch, err := against(t, s).BatchGet(ctx, gets)
	if err != nil || !reflect.DeepEqual(batch.Unprocessed, []int{2, 0}) ||
		!reflect.DeepEqual(batch.Items, []table.Item{nil, {"pk": "p", "sk": "1"}, nil, nil}) {
		t.Fatalf("BatchGet() = %+v, %v, want one item, and 2 and 0 unprocessed", batch, err)
	}
	if meter.Total() != (table.Usage{Reads: 1, ReadUnits: 0.5}) {
		t.Fatalf("Total() = %+v, want one read of 0.5 units", meter.Total())
	}
}

// Nothing is retried below table.Retrying, and a token goes along as it is.
func TestClient_NoRetryBelowRetrying(t *testing.T) {
	s := &stub{status: 500, answer: `{"__type":"x#InternalServerError"}`}
	tx := table.Transaction{Writes: []table.Write{aPut}}.Once()
	if err := table.Retrying(against(t, s)).Transact(t.Context(), tx); !errors.Is(err, table.ErrUnavailable) {
		t.Fatal(err)
	}
	token := fmt.Sprintf(`"ClientRequestToken":%q`, tx.Token())
	if s.requests.Load() != 4 || !strings.Contains(s.body.Load().(string), token) {
		t.Fatalf("%d requests, the last with %v, want 4 with the token %s", s.requests.Load(), s.body.Load(), token)
	}
	for _, name := range []string{"Amz-Sdk-Request", "Amz-Sdk-Invocation-Id"} {
		if got := s.header.Load().(http.Header).Get(name); got != "" {
			t.Errorf("the header %s of the SDK's retries = %q, want none", name, got)
		}
	}
}

func TestAccount(t *testing.T) {
	env := map[string]string{"AWS_REGION": "eu-north-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret",
		"AWS_SESSION_TOKEN": "token"}
	get := func(name string) string { return env[name] }
	account, err := dynamotable.AccountFrom(get, "")
	if want := (dynamotable.Account{Region: "eu-north-1", AccessKeyID: "id", SecretAccessKey: "secret",
		SessionToken: "token"}); err != nil || account != want {
		t.Fatalf("AccountFrom() = %+v, %v, want %+v", account, err, want)
	}
	delete(env, "AWS_SECRET_ACCESS_KEY")
	if _, err := dynamotable.AccountFrom(get, ""); err == nil {
		t.Fatal("no secret, no error")
	}
	if _, err := dynamotable.New(dynamotable.NewClient(account), nil, []table.Schema{{Name: "t"}}, clock.System{}); err == nil {
		t.Fatal("no physical name, no error")
	}
}
