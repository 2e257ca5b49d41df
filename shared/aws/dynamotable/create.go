package dynamotable

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"earshot/shared/port/table"
)

// Create makes the missing tables and waits until all can be used. It is for peers and the local program. In a
// deployment, infra makes the tables. An existing table must have the indexes. Create changes nothing of it but its
// expiry.
func Create(ctx context.Context, client *dynamodb.Client, names map[string]string, schemas []table.Schema) error {
	for _, schema := range schemas {
		if err := createTable(ctx, client, names[schema.Name], schema); err != nil {
			return fmt.Errorf("dynamotable: create table %q: %w", names[schema.Name], err)
		}
	}
	for _, schema := range schemas {
		if err := ready(ctx, client, names[schema.Name], schema); err != nil {
			return fmt.Errorf("dynamotable: wait for table %q: %w", names[schema.Name], err)
		}
	}
	return nil
}

func createTable(ctx context.Context, client *dynamodb.Client, name string, schema table.Schema) error {
	_, err := client.CreateTable(ctx, createInput(name, schema))
	var exists *types.ResourceInUseException
	if errors.As(err, &exists) {
		return nil
	}
	return err
}

func createInput(name string, schema table.Schema) *dynamodb.CreateTableInput {
	input := &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		KeySchema:   keySchema(table.PartitionAttribute, table.SortAttribute),
	}
	if schema.InfrequentAccess {
		input.TableClass = types.TableClassStandardInfrequentAccess
	}
	keys := []string{table.PartitionAttribute, table.SortAttribute}
	for _, index := range schema.Indexes {
		keys = append(keys, index.Partition, index.Sort)
		projection := &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
		if names := index.Projection(); len(names) > 0 {
			projection = &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: names}
		}
		input.GlobalSecondaryIndexes = append(input.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName:  aws.String(index.Name),
			KeySchema:  keySchema(index.Partition, index.Sort),
			Projection: projection,
		})
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		input.AttributeDefinitions = append(input.AttributeDefinitions, types.AttributeDefinition{
			AttributeName: aws.String(key), AttributeType: types.ScalarAttributeTypeS,
		})
	}
	return input
}

func keySchema(partition, sort string) []types.KeySchemaElement {
	return []types.KeySchemaElement{
		{AttributeName: &partition, KeyType: types.KeyTypeHash},
		{AttributeName: &sort, KeyType: types.KeyTypeRange},
	}
}

// ready waits for a table and its indexes, and sees to its expiry.
func ready(ctx context.Context, client *dynamodb.Client, name string, schema table.Schema) error {
	const longest = 5 * time.Second
	for delay := 20 * time.Millisecond; ; delay = min(2*delay, longest) {
		output, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
		if err != nil {
			return err
		}
		if active(output.Table) {
			if err := hasIndexes(output.Table, schema); err != nil {
				return err
			}
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(delay):
		}
	}
	output, err := client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &name})
	if err != nil {
		return fmt.Errorf("describe expiry: %w", err)
	}
	if ttl := output.TimeToLiveDescription; ttl != nil && (ttl.TimeToLiveStatus == types.TimeToLiveStatusEnabled ||
		ttl.TimeToLiveStatus == types.TimeToLiveStatusEnabling) {
		return nil
	}
	_, err = client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: &name,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String(table.ExpiryAttribute), Enabled: aws.Bool(true),
		},
	})
	if err != nil {
		return fmt.Errorf("enable expiry: %w", err)
	}
	return nil
}

func active(description *types.TableDescription) bool {
	return description.TableStatus == types.TableStatusActive &&
		!slices.ContainsFunc(description.GlobalSecondaryIndexes, func(x types.GlobalSecondaryIndexDescription) bool {
			return x.IndexStatus != types.IndexStatusActive
		})
}

func hasIndexes(description *types.TableDescription, schema table.Schema) error {
	for _, index := range schema.Indexes {
		if !slices.ContainsFunc(description.GlobalSecondaryIndexes, func(x types.GlobalSecondaryIndexDescription) bool {
			return aws.ToString(x.IndexName) == index.Name
		}) {
			return fmt.Errorf("it exists without the index %q", index.Name)
		}
	}
	return nil
}
