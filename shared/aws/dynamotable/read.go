package dynamotable

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"earshot/shared/port/table"
)

// Get reads an item.
func (t *Table) Get(ctx context.Context, get table.Get) (table.Item, error) {
	if err := t.catalog.CheckGet(get); err != nil {
		return nil, failed(ctx, "get", get.Table, err)
	}
	name := t.names[get.Table]
	output, err := t.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &name, Key: keyOf(get.Key), ConsistentRead: &get.Consistent, ReturnConsumedCapacity: total,
	})
	if err != nil {
		charge(ctx, table.Usage{Reads: 1})
		return nil, failed(ctx, "get", get.Table, err)
	}
	charge(ctx, table.Usage{Reads: 1}, consumedBy(output.ConsumedCapacity)...)
	item, err := t.fresh(output.Item)
	if err != nil {
		return nil, failed(ctx, "get", get.Table, err)
	}
	return item, nil
}

// fresh returns the item of these attributes; nil if there are none or it is expired.
func (t *Table) fresh(attributes map[string]types.AttributeValue) (table.Item, error) {
	item, err := toItem(attributes)
	if err != nil || table.Expired(item, t.clock.Now()) {
		return nil, err
	}
	return item, nil
}

// BatchGet reads items. DynamoDB sets consistency by table: one consistent read makes all of its table consistent.
func (t *Table) BatchGet(ctx context.Context, gets []table.Get) (table.Batch, error) {
	if err := t.catalog.CheckBatch(gets); err != nil {
		return table.Batch{}, failed(ctx, "batch get", "", err)
	}
	type target struct {
		table string // physical
		key   table.Key
	}
	positions := make(map[target]int, len(gets))
	requests := map[string]types.KeysAndAttributes{}
	for i, get := range gets {
		name := t.names[get.Table]
		request := requests[name]
		request.Keys = append(request.Keys, keyOf(get.Key))
		if get.Consistent {
			request.ConsistentRead = &get.Consistent
		}
		requests[name] = request
		positions[target{name, get.Key}] = i
	}
	output, err := t.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
		RequestItems: requests, ReturnConsumedCapacity: total,
	})
	if err != nil {
		charge(ctx, table.Usage{Reads: 1})
		return table.Batch{}, failed(ctx, "batch get", "", err)
	}
	charge(ctx, table.Usage{Reads: 1}, output.ConsumedCapacity...)
	batch := table.Batch{Items: make([]table.Item, len(gets))}
	for name, answers := range output.Responses {
		for _, attributes := range answers {
			item, err := toItem(attributes)
			if err != nil {
				return table.Batch{}, failed(ctx, "batch get", t.logical[name], err)
			}
			if !table.Expired(item, t.clock.Now()) {
				batch.Items[positions[target{name, table.KeyOf(item)}]] = item
			}
		}
	}
	for name, left := range output.UnprocessedKeys {
		for _, attributes := range left.Keys {
			key, err := toItem(attributes)
			if err != nil {
				return table.Batch{}, failed(ctx, "batch get", t.logical[name], err)
			}
			batch.Unprocessed = append(batch.Unprocessed, positions[target{name, table.KeyOf(key)}])
		}
	}
	return batch, nil
}
