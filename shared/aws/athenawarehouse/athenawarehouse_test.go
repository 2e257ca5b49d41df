package athenawarehouse_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/aws/account"
	"earshot/shared/aws/athenawarehouse"
	"earshot/shared/port/warehouse"
)

// An answer is what the service says to one operation.
type answer struct {
	status int
	body   any
}

func refusal(status int, code string) answer {
	return answer{status, map[string]string{"__type": code, "message": "about hunter2"}}
}

// A service gives its answers to an operation in order, the last one again and again, and keeps what it was asked.
type service struct {
	answers map[string][]answer
	mutex   sync.Mutex
	asked   []string
	sent    map[string]map[string]any // the last request of each operation
	hook    func(operation string)
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	operation := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "AmazonAthena.")
	var body map[string]any
	_ = json.NewDecoder(r.Body).Decode(&body)
	s.asked = append(s.asked, operation)
	if s.sent == nil {
		s.sent = map[string]map[string]any{}
	}
	s.sent[operation] = body
	if s.hook != nil {
		s.hook(operation)
	}
	given := answer{200, map[string]any{}}
	if all := s.answers[operation]; len(all) > 0 {
		given = all[0]
		if len(all) > 1 {
			s.answers[operation] = all[1:]
		}
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	w.WriteHeader(given.status)
	_ = json.NewEncoder(w).Encode(given.body)
}

// against makes an adapter for the service. It keeps the pauses and waits for none.
func against(t *testing.T, s *service) (*athenawarehouse.Athena, *[]time.Duration) {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	asker, err := account.From(func(string) string { return "" }, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	var pauses []time.Duration
	return athenawarehouse.New(athenawarehouse.NewClient(asker), "earshot-dev", "earshot_dev",
		func(ctx context.Context, d time.Duration) error {
			pauses = append(pauses, d)
			return ctx.Err()
		}), &pauses
}

var (
	started = answer{200, map[string]string{"QueryExecutionId": "q-1"}}
	running = state(map[string]any{"State": "RUNNING"})
	done    = answer{200, map[string]any{"QueryExecution": map[string]any{
		"Status": map[string]any{"State": "SUCCEEDED"},
		"Statistics": map[string]any{"DataScannedInBytes": 1234,
			"ResultReuseInformation": map[string]any{"ReusedPreviousResult": true}},
	}}}
)

func state(status map[string]any) answer {
	return answer{200, map[string]any{"QueryExecution": map[string]any{"Status": status}}}
}

// missing stands for a value that is missing.
const missing = "\x00missing"

// page returns a page of results.
func page(next string, rows ...[]string) answer {
	var written []any
	for _, row := range rows {
		data := []any{}
		for _, text := range row {
			datum := map[string]string{"VarCharValue": text}
			if text == missing {
				datum = map[string]string{}
			}
			data = append(data, datum)
		}
		written = append(written, map[string]any{"Data": data})
	}
	body := map[string]any{"ResultSet": map[string]any{"Rows": written}}
	if next != "" {
		body["NextToken"] = next
	}
	return answer{200, body}
}

var statement = warehouse.Statement{
	SQL:        "SELECT source FROM mentions WHERE source = ? AND id > ? AND engaged = ?",
	Parameters: []any{"it's '; DROP TABLE x --\n\\", int64(-7), true},
}

func TestQuery_Results(t *testing.T) {
	s := &service{answers: map[string][]answer{
		"StartQueryExecution": {started},
		"GetQueryExecution":   {running, running, done},
		"GetQueryResults": {
			page("more", []string{"source", "mentions"}, []string{"source", "1"}),
			page("", []string{missing, "2"}),
		},
	}}
	a, pauses := against(t, s)
	result, err := a.Query(t.Context(), statement)
	if err != nil {
		t.Fatal(err)
	}
	var got [][]string
	for _, row := range result.Rows {
		var texts []string
		for _, value := range row {
			if value == nil {
				texts = append(texts, "NULL")
			} else {
				texts = append(texts, *value)
			}
		}
		got = append(got, texts)
	}
	if want := [][]string{{"source", "1"}, {"NULL", "2"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("Query = %v, want %v", got, want)
	}
	if result.Scanned != 1234 || !result.Reused {
		t.Errorf("Query = %d bytes, reused %v, want 1234, reused", result.Scanned, result.Reused)
	}
	if want := []time.Duration{100 * time.Millisecond, 150 * time.Millisecond}; !slices.Equal(*pauses, want) {
		t.Errorf("pauses = %v, want %v", *pauses, want)
	}
	sent := s.sent["StartQueryExecution"]
	if want := []any{"'it''s ''; DROP TABLE x --\n\\'", "-7", "true"}; !reflect.DeepEqual(sent["ExecutionParameters"], want) {
		t.Errorf("ExecutionParameters = %q, want %q", sent["ExecutionParameters"], want)
	}
	if sent["QueryString"] != statement.SQL || sent["WorkGroup"] != "earshot-dev" ||
		fmt.Sprint(sent["QueryExecutionContext"]) != "map[Catalog:AwsDataCatalog Database:earshot_dev]" ||
		fmt.Sprint(sent["ResultReuseConfiguration"]) != "map[ResultReuseByAgeConfiguration:map[Enabled:true MaxAgeInMinutes:10080]]" {
		t.Errorf("sent %v", sent)
	}
	if s.sent["GetQueryResults"]["NextToken"] != "more" {
		t.Errorf("the second page was asked for with %v", s.sent["GetQueryResults"])
	}
}

func TestQuery_Errors(t *testing.T) {
	errOther := errors.New("none of the port's")
	failedWith := func(state_, reason string, cause map[string]any) answer {
		status := map[string]any{"State": state_, "StateChangeReason": reason}
		if cause != nil {
			status["AthenaError"] = cause
		}
		return state(status)
	}
	for _, c := range []struct {
		name                    string
		start, look, read       answer
		want                    error
		starts, stops, attempts int
	}{
		{"over the cut-off", started, failedWith("CANCELLED", "Query cancelled! : Bytes scanned limit was exceeded", nil),
			answer{}, warehouse.ErrTooMuch, 1, 0, 0},
		{"too large for the engine", started, failedWith("FAILED", "Query exhausted resources at this scale factor", nil),
			answer{}, warehouse.ErrTooMuch, 1, 0, 0},
		{"failed, may be repeated", started,
			failedWith("FAILED", "hunter2", map[string]any{"ErrorCategory": 1, "ErrorType": 233, "Retryable": true}), answer{},
			warehouse.ErrUnavailable, 1, 0, 0},
		{"failed", started, failedWith("FAILED", "line 1:8: hunter2", map[string]any{"ErrorCategory": 2, "ErrorType": 1006}),
			answer{}, errOther, 1, 0, 0},
		{"never ends", started, running, answer{}, warehouse.ErrTooMuch, 1, 1, 0},
		{"too many at once", refusal(400, "TooManyRequestsException"), answer{}, answer{}, warehouse.ErrThrottled, 3, 0, 0},
		{"no such workgroup", refusal(400, "InvalidRequestException"), answer{}, answer{}, errOther, 1, 0, 0},
		{"broken", refusal(500, "InternalServerException"), answer{}, answer{}, warehouse.ErrUnavailable, 3, 0, 0},
		{"no longer found", started, refusal(400, "InvalidRequestException"), answer{}, errOther, 1, 1, 0},
		{"not to be read", started, done, refusal(400, "AccessDeniedException"), errOther, 1, 0, 1},
		{"without an id", answer{200, map[string]any{}}, answer{}, answer{}, warehouse.ErrUnavailable, 1, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &service{answers: map[string][]answer{
				"StartQueryExecution": {c.start}, "GetQueryExecution": {c.look}, "GetQueryResults": {c.read},
			}}
			a, _ := against(t, s)
			_, err := a.Query(t.Context(), statement)
			if err == nil || c.want != errOther && !errors.Is(err, c.want) {
				t.Fatalf("Query = %v, want %v", err, c.want)
			}
			for _, kind := range []error{warehouse.ErrInvalid, warehouse.ErrTooMuch, warehouse.ErrThrottled, warehouse.ErrUnavailable} {
				if kind != c.want && errors.Is(err, kind) {
					t.Errorf("Query = %v, which is %v too", err, kind)
				}
			}
			if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "DROP") {
				t.Errorf("Query = %v, which tells the statement", err)
			}
			count := map[string]int{}
			for _, operation := range s.asked {
				count[operation]++
			}
			if count["StartQueryExecution"] != c.starts || count["StopQueryExecution"] != c.stops ||
				count["GetQueryResults"] != c.attempts {
				t.Errorf("asked %v, want %d starts, %d stops, %d reads", count, c.starts, c.stops, c.attempts)
			}
		})
	}
}

