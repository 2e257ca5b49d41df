package athenawarehouse_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/athena"
	"github.com/aws/aws-sdk-go-v2/service/athena/types"

	"earshot/shared/aws/account"
	"earshot/shared/aws/athenawarehouse"
	"earshot/shared/port/warehouse"
	"earshot/shared/port/warehouse/warehousetest"
)

// without are the tests of engines that run SQL.
var without = warehousetest.Options{Skip: map[string]string{
	"Parameters": "the server runs no SQL; it returns what the test wants",
	"Refused":    "the server runs no SQL; it refuses no statement",
}}

func pause(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// The adapter reads pages as Athena writes them.
func TestSuite_Service(t *testing.T) {
	warehousetest.Run(t, func(t *testing.T, rows [][]*string) warehouse.Warehouse {
		s := &service{answers: map[string][]answer{"StartQueryExecution": {started}, "GetQueryExecution": {running, done}}}
		all := append([][]string{{"a column"}}, texts(rows)...)
		for i := 0; i < len(all); i += 1_000 {
			next := ""
			if i+1_000 < len(all) {
				next = fmt.Sprint("after ", i)
			}
			s.answers["GetQueryResults"] = append(s.answers["GetQueryResults"], page(next, all[i:min(len(all), i+1_000)]...))
		}
		a, _ := against(t, s)
		return a
	}, without)
}

// texts writes rows for page. missing stands for NULL.
func texts(rows [][]*string) (written [][]string) {
	for _, row := range rows {
		var cells []string
		for _, cell := range row {
			if cell == nil {
				cells = append(cells, missing)
			} else {
				cells = append(cells, *cell)
			}
		}
		written = append(written, cells)
	}
	return written
}

// moto knows Athena's wire and workgroups. It runs no SQL: a test puts the results there before. So this shows that
// requests and responses are Athena's, and nothing of statements, cut-offs, reuse or parameters.
func TestSuite_Moto(t *testing.T) {
	endpoint := os.Getenv("WAREHOUSE_ENDPOINT")
	if endpoint == "" {
		t.Skip("WAREHOUSE_ENDPOINT is not set: no server with Athena to test against (see make peers)")
	}
	asker, err := account.From(os.Getenv, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	client, workgroup, place := athenawarehouse.NewClient(asker), "earshot-test", "s3://results/"
	if _, err := client.CreateWorkGroup(t.Context(), &athena.CreateWorkGroupInput{
		Name: &workgroup,
		Configuration: &types.WorkGroupConfiguration{
			ResultConfiguration: &types.ResultConfiguration{OutputLocation: &place},
		},
	}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := client.DeleteWorkGroup(context.Background(), &athena.DeleteWorkGroupInput{WorkGroup: &workgroup}); err != nil {
			t.Error(err)
		}
	})
	warehousetest.Run(t, func(t *testing.T, rows [][]*string) warehouse.Warehouse {
		if rows != nil {
			stage(t, endpoint, asker.Region, rows)
		}
		return athenawarehouse.New(client, workgroup, "earshot_test", pause)
	}, without)
	gone := athenawarehouse.New(client, "no-such-workgroup", "earshot_test", athenawarehouse.Pause)
	if _, err := gone.Query(t.Context(), statement); err == nil || errors.Is(err, warehouse.ErrThrottled) {
		t.Errorf("Query in a workgroup that is not there = %v, want a refusal", err)
	}
}

// stage has moto return rows for the next statement.
func stage(t *testing.T, endpoint, region string, rows [][]*string) {
	t.Helper()
	data := []any{map[string]any{"Data": []any{map[string]string{"VarCharValue": "a column"}}}}
	for _, row := range rows {
		cells := []any{}
		for _, cell := range row {
			if cell == nil {
				cells = append(cells, map[string]string{})
			} else {
				cells = append(cells, map[string]string{"VarCharValue": *cell})
			}
		}
		data = append(data, map[string]any{"Data": cells})
	}
	script, err := json.Marshal(map[string]any{
		"region":  region,
		"results": []any{map[string]any{"rows": data, "column_info": []any{}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Post(endpoint+"/moto-api/static/athena/query-results", "application/json", bytes.NewReader(script))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		t.Fatalf("moto took the results with status %d", response.StatusCode)
	}
}
