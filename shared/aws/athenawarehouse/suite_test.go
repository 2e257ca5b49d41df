package athenawarehouse_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/athena"
	"github.com/aws/aws-sdk-go-v2/service/athena/types"

	"earshot/shared/aws/account"
	"earshot/shared/aws/athenawarehouse"
	"earshot/shared/port/warehouse"
)

// moto knows Athena's wire and workgroups. It runs no SQL: a test puts the results there before. So this shows that
// requests and responses are Athena's, and nothing of statements, cut-offs, reuse or parameters.
func TestQuery_Moto(t *testing.T) {
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
	script, err := json.Marshal(map[string]any{"region": asker.Region, "results": []any{map[string]any{
		"rows": []any{
			map[string]any{"Data": []any{map[string]string{"VarCharValue": "source"}, map[string]string{"VarCharValue": "mentions"}}},
			map[string]any{"Data": []any{map[string]string{"VarCharValue": "reddit"}, map[string]string{"VarCharValue": "12"}}},
			map[string]any{"Data": []any{map[string]string{}, map[string]string{"VarCharValue": "3"}}},
		},
		"column_info": []any{},
	}}})
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
	a := athenawarehouse.New(client, workgroup, "earshot_test", func(ctx context.Context, _ time.Duration) error { return ctx.Err() })
	result, err := a.Query(t.Context(), statement)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Rows) != 2 || *result.Rows[0][0] != "reddit" || *result.Rows[0][1] != "12" || result.Rows[1][0] != nil {
		t.Errorf("Query = %v", result.Rows)
	}
	gone := athenawarehouse.New(client, "no-such-workgroup", "earshot_test", athenawarehouse.Pause)
	if _, err := gone.Query(t.Context(), statement); err == nil || errors.Is(err, warehouse.ErrThrottled) {
		t.Errorf("Query in a workgroup that is not there = %v, want a refusal", err)
	}
}
