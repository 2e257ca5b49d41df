package dynamotable_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"earshot/shared/aws/dynamotable"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
)

// A repeated transaction is the very same request, whatever the time and in whatever order maps are walked: DynamoDB
// refuses a token that comes with another one.
func TestTransact_RepeatIsTheSameRequest(t *testing.T) {
	now := &clock.Adjustable{}
	now.Freeze(time.Unix(1_900_000_000, 0))
	var mu sync.Mutex
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		bodies = append(bodies, string(body))
		now.Freeze(now.Now().Add(1100 * time.Millisecond))
		w.WriteHeader(http.StatusInternalServerError)
	}))
	t.Cleanup(server.Close)
	account, err := dynamotable.AccountFrom(func(string) string { return "" }, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	names, schemas := map[string]string{"t": "T"}, []table.Schema{{Name: "t"}}
	opened, err := dynamotable.New(dynamotable.NewClient(account), names, schemas, now)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		wide    bool
		absence table.Condition
	}{
		"the clock moves":              {false, table.Absent()},
		"a map of many names":          {true, table.Present()},
		"both, and the time is nested": {true, table.All(table.Missing("x"), table.Any(table.Absent(), table.Has("y")))},
	} {
		t.Run(name, func(t *testing.T) {
			bodies = nil
			item := table.Item{"pk": "a", "sk": "b"}
			for i := range 30 {
				if c.wide {
					item[fmt.Sprint("name", i)] = int64(i)
				}
			}
			tx := table.Transaction{Writes: []table.Write{table.Put{Table: "t", Item: item, If: c.absence}}}
			if err := table.Retrying(opened).Transact(t.Context(), tx); !table.Retryable(err) {
				t.Fatal(err)
			}
			if len(bodies) != 4 {
				t.Fatalf("%d attempts, want 4", len(bodies))
			}
			for i, body := range bodies {
				if body == "" || body != bodies[0] {
					t.Errorf("attempt %d sends\n%s\nand the first sent\n%s", i, body, bodies[0])
				}
			}
		})
	}
}

// A swallower stands between a client and a server. It hands every request on, and drops the first response to each of
// some operations after a while.
type swallower struct {
	server http.Handler
	after  func()

	mu      sync.Mutex
	of      map[string]bool // targets whose next response is dropped
	dropped int
}

func (s *swallower) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	target := r.Header.Get("X-Amz-Target")
	drop := s.of[target]
	delete(s.of, target)
	if drop {
		s.dropped++
	}
	s.mu.Unlock()
	if !drop {
		s.server.ServeHTTP(w, r)
		return
	}
	s.server.ServeHTTP(httptest.NewRecorder(), r)
	s.after()
	panic(http.ErrAbortHandler) // the connection breaks without a byte
}

// Against a server that keeps tokens: a transaction whose first response is lost succeeds and happens once. The delay
// is the store's clock's, and in a second run a real one; four seconds is longer than the client waits.
func TestTransact_ResponseLost(t *testing.T) {
	client := peer(t)
	target, err := url.Parse(os.Getenv("TABLE_ENDPOINT"))
	if err != nil {
		t.Fatal(err)
	}
	schemas := []table.Schema{{Name: "t"}}
	names := create(t, client, schemas)
	for i, delay := range []time.Duration{1100 * time.Millisecond, 4 * time.Second} {
		for _, real := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, real %t", delay, real), func(t *testing.T) {
				t.Parallel()
				now := &clock.Adjustable{}
				between := &swallower{server: httputil.NewSingleHostReverseProxy(target),
					of: map[string]bool{"DynamoDB_20120810.TransactWriteItems": true}, after: func() { now.Set(now.Now().Add(delay)) }}
				if real {
					between.after = func() { time.Sleep(delay) }
				}
				server := httptest.NewServer(between)
				defer server.Close()
				account, err := dynamotable.AccountFrom(os.Getenv, server.URL)
				if err != nil {
					t.Fatal(err)
				}
				opened, err := dynamotable.New(dynamotable.NewClient(account), names, schemas, now)
				if err != nil {
					t.Fatal(err)
				}
				happensOnce(t, table.Retrying(opened), fmt.Sprint(i, real))
				if between.dropped != 1 {
					t.Errorf("%d responses were lost, want 1", between.dropped)
				}
			})
		}
	}
}

// happensOnce writes as a function that creates something does: a row that must not be there, and a count.
func happensOnce(t *testing.T, on table.Table, partition string) {
	t.Helper()
	row, count := table.Key{Partition: partition, Sort: "row"}, table.Key{Partition: partition, Sort: "count"}
	item := table.Item{"pk": row.Partition, "sk": row.Sort}
	for i := range 20 {
		item[fmt.Sprint("name", i)] = int64(i)
	}
	err := on.Transact(t.Context(), table.Transaction{Writes: []table.Write{
		table.Put{Table: "t", Item: item, If: table.Absent()},
		table.Update{Table: "t", Key: count, Add: map[string]int64{"n": 1}},
	}})
	if err != nil {
		t.Fatalf("Transact, its first response lost = %v, want nil", err)
	}
	for key, n := range map[table.Key]any{row: nil, count: int64(1)} {
		got, err := on.Get(t.Context(), table.Get{Table: "t", Key: key, Consistent: true})
		if err != nil || got == nil || got["n"] != n {
			t.Errorf("Get(%v) = %v, %v, want n = %v", key, got, err, n)
		}
	}
}