// A statement of a caller who goes is stopped.
func TestQuery_CallerGone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := &service{answers: map[string][]answer{"StartQueryExecution": {started}, "GetQueryExecution": {running}}}
	looks := 0
	s.hook = func(operation string) {
		if operation == "GetQueryExecution" {
			if looks++; looks == 2 {
				cancel()
			}
		}
	}
	a, _ := against(t, s)
	if _, err := a.Query(ctx, statement); !errors.Is(err, context.Canceled) {
		t.Errorf("Query = %v, want context.Canceled", err)
	}
	if last := s.asked[len(s.asked)-1]; last != "StopQueryExecution" || s.sent[last]["QueryExecutionId"] != "q-1" {
		t.Errorf("asked %v, want a stop of q-1 at the end", s.asked)
	}
	asked := len(s.asked)
	if _, err := a.Query(ctx, statement); !errors.Is(err, context.Canceled) || len(s.asked) != asked {
		t.Errorf("Query after the caller went = %v and asked %v, want context.Canceled and nothing", err, s.asked[asked:])
	}
}

func TestQuery_Invalid(t *testing.T) {
	s := &service{}
	a, _ := against(t, s)
	if _, err := a.Query(t.Context(), warehouse.Statement{SQL: "SELECT ?"}); !errors.Is(err, warehouse.ErrInvalid) ||
		len(s.asked) > 0 {
		t.Errorf("Query = %v and asked %v, want ErrInvalid and nothing", err, s.asked)
	}
}

func TestFromEnvironment(t *testing.T) {
	full := map[string]string{"WAREHOUSE_ENDPOINT": "http://127.0.0.1:1", "ATHENA_WORKGROUP": "w", "ATHENA_DATABASE": "d"}
	if _, err := athenawarehouse.FromEnvironment(func(name string) string { return full[name] }); err != nil {
		t.Errorf("FromEnvironment = %v", err)
	}
	for missing := range full {
		env := func(name string) string {
			if name == missing {
				return ""
			}
			return full[name]
		}
		if _, err := athenawarehouse.FromEnvironment(env); err == nil {
			t.Errorf("FromEnvironment without %s = no error", missing)
		}
	}
}
