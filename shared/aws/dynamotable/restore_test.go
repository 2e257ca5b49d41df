package dynamotable_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"earshot/shared/aws/dynamotable"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/port/table/tabletest"
)

// A restored table takes the place of a whole one, as the guide of infra does it: rows near the limit of an item are
// in it, its indexes are, what a restore leaves out can be set, and the adapter works on it. The server is the one
// that STACK_ENDPOINT names: the one of TABLE_ENDPOINT has no backups.
func TestRestore_WholeTable(t *testing.T) {
	endpoint := os.Getenv("STACK_ENDPOINT")
	if endpoint == "" {
		t.Skip("STACK_ENDPOINT names no server with backups of tables (see make peers)")
	}
	account, err := dynamotable.AccountFrom(os.Getenv, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	client, ctx := dynamotable.NewClient(account), t.Context()
	schemas := tabletest.Schemas()
	names := create(t, client, schemas)
	opened, err := dynamotable.New(client, names, schemas, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	const rows = 12
	var kept []table.Item
	for i := range rows {
		item := table.Item{
			"pk":     "p",
			"sk":     fmt.Sprintf("%02d", i),
			"stream": "s",
			"moment": fmt.Sprintf("%02d", rows-i),
			"n":      int64(i),
		}
		if i%4 == 0 { // beyond what a command line takes as one argument
			item["large"] = make([]byte, 390<<10)
		}
		kept = append(kept, item)
		if err := opened.Put(ctx, table.Put{Table: "rows", Item: item}); err != nil {
			t.Fatal(err)
		}
	}
	recovery := func(name string) {
		t.Helper()
		_, err := client.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{TableName: &name,
			PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{
				PointInTimeRecoveryEnabled: aws.Bool(true), RecoveryPeriodInDays: aws.Int32(35),
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
	recovery(names["rows"])

	restored := "test-" + rand.Text() + "-restored"
	_, err = client.RestoreTableToPointInTime(ctx, &dynamodb.RestoreTableToPointInTimeInput{
		SourceTableName: aws.String(names["rows"]), TargetTableName: &restored, UseLatestRestorableTime: aws.Bool(true),
		SSESpecificationOverride: &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms},
	})
	if err != nil {
		t.Fatal(err)
	}
	names["original"], names["rows"] = names["rows"], restored // the cleanup of create deletes both
	wait := dynamodb.NewTableExistsWaiter(client)
	if err := wait.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &restored}, time.Minute); err != nil {
		t.Fatal(err)
	}
	recovery(restored)
	expiry := &types.TimeToLiveSpecification{Enabled: aws.Bool(true), AttributeName: aws.String(table.ExpiryAttribute)}
	_, err = client.UpdateTimeToLive(ctx,
		&dynamodb.UpdateTimeToLiveInput{TableName: &restored, TimeToLiveSpecification: expiry})
	if err != nil {
		t.Fatal(err)
	}
	for _, protected := range []bool{true, false} { // it has to be deleted
		update := &dynamodb.UpdateTableInput{TableName: &restored, DeletionProtectionEnabled: &protected}
		_, err := client.UpdateTable(ctx, update)
		if err != nil {
			t.Fatal(err)
		}
	}

	used := map[string]string{"things": names["things"], "rows": restored}
	swapped, err := dynamotable.New(client, used, schemas, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range kept {
		got, err := swapped.Get(ctx, table.Get{Table: "rows", Key: table.KeyOf(want), Consistent: true})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("row %d is not as it was: %d bytes, %v", i, table.Size(got), err)
		}
	}
	var found []any
	query := table.Query{Table: "rows", Index: "byTime", Partition: "s"}
	for {
		page, err := swapped.Query(ctx, query)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			found = append(found, item["sk"])
		}
		if query.After = page.Next; query.After == nil {
			break
		}
	}
	if len(found) != rows || found[0] != kept[rows-1]["sk"] {
		t.Errorf("the index has %v, want %d rows from the last to the first", found, rows)
	}
	err = swapped.Transact(ctx, table.Transaction{Writes: []table.Write{
		table.Update{Table: "rows", Key: table.KeyOf(kept[1]), Add: map[string]int64{"n": 1}, If: table.Present()}}})
	if err != nil {
		t.Error(err)
	}
}
