package dynamotable_test

import (
	"context"
	"crypto/rand"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"earshot/shared/aws/dynamotable"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/port/table/tabletest"
)

// peer is a client of the server in TABLE_ENDPOINT; without one the test is skipped.
func peer(t *testing.T) *dynamodb.Client {
	t.Helper()
	endpoint := os.Getenv("TABLE_ENDPOINT")
	if endpoint == "" {
		t.Skip("TABLE_ENDPOINT is not set: no DynamoDB-compatible server to test against (see make peers)")
	}
	account, err := dynamotable.AccountFrom(os.Getenv, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	return dynamotable.NewClient(account)
}

// create makes tables with names of their own, which the cleanup deletes.
func create(t *testing.T, client *dynamodb.Client, schemas []table.Schema) map[string]string {
	t.Helper()
	names := map[string]string{}
	for _, schema := range schemas {
		names[schema.Name] = "test-" + rand.Text() + "-" + schema.Name
	}
	t.Cleanup(func() {
		for name := range maps.Values(names) {
			if _, err := client.DeleteTable(context.Background(), &dynamodb.DeleteTableInput{TableName: &name}); err != nil {
				t.Error(err)
			}
		}
	})
	for range 2 { // twice is as good as once
		if err := dynamotable.Create(t.Context(), client, names, schemas); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

func TestSuite(t *testing.T) {
	client, now := peer(t), &clock.Adjustable{}
	tabletest.Run(t, func(t *testing.T, schemas []table.Schema) table.Table {
		opened, err := dynamotable.New(client, create(t, client, schemas), slices.Clone(schemas), now)
		if err != nil {
			t.Fatal(err)
		}
		return opened
	}, tabletest.Options{Clock: now})
}
