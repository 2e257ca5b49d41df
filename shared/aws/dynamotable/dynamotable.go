// Package dynamotable implements the port table on Amazon DynamoDB.
//
// It adds nothing to DynamoDB's guarantees. Each operation is one request, sent once: wrap the table in table.Retrying
// to repeat it. Errors wrap the SDK's own for the logs.
//
// Only mains, tools and tests import it.
package dynamotable

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"earshot/shared/port/clock"
	"earshot/shared/port/table"
)

// A Table is a set of DynamoDB tables.
type Table struct {
	client  *dynamodb.Client
	catalog *table.Catalog
	names   map[string]string // logical to physical
	logical map[string]string // and back
	clock   clock.Clock
}

// New makes the adapter. names holds the physical name of each table of the schemas. The clock decides what is expired.
func New(client *dynamodb.Client, names map[string]string, schemas []table.Schema, clock clock.Clock) (*Table, error) {
	catalog, err := table.NewCatalog(schemas)
	if err != nil {
		return nil, fmt.Errorf("dynamotable: %w", err)
	}
	t := &Table{
		client:  client,
		catalog: catalog,
		names:   names,
		logical: make(map[string]string, len(names)),
		clock:   clock,
	}
	for _, schema := range schemas {
		physical := names[schema.Name]
		if physical == "" {
			return nil, fmt.Errorf("dynamotable: no physical name for table %q", schema.Name)
		}
		t.logical[physical] = schema.Name
	}
	return t, nil
}

// total requests the consumed capacity of a table and its indexes as one sum, which is what is charged.
const total = types.ReturnConsumedCapacityTotal

// charge meters a round trip. usage already counts the request; the capacity is in the response.
func charge(ctx context.Context, usage table.Usage, consumed ...types.ConsumedCapacity) {
	for _, capacity := range consumed {
		switch {
		// only transactions have the two separately
		case capacity.ReadCapacityUnits != nil || capacity.WriteCapacityUnits != nil:
			usage.ReadUnits += valueOf(capacity.ReadCapacityUnits)
			usage.WriteUnits += valueOf(capacity.WriteCapacityUnits)
		case usage.Writes > 0:
			usage.WriteUnits += valueOf(capacity.CapacityUnits)
		default:
			usage.ReadUnits += valueOf(capacity.CapacityUnits)
		}
	}
	table.Charge(ctx, usage)
}

func valueOf(units *float64) float64 {
	if units == nil {
		return 0
	}
	return *units
}

func consumedBy(capacity *types.ConsumedCapacity) []types.ConsumedCapacity {
	if capacity == nil {
		return nil
	}
	return []types.ConsumedCapacity{*capacity}
}
