package dynamotable

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"earshot/shared/port/table"
)

// oldOnFailure requests the existing item when a condition fails.
const oldOnFailure = types.ReturnValuesOnConditionCheckFailureAllOld

// Put writes a whole item.
func (t *Table) Put(ctx context.Context, put table.Put) error {
	if err := t.catalog.CheckPut(put); err != nil {
		return failed(ctx, "put", put.Table, err)
	}
	name, e := t.names[put.Table], &expression{}
	input := &dynamodb.PutItemInput{
		TableName: &name, Item: fromItem(put.Item), ConditionExpression: e.condition(put.If, t.clock.Now()),
		ReturnValuesOnConditionCheckFailure: oldOnFailure, ReturnConsumedCapacity: total,
	}
	input.ExpressionAttributeNames, input.ExpressionAttributeValues = e.names, e.values
	output, err := t.client.PutItem(ctx, input)
	if err != nil {
		return notWritten(ctx, "put", put.Table, err)
	}
	charge(ctx, table.Usage{Writes: 1}, consumedBy(output.ConsumedCapacity)...)
	return nil
}

// Update changes attributes of an item.
func (t *Table) Update(ctx context.Context, update table.Update) (table.Item, error) {
	if err := t.catalog.CheckUpdate(update); err != nil {
		return nil, failed(ctx, "update", update.Table, err)
	}
	name, e := t.names[update.Table], &expression{}
	input := &dynamodb.UpdateItemInput{
		TableName: &name, Key: keyOf(update.Key), UpdateExpression: e.changes(update),
		ConditionExpression: e.condition(update.If, t.clock.Now()), ReturnValues: types.ReturnValueAllNew,
		ReturnValuesOnConditionCheckFailure: oldOnFailure, ReturnConsumedCapacity: total,
	}
	input.ExpressionAttributeNames, input.ExpressionAttributeValues = e.names, e.values
	output, err := t.client.UpdateItem(ctx, input)
	if err != nil {
		return nil, notWritten(ctx, "update", update.Table, err)
	}
	charge(ctx, table.Usage{Writes: 1}, consumedBy(output.ConsumedCapacity)...)
	item, err := toItem(output.Attributes)
	if err != nil {
		return nil, failed(ctx, "update", update.Table, err)
	}
	return item, nil
}

// Delete removes an item.
func (t *Table) Delete(ctx context.Context, del table.Delete) error {
	if err := t.catalog.CheckDelete(del); err != nil {
		return failed(ctx, "delete", del.Table, err)
	}
	name, e := t.names[del.Table], &expression{}
	input := &dynamodb.DeleteItemInput{
		TableName: &name, Key: keyOf(del.Key), ConditionExpression: e.condition(del.If, t.clock.Now()),
		ReturnValuesOnConditionCheckFailure: oldOnFailure, ReturnConsumedCapacity: total,
	}
	input.ExpressionAttributeNames, input.ExpressionAttributeValues = e.names, e.values
	output, err := t.client.DeleteItem(ctx, input)
	if err != nil {
		return notWritten(ctx, "delete", del.Table, err)
	}
	charge(ctx, table.Usage{Writes: 1}, consumedBy(output.ConsumedCapacity)...)
	return nil
}

// notWritten charges for a failed write and returns its error. DynamoDB bills a failed condition by the existing item
// and does not report the cost, so it is computed here.
func notWritten(ctx context.Context, doing, tableName string, err error) error {
	condition, unreadable := conditionFailed(err)
	if unreadable != nil {
		err = unreadable
	}
	if condition == nil {
		charge(ctx, table.Usage{Writes: 1})
		return failed(ctx, doing, tableName, err)
	}
	charge(ctx, table.Usage{Writes: 1, WriteUnits: table.WriteUnits(table.Size(condition.Item))})
	return condition
}
